"""Chooses the chart of a question or result (`wish`), and computes its numbers (`build_chart`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from kbtui.analysis.chart_data import MAX_CATEGORIES, build_chart
from kbtui.analysis.chart_requests import ChartRequest, read_chart_request
from kbtui.analysis.column_profiles import ColumnProfile, profile_columns
from kbtui.domain.analysis import ChartKind, ChartWish

__all__ = ["build_chart", "is_worth_drawing", "wish"]

_MIN_HISTOGRAM_ROWS: Final = 12
"""Rows of a single number from which a histogram is more informative than the numbers."""

_MAX_SERIES: Final = 12
"""Values of a second category, at most, for it to be a series of bars."""

_MIN_STACKED_SERIES: Final = 5
"""Number of series from which bars are stacked, because grouped ones become unreadable."""

_MAX_SCALE_RATIO: Final = 50.0
"""Largest ratio of two measures that share an axis."""

_MIN_DISTINCT_SHARE: Final = 0.9
"""Share of distinct values from which a column identifies its rows."""


def wish(question: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> ChartWish | None:
    """The chart that ``question`` asks for over a result, or the one that suits the result.

    Args:
        question: English or Chinese; a chart named in it wins where the data allow it.
        columns: Names of the result's columns.
        rows: Its rows.

    Returns:
        ``asked`` is True where the question speaks of a picture; None where nothing can be drawn: no rows, one figure,
        text alone. Whether an unasked one is worth its place says `is_worth_drawing`.
    """
    request = read_chart_request(question)
    shape = _ChartColumns(columns, rows)
    if not rows or not columns:
        return None
    chart = _chart_of_kind(request.kind, shape, strict=False) if request.kind else None
    if chart is None and request.suitable_kind is not None:
        chart = _chart_of_kind(request.suitable_kind, shape, strict=True)
    if chart is None:
        chart = _suitable_chart(request, shape)
    return replace(chart, asked=request.wants_chart) if chart is not None else None


def is_worth_drawing(wish: ChartWish, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether a chart that was not asked for says more than the table: three values or more of a measure."""
    if wish.asked:
        return True
    by_name = {column.name: column for column in profile_columns(columns, rows)}
    measures = [by_name[name] for name in wish.y if name in by_name]
    x = by_name.get(wish.x)
    is_long_list = len(rows) > MAX_CATEGORIES and x is not None and x.role == "text" and not wish.series
    return (
        len(rows) >= 3 and bool(measures) and not any(column.is_identifier for column in measures) and not is_long_list
    )


class _ChartColumns:
    """The columns of a result by their role in a chart."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.rows = rows
        self.columns = profile_columns(columns, rows)
        self.times = [column for column in self.columns if column.role == "time"]
        self.texts = [column for column in self.columns if column.role == "text"]
        numbers = [column for column in self.columns if column.role == "number"]
        # Identifiers are drawn only if there are no other numbers.
        self.measures = [column for column in numbers if not column.is_identifier] or numbers
        self.numbers = numbers

    def values(self, column: ColumnProfile) -> list[Any]:
        return [row[column.index] for row in self.rows if column.index < len(row)]

    def identifies_rows(self, column: ColumnProfile) -> bool:
        return column.distinct >= _MIN_DISTINCT_SHARE * max(1, column.present)

    def measures_beside(self, *taken: ColumnProfile) -> list[ColumnProfile]:
        """The measures except ``taken`` that share a scale, computed ones first, then in the order of the result."""
        free = [column for column in self.measures if column not in taken]
        free = free or [column for column in self.numbers if column not in taken]
        return self._of_same_scale(sorted(free, key=lambda column: not column.is_computed))

    def _of_same_scale(self, columns: list[ColumnProfile]) -> list[ColumnProfile]:
        """The columns whose values can share an axis with the first one."""
        if len(columns) < 2:
            return columns
        largest = [
            max((abs(value) for value in self.values(column) if value is not None), default=0) for column in columns
        ]
        first = largest[0]
        return [
            column
            for column, size in zip(columns, largest, strict=True)
            if column is columns[0] or (size and first and max(size, first) / min(size, first) <= _MAX_SCALE_RATIO)
        ]


def _chart_of_kind(kind: ChartKind, shape: _ChartColumns, *, strict: bool) -> ChartWish | None:
    """A chart of this kind over these columns, or None. ``strict``: only if the data suit it too."""
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


def _suitable_chart(request: ChartRequest, shape: _ChartColumns) -> ChartWish | None:
    if len(shape.rows) == 1 and not request.wants_chart:
        return None
    if shape.times and (line := _line(shape, any_x=False)) is not None:
        return line
    if shape.texts:
        return _bars(shape, _category(shape)) if shape.numbers or request.wants_chart else None
    if len(shape.rows) == 1 and shape.numbers:
        # One row of figures (minimum, mean, maximum): a bar for each column.
        return ChartWish(kind="bar", x="", y=tuple(column.name for column in shape.measures_beside()))
    if len(shape.numbers) >= 2:
        groups = _grouping_number(shape)
        return _bars(shape, groups) if groups is not None else _scatter(shape)
    if len(shape.numbers) == 1 and (request.wants_chart or len(shape.rows) >= _MIN_HISTOGRAM_ROWS):
        return _histogram(shape)
    return None


def _scatter(shape: _ChartColumns) -> ChartWish | None:
    numbers = shape.measures if len(shape.measures) >= 2 else shape.numbers
    if len(numbers) < 2:
        return None
    parted = [text for text in shape.texts if not shape.identifies_rows(text) and 1 < text.distinct <= _MAX_SERIES]
    return ChartWish(kind="scatter", x=numbers[0].name, y=(numbers[1].name,), series=parted[0].name if parted else "")


def _histogram(shape: _ChartColumns) -> ChartWish | None:
    """A histogram of a single measure, unless another column identifies the values."""
    # Identifiers have no distribution.
    if len(shape.measures) != 1 or shape.measures[0].is_identifier or shape.times:
        return None
    if any(shape.identifies_rows(text) or shape.measures[0].is_computed for text in shape.texts):
        return None
    number = shape.measures[0]
    return ChartWish(kind="histogram", x=number.name, y=())


def _line(shape: _ChartColumns, *, any_x: bool) -> ChartWish | None:
    x: ColumnProfile | None = shape.times[0] if shape.times else None
    if x is None:
        free = [column for column in shape.numbers if shape.identifies_rows(column)]
        x = free[0] if len(shape.numbers) >= 2 and free and not shape.texts else None
    if x is None and any_x:
        x = _category(shape)
    if x is None:
        return None
    y = shape.measures_beside(x)
    if not y:
        return None
    if x.role == "time" and all(column.is_identifier for column in y):
        # Identifiers have no trend; the number of rows has.
        return ChartWish(kind="line", x=x.name, y=())
    parting = [text for text in shape.texts if text is not x and text.distinct > 1]
    if parting and shape.identifies_rows(x):
        parting = []
    series = min(parting, key=lambda text: text.distinct).name if parting else ""
    return ChartWish(
        kind="line", x=x.name, y=(y[0].name,) if series else tuple(column.name for column in y), series=series
    )


def _bars(shape: _ChartColumns, category: ColumnProfile | None) -> ChartWish | None:
    if category is None:
        return None
    y = shape.measures_beside(category)
    if not y:
        return ChartWish(kind="bar", x=category.name, y=())
    others = [
        column
        for column in (*shape.texts, *shape.times)
        if column is not category and 1 < column.distinct <= _MAX_SERIES
    ]
    if others and not shape.identifies_rows(category):
        series = min(others, key=lambda column: column.distinct)
        kind: ChartKind = (
            "stacked_bar" if series.distinct >= _MIN_STACKED_SERIES and y[0].is_additive else "grouped_bar"
        )
        return ChartWish(kind=kind, x=category.name, y=(y[0].name,), series=series.name)
    names = tuple(column.name for column in y)
    return ChartWish(kind="grouped_bar" if len(names) > 1 else "bar", x=category.name, y=names)


def _category(shape: _ChartColumns) -> ColumnProfile | None:
    """The category of bars: the text or time with the most distinct values, or a number that identifies groups."""
    if shape.texts or shape.times:
        return max(
            (*shape.texts, *shape.times), key=lambda column: (column.distinct, column.role == "text", -column.index)
        )
    return shape.numbers[0] if len(shape.numbers) >= 2 else None


def _grouping_number(shape: _ChartColumns) -> ColumnProfile | None:
    """The number that others were grouped by, as in ``rating, count``: an integer, distinct in each row."""
    for column in shape.numbers:
        has_computed = any(other.is_computed for other in shape.numbers if other is not column)
        if (
            column.has_integers
            and not column.is_computed
            and shape.identifies_rows(column)
            and (has_computed or column.is_identifier)
        ):
            return column
    return None


def _has_negative(shape: _ChartColumns, chart: ChartWish) -> bool:
    by_name = {column.name: column for column in shape.columns}
    return any(value is not None and value < 0 for name in chart.y for value in shape.values(by_name[name]))
