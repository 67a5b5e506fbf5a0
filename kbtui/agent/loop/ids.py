"""Ids of what a model was given: ``[p3]`` in what it writes, a number for whatever checks it."""

from __future__ import annotations

import re
from typing import Final

_ONE: Final = r"p\s?\d{1,4}(?:\s?[-–]\s?p?\d{1,4})?"
_MARK: Final = re.compile(rf"[\[【(]\s?({_ONE}(?:\s?[,;、，]\s?p?\s?\d{{1,4}})*)\s?[\])】]", re.IGNORECASE)
_RANGE: Final = re.compile(r"p?\s?(\d{1,4})(?:\s?[-–]\s?p?(\d{1,4}))?", re.IGNORECASE)
_MOST_IN_RANGE: Final = 8
_BEGUN: Final = re.compile(r"[\[【(][^\])】\n]{0,60}\Z")


def named(number: int) -> str:
    """The id of a number."""
    return f"p{number}"


def numbered(text: str) -> str:
    """``text`` with the ids in it as numbered marks: ``[p1, p3]`` is ``[1][3]``."""
    return _MARK.sub(lambda match: "".join(f"[{number}]" for number in _numbers(match[1])), text)


def in_ids(text: str, ids: dict[int, int]) -> str:
    """``text`` with numbered marks as ids; marks that stand for nothing are left out.

    Args:
        ids: What each number is called now.
    """

    def marked(match: re.Match[str]) -> str:
        number = int(match[2])
        return f"{match[1]}[{named(ids[number])}]" if number in ids else ""

    return re.sub(r"( ?)\[(\d{1,4})\](?!\()", marked, text)


def settled(text: str) -> int:
    """Characters of ``text`` before what may still become an id."""
    begun = _BEGUN.search(text)
    return begun.start() if begun else len(text)


def _numbers(written: str) -> list[int]:
    found: list[int] = []
    for match in _RANGE.finditer(written):
        first, last = int(match[1]), int(match[2] or match[1])
        found += range(first, last + 1) if 0 <= last - first < _MOST_IN_RANGE else [first, last]
    return list(dict.fromkeys(found))
