"""Data sources of other packages: URLs whose scheme is the name of an entry point of the group ``kbtui.sources``.

Its value is a function of the source's name and URL that returns a `QuerySource`. It is not
trusted: a statement passes the guard first, every call has a deadline and can be cancelled whether or not the package
checks its token, and results are checked, cleaned and truncated like the rows of any driver.
"""

from __future__ import annotations

import datetime as dt
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit
from uuid import UUID

import msgspec
from msgspec.structs import replace

from kbtui.data.batches import run_in_order
from kbtui.data.values import RowCursor, fetch_rows, json_cell, kind_of
from kbtui.data.watch import timeout_error
from kbtui.domain.analysis import Column, Limits, QuerySource, ResultTable, Schema, SchemaLevel, Table
from kbtui.domain.cancel import CancelToken
from kbtui.errors import DataSourceError
from kbtui.plugins import EntryPoint, entry_points
from kbtui.settings.secrets import learn_secret, redact
from kbtui.text.terminal import clean, one_line

Guard = Callable[[str, str], str]
Result = TypeVar("Result")

ENTRY_POINT_GROUP: Final = "kbtui.sources"
OWN_SCHEMES: Final = frozenset({"sqlite", "duckdb", "postgres", "postgresql", "mysql", "mariadb", "sc", "trino", "s3"})
"""Schemes that no other package may take, with any driver behind a ``+``."""

CATALOGUE_S: Final = 30.0
_GRACE_S: Final = 2.0
"""Seconds that a call has to end after it was stopped."""
_POLL_S: Final = 0.02
_MAX_STUCK: Final = 3
"""Calls that did not end when stopped, after which the source is not used any more."""
_MAX_TABLES: Final = 5_000
_MAX_COLUMNS: Final = 1_000
_MAX_NAME_CHARS: Final = 200
_MAX_COMMENT_CHARS: Final = 1_000
_MAX_SAMPLES: Final = 20
_CELLS: Final = (bytes, bytearray, memoryview, date, datetime, dt.time, timedelta, Decimal, UUID)
"""Types of samples that `json_cell` reads by itself."""
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9.-]*)(?:\+[A-Za-z0-9.+-]*)?://")


def scheme_of(location: str) -> str:
    """The scheme of a URL in lower case, without a driver; empty for what is no URL."""
    match = _SCHEME.match(location)
    return match[1].lower() if match else ""


def plugin_entry(location: str) -> EntryPoint | None:
    """The entry point of another package for a URL; None if kbtui opens it itself."""
    scheme = scheme_of(location)
    if not scheme or scheme in OWN_SCHEMES:
        return None
    return next((entry for entry in entry_points(ENTRY_POINT_GROUP) if entry.name.lower() == scheme), None)


class PluginSource:
    """A data source of another package as a `QuerySource`. The first call opens it; calls run one at a time.

    Args:
        name: Name of the source.
        location: Its URL, with the password, which no message shows.
        entry: Entry point of the package.
        guard: Given every statement before it runs; returns it as it may run, or raises DataSourceError.

    """

    def __init__(self, name: str, location: str, entry: EntryPoint, guard: Guard | None = None) -> None:
        self.name = name
        self._location = location
        self._entry = entry
        self._guard = guard
        self._lock = threading.Lock()
        self._source: QuerySource | None = None
        self._stuck = 0
        self._dialect = ""
        with suppress(ValueError):
            if password := urlsplit(location).password:
                learn_secret(unquote(password))

    @property
    def dialect(self) -> str:
        """See `QuerySource`; the source is opened to know it."""
        if not self._dialect:
            self._call(lambda source, _: source.dialect, CATALOGUE_S)
        return self._dialect

    def fingerprint(self) -> str:
        """See `QuerySource`."""
        mark = self._call(lambda source, _: source.fingerprint(), CATALOGUE_S)
        return str(mark)[:_MAX_COMMENT_CHARS]

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`."""
        returned = self._call(lambda source, _: source.schema(level, table_names), CATALOGUE_S)
        try:
            schema = msgspec.convert(msgspec.to_builtins(returned, builtin_types=_CELLS), Schema)
        except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
            raise self._unusable(f"its structure cannot be read ({one_line(str(error), 100)})") from error
        tables = tuple(_bounded_table(table) for table in schema.tables[:_MAX_TABLES] if _is_name(table.name))
        notes = tuple(one_line(note, _MAX_COMMENT_CHARS) for note in schema.notes[:10])
        return replace(
            schema,
            source=self.name,
            dialect=self.dialect,
            level=level,
            tables=tables,
            fingerprint=schema.fingerprint[:_MAX_COMMENT_CHARS],
            cached=False,
            notes=notes,
        )

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """See `QuerySource`."""
        sql = self._guard(sql, self.dialect) if self._guard else sql
        cancel.check()
        returned = self._call(lambda source, stop: source.run(sql, limits, stop), limits.seconds, cancel)
        if not isinstance(returned, ResultTable) or not all(isinstance(row, (tuple, list)) for row in returned.rows):
            raise self._unusable("its result is no table")
        columns = tuple(one_line(str(column), _MAX_NAME_CHARS) for column in returned.columns)
        if any(len(row) != len(columns) for row in returned.rows):
            raise self._unusable("its rows have not as many cells as there are columns")
        table = fetch_rows(columns, RowCursor(iter(returned.rows)), limits)
        is_cut = table.truncated or bool(returned.truncated)
        return replace(table, truncated=is_cut, sql=sql, source=self.name)

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """See `QuerySource`."""
        run = partial(self.run, limits=limits, cancel=CancelToken())
        return run_in_order(run, statements, seconds=seconds, enough=enough)

    def explain(self, sql: str) -> None:
        """See `QuerySource`."""
        sql = self._guard(sql, self.dialect) if self._guard else sql
        self._call(lambda source, _: source.explain(sql), CATALOGUE_S)

    def close(self) -> None:
        """Close the source; the next call opens it again."""
        source, self._source = self._source, None
        if source is not None:
            with suppress(Exception):
                source.close()

    def _call(
        self, function: Callable[[QuerySource, CancelToken], Result], seconds: float, cancel: CancelToken | None = None
    ) -> Result:
        """Call the package in a thread of its own, which is abandoned if it does not end.

        Raises:
            DataSourceError: It failed, or took too long.
            Cancelled: ``cancel`` was set.
        """
        if self._stuck >= _MAX_STUCK:
            raise self._unusable("it did not stop when it was told to, several times")
        until = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise timeout_error(self.name, Limits(seconds=seconds))
        try:
            call = _Call(self._open, function)
            is_late = False
            while not call.ended.wait(_POLL_S):
                is_late = is_late or time.monotonic() >= until
                if is_late or (cancel is not None and cancel.cancelled):
                    call.stop.cancel()
                    if not call.ended.wait(_GRACE_S):
                        self._give_up()
                    break
        finally:
            self._lock.release()
        if cancel is not None:
            cancel.check()
        if is_late or not call.ended.is_set():
            raise timeout_error(self.name, Limits(seconds=seconds))
        if call.error is not None:
            raise self._failed(call.error) from call.error
        result: Result = call.result
        return result

    def _open(self) -> QuerySource:
        if self._source is None:
            source = self._entry.load()(self.name, self._location)
            dialect = getattr(source, "dialect", "")
            if not isinstance(dialect, str) or not re.fullmatch(r"\w{1,40}", dialect):
                raise self._unusable("it does not say which SQL it speaks")
            self._dialect = dialect
            self._source = source
        return self._source

    def _give_up(self) -> None:
        """Abandon a call that does not end, with its source: the next call opens another one."""
        self._stuck += 1
        source, self._source = self._source, None
        if source is not None:
            threading.Thread(target=_close, args=(source,), daemon=True).start()

    def _unusable(self, why: str) -> DataSourceError:
        return DataSourceError(
            f"{self.name}: the package {self._entry.package} cannot be used: {why}.", "Update or remove that package."
        )

    def _failed(self, error: BaseException) -> DataSourceError:
        if isinstance(error, DataSourceError):
            return DataSourceError(redact(one_line(error.message, 300)), redact(one_line(error.hint, 300)))
        if isinstance(error, ImportError):
            return self._unusable(redact(one_line(str(error), 200)))
        message = redact(one_line(str(error), 300)) or type(error).__name__
        return DataSourceError(f"{self.name}: {message.rstrip('.')}.", f"It is of the package {self._entry.package}.")


class _Call:
    """One call of a package in a thread of its own."""

    def __init__(
        self, open_source: Callable[[], QuerySource], function: Callable[[QuerySource, CancelToken], Any]
    ) -> None:
        self.stop = CancelToken()
        self.ended = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None
        self._open = open_source
        self._function = function
        threading.Thread(target=self._run, name="kbtui-source", daemon=True).start()

    def _run(self) -> None:
        try:
            self.result = self._function(self._open(), self.stop)
        except BaseException as error:  # noqa: BLE001 - code of a third party; raised again in the waiting thread
            self.error = error
        finally:
            self.ended.set()


def _close(source: QuerySource) -> None:
    with suppress(Exception):
        source.close()


def _is_name(name: str) -> bool:
    return 0 < len(name) <= _MAX_NAME_CHARS and clean(name, keep_newlines=False) == name


def _bounded_table(table: Table) -> Table:
    columns = tuple(_bounded_column(column) for column in table.columns[:_MAX_COLUMNS] if _is_name(column.name))
    return replace(table, comment=one_line(table.comment, _MAX_COMMENT_CHARS), columns=columns)


def _bounded_column(column: Column) -> Column:
    type_name = one_line(column.type, _MAX_NAME_CHARS)
    return replace(
        column,
        type=type_name,
        kind=column.kind if column.kind != "other" else kind_of(type_name),
        comment=one_line(column.comment, _MAX_COMMENT_CHARS),
        samples=tuple(map(json_cell, column.samples[:_MAX_SAMPLES])),
    )
