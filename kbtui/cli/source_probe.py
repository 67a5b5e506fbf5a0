"""Opens data sources read-only, to test them and to describe what they contain."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from typing import Final

from kbtui.cli import console
from kbtui.data.sources import open_source
from kbtui.domain.analysis import QuerySource, Schema
from kbtui.errors import Cancelled, DataSourceError, TimedOut, UsageError
from kbtui.settings.sources import DataSource
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line

_ENGINES: Final = {
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "postgres": "PostgreSQL",
    "mysql": "MySQL",
    "spark": "Spark",
    "trino": "Trino",
}
_FILE_FORMATS: Final = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".json": "JSON",
    ".jsonl": "JSON Lines",
    ".parquet": "Parquet",
    ".xlsx": "Excel",
}


def describe(source: DataSource) -> str:
    """Open a source and return a description of its contents: ``SQLite, 11 tables``.

    A file that has to be loaded before it can be queried is loaded.

    Raises:
        DataSourceError: The source cannot be opened; the hint says what to do.
        StorageError: A file has to be loaded, and the cache cannot be written.
    """
    with closing(open_source(source)) as opened:
        schema = opened.schema("basic")
    return " ".join([_contents(source, schema), *(one_line(note) for note in schema.notes)])


def require(
    sources: Iterable[DataSource], deadline_s: float | None = None, *, meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Open and close each source that a command was given, before the command does anything else.

    Sources of the settings are not checked here, since a missing one is only a warning of the run.

    Args:
        deadline_s: Time limit in seconds for opening all of them.
        meanwhile: Called while a source is opened by its own process, which loads a file of data first.

    Raises:
        UsageError: One cannot be opened; message and hint are those of the source.
        StorageError: A file has to be loaded, and the cache cannot be written.
        TimedOut: Opening took longer than ``deadline_s``.
    """
    ends = None if deadline_s is None else time.monotonic() + deadline_s
    for source in sources:
        if source.opens_slowly:
            console.say(f"opening {source.name} …")
        try:
            # The source is closed before the thread is waited for, so that an error of `meanwhile` ends both.
            with ThreadPoolExecutor(1) as thread, closing(open_source(source)) as opened, _closed_at(ends, opened):
                schema = thread.submit(opened.schema, "basic")
                meanwhile()
                schema.result()
        except DataSourceError as error:
            raise UsageError(error.message, error.hint) from error
        except Cancelled as error:
            raise TimedOut(
                f"{source.name} could not be opened within {deadline_s:g} s.", "Raise --timeout, or ask without it."
            ) from error


@contextmanager
def _closed_at(ends: float | None, source: QuerySource) -> Iterator[None]:
    """Close the source at the time ``ends``, which ends its loading."""
    if ends is None:
        yield
        return
    timer = threading.Timer(max(0.0, ends - time.monotonic()), source.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _contents(source: DataSource, schema: Schema) -> str:
    tables = [table for table in schema.tables if not table.is_view]
    rows = sum(table.row_estimate or 0 for table in tables)
    if source.location.startswith("s3://") or (not source.is_url and Path(source.location).expanduser().is_dir()):
        return ", ".join(["Parquet", counted(len(tables), "table"), f"about {counted(rows, 'row')}"])
    parts = [_ENGINES.get(schema.dialect, schema.dialect), counted(len(tables), "table")]
    if not source.is_url and (kind := _FILE_FORMATS.get(PurePath(source.location).suffix.lower())):
        parts = [kind, *([counted(len(tables), "table")] if len(tables) != 1 else []), counted(rows, "row")]
    return ", ".join(parts) + ("." if schema.notes else "")
