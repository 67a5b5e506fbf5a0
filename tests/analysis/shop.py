"""A small shop to ask: a real SQLite file, a counting source over it, and writers and charts that follow a script."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from kbtui.analysis.context import AnalysisContext, Charts, ManagedData
from kbtui.analysis.run import run_analysis
from kbtui.analysis.schema_manager import SchemaManager
from kbtui.data.sources import open_source
from kbtui.domain.analysis import (
    Classified,
    Limits,
    ProposedStep,
    QuerySource,
    Reading,
    Readings,
    ResultTable,
    Schema,
    SchemaLevel,
    SqlWriter,
)
from kbtui.domain.events import AnswerCompleted, Event, PlanStep, RequestType
from kbtui.domain.ports import CancelToken, RunSummary
from kbtui.settings.model import Settings
from kbtui.settings.sources import DataSource
from kbtui.tools import ToolContext, build_tools, run_by_name

E = TypeVar("E", bound=Event)

START = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

SCHEMA = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total REAL, placed_on TEXT
);
INSERT INTO customers VALUES (1, 'Ada', 'Oslo'), (2, 'Bo', 'Malmö'), (3, '张伟', 'Oslo'), (4, 'Dara', NULL);
INSERT INTO orders VALUES
    (1, 1, 10, '2025-01-03'), (2, 1, 20, '2025-02-04'), (3, 2, 25, '2025-02-05'), (4, 3, 45, '2026-01-06'),
    (5, 3, NULL, '2026-03-01');
"""


def make_shop(path: Path) -> Path:
    """The shop's database at ``path``."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(SCHEMA)
    connection.close()
    return path


def change(path: Path, statement: str) -> None:
    """Run a statement on the file, as another program would."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def move(self, **amount: float) -> None:
        self.now += timedelta(**amount)


class CountingSource:
    """A source that remembers what it was asked."""

    def __init__(self, inner: QuerySource) -> None:
        self._inner = inner
        self.schema_calls: list[tuple[SchemaLevel, tuple[str, ...] | None]] = []
        self.statements: list[str] = []

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dialect(self) -> str:
        return self._inner.dialect

    def fingerprint(self) -> str:
        return self._inner.fingerprint()

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        self.schema_calls.append((level, None if table_names is None else tuple(table_names)))
        return self._inner.schema(level, table_names)

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        self.statements.append(sql)
        return self._inner.run(sql, limits, cancel)

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        self.statements.extend(statements)
        return self._inner.run_each(statements, limits, seconds=seconds, enough=enough)

    def explain(self, sql: str) -> None:
        self._inner.explain(sql)

    def close(self) -> None:
        self._inner.close()


def shop_source(folder: Path, name: str = "shop", guard: Any = None) -> CountingSource:
    """The shop; what the guard refuses and rewrites is tested with the guard, else statements stay as written."""
    path = folder / f"{name}.db"
    if not path.exists():
        make_shop(path)
    return CountingSource(open_source(DataSource(name=name, location=str(path)), guard=guard))


def reading(sql: str, says: str = "", *, kind: str = "detail", confidence: float = 0.9, **more: Any) -> Reading:
    """One reading, as sure as most."""
    return Reading(sql=sql, query_kind=kind, confidence=confidence, says=says or sql, **more)  # type: ignore[arg-type]


@dataclass
class ScriptedWriter:
    """Knows some questions by a part of them; what failed is not offered again."""

    script: Mapping[str, Sequence[Reading]]
    asked: list[str] = field(default_factory=list)
    failures: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    offers_failed: bool = False
    objections: tuple[str, ...] = ()

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        self.asked.append(question)
        self.failures.append(tuple(failed))
        tried = {sql for sql, _ in failed}
        for part, found in self.script.items():
            if part in question:
                left = tuple(each for each in found if self.offers_failed or each.sql not in tried)
                return Readings(readings=left, objections=self.objections)
        return Readings(unlinked=tuple(question.split()[:2]))


@dataclass
class Recorded:
    """Durations in memory."""

    values: dict[str, list[float]] = field(default_factory=dict)

    def add(self, key: str, duration_ms: float) -> None:
        self.values.setdefault(key, []).append(duration_ms)

    def median(self, key: str) -> float | None:
        found = sorted(self.values.get(key, ()))
        return found[len(found) // 2] if found else None


def counted(rows: Sequence[Sequence[Any]], *columns: str, **more: Any) -> ResultTable:
    """A result of those rows."""
    table = ResultTable(columns=columns, rows=tuple(tuple(row) for row in rows), row_count=len(rows))
    return replace(table, **more)


def ask(question: str, *uses: int, tool: str = "execute_sql") -> ProposedStep:
    """A question of a proposed plan."""
    return ProposedStep(tool=tool, question=question, title=question, uses=uses)


def calculate(name: str, *uses: int) -> ProposedStep:
    """A calculation of a proposed plan."""
    return ProposedStep(tool="python_executor", title=name, calculation=name, uses=uses)


@dataclass
class Proposes:
    """Proposes the same steps each time, and remembers what it was shown."""

    steps: tuple[ProposedStep, ...]
    shown: list[tuple[str, RequestType, Schema, tuple[PlanStep, ...]]] = field(default_factory=list)

    def propose(
        self,
        question: str,
        request_type: RequestType,
        schema: Schema,
        start: Sequence[PlanStep],
        calculations: Mapping[str, str],
    ) -> tuple[ProposedStep, ...]:
        self.shown.append((question, request_type, schema, tuple(start)))
        return self.steps


@dataclass
class Desk:
    """Everything an analysis needs, over real tools, and what it stated."""

    context: AnalysisContext
    sources: dict[str, CountingSource]
    clock: Clock
    durations: Recorded
    cancel: CancelToken
    events: list[Event] = field(default_factory=list)
    summary: RunSummary = field(default_factory=RunSummary)

    def ask(self, query: str, kind: str = "data_query", **details: Any) -> AnswerCompleted:
        """One question of that type; what it stated is in ``events``."""
        self.events.clear()
        source = details.pop("source", "")
        classified = Classified(request_type=kind, source=source, details=details)  # type: ignore[arg-type]
        self.summary = run_analysis(query, classified, self.context, self.events.append, self.cancel)
        (answer,) = self.of(AnswerCompleted)
        return answer

    def propose(self, *steps: ProposedStep) -> Proposes:
        """Plan every analysis from now on as those steps."""
        proposes = Proposes(steps)
        self.context = replace(self.context, plan_writer=proposes)
        return proposes

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def statements(self) -> list[str]:
        return [sql for source in self.sources.values() for sql in source.statements]


def make_desk(folder: Path, writer: SqlWriter, *names: str, charts: Charts | None = None) -> Desk:
    """A desk over shops of those names, kept in ``folder``."""
    clock, durations, cancel = Clock(), Recorded(), CancelToken()
    sources = {name: shop_source(folder, name) for name in names or ("shop",)}
    manager = SchemaManager(sources, folder / "schemas", clock)
    data = ManagedData(manager)
    tools = build_tools(ToolContext(knowledge=cast(Any, None), settings=Settings(), cancel=cancel, data=data))

    context = AnalysisContext(
        schema_manager=manager,
        sql_writer=writer,
        call_tool=partial(run_by_name, tools),
        charts=charts,
        durations=durations,
    )
    return Desk(context=context, sources=sources, clock=clock, durations=durations, cancel=cancel)
