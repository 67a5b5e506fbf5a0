"""Numbers of periods that are ranked: "the three months with the highest sales" are three of the months.

Beside a superlative a number with a calendar unit counts groups, and the unit is what they are grouped by; "over three
months", "in two weeks" and 三个月内 are durations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from kbtui.question.model import Cue, NumberMention, Token, TokenSpan
from kbtui.question.words import plain_words
from kbtui.text.units import canonical_units

_UNITS: Final = frozenset(("hour", "day", "week", "month", "quarter", "year"))
_RANKING: Final = frozenset(("most", "top", "common"))
_MAX_UNIT_TOKENS: Final = 3


def counted_periods(
    tokens: Sequence[Token], numbers: Sequence[NumberMention], cues: Sequence[Cue]
) -> tuple[tuple[NumberMention, ...], tuple[Cue, ...]]:
    """The numbers, without the unit if they count periods, and the cues, with a grouping one for each such unit."""
    ranking = [cue.span for cue in cues if cue.op in _RANKING]
    new_numbers: list[NumberMention] = []
    new_cues = list(cues)
    for number in numbers:
        unit = _unit_of(tokens, number) if ranking else None
        if unit is None or not _is_counted(tokens, number.span.first, ranking):
            new_numbers.append(number)
            continue
        new_numbers.append(replace(number, span=TokenSpan(number.span.first, unit.span.first), unit=""))
        new_cues = [cue for cue in new_cues if cue.op != unit.op or not cue.span.within(unit.span)]
        new_cues.append(unit)
    return tuple(new_numbers), tuple(sorted(new_cues, key=lambda cue: (cue.span.first, -cue.span.last, -cue.weight)))


def _unit_of(tokens: Sequence[Token], number: NumberMention) -> Cue | None:
    """The words of the unit as a grouping operator; its first character may be part of the number as a measure word."""
    first, behind = number.span
    for last in range(min(len(tokens), behind + _MAX_UNIT_TOKENS), first + 1, -1):
        for start in range(first + 1, min(last, behind + 1)):
            name = "".join(token.norm for token in tokens[start:last])
            if (unit := _calendar_units().get(name)) is not None:
                return Cue(span=TokenSpan(start, last), op="bucket", args={"unit": unit}, weight=0.5)
    return None


@cache
def _calendar_units() -> dict[str, str]:
    """The calendar units by their names."""
    units = {name: unit for name, unit in canonical_units().items() if unit in _UNITS}
    for language in ("en", "zh"):
        for unit, names in plain_words(language)["periods"].items():
            units |= dict.fromkeys(names.split(), unit)
    return units


def _is_counted(tokens: Sequence[Token], at: int, ranking: Sequence[TokenSpan]) -> bool:
    """Whether a number counts ranked groups: it follows a superlative or a determiner."""
    if any(span.last == at for span in ranking):
        return True
    pointing = f"{plain_words('en')['pointing']} {plain_words('zh')['pointing']}".split()
    return at > 0 and tokens[at - 1].norm in pointing
