"""Detects signs of prompt injection in passages, for warnings.

A passage with a sign is still read, and one without is not trusted more: patterns cannot find every injection, and are
few enough to be silent on ordinary documentation. The grade of a passage with a sign is never raised, its links are not
shown, and sentences supported by it alone are labelled.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final

from kbtui.domain.evidence import Hit
from kbtui.text.hidden import conceals, visible
from kbtui.text.word_lists import filled, toml_in

_HOMOGLYPHS: Final = str.maketrans(
    "аеорсухіјѕԁɡһќтмнквАЕОРСУХІЈЅТМНКВοαερτικνΑΒΕΗΙΚΜΝΟΡΤΧΥ",
    "aeopcyxijsdghktmhkbAEOPCYXIJSTMHKBoaeptiKvABEHIKMNOPTXY",
)
"""Maps Cyrillic and Greek letters to the Latin letters they look like."""


def _signs_of(tables: dict[str, Any]) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, patterns in tables["signs"].items():
        for pattern in patterns:
            yield name, re.compile(filled(pattern, tables["blanks"]), re.IGNORECASE | re.MULTILINE)


_SIGNS: Final = tuple(_signs_of(toml_in(__package__, "suspicion.toml")))
_TEMPLATE = re.compile(
    r"<[|｜](?:im_start|im_end|im_sep|start_header_id|end_header_id|eot_id|begin_of_text|endoftext|end|user|assistant|"
    r"system|channel|message|User|Assistant|begin▁of▁sentence|end▁of▁sentence)[|｜]>"
    r"|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</think>|^### (?:Instruction|Response):\s*$",
    re.MULTILINE,
)
_TURN = re.compile(r"^[ \t]{0,3}(?:#{1,4} )?(?:Human|Assistant|System|User)[ \t]?[:：]", re.MULTILINE)
_BOUNDARY = re.compile(r"<\s{0,3}/\s{0,3}(?:passage|untrusted)\b[^<>\n]{0,60}>", re.IGNORECASE)
_SOURCE_TAG = re.compile(r"\[SOURCE:[^\]\n]{1,300}:L\d")
_TRACKING_IMAGE = re.compile(
    r"!\[[^\]\n]{0,200}\]\(\s?<?https?://[^\s)]{1,300}?[?&/#=][^\s)]{0,200}?"
    r"(?:\{[^}\s]{0,60}\}|\$\{?\w|%7b|<[^>\s]{1,60}>|\[[^\]\s]{1,60}\]|[?&](?:q|query|question|answer|data|secret|key|"
    r"token|prompt|history|conversation|leak|exfil|content)=)",
    re.IGNORECASE,
)
_TERMINAL = re.compile(r"\x1b[\]PX^_]|\x9d|\x90|\x1b\[[0-9;?]*[A-Za-z]")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,4000}={0,2}(?![A-Za-z0-9+/=_-])")
_MAX_DECODED: Final = 20
_MAX_CHARS: Final = 20_000
"""Most characters searched; passages have 2,000, so a later sign is found in its own passage."""


def injection_signs(text: str) -> tuple[str, ...]:
    """Names of the signs of injection in ``text``, in a fixed order; empty for nearly every document.

    Only the first 20,000 characters are searched.
    """
    text = text[:_MAX_CHARS]
    signs = _find_signs(text)
    if conceals(text):
        signs["hidden characters"] = True
    if _TERMINAL.search(text):
        signs["steers the terminal"] = True
    if any(_find_signs(plain) for plain in _decode_base64(text)):
        signs["encoded orders"] = True
    return tuple(signs)


def signs_by_file(hits: Sequence[Hit]) -> dict[str, tuple[str, ...]]:
    """Signs of injection in passages or paths, by file.

    All passages of a file are affected: a file with instructions in one passage may lie in another.
    """
    signs_by_path: dict[str, dict[str, None]] = {}
    for hit in hits:
        if signs := (*injection_signs(hit.text), *injection_signs(hit.path)):
            signs_by_path.setdefault(hit.path, {}).update(dict.fromkeys(signs))
    return {path: tuple(signs) for path, signs in signs_by_path.items()}


def _find_signs(text: str) -> dict[str, bool]:
    plain = unicodedata.normalize("NFKC", visible(text)).translate(_HOMOGLYPHS)
    plain = re.sub(r"[ \t]{2,}", " ", plain)
    # A sentence may continue on the next line.
    running = re.sub(r"[ \t]*\n[ \t]*(?=[a-z一-鿿])", " ", plain)
    signs = {name: True for name, pattern in _SIGNS if pattern.search(running)}
    if _TEMPLATE.search(plain) or len({match[0].strip(" #\t") for match in _TURN.finditer(plain)}) > 1:
        signs["chat template"] = True
    if _BOUNDARY.search(plain) or _SOURCE_TAG.search(plain):
        signs["block boundary"] = True
    if _TRACKING_IMAGE.search(plain):
        signs["image that reports"] = True
    return signs


def _decode_base64(text: str) -> list[str]:
    """Texts that are base64-encoded in ``text``."""
    texts = []
    for match, _ in zip(_BASE64.finditer(text), range(_MAX_DECODED), strict=False):
        encoded = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            plain = base64.b64decode(encoded + "=" * (-len(encoded) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if sum(character.isprintable() for character in plain) > 0.95 * len(plain):
            texts.append(plain)
    return texts
