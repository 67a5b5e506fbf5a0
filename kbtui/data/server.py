"""Databases on servers, given as SQLAlchemy URLs: addresses and passwords, one cached connection, and errors.

The modules of engines say how each is kept read-only (`postgres`, `mysql`, `spark`, `trino`, and `other_servers` for
the rest).
"""

from __future__ import annotations

import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from msgspec.structs import replace

from kbtui.data.batches import run_in_order
from kbtui.data.reflection import MAX_SAMPLED, select_tables
from kbtui.data.values import Cursor, fetch_rows
from kbtui.data.watch import Watch, timeout_error
from kbtui.domain.analysis import Limits, QuerySource, ResultTable, Schema, SchemaLevel, Table
from kbtui.domain.cancel import CancelToken
from kbtui.errors import DataSourceError
from kbtui.settings.keys import password_entry, stored_password
from kbtui.settings.secrets import learn_secret, redact
from kbtui.settings.sources import DataSource
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

Guard = Callable[[str, str], str]

CONNECT_S: Final = 5
CATALOGUE_S: Final = 30.0
_INTERRUPT_INTERVAL_S: Final = 1.0
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_EXAMPLE: Final = "It looks like postgresql://user@host/database; ${VARIABLE} in it is read from the environment."


def open_url(entry: DataSource, guard: Guard | None = None, environ: Mapping[str, str] = os.environ) -> QuerySource:
    """The database behind a URL. Nothing is sent to it yet.

    The password is in the URL, in a variable that the URL names as ``${VARIABLE}``, in the keyring (`kbtui config
    key set data_NAME`), or where the driver looks by itself (``PGPASSWORD``, ``~/.pgpass``); ``MYSQL_PWD`` too.

    Raises:
        DataSourceError: It is no URL, a variable is not set, the file is not there, the driver is not installed, or
            nothing keeps the engine from writing.
    """
    url = _parse_url(entry, environ)
    match url.get_backend_name():
        case "sqlite" | "duckdb":
            from kbtui.data.sources import open_source

            if url.database in (None, "", ":memory:"):
                raise DataSourceError(
                    f"{entry.name} names no file.", "A file has four slashes: sqlite:////home/me/a.db"
                )
            path = Path(str(url.database)).expanduser()
            if not path.is_file():
                raise DataSourceError(f"There is no file {path}.", f"Check the path of {entry.name}.")
            return open_source(DataSource(name=entry.name, location=str(path)), guard=guard)
        case "postgresql":
            from kbtui.data.postgres import PostgresSource

            return PostgresSource(entry.name, url, guard)
        case "mysql" | "mariadb":
            from kbtui.data.mysql import MySqlSource

            return MySqlSource(entry.name, url, guard)
        case "sc":
            from kbtui.data.spark import SparkSource

            return SparkSource(entry.name, url, guard)
        case "trino":
            from kbtui.data.trino import TrinoSource

            return TrinoSource(entry.name, url, guard)
        case _:
            from kbtui.data.other_servers import OtherSource

            return OtherSource(entry.name, url, guard)


def _parse_url(entry: DataSource, environ: Mapping[str, str]) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    location = with_variables(entry, environ)
    if location.startswith("postgres://"):
        location = f"postgresql{location[len('postgres') :]}"
    parameters = ""
    if location.startswith("sc://"):
        # SQLAlchemy would decode the parameters, and a token may hold a semicolon.
        location, _, parameters = location.partition("/;")
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):
        # The URL is not shown: a password in an invalid URL cannot be masked reliably.
        raise DataSourceError(f"What {entry.name} points to is no database URL.", _EXAMPLE) from None
    backend = url.get_backend_name()
    if backend in ("sqlite", "duckdb"):
        return url
    if backend == "sc":
        return url.set(database=parameters)
    if url.password is None:
        kept = stored_password(entry.name) or (environ.get("MYSQL_PWD") if backend in ("mysql", "mariadb") else None)
        url = url.set(password=kept) if kept else url
    if url.password:
        learn_secret(str(url.password))
    return url


def with_variables(entry: DataSource, environ: Mapping[str, str] = os.environ) -> str:
    """The URL of a source with the values of the variables that it names as ``${VARIABLE}``.

    Raises:
        DataSourceError: A variable is not set.
    """

    def value(match: re.Match[str]) -> str:
        value = environ.get(match[1], "")
        if not value:
            raise DataSourceError(
                f"The variable {match[1]}, which the URL of {entry.name} names, is not set.", f"export {match[1]}=…"
            )
        # Before the host stand user and password, which may hold any sign; SQLAlchemy reads nothing else decoded.
        # Spark's addresses have parameters in place of those.
        return quote(value, safe="") if match.start() < head or entry.location.startswith("sc://") else value

    head = entry.location.rfind("@")
    return _VARIABLE.sub(value, entry.location)


class ServerSource(ABC):
    """A database on a server as a `QuerySource`: one connection, cached between calls and used by one at a time.

    A connection that was lost while idle is replaced silently; one that is lost during a call is an error.

    Args:
        name: What it goes by.
        url: With the password, which no message shows.
        guard: Given every statement before it runs; returns it as it may run, or raises DataSourceError.
    """

    dialect = ""
    extra = ""
    """Package to install for the driver."""
    lookup_s = 0.25
    """Seconds that a lookup of values may take, by which words are linked to values."""

    def __init__(self, name: str, url: URL, guard: Guard | None = None) -> None:
        self.name = name
        self.url = url
        self._guard = guard
        self._lock = threading.RLock()
        self._cached_connection: Any = None

    def fingerprint(self) -> str:
        """See `QuerySource`: a hash over all tables and columns, made by the server."""
        with self._catalogue() as connection:
            return self._fingerprint(connection)

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`."""
        with self._catalogue() as connection:
            chosen = select_tables(self.name, self._list_tables(connection), table_names)
            tables = tuple(chosen.values())
            if level == "detailed":
                tables = self._detail_tables(connection, tables, table_names is not None or len(chosen) <= MAX_SAMPLED)
            fingerprint = self._fingerprint(connection)
        return Schema(source=self.name, dialect=self.dialect, level=level, tables=tables, fingerprint=fingerprint)

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """See `QuerySource`."""
        sql = self._guard(sql, self.dialect) if self._guard else sql
        self._check_statement(sql)
        cancel.check()
        with self._locked_connection() as connection:
            with Watch(self._make_stop(connection), limits.seconds, cancel, again_s=_INTERRUPT_INTERVAL_S) as watch:
                try:
                    columns, cursor = self._execute(connection, sql, limits)
                    table = fetch_rows(columns, cursor, limits)
                    self._finish(connection, table.truncated)
                except Exception as error:
                    self._restore(connection, watch)
                    cancel.check()
                    if watch.is_late or self._is_timeout(error):
                        raise timeout_error(self.name, limits) from error
                    raise self._user_error(error) from error
            if watch.is_stopped:
                # The statement ended just before it was stopped: a late interrupt must not stop the next one.
                self._close_connection()
            cancel.check()
        return replace(table, sql=sql, source=self.name)

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """See `QuerySource`."""
        run = partial(self.run, limits=limits, cancel=CancelToken())
        return run_in_order(run, statements, seconds=seconds, enough=enough)

    def explain(self, sql: str) -> None:
        """See `QuerySource`."""
        sql = self._guard(sql, self.dialect) if self._guard else sql
        self._check_statement(sql)
        with self._catalogue() as connection:
            self._explain(connection, sql)

    def close(self) -> None:
        """Close the connection; the next call would make another."""
        with self._lock:
            self._close_connection()

    @contextmanager
    def _catalogue(self) -> Iterator[Any]:
        """The connection for catalogue statements, with a time limit."""
        with (
            self._locked_connection() as connection,
            Watch(self._make_stop(connection), CATALOGUE_S, again_s=_INTERRUPT_INTERVAL_S) as watch,
        ):
            try:
                yield connection
            except Exception as error:
                self._restore(connection, watch)
                if isinstance(error, DataSourceError):
                    raise
                if watch.is_late:
                    raise timeout_error(self.name, Limits(seconds=CATALOGUE_S)) from error
                raise self._user_error(error) from error

    def _restore(self, connection: Any, watch: Watch) -> None:
        """Restore a connection after an error, or close it."""
        if not watch.is_stopped:
            try:
                self._recover(connection)
            except Exception:  # noqa: BLE001 (whatever it is, it is told with what failed first)
                self._close_connection()
        else:
            self._close_connection()

    @contextmanager
    def _locked_connection(self) -> Iterator[Any]:
        with self._lock:
            if self._cached_connection is not None and not self._is_alive(self._cached_connection):
                self._close_connection()
            if self._cached_connection is None:
                try:
                    self._cached_connection = self._connect()
                except ImportError as error:
                    raise DataSourceError(
                        f"{self.name} needs the package {error.name}, which is not installed.",
                        f"pip install {self.extra or error.name}",
                    ) from error
                except DataSourceError:
                    raise
                except Exception as error:
                    raise self._user_error(error) from error
            yield self._cached_connection

    def _close_connection(self) -> None:
        connection, self._cached_connection = self._cached_connection, None
        if connection is not None:
            with suppress(Exception):
                self._disconnect(connection)

    def _user_error(self, error: Exception) -> DataSourceError:
        if isinstance(error, DataSourceError):
            return error
        translated = self._translate_error(error)
        return DataSourceError(redact(translated.message), translated.hint)

    def _finish(self, connection: Any, truncated: bool) -> None:
        """End a statement; a new connection costs less than the remaining rows, which the server already sends."""
        if truncated:
            self._close_connection()
        else:
            self._recover(connection)

    def _host_and_port(self) -> str:
        """Host and port, for messages."""
        return f"{self.url.host or 'this machine'}{f':{self.url.port}' if self.url.port else ''}"

    def _check_statement(self, sql: str) -> None:  # noqa: B027 (most drivers leave it to the guard)
        """Raise DataSourceError for what the driver must not be given, beyond what the guard has refused."""

    def _is_timeout(self, error: Exception) -> bool:  # noqa: ARG002 (of most drivers only the watch stops statements)
        return False

    def _error_text(self, error: Exception) -> str:
        return one_line(str(error).strip().split("\n", 1)[0], 300).rstrip(".")

    def _unreachable(self, why: str) -> DataSourceError:
        """The error for an unreachable server, by the text of the system's error."""
        low = why.lower()
        if any(
            words in low for words in ("translate host", "name or service", "getaddrinfo", "nodename", "resolution")
        ):
            return DataSourceError(f"{self.name}: there is no host {self.url.host}.", "Check the host in its URL.")
        if "refused" in low or "no such file" in low:
            return DataSourceError(
                f"{self.name}: nothing answers at {self._host_and_port()}.",
                "Is the server running, and is the port right?",
            )
        if "timeout" in low or "timed out" in low:
            return DataSourceError(
                f"{self.name}: {self._host_and_port()} did not answer within {CONNECT_S} s.",
                "Is there a firewall between?",
            )
        return DataSourceError(f"{self.name} cannot be reached: {why}.", "Check host, port, user and password.")

    def _access_denied(self) -> DataSourceError:
        return DataSourceError(
            f"{self.name}: {self._host_and_port()} does not let {self.url.username or 'this user'} in.",
            "Check user and password: ${VARIABLE} in the URL is read from the environment, and "
            f"`kbtui config key set {password_entry(self.name)}` keeps it in the keyring.",
        )

    def _no_database(self) -> DataSourceError:
        return DataSourceError(
            f"{self.name}: there is no database {self.url.database} at {self._host_and_port()}.", "Check its URL."
        )

    def _not_allowed(self, why: str) -> DataSourceError:
        return DataSourceError(f"{self.name}: {why}.", "Its user may not read that.")

    def _busy(self, why: str) -> DataSourceError:
        return DataSourceError(f"{self.name} takes nobody now: {why}.", "Try again in a moment.")

    def _unfitting(self, why: str) -> DataSourceError:
        return DataSourceError(f"{self.name}: {why}.", "The statement does not fit the database.")

    def _connection_lost(self) -> DataSourceError:
        return DataSourceError(
            f"{self.name} went away while it was answering.", "Ask again; a new connection is made then."
        )

    @abstractmethod
    def _connect(self) -> Any: ...
    @abstractmethod
    def _disconnect(self, connection: Any) -> None: ...
    @abstractmethod
    def _is_alive(self, connection: Any) -> bool: ...
    @abstractmethod
    def _make_stop(self, connection: Any) -> Callable[[], None]:
        """What stops the statement on ``connection``, from another thread; called again, it does so harder."""

    @abstractmethod
    def _execute(self, connection: Any, sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]: ...
    @abstractmethod
    def _recover(self, connection: Any) -> None: ...
    @abstractmethod
    def _explain(self, connection: Any, sql: str) -> None: ...
    @abstractmethod
    def _translate_error(self, error: Exception) -> DataSourceError: ...
    @abstractmethod
    def _list_tables(self, connection: Any) -> dict[str, Table]: ...
    @abstractmethod
    def _detail_tables(self, connection: Any, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]: ...
    @abstractmethod
    def _fingerprint(self, connection: Any) -> str: ...


def escalating_stop(*steps: Callable[[], Any]) -> Callable[[], None]:
    """One step a call, the last again and again; none raises."""
    left = list(steps)

    def stop() -> None:
        step = left.pop(0) if len(left) > 1 else left[0]
        with suppress(Exception):
            step()

    return stop
