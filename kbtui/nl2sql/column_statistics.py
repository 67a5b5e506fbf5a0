"""What a few aggregate statements say of the columns of a table: rows, NULLs, extremes, different values.

Every statement is plain SQL that SQLite, DuckDB, PostgreSQL and MySQL share; sqlglot rewrites it for other engines.
A statement that fails leaves what the samples of the schema tell.
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
"""Rows of a statement over the source; raises a KbtuiError when it fails or takes too long."""
AskEach = Callable[[Sequence[str], float, int], Sequence[Rows | None]]
"""Rows of several statements, None for one that fails or takes too long. Given seconds after which no further one is
begun, and how many are begun in any case; raises a KbtuiError when the source does not answer."""
Found = TypeVar("Found")
Asking = Generator[str, Any, Found]
"""Yields statements, is sent the rows of each (see `in_step`), and returns what it found."""

ROWS: Final = 50_000
"""Rows of a table that are looked at."""
SAMPLED_ROWS: Final = 1000
"""Rows that show which columns have too many values to list; more than twice `VALUES` by no accident."""
SMALL: Final = 2 * SAMPLED_ROWS
"""Rows of a table whose values are listed without a look at a sample."""
VALUES: Final = 500
"""Different values of a column that are kept."""
_COLUMNS_AT_ONCE: Final = 60
_LISTED_AT_ONCE: Final = 16
_BACKTICKS: Final = frozenset({"mysql", "doris", "starrocks", "hive", "spark", "databricks", "bigquery", "clickhouse"})
_PORTABLE: Final = frozenset({"sqlite", "duckdb", "postgres", "mysql"})
_NUMERIC: Final = ("integer", "number")
_DATES: Final = ("date", "datetime")


class Measured(Struct):
    """Figures of one column.

    Attributes:
        rows: Rows looked at; 0 where no statement answered.
        filled: Of those, rows with a value.
        distinct: Different values; None where they were not counted.
        values: With their number of rows, most frequent first; the samples with 0 where no statement answered.
        complete: ``values`` are all there are among the rows looked at.
    """

    rows: int = 0
    filled: int = 0
    distinct: int | None = None
    low: Any = None
    high: Any = None
    values: tuple[tuple[Any, int], ...] = ()
    complete: bool = False


class Source(Struct):
    """Where statements go to, one by one or several at one go, and how names are quoted there."""

    dialect: str
    ask: Ask | None
    ask_each: AskEach | None = None
    _schemas: bool = True

    def __post_init__(self) -> None:
        self._schemas = self.dialect != "sqlite"

    def quoted(self, name: str) -> str:
        """A name of a column, as the portable form of a statement has it."""
        mark = "`" if self.dialect in _BACKTICKS else '"'
        return mark + name.replace(mark, mark * 2) + mark

    def table(self, name: str) -> str:
        """A name of a table, with its schema."""
        return ".".join(map(self.quoted, name.split(".") if self._schemas else (name,)))

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        """The rows of a statement; none where it fails.

        Raises:
            Cancelled: The user stopped the run.
        """
        if self.ask is None:
            return ()
        try:
            return self.ask(self._written(sql)) or ()
        except Cancelled:
            raise
        except Exception:  # noqa: BLE001 - whatever a driver raises, the samples of the schema are left
            return ()

    def rows_of_each(self, statements: Sequence[str]) -> list[Rows]:
        """The rows of each statement; none where it fails.

        Raises:
            Cancelled: The user stopped the run.
        """
        if self.ask_each is None:
            return [self.rows(sql) for sql in statements]
        try:
            found = self.ask_each([self._written(sql) for sql in statements], 0.0, len(statements))
        except Cancelled:
            raise
        except Exception:  # noqa: BLE001 - as in `rows`
            found = ()
        return [rows or () for rows in found] + [()] * (len(statements) - len(found))

    def _written(self, sql: str) -> str:
        if self.dialect in _PORTABLE:
            return sql
        import sqlglot

        read = "mysql" if self.dialect in _BACKTICKS else "postgres"
        return sqlglot.transpile(sql, read=read, write=self.dialect)[0]


def in_step(source: Source, asking: Mapping[str, Asking[Found]]) -> dict[str, Found]:
    """What each of several askers finds; in each round the statements of all of them are sent at one go.

    Raises:
        Cancelled: The user stopped the run.
    """
    found: dict[str, Found] = {}
    answers: dict[str, Rows | None] = dict.fromkeys(asking)
    while answers:
        statements: dict[str, str] = {}
        for name, rows in answers.items():
            try:
                statements[name] = asking[name].send(rows)
            except StopIteration as stop:
                found[name] = stop.value
        answers = dict(zip(statements, source.rows_of_each(list(statements.values())), strict=True))
    return {name: found[name] for name in asking}


def from_samples(table: Table) -> dict[str, Measured]:
    """What the schema alone tells."""
    return {column.name: Measured(values=tuple((value, 0) for value in column.samples)) for column in table.columns}


def figures(source: Source, table: Table, counted: Iterable[str]) -> Asking[dict[str, Measured]]:
    """Rows, filled rows and extremes of every column; different values of those ``counted``."""
    result = from_samples(table)
    wanted = [column for column in table.columns if column.kind != "other" or column.samples]
    count = frozenset(counted)
    for start in range(0, len(wanted), _COLUMNS_AT_ONCE):
        yield from _figures(source, table, wanted[start : start + _COLUMNS_AT_ONCE], count, result)
    return result


def _figures(
    source: Source, table: Table, columns: Sequence[Column], counted: frozenset[str], result: dict[str, Measured]
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
    rows = yield (f"SELECT {', '.join(parts)} FROM {_some(source, table, columns)}")  # noqa: S608 - quoted names
    if not rows or len(rows[0]) != len(parts):
        return
    total = int(rows[0][0] or 0)
    for (name, what), value in zip(slots, rows[0][1:], strict=True):
        measured = result[name]
        measured.rows = total
        if what == "true":
            true = int(value or 0)
            measured.values = tuple((v, n) for v, n in ((True, true), (False, measured.filled - true)) if n)
            measured.complete, measured.distinct = True, len(measured.values)
        else:
            setattr(measured, what, value)


def sample(source: Source, table: Table, names: Sequence[str]) -> Asking[dict[str, list[Any]]]:
    """Values of the columns ``names`` in the first rows, without NULL; nothing where the statement fails."""
    if not names:
        return {}
    listed = ", ".join(map(source.quoted, names))
    rows = yield (f"SELECT {listed} FROM {source.table(table.name)} LIMIT {SAMPLED_ROWS}")  # noqa: S608
    return {name: [row[place] for row in rows if row[place] is not None] for place, name in enumerate(names)}


def keep_sample(found: Measured, values: Sequence[Any]) -> None:
    """Fills in what a sample tells of a column with too many values to list."""
    counts = Counter(values)
    found.values = tuple(counts.most_common(VALUES))
    if found.distinct is None:
        found.distinct = round(found.filled * len(counts) / len(values))


def _some(source: Source, table: Table, columns: Sequence[Column]) -> str:
    """The table, or its first rows where there may be more than are looked at."""
    if table.row_estimate is not None and table.row_estimate <= ROWS and not table.is_view:
        return source.table(table.name)
    names = ", ".join(source.quoted(column.name) for column in columns)
    return f"(SELECT {names} FROM {source.table(table.name)} LIMIT {ROWS}) AS some_rows"  # noqa: S608


def list_values(source: Source, table: Table, names: Sequence[str], measured: dict[str, Measured]) -> Asking[None]:
    """Fills in the different values of the columns ``names``, most frequent first."""
    columns = [column for column in table.columns if column.name in names and column.kind != "boolean"]
    for start in range(0, len(columns), _LISTED_AT_ONCE):
        yield from _list_values(source, table, columns[start : start + _LISTED_AT_ONCE], measured)


def _list_values(
    source: Source, table: Table, columns: Sequence[Column], measured: dict[str, Measured]
) -> Asking[None]:
    selects = []
    for position, column in enumerate(columns):
        name = source.quoted(column.name)
        # A UNION wants one type; SQLite alone keeps that of each value.
        shown = name if source.dialect == "sqlite" else f"CAST({name} AS {_TEXT.get(source.dialect, 'VARCHAR')})"
        some = _some(source, table, [column])
        counts = "COUNT(*) AS n, COUNT(*) OVER () AS d"
        grouped = (
            f"SELECT {position} AS i, {shown} AS v, {counts} FROM {some} WHERE {name} IS NOT NULL "  # noqa: S608
            f"GROUP BY {name} ORDER BY COUNT(*) DESC, {name} LIMIT {VALUES + 1}"
        )
        selects.append(f"SELECT * FROM ({grouped}) AS c{position}")  # noqa: S608
    listed: list[list[tuple[Any, int]]] = [[] for _ in columns]
    rows = yield " UNION ALL ".join(selects)
    if not rows:
        return
    for position, value, count, distinct in rows:
        measured[columns[int(position)].name].distinct = int(distinct)
        listed[int(position)].append((_typed(value, columns[int(position)]), int(count)))
    for column, values in zip(columns, listed, strict=True):
        found = measured[column.name]
        found.complete = len(values) <= VALUES
        found.values = tuple(values[:VALUES])
        found.distinct = found.distinct or 0


_TEXT: Final = {"mysql": "CHAR"}


def _typed(value: Any, column: Column) -> Any:
    """A value that was cast to text as its column has it."""
    if not isinstance(value, str) or column.kind not in _NUMERIC:
        return value
    try:
        return int(value) if column.kind == "integer" else float(value)
    except ValueError:
        return value


def contained(source: Source, left: tuple[str, str], right: tuple[str, str]) -> float | None:
    """Share of the different values of a column that are values of another one, 0 to 1; None where nothing tells.

    Args:
        left: Table and column.
        right: The key that may be meant.
    """
    mine, theirs = source.quoted(left[1]), source.quoted(right[1])
    values = f"SELECT DISTINCT {mine} AS v FROM {source.table(left[0])} WHERE {mine} IS NOT NULL LIMIT {VALUES}"  # noqa: S608
    keys = f"SELECT DISTINCT {theirs} AS v FROM {source.table(right[0])} WHERE {theirs} IS NOT NULL LIMIT {ROWS}"  # noqa: S608
    met = "SELECT COUNT(*), SUM(CASE WHEN k.v IS NULL THEN 0 ELSE 1 END)"
    (rows,) = source.rows_of_each([f"{met} FROM ({values}) AS m LEFT JOIN ({keys}) AS k ON m.v = k.v"])
    if not rows or not rows[0][0]:
        return None
    return float(rows[0][1] or 0) / float(rows[0][0])
