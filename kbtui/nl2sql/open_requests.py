"""What an open request is about: which figure of which rows, over which days, and what it can be set apart by."""

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
from kbtui.question.open_words import OpenQuestion

Days = tuple[date, date]

_COVERS: Final = 12
_MOST_PARTS: Final = 60
"""Different values up to which a column sets the rows apart."""
_MOST_THINGS: Final = 500
"""And things of another table."""
FEW: Final = 25
"""Parts that are told before columns of more."""
_KINDS: Final = ("category", "flag")
_TELLING: Final = (frozenset({"reason"}), frozenset({"type", "category", "subcategory", "topic"}))
"""Concepts of columns that say why rows are there, the clearest first."""
_HELD: Final = 0.6
"""Share of rows that a column may be empty for."""
_OWN: Final = ("category", "flag", "code", "name", "reference")
_BUSY: Final = 5
"""Rows of a period on average from which figures of it are worth comparing."""
_SILENT: Final = frozenset(("per", "and", "only", "ignore", "bucket", "or", "distinct"))


class Dimension(Struct, frozen=True, kw_only=True):
    """What rows are set apart by.

    Attributes:
        keys: The expressions of GROUP BY.
        shown: Those of SELECT.
        values: How many different ones there are.
    """

    keys: tuple[Expr, ...]
    shown: tuple[Expr, ...]
    values: int = 0


class Subject(Struct, frozen=True, kw_only=True):
    """See the module's text.

    Attributes:
        figure: What is followed.
        table: Whose rows it is of.
        where: Conditions that the request names, without its days.
        dates: The date column that the days are of; None where the rows have none.
        now: The days that are looked at; None for all there are.
        before: The days that they are compared with.
        held: The first and the last day of the data.
        cut: Only days so far are looked at, because the data end in the period.
        moved: Years by which the days lie before those that the words say, which hold no data.
        unit: Of the figure over time; None where that says nothing.
    """

    asked: OpenQuestion
    figure: Agg
    table: TableInfo
    where: tuple[Cond | AnyOf, ...] = ()
    dates: Ref | None = None
    now: Days | None = None
    before: Days | None = None
    held: Days | None = None
    cut: bool = False
    moved: int = 0
    unit: Unit | None = None
    dimensions: tuple[Dimension, ...] = ()


def subject_of(asked: OpenQuestion, lattice: Lattice) -> Subject | None:
    """What the request is about; None where a word of it is not understood, or nothing says which rows are meant.

    Args:
        lattice: Of `OpenQuestion.plain`.
    """
    for cover in covers(lattice, _COVERS):
        if cover.skipped:
            continue
        scene = Scene(lattice, cover)
        for draft in drafts(scene):
            found = _subject(asked, scene, draft)
            if found is not None:
                return found
    return None


def _subject(asked: OpenQuestion, scene: Scene, draft: Draft) -> Subject | None:
    measured = _measured(asked, scene, draft)
    if measured is None:
        return None
    figure, table, draft = measured
    named, draft = _named(scene, draft, table)
    near = {table.name, *_around(scene, table.name)}
    left = draft.free(range(len(scene.cover.mentions)))
    silent = [i for i in left if (cue := scene[i].cue) is not None and cue.op in _SILENT]
    spoken = [i for i in left if (ref := scene[i].ref) is not None and ref.column == "*" and ref.table in near]
    if set(left) - set(silent) - set(spoken) - set(draft.periods):
        return None
    dimensions: dict[tuple[Expr, ...], Dimension] = {}
    for one in (*named, *_dimensions(scene, table, draft)):
        dimensions.setdefault(one.keys, one)
    if asked.intent == "compare" and not named and len(draft.periods) > 1:
        # Periods are compared by what moved between them.
        asked = replace(asked, intent="change")
    subject = Subject(
        asked=asked,
        figure=figure,
        table=table,
        where=draft.where,
        dimensions=tuple(dimensions.values()),
        dates=_date(scene, table),
    )
    return _dated(subject, scene, draft)


# ---- the figure ----


def _measured(asked: OpenQuestion, scene: Scene, draft: Draft) -> tuple[Agg, TableInfo, Draft] | None:
    """The figure that is named, else that of the rows that are named: their money, or how many they are."""
    for figure in figures(scene, draft):
        agg = figure.exprs[0]
        if not isinstance(agg, Agg) or len(figure.exprs) > 1 or figure.counts:
            continue
        is_named = all(name != "default_measure" for name, _ in figure.draft.traits)
        if is_named and agg.fn in ("sum", "avg", "count"):
            return agg, scene.table(figure.table), figure.draft
    table = _rows_named(asked, scene)
    if table is None:
        return None
    words = [m for m in scene.tables if (ref := scene[m].ref) is not None and ref.table == table.name]
    asking = draft.free(scene.cues("count", "sum", "how_much"))
    money = main_measure(table) if any(_is_money(scene, index) for index in words) or not words else None
    figure_of = Agg(default_function(money), Col(money.ref)) if money is not None else rows_of_table(table)
    return figure_of, table, draft.using("operator", *asking).using("subject", *words[:1])


def _rows_named(asked: OpenQuestion, scene: Scene) -> TableInfo | None:
    """The table whose rows are meant: one that is named, else one whose rows refer to what is named.

    Things that are compared are told apart by what happens to them.
    """
    named = [scene.table(ref.table) for i in scene.tables if (ref := scene[i].ref) is not None]
    things = asked.intent == "compare"
    for table in named:
        if not things and (table.dates or any(is_numeric(column) for column in table.columns)):
            return table
    spoken = [scene.table(name) for name in scene.mentioned_tables]
    near = [child for table in spoken for child in scene.children(table.name)]
    near += [child for name in near for child in scene.children(name)]
    others = [table for table in (*spoken, *map(scene.table, near)) if table.dates or main_measure(table) is not None]
    return max(others, key=lambda table: table.rows, default=named[0] if named else _main_table(scene))


def _main_table(scene: Scene) -> TableInfo | None:
    """The one table that all is about where nothing is named: what happens, on days, and nothing refers to it."""
    stored = (table for table in scene.catalogue.tables.values() if not table.role_of)
    events = [table for table in stored if table.dates and not scene.children(table.name)]
    if len(events) > 1:
        events = [table for table in events if main_measure(table) is not None]
    return events[0] if len(events) == 1 and not scene.mentioned_tables else None


def _is_money(scene: Scene, index: int) -> bool:
    """Whether the words of a mention stand for an amount: ``sales``, 销售."""
    question, span = scene.lattice.question, scene[index].span
    tokens = question.tokens[span.first : span.last]
    words = ["".join(t.text for t in tokens)] if tokens[0].kind == "han" else [t.norm for t in tokens if t.content]
    return any(is_kind(frozenset((sense.concept,)), "money") for sense in senses_of(words) if sense.holds is None)


def main_measure(table: TableInfo) -> ColumnInfo | None:
    """The measure that rows are added up by: one of money; None where there is none."""
    return next((c for c in table.columns if c.kind == "measure" and is_kind(c.concepts, "money")), None)


def rows_of_table(table: TableInfo) -> Agg:
    """The rows, counted; those of a bill as one."""
    return Agg("count", Col(table.grain), distinct=True) if table.grain else Agg("count", Col(Ref(table.name, "*")))


# ---- what it is set apart by ----


def _around(scene: Scene, name: str) -> Iterator[str]:
    """Tables that rows of this one lead to, one row each: their things, and the things of these."""
    near = scene.parents(name)
    yield from near
    for parent in near:
        yield from scene.parents(parent)


def _named(scene: Scene, draft: Draft, table: TableInfo) -> tuple[tuple[Dimension, ...], Draft]:
    """The dimensions that the request names."""
    found: list[Dimension] = []
    near = {table.name, *_around(scene, table.name)}
    for index in draft.free((*scene.columns, *scene.tables)):
        mention = scene[index]
        ref = mention.ref
        if ref is None or ref.table not in near or mention.order:
            continue
        if ref.column == "*" and (ref.table == table.name or not scene.table(ref.table).naming):
            continue
        info = scene.info(ref)
        if info is not None and (info.kind not in (*_OWN, "key") or info.distinct < 2):
            continue
        keys, shown = identity(scene, ref)
        draft = draft.using("group", index)
        found.append(Dimension(keys=keys, shown=shown, values=0 if info is None else info.distinct))
    return tuple(found), draft


def _dimensions(scene: Scene, table: TableInfo, draft: Draft) -> list[Dimension]:
    """Columns that set the rows of a table apart: reasons first, then kinds, those of few values, its own first."""
    fixed = {cond.left.ref for cond in draft.where if isinstance(cond, Cond) and isinstance(cond.left, Col)}
    found: list[ColumnInfo] = []
    for column in table.columns:
        most = _MOST_THINGS if column.kind == "reference" else _MOST_PARTS
        if column.kind in _OWN and column.distinct <= most and column.distinct * 2 <= max(table.rows, 4):
            found.append(column)
    for name in dict.fromkeys(_around(scene, table.name)):
        naming = scene.table(name).naming
        columns = scene.table(name).columns
        found += [c for c in columns if (c.kind in _KINDS or c.ref in naming) and c.distinct <= _MOST_PARTS]
    found = [c for c in found if c.distinct > 1 and c.nulls <= _HELD and c.ref not in fixed]
    found.sort(key=lambda column: (_tells(column), column.distinct > FEW))
    dimensions = []
    for column in found:
        keys, shown = identity(scene, column.ref)
        if column.kind != "reference" or keys != (Col(column.ref),):
            dimensions.append(Dimension(keys=keys, shown=shown, values=column.distinct))
    return dimensions


def _tells(column: ColumnInfo) -> int:
    """How little the values of a column say about why a row is there."""
    return next((place for place, concepts in enumerate(_TELLING) if concepts & column.concepts), len(_TELLING))


# ---- the days ----


def _date(scene: Scene, table: TableInfo) -> Ref | None:
    return next(scene.dates((table.name, *_around(scene, table.name))), None)


def _dated(subject: Subject, scene: Scene, draft: Draft) -> Subject | None:
    """With the days that are looked at and those before; None where a period is named and no row has a date."""
    info = scene.info(subject.dates) if subject.dates is not None else None
    low, high = days_of(info) if info is not None else (None, None)
    periods = [scene[i].period for i in draft.periods]
    if low is None or high is None:
        return None if periods or subject.asked.intent == "change" else subject
    high = min(high, scene.lattice.question.today)
    rate = subject.table.rows / max(1, (high - low).days)
    subject = replace(subject, held=(low, high), unit=_unit(scene, low, high, rate))
    said = sorted((p.first or low, p.last or high) for p in periods if p is not None)
    if not said:
        if subject.asked.intent != "change":
            return subject
        last = _last_whole(subject.unit or "month", high)
        return replace(subject, now=last, before=_before(last, subject))
    said, moved = _in_data(said, low, high, scene)
    now = said[-1]
    subject = replace(subject, moved=moved, now=now, before=said[0] if len(said) > 1 else None)
    if len(said) == 1:
        subject = replace(subject, before=_before(now, subject))
        missed = (now[1] - high).days
        if now[0] <= high < now[1] and missed * rate >= 1:
            # The same days of the period before, so that as much is compared with as much.
            now = (now[0], high)
            first = subject.before[0] if subject.before is not None else now[0]
            before = (first, min(first + (high - now[0]), now[0] - timedelta(days=1)))
            subject = replace(subject, now=now, before=before, cut=True)
    inside = _unit(scene, now[0], now[1], rate)
    return subject if subject.asked.intent == "change" else replace(subject, unit=inside)


def _before(now: Days, subject: Subject) -> Days:
    return previous_period(*now, "change_year" if subject.asked.yearly else "change")


def _in_data(said: Sequence[Days], low: date, high: date, scene: Scene) -> tuple[list[Days], int]:
    """The periods, in the last year that has data of them where no year is named."""
    from kbtui.text.calendar import add_months

    periods = [m.period for m in scene.cover.mentions if m.period is not None]
    named = any(ch.isdigit() for p in periods for ch in p.words if len(p.words) > 3 and _has_year(p.words))
    years = 0
    while not named and said[-1][0] > high and years < 30:
        years += 1
        said = [(add_months(first, -12), add_months(last, -12)) for first, last in said]
    return list(said), years if said[-1][1] >= low else 0


def _has_year(words: str) -> bool:
    digits = "".join(ch if ch.isdigit() else " " for ch in words).split()
    return any(len(number) == 4 for number in digits)


def _unit(scene: Scene, low: date, high: date, rate: float) -> Unit | None:
    """The period that is named, else the longest of which there are several, and in which enough happens."""
    cue = next((cue for i in scene.cues("bucket") if (cue := scene.operator(i)) is not None), None)
    if cue is not None and "unit" in cue.args:
        unit: Unit = cue.args["unit"]
        return unit
    days = (high - low).days + 1
    for unit, length in (("month", 30), ("week", 7), ("day", 1)):
        if days >= 3 * length and (rate * length >= _BUSY or unit == "month"):
            return "year" if unit == "month" and (days > 1500 or rate * length < _BUSY) and days > 800 else unit
    return None


def _last_whole(unit: Unit, high: date) -> Days:
    """The last period that the data fill."""
    first, last = bucket(unit, high)
    return (first, last) if high >= last else bucket(unit, first - timedelta(days=1))
