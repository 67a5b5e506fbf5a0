"""Columns of text in two engines, for tests of what their text stands for."""

from __future__ import annotations

import sqlite3
from typing import Any

import duckdb

from kbtui.data.guard import check
from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Encoding, Kind, TableInfo
from kbtui.nl2sql.query import Query, Ref

REF = Ref("t", "x")


def read(dialect: str, values: list[Any], encoding: Encoding, form: str, query: Query) -> list[Any]:
    """The rows of a query over one column of text."""
    kind: Kind = "date" if encoding == "date" else "measure"
    known = tuple((value, 1) for value in values if value is not None)
    info = ColumnInfo(
        ref=REF, kind=kind, words=("x",), own=("x",), encoding=encoding, date_format=form, values=known, complete=True
    )
    tables = {"t": TableInfo(name="t", words=("t",), columns=(info,))}
    sql = check(sql_of(query, Catalogue(source="s", dialect=dialect, tables=tables)), dialect)
    engine: Any = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect(":memory:")
    engine.execute(f"CREATE TABLE t (x {'BIGINT' if isinstance(values[0], int) else 'TEXT'})")
    engine.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
    return [row[0] for row in engine.execute(sql).fetchall()]
