"""Text as code in Markdown, which no backticks within it end."""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.terminal import clean

_BACKTICKS: Final = re.compile("`+")


def fence_for(text: str, least: int = 3) -> str:
    """Backticks that do not occur together in ``text``."""
    return "`" * max(least, max(map(len, _BACKTICKS.findall(text)), default=0) + 1)


def code_block(text: str, language: str = "") -> str:
    """``text`` as a fenced block."""
    fence = fence_for(text)
    return f"{fence}{language}\n{text}\n{fence}"


def inline_code(text: str) -> str:
    """``text`` on one line as inline code."""
    text = clean(text, keep_newlines=False).strip()
    fence = fence_for(text, 1)
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"
