"""Signs that a passage speaks to a chat model instead of its readers, for a warning beside it.

A passage with a sign is read like any other, and one without is trusted no more: a list of words cannot find every
injection, and is kept short enough to be silent on ordinary documentation. What has one raises and lowers no grade, no
link of it is shown, and what rests on it alone says so.
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

_FOLDED: Final = str.maketrans(
    "аеорсухіјѕԁɡһќтмнквАЕОРСУХІЈЅТМНКВοαερτικνΑΒΕΗΙΚΜΝΟΡΤΧΥ",
    "aeopcyxijsdghktmhkbAEOPCYXIJSTMHKBoaeptiKvABEHIKMNOPTXY",
)
"""Cyrillic and Greek letters that look like Latin ones."""


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
_MOST_DECODED: Final = 20
_MOST_CHARS: Final = 20_000
"""Characters looked at: passages have 2,000, and a sign further on in a longer text is found in its own passage."""


def suspicious(text: str) -> tuple[str, ...]:
    """Names of the signs that ``text`` addresses an assistant, in a fixed order; empty for nearly every document.

    Of a longer text the first 20,000 characters are looked at.
    """
    text = text[:_MOST_CHARS]
    found = _signs(text)
    if conceals(text):
        found["hidden characters"] = True
    if _TERMINAL.search(text):
        found["steers the terminal"] = True
    if any(_signs(plain) for plain in _decoded(text)):
        found["encoded orders"] = True
    return tuple(found)


def ordering(hits: Sequence[Hit]) -> dict[str, tuple[str, ...]]:
    """The files of which a passage, or the name, speaks to a model, with the signs of each.

    A file that gives orders in one passage may lie in another, so that all of its passages count.
    """
    found: dict[str, dict[str, None]] = {}
    for hit in hits:
        if signs := (*suspicious(hit.text), *suspicious(hit.path)):
            found.setdefault(hit.path, {}).update(dict.fromkeys(signs))
    return {path: tuple(signs) for path, signs in found.items()}


def _signs(text: str) -> dict[str, bool]:
    plain = unicodedata.normalize("NFKC", visible(text)).translate(_FOLDED)
    plain = re.sub(r"[ \t]{2,}", " ", plain)
    # A sentence goes on over the line's end.
    running = re.sub(r"[ \t]*\n[ \t]*(?=[a-z一-鿿])", " ", plain)
    found = {name: True for name, pattern in _SIGNS if pattern.search(running)}
    if _TEMPLATE.search(plain) or len({match[0].strip(" #\t") for match in _TURN.finditer(plain)}) > 1:
        found["chat template"] = True
    if _BOUNDARY.search(plain) or _SOURCE_TAG.search(plain):
        found["block boundary"] = True
    if _TRACKING_IMAGE.search(plain):
        found["image that reports"] = True
    return found


def _decoded(text: str) -> list[str]:
    """What stands in base64 in ``text`` and is text itself."""
    found = []
    for match, _ in zip(_BASE64.finditer(text), range(_MOST_DECODED), strict=False):
        coded = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            plain = base64.b64decode(coded + "=" * (-len(coded) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if sum(character.isprintable() for character in plain) > 0.95 * len(plain):
            found.append(plain)
    return found
