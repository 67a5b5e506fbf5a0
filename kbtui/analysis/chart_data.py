"""Computes the numbers of a chart from the rows of a result: pivots, sorts, and reduces them to a readable size."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct, field

from kbtui.analysis.column_profiles import ColumnProfile, is_number, profile_columns
from kbtui.analysis.column_titles import chart_phrase, column_title
from kbtui.analysis.histogram_bins import bins
from kbtui.domain.analysis import ChartWish, ResultTable
from kbtui.domain.events import Chart
from kbtui.errors import UsageError
from kbtui.text.language import Language
from kbtui.text.terminal import one_line

MAX_CATEGORIES: Final = 20
_MAX_TIMES: Final = 36
"""Bars of times, at most: three years of months. They are sorted, so more of them are readable than of categories."""
_MAX_POINTS: Final = 400
"""Points of a line, at most: a wide screen shows two dots a cell."""
_MAX_DOTS: Final = 2_000
_MAX_SERIES: Final = 6
_LABEL_CELLS: Final = 60

_NUMBERS = re.compile(r"\d+")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MONTH = re.compile(r"(\d{4})-(\d{2})(?:$|-)")


class _ChartBuilder(Struct):
    """The state of building a chart."""

    wish: ChartWish
    table: ResultTable
    language: Language
    by_name: dict[str, ColumnProfile] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def column(self, name: str) -> ColumnProfile:
        try:
            return self.by_name[name.lower()]
        except KeyError:
            raise UsageError(
                f"The result has no column {one_line(name)} to draw.", "Ask for the chart again in other words."
            ) from None

    def values(self, column: ColumnProfile) -> list[Any]:
        return [row[column.index] if column.index < len(row) else None for row in self.table.rows]

    def phrase(self, key: str, **parts: object) -> str:
        return chart_phrase(key, self.language, **parts)

    def note(self, key: str, **parts: object) -> None:
        text = self.phrase(key, **parts)
        if text not in self.notes:
            self.notes.append(text)

    def name(self, column: ColumnProfile) -> str:
        """The title of a column, or its name if another column would have the same title."""
        text = column_title(column.name, self.language)
        alike = [one for one in self.by_name.values() if column_title(one.name, self.language) == text]
        return text if len(alike) == 1 else one_line(column.name)

    def label(self, value: Any) -> str:
        if value is None or value == "":
            return self.phrase("none")
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            value = int(value)
        return one_line(str(value), _LABEL_CELLS)


def build_chart(wish: ChartWish, table: ResultTable, *, language: Language = "en") -> tuple[Chart, str]:
    """The chart's numbers, and its title in the reader's language.

    Values of one category are summed (averaged if they are not additive: prices, rates), times are sorted and grouped
    into months or years if there are too many, and categories after the 20 largest become one bar; the title says so.
    ``None`` is a gap.

    Args:
        wish: The chart, with names of columns of ``table`` in any case.
        table: The result.
        language: Language of the title.

    Raises:
        UsageError: The wish names a column that the table does not have.
    """
    builder = _ChartBuilder(
        wish, table, language, {c.name.lower(): c for c in profile_columns(table.columns, table.rows)}
    )
    if not wish.x:
        chart, title = _column_chart(builder)
    elif wish.kind == "scatter":
        chart, title = _scatter_chart(builder)
    elif wish.kind == "histogram":
        chart, title = _histogram_chart(builder)
    else:
        chart, title = _category_chart(builder)
    if table.truncated:
        builder.note("limited", n=f"{len(table.rows):,}")
    return chart, title + "".join(f" · {note}" for note in builder.notes)


Series = dict[str, list[float | None]]


def _category_chart(builder: _ChartBuilder) -> tuple[Chart, str]:
    """Bars, lines and pies: values over one column, in one series or several."""
    wish = builder.wish
    x = builder.column(wish.x)
    measures = [builder.column(name) for name in wish.y]
    keys = builder.values(x)
    y_name = (
        builder.phrase("rows")
        if not measures
        else builder.name(measures[0])
        if len(measures) == 1
        else builder.phrase("several")
    )
    if wish.series:
        parts = [builder.label(value) for value in builder.values(builder.column(wish.series))]
        columns = [builder.values(measures[0]) if measures else [1] * len(keys)]
        names = parts
    else:
        columns = [builder.values(measure) for measure in measures] or [[1] * len(keys)]
        names = []
    adds_up = all(measure.is_additive for measure in measures)
    timed = x.role == "time"
    if timed:
        keys = _coarsen_times(builder, keys, _MAX_POINTS if wish.kind == "line" else _MAX_TIMES)
    labels, series = _pivot(
        builder, keys, columns, names, [builder.name(measure) for measure in measures] or [y_name], adds_up, timed
    )
    if wish.kind == "line" and (timed or x.role == "number"):
        labels, series = _sorted_by_label(labels, series)
        labels, series = _downsample(builder, labels, series)
    elif timed and len(labels) < len(keys):
        labels, series = _sorted_by_label(labels, series)
    series = _top_series(builder, series, adds_up)
    if wish.kind == "pie":
        labels, series = _sorted_by_size(labels, series)
    if wish.kind != "line" and len(labels) > (_MAX_TIMES if timed else MAX_CATEGORIES):
        labels, series = _top_categories(builder, labels, series, adds_up)
    key = "parted" if wish.series else "of"
    parted_by = builder.name(builder.column(wish.series)) if wish.series else ""
    title = builder.phrase(key, y=y_name, x=builder.name(x), s=parted_by)
    xs = (
        tuple(labels) if wish.kind == "line" and x.role == "number" else tuple(builder.label(label) for label in labels)
    )
    return _chart(wish.kind, xs, builder.name(x), y_name, series), title


def _column_chart(builder: _ChartBuilder) -> tuple[Chart, str]:
    """One row of figures, each column a bar."""
    columns = [builder.column(name) for name in builder.wish.y]
    values = [values[0] if (values := builder.values(column)) else None for column in columns]
    name = builder.phrase("several")
    series: Series = {name: [value if is_number(value) else None for value in values]}
    labels = tuple(builder.label(builder.name(column)) for column in columns)
    return _chart("bar", labels, "", name, series), ", ".join(labels)


def _chart(kind: str, x: tuple[Any, ...], x_name: str, y_name: str, series: Series) -> Chart:
    return Chart(type=kind, x=x, x_name=x_name, y=y_name, series={name: tuple(v) for name, v in series.items()})


def _pivot(
    builder: _ChartBuilder,
    keys: Sequence[Any],
    columns: Sequence[Sequence[Any]],
    parts: Sequence[str],
    names: Sequence[str],
    adds_up: bool,
    timed: bool,
) -> tuple[list[Any], Series]:
    """One position for each value of x, one series for each part (or column); values of a position are aggregated.

    A short list of rows without parts is not aggregated: two customers of one name are two bars.
    """
    is_unmerged = not parts and len(keys) <= MAX_CATEGORIES and not timed and bool(builder.wish.y)
    places: dict[Any, int] = {}
    labels: list[Any] = []
    cells: dict[str, dict[int, list[float]]] = {} if parts else {name: {} for name in names}
    for row, key in enumerate(keys):
        mark = row if is_unmerged else _hashable(key)
        place = places.setdefault(mark, len(places))
        if place == len(labels):
            labels.append(key)
        for number, column in enumerate(columns):
            name = parts[row] if parts else names[number]
            values = cells.setdefault(name, {}).setdefault(place, [])
            value = column[row]
            if is_number(value):
                values.append(float(value) if not isinstance(value, int) else value)
    is_merged = any(len(values) > 1 for column in cells.values() for values in column.values())
    if is_merged and builder.wish.y:
        builder.note("sum" if adds_up else "mean")
    fold: Callable[[list[float]], float] = math.fsum if adds_up else _mean
    series: Series = {
        name: [_aggregated(column.get(place, []), fold) for place in range(len(labels))]
        for name, column in cells.items()
    }
    return labels, series


def _aggregated(values: list[float], fold: Callable[[list[float]], float]) -> float | None:
    if not values:
        return None
    return values[0] if len(values) == 1 else _without_float_noise(fold(values))


def _without_float_noise(value: float) -> float:
    """A sum without floating-point noise, as an integer if it is whole."""
    value = float(f"{value:.12g}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _hashable(key: Any) -> Any:
    return key if isinstance(key, str | int | float | bool | None) else str(key)


def _time_key(value: Any) -> tuple[int, ...]:
    """The sort key of a time, by its numbers: ``2024-9`` before ``2024-10``; texts without numbers come last."""
    if is_number(value):
        return (int(value),)
    return tuple(int(number) for number in _NUMBERS.findall(str(value))) or (10**9,)


def _sorted_by_label(labels: list[Any], series: Series) -> tuple[list[Any], Series]:
    key: Callable[[Any], Any] = float if all(map(is_number, labels)) else _time_key
    order = sorted(range(len(labels)), key=lambda place: key(labels[place]))
    return _selected(labels, series, order)


def _sorted_by_size(labels: list[Any], series: Series) -> tuple[list[Any], Series]:
    sizes = _sizes(series, len(labels))
    return _selected(labels, series, sorted(range(len(labels)), key=lambda place: -sizes[place]))


def _selected(labels: Sequence[Any], series: Series, places: Iterable[int]) -> tuple[list[Any], Series]:
    indexes = list(places)
    return [labels[place] for place in indexes], {n: [values[p] for p in indexes] for n, values in series.items()}


def _sizes(series: Series, count: int) -> list[float]:
    return [math.fsum(abs(values[place] or 0) for values in series.values()) for place in range(count)]


def _coarsen_times(builder: _ChartBuilder, keys: list[Any], most: int) -> list[Any]:
    """Days as months, months as years, until there are at most ``most``; other times stay unchanged."""
    for name, shorter in (("day", _day), ("month", _month), ("year", _year)):
        if len(set(map(_hashable, keys))) <= most:
            break
        cut = [shorter(key) if key is not None else None for key in keys]
        if all(new is not None or old is None for new, old in zip(cut, keys, strict=True)) and cut != keys:
            keys = cut
            builder.notes = [
                note for note in builder.notes if note not in (builder.phrase("day"), builder.phrase("month"))
            ]
            builder.note(name)
    return keys


def _day(value: Any) -> str | None:
    match = _DAY.match(str(value))
    return match[0] if match else None


def _month(value: Any) -> str | None:
    match = _MONTH.match(str(value))
    return f"{match[1]}-{match[2]}" if match else None


def _year(value: Any) -> str | None:
    text = str(value)
    return text[:4] if _MONTH.match(text) else None


def _downsample(builder: _ChartBuilder, labels: list[Any], series: Series) -> tuple[list[Any], Series]:
    """A line with neighbouring points averaged if it has too many."""
    if len(labels) <= _MAX_POINTS:
        return labels, series
    step = math.ceil(len(labels) / _MAX_POINTS)
    starts = range(0, len(labels), step)
    builder.note("mean")

    def mean(values: list[float | None]) -> float | None:
        present = [value for value in values if value is not None]
        return _without_float_noise(_mean(present)) if present else None

    return [labels[start] for start in starts], {
        name: [mean(values[start : start + step]) for start in starts] for name, values in series.items()
    }


def _top_categories(
    builder: _ChartBuilder, labels: list[Any], series: Series, adds_up: bool
) -> tuple[list[Any], Series]:
    """The largest categories in their order, and the sum of the others if values are additive."""
    count = len(labels)
    sizes = _sizes(series, count)
    largest = set(sorted(range(count), key=lambda place: -sizes[place])[:MAX_CATEGORIES])
    top_labels, top_values = _selected(labels, series, (place for place in range(count) if place in largest))
    if not adds_up:
        builder.note("cut", n=MAX_CATEGORIES, all=f"{count:,}")
        return top_labels, top_values
    builder.note("top", n=MAX_CATEGORIES, all=f"{count:,}")
    for name, values in series.items():
        rest = [value for place, value in enumerate(values) if place not in largest and value is not None]
        top_values[name].append(_without_float_noise(math.fsum(rest)) if rest else None)
    return [*top_labels, builder.phrase("others")], top_values


def _top_series(builder: _ChartBuilder, series: Series, adds_up: bool) -> Series:
    if len(series) <= _MAX_SERIES:
        return series
    builder.note("series", n=_MAX_SERIES - adds_up, all=len(series))
    ranked = sorted(series, key=lambda name: -math.fsum(abs(value or 0) for value in series[name]))
    large = set(ranked[: _MAX_SERIES - adds_up])
    top_series = {name: values for name, values in series.items() if name in large}
    if adds_up:
        rest = [values for name, values in series.items() if name not in large]
        columns = ([value for value in column if value is not None] for column in zip(*rest, strict=True))
        top_series[builder.phrase("others")] = [
            _without_float_noise(math.fsum(column)) if column else None for column in columns
        ]
    return top_series


def _scatter_chart(builder: _ChartBuilder) -> tuple[Chart, str]:
    wish = builder.wish
    x, y = builder.column(wish.x), builder.column(wish.y[0])
    parts = [builder.label(value) for value in builder.values(builder.column(wish.series))] if wish.series else []
    x_name, y_name = builder.name(x), builder.name(y)
    dots = [
        (a, b, parts[row] if parts else y_name)
        for row, (a, b) in enumerate(zip(builder.values(x), builder.values(y), strict=True))
        if is_number(a) and is_number(b)
    ]
    if (missing := len(builder.table.rows) - len(dots)) > 0:
        builder.note("missing", n=f"{missing:,}")
    if len(dots) > _MAX_DOTS:
        builder.note("dots", n=f"{_MAX_DOTS:,}", all=f"{len(dots):,}")
        dots = [dots[index * len(dots) // _MAX_DOTS] for index in range(_MAX_DOTS)]
    names = list(dict.fromkeys(name for _, _, name in dots)) or [y_name]
    series: Series = {name: [b if name == part else None for _, b, part in dots] for name in names}
    series = _top_series(builder, series, adds_up=False)
    return _chart("scatter", tuple(a for a, _, _ in dots), x_name, y_name, series), builder.phrase(
        "against", x=x_name, y=y_name
    )


def _histogram_chart(builder: _ChartBuilder) -> tuple[Chart, str]:
    x = builder.column(builder.wish.x)
    values = [value for value in builder.values(x) if is_number(value)]
    if (missing := len(builder.table.rows) - len(values)) > 0:
        builder.note("missing", n=f"{missing:,}")
    edges, labels = bins(values)
    counts = [0] * len(labels)
    for value in values:
        place = next((place for place in range(len(labels) - 1) if value < edges[place + 1]), len(labels) - 1)
        counts[place] += 1
    rows = builder.phrase("rows")
    return _chart("histogram", tuple(labels), builder.name(x), rows, {rows: list(counts)}), builder.phrase(
        "spread", x=builder.name(x)
    )
