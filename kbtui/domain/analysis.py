"""The values of an analysis of data: structure of a source, statements, result tables and readings (spec 004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct, field

from kbtui.domain.cancel import CancelToken

if TYPE_CHECKING:
    # Not imported by the worker processes, which only need sources and statements.
    from kbtui.domain.events import PlanStep, RequestType
    from kbtui.domain.routing import Signal

SchemaLevel = Literal["basic", "detailed"]
Dialect = Literal["sqlite", "duckdb", "postgres", "mysql"]
"""Names of sqlglot; sources of other engines carry their sqlglot name."""
ColumnKind = Literal["integer", "number", "text", "date", "datetime", "boolean", "other"]
QueryKind = Literal["aggregation", "join", "filter", "group", "top_n", "detail", "nested", "set"]
"""Expected kind of a planned statement (spec 004, requirement 6.3)."""
ChartKind = Literal["bar", "line", "scatter", "histogram", "pie", "stacked_bar", "grouped_bar"]


class Column(Struct, frozen=True, kw_only=True):
    """One column.

    Attributes:
        type: Type name of the database.
        kind: Kind of its values, whatever the database calls the type.
        comment: Comment in the database; empty where there is none.
        samples: A few distinct values, JSON-safe; empty where none were read.
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
        name: Name in statements, with the schema where it is not the default one: ``sales.orders``.
        row_estimate: Row count from the statistics of the database, else counted; None where neither is cheap.
    """

    name: str
    comment: str = ""
    columns: tuple[Column, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_estimate: int | None = None
    is_view: bool = False

    def column(self, name: str) -> Column | None:
        """The column of that name, ignoring case; None where there is none."""
        return next((column for column in self.columns if column.name.lower() == name.lower()), None)


class Schema(Struct, frozen=True, kw_only=True):
    """The structure of a source at one level.

    Attributes:
        source: Name of the source.
        dialect: SQL dialect of its statements, a name of sqlglot.
        fingerprint: Changes when the structure does.
        cached: Whether it came from the cache.
        notes: Remarks from opening the source, one sentence each: skipped lines, a guessed encoding.
    """

    source: str
    dialect: str
    level: SchemaLevel
    tables: tuple[Table, ...] = ()
    fingerprint: str = ""
    cached: bool = False
    notes: tuple[str, ...] = ()

    def table(self, name: str) -> Table | None:
        """The table of that name, ignoring case; None where there is none."""
        return next((table for table in self.tables if table.name.lower() == name.lower()), None)


class ResultTable(Struct, frozen=True, kw_only=True):
    """The result of a statement or a calculation.

    Attributes:
        rows: JSON-safe scalars: dates as ISO 8601, decimals as numbers, bytes as a short hex text.
        row_count: Number of rows of the result, as far as they were counted; at least ``len(rows)``.
        truncated: Whether a limit left out rows.
        sql: The statement that was run; empty for a calculation.
        source: Name of the source.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    sql: str = ""
    source: str = ""


class Limits(Struct, frozen=True, kw_only=True):
    """Limits of one statement: rows, bytes and seconds."""

    rows: int = 10_000
    bytes: int = 32 << 20
    seconds: float = 30.0


class QuerySource(Protocol):
    """A database or data file, opened read-only."""

    @property
    def name(self) -> str: ...
    @property
    def dialect(self) -> str: ...
    def fingerprint(self) -> str:
        """A value that changes when the structure does; cheap to compute.

        Raises:
            DataSourceError: The source cannot be reached.
        """

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """The structure, read anew: of all tables, or of ``table_names``, in one call.

        Raises:
            DataSourceError: The source cannot be reached, or there is no such table.
        """

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """Run one statement, which is guarded and read-only.

        Raises:
            DataSourceError: It was refused, failed, took too long, or the source is gone.
            Cancelled: ``cancel`` was set; the statement was interrupted in the database.
        """

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """Run statements one after the other; None for one that was refused, failed or took too long.

        Args:
            limits: Limits of each statement.
            seconds: Time after which no further statement is begun; the list is then shorter than ``statements``.
            enough: Number of statements that are begun whatever time has passed.

        Raises:
            DataSourceError: The source cannot be reached, or one statement could not be stopped.
        """

    def explain(self, sql: str) -> None:
        """Let the database plan a statement without running it.

        Raises:
            DataSourceError: The statement would fail.
        """

    def close(self) -> None: ...


class DataAccess(Protocol):
    """Access of the tools to the data sources."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def schema(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """`QuerySource.schema` of a source, from the cache where that is still valid."""

    def run(self, source: str, sql: str, cancel: CancelToken) -> ResultTable:
        """`QuerySource.run` within the limits of the settings.

        Raises:
            DataSourceError: There is no such source, or as in `QuerySource.run`.
            Cancelled: ``cancel`` was set.
        """


class ChartWish(Struct, frozen=True, kw_only=True):
    """The chart that a question asks for, or that suits its answer; columns are given by name.

    ``y`` is empty where rows are counted, ``x`` where the columns of a single row are compared.
    """

    kind: ChartKind
    x: str
    y: tuple[str, ...]
    series: str = ""
    asked: bool = False


class CutPeriod(Struct, frozen=True, kw_only=True):
    """A period, in words, that the data cover only in part: they end on ``day``, or else begin on it."""

    says: str
    day: date
    ends: bool = True


class Reading(Struct, frozen=True, kw_only=True):
    """One interpretation of a question as a statement.

    Attributes:
        sql: One read-only statement in the dialect of the source.
        confidence: Calibrated probability (0 to 1) that the interpretation is correct.
        says: The statement in words, in the language of the question.
        links: The words that were linked to tables, columns and values.
        unlinked: Content words that were not linked.
        truth: Whether a yes or no is asked: a figure other than 0, or rows, mean yes.
        tied: Whether the first row beyond the limit has the same figure as the last row within it.
        cut: Periods in the question that the data cover only in part.
        differs: The different interpretation of another reader, in words; empty where they agree.
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
    """The interpretations of a question over one schema.

    Attributes:
        readings: The interpretations, best first; empty where no word was linked.
        objections: Names of the rules that object to answering with the first one.
    """

    readings: tuple[Reading, ...] = ()
    unlinked: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()

    @property
    def best(self) -> Reading | None:
        return self.readings[0] if self.readings else None


class AnsweredStatement(Struct, frozen=True, kw_only=True):
    """A statement whose rows answered a question, and which a follow-up can change.

    Attributes:
        source: Name of the source.
        says: The statement in words.
        question: The question as it was asked.
        chart: Kind of the chart that was asked for with it; empty where there was none.
    """

    source: str
    sql: str
    says: str = ""
    question: str = ""
    chart: str = ""


class FollowUp(Struct, frozen=True, kw_only=True):
    """A question that changes the statement of the last answer.

    Attributes:
        readings: The changed statement, best first.
        chart: Kind of the chart that it asks for, or keeps; empty where there is none.
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
        """The readings of ``question``; ``failed`` are pairs of a statement tried before and its error."""


class SourceWords(Protocol):
    """Wordings of a source and of statements over it, found without a model."""

    def column(self, table: str, column: str, schema: Schema) -> str:
        """A description of a column in a few words; empty where there is none."""

    def links(self, question: str, schema: Schema) -> tuple[str, ...]:
        """The tables, columns and values that words of the question may stand for."""

    def says(self, sql: str, question: str, schema: Schema) -> tuple[str, tuple[CutPeriod, ...]]:
        """A statement in words, in the language of the question, and its partial periods.

        The words are empty where they cannot be generated.
        """

    def agree(self, sql: str, other: str, schema: Schema) -> bool:
        """Whether two statements are equivalent."""


class ProposedStep(Struct, frozen=True, kw_only=True):
    """One unchecked step of an analysis, as a model proposes it.

    Attributes:
        tool: Name of the tool, as the model wrote it.
        title: The result of the step, in a few words.
        question: The question; ``{n}`` stands for the result of step ``n``, ``{n.top}`` for its first value.
        calculation: Name of the calculation; empty for a question.
        uses: Positions of the steps whose results it uses, counted from 1.
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
        """The proposed steps; empty where ``start`` should be kept.

        Args:
            schema: The structure of the source at the basic level.
            start: The plan of the rules.
            calculations: The available calculations, by name, with their inputs.
        """


class Classified(Struct, frozen=True, kw_only=True):
    """The type of a request (spec 004, requirement 1).

    Attributes:
        quick_path: Whether it can be answered at once, without plan, model or source.
        source: Name of the source it is about; empty where it is not known.
        details: Further results of the classification: ``data`` and ``knowledge`` are the two parts of a mixed request,
            ``structure`` is a question about the structure of a source, and ``folder`` is true where documents answer
            it if there are any.
    """

    request_type: RequestType
    confidence: float = 1.0
    signals: tuple[Signal, ...] = ()
    quick_path: bool = False
    source: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
