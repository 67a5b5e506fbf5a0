"""Whether a data source can be opened and what is in it, looked at without changing it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import PurePath
from typing import Final

from kbtui.cli import console
from kbtui.data.sources import open_source
from kbtui.domain.analysis import QuerySource, Schema
from kbtui.errors import Cancelled, DataSourceError, TimedOut, UsageError
from kbtui.settings.sources import DataSource
from kbtui.text.plurals import counted
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
    with closing(open_source(source)) as opened:
        schema = opened.schema("basic")
    return " ".join([_holds(source, schema), *(one_line(note) for note in schema.notes)])


def require(
    sources: Iterable[DataSource], deadline_s: float | None = None, *, meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Open each source that a command was given, before the command does anything else; each is closed again.

    A source of the settings that is not there today is a warning of the run: it was not asked for now.

    Args:
        deadline_s: Seconds that opening all of them may take.
        meanwhile: Called when the process that reads a source has been started, and not asked yet.

    Raises:
        UsageError: One cannot be opened, in the words of whoever tried.
        StorageError: A file was to be loaded, and the cache cannot be written.
        TimedOut: It took longer than ``deadline_s``.
    """
    ends = None if deadline_s is None else time.monotonic() + deadline_s
    for source in sources:
        if source.opens_slowly:
            console.say(f"opening {source.name} …")
        try:
            with closing(open_source(source)) as opened, _closed_at(ends, opened):
                meanwhile()
                opened.schema("basic")
        except DataSourceError as error:
            raise UsageError(error.message, error.hint) from error
        except Cancelled as error:
            raise TimedOut(
                f"{source.name} could not be opened within {deadline_s:g} s.", "Raise --timeout, or ask without it."
            ) from error


@contextmanager
def _closed_at(ends: float | None, source: QuerySource) -> Iterator[None]:
    """Close the source when time is up, which ends its loading."""
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


def _holds(source: DataSource, schema: Schema) -> str:
    tables = [table for table in schema.tables if not table.is_view]
    found = [_ENGINES.get(schema.dialect, schema.dialect), counted(len(tables), "table")]
    if not source.is_url and (kind := _FILES.get(PurePath(source.location).suffix.lower())):
        rows = sum(table.row_estimate or 0 for table in tables)
        found = [kind, *([counted(len(tables), "table")] if len(tables) != 1 else []), counted(rows, "row")]
    return ", ".join(found) + ("." if schema.notes else "")
