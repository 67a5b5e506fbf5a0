"""What an analysis of data is made of: structure of a source, statements, tables, readings of a question (spec 004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct, field

from kbtui.domain.cancel import CancelToken

if TYPE_CHECKING:
    # Not loaded by the worker processes, which know sources and statements alone.
    from kbtui.domain.events import PlanStep, RequestType
    from kbtui.domain.routing import Signal

SchemaLevel = Literal["basic", "detailed"]
Dialect = Literal["sqlite", "duckdb", "postgres", "mysql"]
"""As sqlglot names them; sources of other engines carry their own sqlglot name."""
ColumnKind = Literal["integer", "number", "text", "date", "datetime", "boolean", "other"]
QueryKind = Literal["aggregation", "join", "filter", "group", "top_n", "detail", "nested", "set"]
"""What a planned statement is expected to be (spec 004, requirement 6.3)."""
ChartKind = Literal["bar", "line", "scatter", "histogram", "pie", "stacked_bar", "grouped_bar"]


class Column(Struct, frozen=True, kw_only=True):
    """One column.

    Attributes:
        type: As the engine names it.
        kind: What can be done with it.
        comment: Of the database; empty where it keeps none.
        samples: A few different values, JSON-safe; empty where none were read.
    """

    name: str
    type: str = ""
    kind: ColumnKind = "other"
    is_key: bool = False
    nullable: bool = True
    comment: str = ""
    samples: tuple[Any, ...] = ()


class ForeignKey(Struct, frozen=True, kw_only=True):
    """``columns`` of the table it belongs to refer to ``referred_columns`` of ``referred_table``."""

    columns: tuple[str, ...]
    referred_table: str
    referred_columns: tuple[str, ...]


class Table(Struct, frozen=True, kw_only=True):
    """One table or view; at the basic level it has no columns, and foreign keys only from some engines.

    Attributes:
        name: As a statement must name it, with the schema where it is not the default one: ``sales.orders``.
        row_estimate: From the engine's statistics where it keeps them, else counted; None where neither is cheap.
    """

    name: str
    comment: str = ""
    columns: tuple[Column, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_estimate: int | None = None
    is_view: bool = False

    def column(self, name: str) -> Column | None:
        """The column of that name, whatever its case."""
        return next((column for column in self.columns if column.name.lower() == name.lower()), None)


class Schema(Struct, frozen=True, kw_only=True):
    """The structure of a source at one level.

    Attributes:
        source: The source's name.
        dialect: How its statements are written, as sqlglot names it.
        fingerprint: Changes when the structure does.
        cached: It was not read now.
        notes: What was noticed while the source was opened, in a sentence each: lines left out, an encoding guessed.
    """

    source: str
    dialect: str
    level: SchemaLevel
    tables: tuple[Table, ...] = ()
    fingerprint: str = ""
    cached: bool = False
    notes: tuple[str, ...] = ()

    def table(self, name: str) -> Table | None:
        """The table of that name, whatever its case."""
        return next((table for table in self.tables if table.name.lower() == name.lower()), None)


class ResultTable(Struct, frozen=True, kw_only=True):
    """What a statement or a calculation brought.

    Attributes:
        rows: JSON-safe scalars: dates as ISO 8601, decimals as numbers, bytes as a short hex text.
        row_count: Rows there are, as far as they were counted; at least ``len(rows)``.
        truncated: Rows were left out by a limit.
        sql: The statement as it was run; empty for a calculation.
        source: Name of the source.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    sql: str = ""
    source: str = ""


class Limits(Struct, frozen=True, kw_only=True):
    """What one statement may take."""

    rows: int = 10_000
    bytes: int = 32 << 20
    seconds: float = 30.0


class QuerySource(Protocol):
    """A database or a file of data, opened for reading only."""

    @property
    def name(self) -> str: ...
    @property
    def dialect(self) -> str: ...
    def fingerprint(self) -> str:
        """Cheap; changes when the structure does.

        Raises:
            DataSourceError: The source cannot be reached.
        """
        ...

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """The structure, read now: all tables, or those named, in one go.

        Raises:
            DataSourceError: The source cannot be reached, or there is no such table.
        """
        ...

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """One guarded, read-only statement.

        Raises:
            DataSourceError: It was refused, failed, took too long, or the source is gone.
            Cancelled: ``cancel`` was set; the statement was interrupted in the engine.
        """
        ...

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """Guarded, read-only statements one after the other; None for one that was refused, failed or took too long.

        Args:
            limits: Of each statement.
            seconds: After which no further one is begun; the list is then shorter than ``statements``.
            enough: So many are begun whatever time has passed.

        Raises:
            DataSourceError: The source cannot be reached, or one statement could not be stopped.
        """
        ...

    def explain(self, sql: str) -> None:
        """Let the engine plan the statement without running it.

        Raises:
            DataSourceError: It would fail.
        """
        ...

    def close(self) -> None: ...


class DataAccess(Protocol):
    """What the tools may do with the sources of data there are."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def schema(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """`QuerySource.schema` of a source, from the cache where it is still true."""
        ...

    def run(self, source: str, sql: str, cancel: CancelToken) -> ResultTable:
        """`QuerySource.run` within the limits of the settings; raises the same, also where there is no such source."""
        ...


class ChartWish(Struct, frozen=True, kw_only=True):
    """The chart a question asks for, or one that suits its answer; columns by name.

    ``y`` is empty where rows are counted, ``x`` where the columns of a single row are compared.
    """

    kind: ChartKind
    x: str
    y: tuple[str, ...]
    series: str = ""
    asked: bool = False


class CutPeriod(Struct, frozen=True, kw_only=True):
    """A period, in words, that the data do not fill: they end on ``day``, or else begin on it."""

    says: str
    day: date
    ends: bool = True


class Reading(Struct, frozen=True, kw_only=True):
    """One way to understand a question as a statement.

    Attributes:
        sql: In the source's dialect, one read-only statement.
        confidence: Probability (0 to 1, calibrated) that it is what was meant.
        says: The statement in words, in the question's language.
        links: Which words were taken for which tables, columns and values.
        unlinked: Words that seem to matter and were taken for nothing.
        truth: A yes or no is asked: a figure other than 0, or rows, mean yes.
        tied: The first row behind the limit has the same figure as the last one shown.
        cut: Periods in it that the data do not fill.
        differs: What another reader of the same question came to, in words; empty where there is no difference.
    """

    sql: str
    query_kind: QueryKind
    confidence: float
    says: str = ""
    links: tuple[Signal, ...] = ()
    unlinked: tuple[str, ...] = ()
    chart: ChartWish | None = None
    truth: bool = False
    tied: bool = False
    cut: tuple[CutPeriod, ...] = ()
    differs: str = ""


class Readings(Struct, frozen=True, kw_only=True):
    """How a question can be understood over one schema, best first; none where nothing was linked.

    Attributes:
        objections: Names of the rules that speak against giving the first one as the answer.
    """

    readings: tuple[Reading, ...] = ()
    unlinked: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()

    @property
    def best(self) -> Reading | None:
        return self.readings[0] if self.readings else None


class AnsweredStatement(Struct, frozen=True, kw_only=True):
    """A statement whose rows were an answer: what a follow-up changes.

    Attributes:
        source: Name of the source.
        says: The statement in words.
        question: What it answered, as typed.
        chart: Kind of chart that was asked for with it; empty where none was.
    """

    source: str
    sql: str
    says: str = ""
    question: str = ""
    chart: str = ""


class FollowUp(Struct, frozen=True, kw_only=True):
    """A question that changes the statement before it.

    Attributes:
        readings: What it makes of that statement, best first.
        chart: Kind of chart that it asks for, or keeps; empty where there is none.
    """

    before: AnsweredStatement
    readings: Readings
    chart: str = ""

    @property
    def says(self) -> str:
        """The changed statement in words."""
        return self.readings.best.says if self.readings.best is not None else ""


class SqlWriter(Protocol):
    """Turns a question into statements over a schema."""

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """Readings of ``question``; ``failed`` are statements tried before, each with what was wrong with it."""
        ...


class SourceWords(Protocol):
    """What a source and a question over it are known to mean, without a model."""

    def column(self, table: str, column: str, schema: Schema) -> str:
        """What a column is, in a few words; empty where nothing says."""
        ...

    def links(self, question: str, schema: Schema) -> tuple[str, ...]:
        """What words of the question may stand for."""
        ...

    def says(self, sql: str, question: str, schema: Schema) -> tuple[str, tuple[CutPeriod, ...]]:
        """A statement in words, in the question's language (empty where it cannot be said), and its partial periods."""
        ...

    def agree(self, sql: str, other: str, schema: Schema) -> bool:
        """Whether two statements ask the same."""
        ...


class ProposedStep(Struct, frozen=True, kw_only=True):
    """One step of an analysis as somebody else than the rules would do it; nothing of it has been checked.

    Attributes:
        tool: The tool's name, as it was written.
        title: What it finds, in a few words.
        question: What is asked; ``{n}`` stands for what step ``n`` finds, ``{n.top}`` for the first of that.
        calculation: For a calculation which one; empty for a question.
        uses: Positions of the steps it needs, counted from 1.
    """

    tool: str
    title: str = ""
    question: str = ""
    query_kind: QueryKind | None = None
    calculation: str = ""
    uses: tuple[int, ...] = ()


class PlanWriter(Protocol):
    """Proposes the steps of an analysis."""

    def propose(
        self,
        question: str,
        request_type: RequestType,
        schema: Schema,
        start: Sequence[PlanStep],
        calculations: Mapping[str, str],
    ) -> tuple[ProposedStep, ...]:
        """The steps; none where the plan it starts from should stay.

        Args:
            schema: The names of the tables, at the basic level.
            start: The plan that rules made.
            calculations: What may be calculated over results, by name, and over what.
        """
        ...


class Classified(Struct, frozen=True, kw_only=True):
    """What kind of request it is (spec 004, requirement 1).

    Attributes:
        quick_path: It can be answered at once, without plan, model or source.
        source: Name of the source it is about; empty where that is open.
        details: What else was read: ``data`` and ``knowledge`` are the halves of a request of both, ``structure`` what
            is asked of one, and ``folder`` says that documents answer it where there are any.
    """

    request_type: RequestType
    confidence: float = 1.0
    signals: tuple[Signal, ...] = ()
    quick_path: bool = False
    source: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
