"""PostgreSQL, read in read-only transactions through a cursor of the server's.

What holds without the guard: the session and each transaction are read only; DECLARE takes one statement, and only
SELECT or VALUES, over the extended protocol (postgresql.org/docs/15/sql-declare.html); a superuser's questions run as
``pg_read_all_data``, which reads every table and no file; and functions that undo one of these are not called at all.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kbtui.data.reflection import ColumnDescription, detailed_tables, quoted, refused, sample_statement
from kbtui.data.server import CONNECT_S, ServerSource, escalating_stop
from kbtui.data.values import Cursor
from kbtui.domain.analysis import ForeignKey, Limits, Table
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from psycopg import Connection

_FORBIDDEN: Final = re.compile(
    r"\b(?:set_config|lowrite|loread|dblink\w*|"
    r"lo_(?:close|creat|create|export|from_bytea|get|import|open|put|truncate|truncate64|unlink|lseek|lseek64)|"
    r"pg_(?:read|write|ls|stat_file|file|terminate|cancel|reload|rotate|sleep|advisory|try_advisory|switch|create|drop|"
    r"promote|backup|start|stop|wal|logical|replication|copy|import|export|execute|notify)\w*|"
    r"(?:query|cursor|table|schema|database)_to_xml\w*)\b|\bu&\"",
    re.IGNORECASE,
)
"""Functions that change settings, files or other sessions, or run text as SQL; a read-only transaction stops none."""

_MAX_COUNTED_BYTES: Final = 4 << 20
_MAX_COUNTED_TABLES: Final = 60
_SAMPLE_MS: Final = 1000
_RELATIONS: Final = (
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition "
    "AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' "
    "AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')"
)


class PostgresSource(ServerSource):
    """One PostgreSQL database as a `QuerySource`; see `ServerSource`."""

    dialect = "postgres"
    extra = "'kbtui[postgres]'"

    def _connect(self) -> Connection[Any]:
        import psycopg

        url = self.url.set(drivername="postgresql+psycopg")
        _, parameters = url.get_dialect()().create_connect_args(url)
        parameters.setdefault("connect_timeout", CONNECT_S)
        parameters.setdefault("application_name", "kbtui")
        # Prepared statements would outlive the transaction, and break behind a pool of connections.
        connection = psycopg.connect(autocommit=True, prepare_threshold=None, **parameters)
        connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        connection.execute("SET client_encoding TO 'UTF8'")
        _accept_any_date(connection)
        superuser = connection.info.parameter_status("is_superuser") == "on"
        if superuser and connection.info.server_version >= 140_000 and not self._has_row_rules(connection):
            connection.execute("SET ROLE pg_read_all_data")
        return connection

    def _has_row_rules(self, connection: Connection[Any]) -> bool:
        """Whether tables have row-level security: a superuser sees all rows, and must keep doing so."""
        row = connection.execute("SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relrowsecurity)").fetchone()
        return bool(row and row[0])

    def _disconnect(self, connection: Connection[Any]) -> None:
        connection.close()

    def _is_alive(self, connection: Connection[Any]) -> bool:
        import psycopg

        if connection.closed:
            return False
        try:
            connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def _check_statement(self, sql: str) -> None:
        if forbidden := _FORBIDDEN.search(sql):
            raise refused(self.name, f"{forbidden[0]} is never called")

    def _make_stop(self, connection: Connection[Any]) -> Callable[[], None]:
        return escalating_stop(
            lambda: connection.cancel_safe(timeout=CONNECT_S), lambda: _shut_down(connection.fileno())
        )

    def _execute(self, connection: Connection[Any], sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]:
        connection.execute("BEGIN TRANSACTION READ ONLY")
        self._timeout(connection, int(limits.seconds * 1000) + 1000, local=True)
        cursor = connection.cursor(name="kbtui")
        # The statement comes from a question and is not trusted: a cursor can hold nothing but a query.
        cursor.execute(sql)
        columns = tuple(column.name for column in cursor.description or ())
        return columns, cursor

    def _finish(self, connection: Connection[Any], truncated: bool) -> None:  # noqa: ARG002 (the cursor ends with it)
        connection.execute("ROLLBACK")

    def _recover(self, connection: Connection[Any]) -> None:
        connection.execute("ROLLBACK")

    def _explain(self, connection: Connection[Any], sql: str) -> None:
        connection.execute("BEGIN TRANSACTION READ ONLY")
        try:
            # A cursor that is declared and never fetched from is planned and not run.
            connection.cursor(name="kbtui").execute(sql)
        finally:
            connection.execute("ROLLBACK")

    def _timeout(self, connection: Connection[Any], milliseconds: int, *, local: bool = False) -> None:
        connection.execute(f"SET {'LOCAL' if local else 'SESSION'} statement_timeout = {milliseconds}")

    def _is_timeout(self, error: Exception) -> bool:
        return getattr(error, "sqlstate", None) == "57014"

    def _translate_error(self, error: Exception) -> DataSourceError:
        import psycopg

        message = self._error_text(error)
        state = getattr(error, "sqlstate", None) or ""
        low = str(error).lower()
        match state:
            case _ if state in ("28P01", "28000") or "password authentication" in low or "no password supplied" in low:
                return self._access_denied()
            case _ if state == "3D000" or ("database" in low and "does not exist" in low and not state):
                return self._no_database()
            case "42501":
                return self._not_allowed(message)
            case "25006" | "42P11" | "0A000" | "42601" if state != "42601" or "cursor" in low or "multiple" in low:
                return refused(self.name, message)
            case "57P01" | "57P02" | "57P05":
                return self._connection_lost()
            case "57P03" | "53300":
                return self._busy(message)
            case _ if state:
                return self._unfitting(message)
            case _ if isinstance(error, psycopg.OperationalError) and (
                "closed" in low or "terminat" in low or "lost" in low or "eof detected" in low
            ):
                return self._connection_lost()
            case _ if isinstance(error, psycopg.OperationalError):
                return self._unreachable(message)
            case _:
                return self._unfitting(message)

    def _list_tables(self, connection: Connection[Any]) -> dict[str, Table]:
        rows = connection.execute(
            "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text ELSE n.nspname || '.' || c.relname END, "
            "obj_description(c.oid, 'pg_class'), c.reltuples::bigint, c.relkind = 'v', c.oid, n.nspname::text, "
            "c.relname::text, CASE WHEN c.relkind IN ('r', 'm') THEN pg_relation_size(c.oid) END "
            f"{_RELATIONS} ORDER BY pg_table_is_visible(c.oid) DESC, n.nspname, c.relname"
        ).fetchall()
        unknown = [row for row in rows if row[2] <= 0 and row[7] is not None and row[7] <= _MAX_COUNTED_BYTES]
        counted = {row[4]: 0 for row in unknown if not row[7]} | self._counted(
            connection, [row for row in unknown if row[7]]
        )
        return {
            name: Table(
                name=name,
                comment=one_line(comment or "", 400),
                row_estimate=None if is_view else counted.get(oid, estimate if estimate > 0 else None),
                is_view=is_view,
            )
            for name, comment, estimate, is_view, oid, *_ in rows
        }

    def _counted(self, connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> dict[int, int]:
        """Row counts of small tables without statistics, unless there are many of them."""
        if not rows or len(rows) > _MAX_COUNTED_TABLES:
            return {}
        each = [f"SELECT {row[4]}::bigint, count(*) FROM {quoted(row[5])}.{quoted(row[6])}" for row in rows]
        return dict(self._sample(connection, " UNION ALL ".join(each)))

    def _sample(self, connection: Connection[Any], sql: str) -> list[tuple[Any, ...]]:
        """What a statement of this file brings within a second; nothing when it fails."""
        import psycopg

        try:
            return connection.execute(sql).fetchall()
        except psycopg.OperationalError:
            if connection.closed:
                raise
            return []
        except psycopg.Error:
            # A column may not be readable; a view may refer to a missing table or be a long calculation.
            return []

    def _detail_tables(self, connection: Connection[Any], tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]:
        wanted = {table.name for table in tables}
        places = {
            row[0]: row[1:]
            for row in connection.execute(
                "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text ELSE n.nspname || '.' || c.relname "
                f"END, c.oid, n.nspname::text, c.relname::text {_RELATIONS}"
            ).fetchall()
            if row[0] in wanted
        }
        names = {oid: name for name, (oid, *_) in places.items()}
        oids = list(names)
        keys, foreign = self._keys(connection, oids, names)
        columns: dict[str, list[ColumnDescription]] = {}
        for oid, name, type_name, not_null, comment, may_read in connection.execute(
            "SELECT a.attrelid, a.attname::text, CASE t.typtype WHEN 'e' THEN 'enum ' || format_type(a.atttypid, -1) "
            "WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END, "
            "a.attnotnull, col_description(a.attrelid, a.attnum), "
            "has_column_privilege(a.attrelid, a.attnum, 'SELECT') "
            "FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
            "WHERE a.attrelid = ANY(%s) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum",
            (oids,),
        ).fetchall():
            if may_read:
                column = ColumnDescription(name, type_name, name in keys.get(oid, ()), not not_null, comment)
                columns.setdefault(names[oid], []).append(column)

        def first_rows(table: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
            return self._sample(connection, sample_statement(names, places[table][1:]))

        self._timeout(connection, _SAMPLE_MS)
        try:
            return detailed_tables(tables, columns, foreign, first_rows if sampled else None)
        finally:
            if not connection.closed:
                self._timeout(connection, 0)

    def _keys(
        self, connection: Connection[Any], oids: Sequence[int], names: dict[int, str]
    ) -> tuple[dict[int, set[str]], dict[str, list[ForeignKey]]]:
        keys: dict[int, set[str]] = {}
        foreign: dict[str, list[ForeignKey]] = {}
        for oid, kind, own, referred, referred_columns, referred_name in connection.execute(
            "SELECT k.conrelid, k.contype::text, "
            "ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u(number, place) JOIN "
            "pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number ORDER BY u.place), "
            "k.confrelid, "
            "ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u(number, place) JOIN "
            "pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number ORDER BY u.place), "
            "(SELECT CASE WHEN pg_table_is_visible(r.oid) THEN r.relname::text ELSE m.nspname || '.' || r.relname END "
            "FROM pg_catalog.pg_class r JOIN pg_catalog.pg_namespace m ON m.oid = r.relnamespace "
            "WHERE r.oid = k.confrelid) "
            "FROM pg_catalog.pg_constraint k WHERE k.contype IN ('p', 'f') AND k.conrelid = ANY(%s) "
            "AND k.conparentid = 0 ORDER BY k.conname",
            (list(oids),),
        ).fetchall():
            if kind == "p":
                keys.setdefault(oid, set()).update(own)
            else:
                foreign.setdefault(names[oid], []).append(
                    ForeignKey(
                        columns=tuple(own),
                        referred_table=names.get(referred) or referred_name,
                        referred_columns=tuple(referred_columns),
                    )
                )
        return keys, foreign

    def _fingerprint(self, connection: Connection[Any]) -> str:
        row = connection.execute(
            "SELECT md5(coalesce(string_agg(concat_ws('|', n.nspname, c.relname, c.relkind, a.attname, a.atttypid, "
            "a.atttypmod, a.attnotnull), ',' ORDER BY n.nspname, c.relname, a.attnum), '')) "
            "FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid "
            "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE a.attnum > 0 AND NOT a.attisdropped "
            "AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"
        ).fetchone()
        return str(row[0]) if row else ""


def _accept_any_date(connection: Connection[Any]) -> None:
    """Load dates beyond Python's years, and infinity, as text."""
    from psycopg import DataError
    from psycopg.types import datetime

    for name in ("date", "timestamp", "timestamptz"):
        base = {"date": datetime.DateLoader, "timestamp": datetime.TimestampLoader}.get(
            name, datetime.TimestamptzLoader
        )

        class Lenient(base):  # type: ignore[valid-type,misc]
            def load(self, data: Any) -> Any:
                try:
                    return super().load(data)
                except DataError:
                    return bytes(data).decode()

        connection.adapters.register_loader(name, Lenient)


def _shut_down(descriptor: int) -> None:
    """Shut down the socket of an unresponsive server, so that waiting threads wake up."""
    with socket.socket(fileno=os.dup(descriptor)) as line:
        line.shutdown(socket.SHUT_RDWR)
