"""Databases on servers, given as SQLAlchemy URLs: addresses and passwords, one kept connection, and what went wrong.

Each engine's own file says how it reads only (`postgres`, `mysql`, `spark`, `trino`, and `other_servers` for the rest).
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

from kbtui.data.batches import in_turn
from kbtui.data.reflection import MOST_SAMPLED, asked_for
from kbtui.data.values import Cursor, fetched
from kbtui.data.watch import Watch, too_late
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
_AGAIN_S: Final = 1.0
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_EXAMPLE: Final = "It looks like postgresql://user@host/database; ${VARIABLE} in it is read from the environment."


def open_url(entry: DataSource, guard: Guard | None = None, environ: Mapping[str, str] = os.environ) -> QuerySource:
    """The database behind a URL. Nothing is sent to it yet.

    The password stands in the URL, in a variable that the URL names as ``${VARIABLE}``, in the keyring (`kbtui config
    key set data_NAME`), or where the driver looks by itself (``PGPASSWORD``, ``~/.pgpass``); ``MYSQL_PWD`` too.

    Raises:
        DataSourceError: It is no URL, a variable is not set, the file is not there, the driver is not installed, or
            nothing keeps the engine from writing.
    """
    url = _parsed(entry, environ)
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


def _parsed(entry: DataSource, environ: Mapping[str, str]) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    location = with_variables(entry, environ)
    if location.startswith("postgres://"):
        location = f"postgresql{location[len('postgres') :]}"
    parameters = ""
    if location.startswith("sc://"):
        # SQLAlchemy would decode them, and a token may hold a semicolon.
        location, _, parameters = location.partition("/;")
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):
        # Not shown: what cannot be parsed cannot be relied on to be masked.
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
        found = environ.get(match[1], "")
        if not found:
            raise DataSourceError(
                f"The variable {match[1]}, which the URL of {entry.name} names, is not set.", f"export {match[1]}=…"
            )
        # Before the host stand user and password, which may hold any sign; SQLAlchemy reads nothing else decoded.
        # Spark's addresses have parameters in place of those.
        return quote(found, safe="") if match.start() < head or entry.location.startswith("sc://") else found

    head = entry.location.rfind("@")
    return _VARIABLE.sub(value, entry.location)


class ServerSource(ABC):
    """A database on a server as a `QuerySource`: one connection, kept between calls and used by one at a time.

    A connection that died while nobody used it is made anew in silence; one that dies in the middle is told.

    Args:
        name: What it goes by.
        url: With the password, which no message shows.
        guard: Given every statement before it runs; returns it as it may run, or raises DataSourceError.
    """

    dialect = ""
    extra = ""
    """What to install for the driver."""
    lookup_s = 0.25
    """Seconds that a statement may take which looks values up, so that words can be linked to them."""

    def __init__(self, name: str, url: URL, guard: Guard | None = None) -> None:
        self.name = name
        self.url = url
        self._guard = guard
        self._lock = threading.RLock()
        self._kept: Any = None

    def fingerprint(self) -> str:
        """See `QuerySource`: a hash over all tables and columns, made by the server."""
        with self._catalogue() as connection:
            return self._fingerprint(connection)

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`."""
        with self._catalogue() as connection:
            chosen = asked_for(self.name, self._listed(connection), table_names)
            tables = tuple(chosen.values())
            if level == "detailed":
                tables = self._detailed(connection, tables, table_names is not None or len(chosen) <= MOST_SAMPLED)
            fingerprint = self._fingerprint(connection)
        return Schema(source=self.name, dialect=self.dialect, level=level, tables=tables, fingerprint=fingerprint)

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """See `QuerySource`."""
        sql = self._guard(sql, self.dialect) if self._guard else sql
        self._refuse(sql)
        cancel.check()
        with self._connected() as connection:
            with Watch(self._stopper(connection), limits.seconds, cancel, again_s=_AGAIN_S) as watch:
                try:
                    columns, cursor = self._execute(connection, sql, limits)
                    table = fetched(columns, cursor, limits)
                    self._finish(connection, table.truncated)
                except Exception as error:
                    self._restore(connection, watch)
                    cancel.check()
                    if watch.late or self._was_too_late(error):
                        raise too_late(self.name, limits) from error
                    raise self._told(error) from error
            if watch.stopped:
                # It came just before it was stopped: the order to stop must not meet the next statement.
                self._drop()
            cancel.check()
        return replace(table, sql=sql, source=self.name)

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """See `QuerySource`."""
        run = partial(self.run, limits=limits, cancel=CancelToken())
        return in_turn(run, statements, seconds=seconds, enough=enough)

    def explain(self, sql: str) -> None:
        """See `QuerySource`."""
        sql = self._guard(sql, self.dialect) if self._guard else sql
        self._refuse(sql)
        with self._catalogue() as connection:
            self._explain(connection, sql)

    def close(self) -> None:
        """Close the connection; the next call would make another."""
        with self._lock:
            self._drop()

    @contextmanager
    def _catalogue(self) -> Iterator[Any]:
        """The connection for statements of this program, which may not take for ever either."""
        with (
            self._connected() as connection,
            Watch(self._stopper(connection), CATALOGUE_S, again_s=_AGAIN_S) as watch,
        ):
            try:
                yield connection
            except Exception as error:
                self._restore(connection, watch)
                if isinstance(error, DataSourceError):
                    raise
                if watch.late:
                    raise too_late(self.name, Limits(seconds=CATALOGUE_S)) from error
                raise self._told(error) from error

    def _restore(self, connection: Any, watch: Watch) -> None:
        """Leave a connection on which something failed as it was before, or close it."""
        if not watch.stopped:
            try:
                self._recover(connection)
            except Exception:  # noqa: BLE001 (whatever it is, it is told with what failed first)
                self._drop()
        else:
            self._drop()

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        with self._lock:
            if self._kept is not None and not self._alive(self._kept):
                self._drop()
            if self._kept is None:
                try:
                    self._kept = self._connect()
                except ImportError as error:
                    raise DataSourceError(
                        f"{self.name} needs the package {error.name}, which is not installed.",
                        f"pip install {self.extra or error.name}",
                    ) from error
                except DataSourceError:
                    raise
                except Exception as error:
                    raise self._told(error) from error
            yield self._kept

    def _drop(self) -> None:
        connection, self._kept = self._kept, None
        if connection is not None:
            with suppress(Exception):
                self._disconnect(connection)

    def _told(self, error: Exception) -> DataSourceError:
        if isinstance(error, DataSourceError):
            return error
        told = self._said(error)
        return DataSourceError(redact(told.message), told.hint)

    def _place(self) -> str:
        """Host and port, for messages."""
        return f"{self.url.host or 'this machine'}{f':{self.url.port}' if self.url.port else ''}"

    def _plain(self, error: Exception) -> str:
        return one_line(str(error).strip().split("\n", 1)[0], 300).rstrip(".")

    def _unreachable(self, why: str) -> DataSourceError:
        """Why a server cannot be reached, as far as the text of the system's error tells."""
        low = why.lower()
        if any(
            words in low for words in ("translate host", "name or service", "getaddrinfo", "nodename", "resolution")
        ):
            return DataSourceError(f"{self.name}: there is no host {self.url.host}.", "Check the host in its URL.")
        if "refused" in low or "no such file" in low:
            return DataSourceError(
                f"{self.name}: nothing answers at {self._place()}.", "Is the server running, and is the port right?"
            )
        if "timeout" in low or "timed out" in low:
            return DataSourceError(
                f"{self.name}: {self._place()} did not answer within {CONNECT_S} s.", "Is there a firewall between?"
            )
        return DataSourceError(f"{self.name} cannot be reached: {why}.", "Check host, port, user and password.")

    def _not_let_in(self) -> DataSourceError:
        return DataSourceError(
            f"{self.name}: {self._place()} does not let {self.url.username or 'this user'} in.",
            "Check user and password: ${VARIABLE} in the URL is read from the environment, and "
            f"`kbtui config key set {password_entry(self.name)}` keeps it in the keyring.",
        )

    def _gone(self) -> DataSourceError:
        return DataSourceError(
            f"{self.name} went away while it was answering.", "Ask again; a new connection is made then."
        )

    @abstractmethod
    def _connect(self) -> Any: ...
    @abstractmethod
    def _disconnect(self, connection: Any) -> None: ...
    @abstractmethod
    def _alive(self, connection: Any) -> bool: ...
    @abstractmethod
    def _refuse(self, sql: str) -> None: ...
    @abstractmethod
    def _stopper(self, connection: Any) -> Callable[[], None]:
        """What stops the statement on ``connection``, from another thread; called again, it does so harder."""

    @abstractmethod
    def _execute(self, connection: Any, sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]: ...
    @abstractmethod
    def _finish(self, connection: Any, truncated: bool) -> None: ...
    @abstractmethod
    def _recover(self, connection: Any) -> None: ...
    @abstractmethod
    def _explain(self, connection: Any, sql: str) -> None: ...
    @abstractmethod
    def _was_too_late(self, error: Exception) -> bool: ...
    @abstractmethod
    def _said(self, error: Exception) -> DataSourceError: ...
    @abstractmethod
    def _listed(self, connection: Any) -> dict[str, Table]: ...
    @abstractmethod
    def _detailed(self, connection: Any, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]: ...
    @abstractmethod
    def _fingerprint(self, connection: Any) -> str: ...


def harder(*steps: Callable[[], Any]) -> Callable[[], None]:
    """One step a call, the last again and again; none raises."""
    left = list(steps)

    def stop() -> None:
        step = left.pop(0) if len(left) > 1 else left[0]
        with suppress(Exception):
            step()

    return stop
