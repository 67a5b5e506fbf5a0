"""All other engines with an SQLAlchemy dialect: Snowflake, BigQuery, SQL Server and others.

No read-only mode of these engines is known here, so the guard and the account keep them from writing; the URL must
say that the account can only read: ``?kbtui_read_only=account``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kbtui.data.reflection import SAMPLE_ROWS, ColumnDescription, detailed_table
from kbtui.data.server import Guard, ServerSource, escalating_stop
from kbtui.data.values import Cursor
from kbtui.domain.analysis import ForeignKey, Limits, Table
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Connection, Engine

_READ_ONLY_PARAMETER: Final = "kbtui_read_only"
_SQLGLOT_DIALECTS: Final = {
    "mssql": "tsql",
    "awsathena": "athena",
    "spark": "spark",
    "hive": "hive",
    "cockroachdb": "postgres",
    "clickhousedb": "clickhouse",
}
"""Dialects with another name in sqlglot than in SQLAlchemy."""


def without_read_only_flag(name: str, url: URL) -> URL:
    """The URL without the parameter that its account can only read.

    Raises:
        DataSourceError: It does not say so.
    """
    if url.query.get(_READ_ONLY_PARAMETER) != "account":
        raise DataSourceError(
            f"{name}: kbtui knows no way to keep {url.get_backend_name()} from writing.",
            f"Where its account can only read, say so: add {_READ_ONLY_PARAMETER}=account to the URL's parameters.",
        )
    return url.difference_update_query([_READ_ONLY_PARAMETER])


class OtherSource(ServerSource):
    """A database of another engine as a `QuerySource`; see `ServerSource`.

    Raises:
        DataSourceError: The URL does not say that its account only reads, or there is no such dialect.
    """

    def __init__(self, name: str, url: URL, guard: Guard | None = None) -> None:
        self._require_dialect(name, url)
        super().__init__(name, without_read_only_flag(name, url), guard)
        backend = url.get_backend_name()
        self.dialect = _SQLGLOT_DIALECTS.get(backend, backend)
        self._engine: Engine | None = None

    @staticmethod
    def _require_dialect(name: str, url: URL) -> None:
        from sqlalchemy.exc import NoSuchModuleError

        try:
            url.get_dialect()
        except NoSuchModuleError as error:
            raise DataSourceError(
                f"{name}: no package for databases of the kind {url.get_backend_name()} is installed.",
                "Install its SQLAlchemy dialect.",
            ) from error

    def _connect(self) -> Connection:
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        if self._engine is None:
            self._engine = create_engine(self.url, poolclass=NullPool)
        return self._engine.connect()

    def _disconnect(self, connection: Connection) -> None:
        connection.invalidate()
        connection.close()

    def _is_alive(self, connection: Connection) -> bool:
        return not connection.closed and not connection.invalidated

    def _make_stop(self, connection: Connection) -> Callable[[], None]:
        driver = connection.connection.driver_connection

        def stop() -> None:
            for word in ("interrupt", "cancel"):
                method = getattr(driver, word, None)
                if callable(method):
                    method()
                    return
            if driver is not None:
                driver.close()

        def close() -> None:
            if driver is not None:
                with suppress(Exception):
                    driver.close()

        return escalating_stop(stop, close)

    def _execute(self, connection: Connection, sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]:
        result = connection.execution_options(
            stream_results=True, max_row_buffer=min(500, limits.rows + 1)
        ).exec_driver_sql(sql)
        return tuple(result.keys()), result

    def _recover(self, connection: Connection) -> None:
        connection.rollback()

    def _explain(self, connection: Connection, sql: str) -> None:
        connection.exec_driver_sql(f"EXPLAIN {sql}").close()
        connection.rollback()

    def _translate_error(self, error: Exception) -> DataSourceError:
        from sqlalchemy.exc import DBAPIError, OperationalError

        message = self._error_text(
            error.orig if isinstance(error, DBAPIError) and isinstance(error.orig, Exception) else error
        )
        if self._cached_connection is None and isinstance(error, OperationalError):
            return self._unreachable(message)
        return self._unfitting(message)

    def _list_tables(self, connection: Connection) -> dict[str, Table]:
        from sqlalchemy import inspect

        inspector = inspect(connection)
        tables = [Table(name=name) for name in inspector.get_table_names()]
        with suppress(NotImplementedError):
            tables += [Table(name=name, is_view=True) for name in inspector.get_view_names()]
        return {table.name: table for table in tables}

    def _detail_tables(self, connection: Connection, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]:
        from sqlalchemy import inspect

        inspector = inspect(connection)
        return tuple(self._table(connection, inspector, table, sampled) for table in tables)

    def _table(self, connection: Connection, inspector: Any, table: Table, sampled: bool) -> Table:
        described = inspector.get_columns(table.name)
        keys: Sequence[str] = ()
        foreign: Sequence[dict[str, Any]] = ()
        comment = ""
        # Many dialects implement only some of these methods.
        with suppress(NotImplementedError):
            keys = inspector.get_pk_constraint(table.name).get("constrained_columns") or ()
        with suppress(NotImplementedError):
            foreign = inspector.get_foreign_keys(table.name)
        with suppress(NotImplementedError):
            comment = inspector.get_table_comment(table.name).get("text") or ""
        columns = [
            ColumnDescription(
                column["name"],
                str(column["type"]),
                column["name"] in keys,
                bool(column.get("nullable", True)),
                column.get("comment"),
            )
            for column in described
        ]
        referring = [
            ForeignKey(
                columns=tuple(key["constrained_columns"]),
                referred_table=key["referred_table"],
                referred_columns=tuple(key["referred_columns"]),
            )
            for key in foreign
        ]

        def first_rows(names: Sequence[str]) -> Sequence[Sequence[Any]]:
            from sqlalchemy import column, select
            from sqlalchemy import table as from_table
            from sqlalchemy.exc import SQLAlchemyError

            try:
                chosen: Any = select(*map(column, names)).select_from(from_table(table.name)).limit(SAMPLE_ROWS)
                return connection.execute(chosen).fetchall()
            except SQLAlchemyError:
                connection.rollback()
                return ()

        named = replace(table, comment=one_line(comment, 400))
        return detailed_table(named, columns, referring, first_rows if sampled else None)

    def _fingerprint(self, connection: Connection) -> str:
        from sqlalchemy import inspect

        inspector = inspect(connection)
        schema_columns = sorted(
            (str(place), [(c["name"], str(c["type"])) for c in columns])
            for place, columns in inspector.get_multi_columns().items()
        )
        return hashlib.sha256(repr(schema_columns).encode()).hexdigest()[:16]
