"""Small sources in memory for the profile: a schema as the adapters read it, and statements run over it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from kbtui.data.reflection import column_of
from kbtui.domain.analysis import Column, ForeignKey, Schema, Table
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Ref

TODAY = date(2026, 11, 20)
Ask = Callable[[str], Sequence[Sequence[Any]]]


class Memory:
    """An SQLite database in memory.

    Args:
        script: Statements that make it.
    """

    def __init__(self, script: str = "") -> None:
        self.connection = sqlite3.connect(":memory:")
        self.connection.executescript(script)
        self.asked: list[str] = []

    def fill(self, table: str, rows: Sequence[Sequence[Any]]) -> Memory:
        """Adds rows."""
        marks = ", ".join("?" * len(rows[0]))
        self.connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
        return self

    def ask(self, sql: str) -> Sequence[Sequence[Any]]:
        """Rows of a statement."""
        self.asked.append(sql)
        return self.connection.execute(sql).fetchall()

    @property
    def schema(self) -> Schema:
        """As the adapter reads it."""
        names = [row[0] for row in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return Schema(source="memory", dialect="sqlite", level="detailed", tables=tuple(map(self._table, names)))

    def _table(self, name: str) -> Table:
        declared = self.connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        rows = self.connection.execute(f'SELECT * FROM "{name}" LIMIT 200').fetchall()
        columns: list[Column] = [
            column_of(row[1], row[2], [values[position] for values in rows], is_key=bool(row[5]), loose=True)
            for position, row in enumerate(declared)
        ]
        foreign = [
            ForeignKey(columns=(row[3],), referred_table=row[2], referred_columns=(row[4],) if row[4] else ())
            for row in self.connection.execute(f'PRAGMA foreign_key_list("{name}")')
        ]
        count = self.connection.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]
        return Table(name=name, columns=tuple(columns), foreign_keys=tuple(foreign), row_estimate=count)

    def catalogue(self) -> Catalogue:
        """Its profile."""
        return profile(self.schema, self.ask, today=TODAY)


def column(catalogue: Catalogue, table: str, name: str) -> ColumnInfo:
    """The column, which is there."""
    info = catalogue.column(Ref(table, name))
    assert info is not None
    return info


def kinds(table: TableInfo) -> dict[str, str]:
    """Kind by name of column."""
    return {info.ref.column: info.kind for info in table.columns}
