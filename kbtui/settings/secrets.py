"""Masks secrets (keys, tokens and passwords) in settings, URLs, error messages and recordings.

A secret is recognised by its value (keys in the environment of this process, and those that ``settings.keys`` returned)
or by its form (the formats of keys of known providers, and ``Authorization`` headers). Values are exact and are masked
in everything that is written; forms may match harmless text, so they are masked in logs and error messages, but never
in the text of documents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from kbtui.late_patterns import pattern

MASK = "********"
MIN_SECRET_CHARS: Final = 8
"""A shorter value is a placeholder or a flag, and masking it would hide ordinary words."""

PLAIN_WORD_CHARS: Final = 16
"""A shorter value of letters alone (`postgres`, `changeme`) is no key, and may be an ordinary word of documents."""

_PLACEHOLDERS: Final = frozenset(
    {"not-needed", "no-key-needed", "lm-studio", "llama.cpp", "localhost", "placeholder", "undefined", "anything"}
)
"""Values that users set where a local server requires any key."""

_KEY = pattern(r"(?i)(?:^|[._-])(?:api_?)?(?:keys?|tokens?|secrets?|password|passwd|pwd|credentials?)$")
# These patterns are applied to untrusted text, so repetitions are bounded wherever backtracking could be quadratic.
_IN_URL = pattern(r"(?<=://)([^/@\s:?#]*):[^/\s?#]+@")
_IN_QUERY = pattern(r"(?i)([?&;][^=&;?\s]{0,40}?(?:key|token|secret|password|passwd|pwd)[^=&;?\s]{0,40}=)[^&;\s]*")

# Each form requires a digit (or the stars of a partly masked key), so that hyphenated words do not match.
_KEY_FORMATS = pattern(
    r"""
    \b(?:
        sk-(?=[\w*-]{0,60}[\d*])[\w*-]{12,}                        # OpenAI, Anthropic, OpenRouter, DeepSeek
      | AIza[\w-]{30,}                                              # Google
      | gh[pousr]_\w{20,} | github_pat_\w{20,} | glpat-[\w-]{16,}   # GitHub, GitLab
      | xox[abeoprs]-[\w-]{10,}                                     # Slack
      | (?:AKIA|ASIA)[0-9A-Z]{16}                                   # AWS
      | (?:gsk|hf|r8)_[A-Za-z0-9]{20,}                              # Groq, Hugging Face, Replicate
      | (?:tvly|xai|pplx|nvapi|fw)-(?=[\w-]{0,60}\d)[\w-]{16,}     # Tavily, xAI, Perplexity, NVIDIA, Fireworks
      | eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}                        # JSON web token
    )
    """,
    re.X,
)
_AFTER_BEARER = pattern(r"(?i)\b(bearer\s+)(?=[\w.~+/=*-]{0,100}[\d*])[\w.~+/=*-]{8,}")
_IN_HEADER = pattern(
    r"""(?ix)
    \b((?:proxy-)?authorization | (?:x-)?(?:goog-)?api[-_]?key)
    (\\?["']? \s* [:=,] \s* (?:b?\\?["'])?)
    (?: (?:bearer|basic)\s+ [^\s"'\\,;})]{8,} | (?=[^\s"'\\,;})]{0,100}[\d*]) [^\s"'\\,;})]{8,} )
    """
)


class Redactor:
    """Masks secrets in any text.

    Args:
        environ: Environment whose variables with names like that of a key hold secrets.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ
        self._learned: set[str] = set()

    def learn(self, secret: str) -> None:
        """Mask this value too from now on."""
        if _is_secret(secret):
            self._learned.add(secret)

    def redact(self, text: str) -> str:
        """``text`` with known secrets, and everything in the form of a key, masked."""
        text = mask_urls(_mask_all(self._secrets(), text))
        text = _AFTER_BEARER.sub(rf"\1{MASK}", text)
        text = _IN_HEADER.sub(rf"\1\2{MASK}", text)
        return _KEY_FORMATS.sub(MASK, text)

    def mask_known(self, text: str) -> str:
        """``text`` with known secrets masked, also in their URL and JSON encodings.

        A secret that is a plain word is not masked, since it would hide ordinary words of documents.
        """
        return _mask_all(self._maskable_secrets(), text)

    def partial_length(self, text: str) -> int:
        """Length of the end of ``text`` that may be the beginning of a known secret."""
        return max(
            (_overlap(text, encoded) for secret in self._maskable_secrets() for encoded in _encodings(secret)),
            default=0,
        )

    def _maskable_secrets(self) -> list[str]:
        return [secret for secret in self._secrets() if not (secret.isalpha() and len(secret) < PLAIN_WORD_CHARS)]

    def _secrets(self) -> list[str]:
        # The environment is read each time, since another thread may set a variable while the program runs.
        values = (self._environ.get(name, "") for name in list(self._environ) if _is_key_name(name))
        secrets = {value for value in values if _is_secret(value)}
        # Longest first, because one key can be a prefix of another.
        return sorted(secrets | self._learned, key=len, reverse=True)


_redactor: Final = Redactor()
redact = _redactor.redact
"""For logs and error messages."""
without_known_secrets = _redactor.mask_known
"""For everything else that is written: the secrets of this process are masked."""
partial_secret_length = _redactor.partial_length
"""For streamed text, whose end is held back until the next piece, so that no secret passes in two parts."""
learn_secret = _redactor.learn
"""For a secret that is not in the environment."""


def redact_values(value: Any) -> Any:
    """``value`` with every text in its lists and mappings redacted, at any depth; keys of mappings are unchanged."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redact_values(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_values(item) for item in value]
    return value


def mask_value(key: str, value: Any) -> Any:
    """The value of a setting with secrets masked; of a list, every item."""
    if isinstance(value, (list, tuple)):
        return [mask_value(key, item) for item in value]
    if not isinstance(value, str) or not value:
        return value
    return MASK if _KEY.search(key) else redact(value)


def mask_urls(text: str) -> str:
    """``text`` with the passwords and keys in its URLs masked."""
    return _IN_QUERY.sub(rf"\1{MASK}", _IN_URL.sub(rf"\1:{MASK}@", text))


@lru_cache(maxsize=1024)
def _is_key_name(variable: str) -> bool:
    # PWD is the working directory.
    return variable != "PWD" and (bool(_KEY.search(variable)) or variable == "PGPASSWORD")


def _is_secret(value: str) -> bool:
    value = value.strip()
    if len(value) < MIN_SECRET_CHARS or value.lower() in _PLACEHOLDERS or (value.isdigit() and len(value) < 12):
        return False
    return not _is_path(value)


@lru_cache(maxsize=256)
def _is_path(value: str) -> bool:
    """Whether a value is an existing path, as in GOOGLE_APPLICATION_CREDENTIALS, which is no secret itself."""
    try:
        return value[0] in "/~" and Path(value).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _mask_all(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        for encoded in _encodings(secret):
            if encoded in text:
                text = text.replace(encoded, MASK)
    return text


def _overlap(text: str, secret: str) -> int:
    """Length of the longest end of ``text`` that is a proper prefix of ``secret``."""
    tail = text[-(len(secret) - 1) :]
    start = tail.find(secret[0])
    while start >= 0:
        if secret.startswith(tail[start:]):
            return len(tail) - start
        start = tail.find(secret[0], start + 1)
    return 0


@lru_cache(maxsize=256)
def _encodings(secret: str) -> tuple[str, ...]:
    secret = secret.strip()
    import json

    return tuple(dict.fromkeys((secret, quote(secret, safe=""), json.dumps(secret)[1:-1])))
