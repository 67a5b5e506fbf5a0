"""Data as Markdown: escaped text, inline code and fenced blocks."""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.terminal import clean, one_line

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|])")
_BACKTICKS: Final = re.compile(r"`+")


def escaped(text: str) -> str:
    """``text`` on one line, with every Markdown character escaped."""
    return _MARKUP.sub(r"\\\1", one_line(text))


def inline_code(text: str) -> str:
    """``text`` on one line as inline code, fenced so that backticks in it stay."""
    text = one_line(text)
    fence = "`" * (_longest_backticks(text) + 1)
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"


def fenced(text: str, language: str = "text") -> str:
    """``text`` as a fenced block, whose fence is longer than any run of backticks in it."""
    text = clean(text)
    fence = "`" * max(3, _longest_backticks(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)
