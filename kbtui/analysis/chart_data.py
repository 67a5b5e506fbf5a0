"""From the rows of a result to the numbers of a chart: pivoted, put in order, brought down to what can be read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct, field

from kbtui.analysis.column_names import said, titled
from kbtui.analysis.columns import Profile, is_number, profile
from kbtui.domain.analysis import ChartWish, ResultTable
from kbtui.domain.events import Chart
from kbtui.errors import UsageError
from kbtui.text.language import Language
from kbtui.text.terminal import one_line

MOST_CATEGORIES: Final = 20
_MOST_TIMES: Final = 36
"""Three years of months, a month of days: bars of time are in order, so that more of them can be read."""
_MOST_POINTS: Final = 400
"""A line on a wide screen has two dots a cell; more points than that cannot be told apart."""
_MOST_DOTS: Final = 2_000
_MOST_SERIES: Final = 6
_MOST_BINS: Final = 20
_LEAST_BINS: Final = 5
_LABEL_CELLS: Final = 60

_NUMBERS = re.compile(r"\d+")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MONTH = re.compile(r"(\d{4})-(\d{2})(?:$|-)")


class _Build(Struct):
    """What is collected while a chart is made."""

    wish: ChartWish
    table: ResultTable
    language: Language
    by_name: dict[str, Profile] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def column(self, name: str) -> Profile:
        try:
            return self.by_name[name.lower()]
        except KeyError:
            raise UsageError(
                f"The result has no column {one_line(name)} to draw.", "Ask for the chart again in other words."
            ) from None

    def values(self, column: Profile) -> list[Any]:
        return [row[column.index] if column.index < len(row) else None for row in self.table.rows]

    def say(self, key: str, **parts: object) -> str:
        return titled(key, self.language, **parts)

    def note(self, key: str, **parts: object) -> None:
        text = self.say(key, **parts)
        if text not in self.notes:
            self.notes.append(text)

    def name(self, column: Profile) -> str:
        """The column in words, or as the result has it where another column would be called the same."""
        text = said(column.name, self.language)
        alike = [one for one in self.by_name.values() if said(one.name, self.language) == text]
        return text if len(alike) == 1 else one_line(column.name)

    def label(self, value: Any) -> str:
        if value is None or value == "":
            return self.say("none")
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            value = int(value)
        return one_line(str(value), _LABEL_CELLS)


def build(wish: ChartWish, table: ResultTable, *, language: Language = "en") -> tuple[Chart, str]:
    """The chart's numbers, and its title in the reader's language.

    Values of one category are summed (averaged, where sums mean nothing: prices, rates), times are put in order and
    brought together to months or years where there are too many, and past 20 categories the rest become one bar; the
    title says so. ``None`` is a gap.

    Args:
        wish: Names of columns that ``table`` has, whatever their case.
        table: What was found.
        language: Of the title.

    Raises:
        UsageError: The wish names a column that the table does not have.
    """
    at_work = _Build(wish, table, language, {c.name.lower(): c for c in profile(table.columns, table.rows)})
    if not wish.x:
        chart, title = _columns(at_work)
    elif wish.kind == "scatter":
        chart, title = _scatter(at_work)
    elif wish.kind == "histogram":
        chart, title = _histogram(at_work)
    else:
        chart, title = _categories(at_work)
    if table.truncated:
        at_work.note("limited", n=f"{len(table.rows):,}")
    return chart, title + "".join(f" · {note}" for note in at_work.notes)


Series = dict[str, list[float | None]]


def _categories(at: _Build) -> tuple[Chart, str]:
    """Bars, lines and pies: values over one column, in one series or several."""
    wish = at.wish
    x = at.column(wish.x)
    measures = [at.column(name) for name in wish.y]
    keys = at.values(x)
    y_name = at.say("rows") if not measures else at.name(measures[0]) if len(measures) == 1 else at.say("several")
    if wish.series:
        parts = [at.label(value) for value in at.values(at.column(wish.series))]
        columns = [at.values(measures[0]) if measures else [1] * len(keys)]
        names = parts
    else:
        columns = [at.values(measure) for measure in measures] or [[1] * len(keys)]
        names = []
    adds_up = all(measure.adds_up for measure in measures)
    timed = x.role == "time"
    if timed:
        keys = _coarser(at, keys, _MOST_POINTS if wish.kind == "line" else _MOST_TIMES)
    labels, series = _pivoted(
        at, keys, columns, names, [at.name(measure) for measure in measures] or [y_name], adds_up, timed
    )
    if wish.kind == "line" and (timed or x.role == "number"):
        labels, series = _in_order(labels, series)
        labels, series = _thinned(at, labels, series)
    elif timed and len(labels) < len(keys):
        labels, series = _in_order(labels, series)
    series = _fewer_series(at, series, adds_up)
    if wish.kind == "pie":
        labels, series = _largest_first(labels, series)
    if wish.kind != "line" and len(labels) > (_MOST_TIMES if timed else MOST_CATEGORIES):
        labels, series = _fewer(at, labels, series, adds_up)
    key = "parted" if wish.series else "of"
    parted_by = at.name(at.column(wish.series)) if wish.series else ""
    title = at.say(key, y=y_name, x=at.name(x), s=parted_by)
    xs = tuple(labels) if wish.kind == "line" and x.role == "number" else tuple(at.label(label) for label in labels)
    return _chart(wish.kind, xs, at.name(x), y_name, series), title


def _columns(at: _Build) -> tuple[Chart, str]:
    """One row of figures, each column a bar."""
    columns = [at.column(name) for name in at.wish.y]
    values = [values[0] if (values := at.values(column)) else None for column in columns]
    name = at.say("several")
    series: Series = {name: [value if is_number(value) else None for value in values]}
    labels = tuple(at.label(at.name(column)) for column in columns)
    return _chart("bar", labels, "", name, series), ", ".join(labels)


def _chart(kind: str, x: tuple[Any, ...], x_name: str, y_name: str, series: Series) -> Chart:
    return Chart(type=kind, x=x, x_name=x_name, y=y_name, series={name: tuple(v) for name, v in series.items()})


def _pivoted(
    at: _Build,
    keys: Sequence[Any],
    columns: Sequence[Sequence[Any]],
    parts: Sequence[str],
    names: Sequence[str],
    adds_up: bool,
    timed: bool,
) -> tuple[list[Any], Series]:
    """One place for each value of x, one series for each part (or column); what falls together is brought together.

    A short list of rows without parts stays as it is: two customers of one name are two bars.
    """
    alone = not parts and len(keys) <= MOST_CATEGORIES and not timed and bool(at.wish.y)
    places: dict[Any, int] = {}
    labels: list[Any] = []
    cells: dict[str, dict[int, list[float]]] = {} if parts else {name: {} for name in names}
    for row, key in enumerate(keys):
        mark = row if alone else _hashable(key)
        place = places.setdefault(mark, len(places))
        if place == len(labels):
            labels.append(key)
        for number, column in enumerate(columns):
            name = parts[row] if parts else names[number]
            found = cells.setdefault(name, {}).setdefault(place, [])
            value = column[row]
            if is_number(value):
                found.append(float(value) if not isinstance(value, int) else value)
    together = any(len(found) > 1 for column in cells.values() for found in column.values())
    if together and at.wish.y:
        at.note("sum" if adds_up else "mean")
    fold: Callable[[list[float]], float] = math.fsum if adds_up else _mean
    series: Series = {
        name: [_folded(column.get(place, []), fold) for place in range(len(labels))] for name, column in cells.items()
    }
    return labels, series


def _folded(values: list[float], fold: Callable[[list[float]], float]) -> float | None:
    if not values:
        return None
    return values[0] if len(values) == 1 else _tidy(fold(values))


def _tidy(value: float) -> float:
    """Whole sums as whole numbers; without the last digits that only adding up made."""
    value = float(f"{value:.12g}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _hashable(key: Any) -> Any:
    return key if isinstance(key, str | int | float | bool | None) else str(key)


def _time_key(value: Any) -> tuple[int, ...]:
    """By the numbers in it: ``2024-9`` before ``2024-10``; what has none comes last."""
    if is_number(value):
        return (int(value),)
    return tuple(int(number) for number in _NUMBERS.findall(str(value))) or (10**9,)


def _in_order(labels: list[Any], series: Series) -> tuple[list[Any], Series]:
    key: Callable[[Any], Any] = float if all(map(is_number, labels)) else _time_key
    order = sorted(range(len(labels)), key=lambda place: key(labels[place]))
    return _taken(labels, series, order)


def _largest_first(labels: list[Any], series: Series) -> tuple[list[Any], Series]:
    sizes = _sizes(series, len(labels))
    return _taken(labels, series, sorted(range(len(labels)), key=lambda place: -sizes[place]))


def _taken(labels: Sequence[Any], series: Series, places: Iterable[int]) -> tuple[list[Any], Series]:
    kept = list(places)
    return [labels[place] for place in kept], {n: [values[p] for p in kept] for n, values in series.items()}


def _sizes(series: Series, count: int) -> list[float]:
    return [math.fsum(abs(values[place] or 0) for values in series.values()) for place in range(count)]


def _coarser(at: _Build, keys: list[Any], most: int) -> list[Any]:
    """Days as months, months as years, until there are few enough of them; other times stay as they are."""
    for name, shorter in (("day", _day), ("month", _month), ("year", _year)):
        if len(set(map(_hashable, keys))) <= most:
            break
        cut = [shorter(key) if key is not None else None for key in keys]
        if all(new is not None or old is None for new, old in zip(cut, keys, strict=True)) and cut != keys:
            keys = cut
            at.notes = [note for note in at.notes if note not in (at.say("day"), at.say("month"))]
            at.note(name)
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


def _thinned(at: _Build, labels: list[Any], series: Series) -> tuple[list[Any], Series]:
    """Neighbours averaged where a line has more points than can be drawn."""
    if len(labels) <= _MOST_POINTS:
        return labels, series
    step = math.ceil(len(labels) / _MOST_POINTS)
    starts = range(0, len(labels), step)
    at.note("mean")

    def mean(values: list[float | None]) -> float | None:
        present = [value for value in values if value is not None]
        return _tidy(_mean(present)) if present else None

    return [labels[start] for start in starts], {
        name: [mean(values[start : start + step]) for start in starts] for name, values in series.items()
    }


def _fewer(at: _Build, labels: list[Any], series: Series, adds_up: bool) -> tuple[list[Any], Series]:
    """The largest categories, in the order they came in, and the rest as one; what does not add up is left out."""
    count = len(labels)
    sizes = _sizes(series, count)
    largest = set(sorted(range(count), key=lambda place: -sizes[place])[:MOST_CATEGORIES])
    kept, left = _taken(labels, series, (place for place in range(count) if place in largest))
    if not adds_up:
        at.note("cut", n=MOST_CATEGORIES, all=f"{count:,}")
        return kept, left
    at.note("top", n=MOST_CATEGORIES, all=f"{count:,}")
    for name, values in series.items():
        rest = [value for place, value in enumerate(values) if place not in largest and value is not None]
        left[name].append(_tidy(math.fsum(rest)) if rest else None)
    return [*kept, at.say("others")], left


def _fewer_series(at: _Build, series: Series, adds_up: bool) -> Series:
    if len(series) <= _MOST_SERIES:
        return series
    at.note("series", n=_MOST_SERIES - adds_up, all=len(series))
    ranked = sorted(series, key=lambda name: -math.fsum(abs(value or 0) for value in series[name]))
    large = set(ranked[: _MOST_SERIES - adds_up])
    kept = {name: values for name, values in series.items() if name in large}
    if adds_up:
        rest = [values for name, values in series.items() if name not in large]
        columns = ([value for value in column if value is not None] for column in zip(*rest, strict=True))
        kept[at.say("others")] = [_tidy(math.fsum(column)) if column else None for column in columns]
    return kept


def _scatter(at: _Build) -> tuple[Chart, str]:
    wish = at.wish
    x, y = at.column(wish.x), at.column(wish.y[0])
    parts = [at.label(value) for value in at.values(at.column(wish.series))] if wish.series else []
    x_name, y_name = at.name(x), at.name(y)
    dots = [
        (a, b, parts[row] if parts else y_name)
        for row, (a, b) in enumerate(zip(at.values(x), at.values(y), strict=True))
        if is_number(a) and is_number(b)
    ]
    if (missing := len(at.table.rows) - len(dots)) > 0:
        at.note("missing", n=f"{missing:,}")
    if len(dots) > _MOST_DOTS:
        at.note("dots", n=f"{_MOST_DOTS:,}", all=f"{len(dots):,}")
        dots = [dots[index * len(dots) // _MOST_DOTS] for index in range(_MOST_DOTS)]
    names = list(dict.fromkeys(name for _, _, name in dots)) or [y_name]
    series: Series = {name: [b if name == part else None for _, b, part in dots] for name in names}
    series = _fewer_series(at, series, adds_up=False)
    return _chart("scatter", tuple(a for a, _, _ in dots), x_name, y_name, series), at.say(
        "against", x=x_name, y=y_name
    )


def _histogram(at: _Build) -> tuple[Chart, str]:
    x = at.column(at.wish.x)
    values = [value for value in at.values(x) if is_number(value)]
    if (missing := len(at.table.rows) - len(values)) > 0:
        at.note("missing", n=f"{missing:,}")
    edges, labels = _bins(values)
    counts = [0] * len(labels)
    for value in values:
        place = next((place for place in range(len(labels) - 1) if value < edges[place + 1]), len(labels) - 1)
        counts[place] += 1
    rows = at.say("rows")
    return _chart("histogram", tuple(labels), at.name(x), rows, {rows: list(counts)}), at.say("spread", x=at.name(x))


def _bins(values: Sequence[float]) -> tuple[list[float], list[str]]:
    """Edges and names of bins: each value by itself for a few whole numbers, else round steps.

    Freedman and Diaconis (1981): a width of ``2 · IQR / n^(1/3)``, brought to a round step, 5 to 20 of them.
    """
    if not values:
        return [], []
    ordered = sorted(values)
    low, high = ordered[0], ordered[-1]
    whole = all(float(value).is_integer() for value in values)
    if low == high or (whole and high - low < _MOST_BINS):
        edges = [low + step for step in range(int(high - low) + 1)] if whole else [low]
        return edges, [_short(edge) for edge in edges]
    count = len(ordered)
    spread = ordered[(3 * count) // 4] - ordered[count // 4]
    wanted = 2 * spread / count ** (1 / 3) or (high - low) / (1 + math.log2(count))
    step = round_step(max(min(wanted / 1.5, (high - low) / _LEAST_BINS), (high - low) / _MOST_BINS))
    if whole:
        step = max(1.0, math.ceil(step))
    first = math.floor(low / step)
    edges = [float(f"{number * step:.12g}") for number in range(first, math.floor(high / step) + 2)]
    return edges, [f"{_short(a)} – {_short(b)}" for a, b in pairwise(edges)]


def round_step(wanted: float) -> float:
    """The next step from ``wanted`` up that is 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(float(f"{power * by:.12g}") for by in (1, 2, 2.5, 5, 10) if power * by >= wanted * (1 - 1e-9))


def _short(value: float) -> str:
    return f"{value:,.12g}" if abs(value) < 1e12 else f"{value:.4g}"
