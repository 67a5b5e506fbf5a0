"""Headings of plain text that are told by indentation alone, as in RFCs: all text below them is indented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_HEAD: Final = re.compile(r"[^\W_].{0,78}[^.,;:!?。，；：]")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*\.?\s")
_MIN_HEADS: Final = 3
_MIN_SHARE: Final = 0.4
"""Least share of headings among the lines that are not indented."""


def outline_heads(lines: Sequence[str]) -> frozenset[int]:
    """Indices of the headings; empty unless many of the lines that are not indented are such."""
    outer = [index for index, line in enumerate(lines) if line[:1].strip()]
    heads = [index for index in outer if _HEAD.fullmatch(lines[index].rstrip()) and _stands_alone(lines, index)]
    return frozenset(heads if len(heads) >= max(_MIN_HEADS, _MIN_SHARE * len(outer)) else ())


def outline_level(heading: str) -> int:
    """Level of a heading by its number: 2 for *3.1 Terms*, 1 without a number."""
    number = _NUMBER.match(heading)
    return number[0].rstrip(". ").count(".") + 1 if number else 1


def _stands_alone(lines: Sequence[str], index: int) -> bool:
    """Whether blank lines are around a line, and below it is indented text or another heading."""
    if (index and lines[index - 1].strip()) or (index + 1 < len(lines) and lines[index + 1].strip()):
        return False
    below = next((lines[at] for at in range(index + 1, len(lines)) if lines[at].strip()), "")
    return bool(below) and (not below[0].strip() or _HEAD.fullmatch(below.rstrip()) is not None)
