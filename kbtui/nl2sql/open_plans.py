"""The statements that answer an open request, one after the other: how much, what before, which parts moved it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Final, Literal

from msgspec import Struct, structs
from msgspec.structs import replace

from kbtui.domain.analysis import Reading
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.conditions import period_cond
from kbtui.nl2sql.figures import default_function, is_numeric
from kbtui.nl2sql.headers import headers_of
from kbtui.nl2sql.open_requests import FEW, Days, Dimension, Subject, main_measure, rows_of_table
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Order, Over, Part, Query, percent, refs_of
from kbtui.nl2sql.words import Words
from kbtui.question.open_words import Direction, Intent
from kbtui.text.language import Language

Role = Literal["level", "course", "parts", "moved", "within"]
"""``level``: the figure itself; ``course``: over time; ``parts``: by what rows are set apart by, ``moved`` with the
days before beside it; ``within``: of each part, what it is made of."""

_MOST_STEPS: Final = 6
_MOST_FIGURES: Final = 3
_COURSE: Final = 13
"""Periods before and with the one that is looked at."""
_CHANGE: Final = ("change", "变化")
_SHARE: Final = ("share %", "占比%")

State = Callable[[Query, Sequence[str]], Reading | None]
"""A statement as a reading, with headers for its columns; None where no keys join its tables."""


class OpenStep(Struct, frozen=True, kw_only=True):
    """One statement of a plan.

    Attributes:
        dimension: What it sets rows apart by, in words.
        names: How many columns say which part a row is about; figures stand behind them.
    """

    role: Role
    reading: Reading
    dimension: str = ""
    names: int = 0


class OpenPlan(Struct, frozen=True, kw_only=True):
    """What is asked of the data for an open request.

    Attributes:
        figure: What is followed, in words.
        adds: It adds up, so that parts have shares of it.
        now: The days that are looked at, in words; empty for all there are.
        before: Those they are compared with.
        held: The days that the data are of.
        until: The last day of the data, where they end inside of the period that is named.
        moved: The period lies years before the one that the words say, which holds no data.
    """

    intent: Intent
    figure: str
    steps: tuple[OpenStep, ...]
    adds: bool = True
    direction: Direction = ""
    now: str = ""
    before: str = ""
    held: str = ""
    until: date | None = None
    moved: bool = False


def plan_of(subject: Subject, catalogue: Catalogue, language: Language, state: State) -> OpenPlan | None:
    """The plan for a request; None where its first statement cannot be made."""
    maker = _Maker(subject, catalogue, language)
    steps: list[OpenStep] = []
    for role, query, headers, dimension in maker.statements():
        reading = state(query, headers)
        if reading is None:
            if not steps:
                return None
            continue
        names = len(dimension.shown) if dimension is not None else 0
        said = maker.said(dimension) if dimension is not None else ""
        steps.append(OpenStep(role=role, reading=replace(reading, confidence=1.0), dimension=said, names=names))
        if len(steps) == _MOST_STEPS:
            break
    if not steps:
        return None
    words = Words(catalogue, int(language == "zh"))
    return OpenPlan(
        intent=subject.asked.intent,
        figure=maker.figure,
        steps=tuple(steps),
        adds=subject.figure.fn in ("sum", "count") and not subject.figure.distinct,
        direction=subject.asked.direction,
        now=words.period(*subject.now) if subject.now is not None else "",
        before=words.period(*subject.before) if subject.before is not None else "",
        held=words.period(*subject.held) if subject.held is not None else "",
        until=subject.now[1] if subject.cut and subject.now is not None else None,
        moved=bool(subject.moved),
    )


Made = tuple[Role, Query, tuple[str, ...], "Dimension | None"]


class _Maker:
    def __init__(self, subject: Subject, catalogue: Catalogue, language: Language) -> None:
        self._subject = subject
        self._catalogue = catalogue
        self._language: Language = language
        self._zh = int(language == "zh")
        self._words = Words(catalogue, self._zh)
        self.figure = headers_of(Query((subject.figure,)), catalogue, language)[0]

    def said(self, dimension: Dimension) -> str:
        """A dimension in words."""
        query = Query(dimension.shown)
        named = headers_of(query, self._catalogue, self._language)
        parts = [
            name or (self._words.unique(item.ref) if isinstance(item, Col) else "")
            for name, item in zip(named, dimension.shown, strict=True)
        ]
        return ("、" if self._zh else ", ").join(filter(None, parts))

    def statements(self) -> Iterator[Made]:
        """The statements in their order, each with the headers of its columns where they are other ones than usual."""
        match self._subject.asked.intent:
            case "change":
                yield from self._change()
            case "compare" if self._subject.dimensions:
                yield from self._comparison(self._subject.dimensions[0])
            case _:
                yield from self._report()

    # ---- why it moved ----

    def _change(self) -> Iterator[Made]:
        subject = self._subject
        if subject.now is None or subject.before is None or subject.dates is None:
            return
        yield "level", self._compared(()), self._sides(()), None
        if (course := self._course(subject.now)) is not None:
            yield course
        for dimension in subject.dimensions:
            yield "moved", self._compared(dimension.shown, dimension), self._sides(dimension.shown), dimension

    def _compared(self, shown: tuple[Expr, ...], dimension: Dimension | None = None) -> Query:
        """The figure of the days that are looked at, of those before, and the difference."""
        subject = self._subject
        assert subject.now is not None
        assert subject.before is not None
        now, before = self._during(subject.now), self._during(subject.before)
        sides = [structs.replace(subject.figure, where=(days,)) for days in (now, before)]
        difference = Arith("-", *sides)
        either = AnyOf((now, before))
        return Query(
            select=(*shown, *sides, difference),
            where=(*subject.where, either) if dimension is not None else subject.where,
            group=dimension.keys if dimension is not None else (),
            order=(Order(difference, desc=subject.asked.direction != "down"),) if dimension is not None else (),
        )

    def _during(self, days: Days) -> Cond:
        assert self._subject.dates is not None
        return period_cond(Col(self._subject.dates), *days)

    def _sides(self, shown: tuple[Expr, ...]) -> tuple[str, ...]:
        subject = self._subject
        assert subject.now is not None
        assert subject.before is not None
        names = [""] * len(shown)
        return (*names, self._words.period(*subject.now), self._words.period(*subject.before), _CHANGE[self._zh])

    def _course(self, days: Days | None) -> Made | None:
        """The figure from period to period, up to the days that are looked at."""
        subject = self._subject
        if subject.unit is None or subject.dates is None:
            return None
        part = Part(subject.unit, Col(subject.dates))
        where: tuple[Cond | AnyOf, ...] = subject.where
        if days is not None:
            where = (*where, period_cond(Col(subject.dates), self._course_from(days), days[1]))
        query = Query((part, subject.figure), where=where, group=(part,), order=(Order(part),))
        return "course", query, headers_of(query, self._catalogue, self._language), None

    def _course_from(self, days: Days) -> date:
        from kbtui.text.calendar import add_days, add_months

        if self._subject.asked.intent != "change":
            return days[0]
        months = {"month": 1, "quarter": 3, "year": 12}.get(self._subject.unit or "", 0)
        first = days[0].replace(day=1) if months else days[0]
        if months:
            return add_months(first, -months * (_COURSE - 1))
        return add_days(first, -(_COURSE - 1) * (7 if self._subject.unit == "week" else 1))

    # ---- reports and comparisons ----

    def _report(self) -> Iterator[Made]:
        subject = self._subject
        where = self._where()
        figures = self._figures()
        dates = (Agg("min", Col(subject.dates)), Agg("max", Col(subject.dates))) if subject.dates is not None else ()
        level = Query((*figures, *dates), where=where)
        yield "level", level, headers_of(level, self._catalogue, self._language), None
        if (course := self._course(subject.now)) is not None:
            yield course
        for dimension in subject.dimensions:
            yield "parts", *self._parts(dimension, (subject.figure,)), dimension

    def _comparison(self, dimension: Dimension) -> Iterator[Made]:
        subject = self._subject
        measure = next((c for c in subject.table.columns if Col(c.ref) == subject.figure.arg), None)
        each = (Agg("avg", Col(measure.ref)),) if measure is not None and subject.figure.fn == "sum" else ()
        counted = rows_of_table(subject.table)
        figures = tuple(dict.fromkeys((subject.figure, counted, *each)))
        yield "parts", *self._parts(dimension, figures), dimension
        if subject.now is not None and subject.before is not None and subject.dates is not None:
            yield "moved", self._compared(dimension.shown, dimension), self._sides(dimension.shown), dimension
        fixed = {ref.table for key in dimension.keys for ref in refs_of(key)} - {subject.table.name}
        for other in subject.dimensions[1:]:
            # What belongs to the thing itself has one value for each.
            if other.values > FEW or fixed & {ref.table for key in other.keys for ref in refs_of(key)}:
                continue
            both = Dimension(keys=(*dimension.keys, *other.keys), shown=(*dimension.shown, *other.shown))
            query, headers = self._parts(both, (subject.figure,), per=dimension)
            yield "within", query, headers, both

    def _parts(
        self, dimension: Dimension, figures: tuple[Agg, ...], per: Dimension | None = None
    ) -> tuple[Query, tuple[str, ...]]:
        """The figure by a dimension, with the share of each part where it adds up."""
        figure = self._subject.figure
        adds = figure.fn in ("sum", "count") and not figure.distinct
        shares = (percent(Over("share", figure)),) if adds else ()
        order = (Order(figure, desc=True),)
        query = Query(
            select=(*dimension.shown, *figures, *shares),
            where=self._where(),
            group=dimension.keys,
            order=(*(Order(key) for key in per.keys), *order) if per is not None else order,
            per=per.keys if per is not None else (),
        )
        headers = headers_of(query, self._catalogue, self._language)
        return query, (*headers[:-1], _SHARE[self._zh]) if adds else headers

    def _where(self) -> tuple[Cond | AnyOf, ...]:
        subject = self._subject
        return (*subject.where, self._during(subject.now)) if subject.now is not None else subject.where

    def _figures(self) -> tuple[Agg, ...]:
        """The figure, how many rows there are, and what else of them can be added up."""
        subject = self._subject
        found = dict.fromkeys((subject.figure, rows_of_table(subject.table)))
        first = main_measure(subject.table)
        columns = [column for column in subject.table.columns if is_numeric(column)]
        columns.sort(key=lambda column: (column != first, column.kind != "measure"))
        found |= dict.fromkeys(Agg(default_function(column), Col(column.ref)) for column in columns)
        return tuple(found)[: _MOST_FIGURES + 1]
