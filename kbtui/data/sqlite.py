"""SQLite files, opened so that no statement can change anything, even without the guard.

``mode=ro`` alone lets ATTACH and VACUUM INTO write other files (sqlite.org/uri.html, sqlite.org/lang_attach.html), so
an authorizer (sqlite.org/c3ref/set_authorizer.html) allows reading and nothing else.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from msgspec.structs import replace

from kbtui.data.batches import run_in_order
from kbtui.data.reflection import (
    MAX_SAMPLED,
    SAMPLE_SECONDS,
    ColumnDescription,
    detailed_table,
    no_file,
    quoted,
    refused,
    sample_statement,
    select_tables,
    single_statement_error,
)
from kbtui.data.values import fetch_rows
from kbtui.data.watch import STEPS_COUNTED, StepClock, Watch, timeout_error
from kbtui.domain.analysis import ForeignKey, Limits, ResultTable, Schema, SchemaLevel, Table
from kbtui.domain.cancel import CancelToken
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What the module raises: names of columns and messages of a damaged file need not be UTF-8."""
_BUSY_S: Final = 2.0
_STEPS: Final = 20_000
"""Virtual-machine steps between two looks at clock and cancel: about a millisecond."""
_EXACT_ROWS: Final = 20_000
"""Tables up to about this size are counted; of larger ones the highest rowid tells enough."""
_MAX_BYTES: Final = 64 << 20
_MAX_SQL: Final = 1 << 20
_MAX_PATTERN: Final = 1000
_MAX_LINE: Final = 2000
_COLUMN_COMMENT: Final = re.compile(
    r"""\s*(?:CREATE\s.*?\()?\s*(?:["`\[](?P<quoted>[^"`\[\]]+)["`\]]|(?P<bare>\w+))\s"""
    r"""(?:[^'"/-]|'[^']*'|"[^"]*"|-(?!-)|/(?!\*))*(?:--\s*(?P<line>.+)|/\*\s*(?P<block>.+?)\s*\*/)"""
)
"""A line that declares a column, with the comment behind it."""

_ALLOWED: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_PRAGMAS: Final = frozenset(
    {"table_info", "table_xinfo", "foreign_key_list", "table_list", "schema_version", "database_list"}
)
# sqlite.org: lang_corefunc (without zeroblob and randomblob, which make much out of little, load_extension and edit),
# lang_mathfunc, lang_datefunc, lang_aggfunc, windowfunctions, json1; then what reads full-text and R*Tree tables.
_FUNCTIONS: Final = """
abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr last_insert_rowid length like likelihood
likely lower ltrim max min nullif octet_length printf quote random replace round rtrim sign soundex sqlite_source_id
sqlite_version substr substring total_changes trim typeof unhex unicode unistr unlikely upper

acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power
radians sin sinh sqrt tan tanh trunc

current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch

avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc
cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

-> ->> json json_array json_array_length json_extract json_group_array json_group_object json_insert json_object
json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid subtype

bm25 highlight match matchinfo offsets snippet rtreedepth rtreenode
"""
_READ_FUNCTIONS: Final = frozenset(_FUNCTIONS.split())


class SqliteSource:
    """One SQLite file as a `QuerySource`; every call opens its own connection, so any thread may ask.

    Args:
        name: What it goes by.
        path: The file.
    """

    dialect = "sqlite"

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path

    def fingerprint(self) -> str:
        """See `QuerySource`: the schema cookie, and which file it is."""
        with self._connection(trusted=True) as connection:
            return self._fingerprint(connection)

    def _fingerprint(self, connection: sqlite3.Connection) -> str:
        version = connection.execute("PRAGMA schema_version").fetchone()[0]
        status = self._path.stat()
        return f"{status.st_dev}:{status.st_ino}:{version}"

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`."""
        with self._connection(trusted=True) as connection:
            listed = connection.execute(
                "SELECT name, type = 'view' FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            ).fetchall()
            left_out = _shadow_tables(connection)
            counted = _statistics(connection)
            chosen = select_tables(
                self.name, {name: bool(is_view) for name, is_view in listed if name not in left_out}, table_names
            )
            sampled = table_names is not None or len(chosen) <= MAX_SAMPLED
            tables = []
            for name, is_view in chosen.items():
                until = time.monotonic() + SAMPLE_SECONDS
                connection.set_progress_handler(lambda until=until: time.monotonic() > until, _STEPS)  # type: ignore[misc]
                rows = None if is_view else _row_estimate(connection, name, counted.get(name))
                table = Table(name=name, is_view=is_view, row_estimate=rows)
                if level == "basic":
                    tables.append(replace(table, foreign_keys=() if is_view else _foreign_keys(connection, name)))
                else:
                    tables.append(_detail_table(connection, table, sampled))
            fingerprint = self._fingerprint(connection)
        return Schema(
            source=self.name, dialect=self.dialect, level=level, tables=tuple(tables), fingerprint=fingerprint
        )

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """See `QuerySource`."""
        cancel.check()
        with self._connection() as connection, Watch(connection.interrupt, limits.seconds, cancel) as watch:
            try:
                # The handler is needed beside the interrupt, which a statement without a first row never meets.
                table = self._fetched(connection, sql, limits, lambda: watch.is_stopped)
            except (*_ERRORS, MemoryError) as error:
                cancel.check()
                if watch.is_late:
                    raise timeout_error(self.name, limits) from error
                raise self._translate_error(error) from error
        cancel.check()
        return table

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """See `QuerySource`: on one connection, by a clock of steps, so that the same statements answer every time."""
        with self._connection() as connection:
            clock = StepClock()

            def run(sql: str) -> ResultTable:
                stopped = clock.timer(limits.seconds)
                try:
                    return self._fetched(connection, sql, limits, stopped, STEPS_COUNTED)
                except (*_ERRORS, MemoryError) as error:
                    raise self._translate_error(error) from error

            return run_in_order(run, statements, seconds=seconds, enough=enough, clock=clock.now)

    def _fetched(
        self,
        connection: sqlite3.Connection,
        sql: str,
        limits: Limits,
        stopped: Callable[[], bool],
        steps: int = _STEPS,
    ) -> ResultTable:
        connection.set_progress_handler(stopped, steps)
        cursor = connection.execute(sql)
        columns = tuple(description[0] for description in cursor.description or ())
        return replace(fetch_rows(columns, cursor, limits), sql=sql, source=self.name)

    def explain(self, sql: str) -> None:
        """See `QuerySource`."""
        with self._connection() as connection:
            try:
                connection.execute(f"EXPLAIN {sql}").close()
            except _ERRORS as error:
                raise self._translate_error(error) from error

    def close(self) -> None:
        """Nothing is kept open."""

    @contextmanager
    def _connection(self, *, trusted: bool = False) -> Iterator[sqlite3.Connection]:
        """A read-only connection; ``trusted`` is for the statements of this file, which also look at the catalogue."""
        if not self._path.is_file():
            raise no_file(self._path)
        connection = self._opened()
        try:
            connection.text_factory = _decode
            connection.execute("PRAGMA query_only = 1")
            connection.execute("PRAGMA trusted_schema = 0")
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
            connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _MAX_SQL)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _MAX_PATTERN)
            connection.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
            _declare_virtual_tables(connection)
            connection.set_authorizer(_authorize_trusted if trusted else _authorize)
            yield connection
        except _ERRORS as error:
            raise self._translate_error(error) from error
        finally:
            connection.close()

    def _opened(self) -> sqlite3.Connection:
        # Whoever may read a database in WAL mode but not write its folder cannot join its readers; when nobody
        # writes it either (there is no log), it can be read as it is.
        uris = [f"file:{quote(str(self._path))}?mode=ro"]
        if not os.access(self._path.parent, os.W_OK) and not Path(f"{self._path}-wal").exists():
            uris.append(f"{uris[0]}&immutable=1")
        for uri in uris:
            connection = None
            try:
                connection = sqlite3.connect(
                    uri, uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
                )
                connection.execute("PRAGMA schema_version").fetchone()
                return connection
            except _ERRORS as error:
                if connection is not None:
                    connection.close()
                if "unable to open" not in str(error) or uri is uris[-1]:
                    raise self._translate_error(error) from error
        raise AssertionError("the last attempt returns or raises")

    def _translate_error(self, error: Exception) -> DataSourceError:
        message = one_line("malformed text" if isinstance(error, UnicodeDecodeError) else str(error), 200)
        match message:
            case _ if (
                "not a database" in message or "malformed" in message or "corrupt" in message or "disk image" in message
            ):
                return DataSourceError(
                    f"{self._path.name} is not a sound SQLite database: {message}.",
                    "Restore it from a copy, or run its own check.",
                )
            case _ if "locked" in message or "busy" in message:
                return DataSourceError(
                    f"{self._path.name} is locked by another program.", "Try again when that is done."
                )
            case _ if "one statement at a time" in message:
                return single_statement_error(self.name)
            case _ if "authoriz" in message or "prohibited" in message or "readonly" in message:
                return refused(self.name, message)
            case _ if "unable to open" in message or "disk I/O" in message:
                return DataSourceError(f"{self._path} cannot be opened.", "Check its permissions.")
            case _:
                return DataSourceError(f"{self.name}: {message}.", "The statement does not fit the database.")


def _authorize_trusted(
    action: int, first: str | None, _second: str | None, _database: str | None, _trigger: str | None
) -> int:
    if action in _ALLOWED:
        return sqlite3.SQLITE_OK
    reads = action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS
    return sqlite3.SQLITE_OK if reads else sqlite3.SQLITE_DENY


def _authorize(action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None) -> int:
    if action == sqlite3.SQLITE_PRAGMA and first == "data_version":
        # Full-text tables query this pragma before they answer.
        return sqlite3.SQLITE_OK
    if action not in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in _READ_FUNCTIONS):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _declare_virtual_tables(connection: sqlite3.Connection) -> None:
    """Have each virtual table declare itself, which to an authorizer looks like changing the catalogue."""
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'create virtual%'"
    ).fetchall():
        # A virtual table of a missing module stays unknown.
        with suppress(*_ERRORS):
            connection.execute(f"SELECT * FROM {quoted(name)} LIMIT 0").close()


def _shadow_tables(connection: sqlite3.Connection) -> set[str]:
    """Tables in which a virtual table keeps its own books."""
    try:
        return {row[1] for row in connection.execute("PRAGMA table_list") if row[2] == "shadow"}
    except _ERRORS:
        # SQLite before 3.37 has neither this pragma nor such tables.
        return set()


def _statistics(connection: sqlite3.Connection) -> dict[str, int]:
    """Rows of each table as ANALYZE last counted them; most databases have never been analysed."""
    counts: dict[str, int] = {}
    try:
        for table, said in connection.execute("SELECT tbl, stat FROM sqlite_stat1"):
            first = str(said or "").partition(" ")[0]
            if first.isdigit():
                counts[str(table)] = max(int(first), counts.get(str(table), 0))
    except _ERRORS:
        return {}
    return counts


def _row_estimate(connection: sqlite3.Connection, name: str, counted: int | None) -> int | None:
    table = quoted(name)
    try:
        # The highest rowid is one look at the end of a tree; deleted rows make it too high.
        highest = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0]
    except _ERRORS:
        # A table WITHOUT ROWID, or a virtual one that keeps none.
        highest = None
    if isinstance(highest, int) and highest > _EXACT_ROWS:
        return min(highest, counted) if counted and counted > _EXACT_ROWS else highest
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except _ERRORS:
        # The module of the table may be missing, or counting may exceed its time.
        return counted


def _detail_table(connection: sqlite3.Connection, table: Table, sampled: bool) -> Table:
    try:
        declared = connection.execute(f"PRAGMA table_xinfo({quoted(table.name)})").fetchall()
    except _ERRORS:
        # It is a view of a missing table, or a table of a missing module.
        return table

    def first_rows(names: Sequence[str]) -> list[tuple[Any, ...]]:
        try:
            return connection.execute(sample_statement(names, (table.name,))).fetchall()
        except _ERRORS:
            # A view may refer to a missing table, or be a long calculation.
            return []

    comments = {} if table.is_view else _comments(connection, table.name)
    # Hidden columns belong to virtual tables and are their arguments.
    columns = [
        ColumnDescription(name, type_name, bool(key), not (not_null or key), comments.get(name))
        for _, name, type_name, not_null, _, key, hidden in declared
        if hidden != 1
    ]
    return detailed_table(
        table, columns, _foreign_keys(connection, table.name), first_rows if sampled else None, loose=True
    )


def _comments(connection: sqlite3.Connection, name: str) -> dict[str, str]:
    """Comments behind the columns of a statement that made a table, one column a line: SQLite keeps no others."""
    made = connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone()
    lines = str(made[0] if made and made[0] else "").splitlines()
    found = (_COLUMN_COMMENT.match(line) for line in lines if len(line) <= _MAX_LINE)
    return {m["quoted"] or m["bare"]: m["line"] or m["block"] for m in found if m is not None}


def _foreign_keys(connection: sqlite3.Connection, name: str) -> tuple[ForeignKey, ...]:
    grouped: dict[int, list[tuple[str, str, str]]] = {}
    for number, _, table, column, referred, *_ in connection.execute(f"PRAGMA foreign_key_list({quoted(name)})"):
        grouped.setdefault(number, []).append((table, column, referred or ""))
    keys = []
    for pairs in grouped.values():
        referred = tuple(pair[2] for pair in pairs)
        if not all(referred):
            referred = _primary_key(connection, pairs[0][0]) or referred
        keys.append(
            ForeignKey(columns=tuple(pair[1] for pair in pairs), referred_table=pairs[0][0], referred_columns=referred)
        )
    return tuple(keys)


def _primary_key(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns a reference means that names none."""
    rows = connection.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
    return tuple(row[1] for row in sorted(rows, key=lambda row: row[5]) if row[5])
