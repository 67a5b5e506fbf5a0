"""What an analysis is given from outside, joined where the program is put together."""

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

SURE_FROM: Final = 0.5
"""Confidence from which a reading is run; below it the nearest ones are offered instead."""

_MOST_CHOICES: Final = 200


class Charts(Protocol):
    """Chooses and makes charts; `kbtui.analysis.charts` is one."""

    def wish(self, question: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> ChartWish | None: ...
    def worth(self, wish: ChartWish, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool: ...
    def build(self, wish: ChartWish, table: ResultTable, *, language: Language = "en") -> tuple[Chart, str]: ...


class ManagedData:
    """The sources as tools may use them: structures through the cache, statements within limits.

    Each source is opened with the guard, which no way to it can leave out.
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
    """A reading that was offered.

    Attributes:
        query: The question it is a reading of.
    """

    reading: Reading
    source: str
    request_type: RequestType
    query: str


class Choices:
    """Readings offered in a sitting, by the words they were offered in: asked in those, a question means just that."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Choice] = OrderedDict()

    def offer(self, choice: Choice) -> str:
        """Remember a reading; the words to choose it by, which are those of no other reading."""
        says = choice.reading.says.strip() or choice.reading.sql
        with self._lock:
            text, number = says, 2
            while (known := self._known.get(_key(text))) is not None and known.reading.sql != choice.reading.sql:
                text, number = f"{says} ({number})", number + 1
            self._known[_key(text)] = choice
            while len(self._known) > _MOST_CHOICES:
                self._known.popitem(last=False)
        return text

    def chosen(self, question: str) -> Choice | None:
        """The reading that was offered in these words."""
        with self._lock:
            return self._known.get(_key(question))

    def readings(self, question: str, schema: Schema) -> Readings | None:
        """The reading that was offered in these words, as what is surely meant; None where none was."""
        choice = self.chosen(question)
        if choice is None or choice.source != schema.source:
            return None
        return Readings(readings=(replace(choice.reading, confidence=1.0, unlinked=()),))

    def classified(self, question: str) -> Classified | None:
        """What kind of request a choice is, which its words alone may not show; None for any other question."""
        choice = self.chosen(question)
        return None if choice is None else Classified(request_type=choice.request_type, source=choice.source)


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?？.。")


class KnownWriter:
    """A writer for questions that were read already; ``inner`` is asked about all else.

    Args:
        known: The readings of a question over a structure; None where it has not been read.
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


class RememberingWriter:
    """A writer for one run, in which no question is read twice: first what its wording suggests is weighed."""

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
    """What one analysis needs from outside.

    Attributes:
        schema_manager: The sources there are, and their structures.
        sql_writer: Turns questions into statements.
        call_tool: Calls a tool by name; raises `KbtuiError` when it cannot.
        charts: Draws; None draws nothing.
        durations: What calls took before.
        choices: What was offered for choosing, kept for the sitting.
        told: Notes on sources that were told in this sitting, each with its source.
        language: To answer in: ``en``, ``zh``, or empty for that of the question.
        terms: Other words that a question may stand for, such as translations: it finds tables by them.
        ask_knowledge: Answers a question from the documents, stating what happens; None where there are none.
        reader: Reads questions where several sources or wordings are compared; ``sql_writer`` where it is None.
        plan_writer: Proposes the steps of an analysis of several steps; None leaves that to the rules.
    """

    schema_manager: SchemaManager
    sql_writer: SqlWriter
    call_tool: Callable[[str, Mapping[str, Any]], ToolOutput]
    charts: Charts | None = None
    durations: Estimates | None = None
    choices: Choices = field(default_factory=Choices)
    told: set[tuple[str, str]] = field(default_factory=set)
    language: str = ""
    terms: Callable[[str], Sequence[str]] = lambda _question: ()
    ask_knowledge: Callable[[str, Emit], RunSummary] | None = None
    sure_from: float = SURE_FROM
    reader: SqlWriter | None = None
    plan_writer: PlanWriter | None = None
