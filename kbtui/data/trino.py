"""Trino: the tables of one catalogue, as ``trino://user@host:8080/catalog[/schema]?kbtui_read_only=account``.

What keeps Trino from writing is the guard and the account, as the rule of `kbtui.data.other_servers` has it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from kbtui.data.other_servers import without_read_only_flag
from kbtui.data.reflection import ColumnDescription, detailed_tables, sample_statement
from kbtui.data.server import Guard, ServerSource, escalating_stop
from kbtui.data.values import Cursor
from kbtui.domain.analysis import Limits, Table
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_REQUEST_S: Final = 10.0
_FORBIDDEN: Final = frozenset({"PERMISSION_DENIED", "ACCESS_DENIED"})
_NOT_THERE: Final = frozenset({"CATALOG_NOT_FOUND", "SCHEMA_NOT_FOUND", "MISSING_CATALOG_NAME", "MISSING_SCHEMA_NAME"})


class TrinoSource(ServerSource):
    """One catalogue of a Trino server, or one of its schemas, as a `QuerySource`; see `ServerSource`.

    Raises:
        DataSourceError: The address names no catalogue, or does not say that its account only reads.
    """

    dialect = "trino"
    extra = "'kbtui[trino]'"
    lookup_s = 10.0

    def __init__(self, name: str, url: URL, guard: Guard | None = None) -> None:
        super().__init__(name, without_read_only_flag(name, url), guard)
        catalog, _, schema = (url.database or "").strip("/").partition("/")
        if not catalog:
            raise DataSourceError(f"{name} names no catalogue.", "It looks like trino://user@host:8080/catalog/schema.")
        self._schema = unquote(schema)
        self._cursor: Any = None

    def _connect(self) -> Any:
        try:
            from trino import dbapi
            from trino.sqlalchemy.dialect import TrinoDialect
        except ImportError as error:
            raise DataSourceError(
                f"{self.name}: the client of Trino is not installed.", f"pip install {self.extra}"
            ) from error
        _, parameters = TrinoDialect().create_connect_args(self.url)
        # The client connects with the first statement, which tells whether a server is there.
        return dbapi.connect(**{"source": "kbtui", "request_timeout": _REQUEST_S, **parameters})

    def _disconnect(self, connection: Any) -> None:
        connection.close()

    def _is_alive(self, connection: Any) -> bool:  # noqa: ARG002 (each statement is a request of its own)
        return True

    def _make_stop(self, connection: Any) -> Callable[[], None]:
        cursor = self._cursor = connection.cursor()
        return escalating_stop(cursor.cancel)

    def _execute(self, connection: Any, sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]:  # noqa: ARG002
        cursor = self._cursor
        cursor.execute(sql)
        return tuple(str(column[0]) for column in cursor.description or ()), cursor

    def _finish(self, connection: Any, truncated: bool) -> None:  # noqa: ARG002
        if truncated:
            self._cursor.cancel()

    def _recover(self, connection: Any) -> None:
        """Nothing is left of a statement that failed."""

    def _explain(self, connection: Any, sql: str) -> None:
        self._query(connection, f"EXPLAIN {sql}")

    def _is_timeout(self, error: Exception) -> bool:
        return getattr(error, "error_name", "") in ("EXCEEDED_TIME_LIMIT", "EXCEEDED_RUN_TIME_LIMIT")

    def _translate_error(self, error: Exception) -> DataSourceError:
        kind = str(getattr(error, "error_name", "") or "")
        message = one_line(str(getattr(error, "message", "") or error), 300).rstrip(".")
        if "error 401" in message or "error 403" in message or type(error).__name__ == "TrinoAuthError":
            return self._access_denied()
        if kind in _FORBIDDEN:
            return self._not_allowed(message)
        if kind in _NOT_THERE:
            return DataSourceError(f"{self.name}: {message}.", "Check its URL.")
        if not kind and (type(error).__module__.startswith(("trino", "requests", "urllib3"))):
            return self._unreachable(message)
        return self._unfitting(message)

    def _query(self, connection: Any, sql: str) -> list[Sequence[Any]]:
        cursor = self._cursor or connection.cursor()
        cursor.execute(sql)
        return list(cursor.fetchall())

    def _here(self) -> str:
        """Which schemas are meant: that of the address, or all but the server's own."""
        if self._schema:
            return "table_schema = '" + self._schema.replace("'", "''") + "'"
        return "table_schema <> 'information_schema'"

    def _qualified_name(self, schema: str, table: str) -> str:
        return table if self._schema else f"{schema}.{table}"

    def _list_tables(self, connection: Any) -> dict[str, Table]:
        rows = self._query(
            connection,
            f"SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE {self._here()} "
            "ORDER BY table_schema, table_name",
        )
        tables = [Table(name=self._qualified_name(schema, name), is_view=kind == "VIEW") for schema, name, kind in rows]
        return {table.name: table for table in sorted(tables, key=lambda table: table.is_view)}

    def _columns(self, connection: Any) -> list[Sequence[Any]]:
        return self._query(
            connection,
            "SELECT table_schema, table_name, column_name, data_type, is_nullable FROM information_schema.columns "
            f"WHERE {self._here()} ORDER BY table_schema, table_name, ordinal_position",
        )

    def _detail_tables(self, connection: Any, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]:
        columns: dict[str, list[ColumnDescription]] = {}
        places: dict[str, tuple[str, ...]] = {}
        for schema, table, name, type_name, nullable in self._columns(connection):
            qualified_name = self._qualified_name(schema, table)
            places[qualified_name] = (schema, table)
            columns.setdefault(qualified_name, []).append(ColumnDescription(name, type_name, False, nullable == "YES"))

        def first_rows(table: str, names: Sequence[str]) -> Sequence[Sequence[Any]]:
            from trino.exceptions import TrinoQueryError

            try:
                return self._query(connection, sample_statement(names, places[table]))
            except TrinoQueryError:
                # A view may refer to a missing table.
                return ()

        return detailed_tables(tables, columns, {}, first_rows if sampled else None)

    def _fingerprint(self, connection: Any) -> str:
        columns = [tuple(row) for row in self._columns(connection)]
        return hashlib.sha256(repr(columns).encode()).hexdigest()[:16]
