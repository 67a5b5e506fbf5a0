"""Charts: which one a question wants or its answer suits (`wish`), and its numbers, ready to be drawn (`build`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from kbtui.analysis.chart_data import MOST_CATEGORIES, build
from kbtui.analysis.chart_words import Named, named
from kbtui.analysis.columns import Profile, profile
from kbtui.domain.analysis import ChartKind, ChartWish

__all__ = ["build", "wish", "worth"]

_MANY_VALUES: Final = 12
"""From so many rows of one number their distribution says more than the numbers themselves."""

_SERIES: Final = 12
"""A second category with more values than this is a detail of the row, not a way to part the bars."""

_STACK_FROM: Final = 5
"""From so many series bars beside each other become unreadable; stacked ones do not."""

_ALIKE: Final = 50.0
"""Two measures share an axis while the larger is at most so many times the other."""

_NAMES_A_THING: Final = 0.9
"""Share of different values from which a text names its row."""


def wish(question: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> ChartWish | None:
    """The chart that ``question`` asks for over a result, or the one that suits the result.

    Args:
        question: English or Chinese; a chart named in it wins where the data allow it.
        columns: Names of the result's columns.
        rows: Its rows.

    Returns:
        ``asked`` is True where the question speaks of a picture; None where nothing can be drawn: no rows, one figure,
        text alone. Whether an unasked one is worth its place says `worth`.
    """
    said = named(question)
    shape = _Shape(columns, rows)
    if not rows or not columns:
        return None
    found = _fitted(said.kind, shape, strict=False) if said.kind else None
    if found is None and said.aim is not None:
        found = _fitted(said.aim, shape, strict=True)
    if found is None:
        found = _suiting(said, shape)
    return replace(found, asked=said.any) if found is not None else None


def worth(wish: ChartWish, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool:
    """True when a chart nobody asked for says more than the table: three values or more, and of a measure."""
    if wish.asked:
        return True
    by_name = {column.name: column for column in profile(columns, rows)}
    measures = [by_name[name] for name in wish.y if name in by_name]
    x = by_name.get(wish.x)
    listed = len(rows) > MOST_CATEGORIES and x is not None and x.role == "text" and not wish.series
    return len(rows) >= 3 and bool(measures) and not any(column.identifier for column in measures) and not listed


class _Shape:
    """The columns by what they can be in a chart."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.rows = rows
        self.columns = profile(columns, rows)
        self.times = [column for column in self.columns if column.role == "time"]
        self.texts = [column for column in self.columns if column.role == "text"]
        numbers = [column for column in self.columns if column.role == "number"]
        # Identifiers are drawn only where there is nothing else to draw.
        self.measures = [column for column in numbers if not column.identifier] or numbers
        self.numbers = numbers

    def values(self, column: Profile) -> list[Any]:
        return [row[column.index] for row in self.rows if column.index < len(row)]

    def names_its_row(self, column: Profile) -> bool:
        return column.distinct >= _NAMES_A_THING * max(1, column.present)

    def measures_beside(self, *taken: Profile) -> list[Profile]:
        """The measures but those ``taken``; computed ones first, then in the result's order, of one size."""
        free = [column for column in self.measures if column not in taken]
        free = free or [column for column in self.numbers if column not in taken]
        return self._alike(sorted(free, key=lambda column: not column.made))

    def _alike(self, columns: list[Profile]) -> list[Profile]:
        """Those whose values can share an axis with the first one's."""
        if len(columns) < 2:
            return columns
        largest = [
            max((abs(value) for value in self.values(column) if value is not None), default=0) for column in columns
        ]
        first = largest[0]
        return [
            column
            for column, size in zip(columns, largest, strict=True)
            if column is columns[0] or (size and first and max(size, first) / min(size, first) <= _ALIKE)
        ]


def _fitted(kind: ChartKind, shape: _Shape, *, strict: bool) -> ChartWish | None:
    """A chart of this kind over these columns, or None. ``strict``: only where the data call for it as well."""
    if kind == "scatter":
        return _scatter(shape)
    if kind == "histogram":
        return _histogram(shape)
    if kind == "line":
        return _line(shape, any_x=not strict)
    category = _category(shape)
    if kind == "pie":
        pie = _bars(shape, category)
        if pie is None or _has_negative(shape, pie):
            return None
        return replace(pie, kind="pie", y=pie.y[:1], series="")
    bars = _bars(shape, category)
    if bars is None or kind == "bar":
        return bars
    several = bool(bars.series) or len(bars.y) > 1
    return replace(bars, kind=kind) if several else bars


def _suiting(said: Named, shape: _Shape) -> ChartWish | None:
    if len(shape.rows) == 1 and not said.any:
        return None
    if shape.times and (line := _line(shape, any_x=False)) is not None:
        return line
    if shape.texts:
        return _bars(shape, _category(shape)) if shape.numbers or said.any else None
    if len(shape.rows) == 1 and shape.numbers:
        # One row of figures (the least, the mean, the most): a bar for each column.
        return ChartWish(kind="bar", x="", y=tuple(column.name for column in shape.measures_beside()))
    if len(shape.numbers) >= 2:
        groups = _names_groups(shape)
        return _bars(shape, groups) if groups is not None else _scatter(shape)
    if len(shape.numbers) == 1 and (said.any or len(shape.rows) >= _MANY_VALUES):
        return _histogram(shape)
    return None


def _scatter(shape: _Shape) -> ChartWish | None:
    numbers = shape.measures if len(shape.measures) >= 2 else shape.numbers
    if len(numbers) < 2:
        return None
    parted = [text for text in shape.texts if not shape.names_its_row(text) and 1 < text.distinct <= _SERIES]
    return ChartWish(kind="scatter", x=numbers[0].name, y=(numbers[1].name,), series=parted[0].name if parted else "")


def _histogram(shape: _Shape) -> ChartWish | None:
    """Of one number, where no other column says what each value is of."""
    # Numbers that name things have no distribution.
    if len(shape.measures) != 1 or shape.measures[0].identifier or shape.times:
        return None
    if any(shape.names_its_row(text) or shape.measures[0].made for text in shape.texts):
        return None
    number = shape.measures[0]
    return ChartWish(kind="histogram", x=number.name, y=())


def _line(shape: _Shape, *, any_x: bool) -> ChartWish | None:
    x: Profile | None = shape.times[0] if shape.times else None
    if x is None:
        free = [column for column in shape.numbers if shape.names_its_row(column)]
        x = free[0] if len(shape.numbers) >= 2 and free and not shape.texts else None
    if x is None and any_x:
        x = _category(shape)
    if x is None:
        return None
    y = shape.measures_beside(x)
    if not y:
        return None
    if x.role == "time" and all(column.identifier for column in y):
        # Numbers that name things do not rise or fall with time; how many things there were does.
        return ChartWish(kind="line", x=x.name, y=())
    parting = [text for text in shape.texts if text is not x and text.distinct > 1]
    if parting and shape.names_its_row(x):
        parting = []
    series = min(parting, key=lambda text: text.distinct).name if parting else ""
    return ChartWish(
        kind="line", x=x.name, y=(y[0].name,) if series else tuple(column.name for column in y), series=series
    )


def _bars(shape: _Shape, category: Profile | None) -> ChartWish | None:
    if category is None:
        return None
    y = shape.measures_beside(category)
    if not y:
        return ChartWish(kind="bar", x=category.name, y=())
    others = [
        column for column in (*shape.texts, *shape.times) if column is not category and 1 < column.distinct <= _SERIES
    ]
    if others and not shape.names_its_row(category):
        series = min(others, key=lambda column: column.distinct)
        kind: ChartKind = "stacked_bar" if series.distinct >= _STACK_FROM and y[0].adds_up else "grouped_bar"
        return ChartWish(kind=kind, x=category.name, y=(y[0].name,), series=series.name)
    names = tuple(column.name for column in y)
    return ChartWish(kind="grouped_bar" if len(names) > 1 else "bar", x=category.name, y=names)


def _category(shape: _Shape) -> Profile | None:
    """What the bars are of: the text that tells most rows apart, a time, or a number that names groups."""
    if shape.texts or shape.times:
        return max(
            (*shape.texts, *shape.times), key=lambda column: (column.distinct, column.role == "text", -column.index)
        )
    return shape.numbers[0] if len(shape.numbers) >= 2 else None


def _names_groups(shape: _Shape) -> Profile | None:
    """The number that others were computed by, as in ``rating, count``: whole and different in each row."""
    for column in shape.numbers:
        made = any(other.made for other in shape.numbers if other is not column)
        if column.integers and not column.made and shape.names_its_row(column) and (made or column.identifier):
            return column
    return None


def _has_negative(shape: _Shape, chart: ChartWish) -> bool:
    by_name = {column.name: column for column in shape.columns}
    return any(value is not None and value < 0 for name in chart.y for value in shape.values(by_name[name]))
