"""DuckDB files, opened read-only, cut off from the rest of the machine, with their settings locked.

Each of the three is needed: a database that is only read can still COPY to files, ATTACH others and load extensions
(duckdb.org/docs/stable/operations_manual/securing_duckdb/overview). One connection a call: DuckDB's lock on a file
shuts out every other program that would write it, and a new connection sees what those have written.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kbtui.data.batches import run_in_order
from kbtui.data.reflection import (
    MAX_SAMPLED,
    SAMPLE_SECONDS,
    ColumnDescription,
    detailed_tables,
    no_file,
    refused,
    sample_statement,
    select_tables,
    single_statement_error,
)
from kbtui.data.values import fetch_rows
from kbtui.data.watch import Watch, busy_clock, timeout_error
from kbtui.domain.analysis import ForeignKey, Limits, ResultTable, Schema, SchemaLevel, Table
from kbtui.domain.cancel import CancelToken
from kbtui.errors import DataSourceError, SqlRefused
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement

MEMORY: Final = "2GB"
"""Memory limit of one database; more is spilled to the disk, beside the other temporary files."""
_MAX_SPILL: Final = "8GB"
LOCKED_SETTINGS: Final = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    "lock_configuration": "true",
    "memory_limit": MEMORY,
    "max_temp_directory_size": _MAX_SPILL,
}
"""The same for every connection: DuckDB refuses a second one to the same file with other settings."""


class DuckDbSource:
    """One DuckDB file as a `QuerySource`; every call opens its own connection, so it is thread-safe.

    Args:
        name: What it goes by.
        path: The file.
        cache: Folder for what does not fit into memory.
    """

    dialect = "duckdb"
    notes: tuple[str, ...] = ()

    def __init__(self, name: str, path: Path, cache: Path) -> None:
        self.name = name
        self._path = path
        self._cache = cache
        self._known: tuple[object, str] = (None, "")

    def fingerprint(self) -> str:
        """See `QuerySource`: a hash of the catalogue, read again only when the file is not the one it was."""
        version = _file_version(self._path)
        if version is None or self._known[0] != version:
            with self._connection() as connection:
                self._known = (version, self._fingerprint(connection))
        return self._known[1]

    def _fingerprint(self, connection: DuckDBPyConnection) -> str:
        rows = connection.execute(
            "SELECT schema_name, table_name, column_name, data_type, is_nullable FROM duckdb_columns() "
            "WHERE database_name = current_database() AND NOT internal ORDER BY ALL"
        ).fetchall()
        return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`."""
        with self._connection() as connection:
            chosen = select_tables(self.name, _list_tables(connection), table_names)
            tables = tuple(chosen.values())
            if level == "detailed":
                sampled = table_names is not None or len(chosen) <= MAX_SAMPLED
                tables = _detail_tables(connection, tables, sampled)
            else:
                _, foreign = _keys(connection)
                tables = tuple(replace(table, foreign_keys=tuple(foreign.get(table.name, ()))) for table in tables)
            fingerprint = self._fingerprint(connection)
        return Schema(
            source=self.name,
            dialect=self.dialect,
            level=level,
            tables=tables,
            fingerprint=fingerprint,
            notes=self.notes,
        )

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """See `QuerySource`."""
        cancel.check()
        with self._connection() as connection:
            return self._run(connection, sql, limits, cancel)

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """See `QuerySource`: on one connection."""
        with self._connection() as connection:
            cancel = CancelToken()
            # What a profile and candidates are made of must not depend on the load of the computer.
            clock = busy_clock()
            run = partial(self._run, connection, limits=limits, cancel=cancel, clock=clock)
            return run_in_order(run, statements, seconds=seconds, enough=enough, clock=clock)

    def _run(
        self,
        connection: DuckDBPyConnection,
        sql: str,
        limits: Limits,
        cancel: CancelToken,
        clock: Callable[[], float] = time.monotonic,
    ) -> ResultTable:
        with Watch(connection.interrupt, limits.seconds, cancel, clock=clock) as watch:
            try:
                cursor = connection.execute(self._single(connection, sql))
                columns = tuple(description[0] for description in cursor.description or ())
                table = fetch_rows(columns, cursor, limits)
            except _errors() as error:
                cancel.check()
                if watch.is_late:
                    raise timeout_error(self.name, limits) from error
                raise self._translate_error(error) from error
        cancel.check()
        return replace(table, sql=sql, source=self.name)

    def explain(self, sql: str) -> None:
        """See `QuerySource`."""
        with self._connection() as connection:
            connection.execute(f"EXPLAIN {self._single(connection, sql).query}").fetchall()

    def close(self) -> None:
        """Nothing is kept open."""

    def _file(self) -> Path:
        if not self._path.is_file():
            raise no_file(self._path)
        return self._path

    @contextmanager
    def _connection(self) -> Iterator[DuckDBPyConnection]:
        path = self._file()
        try:
            connection = self._open(path)
        except _errors() as error:
            raise self._translate_error(error) from error
        try:
            yield connection
        except _errors() as error:
            raise self._translate_error(error) from error
        finally:
            connection.close()

    def _open(self, path: Path) -> DuckDBPyConnection:
        import duckdb

        # DuckDB makes its temporary folder on demand, and beside the user's file unless another path is set.
        spill = str(self._cache / "spill")
        return duckdb.connect(str(path), read_only=True, config={**LOCKED_SETTINGS, "temp_directory": spill})

    def _single(self, connection: DuckDBPyConnection, sql: str) -> Statement:
        """The parsed statement, if it is a single SELECT; running it does not parse again."""
        from duckdb import StatementType

        statements = connection.extract_statements(sql)
        if len(statements) != 1:
            raise single_statement_error(self.name)
        if statements[0].type != StatementType.SELECT:
            kind = str(statements[0].type).rpartition(".")[2]
            raise refused(self.name, f"it is no SELECT but {kind}")
        return statements[0]

    def _translate_error(self, error: BaseException) -> DataSourceError:
        message = one_line(str(error).split("\n", 1)[0], 300)
        match message:
            case _ if "Conflicting lock" in message or "Could not set lock" in message:
                holder = message.partition("Conflicting lock is held in ")[2].partition(". See also")[0]
                return DataSourceError(
                    f"{self._path.name} is locked by another program{f': {holder}' if holder else ''}.",
                    "Close it there and ask again; DuckDB lets nobody read what another program has open for writing.",
                )
            case _ if (
                "not a valid DuckDB" in message
                or "Corrupt" in message
                or "corrupt" in message
                or "Serialization" in message
            ):
                return DataSourceError(
                    f"{self._path.name} is not a sound DuckDB database: {message}.".replace("..", ".").replace(
                        "!.", "."
                    ),
                    "Restore it from a copy.",
                )
            case _ if "Permission denied" in message or "Cannot open file" in message:
                return DataSourceError(f"{self._path} cannot be opened.", "Check its permissions.")
            case _ if "Cannot access" in message:
                return SqlRefused(
                    f"{self.name}: what is asked for lies outside of the database, and nothing there is opened: "
                    f"{message}",
                    "A view of a file can be made a table, or the file a source of its own: kbtui sources add FILE",
                    rule="engine",
                )
            case _ if (
                "read-only mode" in message
                or "Permission Error" in message
                or "configuration has been locked" in message
            ):
                return refused(self.name, message.rstrip("."))
            case _ if "Out of Memory" in message or "No space left" in message:
                return DataSourceError(
                    f"{self.name}: the statement needs more room than {MEMORY} in memory and what the disk has left.",
                    "Ask for less, or narrow it down.",
                )
            case _:
                return DataSourceError(f"{self.name}: {message}", "The statement does not fit the data.")


def _errors() -> tuple[type[Exception], ...]:
    import duckdb

    # The conversion of values without a Python type (a date beyond the year 9999) can fail.
    return (duckdb.Error, ValueError, OverflowError, MemoryError)


def _file_version(path: Path) -> tuple[object, ...] | None:
    """The version of a file and its write-ahead log; None if it does not exist."""
    try:
        status = path.stat()
        log = Path(f"{path}.wal")
        logged = log.stat() if log.exists() else None
    except OSError:
        return None
    return (status.st_ino, status.st_mtime_ns, status.st_size, logged and (logged.st_mtime_ns, logged.st_size))


def _list_tables(connection: DuckDBPyConnection) -> dict[str, Table]:
    """Tables in the order in which they were made, then views."""
    rows = connection.execute(
        "SELECT schema_name, table_name, comment, estimated_size, false FROM duckdb_tables() "
        "WHERE database_name = current_database() AND NOT internal AND NOT temporary "
        "UNION ALL "
        "SELECT schema_name, view_name, comment, NULL, true FROM duckdb_views() "
        "WHERE database_name = current_database() AND NOT internal AND NOT temporary"
    ).fetchall()
    tables = [
        Table(
            name=_qualified_name(schema, name),
            comment=one_line(comment or "", 400),
            row_estimate=None if size is None else int(size),
            is_view=is_view,
        )
        for schema, name, comment, size, is_view in rows
    ]
    return {table.name: table for table in tables}


def _qualified_name(schema: str, table: str) -> str:
    return table if schema == "main" else f"{schema}.{table}"


def _keys(connection: DuckDBPyConnection) -> tuple[dict[str, set[str]], dict[str, list[ForeignKey]]]:
    """The primary-key columns and the foreign keys of each table."""
    keys: dict[str, set[str]] = {}
    foreign: dict[str, list[ForeignKey]] = {}
    for schema, table, kind, names, referred, referred_names in connection.execute(
        "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, "
        "referenced_column_names FROM duckdb_constraints() WHERE database_name = current_database() "
        "AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
    ).fetchall():
        if kind == "PRIMARY KEY":
            keys.setdefault(_qualified_name(schema, table), set()).update(names)
        else:
            # A key refers to a table of its own schema: others are not allowed.
            foreign.setdefault(_qualified_name(schema, table), []).append(
                ForeignKey(
                    columns=tuple(names),
                    referred_table=_qualified_name(schema, referred),
                    referred_columns=tuple(referred_names),
                )
            )
    return keys, foreign


def _detail_tables(connection: DuckDBPyConnection, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]:
    keys, foreign = _keys(connection)
    columns: dict[str, list[ColumnDescription]] = {}
    places: dict[str, tuple[str, str]] = {}
    for schema, table, name, type_name, nullable, comment in connection.execute(
        "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
        "WHERE database_name = current_database() AND NOT internal ORDER BY schema_name, table_name, column_index"
    ).fetchall():
        named = _qualified_name(schema, table)
        places[named] = (schema, table)
        column = ColumnDescription(name, type_name, name in keys.get(named, ()), bool(nullable), comment)
        columns.setdefault(named, []).append(column)

    def first_rows(table: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
        try:
            with Watch(connection.interrupt, SAMPLE_SECONDS):
                return connection.execute(sample_statement(names, places[table])).fetchall()
        except _errors():
            # A view may refer to a missing table or an outside file, or be a long calculation.
            return []

    return detailed_tables(tables, columns, foreign, first_rows if sampled else None)
