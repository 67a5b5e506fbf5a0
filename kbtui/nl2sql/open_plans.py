"""Plans the statements that answer an open request: the figure, the period before, the parts that changed it."""

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
from kbtui.question.open_requests import Direction, Intent
from kbtui.text.language import Language

Role = Literal["level", "course", "parts", "moved", "within"]
"""``level``: the figure itself; ``course``: over time; ``parts``: by a dimension; ``moved``: by a dimension, compared
with the days before; ``within``: by two dimensions.
"""

_MAX_STEPS: Final = 6
_MAX_FIGURES: Final = 3
_COURSE: Final = 13
"""Number of periods of a course, including the current one."""
_CHANGE: Final = ("change", "变化")
_SHARE: Final = ("share %", "占比%")

State = Callable[[Query, Sequence[str]], Reading | None]
"""Makes a reading of a query with headers for its columns; None if no keys join its tables."""


class OpenStep(Struct, frozen=True, kw_only=True):
    """One statement of a plan.

    Attributes:
        dimension: The dimension of its groups, in words; empty for none.
        names: Number of columns that identify the group of a row; figures follow them.
    """

    role: Role
    reading: Reading
    dimension: str = ""
    names: int = 0


class OpenPlan(Struct, frozen=True, kw_only=True):
    """The statements for an open request.

    Attributes:
        figure: The figure, in words.
        adds: Whether it is additive, so that groups have shares of it.
        now: The days of the request, in words; empty for all.
        before: The days they are compared with, in words.
        held: The days that the data cover, in words.
        until: The last day of the data, if it lies inside the requested period.
        moved: Whether the period lies years before the usual meaning of the words, for which there are no data.
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
    """The plan for a request; None if its first statement cannot be made."""
    maker = _Planner(subject, catalogue, language)
    steps: list[OpenStep] = []
    for role, query, headers, dimension in maker.statements():
        reading = state(query, headers)
        if reading is None:
            if not steps:
                return None
            continue
        names = len(dimension.shown) if dimension is not None else 0
        label = maker.label(dimension) if dimension is not None else ""
        steps.append(OpenStep(role=role, reading=replace(reading, confidence=1.0), dimension=label, names=names))
        if len(steps) == _MAX_STEPS:
            break
    if not steps:
        return None
    words = Words(catalogue, int(language == "zh"))
    return OpenPlan(
        intent=subject.request.intent,
        figure=maker.figure,
        steps=tuple(steps),
        adds=subject.figure.fn in ("sum", "count") and not subject.figure.distinct,
        direction=subject.request.direction,
        now=words.period(*subject.now) if subject.now is not None else "",
        before=words.period(*subject.before) if subject.before is not None else "",
        held=words.period(*subject.data_range) if subject.data_range is not None else "",
        until=subject.now[1] if subject.cut and subject.now is not None else None,
        moved=bool(subject.moved),
    )


_PlannedStatement = tuple[Role, Query, tuple[str, ...], "Dimension | None"]


class _Planner:
    def __init__(self, subject: Subject, catalogue: Catalogue, language: Language) -> None:
        self._subject = subject
        self._catalogue = catalogue
        self._language: Language = language
        self._zh = int(language == "zh")
        self._words = Words(catalogue, self._zh)
        self.figure = headers_of(Query((subject.figure,)), catalogue, language)[0]

    def label(self, dimension: Dimension) -> str:
        """A dimension in words."""
        query = Query(dimension.shown)
        headers = headers_of(query, self._catalogue, self._language)
        parts = [
            name or (self._words.unique(item.ref) if isinstance(item, Col) else "")
            for name, item in zip(headers, dimension.shown, strict=True)
        ]
        return ("、" if self._zh else ", ").join(filter(None, parts))

    def statements(self) -> Iterator[_PlannedStatement]:
        """The statements in order, each with its role, the headers of its columns and its dimension."""
        match self._subject.request.intent:
            case "change":
                yield from self._change()
            case "compare" if self._subject.dimensions:
                yield from self._comparison(self._subject.dimensions[0])
            case _:
                yield from self._report()

    # ---- why it moved ----

    def _change(self) -> Iterator[_PlannedStatement]:
        subject = self._subject
        if subject.now is None or subject.before is None or subject.dates is None:
            return
        yield "level", self._compared(()), self._sides(()), None
        if (course := self._course(subject.now)) is not None:
            yield course
        for dimension in subject.dimensions:
            yield "moved", self._compared(dimension.shown, dimension), self._sides(dimension.shown), dimension

    def _compared(self, shown: tuple[Expr, ...], dimension: Dimension | None = None) -> Query:
        """The figure in the requested days, in the days before, and the difference."""
        subject = self._subject
        assert subject.now is not None
        assert subject.before is not None
        now, before = self._during(subject.now), self._during(subject.before)
        sides = [structs.replace(subject.figure, where=(days,)) for days in (now, before)]
        difference = Arith("-", *sides)
        both_periods = AnyOf((now, before))
        return Query(
            select=(*shown, *sides, difference),
            where=(*subject.where, both_periods) if dimension is not None else subject.where,
            group=dimension.keys if dimension is not None else (),
            order=(Order(difference, desc=subject.request.direction != "down"),) if dimension is not None else (),
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

    def _course(self, days: Days | None) -> _PlannedStatement | None:
        """The figure by period, up to the requested days; None without dates."""
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

        if self._subject.request.intent != "change":
            return days[0]
        months = {"month": 1, "quarter": 3, "year": 12}.get(self._subject.unit or "", 0)
        first = days[0].replace(day=1) if months else days[0]
        if months:
            return add_months(first, -months * (_COURSE - 1))
        return add_days(first, -(_COURSE - 1) * (7 if self._subject.unit == "week" else 1))

    # ---- reports and comparisons ----

    def _report(self) -> Iterator[_PlannedStatement]:
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

    def _comparison(self, dimension: Dimension) -> Iterator[_PlannedStatement]:
        subject = self._subject
        measure = next((c for c in subject.table.columns if Col(c.ref) == subject.figure.arg), None)
        averages = (Agg("avg", Col(measure.ref)),) if measure is not None and subject.figure.fn == "sum" else ()
        row_count = rows_of_table(subject.table)
        figures = tuple(dict.fromkeys((subject.figure, row_count, *averages)))
        yield "parts", *self._parts(dimension, figures), dimension
        if subject.now is not None and subject.before is not None and subject.dates is not None:
            yield "moved", self._compared(dimension.shown, dimension), self._sides(dimension.shown), dimension
        fixed = {ref.table for key in dimension.keys for ref in refs_of(key)} - {subject.table.name}
        for other in subject.dimensions[1:]:
            # Other columns of the compared things have one value for each of them.
            if other.values > FEW or fixed & {ref.table for key in other.keys for ref in refs_of(key)}:
                continue
            combined = Dimension(keys=(*dimension.keys, *other.keys), shown=(*dimension.shown, *other.shown))
            query, headers = self._parts(combined, (subject.figure,), per=dimension)
            yield "within", query, headers, combined

    def _parts(
        self, dimension: Dimension, figures: tuple[Agg, ...], per: Dimension | None = None
    ) -> tuple[Query, tuple[str, ...]]:
        """The figure by a dimension, with shares of the total if it is additive, and the headers."""
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
        """The figure, the number of rows, and further measures of the table."""
        subject = self._subject
        figures = dict.fromkeys((subject.figure, rows_of_table(subject.table)))
        first = main_measure(subject.table)
        columns = [column for column in subject.table.columns if is_numeric(column)]
        columns.sort(key=lambda column: (column != first, column.kind != "measure"))
        figures |= dict.fromkeys(Agg(default_function(column), Col(column.ref)) for column in columns)
        return tuple(figures)[: _MAX_FIGURES + 1]
