"""Converts numbers of a question to the units of columns, and finds the columns that a number may measure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final

from kbtui.nl2sql.catalogue import ColumnInfo, TableInfo
from kbtui.nl2sql.draft import Scene
from kbtui.nl2sql.query import Arith, Col, Expr, Ref
from kbtui.nl2sql.row_facts import start_and_ends
from kbtui.text.numbers import value_of
from kbtui.text.units import canonical_units, currencies, units

_MONEY: Final = frozenset(("money", "amount", "revenue", "price", "cost", "payment", "fee", "income", "salary"))
_SAME_UNIT: Final = 0.15
_IN_RANGE: Final = -0.15
_OUT_OF_RANGE: Final = -0.6
_OF_OTHER_TABLE: Final = 0.15
_MAIN_AMOUNT: Final = 0.1


def literal(scene: Scene, index: int, ref: Ref) -> int | float:
    """A number as a column stores it: percentages as 35 or as 0.35, two hours as 120 minutes, 300万 as 300 in 万."""
    number = scene[index].number
    assert number is not None
    info = scene.info(ref)
    value = number.value
    if number.kind == "percent" and info is not None and info.scale != 1:
        value = value * 100
    if info is not None and info.unit and number.unit:
        value *= ratio_of(number.unit, info.unit) or 1
    if info is not None and 1 < (size := _size_of(info.unit)) <= value:
        value /= size
    return plain_number(value)


@cache
def _size_of(unit: str) -> int:
    """The number that a unit counts by: 10,000 for 万元, and 1 for others."""
    return int(value_of(f"1{unit.removesuffix('元')}") or 1) if unit and not unit.isascii() else 1


def number_for(scene: Scene, index: int, expr: Expr) -> int | float:
    """A number in the unit of an expression; differences of dates are in days."""
    if isinstance(expr, Col):
        return literal(scene, index, expr.ref)
    number = scene[index].number
    assert number is not None
    return plain_number(number.value * (in_days(number.unit) or 1))


def in_days(unit: str) -> Fraction | None:
    """The length of a unit of time in days; None for other words."""
    return ratio_of(unit, "day")


def plain_number(value: Fraction) -> int | float:
    """An int if the value is whole, else a float."""
    return int(value) if value.denominator == 1 else float(value)


def ratio_of(unit: str, other: str) -> Fraction | None:
    """The size of a unit in another one; None if they measure different things."""
    size, other_size = _dimension_and_size(unit), _dimension_and_size(other)
    if size is None or other_size is None or size[0] != other_size[0]:
        return None
    return size[1] / other_size[1]


def _dimension_and_size(unit: str) -> tuple[str, Fraction] | None:
    info = units().get(unit.lower())
    return None if info is None else (info.dimension, info.size)


def units_in(scene: Scene, index: int) -> str:
    """The canonical name of a unit in the words of a mention; empty if there is none."""
    span = scene[index].span
    tokens = scene.lattice.question.tokens[span.first : span.last]
    canonical = canonical_units()
    for token in (token for token in tokens if token.kind == "word" and token.content):
        if unit := canonical.get(token.norm) or canonical.get(token.stem):
            return unit
    match = _chinese_units().search("".join(token.text for token in tokens if token.kind == "han"))
    return canonical[match[0]] if match else ""


@cache
def _chinese_units() -> re.Pattern[str]:
    names = (name for name in canonical_units() if not name.isascii())
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def measures_of(scene: Scene, index: int) -> Iterator[tuple[Expr, float]]:
    """Expressions that a number may measure, with their worth: columns of mentioned tables, durations of their rows."""
    number = scene[index].number
    assert number is not None
    tables = scene.usual_tables()
    parents = [parent for name in tables for parent in scene.parents(name)] if scene.mentioned_tables else []
    for rank, name in enumerate(dict.fromkeys((*tables, *parents))):
        table = scene.table(name)
        for column in table.columns:
            if column.kind not in ("measure", "rate") and column.encoding != "number":
                continue
            fit = _unit_worth(column, number.unit, number.kind)
            if fit is not None:
                value = literal(scene, index, column.ref)
                worth = fit + (_IN_RANGE if _is_in_range(column, value) else _OUT_OF_RANGE)
                worth += _MAIN_AMOUNT * (column.ref == table.amount)
                yield Col(column.ref), worth - _OF_OTHER_TABLE * (rank >= len(tables)) - 0.03 * rank
        if in_days(number.unit) is not None:
            for start, end in date_pairs(table, scene):
                yield Arith("-", Col(end), Col(start)), _SAME_UNIT - 0.1 - 0.03 * rank


def _unit_worth(column: ColumnInfo, unit: str, kind: str) -> float | None:
    """The worth of a column by the unit of a number; None if the units are incompatible."""
    if kind == "percent":
        return _SAME_UNIT if column.scale or column.unit == "%" else None
    if unit == "clock":
        return None
    if not unit or (_dimension_and_size(unit) is None and unit not in currencies()):
        return 0.0
    if unit in currencies():
        if column.unit in currencies() or column.concepts & _MONEY:
            return _SAME_UNIT
        return None if column.unit else 0.0
    if not column.unit:
        return 0.0
    return _SAME_UNIT if ratio_of(unit, column.unit) is not None else None


def _is_in_range(column: ColumnInfo, value: float) -> bool:
    low, high = column.low, column.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return True
    return low <= value <= high


def date_pairs(table: TableInfo, scene: Scene) -> Iterator[tuple[Ref, Ref]]:
    """Pairs of an earlier and a later date of rows, and any two mentioned dates.

    The first date is paired with each later one, a start with an end alone.
    """
    dates = [info for info in (scene.info(ref) for ref in table.dates) if info is not None and info.low is not None]
    mentioned = {scene[index].ref for index in scene.columns}
    dates.sort(key=lambda info: str(info.low))
    span = start_and_ends(dates)
    spans = [] if span is None else [(span[0].ref, end.ref) for end in span[1]]
    yield from spans
    for position, earlier in enumerate(dates):
        for later in dates[position + 1 :]:
            pair = earlier.ref, later.ref
            if pair not in spans and ((not position and not spans) or mentioned.issuperset(pair)):
                yield pair
