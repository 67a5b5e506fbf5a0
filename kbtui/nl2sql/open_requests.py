"""The subject of an open request: a figure, its rows, its days, and the dimensions it can be grouped by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import ColumnInfo, TableInfo
from kbtui.nl2sql.conditions import drafts, previous_period
from kbtui.nl2sql.cover import covers
from kbtui.nl2sql.draft import Draft, Scene, identity
from kbtui.nl2sql.figures import default_function, figures, is_numeric
from kbtui.nl2sql.incomplete_periods import bucket, days_of
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.lexicon import is_kind, senses_of
from kbtui.nl2sql.query import Agg, AnyOf, Col, Cond, Expr, Ref, Unit
from kbtui.question.open_requests import OpenRequest

Days = tuple[date, date]

_COVERS: Final = 12
_MAX_VALUES: Final = 60
"""Distinct values of a column that may be a dimension, at most."""
_MAX_REFERENCED: Final = 500
"""Referenced rows of another table that may be a dimension, at most."""
FEW: Final = 25
"""Values up to which a dimension comes before larger ones."""
_KINDS: Final = ("category", "flag")
_REASON_CONCEPTS: Final = (frozenset({"reason"}), frozenset({"type", "category", "subcategory", "topic"}))
"""Concepts of columns that explain why rows exist, the clearest first."""
_MAX_NULLS: Final = 0.6
"""Share of rows without a value in a dimension, at most."""
_DIMENSION_KINDS: Final = ("category", "flag", "code", "name", "reference")
_MIN_ROWS_PER_PERIOD: Final = 5
"""Rows per period on average from which its figures can be compared."""
_FREE_CUES: Final = frozenset(("per", "and", "only", "ignore", "bucket", "or", "distinct"))


class Dimension(Struct, frozen=True, kw_only=True):
    """Groups that a figure can be split into.

    Attributes:
        keys: Expressions of GROUP BY.
        shown: Expressions of SELECT for the keys.
        values: Number of distinct values.
    """

    keys: tuple[Expr, ...]
    shown: tuple[Expr, ...]
    values: int = 0


class Subject(Struct, frozen=True, kw_only=True):
    """The subject of an open request.

    Attributes:
        request: The question.
        figure: The figure.
        table: The table whose rows it is about.
        where: Conditions of the request, without its days.
        dates: The date column that the days apply to; None if the rows have no date.
        now: The requested days; None for all.
        before: The days that they are compared with.
        data_range: The first and the last day of the data.
        cut: Whether ``now`` ends early because the data end inside the period.
        moved: Years by which the days lie before the usual meaning of the words, for which there are no data.
        unit: Unit of the figure over time; None if no unit is useful.
    """

    request: OpenRequest
    figure: Agg
    table: TableInfo
    where: tuple[Cond | AnyOf, ...] = ()
    dates: Ref | None = None
    now: Days | None = None
    before: Days | None = None
    data_range: Days | None = None
    cut: bool = False
    moved: int = 0
    unit: Unit | None = None
    dimensions: tuple[Dimension, ...] = ()


def subject_of(request: OpenRequest, lattice: Lattice) -> Subject | None:
    """The subject of the request; None if a word is not understood or its rows are unknown.

    Args:
        lattice: The lattice of `OpenQuestion.plain`.
    """
    for cover in covers(lattice, _COVERS):
        if cover.skipped:
            continue
        scene = Scene(lattice, cover)
        for draft in drafts(scene):
            subject = _subject(request, scene, draft)
            if subject is not None:
                return subject
    return None


def _subject(request: OpenRequest, scene: Scene, draft: Draft) -> Subject | None:
    figure_parts = _figure(request, scene, draft)
    if figure_parts is None:
        return None
    figure, table, draft = figure_parts
    mentioned, draft = _mentioned_dimensions(scene, draft, table)
    related = {table.name, *_referenced_tables(scene, table.name)}
    unused = draft.free(range(len(scene.cover.mentions)))
    silent = [i for i in unused if (cue := scene[i].cue) is not None and cue.op in _FREE_CUES]
    subjects = [i for i in unused if (ref := scene[i].ref) is not None and ref.column == "*" and ref.table in related]
    if set(unused) - set(silent) - set(subjects) - set(draft.periods):
        return None
    dimensions: dict[tuple[Expr, ...], Dimension] = {}
    for dimension in (*mentioned, *_dimensions(scene, table, draft)):
        dimensions.setdefault(dimension.keys, dimension)
    if request.intent == "compare" and not mentioned and len(draft.periods) > 1:
        # Periods are compared by what changed between them.
        request = replace(request, intent="change")
    subject = Subject(
        request=request,
        figure=figure,
        table=table,
        where=draft.where,
        dimensions=tuple(dimensions.values()),
        dates=_date(scene, table),
    )
    return _with_days(subject, scene, draft)


# ---- the figure ----


def _figure(request: OpenRequest, scene: Scene, draft: Draft) -> tuple[Agg, TableInfo, Draft] | None:
    """The named figure, else that of the named rows: their amount, or their number; None if the rows are unknown."""
    for figure in figures(scene, draft):
        agg = figure.exprs[0]
        if not isinstance(agg, Agg) or len(figure.exprs) > 1 or figure.counts:
            continue
        is_named = all(name != "default_measure" for name, _ in figure.draft.traits)
        if is_named and agg.fn in ("sum", "avg", "count"):
            return agg, scene.table(figure.table), figure.draft
    table = _event_table(request, scene)
    if table is None:
        return None
    words = [m for m in scene.tables if (ref := scene[m].ref) is not None and ref.table == table.name]
    asking = draft.free(scene.cues("count", "sum", "how_much"))
    money = main_measure(table) if any(_is_money(scene, index) for index in words) or not words else None
    figure_of = Agg(default_function(money), Col(money.ref)) if money is not None else rows_of_table(table)
    return figure_of, table, draft.using("operator", *asking).using("subject", *words[:1])


def _event_table(request: OpenRequest, scene: Scene) -> TableInfo | None:
    """The table of the rows: a mentioned one, else one that refers to a mentioned one.

    Things are compared by their events, so their own table is not preferred.
    """
    mentioned = [scene.table(ref.table) for i in scene.tables if (ref := scene[i].ref) is not None]
    compares = request.intent == "compare"
    for table in mentioned:
        if not compares and (table.dates or any(is_numeric(column) for column in table.columns)):
            return table
    tables = [scene.table(name) for name in scene.mentioned_tables]
    related = [child for table in tables for child in scene.children(table.name)]
    related += [child for name in related for child in scene.children(name)]
    candidates = [t for t in (*tables, *map(scene.table, related)) if t.dates or main_measure(t) is not None]
    return max(candidates, key=lambda table: table.rows, default=mentioned[0] if mentioned else _main_table(scene))


def _main_table(scene: Scene) -> TableInfo | None:
    """The only table of events that nothing refers to, if no table is mentioned; else None."""
    stored = (table for table in scene.catalogue.tables.values() if not table.role_of)
    events = [table for table in stored if table.dates and not scene.children(table.name)]
    if len(events) > 1:
        events = [table for table in events if main_measure(table) is not None]
    return events[0] if len(events) == 1 and not scene.mentioned_tables else None


def _is_money(scene: Scene, index: int) -> bool:
    """Whether a mention stands for an amount: ``sales``, 销售."""
    question, span = scene.lattice.question, scene[index].span
    tokens = question.tokens[span.first : span.last]
    words = ["".join(t.text for t in tokens)] if tokens[0].kind == "han" else [t.norm for t in tokens if t.content]
    return any(is_kind(frozenset((sense.concept,)), "money") for sense in senses_of(words) if sense.holds is None)


def main_measure(table: TableInfo) -> ColumnInfo | None:
    """The first measure of money; None if there is none."""
    return next((c for c in table.columns if c.kind == "measure" and is_kind(c.concepts, "money")), None)


def rows_of_table(table: TableInfo) -> Agg:
    """The number of rows; of parts the number of wholes."""
    return Agg("count", Col(table.grain), distinct=True) if table.grain else Agg("count", Col(Ref(table.name, "*")))


# ---- what it is set apart by ----


def _referenced_tables(scene: Scene, name: str) -> Iterator[str]:
    """Tables that rows of this one refer to, directly or over one other table."""
    parents = scene.parents(name)
    yield from parents
    for parent in parents:
        yield from scene.parents(parent)


def _mentioned_dimensions(scene: Scene, draft: Draft, table: TableInfo) -> tuple[tuple[Dimension, ...], Draft]:
    """The dimensions that the request names, and the draft that has used their mentions."""
    dimensions: list[Dimension] = []
    related = {table.name, *_referenced_tables(scene, table.name)}
    for index in draft.free((*scene.columns, *scene.tables)):
        mention = scene[index]
        ref = mention.ref
        if ref is None or ref.table not in related or mention.order:
            continue
        if ref.column == "*" and (ref.table == table.name or not scene.table(ref.table).naming):
            continue
        info = scene.info(ref)
        if info is not None and (info.kind not in (*_DIMENSION_KINDS, "key") or info.distinct < 2):
            continue
        keys, shown = identity(scene, ref)
        draft = draft.using("group", index)
        dimensions.append(Dimension(keys=keys, shown=shown, values=0 if info is None else info.distinct))
    return tuple(dimensions), draft


def _dimensions(scene: Scene, table: TableInfo, draft: Draft) -> list[Dimension]:
    """Dimensions of a table: reasons first, then columns with few values, its own columns first."""
    fixed_refs = {cond.left.ref for cond in draft.where if isinstance(cond, Cond) and isinstance(cond.left, Col)}
    columns: list[ColumnInfo] = []
    for column in table.columns:
        max_values = _MAX_REFERENCED if column.kind == "reference" else _MAX_VALUES
        if (
            column.kind in _DIMENSION_KINDS
            and column.distinct <= max_values
            and column.distinct * 2 <= max(table.rows, 4)
        ):
            columns.append(column)
    for name in dict.fromkeys(_referenced_tables(scene, table.name)):
        naming = scene.table(name).naming
        table_columns = scene.table(name).columns
        columns += [c for c in table_columns if (c.kind in _KINDS or c.ref in naming) and c.distinct <= _MAX_VALUES]
    columns = [c for c in columns if c.distinct > 1 and c.nulls <= _MAX_NULLS and c.ref not in fixed_refs]
    columns.sort(key=lambda column: (_reason_rank(column), column.distinct > FEW))
    dimensions = []
    for column in columns:
        keys, shown = identity(scene, column.ref)
        if column.kind != "reference" or keys != (Col(column.ref),):
            dimensions.append(Dimension(keys=keys, shown=shown, values=column.distinct))
    return dimensions


def _reason_rank(column: ColumnInfo) -> int:
    """The rank of a column by how well its values explain rows, 0 for the best."""
    return next((rank for rank, group in enumerate(_REASON_CONCEPTS) if group & column.concepts), len(_REASON_CONCEPTS))


# ---- the days ----


def _date(scene: Scene, table: TableInfo) -> Ref | None:
    return next(scene.dates((table.name, *_referenced_tables(scene, table.name))), None)


def _with_days(subject: Subject, scene: Scene, draft: Draft) -> Subject | None:
    """The subject with its days and those before; None if a period is named and the rows have no date."""
    info = scene.info(subject.dates) if subject.dates is not None else None
    low, high = days_of(info) if info is not None else (None, None)
    periods = [scene[i].period for i in draft.periods]
    if low is None or high is None:
        return None if periods or subject.request.intent == "change" else subject
    high = min(high, scene.lattice.question.today)
    rate = subject.table.rows / max(1, (high - low).days)
    subject = replace(subject, data_range=(low, high), unit=_unit(scene, low, high, rate))
    requested = sorted((p.first or low, p.last or high) for p in periods if p is not None)
    if not requested:
        if subject.request.intent != "change":
            return subject
        last = _last_complete(subject.unit or "month", high)
        return replace(subject, now=last, before=_before(last, subject))
    requested, moved = _moved_to_data(requested, low, high, scene)
    now = requested[-1]
    subject = replace(subject, moved=moved, now=now, before=requested[0] if len(requested) > 1 else None)
    if len(requested) == 1:
        subject = replace(subject, before=_before(now, subject))
        missing_days = (now[1] - high).days
        if now[0] <= high < now[1] and missing_days * rate >= 1:
            # The same part of the period before, for a fair comparison.
            now = (now[0], high)
            first = subject.before[0] if subject.before is not None else now[0]
            before = (first, min(first + (high - now[0]), now[0] - timedelta(days=1)))
            subject = replace(subject, now=now, before=before, cut=True)
    unit = _unit(scene, now[0], now[1], rate)
    return subject if subject.request.intent == "change" else replace(subject, unit=unit)


def _before(now: Days, subject: Subject) -> Days:
    return previous_period(*now, "change_year" if subject.request.is_year_over_year else "change")


def _moved_to_data(requested: Sequence[Days], low: date, high: date, scene: Scene) -> tuple[list[Days], int]:
    """The periods, in the last year with data if none is named, and the number of years they were moved."""
    from kbtui.text.calendar import add_months

    periods = [m.period for m in scene.cover.mentions if m.period is not None]
    has_year = any(ch.isdigit() for p in periods for ch in p.words if len(p.words) > 3 and _has_year(p.words))
    years = 0
    while not has_year and requested[-1][0] > high and years < 30:
        years += 1
        requested = [(add_months(first, -12), add_months(last, -12)) for first, last in requested]
    return list(requested), years if requested[-1][1] >= low else 0


def _has_year(words: str) -> bool:
    digits = "".join(ch if ch.isdigit() else " " for ch in words).split()
    return any(len(number) == 4 for number in digits)


def _unit(scene: Scene, low: date, high: date, rate: float) -> Unit | None:
    """The named unit, else the longest with several periods and enough rows in each."""
    cue = next((cue for i in scene.cues("bucket") if (cue := scene.operator(i)) is not None), None)
    if cue is not None and "unit" in cue.args:
        unit: Unit = cue.args["unit"]
        return unit
    days = (high - low).days + 1
    for unit, length in (("month", 30), ("week", 7), ("day", 1)):
        if days >= 3 * length and (rate * length >= _MIN_ROWS_PER_PERIOD or unit == "month"):
            return (
                "year"
                if unit == "month" and (days > 1500 or rate * length < _MIN_ROWS_PER_PERIOD) and days > 800
                else unit
            )
    return None


def _last_complete(unit: Unit, high: date) -> Days:
    """The last period that the data cover completely."""
    first, last = bucket(unit, high)
    return (first, last) if high >= last else bucket(unit, first - timedelta(days=1))
