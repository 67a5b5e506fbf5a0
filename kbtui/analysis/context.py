"""The dependencies of an analysis."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from kbtui.analysis.analysis_planner import Estimates
from kbtui.analysis.schema_manager import SchemaManager
from kbtui.domain.analysis import (
    ChartWish,
    Classified,
    Limits,
    PlanWriter,
    Reading,
    Readings,
    ResultTable,
    Schema,
    SchemaLevel,
    SqlWriter,
)
from kbtui.domain.events import Chart, RequestType
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.tooling import ToolOutput
from kbtui.text.language import Language

MIN_CONFIDENCE: Final = 0.5
"""Confidence from which a reading is run; below it the nearest readings are offered."""

_MAX_CHOICES: Final = 200


class Charts(Protocol):
    """Chooses and makes charts; `kbtui.analysis.charts` is one."""

    def wish(self, question: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> ChartWish | None: ...
    def is_worth_drawing(self, wish: ChartWish, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool: ...
    def build_chart(self, wish: ChartWish, table: ResultTable, *, language: Language = "en") -> tuple[Chart, str]: ...


class ManagedData:
    """Access to the sources for tools: structures through the cache, statements within limits.

    Each source is opened with the guard, which cannot be bypassed.
    """

    def __init__(self, schemas: SchemaManager, limits: Limits | None = None) -> None:
        self._schemas = schemas
        self._limits = limits or Limits()

    @property
    def names(self) -> tuple[str, ...]:
        """See `DataAccess`."""
        return self._schemas.names

    def schema(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `DataAccess`."""
        return self._schemas.get(source, level, table_names)

    def run(self, source: str, sql: str, cancel: CancelToken) -> ResultTable:
        """See `DataAccess`."""
        opened = self._schemas.source(source)
        cancel.check()
        return opened.run(sql, self._limits, cancel)


class Choice(Struct, frozen=True, kw_only=True):
    """An offered reading.

    Attributes:
        query: The question it is a reading of, by whose words a chart is chosen.
        text: The text to choose it by; that of the reading by default.
    """

    reading: Reading
    source: str
    request_type: RequestType
    query: str
    text: str = ""


class Choices:
    """The readings offered in a session by their texts: a question with that text chooses the reading."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Choice] = OrderedDict()

    def offer(self, choice: Choice) -> str:
        """Record a reading; return a unique text to choose it by."""
        description = choice.text or choice.reading.says.strip() or choice.reading.sql
        with self._lock:
            text, number = description, 2
            while (other := self._known.get(_key(text))) is not None and other.reading.sql != choice.reading.sql:
                text, number = f"{description} ({number})", number + 1
            self._known[_key(text)] = choice
            while len(self._known) > _MAX_CHOICES:
                self._known.popitem(last=False)
        return text

    def chosen(self, question: str) -> Choice | None:
        """The choice that was offered with this text."""
        with self._lock:
            return self._known.get(_key(question))

    def readings(self, question: str, schema: Schema) -> Readings | None:
        """The reading that was offered with this text, with confidence 1; None if there is none."""
        choice = self.chosen(question)
        if choice is None or choice.source != schema.source:
            return None
        return Readings(readings=(replace(choice.reading, confidence=1.0, unlinked=()),))

    def classified(self, question: str) -> Classified | None:
        """The request type of a choice, which its text may not show; None for other questions."""
        choice = self.chosen(question)
        return None if choice is None else Classified(request_type=choice.request_type, source=choice.source)


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?？.。")


class KnownWriter:
    """A writer for questions with known readings; other questions go to ``inner``.

    Args:
        known: Returns the known readings of a question over a structure, or None.
    """

    def __init__(self, known: Callable[[str, Schema], Readings | None], inner: SqlWriter | None = None) -> None:
        self._known = known
        self._inner = inner

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`."""
        found = self._known(question, schema)
        if found is None:
            return Readings() if self._inner is None else self._inner.read(question, schema, failed=failed)
        tried = {sql for sql, _ in failed}
        return replace(found, readings=tuple(reading for reading in found.readings if reading.sql not in tried))


class CachingWriter:
    """A writer that reads each question once in a run; decomposition and execution read the same ones."""

    def __init__(self, inner: SqlWriter) -> None:
        self._inner = inner
        self._known: dict[tuple[object, ...], Readings] = {}

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`."""
        key = (question, schema.source, tuple(table.name for table in schema.tables), tuple(failed))
        if key not in self._known:
            self._known[key] = self._inner.read(question, schema, failed=failed)
        return self._known[key]


class AnalysisContext(Struct, frozen=True, kw_only=True):
    """The dependencies of one analysis.

    Attributes:
        schema_manager: The sources and their structures.
        sql_writer: Turns questions into statements.
        call_tool: Calls a tool by name; raises `KbtuiError` when it cannot.
        charts: Draws charts; None for no charts.
        durations: Recorded durations of calls.
        choices: The readings offered in the session.
        shown_notes: Notes of sources that were shown in the session, as (source, note).
        language: Language of the answer: ``en``, ``zh``, or empty for that of the question.
        terms: Returns further words of a question, such as translations, by which tables are found.
        ask_knowledge: Answers a question from the documents and emits events; None if there are no documents.
        reader: Reads questions where several sources or wordings are compared; ``sql_writer`` where it is None.
        plan_writer: Proposes the steps of an analysis of several steps; None leaves that to the rules.
    """

    schema_manager: SchemaManager
    sql_writer: SqlWriter
    call_tool: Callable[[str, Mapping[str, Any]], ToolOutput]
    charts: Charts | None = None
    durations: Estimates | None = None
    choices: Choices = field(default_factory=Choices)
    shown_notes: set[tuple[str, str]] = field(default_factory=set)
    language: str = ""
    terms: Callable[[str], Sequence[str]] = lambda _question: ()
    ask_knowledge: Callable[[str, Emit], RunSummary] | None = None
    min_confidence: float = MIN_CONFIDENCE
    reader: SqlWriter | None = None
    plan_writer: PlanWriter | None = None
