"""Kinds of things as tables in memory: a column a field, a table for each field that has several values.

Every row has the hidden column ``_thing``, its number in ``Tables.things``; it is no part of the schema that questions
are read over, and leads from the rows of a statement back to the lines that state them.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.data.guard import check
from kbtui.domain.analysis import Column, ForeignKey, Schema, Table
from kbtui.errors import DataSourceError
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import SOURCE, Collection
from kbtui.records.kinds import WORDS, Kind, Thing
from kbtui.records.typed import ValueType, compare_versions, figure_of, type_of, unit_of
from kbtui.text.days import day_of

THING: Final = "_thing"
_SEVERAL: Final = 0.08
"""Share of the things with more than one value from which a field is a table of its own."""
_FREE: Final = 0.7
"""Share of different values from which a field is free text, where a word of a value does not mean the value."""
_RARE: Final = 0.25
"""Share of the things with the most frequent date that state another, below which nothing is ordered by it."""
_DATES: Final = word_set(WORDS["describing"]["dates"])
_VERSIONS: Final = word_set(WORDS["describing"]["versions"])
_SAMPLES: Final = 5
_MOST_FIELDS: Final = 40
_REFERRING: Final = 0.9
"""Share of the values of a field that must be things of the kind for keys to stand for them: other values are lost."""
_SECONDS: Final = 2.0
_STEPS: Final = 20_000
_READING: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


class FieldTable(Struct, frozen=True, kw_only=True):
    """Where a field of a kind is.

    Attributes:
        table: Of the kind, or of the field where it has several values.
        refers: Its values are things of the kind.
    """

    kind: Kind
    field: str
    table: str
    column: str
    type: ValueType
    refers: bool = False


class Tables:
    """The kinds of a collection in a database in memory, which is only read.

    Args:
        collection: What the folder is about.

    Attributes:
        schema: A table a kind.
        general: The documents of all kinds as one table; no table where one kind has most of them.
        every: Both, and the table of all files.
    """

    def __init__(self, collection: Collection) -> None:
        self.things: list[Thing] = []
        self.places: dict[tuple[str, str], FieldTable] = {}
        self.kinds: dict[str, Kind] = {}
        self.free: set[str] = {"title", "path"}
        kinds = (
            *collection.kinds,
            *((collection.general,) if collection.general is not None else ()),
            collection.files,
        )
        self._names = {kind.name for kind in kinds}
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.create_collation("version", compare_versions)
        made = [table for kind in collection.kinds for table in self._add(kind)]
        free = set(self.free)
        general = self._add(collection.general) if collection.general is not None else []
        free |= self.free
        # What is known of every file is asked for by slots alone: to read a question over its names would mislead.
        files = self._add(collection.files)
        self.free = free
        self._connection.set_authorizer(_authorized)
        self.schema = _schema(made)
        self.general = _schema(general)
        self.every = replace(self.schema, tables=(*made, *general, *files))

    def ask(self, _source: str, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a statement that was made here.

        Raises:
            DataSourceError: It fails or takes too long.
        """
        with self._lock:
            until = time.monotonic() + _SECONDS
            self._connection.set_progress_handler(lambda: int(time.monotonic() > until), _STEPS)
            try:
                return self._connection.execute(sql).fetchmany(10_000)
            except sqlite3.Error as error:
                raise DataSourceError(str(error), "Ask in other words.") from error

    def guarded(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a statement as the guard lets it run.

        Raises:
            DataSourceError: It is refused, fails or takes too long.
        """
        return self.ask(SOURCE, check(sql, "sqlite", self.every))

    @staticmethod
    def key_of(kind: Kind) -> str:
        """The column that says which thing a row is."""
        return "number" if kind.is_numbered else "path"

    @property
    def ordered(self) -> frozenset[str]:
        """Columns by which things are newer than others: days, versions, numbers."""
        dated = (place.column for place in self.places.values() if place.type in ("date", "version"))
        return frozenset((*dated, "number"))

    @property
    def versions(self) -> frozenset[str]:
        """Columns that hold versions."""
        return frozenset(place.column for place in self.places.values() if place.type == "version")

    @staticmethod
    def key(kind: Kind, thing: Thing) -> str | int:
        """What stands in it for a thing."""
        return thing.number if kind.is_numbered and thing.number is not None else thing.key

    def _add(self, kind: Kind) -> list[Table]:
        """The tables of a kind; a field with several values, or with none typed, has its own."""
        name, key = kind.name, self.key_of(kind)
        self.kinds[name] = kind
        first = len(self.things)
        self.things += kind.things
        keys = {thing.key: self.key(kind, thing) for thing in kind.things}
        columns = [Column(name=key, type="INTEGER" if key == "number" else "TEXT", is_key=True, nullable=False)]
        columns = [_kinded(columns[0], "integer" if key == "number" else "text", list(keys.values()))]
        columns.append(_kinded(Column(name="title", type="TEXT"), "text", [thing.title for thing in kind.things]))
        wide: dict[str, dict[str, Any]] = {}
        if key == "path" and kind.is_mostly_numbered:
            wide["number"] = {thing.key: thing.number for thing in kind.things if thing.number is not None}
            columns.append(_kinded(Column(name="number", type="INTEGER"), "integer", list(wide["number"].values())))
        others: list[Table] = []
        taken = {"number", "path", "title", name, THING}
        most_dated = max((count for name, count in kind.fields.items() if _is_dated(kind, name)), default=0)
        for field in list(kind.fields)[:_MOST_FIELDS]:
            column = _unique(field, taken)
            several = sum(len(_distinct(thing, field)) > 1 for thing in kind.things)
            facts = [fact for thing in kind.things for fact in thing.facts.get(field, ())]
            if 2 * sum(_is_address(fact.value) for fact in facts) > len(facts) or _is_identity(kind, field):
                continue
            if len({fact.value for fact in facts}) > _FREE * len(facts):
                self.free.add(column)
            refers = sum(fact.target in keys for fact in facts) >= _REFERRING * len(facts)
            is_version = not _VERSIONS.isdisjoint(field.split("-"))
            kept = "text" if refers else type_of([fact.value for fact in facts], versions=is_version)
            if kept == "date" and kind.fields[field] < _RARE * max(most_dated, 1):
                # The newest of all is told by the day that most of them state, which is what *date* means then.
                kept = "text"
                if field in _DATES:
                    continue
            # Of words that things share none may be lost, or too few would be counted.
            shared = several > 0 and kept == "text" and column not in self.free
            if several > _SEVERAL * kind.fields[field] or refers or shared:
                others.append(self._own_table(kind, field, column, kept, refers, keys, key, first))
                continue
            values = {
                thing.key: _typed(_distinct(thing, field)[0], kept) for thing in kind.things if thing.facts.get(field)
            }
            wide[column] = values
            described = Column(name=column, type=_SQL[kept], comment=_unit(facts, kept))
            columns.append(_kinded(described, _KINDS[kept], list(values.values())))
            self.places[name, column] = FieldTable(kind=kind, field=field, table=name, column=column, type=kept)
        self._make(name, columns, [(THING, "INTEGER")])
        rows = [
            (keys[thing.key], thing.title, *(values.get(thing.key) for values in wide.values()), first + at)
            for at, thing in enumerate(kind.things)
        ]
        self._fill(name, rows)
        return [Table(name=name, columns=tuple(columns), row_estimate=len(rows)), *others]

    def _own_table(
        self,
        kind: Kind,
        field: str,
        column: str,
        kept: ValueType,
        refers: bool,
        keys: Mapping[str, Any],
        key: str,
        first: int,
    ) -> Table:
        name, owner = kind.name, f"{kind.name}_{key}"
        table = _unique(column if column not in self._names else f"{name}_{column}", self._names)
        rows: list[tuple[Any, ...]] = []
        for at, thing in enumerate(kind.things):
            seen: dict[Any, None] = {}
            for fact in thing.facts.get(field, ()):
                value = keys.get(fact.target) if refers else _typed(fact.value, kept)
                if value is not None:
                    seen.setdefault(value)
            rows += [(keys[thing.key], value, first + at) for value in seen]
        key_type, key_kind = ("INTEGER", "integer") if key == "number" else ("TEXT", "text")
        columns = [
            _kinded(Column(name=owner, type=key_type, nullable=False), key_kind, [row[0] for row in rows]),
            _kinded(
                Column(name=column, type=key_type if refers else _SQL[kept]),
                key_kind if refers else _KINDS[kept],
                [row[1] for row in rows],
            ),
        ]
        self.places[table, column] = FieldTable(
            kind=kind, field=field, table=table, column=column, type=kept, refers=refers
        )
        self._make(table, columns, [(THING, "INTEGER")])
        self._fill(table, rows)
        refs = [ForeignKey(columns=(owner,), referred_table=kind.name, referred_columns=(key,))]
        if refers:
            refs.append(ForeignKey(columns=(column,), referred_table=kind.name, referred_columns=(key,)))
        return Table(name=table, columns=tuple(columns), foreign_keys=tuple(refs), row_estimate=len(rows))

    def _make(self, table: str, columns: Sequence[Column], more: Sequence[tuple[str, str]]) -> None:
        listed = ", ".join(
            f"{_quoted(name)} {kind}{' COLLATE version' if self._is_version(table, name) else ''}"
            for name, kind in (*((c.name, c.type) for c in columns), *more)
        )
        self._connection.execute(f"CREATE TABLE {_quoted(table)} ({listed})")

    def _is_version(self, table: str, column: str) -> bool:
        place = self.places.get((table, column))
        return place is not None and place.type == "version"

    def _fill(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO {_quoted(table)} VALUES ({marks})", rows)  # noqa: S608


def _schema(tables: Sequence[Table]) -> Schema:
    digest = hashlib.sha256(repr([(t.name, [c.name for c in t.columns], t.row_estimate) for t in tables]).encode())
    fingerprint = digest.hexdigest()[:16]
    return Schema(source=SOURCE, dialect="sqlite", level="detailed", tables=tuple(tables), fingerprint=fingerprint)


_SQL: Final[dict[str, str]] = {"date": "DATE", "number": "REAL", "version": "TEXT", "text": "TEXT"}
_KINDS: Final[dict[str, str]] = {"date": "date", "number": "number", "version": "text", "text": "text"}


def _authorized(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _is_dated(kind: Kind, field: str) -> bool:
    return type_of([fact.value for thing in kind.things for fact in thing.facts.get(field, ())]) == "date"


def _is_identity(kind: Kind, field: str) -> bool:
    """Whether a field says no more than which thing it is: its number, its name, its title."""
    stated = [(thing, fact.value) for thing in kind.things for fact in thing.facts.get(field, ())]
    own = sum(value.isdigit() and int(value) == thing.number for thing, value in stated)
    own += sum(value.casefold() in (thing.base, thing.title.casefold()) for thing, value in stated)
    return 2 * own > len(stated)


def _is_address(value: str) -> bool:
    return "://" in value or (value.startswith(("www.", "mailto:")) and " " not in value)


def _typed(value: str, kept: ValueType) -> Any:
    if kept == "date":
        day = day_of(value)
        return None if day is None else day.isoformat()
    return figure_of(value) if kept == "number" else value


def _distinct(thing: Thing, field: str) -> list[str]:
    return list(dict.fromkeys(fact.value for fact in thing.facts.get(field, ())))


def _unit(facts: Sequence[Any], kept: ValueType) -> str:
    return unit_of(fact.value for fact in facts) if kept == "number" else ""


def _kinded(column: Column, kind: str, values: Sequence[Any]) -> Column:
    samples = tuple(dict.fromkeys(value for value in values if value is not None))[:_SAMPLES]
    return replace(column, kind=kind, samples=samples)


def _unique(field: str, taken: set[str]) -> str:
    base = re.sub(r"\W+", "_", field).strip("_") or "field"
    base = f"field_{base}" if base[0].isdigit() else base
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return name


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
