"""Passages around matching lines: windows of ten lines that are merged where they meet, none above 2,000 characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from operator import add
from typing import Final

from kbtui.knowledge.search.ripgrep import LinePattern

CONTEXT_LINES: Final = 10
"""Lines before and after a match (spec 003, D2)."""

MAX_CHARS: Final = 2000
"""Longest passage (spec 003, "Risks")."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines ``start..end`` of a file, the matching ones among them, and how much their terms are worth together."""

    start: int
    end: int
    matched: tuple[int, ...]
    terms: Mapping[int, int]
    worth: float


def best_passages(
    lines: Sequence[str], matches: Mapping[int, Sequence[int]], worth: Sequence[float], most: int
) -> list[Passage]:
    """The best passages of one file, best first, none overlapping another.

    Args:
        lines: Of the file.
        matches: Indexes of the terms that match, by line number (from 1).
        worth: Of each term.
        most: How many at most.
    """
    ends = [0, *map(add, accumulate(map(len, lines)), count(1))]
    numbers = sorted(number for number in matches if 1 <= number <= len(lines))
    candidates = _windows(numbers, matches, worth, ends)
    candidates.sort(key=lambda found: (-found[0], found[1]))
    taken: list[tuple[int, int]] = []
    chosen: list[tuple[float, int, int]] = []
    for value, first, last in candidates:
        if len(chosen) == most:
            break
        start, end = numbers[first], numbers[last]
        if all(end < other_start or start > other_end for other_start, other_end in taken):
            chosen.append((value, first, last))
            taken.append((start, end))
    result = []
    for position, (value, first, last) in enumerate(chosen):
        others = taken[:position] + taken[position + 1 :]
        start, end = _widened(numbers[first], numbers[last], lines, ends, others)
        taken[position] = (start, end)
        counts: dict[int, int] = {}
        matched = numbers[first : last + 1]
        for number in matched:
            for term in matches[number]:
                counts[term] = counts.get(term, 0) + 1
        result.append(Passage(start, end, tuple(matched), counts, value))
    return result


def passage_text(lines: Sequence[str], passage: Passage, patterns: Sequence[LinePattern]) -> str:
    """Exactly its lines; of a single line longer than a passage may be, the part around the first match."""
    text = "\n".join(lines[passage.start - 1 : passage.end])
    if len(text) <= MAX_CHARS:
        return text
    spots = [match.start() for match in (pattern.python.search(text) for pattern in patterns) if match]
    begin = max(0, min(min(spots, default=0) - MAX_CHARS // 4, len(text) - MAX_CHARS))
    return text[begin : begin + MAX_CHARS]


def _windows(
    numbers: Sequence[int], matches: Mapping[int, Sequence[int]], worth: Sequence[float], ends: Sequence[int]
) -> list[tuple[float, int, int]]:
    """For each matching line the longest window that starts with it: worth, first and last index into ``numbers``."""
    found = []
    counts = [0] * len(worth)
    value, last = 0.0, -1
    for first, start in enumerate(numbers):
        if last < first:
            last = first
            value += _add(matches[start], counts, worth)
        while (
            last + 1 < len(numbers)
            and numbers[last + 1] - numbers[last] <= 2 * CONTEXT_LINES + 1
            and ends[numbers[last + 1]] - ends[start - 1] <= MAX_CHARS
        ):
            last += 1
            value += _add(matches[numbers[last]], counts, worth)
        found.append((value, first, last))
        value -= _remove(matches[start], counts, worth)
    return found


def _add(terms: Sequence[int], counts: list[int], worth: Sequence[float]) -> float:
    gained = 0.0
    for term in terms:
        gained += worth[term] * _GAIN[min(counts[term], len(_GAIN) - 1)]
        counts[term] += 1
    return gained


def _remove(terms: Sequence[int], counts: list[int], worth: Sequence[float]) -> float:
    lost = 0.0
    for term in terms:
        counts[term] -= 1
        lost += worth[term] * _GAIN[min(counts[term], len(_GAIN) - 1)]
    return lost


# What the n-th line with the same term adds: BM25's saturation for k1 = 1.2 and a passage of average length.
_GAIN: Final = tuple(2.2 * n / (n + 1.2) - 2.2 * (n - 1) / (n - 1 + 1.2) for n in range(1, 8))


def _widened(
    start: int, end: int, lines: Sequence[str], ends: Sequence[int], others: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """Grown by the context on both sides, as far as the length allows and up to the neighbours."""
    lowest = max([1, start - CONTEXT_LINES, *(other + 1 for _, other in others if other < start)])
    highest = min([len(lines), end + CONTEXT_LINES, *(other - 1 for other, _ in others if other > end)])
    while True:
        grown = False
        if start > lowest and ends[end] - ends[start - 2] <= MAX_CHARS:
            start, grown = start - 1, True
        if end < highest and ends[end + 1] - ends[start - 1] <= MAX_CHARS:
            end, grown = end + 1, True
        if not grown:
            break
    while start < end and not lines[start - 1].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return start, end
