"""What a Spark server has: its tables by one statement a schema, their columns and samples several at a time."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from kbtui.data.reflection import SAMPLE_ROWS, ColumnDescription, detailed_table, quoted
from kbtui.domain.analysis import Table
from kbtui.text.terminal import one_line

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
        from kbtui.data.spark import typed_rows

        if time.monotonic() > ends:
            return ()
        chosen = ", ".join(quoted(name, "`") for name in names)
        try:
            return list(typed_rows(session.sql(f"SELECT {chosen} FROM {place}"), SAMPLE_ROWS)[1])
        except PySparkException:
            return ()

    return detailed_table(replace(table), columns, (), first_rows)


def _columns(schema: Any) -> Iterator[ColumnDescription]:
    for field in schema.fields:
        comment = (field.metadata or {}).get("comment", "")
        yield ColumnDescription(field.name, field.dataType.simpleString(), False, field.nullable, comment)
