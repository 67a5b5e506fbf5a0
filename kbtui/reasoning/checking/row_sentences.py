"""Reads a sentence about rows once: its figures with their bounds, and the segments that its claims belong to."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal

from kbtui.reasoning.checking.numerals import measure
from kbtui.reasoning.checking.rows import RE, Period, periods_in
from kbtui.text.numbers import NumberSpan, read_numbers

Bound = Literal["", "above", "least", "below", "most", "just above", "just below", "about"]

_PERCENT: Final = 100.0
_EXACT: Final = 1e-9
_NEAR: Final = 0.12
"""Relative distance up to which a value is “nearly” or “just over” a figure."""

_ABOUT: Final = (0.06, 0.012)
"""Relative tolerance of “about”: of figures with one or two digits that count, and of more precise ones."""

_FRACTION: Final = 0.07
"""Relative tolerance of a fraction or multiple in words."""

_TENTHS: Final = 2.5
"""Tolerance of tenths such as 三成, in percent."""

_PRECISE: Final = 3
_HALF: Final = 0.5
_BEFORE: Final = 28
_BOUNDS: Final[tuple[Bound, ...]] = ("just above", "just below", "most", "least", "above", "below", "about")
_AFTER_BOUNDS: Final[tuple[tuple[Bound, str], ...]] = (
    ("least", "above_after"),
    ("most", "below_after"),
    ("just above", "just_above_after"),
    ("about", "about_after"),
)
_WORDS: Final[tuple[tuple[str, Literal["share", "times", "rank"], float, Bound], ...]] = (
    ("second_place", "rank", 2.0, ""),
    ("half_more", "times", 1.5, "about"),
    ("half", "share", 50.0, ""),
    ("majority", "share", 50.0, "above"),
    ("tripled", "times", 3.0, ""),
    ("quadrupled", "times", 4.0, ""),
    ("doubled", "times", 2.0, ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number of a sentence.

    Attributes:
        start, end: Its span.
        text: As written.
        value: Without its sign; of a share in percent.
        kind: ``amount``, ``share`` (percent or fraction), ``times`` (twice, 三倍) or ``rank`` (third, 第三).
        bound: What the words beside it make of it.
        slack: Half a unit of its last digit.
        digits: Digits that count; 0 for a number in words.
        measure: Its unit, such as ``hour``; empty if it has none.
    """

    start: int
    end: int
    text: str
    value: float
    kind: Literal["amount", "share", "times", "rank"] = "amount"
    bound: Bound = ""
    slack: float = 0.0
    digits: int = 0
    measure: str = ""

    @property
    def is_precise(self) -> bool:
        """Whether it is unlikely to be equal to anything by chance."""
        return (
            self.digits > 0
            and sum(map(str.isdigit, self.text.lstrip("0."))) >= _PRECISE
            and self.bound in ("", "about")
        )

    def fits(self, value: float) -> bool:
        """Whether a value, whatever its sign, is what the figure says."""
        size, wanted = abs(value), self.value
        low, high = wanted * (1 - _EXACT) - _EXACT, wanted * (1 + _EXACT) + _EXACT
        match self.bound:
            case "above":
                return size > high
            case "least":
                return size >= low
            case "below":
                return size < low
            case "most":
                return size <= high
            case "just above":
                return high < size <= max(wanted * (1 + _NEAR), wanted + (self.kind == "times"))
            case "just below":
                return wanted * (1 - _NEAR) <= size <= high + self.slack
        distance = abs(size - wanted)
        if self.bound == "about" and "." in self.text:
            return distance <= _HALF * self.slack + self.slack
        if self.bound == "about":
            rough = _NEAR if self.kind != "amount" and not self.digits else _ABOUT[self.digits >= _PRECISE]
            return distance <= max(self.slack, rough * wanted) + _EXACT
        # A count is exact; what was measured may be rounded.
        is_rounded = self.slack < _HALF or value % 1 != 0 or self.kind != "amount"
        return distance <= (self.slack if is_rounded else 0.0) + _EXACT * max(1.0, wanted)


@dataclass(frozen=True)
class Sentence:
    """A normalised sentence as it is compared with rows."""

    text: str

    @cached_property
    def periods(self) -> list[tuple[int, int, Period]]:
        return periods_in(self.text)

    @cached_property
    def figures(self) -> list[Figure]:
        """The numbers outside of dates, in order."""
        figures = [_figure(self.text, span) for span in read_numbers(self.text)]
        figures = [
            figure
            for figure in figures
            if not any(start < figure.end and figure.start < end for start, end, _ in self.periods)
        ]
        for name, kind, value, bound in _WORDS:
            for match in getattr(RE, name).finditer(self.text):
                if not any(figure.start < match.end() and match.start() < figure.end for figure in figures):
                    word = Figure(start=match.start(), end=match.end(), text=match[0], value=value, kind=kind)
                    slack = _FRACTION * value
                    said = bound or _bound(self.text, word.start, word.end)
                    figures.append(replace(word, slack=slack, bound="" if kind == "rank" else said))
        return sorted(figures, key=lambda figure: figure.start)

    @cached_property
    def segments(self) -> list[tuple[int, int]]:
        """The spans between the words and marks behind which another thing may be spoken of."""
        ends = [match.start() for match in RE.segment.finditer(self.text)]
        stops = [match.end() for match in re.finditer(r"\.(?=\s)", self.text)]
        edges = sorted({0, len(self.text), *ends, *stops})
        return list(pairwise(edges))

    def segment_at(self, place: int) -> tuple[int, int]:
        return next(((start, end) for start, end in self.segments if start <= place < end), (0, len(self.text)))


def _figure(text: str, span: NumberSpan) -> Figure:
    value, written = abs(float(span.value)), span.text.rstrip("% ")
    whole, _, decimals = written.partition(".")
    places = sum(map(str.isdigit, decimals))
    kind: Literal["amount", "share", "times", "rank"] = "amount"
    if span.kind in ("percent", "fraction"):
        kind, value = "share", _PERCENT * value
    elif span.kind in ("multiplier", "ordinal"):
        kind = "times" if span.kind == "multiplier" else "rank"
    elif RE.times.match(text, span.end):
        kind = "times"
    digits = len("".join(filter(str.isdecimal, written)).strip("0")) if not span.in_words or written[0].isdigit() else 0
    scale = 1.0
    if span.in_words and digits and kind == "amount":
        # 66.49万: the last digit that is written stands for hundreds.
        number = re.match(r"[\d,.]+", written)
        shown = float(number[0].replace(",", "")) if number else 0.0
        scale = value / shown if shown else 1.0
        places = len(number[0].partition(".")[2]) if number else 0
    slack = 0.5 * scale * 10.0**-places
    if not places and scale == 1.0 and kind == "amount" and digits >= _PRECISE - 1 and value:
        # 3,320 may stand for 3,321.72.
        slack = (
            0.5 * 10.0 ** (len(whole.replace(",", "")) - len(whole.replace(",", "").rstrip("0"))) if digits > 2 else 0.5
        )
    if not digits and kind in ("share", "times"):
        slack = _TENTHS if span.kind == "percent" else _FRACTION * value
    elif kind == "times" and not places:
        slack = _FRACTION * value
    elif not digits and kind == "amount":
        slack = 0.0
    bound = _bound(text, span.start, span.end) or ("about" if span.approximate and span.text[-1] not in "多余" else "")
    if span.text[-1] in "多余":
        bound = "just above"
    if RE.and_half.match(text, span.end):
        value += _HALF
    return Figure(
        start=span.start,
        end=span.end,
        text=span.text,
        value=value,
        kind=kind,
        bound="" if kind == "rank" else bound,
        slack=slack,
        digits=digits,
        measure="percent" if kind == "share" else measure(text, span.start, span.end),
    )


def _bound(text: str, start: int, end: int) -> Bound:
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + 8]
    for bound, name in _AFTER_BOUNDS:
        if getattr(RE, name).search(after):
            return bound
    for bound in _BOUNDS:
        if getattr(RE, f"bound_{bound.replace(' ', '_')}").search(before):
            return bound
    return ""
