"""The data sources of an engine: opened when first asked about, guarded, described, and looked into."""

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
from kbtui.domain.events import Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import KbtuiError, SqlRefused
from kbtui.settings import paths
from kbtui.settings.secrets import masked_text
from kbtui.settings.sources import DataSource, parse_entry

if TYPE_CHECKING:
    from kbtui.analysis.schema_manager import SchemaManager

_GLANCE: Final = Limits(rows=2_000, seconds=0.25)
"""What looking up values may take of a source."""


class OpenedSources:
    """The sources of an engine, and what is known of their structure.

    Args:
        entries: Files, URLs or ``NAME=LOCATION``.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        self.entries = _told_apart(tuple(map(parse_entry, entries)))
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
        """Stops loading files of data when ``cancel`` is set while the block runs; the next question loads anew."""
        if not self.entries:
            yield
            return
        from kbtui.data.watch import Watch

        # Once: what the next question opens while this run winds down is that question's.
        with Watch(cache(self._stop_loading), math.inf, cancel):
            yield

    def _stop_loading(self) -> None:
        """Close the files of data: what loads them, in whatever thread, comes to an end."""
        from kbtui.data.isolated import IsolatedSource

        # Without the lock: whoever loads may hold it.
        for name, source in list(self._sources.items()):
            if isinstance(source, IsolatedSource) and source.is_loaded:
                source.close()
                self._sources.pop(name, None)

    def ask(self, source: str, sql: str) -> Sequence[Sequence[Any]]:
        """Values of a source, for linking words to them; within a moment, or not at all."""
        return self.manager().source(source).run(sql, _GLANCE, CancelToken()).rows

    def ask_each(
        self, source: str, statements: Sequence[str], seconds: float, enough: int
    ) -> list[Sequence[Sequence[Any]] | None]:
        """The same for several statements at one go."""
        opened = self.manager().source(source)
        tables = opened.run_each(statements, _GLANCE, seconds=seconds, enough=enough)
        return [None if table is None else table.rows for table in tables]

    def _guard_of(self, source: str) -> Callable[[str, str], str]:
        """The parser's layer, which every statement passes before the engine's: only the source's tables are read."""

        def guarded(sql: str, dialect: str) -> str:
            from kbtui.data.guard import check

            manager = self.manager()
            known = manager.last_seen(source)
            if known is not None:
                # The source is asked anew only for a statement that does not pass: it may have a table by now.
                with suppress(SqlRefused):
                    return check(sql, dialect, known)
            return check(sql, dialect, manager.peek(source, "basic"))

        return guarded

    def accept(self, sql: str, schema: Schema) -> str:
        """A model's statement as it may run over a source: guarded, and planned by the engine."""
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
                    locations={entry.name: masked_text(entry.location) for entry in self.entries},
                )
            return self._manager

    def open_missing(self, emit: Emit | None = None) -> list[KbtuiError]:
        """Open the sources that are not open yet, such as one that is back; what is wrong with the others.

        Args:
            emit: Told of each that may take a while: a large file is read whole, a server may be far.
        """
        problems: list[KbtuiError] = []
        with self._lock:
            missing = [entry for entry in self.entries if entry.name not in self._sources]
            if not missing:
                return problems
            from kbtui.data.sources import open_source

            for done, entry in enumerate(missing):
                if emit is not None and entry.takes_a_while:
                    emit(Progress(stage="open", done=done, total=len(missing), message=entry.name))
                try:
                    self._sources[entry.name] = open_source(entry, guard=self._guard_of(entry.name))
                except KbtuiError as error:
                    problems.append(error)
        return problems


def _told_apart(entries: Sequence[DataSource]) -> tuple[DataSource, ...]:
    found: dict[str, DataSource] = {}
    for entry in entries:
        name, number = entry.name, 2
        while name in found:
            name, number = f"{entry.name}_{number}", number + 1
        found[name] = replace(entry, name=name)
    return tuple(found.values())
