"""Statistics of the columns of a table from a few aggregate statements: rows, NULLs, extremes, distinct values.

Statements are plain SQL that SQLite, DuckDB, PostgreSQL and MySQL share; sqlglot translates it for other engines. If a
statement fails, the samples of the schema are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct

from kbtui.domain.analysis import Column, Table
from kbtui.errors import Cancelled

Rows = Sequence[Sequence[Any]]
Ask = Callable[[str], Rows]
"""Runs a statement over the source and returns its rows; raises a KbtuiError if it fails or takes too long."""
AskEach = Callable[[Sequence[str], float, int], Sequence[Rows | None]]
"""Runs several statements: their rows, None for each that fails or takes too long. Arguments are the statements, the
seconds after which no further one is begun, and how many are begun anyway; raises a KbtuiError if the source fails.
"""
Result = TypeVar("Result")
Asking = Generator[str, Any, Result]
"""Yields statements, receives the rows of each (see `in_rounds`) and returns a result."""

ROWS: Final = 50_000
"""Rows of a table that are read, at most."""
SAMPLED_ROWS: Final = 1000
"""Rows of a sample, by which columns with too many values to list are found; more than twice `VALUES`."""
SMALL: Final = 2 * SAMPLED_ROWS
"""Rows up to which the values of a table are listed without a sample."""
VALUES: Final = 500
"""Distinct values of a column that are kept, at most."""
_COLUMNS_PER_STATEMENT: Final = 60
_LISTS_PER_STATEMENT: Final = 16
_LONG: Final = 10_000
"""Rows from which fewer columns are listed by one statement, so that none is lost to the time limit of the others."""
_LISTS_OF_LONG_TABLES: Final = 3
_BACKTICKS: Final = frozenset({"mysql", "doris", "starrocks", "hive", "spark", "databricks", "bigquery", "clickhouse"})
_PORTABLE: Final = frozenset({"sqlite", "duckdb", "postgres", "mysql"})
_NUMERIC: Final = ("integer", "number")
_DATES: Final = ("date", "datetime")


class ColumnStatistics(Struct):
    """Statistics of one column.

    Attributes:
        rows: Rows read; 0 if no statement succeeded.
        filled: Rows with a value among them.
        distinct: Number of distinct values; None if not counted.
        low: Minimum; None if unknown.
        high: Maximum; None if unknown.
        values: Values with their numbers of rows, most frequent first; samples with 0 if no statement succeeded.
        complete: Whether ``values`` are all distinct values of the rows read.
    """

    rows: int = 0
    filled: int = 0
    distinct: int | None = None
    low: Any = None
    high: Any = None
    values: tuple[tuple[Any, int], ...] = ()
    complete: bool = False


class Source(Struct):
    """Runs statements over a source, one at a time or several at once, and quotes names."""

    dialect: str
    ask: Ask | None
    ask_each: AskEach | None = None
    _schemas: bool = True

    def __post_init__(self) -> None:
        self._schemas = self.dialect != "sqlite"

    def quoted(self, name: str) -> str:
        """A quoted column name."""
        mark = "`" if self.dialect in _BACKTICKS else '"'
        return mark + name.replace(mark, mark * 2) + mark

    def table(self, name: str) -> str:
        """A quoted table name with its schema."""
        return ".".join(map(self.quoted, name.split(".") if self._schemas else (name,)))

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        """The rows of a statement; empty if it fails.

        Raises:
            Cancelled: The user stopped the run.
        """
        if self.ask is None:
            return ()
        try:
            return self.ask(self._translated(sql)) or ()
        except Cancelled:
            raise
        except Exception:  # noqa: BLE001 - drivers raise all kinds of errors; samples are used then
            return ()

    def rows_of_each(self, statements: Sequence[str]) -> list[Rows]:
        """The rows of each statement; empty for each that fails.

        Raises:
            Cancelled: The user stopped the run.
        """
        if self.ask_each is None:
            return [self.rows(sql) for sql in statements]
        try:
            results = self.ask_each([self._translated(sql) for sql in statements], 0.0, len(statements))
        except Cancelled:
            raise
        except Exception:  # noqa: BLE001 - as in `rows`
            results = ()
        return [rows or () for rows in results] + [()] * (len(statements) - len(results))

    def _translated(self, sql: str) -> str:
        if self.dialect in _PORTABLE:
            return sql
        import sqlglot

        read = "mysql" if self.dialect in _BACKTICKS else "postgres"
        return sqlglot.transpile(sql, read=read, write=self.dialect)[0]


def in_rounds(source: Source, asking: Mapping[str, Asking[Result]]) -> dict[str, Result]:
    """The results of several generators of statements, whose statements are sent together in each round.

    Raises:
        Cancelled: The user stopped the run.
    """
    results: dict[str, Result] = {}
    answers: dict[str, Rows | None] = dict.fromkeys(asking)
    while answers:
        statements: dict[str, str] = {}
        for name, rows in answers.items():
            try:
                statements[name] = asking[name].send(rows)
            except StopIteration as stop:
                results[name] = stop.value
        answers = dict(zip(statements, source.rows_of_each(list(statements.values())), strict=True))
    return {name: results[name] for name in asking}


def from_samples(table: Table) -> dict[str, ColumnStatistics]:
    """Statistics from the samples of the schema alone."""
    return {column.name: ColumnStatistics(values=tuple((v, 0) for v in column.samples)) for column in table.columns}


def figures(source: Source, table: Table, counted: Iterable[str]) -> Asking[dict[str, ColumnStatistics]]:
    """Rows, filled rows and extremes of every column; numbers of distinct values for the columns ``counted``."""
    result = from_samples(table)
    columns = [column for column in table.columns if column.kind != "other" or column.samples]
    count = frozenset(counted)
    for start in range(0, len(columns), _COLUMNS_PER_STATEMENT):
        yield from _figures(source, table, columns[start : start + _COLUMNS_PER_STATEMENT], count, result)
    return result


def _figures(
    source: Source,
    table: Table,
    columns: Sequence[Column],
    counted: frozenset[str],
    result: dict[str, ColumnStatistics],
) -> Asking[None]:
    parts: list[str] = ["COUNT(*)"]
    slots: list[tuple[str, str]] = []
    for column in columns:
        name = source.quoted(column.name)
        parts.append(f"COUNT({name})")
        slots.append((column.name, "filled"))
        if column.kind in (*_NUMERIC, *_DATES):
            parts.extend((f"MIN({name})", f"MAX({name})"))
            slots.extend(((column.name, "low"), (column.name, "high")))
        elif column.kind == "boolean":
            parts.append(f"SUM(CASE WHEN {name} THEN 1 ELSE 0 END)")
            slots.append((column.name, "true"))
        if column.name in counted:
            parts.append(f"COUNT(DISTINCT {name})")
            slots.append((column.name, "distinct"))
    rows = yield (f"SELECT {', '.join(parts)} FROM {_limited_table(source, table, columns)}")  # noqa: S608 - quoted names
    if not rows or len(rows[0]) != len(parts):
        return
    total = int(rows[0][0] or 0)
    for (name, field), value in zip(slots, rows[0][1:], strict=True):
        statistics = result[name]
        statistics.rows = total
        if field == "true":
            true = int(value or 0)
            statistics.values = tuple((v, n) for v, n in ((True, true), (False, statistics.filled - true)) if n)
            statistics.complete, statistics.distinct = True, len(statistics.values)
        else:
            setattr(statistics, field, value)


def sample(source: Source, table: Table, names: Sequence[str]) -> Asking[dict[str, list[Any]]]:
    """Non-NULL values of the columns ``names`` in the first rows; empty if the statement fails."""
    if not names:
        return {}
    select_list = ", ".join(map(source.quoted, names))
    rows = yield (f"SELECT {select_list} FROM {source.table(table.name)} LIMIT {SAMPLED_ROWS}")  # noqa: S608
    return {name: [row[place] for row in rows if row[place] is not None] for place, name in enumerate(names)}


def keep_sample(statistics: ColumnStatistics, values: Sequence[Any]) -> None:
    """Set values and distinct values of a column from a sample, if it has too many values to list."""
    counts = Counter(values)
    statistics.values = tuple(counts.most_common(VALUES))
    if statistics.distinct is None:
        statistics.distinct = round(statistics.filled * len(counts) / len(values))


def _limited_table(source: Source, table: Table, columns: Sequence[Column]) -> str:
    """The table, or a derived table of its first rows if it may be too large."""
    if table.row_estimate is not None and table.row_estimate <= ROWS and not table.is_view:
        return source.table(table.name)
    names = ", ".join(source.quoted(column.name) for column in columns)
    return f"(SELECT {names} FROM {source.table(table.name)} LIMIT {ROWS}) AS some_rows"  # noqa: S608


def list_values(
    source: Source, table: Table, names: Sequence[str], by_column: dict[str, ColumnStatistics]
) -> Asking[None]:
    """Set the distinct values of the columns ``names``, most frequent first."""
    columns = [column for column in table.columns if column.name in names and column.kind != "boolean"]
    is_long = any(by_column[column.name].rows > _LONG for column in columns)
    step = _LISTS_OF_LONG_TABLES if is_long else _LISTS_PER_STATEMENT
    for start in range(0, len(columns), step):
        yield from _list_values(source, table, columns[start : start + step], by_column)


def _list_values(
    source: Source, table: Table, columns: Sequence[Column], by_column: dict[str, ColumnStatistics]
) -> Asking[None]:
    selects = []
    for position, column in enumerate(columns):
        name = source.quoted(column.name)
        # A UNION needs one type; only SQLite keeps the type of each value.
        shown = name if source.dialect == "sqlite" else f"CAST({name} AS {_TEXT_TYPES.get(source.dialect, 'VARCHAR')})"
        rows_source = _limited_table(source, table, [column])
        counts = "COUNT(*) AS n, COUNT(*) OVER () AS d"
        # Spark can only sort a windowed SELECT by its columns.
        order = "n DESC, v" if source.dialect == "spark" else f"COUNT(*) DESC, {name}"
        grouped = (
            f"SELECT {position} AS i, {shown} AS v, {counts} FROM {rows_source} WHERE {name} IS NOT NULL "  # noqa: S608
            f"GROUP BY {name} ORDER BY {order} LIMIT {VALUES + 1}"
        )
        selects.append(f"SELECT * FROM ({grouped}) AS c{position}")  # noqa: S608
    values_by_column: list[list[tuple[Any, int]]] = [[] for _ in columns]
    rows = yield " UNION ALL ".join(selects)
    if not rows:
        return
    for position, value, count, distinct in rows:
        by_column[columns[int(position)].name].distinct = int(distinct)
        values_by_column[int(position)].append((_converted(value, columns[int(position)]), int(count)))
    for column, values in zip(columns, values_by_column, strict=True):
        statistics = by_column[column.name]
        statistics.complete = len(values) <= VALUES
        statistics.values = tuple(values[:VALUES])
        statistics.distinct = statistics.distinct or 0


_TEXT_TYPES: Final = {"mysql": "CHAR"}


def _converted(value: Any, column: Column) -> Any:
    """A value that was cast to text, in the type of its column."""
    if not isinstance(value, str) or column.kind not in _NUMERIC:
        return value
    try:
        return int(value) if column.kind == "integer" else float(value)
    except ValueError:
        return value


def contained(source: Source, left: tuple[str, str], right: tuple[str, str]) -> float | None:
    """Share of the distinct values of a column that occur in another one, 0 to 1; None if unknown.

    Args:
        left: Table and column.
        right: Table and key that the column may refer to.
    """
    column, key = source.quoted(left[1]), source.quoted(right[1])
    values = f"SELECT DISTINCT {column} AS v FROM {source.table(left[0])} WHERE {column} IS NOT NULL LIMIT {VALUES}"  # noqa: S608
    keys = f"SELECT DISTINCT {key} AS v FROM {source.table(right[0])} WHERE {key} IS NOT NULL LIMIT {ROWS}"  # noqa: S608
    matched = "SELECT COUNT(*), SUM(CASE WHEN k.v IS NULL THEN 0 ELSE 1 END)"
    (rows,) = source.rows_of_each([f"{matched} FROM ({values}) AS m LEFT JOIN ({keys}) AS k ON m.v = k.v"])
    if not rows or not rows[0][0]:
        return None
    return float(rows[0][1] or 0) / float(rows[0][0])
