"""Whether a data source can be opened and what is in it, looked at without changing it."""

from __future__ import annotations

from contextlib import closing
from pathlib import PurePath
from typing import Final

from kbtui.domain.analysis import Schema
from kbtui.settings.sources import DataSource
from kbtui.text.terminal import one_line

_ENGINES: Final = {"sqlite": "SQLite", "duckdb": "DuckDB", "postgres": "PostgreSQL", "mysql": "MySQL"}
_FILES: Final = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".json": "JSON",
    ".jsonl": "JSON Lines",
    ".parquet": "Parquet",
    ".xlsx": "Excel",
}


def describe(source: DataSource) -> str:
    """Open the source and say what it holds: ``SQLite, 11 tables``.

    A file that must be loaded before it is asked is loaded here.

    Raises:
        DataSourceError: It cannot be opened; the hint says what to do.
        StorageError: A file was to be loaded, and the cache cannot be written.
    """
    from kbtui.data.sources import open_source

    with closing(open_source(source)) as opened:
        schema = opened.schema("basic")
    return " ".join([_holds(source, schema), *(one_line(note) for note in schema.notes)])


def _holds(source: DataSource, schema: Schema) -> str:
    tables = [table for table in schema.tables if not table.is_view]
    found = [_ENGINES.get(schema.dialect, schema.dialect), _many(len(tables), "table")]
    if not source.is_url and (kind := _FILES.get(PurePath(source.location).suffix.lower())):
        rows = sum(table.row_estimate or 0 for table in tables)
        found = [kind, *([_many(len(tables), "table")] if len(tables) != 1 else []), _many(rows, "row")]
    return ", ".join(found) + ("." if schema.notes else "")


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
