"""Converts between the ids in prompts and replies (``[p3]``) and the numbers of the checker (``[3]``)."""

from __future__ import annotations

import re
from typing import Final

_ID: Final = r"p\s?\d{1,4}(?:\s?[-–]\s?p?\d{1,4})?"
_MARK: Final = re.compile(rf"[\[【(]\s?({_ID}(?:\s?[,;、，]\s?p?\s?\d{{1,4}})*)\s?[\])】]", re.IGNORECASE)
_RANGE: Final = re.compile(r"p?\s?(\d{1,4})(?:\s?[-–]\s?p?(\d{1,4}))?", re.IGNORECASE)
_MAX_RANGE: Final = 8
_INCOMPLETE: Final = re.compile(r"[\[【(][^\])】\n]{0,60}\Z")


def format_id(number: int) -> str:
    """The id for a number: ``p3`` for 3."""
    return f"p{number}"


def ids_to_numbers(text: str) -> str:
    """Replace ids by numbered marks: ``[p1, p3]`` by ``[1][3]``."""
    return _MARK.sub(lambda match: "".join(f"[{number}]" for number in _numbers(match[1])), text)


def numbers_to_ids(text: str, ids: dict[int, int]) -> str:
    """Replace numbered marks by ids; marks with unknown numbers are removed.

    Args:
        ids: New number for each number in ``text``.
    """

    def id_of_match(match: re.Match[str]) -> str:
        number = int(match[2])
        return f"{match[1]}[{format_id(ids[number])}]" if number in ids else ""

    return re.sub(r"( ?)\[(\d{1,4})\](?!\()", id_of_match, text)


def complete_length(text: str) -> int:
    """Number of characters of ``text`` before a possibly incomplete id at its end."""
    incomplete = _INCOMPLETE.search(text)
    return incomplete.start() if incomplete else len(text)


def _numbers(written: str) -> list[int]:
    numbers: list[int] = []
    for match in _RANGE.finditer(written):
        first, last = int(match[1]), int(match[2] or match[1])
        numbers += range(first, last + 1) if 0 <= last - first < _MAX_RANGE else [first, last]
    return list(dict.fromkeys(numbers))
