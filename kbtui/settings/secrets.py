"""What must not be shown: keys, tokens and passwords, wherever a setting, a URL or an error message holds one.

Two ways of knowing a secret: by its value (the keys in this process's environment, and whatever was handed out by
``settings.keys``), and by its shape (the forms that providers give their keys, and ``Authorization`` headers). The
first is exact and serves everything that is written; the second can mask a harmless text of the same shape, so it is
for logs and error messages, never for what a document says.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

MASK = "********"
MIN_SECRET_CHARS: Final = 8
"""A shorter value is a placeholder or a flag; masking it everywhere would hide ordinary words."""

PLAIN_WORD_CHARS: Final = 16
"""A value of letters alone that is shorter (`postgres`, `changeme`) is a word of documents too, and hides no key."""

_PLACEHOLDERS: Final = frozenset(
    {"not-needed", "no-key-needed", "lm-studio", "llama.cpp", "localhost", "placeholder", "undefined", "anything"}
)
"""What people write where a local server wants some key or other."""

_KEY = re.compile(r"(?i)(?:^|[._-])(?:api_?)?(?:keys?|tokens?|secrets?|password|passwd|pwd|credentials?)$")
# Texts of others pass through all of these, so what can repeat has a bound where it could be tried from every place.
_IN_URL = re.compile(r"(?<=://)([^/@\s:?#]*):[^/\s?#]+@")
_IN_QUERY = re.compile(r"(?i)([?&;][^=&;?\s]{0,40}?(?:key|token|secret|password|passwd|pwd)[^=&;?\s]{0,40}=)[^&;\s]*")

# Each wants a digit (or the stars of a key that was masked by half), so that words with hyphens stay.
_SHAPES = re.compile(
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
_AFTER_BEARER = re.compile(r"(?i)\b(bearer\s+)(?=[\w.~+/=*-]{0,100}[\d*])[\w.~+/=*-]{8,}")
_IN_HEADER = re.compile(
    r"""(?ix)
    \b((?:proxy-)?authorization | (?:x-)?(?:goog-)?api[-_]?key)
    (\\?["']? \s* [:=,] \s* (?:b?\\?["'])?)
    (?: (?:bearer|basic)\s+ [^\s"'\\,;})]{8,} | (?=[^\s"'\\,;})]{0,100}[\d*]) [^\s"'\\,;})]{8,} )
    """
)


class Redactor:
    """Masks secrets in any text.

    Args:
        environ: Where keys may stand; every variable whose name ends like that of a key counts.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ
        self._learned: set[str] = set()

    def learn(self, secret: str) -> None:
        """Mask this value from now on, too."""
        if _is_secret(secret):
            self._learned.add(secret)

    def redact(self, text: str) -> str:
        """``text`` without the values that are known, and without what looks like a key."""
        text = masked_text(_without(self._known(), text))
        text = _AFTER_BEARER.sub(rf"\1{MASK}", text)
        text = _IN_HEADER.sub(rf"\1\2{MASK}", text)
        return _SHAPES.sub(MASK, text)

    def without_known(self, text: str) -> str:
        """``text`` without the values that are known, in the spellings of URLs and JSON too, else as it was.

        A value that is a plain word stays: what documents say would suffer, and nobody's key is one.
        """
        return _without(self._keys(), text)

    def begun(self, text: str) -> int:
        """Characters at the end of ``text`` that may be the beginning of a known value; what follows decides."""
        return max((_overlap(text, spelled) for secret in self._keys() for spelled in _spellings(secret)), default=0)

    def _keys(self) -> list[str]:
        return [secret for secret in self._known() if not (secret.isalpha() and len(secret) < PLAIN_WORD_CHARS)]

    def _known(self) -> list[str]:
        # Read each time, as a variable may be set while the program runs, and in another thread.
        values = (self._environ.get(name, "") for name in list(self._environ) if _names_a_key(name))
        found = {value for value in values if _is_secret(value)}
        # The longest first: one key can begin with another.
        return sorted(found | self._learned, key=len, reverse=True)


_redactor: Final = Redactor()


def redact(text: str) -> str:
    """For logs and error messages: ``text`` without keys, tokens and passwords."""
    return _redactor.redact(text)


def redacted(value: Any) -> Any:
    """``value`` with every text in it redacted, however deep in lists and mappings; keys are left as they are."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redacted(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(item) for item in value]
    return value


def without_known_secrets(text: str) -> str:
    """For whatever else is written: ``text`` without the keys of this process; no other text is touched."""
    return _redactor.without_known(text)


def begun_secret(text: str) -> int:
    """Characters at the end of a stream's text that must wait for the next piece, lest a key passes in two halves."""
    return _redactor.begun(text)


def learn_secret(secret: str) -> None:
    """Let `redact` and `without_known_secrets` know a key that does not stand in the environment."""
    _redactor.learn(secret)


def masked(key: str, value: Any) -> Any:
    """The value of a setting as it may be shown; lists become lists of what may be shown."""
    if isinstance(value, (list, tuple)):
        return [masked(key, item) for item in value]
    if not isinstance(value, str) or not value:
        return value
    return MASK if _KEY.search(key) else redact(value)


def masked_text(text: str) -> str:
    """A text with the passwords of the URLs in it masked."""
    return _IN_QUERY.sub(rf"\1{MASK}", _IN_URL.sub(rf"\1:{MASK}@", text))


@lru_cache(maxsize=1024)
def _names_a_key(variable: str) -> bool:
    # The shell keeps the working directory in one that looks like a password.
    return variable != "PWD" and (bool(_KEY.search(variable)) or variable == "PGPASSWORD")


def _is_secret(value: str) -> bool:
    value = value.strip()
    if len(value) < MIN_SECRET_CHARS or value.lower() in _PLACEHOLDERS or (value.isdigit() and len(value) < 12):
        return False
    return not _is_path(value)


@lru_cache(maxsize=256)
def _is_path(value: str) -> bool:
    """Variables such as GOOGLE_APPLICATION_CREDENTIALS name a file, which is no secret itself."""
    try:
        return value[0] in "/~" and Path(value).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _without(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        for spelled in _spellings(secret):
            if spelled in text:
                text = text.replace(spelled, MASK)
    return text


def _overlap(text: str, secret: str) -> int:
    """Length of the longest end of ``text`` with which ``secret`` begins; a whole secret is no beginning."""
    tail = text[-(len(secret) - 1) :]
    start = tail.find(secret[0])
    while start >= 0:
        if secret.startswith(tail[start:]):
            return len(tail) - start
        start = tail.find(secret[0], start + 1)
    return 0


@lru_cache(maxsize=256)
def _spellings(secret: str) -> tuple[str, ...]:
    secret = secret.strip()
    return tuple(dict.fromkeys((secret, quote(secret, safe=""), json.dumps(secret)[1:-1])))
