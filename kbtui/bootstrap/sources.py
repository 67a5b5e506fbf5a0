"""The data sources of an engine: opened on first use, guarded, and queried for their structure and values."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kbtui.domain.analysis import Limits, QuerySource, Schema
from kbtui.domain.events import Progress, Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import KbtuiError, SqlRefused
from kbtui.settings import paths
from kbtui.settings.secrets import mask_urls
from kbtui.settings.sources import DataSource, parse_entry

if TYPE_CHECKING:
    from kbtui.analysis.schema_manager import SchemaManager

_LOOKUP_LIMITS: Final = Limits(rows=10_000, seconds=0.25)
"""Limits of a query that looks up values."""


class OpenedSources:
    """The data sources of an engine, each opened once.

    Args:
        entries: Files, URLs or ``NAME=LOCATION``.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        self.entries = _with_unique_names(tuple(map(parse_entry, entries)))
        self._lock = threading.RLock()
        self._manager: SchemaManager | None = None
        self._sources: dict[str, QuerySource] = {}

    @property
    def files(self) -> frozenset[str]:
        """Absolute paths of the sources that are files."""
        locations = (Path(entry.location).expanduser() for entry in self.entries if not entry.is_url)
        return frozenset(map(os.path.realpath, locations))

    @contextmanager
    def stopping(self, cancel: CancelToken) -> Iterator[None]:
        """Stop loading data files when ``cancel`` is set while the block runs; the next question loads them again."""
        if not self.entries:
            yield
            return
        from kbtui.data.watch import Watch

        # Called once at most: while this run winds down, the next question may already be opening sources.
        with Watch(cache(self._stop_loading), math.inf, cancel):
            yield

    def _stop_loading(self) -> None:
        """Close the data files, which ends loading them in any thread."""
        from kbtui.data.isolated import IsolatedSource

        # The lock is not taken, because the loading thread may hold it.
        for name, source in list(self._sources.items()):
            if isinstance(source, IsolatedSource) and source.is_loaded:
                source.close()
                self._sources.pop(name, None)

    def ask(self, source: str, sql: str) -> Sequence[Sequence[Any]]:
        """The rows of a query that looks up values, so that words can be linked to them.

        Raises:
            DataSourceError: It failed, or took longer than a moment.
        """
        opened = self.manager().source(source)
        return opened.run(sql, _lookup_limits(opened), CancelToken()).rows

    def ask_each(
        self, source: str, statements: Sequence[str], seconds: float, enough: int
    ) -> list[Sequence[Sequence[Any]] | None]:
        """The rows of several such queries, run in one call; None for each one that gave no rows in time."""
        opened = self.manager().source(source)
        tables = opened.run_each(statements, _lookup_limits(opened), seconds=seconds, enough=enough)
        return [None if table is None else table.rows for table in tables]

    def open_or_warn(self, emit: Emit) -> None:
        """Open the sources that are not open yet; a warning names each that cannot be opened."""
        for problem in self.open_missing(emit):
            emit(Warned(message=str(problem), where="data"))

    def structure(self, name: str) -> Schema:
        """The structure of an opened source, with columns where it has few tables.

        Raises:
            DataSourceError: It cannot be read.
        """
        from kbtui.analysis.schema_manager import MAX_WHOLE_TABLES

        schema = self.manager().peek(name, "basic")
        return self.manager().peek(name, "detailed") if len(schema.tables) <= MAX_WHOLE_TABLES else schema

    def _guard_of(self, source: str) -> Callable[[str, str], str]:
        """A function that checks every statement by parsing it: only tables of the source may be read."""

        def check_statement(sql: str, dialect: str) -> str:
            from kbtui.data.guard import check

            manager = self.manager()
            cached = manager.last_seen(source)
            if cached is not None:
                # The structure is read again only for a refused statement, which may use a new table.
                with suppress(SqlRefused):
                    return check(sql, dialect, cached)
            return check(sql, dialect, manager.peek(source, "basic"))

        return check_statement

    def accept(self, sql: str, schema: Schema) -> str:
        """A statement of a model in the form that may run: checked by the guard, and planned by the database."""
        from kbtui.data.guard import check

        sql = check(sql, schema.dialect, schema)
        self.manager().source(schema.source).explain(sql)
        return sql

    def manager(self) -> SchemaManager:
        with self._lock:
            if self._manager is None:
                from kbtui.analysis.schema_manager import SchemaManager

                self._manager = SchemaManager(
                    self._sources,
                    paths.cache_dir() / "schemas",
                    lambda: datetime.now(UTC),
                    locations={entry.name: mask_urls(entry.location) for entry in self.entries},
                )
            return self._manager

    def open_missing(self, emit: Emit | None = None) -> list[KbtuiError]:
        """Open the sources that are not open yet, and return the problems of those that cannot be opened.

        Args:
            emit: Receives progress for each source that may take long: a large file, or a server.
        """
        problems: list[KbtuiError] = []
        with self._lock:
            missing = [entry for entry in self.entries if entry.name not in self._sources]
            if not missing:
                return problems
            from kbtui.data.sources import open_source

            for done, entry in enumerate(missing):
                if emit is not None and entry.opens_slowly:
                    emit(Progress(stage="open", done=done, total=len(missing), message=entry.name))
                try:
                    self._sources[entry.name] = open_source(entry, guard=self._guard_of(entry.name))
                except KbtuiError as error:
                    problems.append(error)
        return problems


def _lookup_limits(source: QuerySource) -> Limits:
    """The limits of a query that looks up values: for some servers even the smallest statement is a job."""
    return replace(_LOOKUP_LIMITS, seconds=getattr(source, "lookup_s", _LOOKUP_LIMITS.seconds))


def _with_unique_names(entries: Sequence[DataSource]) -> tuple[DataSource, ...]:
    """The entries, of which those with a name used before get a number behind it."""
    unique: dict[str, DataSource] = {}
    for entry in entries:
        name, number = entry.name, 2
        while name in unique:
            name, number = f"{entry.name}_{number}", number + 1
        unique[name] = replace(entry, name=name)
    return tuple(unique.values())
