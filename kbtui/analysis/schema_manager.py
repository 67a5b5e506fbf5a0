"""Gives the structure of a source at the level that a request needs, and asks the source as seldom as it can.

What was read is kept on disk for 30 minutes (spec 004, requirement 7), so the next question, run or start asks nothing
but the source's fingerprint. JSON on disk, never pickle: a file in a cache folder must not be able to run
(CVE-2025-69872). A source whose structure has changed is read anew; a cache that cannot be used is not there.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePath
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kbtui.analysis.relevance import relevant_tables
from kbtui.domain.analysis import QuerySource, Schema, SchemaLevel, Table
from kbtui.domain.events import RequestType
from kbtui.errors import DataSourceError
from kbtui.settings.private import private_folder

TTL: Final = timedelta(minutes=30)
"""How long a structure is believed without being read again (spec 004, requirement 7.1)."""

WHOLE_BELOW: Final = 60
"""Sources of up to this many tables are read in detail whole: one call serves every question to come."""

_VERSION: Final = 1
_BASIC_TYPES: Final = frozenset({"consultation", "trivial", "simple", "web_search", "knowledge"})


class _Kept(Struct, frozen=True, kw_only=True):
    """What is known of one source at one level.

    Attributes:
        whole: No table of it is missing.
        fetched: It was handed to a fetch before, in this process or an earlier one; false right after a `peek` read it.
    """

    at: datetime
    fingerprint: str
    schema: Schema
    whole: bool
    fetched: bool = True


class SchemaManager:
    """The structures of the sources there are. Safe to call from any thread.

    Args:
        sources: By name.
        cache_dir: Where structures are kept between runs; made for its owner alone.
        clock: Now, with a time zone.
        log: Told of every hit (spec 004, requirement 7.5).
        locations: What tells sources of one name apart, such as a path or URL without its password; by name.
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
        self._folder = cache_dir
        self._clock = clock
        self._log = log or logging.getLogger("kbtui.schema")
        self._locations = locations or {}
        self._lock = threading.RLock()
        self._memory: dict[str, _Kept] = {}
        self._disk: Any = None
        self.hits = 0
        """Fetches that the cache answered."""

    @property
    def names(self) -> tuple[str, ...]:
        """The sources there are, in the order given."""
        return tuple(self._sources)

    def title(self, name: str) -> str:
        """What a source is called to a reader: the name of its file where it is one."""
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

        What is missing of the tables named is read in one call (spec 004, requirement 2.5). ``cached`` is set, and a
        hit counted, where an earlier fetch had brought all of it.

        Raises:
            DataSourceError: There is no such source or table, or it cannot be reached.
        """
        with self._lock:
            key, kept, is_new = self._known(source, level, table_names)
            if kept.fetched and not is_new:
                self.hits += 1
                self._log.info("schema cache hit: source=%s level=%s hits=%d", source, level, self.hits)
                return _cut(replace(kept.schema, cached=True), table_names)
            self._memory[key] = replace(kept, fetched=True)
            return _cut(replace(kept.schema, cached=False), table_names)

    def peek(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """The same for the program's own use, such as classifying: no fetch, so never a cache hit, nor the first look.

        Raises:
            DataSourceError: There is no such source or table, or it cannot be reached.
        """
        with self._lock:
            key, kept, is_new = self._known(source, level, table_names)
            if is_new:
                self._memory[key] = replace(kept, fetched=False)
            return _cut(kept.schema, table_names)

    def _known(self, source: str, level: SchemaLevel, table_names: Sequence[str] | None) -> tuple[str, _Kept, bool]:
        """Cache key and entry that holds the tables, and whether any of it had to be read now."""
        opened = self.source(source)
        fingerprint = opened.fingerprint()
        key = self._key(opened, level)
        kept = self._kept(key, fingerprint)
        missing = _missing(kept, table_names)
        if kept is not None and not missing:
            return key, kept, False
        read = opened.schema(level, missing)
        if kept is not None and missing is not None:
            # What was known of other tables stays; the whole is as old as its oldest part.
            tables = (*kept.schema.tables, *read.tables)
            kept = replace(kept, schema=replace(kept.schema, tables=tables))
        else:
            kept = _Kept(at=self._clock(), fingerprint=fingerprint, schema=read, whole=table_names is None)
        self._keep(key, kept)
        return key, kept, True

    def last_seen(self, source: str) -> Schema | None:
        """All tables of ``source`` as they were when it was last looked at; None before that. Nothing is asked."""
        with self._lock:
            kept = self._memory.get(self._key(self.source(source), "basic"))
        return kept.schema if kept is not None and kept.whole else None

    def known_whole(self, basic: Schema) -> Schema | None:
        """The same structure in detail where all of it is kept; None where it would have to be read."""
        opened = self.source(basic.source)
        with self._lock:
            key = self._key(opened, "detailed")
            kept = self._memory.get(key) or self._loaded(key)
            if kept is None or not self._is_current(kept, basic.fingerprint):
                return None
            self._memory[key] = kept
            return None if _missing(kept, [table.name for table in basic.tables]) else kept.schema

    def for_question(
        self,
        source: str,
        question: str,
        terms: Sequence[str] = (),
        *,
        also: Sequence[str] = (),
        otherwise: str = "",
    ) -> tuple[str, ...]:
        """The tables to read in detail for ``question``: all of a small source, of a large one those that matter.

        Args:
            terms: More words that the question may stand for, such as translations.
            also: Names of more tables; those that the source does not have are left out.
            otherwise: What may name tables where the question names none.
        """
        basic = self.peek(source, "basic")
        names = tuple(table.name for table in basic.tables)
        if len(names) <= WHOLE_BELOW:
            return names
        more = (basic.table(name) for name in also)
        relevant = self.relevant(question, basic, terms, otherwise)
        found = tuple(dict.fromkeys((*relevant, *(table.name for table in more if table is not None))))
        # What stands between two tables is seldom named: it is what their keys refer to.
        keys = [key for table in self.peek(source, "detailed", found).tables for key in table.foreign_keys]
        between = (basic.table(key.referred_table) for key in keys)
        return tuple(dict.fromkeys((*found, *(table.name for table in between if table is not None))))

    def relevant(self, question: str, basic: Schema, terms: Sequence[str] = (), otherwise: str = "") -> tuple[str, ...]:
        """Tables of a basic structure that ``question`` may be about, the likeliest first; see `for_question`."""
        return relevant_tables(question, basic.tables, terms, otherwise)

    def refresh(self, source: str | None = None) -> None:
        """Forget what is known of ``source``, or of all: it is read anew when next needed."""
        with self._lock:
            for name, opened in self._sources.items():
                if source is None or name == source:
                    for level in ("basic", "detailed"):
                        self._forget(self._key(opened, level))

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            if self._disk is not None:
                self._disk.close()
                self._disk = None

    def _key(self, opened: QuerySource, level: str) -> str:
        parts = [_VERSION, opened.name, opened.dialect, self._locations.get(opened.name, ""), level]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _kept(self, key: str, fingerprint: str) -> _Kept | None:
        kept = self._memory.get(key) or self._loaded(key)
        if kept is None:
            return None
        if not self._is_current(kept, fingerprint):
            self._forget(key)
            return None
        self._memory[key] = kept
        return kept

    def _is_current(self, kept: _Kept, fingerprint: str) -> bool:
        return kept.fingerprint == fingerprint and timedelta(0) <= self._clock() - kept.at < TTL

    def _keep(self, key: str, kept: _Kept) -> None:
        self._memory[key] = kept
        entry = {
            "at": kept.at.isoformat(),
            "fingerprint": kept.fingerprint,
            "whole": kept.whole,
            "schema": msgspec.to_builtins(kept.schema),
        }
        try:
            self._opened().set(key, entry, expire=TTL.total_seconds())
        except Exception as error:  # noqa: BLE001 - SQLite, JSON and files fail in many ways, and none may cost an answer
            self._log.warning("a structure could not be kept: %s", type(error).__name__)

    def _loaded(self, key: str) -> _Kept | None:
        try:
            entry = self._opened().get(key)
            if entry is None:
                return None
            return _Kept(
                at=datetime.fromisoformat(entry["at"]),
                fingerprint=entry["fingerprint"],
                whole=bool(entry["whole"]),
                schema=msgspec.convert(entry["schema"], Schema),
            )
        except Exception as error:  # noqa: BLE001 - see _keep
            self._log.warning("a kept structure could not be read: %s", type(error).__name__)
            return None

    def _forget(self, key: str) -> None:
        self._memory.pop(key, None)
        try:
            self._opened().delete(key)
        except Exception as error:  # noqa: BLE001 - see _keep
            self._log.warning("a kept structure could not be deleted: %s", type(error).__name__)

    def _opened(self) -> Any:
        if self._disk is None:
            from diskcache import Cache, JSONDisk

            # Sampled values are as private as the data.
            self._disk = Cache(str(private_folder(self._folder)), disk=JSONDisk)
        return self._disk


def _missing(kept: _Kept | None, table_names: Sequence[str] | None) -> Sequence[str] | None:
    """The tables to read: empty for none of them, None for all."""
    if kept is None:
        return table_names
    if table_names is None:
        return () if kept.whole else None
    # A table that is not there is asked for of a whole structure too, so that the source says so.
    known = _by_name(kept.schema)
    return [name for name in table_names if name.lower() not in known]


def _cut(schema: Schema, table_names: Sequence[str] | None) -> Schema:
    if table_names is None:
        return schema
    known = _by_name(schema)
    tables = dict.fromkeys(name.lower() for name in table_names)
    return replace(schema, tables=tuple(known[name] for name in tables if name in known))


def _by_name(schema: Schema) -> dict[str, Table]:
    # Of names that differ in nothing but case the first counts, as in `Schema.table`.
    return {table.name.lower(): table for table in reversed(schema.tables)}
