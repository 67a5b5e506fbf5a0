"""A data source of kbtui: ``todotxt:///home/me/yard.todotxt`` is a list in the manner of todo.txt as a table."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from kbtui.domain.analysis import Column, Limits, ResultTable, Schema, SchemaLevel, Table
from kbtui.domain.cancel import CancelToken
from kbtui.errors import DataSourceError

_ITEM = re.compile(r"(?P<done>x )?(?:\((?P<priority>[A-Z])\) )?(?P<text>.+)")
_COLUMNS = (
    Column(name="text", type="TEXT", kind="text"),
    Column(name="project", type="TEXT", kind="text", comment="The word behind +"),
    Column(name="person", type="TEXT", kind="text", comment="The word behind @"),
    Column(name="priority", type="TEXT", kind="text"),
    Column(name="done", type="BOOLEAN", kind="boolean"),
)


class TodoSource:
    """A list as the table ``todos``. kbtui checks each statement before it reaches `run`.

    Args:
        name: Name of the source in kbtui.
        url: Address that the user gave.
    """

    dialect = "sqlite"

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self._path = Path(unquote(urlsplit(url).path))
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            rows = [self._row(line) for line in self._path.read_text("utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise DataSourceError(f"{self._path} cannot be read.", "Check the path in the address.") from error
        self._connection.execute(
            "CREATE TABLE todos (text TEXT, project TEXT, person TEXT, priority TEXT, done BOOLEAN)"
        )
        self._connection.executemany("INSERT INTO todos VALUES (?, ?, ?, ?, ?)", rows)
        self._connection.execute("PRAGMA query_only = 1")

    def fingerprint(self) -> str:
        """It changes when the columns do; the rows may change under the same fingerprint."""
        return "todos 1"

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """The one table; at the level ``detailed`` with its columns and a few of their values."""
        (count,) = self._connection.execute("SELECT count(*) FROM todos").fetchone()
        columns = tuple(map(self._with_samples, _COLUMNS)) if level == "detailed" else ()
        table = Table(name="todos", columns=columns, row_estimate=count)
        tables = (table,) if table_names is None or "todos" in table_names else ()
        return Schema(
            source=self.name, dialect=self.dialect, level=level, tables=tables, fingerprint=self.fingerprint()
        )

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """The rows of a statement. kbtui sets ``cancel`` when the time of ``limits`` is up, too."""
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.05):
                if cancel.cancelled:
                    self._connection.interrupt()

        threading.Thread(target=watch, daemon=True).start()
        try:
            cursor = self._connection.execute(sql)
            rows = cursor.fetchmany(limits.rows + 1)
            columns = tuple(str(column[0]) for column in cursor.description)
        finally:
            done.set()
        shown = tuple(rows[: limits.rows])
        return ResultTable(columns=columns, rows=shown, row_count=len(shown), truncated=len(rows) > limits.rows)

    def explain(self, sql: str) -> None:
        """Raise an error for a statement that would fail."""
        self._connection.execute(f"EXPLAIN {sql}").close()

    def close(self) -> None:
        self._connection.close()

    def _with_samples(self, column: Column) -> Column:
        place = _COLUMNS.index(column)
        rows = self._connection.execute("SELECT * FROM todos LIMIT 50").fetchall()
        samples = tuple(dict.fromkeys(row[place] for row in rows if row[place] is not None))[:5]
        return Column(name=column.name, type=column.type, kind=column.kind, comment=column.comment, samples=samples)

    @staticmethod
    def _row(line: str) -> tuple[str, str | None, str | None, str | None, bool]:
        item = _ITEM.fullmatch(line.strip())
        text = item["text"] if item else line.strip()
        project, person = (re.search(rf"(?:^|\s)\{sign}(\S+)", text) for sign in "+@")
        return (
            text,
            project[1] if project else None,
            person[1] if person else None,
            item["priority"] if item else None,
            bool(item and item["done"]),
        )
