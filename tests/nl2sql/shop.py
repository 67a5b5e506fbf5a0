"""A small shop in memory, with its catalogue written by hand: for tests that run statements."""

from __future__ import annotations

import sqlite3
from typing import Any

import duckdb

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge, Encoding, Kind, TableInfo
from kbtui.nl2sql.query import Ref

TABLES: dict[str, tuple[tuple[str, str], ...]] = {
    "customer": (("id", "INTEGER"), ("name", "TEXT"), ("city", "TEXT"), ("joined", "TEXT")),
    "orders": (
        *(("id", "INTEGER"), ("customer_id", "INTEGER"), ("ordered_at", "TIMESTAMP"), ("amount", "DOUBLE")),
        *(("status", "TEXT"), ("fee", "TEXT"), ("due", "TEXT")),
    ),
    "line": (("id", "INTEGER"), ("order_id", "INTEGER"), ("product_id", "INTEGER"), ("quantity", "INTEGER")),
    "product": (("id", "INTEGER"), ("title", "TEXT"), ("category", "TEXT"), ("price", "DOUBLE")),
}
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "customer": [
        (1, "Ada", "Oslo", "2024-01-05"),
        (2, "Bob", "Rome", "2024-02-10"),
        (3, "Cy", "Oslo", "2025-03-15"),
        (4, "Di", "", "2025-06-01"),
    ],
    "orders": [
        (1, 1, "2025-01-31 10:00:00", 10.0, "open", "$1,200.50", "2025/2/3"),
        (2, 1, "2025-02-01 00:00:00", 20.0, "paid", "$300", "2025/2/10"),
        (3, 2, "2025-02-28 23:30:00", 40.0, "open", "n/a", "2025/10/1"),
        (4, 2, "2026-02-03 08:00:00", 80.0, "paid", "$20.5", "2025/9/30"),
        (5, 3, "2026-03-09 12:00:00", 100.0, "Open", None, None),
    ],
    "line": [(1, 1, 1, 2), (2, 1, 2, 1), (3, 2, 1, 5), (4, 3, 3, 1), (5, 3, 1, 1), (6, 4, 2, 7), (7, 5, 3, 3)],
    "product": [(1, "Pen", "Desk", 1.5), (2, "Ink", "Desk", 4.0), (3, "Mug", "Kitchen", 8.0)],
}
_KINDS: dict[str, Kind] = {
    **{"id": "key", "customer_id": "reference", "order_id": "reference", "product_id": "reference"},
    **{"name": "name", "title": "name", "city": "category", "status": "category", "category": "category"},
    **{"amount": "measure", "quantity": "measure", "fee": "measure", "price": "rate"},
    **{"ordered_at": "date", "due": "date", "joined": "date"},
}
_ENCODED: dict[str, tuple[Encoding, str]] = {"fee": ("number", ""), "due": ("date", "%Y/%m/%d"), "joined": ("date", "")}


def catalogue(dialect: str = "sqlite") -> Catalogue:
    """The shop as a profile would have it."""
    tables = {}
    for name, columns in TABLES.items():
        infos = []
        for index, (column, _) in enumerate(columns):
            values = [row[index] for row in ROWS[name]]
            known = [value for value in values if value is not None]
            words = tuple(column.split("_"))
            infos.append(
                ColumnInfo(
                    **{"ref": Ref(name, column), "kind": _KINDS[column], "words": words, "own": words},
                    **{"values": tuple((value, known.count(value)) for value in dict.fromkeys(known))},
                    **{"distinct": len(set(known)), "nulls": 1 - len(known) / len(values), "complete": True},
                    **{"encoding": _ENCODED.get(column, ("", ""))[0], "has_time": column == "ordered_at"},
                    date_format=_ENCODED.get(column, ("", ""))[1],
                )  # type: ignore[arg-type]
            )
        naming = tuple(info.ref for info in infos if info.kind == "name")
        dates = tuple(info.ref for info in infos if info.kind == "date")
        words = ("order",) if name == "orders" else (name,)
        tables[name] = TableInfo(
            **{"name": name, "words": words, "columns": tuple(infos), "key": Ref(name, "id"), "naming": naming},
            dates=dates,
            rows=len(ROWS[name]),
        )  # type: ignore[arg-type]
    edges = (
        Edge(Ref("orders", "customer_id"), Ref("customer", "id")),
        Edge(Ref("line", "order_id"), Ref("orders", "id")),
        Edge(Ref("line", "product_id"), Ref("product", "id")),
    )
    return Catalogue(source="shop", dialect=dialect, tables=tables, edges=edges)


def connection(dialect: str) -> Any:
    """The shop in an engine of the dialect, in memory."""
    engine: Any = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect(":memory:")
    for name, columns in TABLES.items():
        declared = ", ".join(f"{column} {kind}" for column, kind in columns)
        engine.execute(f"CREATE TABLE {name} ({declared})")
        engine.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", ROWS[name])
    return engine
