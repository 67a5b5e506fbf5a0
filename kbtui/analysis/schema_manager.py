"""Reads the structures of sources at the level that a request needs, and caches them.

Structures are cached on disk for 30 minutes (spec 004, requirement 7), so that later questions, runs and starts read
only the fingerprint of a source. A changed structure is read again; a cache that cannot be used is ignored.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.analysis.relevance import relevant_tables
from kbtui.domain.analysis import QuerySource, Schema, SchemaLevel, Table
from kbtui.domain.events import RequestType
from kbtui.errors import DataSourceError
from kbtui.settings.json_store import JsonStore

TTL: Final = timedelta(minutes=30)
"""How long a structure is cached (spec 004, requirement 7.1)."""

MAX_WHOLE_TABLES: Final = 60
"""Tables of a source, at most, for it to be read in detail as a whole: one call then serves all questions."""

_VERSION: Final = 2
_MAX_BYTES: Final = 256 << 20
_BASIC_TYPES: Final = frozenset({"consultation", "trivial", "simple", "web_search", "knowledge"})


class _CacheEntry(Struct, frozen=True, kw_only=True):
    """The cached structure of a source at one level.

    Attributes:
        whole: It has all tables.
        fetched: `get` returned it before, in this process or an earlier one; false right after a `peek` read it.
    """

    at: datetime
    fingerprint: str
    schema: Schema
    whole: bool
    fetched: bool = True


class SchemaManager:
    """The structures of the sources. Safe to call from any thread.

    Args:
        sources: Sources by name.
        cache_dir: Folder of the cache; created with access for its owner only.
        clock: Returns the current time with a time zone.
        log: Logs every cache hit (spec 004, requirement 7.5).
        locations: Path, or URL without password, by name of the source; part of the cache key.
    """

    def __init__(
        self,
        sources: Mapping[str, QuerySource],
        cache_dir: Path,
        clock: Callable[[], datetime],
        log: logging.Logger | None = None,
        *,
        locations: Mapping[str, str] | None = None,
    ) -> None:
        self._sources = sources
        self._disk = JsonStore(cache_dir, _CacheEntry, max_bytes=_MAX_BYTES, max_age_s=TTL.total_seconds())
        self._clock = clock
        self._log = log or logging.getLogger("kbtui.schema")
        self._locations = locations or {}
        self._lock = threading.RLock()
        self._memory: dict[str, _CacheEntry] = {}
        self.hits = 0
        """Number of cache hits."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sources, in the given order."""
        return tuple(self._sources)

    def title(self, name: str) -> str:
        """The title of a source: the name of its file, if it is a file."""
        location = self._locations.get(name, "")
        return name if not location or "://" in location else PurePath(location).name

    def source(self, name: str) -> QuerySource:
        """The source of that name.

        Raises:
            DataSourceError: There is none.
        """
        if name not in self._sources:
            known = ", ".join(self._sources) or "none"
            raise DataSourceError(f"There is no source of data named {name}.", f"Those there are: {known}.")
        return self._sources[name]

    def get_schema_level(self, request_type: RequestType) -> SchemaLevel:
        """How much of a structure a request of that type needs (spec 004, requirement 2.4)."""
        return "basic" if request_type in _BASIC_TYPES else "detailed"

    getSchemaLevel = get_schema_level

    def get(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """Fetch the structure of ``source``: all tables, or those named, in the order named.

        Missing tables are read in one call (spec 004, requirement 2.5). If an earlier fetch returned all of it,
        ``cached`` is set and a hit is counted.

        Raises:
            DataSourceError: There is no such source or table, or it cannot be reached.
        """
        with self._lock:
            key, entry, is_new = self._read_through(source, level, table_names)
            if entry.fetched and not is_new:
                self.hits += 1
                self._log.info("schema cache hit: source=%s level=%s hits=%d", source, level, self.hits)
                return _select_tables(replace(entry.schema, cached=True), table_names)
            self._memory[key] = replace(entry, fetched=True)
            return _select_tables(replace(entry.schema, cached=False), table_names)

    def peek(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """The same for internal use, such as classification: neither a fetch nor a cache hit.

        Raises:
            DataSourceError: There is no such source or table, or it cannot be reached.
        """
        with self._lock:
            key, entry, is_new = self._read_through(source, level, table_names)
            if is_new:
                self._memory[key] = replace(entry, fetched=False)
            return _select_tables(entry.schema, table_names)

    def _read_through(
        self, source: str, level: SchemaLevel, table_names: Sequence[str] | None
    ) -> tuple[str, _CacheEntry, bool]:
        """The cache key, the entry with the tables, and whether any of it was read now."""
        opened = self.source(source)
        fingerprint = opened.fingerprint()
        key = self._key(opened, level)
        entry = self._cached(key, fingerprint)
        missing = _missing_tables(entry, table_names)
        if entry is not None and not missing:
            return key, entry, False
        read = opened.schema(level, missing)
        if entry is not None and missing is not None:
            # Other tables stay in the entry, which is as old as its oldest table.
            tables = (*entry.schema.tables, *read.tables)
            entry = replace(entry, schema=replace(entry.schema, tables=tables))
        else:
            entry = _CacheEntry(at=self._clock(), fingerprint=fingerprint, schema=read, whole=table_names is None)
        self._store(key, entry)
        return key, entry, True

    def last_seen(self, source: str) -> Schema | None:
        """All tables of ``source`` as last read; None before that. The source is not accessed."""
        with self._lock:
            entry = self._memory.get(self._key(self.source(source), "basic"))
        return entry.schema if entry is not None and entry.whole else None

    def cached_detail(self, basic: Schema) -> Schema | None:
        """The detailed structure if all of it is cached; None if it would have to be read."""
        opened = self.source(basic.source)
        with self._lock:
            key = self._key(opened, "detailed")
            entry = self._memory.get(key) or self._disk.get(key)
            if entry is None or not self._is_current(entry, basic.fingerprint):
                return None
            self._memory[key] = entry
            return None if _missing_tables(entry, [table.name for table in basic.tables]) else entry.schema

    def tables_for_question(
        self,
        source: str,
        question: str,
        terms: Sequence[str] = (),
        *,
        also: Sequence[str] = (),
        otherwise: str = "",
    ) -> tuple[str, ...]:
        """The tables to read in detail for ``question``: all of a small source, the relevant ones of a large source.

        Args:
            terms: Further words of the question, such as translations.
            also: Names of further tables; unknown ones are ignored.
            otherwise: Text that may name tables if the question names none.
        """
        basic = self.peek(source, "basic")
        names = tuple(table.name for table in basic.tables)
        if len(names) <= MAX_WHOLE_TABLES:
            return names
        more = (basic.table(name) for name in also)
        relevant = self.relevant(question, basic, terms, otherwise)
        matching = tuple(dict.fromkeys((*relevant, *(table.name for table in more if table is not None))))
        # Tables that join two others are seldom named; foreign keys refer to them.
        keys = [key for table in self.peek(source, "detailed", matching).tables for key in table.foreign_keys]
        referred = (basic.table(key.referred_table) for key in keys)
        return tuple(dict.fromkeys((*matching, *(table.name for table in referred if table is not None))))

    def relevant(self, question: str, basic: Schema, terms: Sequence[str] = (), otherwise: str = "") -> tuple[str, ...]:
        """The relevant tables of a basic structure, the most relevant first; see `tables_for_question`."""
        return relevant_tables(question, basic.tables, terms, otherwise)

    def refresh(self, source: str | None = None) -> None:
        """Drop the cache of ``source``, or of all sources."""
        with self._lock:
            for name, opened in self._sources.items():
                if source is None or name == source:
                    for level in ("basic", "detailed"):
                        self._delete(self._key(opened, level))

    def _key(self, opened: QuerySource, level: str) -> str:
        parts = [_VERSION, opened.name, opened.dialect, self._locations.get(opened.name, ""), level]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _cached(self, key: str, fingerprint: str) -> _CacheEntry | None:
        entry = self._memory.get(key) or self._disk.get(key)
        if entry is None:
            return None
        if not self._is_current(entry, fingerprint):
            self._delete(key)
            return None
        self._memory[key] = entry
        return entry

    def _is_current(self, entry: _CacheEntry, fingerprint: str) -> bool:
        return entry.fingerprint == fingerprint and timedelta(0) <= self._clock() - entry.at < TTL

    def _store(self, key: str, entry: _CacheEntry) -> None:
        self._memory[key] = entry
        self._disk.put(key, replace(entry, fetched=True))

    def _delete(self, key: str) -> None:
        self._memory.pop(key, None)
        self._disk.delete(key)


def _missing_tables(entry: _CacheEntry | None, table_names: Sequence[str] | None) -> Sequence[str] | None:
    """The tables that are missing in a cache entry: empty for none, None for all."""
    if entry is None:
        return table_names
    if table_names is None:
        return () if entry.whole else None
    # A table that does not exist is requested from the source, which raises an error.
    by_name = _by_name(entry.schema)
    return [name for name in table_names if name.lower() not in by_name]


def _select_tables(schema: Schema, table_names: Sequence[str] | None) -> Schema:
    if table_names is None:
        return schema
    by_name = _by_name(schema)
    tables = dict.fromkeys(name.lower() for name in table_names)
    return replace(schema, tables=tuple(by_name[name] for name in tables if name in by_name))


def _by_name(schema: Schema) -> dict[str, Table]:
    # Of names that differ only in case the first counts, as in `Schema.table`.
    return {table.name.lower(): table for table in reversed(schema.tables)}
