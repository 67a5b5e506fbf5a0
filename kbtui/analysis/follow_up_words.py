"""The word lists of follow-ups over data (``follow_up.toml``) as sets and as parts of regular expressions."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def listed(language: str, name: str) -> tuple[str, ...]:
    """A list in the order of the file."""
    return tuple(word.replace("_", " ") for word in _tables()[language][name].split())


@cache
def either(language: str, name: str) -> str:
    """A list as one group of a regular expression, longest first."""
    words = sorted(listed(language, name), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word) for word in words) + ")"


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("kbtui.analysis").joinpath("follow_up.toml").read_text(encoding="utf-8"))
