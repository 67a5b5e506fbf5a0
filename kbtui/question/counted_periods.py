"""Numbers of periods that are ranked: "the three months with the highest sales" are three of the months.

Beside a superlative a number with a unit of the calendar counts groups, and its unit says what the groups are; "over
three months", "in two weeks" and 三个月内 stay lengths of time.
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
_LONGEST: Final = 3


def counted_periods(
    tokens: Sequence[Token], numbers: Sequence[NumberMention], cues: Sequence[Cue]
) -> tuple[tuple[NumberMention, ...], tuple[Cue, ...]]:
    """The numbers, those that count periods without their unit; and the cues with one for each such unit."""
    ranking = [cue.span for cue in cues if cue.op in _RANKING]
    kept: list[NumberMention] = []
    found = list(cues)
    for number in numbers:
        unit = _unit_of(tokens, number) if ranking else None
        if unit is None or not _is_counted(tokens, number.span.first, ranking):
            kept.append(number)
            continue
        kept.append(replace(number, span=TokenSpan(number.span.first, unit.span.first), unit=""))
        found = [cue for cue in found if cue.op != unit.op or not cue.span.within(unit.span)]
        found.append(unit)
    return tuple(kept), tuple(sorted(found, key=lambda cue: (cue.span.first, -cue.span.last, -cue.weight)))


def _unit_of(tokens: Sequence[Token], number: NumberMention) -> Cue | None:
    """The words of the unit as an operator that groups by it; a Chinese measure word may have been taken for it."""
    first, behind = number.span
    for last in range(min(len(tokens), behind + _LONGEST), first + 1, -1):
        for start in range(first + 1, min(last, behind + 1)):
            name = "".join(token.norm for token in tokens[start:last])
            if (unit := _periods().get(name)) is not None:
                return Cue(span=TokenSpan(start, last), op="bucket", args={"unit": unit}, weight=0.5)
    return None


@cache
def _periods() -> dict[str, str]:
    """The units of the calendar by their names."""
    named = {name: unit for name, unit in canonical_units().items() if unit in _UNITS}
    for language in ("en", "zh"):
        for unit, names in plain_words(language)["periods"].items():
            named |= dict.fromkeys(names.split(), unit)
    return named


def _is_counted(tokens: Sequence[Token], at: int, ranking: Sequence[TokenSpan]) -> bool:
    """Whether a number is that of ranked things: behind the superlative, or behind a word that points at things."""
    if any(span.last == at for span in ranking):
        return True
    pointing = f"{plain_words('en')['pointing']} {plain_words('zh')['pointing']}".split()
    return at > 0 and tokens[at - 1].norm in pointing
