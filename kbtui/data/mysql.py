"""MySQL and MariaDB, read in read-only transactions, one statement at a time.

What holds without the guard: the session and each transaction are read only; the protocol's several statements are
off, as is LOAD DATA LOCAL; what does not begin as a query is not sent, for SET, KILL or COMMIT need no transaction; and
INTO OUTFILE, LOAD_FILE and their like are refused, for a read-only transaction stops none of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from socket import SHUT_RDWR
from typing import Any, Final

from kbtui.data.reflection import ColumnDescription, detailed_tables, refused, sample_statement
from kbtui.data.server import CONNECT_S, ServerSource, escalating_stop
from kbtui.data.values import Cursor
from kbtui.domain.analysis import ForeignKey, Limits, Table
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

_FORBIDDEN: Final = re.compile(
    r"\b(?:outfile|dumpfile|load_file|get_lock|release_(?:all_)?locks?|sys_exec|sys_eval|sys_get|sys_set|"
    r"master_pos_wait|master_gtid_wait|source_pos_wait|nextval|setval|lastval)\b|/\*M?!|"
    r"\bprocedure\s+analyse\b|\bnext\s+value\s+for\b|\blast_insert_id\s*\(\s*[^)\s]|:=|\binto\s+@",
    re.IGNORECASE,
)
"""Functions that access files, locks and sequences; and comments that MySQL executes."""
_QUERY: Final = re.compile(
    r"(?:\s|--[ \t].*?(?:\n|$)|#.*?(?:\n|$)|/\*.*?\*/)*\(*\s*(?:select|with|values|table|\()", re.IGNORECASE | re.DOTALL
)
_SYSTEM: Final = "('mysql', 'information_schema', 'performance_schema', 'sys')"
_SAMPLE_S: Final = 1
_GONE: Final = frozenset({0, 1053, 1152, 1927, 2006, 2013, 2055, 4031})
_TOO_LATE: Final = frozenset({1317, 1969, 3024})


class MySqlSource(ServerSource):
    """One MySQL or MariaDB database as a `QuerySource`; see `ServerSource`."""

    dialect = "mysql"
    extra = "'kbtui[mysql]'"
    _is_mariadb = False

    def _connect(self) -> Any:
        connection = self._dial(read_timeout=None)
        self._is_mariadb = "mariadb" in str(connection.get_server_info()).lower()
        self._execute_sql(connection, "SET SESSION TRANSACTION READ ONLY")
        return connection

    def _dial(self, read_timeout: int | None) -> Any:
        import pymysql

        url = self.url.set(drivername="mysql+pymysql")
        _, arguments = url.get_dialect()().create_connect_args(url)
        parameters = {**arguments, "local_infile": False, "autocommit": True}
        parameters.setdefault("connect_timeout", CONNECT_S)
        parameters.setdefault("charset", "utf8mb4")
        return pymysql.connect(read_timeout=read_timeout, **parameters)

    def _disconnect(self, connection: Any) -> None:
        # The socket is closed without COM_QUIT: the driver would first read all rows that the server still sends, and
        # so would an unfinished result of the cursor when it is collected.
        left, connection._result = connection._result, None
        if left is not None:
            left.unbuffered_active, left.connection = False, None
        connection._force_close()

    def _is_alive(self, connection: Any) -> bool:
        import pymysql

        try:
            connection.ping(reconnect=False)
        except (pymysql.Error, OSError):
            return False
        return True

    def _check_statement(self, sql: str) -> None:
        if forbidden := _FORBIDDEN.search(sql):
            raise refused(self.name, f"{one_line(forbidden[0])} is never used")
        if not _QUERY.match(sql):
            raise refused(self.name, "it is no query")

    def _make_stop(self, connection: Any) -> Callable[[], None]:
        line = connection._sock

        def kill() -> None:
            other = self._dial(read_timeout=CONNECT_S)
            try:
                self._execute_sql(other, f"KILL QUERY {int(connection.thread_id())}")
            finally:
                other.close()

        return escalating_stop(kill, lambda: line.shutdown(SHUT_RDWR))

    def _execute(self, connection: Any, sql: str, limits: Limits) -> tuple[tuple[str, ...], Cursor]:
        from pymysql.cursors import SSCursor

        self._timeout(connection, limits.seconds + 1)
        self._execute_sql(connection, "START TRANSACTION READ ONLY")
        cursor = connection.cursor(SSCursor)
        cursor.execute(sql)
        columns = tuple(str(column[0]) for column in cursor.description or ())
        return columns, cursor

    def _recover(self, connection: Any) -> None:
        self._execute_sql(connection, "ROLLBACK")

    def _explain(self, connection: Any, sql: str) -> None:
        self._execute_sql(connection, f"EXPLAIN {sql}")

    def _timeout(self, connection: Any, seconds: float) -> None:
        if self._is_mariadb:
            self._execute_sql(connection, f"SET SESSION max_statement_time = {seconds:.3f}")
        else:
            self._execute_sql(connection, f"SET SESSION max_execution_time = {int(seconds * 1000)}")

    def _execute_sql(self, connection: Any, sql: str, values: Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return list(cursor.fetchall())

    def _is_timeout(self, error: Exception) -> bool:
        return _error_number(error) in _TOO_LATE

    def _error_text(self, error: Exception) -> str:
        message = error.args[1] if len(error.args) > 1 else str(error)
        return one_line(str(message), 300).rstrip(".")

    def _translate_error(self, error: Exception) -> DataSourceError:
        message = self._error_text(error)
        match _error_number(error):
            case 1045 | 1698 | 1251 | 2059:
                return self._access_denied()
            case 1049:
                return self._no_database()
            case 1044 | 1142 | 1143 | 1227 | 1370:
                return self._not_allowed(message)
            case 1792 | 1290 | 1836:
                return refused(self.name, message)
            case 2002 | 2003 | 2005:
                return self._unreachable(message)
            case 1040 | 1203 | 1226:
                return self._busy(message)
            case number if number in _GONE:
                return self._connection_lost()
            case _:
                return self._unfitting(message)

    def _schema_condition(self) -> tuple[str, list[Any]]:
        """The condition on schemas: that of the URL, or all but the server's own."""
        return ("= %s", [self.url.database]) if self.url.database else (f"NOT IN {_SYSTEM}", [])

    def _qualified_name(self, schema: str, table: str) -> str:
        return table if self.url.database else f"{schema}.{table}"

    def _list_tables(self, connection: Any) -> dict[str, Table]:
        which, values = self._schema_condition()
        rows = self._execute_sql(
            connection,
            "SELECT table_schema, table_name, table_comment, table_rows, table_type LIKE '%%VIEW' "
            f"FROM information_schema.tables WHERE table_schema {which} ORDER BY table_type LIKE '%%VIEW', "
            "table_schema, table_name",
            values,
        )
        return {
            self._qualified_name(schema, name): Table(
                name=self._qualified_name(schema, name),
                comment="" if is_view else one_line(comment or "", 400),
                row_estimate=None if is_view or estimate is None else int(estimate),
                is_view=bool(is_view),
            )
            for schema, name, comment, estimate, is_view in rows
        }

    def _detail_tables(self, connection: Any, tables: Sequence[Table], sampled: bool) -> tuple[Table, ...]:
        which, values = self._schema_condition()
        columns: dict[str, list[ColumnDescription]] = {}
        places: dict[str, tuple[str, str]] = {}
        for schema, table, *column in self._execute_sql(
            connection,
            "SELECT table_schema, table_name, column_name, column_type, column_key = 'PRI', is_nullable = 'YES', "
            f"column_comment FROM information_schema.columns WHERE table_schema {which} "
            "ORDER BY table_schema, table_name, ordinal_position",
            values,
        ):
            name, type_name, is_key, nullable, comment = column
            places[self._qualified_name(schema, table)] = (schema, table)
            columns.setdefault(self._qualified_name(schema, table), []).append(
                ColumnDescription(name, type_name, bool(is_key), bool(nullable), comment)
            )
        foreign = self._foreign_keys(connection)
        if sampled:
            self._timeout(connection, _SAMPLE_S)

        def first_rows(table: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
            return self._sample(connection, sample_statement(names, places[table], "`"))

        return detailed_tables(tables, columns, foreign, first_rows if sampled else None)

    def _sample(self, connection: Any, sql: str) -> list[tuple[Any, ...]]:
        import pymysql

        try:
            return self._execute_sql(connection, sql)
        except pymysql.Error as error:
            if _error_number(error) in _GONE:
                raise
            # A view may refer to a missing table, or be a long calculation.
            return []

    def _foreign_keys(self, connection: Any) -> dict[str, list[ForeignKey]]:
        which, values = self._schema_condition()
        grouped: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        for row in self._execute_sql(
            connection,
            "SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, "
            "referenced_table_name, referenced_column_name FROM information_schema.key_column_usage "
            f"WHERE table_schema {which} AND referenced_table_name IS NOT NULL "
            "ORDER BY constraint_name, ordinal_position",
            values,
        ):
            grouped.setdefault((self._qualified_name(row[0], row[1]), row[2]), []).append(row)
        keys: dict[str, list[ForeignKey]] = {}
        for (table, _), rows in grouped.items():
            schema, referred = rows[0][4], rows[0][5]
            keys.setdefault(table, []).append(
                ForeignKey(
                    columns=tuple(row[3] for row in rows),
                    referred_table=referred if schema == self.url.database else f"{schema}.{referred}",
                    referred_columns=tuple(row[6] for row in rows),
                )
            )
        return keys

    def _fingerprint(self, connection: Any) -> str:
        which, values = self._schema_condition()
        row = self._execute_sql(
            connection,
            "SELECT count(*), coalesce(bit_xor(crc32(concat_ws('|', table_schema, table_name, ordinal_position, "
            "column_name, column_type, is_nullable, column_key))), 0) "
            f"FROM information_schema.columns WHERE table_schema {which}",
            values,
        )[0]
        return f"{row[0]}:{row[1]}"


def _error_number(error: Exception) -> int | None:
    """The error number of MySQL; None for some errors of the driver."""
    code = error.args[0] if error.args else None
    if isinstance(error, OSError):
        return 2013
    return code if isinstance(code, int) else None
