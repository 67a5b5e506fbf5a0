"""Spark through Spark Connect: ``sc://host[:port][/;key=value…]``, as the client writes its addresses.

Spark has no mode that only reads. What holds without the guard: a statement stands inside ``SELECT * FROM (…)``, where
no command may stand; files as tables and settings in texts are switched off for the session; and functions that call
Java, run programs or read files are refused by their names.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, unquote

from kbtui.data.reflection import SAMPLE_ROWS, ColumnDescription, detailed_table, quoted, refused
from kbtui.data.server import CONNECT_S, Guard, ServerSource, escalating_stop
from kbtui.data.values import Cursor, RowCursor
from kbtui.domain.analysis import Limits, Table
from kbtui.errors import DataSourceError
from kbtui.settings.keys import stored_password
from kbtui.settings.secrets import learn_secret
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_PORT: Final = 15002
_ALIVE_S: Final = 5.0
_CLOSE_S: Final = 2.0
_OWN_PARAMETERS: Final = ("catalog", "schema")
"""Parameters of the address for kbtui itself, which the client would send as headers."""
_LOCKS: Final = {"spark.sql.runSQLOnFiles": "false", "spark.sql.variable.substitute": "false"}
_STRING_LITERAL: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_FORBIDDEN: Final = re.compile(
    r"\b(?:(?:try_)?reflect|java_method|identifier|read_files|(?:from|to)_(?:protobuf|avro)|xpath\w*|from_xml|"
    r"schema_of_xml|input_file_\w+|ai_\w+|http_request|secret)`?\s*\(|\busing\s*r?''|\$\{|/\*|--",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(r"^\s*\[[A-Z0-9_.]+\]\s*|\s*SQLSTATE: \w+.*$", re.DOTALL)
_GONE: Final = ("UNAVAILABLE", "INVALID_HANDLE", "SESSION_CLOSED", "NO_ACTIVE_SESSION", "Channel closed", "CANCELLED")


class SparkSource(ServerSource):
    """The tables of a Spark server as a `QuerySource`; see `ServerSource`.

    The address may name a ``catalog`` and a ``schema``; without one the tables of all schemas of the session's catalog
    are meant, and those of other schemas than the session's go by ``schema.table``.
    """

    dialect = "spark"
    extra = "'kbtui[spark]'"
    lookup_s = 10.0

    def __init__(self, name: str, url: URL, guard: Guard | None = None) -> None:
        super().__init__(name, url, guard)
        parameters = dict(_parameters(url))
        self._catalog, self._schema = (parameters.pop(own, "") for own in _OWN_PARAMETERS)
        token = parameters.get("token") or stored_password(name) or ""
        if token:
            learn_secret(token)
            parameters["token"] = token
        host = f"[{url.host}]" if ":" in (url.host or "") else url.host or "localhost"
        written = ";".join(f"{key}={quote(value, safe='')}" for key, value in parameters.items())
        self._address = f"sc://{host}:{url.port or _PORT}/;{written}".rstrip("/;")
        self._tables: tuple[SparkTable, ...] = ()
        self._tag = ""
        self._open: Generator[Any, None, None] | None = None

    def fingerprint(self) -> str:
        """See `QuerySource`: a hash over all tables and columns, as the catalogue describes them."""
        with self._catalogue() as session:
            self._list_tables(session)
            return self._fingerprint(session)

    def _connect(self) -> Any:
        # Messages of gRPC and the client would be written over the screen.
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
        import logging
        import warnings

        warnings.filterwarnings("ignore", module=r"pyspark\.")
        try:
            import grpc
            from pyspark.sql.connect.client import DefaultChannelBuilder
            from pyspark.sql.connect.client.retries import DefaultPolicy
            from pyspark.sql.connect.session import SparkSession
        except (ImportError, SystemExit) as error:
            # The client ends a process whose main module has no file, which it takes for its own doctests.
            raise DataSourceError(
                f"{self.name}: what speaks Spark Connect is not installed.", f"pip install {self.extra}"
            ) from error
        logging.getLogger("SQLQueryContextLogger").disabled = True
        channel = DefaultChannelBuilder(self._address).toChannel()
        try:
            grpc.channel_ready_future(channel).result(timeout=CONNECT_S)
        except grpc.FutureTimeoutError:
            raise self._why_unreachable() from None
        finally:
            channel.close()
        session = SparkSession(connection=self._address)
        # The default of the client is to try for ten minutes.
        session.client.set_retry_policies([DefaultPolicy(max_retries=2, initial_backoff=100, max_backoff=500)])
        _call_within(CONNECT_S * 4, lambda: self._prepare(session))
        return session

    def _prepare(self, session: Any) -> None:
        for setting, value in _LOCKS.items():
            try:
                session.conf.set(setting, value)
            except Exception as error:
                if self._is_gone(error) or "UNAUTHENTICATED" in str(error) or "PERMISSION_DENIED" in str(error):
                    raise
                raise DataSourceError(
                    f"{self.name}: the server does not let {setting} be switched off, so files could be read.",
                    "Ask its administrator to allow it.",
                ) from error
        if self._catalog:
            session.catalog.setCurrentCatalog(self._catalog)
        if self._schema:
            session.catalog.setCurrentDatabase(self._schema)

    def _why_unreachable(self) -> DataSourceError:
        import socket

        try:
            socket.create_connection((self.url.host or "localhost", self.url.port or _PORT), CONNECT_S).close()
        except OSError as error:
            return self._unreachable(str(error))
        return DataSourceError(
            f"{self.name}: what answers at {self._host_and_port()} does not speak Spark Connect.",
            "Is it the port of the Spark Connect server (15002 by default), and does it want ;use_ssl=true?",
        )

    def _disconnect(self, connection: Any) -> None:
        _call_within(_CLOSE_S, connection.stop)

    def _is_alive(self, connection: Any) -> bool:
        try:
            _call_within(_ALIVE_S, lambda: connection.conf.get("spark.sql.runSQLOnFiles"))
        except Exception:  # noqa: BLE001 (whatever it is, another session is made)
            return False
        return True

    def _check_statement(self, sql: str) -> None:
        if forbidden := _FORBIDDEN.search(_STRING_LITERAL.sub("''", sql)) or re.search(r"\$\{", sql):
            raise refused(self.name, f"{one_line(forbidden[0])} is never used")

    def _make_stop(self, connection: Any) -> Callable[[], None]:
        # Each statement has a tag of its own, so that no late order to stop meets the next one.
        tag = self._tag = f"kbtui-{uuid.uuid4().hex[:12]}"
        connection.clearTags()
        connection.addTag(tag)

        def interrupt() -> None:
            threading.Thread(target=_call_quietly, args=(lambda: connection.interruptTag(tag),), daemon=True).start()

        return escalating_stop(interrupt, interrupt, interrupt, lambda: connection.client.close())

    def _execute(self, connection: Any, sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]:
        frame = self._frame(connection, sql)
        columns, rows = typed_rows(frame, limits.rows + 1)
        self._open = rows
        return columns, RowCursor(rows)

    def _frame(self, connection: Any, sql: str) -> Any:
        """The statement as a lazy table; for a command the server's parser raises an error."""
        return connection.sql(f"SELECT * FROM (\n{sql}\n)")

    def _finish(self, connection: Any, truncated: bool) -> None:
        rows, self._open = self._open, None
        if truncated and rows is not None:
            # Rows may be left if the limit of bytes ended the reading.
            connection.interruptTag(self._tag)
            rows.close()

    def _recover(self, connection: Any) -> None:  # noqa: ARG002 (nothing stays open)
        self._open = None

    def _explain(self, connection: Any, sql: str) -> None:
        assert self._frame(connection, sql).schema is not None

    def _is_gone(self, error: Exception) -> bool:
        message = f"{error} {getattr(error, 'getCondition', lambda: '')()}"
        return isinstance(error, TimeoutError) or any(word in message for word in _GONE)

    def _error_text(self, error: Exception) -> str:
        message = str(error).strip().split("\n\nJVM stacktrace", 1)[0].split("== SQL ==", 1)[0]
        return one_line(_CONDITION.sub("", _CONDITION.sub("", message)).strip().split("\n", 1)[0], 300).rstrip(".;")

    def _translate_error(self, error: Exception) -> DataSourceError:
        message = str(error)
        if "UNAUTHENTICATED" in message:
            return self._access_denied()
        if "PERMISSION_DENIED" in message or "INSUFFICIENT_PERMISSIONS" in message:
            return self._not_allowed(self._error_text(error))
        if self._is_gone(error):
            return self._connection_lost()
        return self._unfitting(self._error_text(error))

    def _list_tables(self, connection: Any) -> dict[str, Table]:
        self._tables = listed_tables(connection, self._schema)
        return {table.described.name: table.described for table in self._tables}

    def _detail_tables(self, connection: Any, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]:
        return detailed_tables(connection, tables, self._tag, sampled)

    def _fingerprint(self, connection: Any) -> str:  # noqa: ARG002 (what was listed last tells)
        return fingerprint_of(self._tables)


def typed_rows(frame: Any, most: int) -> tuple[tuple[str, ...], Generator[Any, None, None]]:
    """Names of the columns, and the first ``most`` rows.

    Moments come as the server's session shows them, since the client would turn them into the time of this machine;
    types that the client cannot hold come as text.
    """
    fields = frame.schema.fields
    # By position: two columns of a join may have one name.
    places = [f"c{number}" for number in range(len(fields))]
    shown = [_readable(place, field.dataType.simpleString()) for place, field in zip(places, fields, strict=True)]
    rows = frame.toDF(*places).selectExpr(*shown).limit(most).toLocalIterator()
    return tuple(field.name for field in fields), rows


def _readable(place: str, type_name: str) -> str:
    if type_name == "timestamp":
        return f"CAST({place} AS TIMESTAMP_NTZ)"
    if type_name.startswith(("interval", "variant", "geometry", "geography", "time(")):
        return f"CAST({place} AS STRING)"
    return place


def _parameters(url: URL) -> Iterator[tuple[str, str]]:
    for part in (url.database or "").split(";"):
        key, _, value = part.partition("=")
        if key.strip():
            yield key.strip(), unquote(value)


def _call_quietly(act: Callable[[], Any]) -> None:
    # The server is gone, or the statement is over.
    with suppress(Exception):
        act()


def _call_within(seconds: float, act: Callable[[], Any]) -> None:
    """Call ``act`` in a thread; its calls of the server have no time limit of their own.

    Raises:
        TimeoutError: It did not return in time.
        Exception: Whatever it raises.
    """
    errors: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - raised by whoever waits
            errors.append(error)

    thread = threading.Thread(target=run, name="kbtui-spark", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError(f"no answer within {seconds:g} s")
    if errors:
        raise errors[0]


_AT_ONCE: Final = 4
_SAMPLING_S: Final = 15.0
"""Tables that are not sampled by then have columns without samples: each sample is a job of the server."""
_MAX_SCHEMAS: Final = 200
_SYSTEM: Final = frozenset({"information_schema", "global_temp", "sys"})
_TYPE: Final = re.compile(r"^Type: (\w+)", re.MULTILINE)
_COMMENT: Final = re.compile(r"^Comment: (.*)", re.MULTILINE)
_ROWS: Final = re.compile(r"^Statistics: .*?(\d+) rows", re.MULTILINE)


class SparkTable(NamedTuple):
    """A table as it is listed.

    Attributes:
        columns: How the catalogue writes its columns; empty where it does not say.
    """

    described: Table
    columns: str


def listed_tables(session: Any, schema: str) -> tuple[SparkTable, ...]:
    """Tables, then views, of one schema or, where ``schema`` is empty, of all in the session's catalog."""
    from pyspark.errors import PySparkException

    current = schema or session.catalog.currentDatabase()
    schemas = [schema] if schema else [row[0] for row in session.sql("SHOW SCHEMAS").toLocalIterator()]
    tables: list[SparkTable] = []
    for name in [each for each in schemas if each.lower() not in _SYSTEM][:_MAX_SCHEMAS]:
        place = quoted(name, "`")
        try:
            rows = list(session.sql(f"SHOW TABLE EXTENDED IN {place} LIKE '*'").toLocalIterator())
        except PySparkException:
            # Some catalogs only name their tables.
            rows = [(*row, "") for row in session.sql(f"SHOW TABLES IN {place}").toLocalIterator()]
        prefix = "" if name == current else f"{name}."
        tables += [_listed(f"{prefix}{row[1]}", str(row[3])) for row in rows if not row[2]]
    return tuple(sorted(tables, key=lambda table: table.described.is_view))


def _listed(name: str, information: str) -> SparkTable:
    head, _, columns = information.partition("Schema: root")
    kind, comment, rows = _TYPE.search(head), _COMMENT.search(head), _ROWS.search(head)
    return SparkTable(
        Table(
            name=name,
            comment=one_line(comment[1], 400) if comment else "",
            row_estimate=int(rows[1]) if rows else None,
            is_view=bool(kind and "VIEW" in kind[1]),
        ),
        columns.strip(),
    )


def fingerprint_of(tables: Sequence[SparkTable]) -> str:
    """A hash over names, kinds and columns; what changes with the rows has no part in it."""
    columns_of_tables = sorted((table.described.name, table.described.is_view, table.columns) for table in tables)
    return hashlib.sha256(repr(columns_of_tables).encode()).hexdigest()[:16]


def detailed_tables(session: Any, tables: Sequence[Table], tag: str, sampled: bool) -> tuple[Table, ...]:
    """The tables with columns, and with samples as far as there is time.

    Args:
        tag: By which what runs for it is stopped.
    """
    ends = time.monotonic() + _SAMPLING_S

    def described(table: Table) -> Table:
        # Tags of statements belong to a thread.
        session.addTag(tag)
        return _described(session, table, ends if sampled else 0.0)

    with ThreadPoolExecutor(_AT_ONCE, "kbtui-spark") as pool:
        return tuple(pool.map(described, tables))


def _described(session: Any, table: Table, ends: float) -> Table:
    from pyspark.errors import PySparkException

    place = ".".join(quoted(part, "`") for part in table.name.split("."))
    columns: list[ColumnDescription] = []
    # A view may refer to a missing table.
    with suppress(PySparkException):
        columns = list(_columns(session.table(place).schema))

    def first_rows(names: Sequence[str]) -> Sequence[Sequence[Any]]:
        if time.monotonic() > ends:
            return ()
        chosen = ", ".join(quoted(name, "`") for name in names)
        try:
            return list(typed_rows(session.sql(f"SELECT {chosen} FROM {place}"), SAMPLE_ROWS)[1])
        except PySparkException:
            return ()

    return detailed_table(table, columns, (), first_rows)


def _columns(schema: Any) -> Iterator[ColumnDescription]:
    for field in schema.fields:
        comment = (field.metadata or {}).get("comment", "")
        yield ColumnDescription(field.name, field.dataType.simpleString(), False, field.nullable, comment)
