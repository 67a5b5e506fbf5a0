"""The kinds of things as SQL tables in memory: one column per field, a table of its own for multi-valued fields.

Every row has the hidden column ``_thing``, the index in ``Tables.things``. It is not part of the schema that questions
are read over; it leads from the rows of a statement back to the lines that state them.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.data.guard import check
from kbtui.domain.analysis import Column, ForeignKey, Schema, Table
from kbtui.errors import DataSourceError
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import SOURCE, Collection
from kbtui.records.kind_names import WORDS
from kbtui.records.kinds import Kind, Thing
from kbtui.records.typed import ValueType, compare_versions, figure_of, type_of, unit_of
from kbtui.text.days import day_of

THING: Final = "_thing"
_MULTI_VALUED_SHARE: Final = 0.08
"""Share of things with several values from which a field has its own table."""
_FREE_TEXT_SHARE: Final = 0.7
"""Share of distinct values from which a field is free text, where a word does not stand for the value."""
_RARE_SHARE: Final = 0.25
"""Frequency of a date field relative to the most frequent one, below which it is treated as text."""
_DATES: Final = word_set(WORDS["describing"]["dates"])
_VERSIONS: Final = word_set(WORDS["describing"]["versions"])
_SAMPLES: Final = 5
_MAX_FIELDS: Final = 40
_REFERENCE_SHARE: Final = 0.9
"""Share of values that refer to things of the kind from which keys replace them; other values are lost."""
_SECONDS: Final = 2.0
_PROGRESS_STEPS: Final = 20_000
_READ_ACTIONS: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


class FieldTable(Struct, frozen=True, kw_only=True):
    """Location and type of a field of a kind in the tables.

    Attributes:
        table: Table of the kind, or the field's own table.
        refers: Its values are keys of things of the kind.
    """

    kind: Kind
    field: str
    table: str
    column: str
    type: ValueType
    refers: bool = False


class Tables:
    """The kinds of a collection in a read-only database in memory.

    Args:
        collection: The things of the folder.

    Attributes:
        things: All things, by the value of ``_thing``.
        places: Location of each field, by table and column.
        kinds: Kinds by table name.
        free: Names of free-text columns.
        schema: The tables of the kinds.
        general: The table of the documents of all kinds; empty if one kind has most of them.
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
        kind_tables = [table for kind in collection.kinds for table in self._add_kind(kind)]
        free = set(self.free)
        general = self._add_kind(collection.general) if collection.general is not None else []
        free |= self.free
        # The table of files is queried by slots only: its names would mislead the general reader.
        files = self._add_kind(collection.files)
        self.free = free
        self._connection.set_authorizer(_authorize)
        self.schema = _schema(kind_tables)
        self.general = _schema(general)
        self.every = replace(self.schema, tables=(*kind_tables, *general, *files))

    def schema_of(self, kinds: Sequence[Kind]) -> Schema:
        """The tables of some kinds."""
        names = {kind.name for kind in kinds}
        return _schema([table for table in self.schema.tables if _belongs_to(table, names)])

    def ask(self, _source: str, sql: str) -> list[tuple[Any, ...]]:
        """Execute a statement that was generated here; at most 10,000 rows.

        Raises:
            DataSourceError: It fails or takes too long.
        """
        with self._lock:
            until = time.monotonic() + _SECONDS
            self._connection.set_progress_handler(lambda: int(time.monotonic() > until), _PROGRESS_STEPS)
            try:
                return self._connection.execute(sql).fetchmany(10_000)
            except sqlite3.Error as error:
                raise DataSourceError(str(error), "Ask in other words.") from error

    def guarded(self, sql: str) -> list[tuple[Any, ...]]:
        """Execute a statement after the guard has checked it.

        Raises:
            DataSourceError: It is refused, fails or takes too long.
        """
        return self.ask(SOURCE, check(sql, "sqlite", self.every))

    @staticmethod
    def key_of(kind: Kind) -> str:
        """Name of the key column of a kind."""
        return "number" if kind.is_numbered else "path"

    @property
    def ordered(self) -> frozenset[tuple[str, str]]:
        """Columns that define what is newer, each with its table: dates, versions and numbers."""
        dated = (place for place, field in self.places.items() if field.type in ("date", "year", "version"))
        return frozenset((*dated, *((name, "number") for name in self.kinds)))

    @property
    def measures(self) -> frozenset[str]:
        """Columns that hold figures."""
        return frozenset(place.column for place in self.places.values() if place.type == "number")

    @property
    def versions(self) -> frozenset[str]:
        """Columns that hold versions."""
        return frozenset(place.column for place in self.places.values() if place.type == "version")

    @staticmethod
    def key(kind: Kind, thing: Thing) -> str | int:
        """The key of a thing in the table of a kind."""
        return _key(thing, is_numbered=kind.is_numbered)

    def _add_kind(self, kind: Kind) -> list[Table]:
        """Create the table of a kind, and one for each field with several values or references."""
        name, key = kind.name, self.key_of(kind)
        self.kinds[name] = kind
        first_index = len(self.things)
        self.things += kind.things
        is_numbered = kind.is_numbered
        keys = {thing.key: _key(thing, is_numbered=is_numbered) for thing in kind.things}
        things_by_field: dict[str, list[Thing]] = {}
        for thing in kind.things:
            for field in thing.facts:
                things_by_field.setdefault(field, []).append(thing)
        columns = [Column(name=key, type="INTEGER" if key == "number" else "TEXT", is_key=True, nullable=False)]
        columns = [_describe_column(columns[0], "integer" if key == "number" else "text", list(keys.values()))]
        columns.append(
            _describe_column(Column(name="title", type="TEXT"), "text", [thing.title for thing in kind.things])
        )
        values_by_column: dict[str, dict[str, Any]] = {}
        if key == "path" and kind.is_mostly_numbered:
            values_by_column["number"] = {thing.key: thing.number for thing in kind.things if thing.number is not None}
            columns.append(
                _describe_column(
                    Column(name="number", type="INTEGER"), "integer", list(values_by_column["number"].values())
                )
            )
        field_tables: list[Table] = []
        used_names = {"number", "path", "title", name, THING}
        dated = (count for name, count in kind.fields.items() if _is_dated(things_by_field.get(name, ()), name))
        max_dated = max(dated, default=0)
        for field in list(kind.fields)[:_MAX_FIELDS]:
            column, things = _unique_name(field, used_names), things_by_field.get(field, ())
            multi_valued = sum(_has_several_values(thing, field) for thing in things)
            facts = [fact for thing in things for fact in thing.facts[field]]
            if 2 * sum(_is_address(fact.value) for fact in facts) > len(facts):
                continue
            is_version = not _VERSIONS.isdisjoint(field.split("-"))
            if _is_identity(things, field) and not is_version and not _is_dated(things, field):
                # A day or a version that names its document also tells which is newer.
                continue
            if len({fact.value for fact in facts}) > _FREE_TEXT_SHARE * len(facts):
                self.free.add(column)
            refers = sum(fact.target in keys for fact in facts) >= _REFERENCE_SHARE * len(facts)
            value_type = "text" if refers else type_of([fact.value for fact in facts], versions=is_version)
            if value_type == "date" and kind.fields[field] < _RARE_SHARE * max(max_dated, 1):
                # A rare date field must not define what is newest; *date* then refers to the most frequent one.
                value_type = "text"
                if field in _DATES:
                    continue
            # Every value of a shared text field must be kept, or counts would be too low.
            shared = multi_valued > 0 and value_type == "text" and column not in self.free
            if multi_valued > _MULTI_VALUED_SHARE * kind.fields[field] or refers or shared:
                field_tables.append(
                    self._add_field_table(kind, field, column, value_type, refers, keys, key, first_index)
                )
                continue
            values = {
                thing.key: _convert(thing.facts[field][0].value, value_type) for thing in things if thing.facts[field]
            }
            values_by_column[column] = values
            described = Column(name=column, type=_SQL[value_type], comment=_unit_of(facts, value_type))
            columns.append(_describe_column(described, _KINDS[value_type], list(values.values())))
            self.places[name, column] = FieldTable(kind=kind, field=field, table=name, column=column, type=value_type)
        self._create(name, columns, [(THING, "INTEGER")])
        rows = [
            (
                keys[thing.key],
                thing.title,
                *(values.get(thing.key) for values in values_by_column.values()),
                first_index + index,
            )
            for index, thing in enumerate(kind.things)
        ]
        self._fill(name, rows)
        return [Table(name=name, columns=tuple(columns), row_estimate=len(rows)), *field_tables]

    def _add_field_table(
        self,
        kind: Kind,
        field: str,
        column: str,
        value_type: ValueType,
        refers: bool,
        keys: Mapping[str, Any],
        key: str,
        first_index: int,
    ) -> Table:
        name, owner = kind.name, f"{kind.name}_{key}"
        table = _unique_name(column if column not in self._names else f"{name}_{column}", self._names)
        rows: list[tuple[Any, ...]] = []
        for index, thing in enumerate(kind.things):
            distinct: dict[Any, None] = {}
            for fact in thing.facts.get(field, ()):
                value = keys.get(fact.target) if refers else _convert(fact.value, value_type)
                if value is not None:
                    distinct.setdefault(value)
            rows += [(keys[thing.key], value, first_index + index) for value in distinct]
        key_type, key_kind = ("INTEGER", "integer") if key == "number" else ("TEXT", "text")
        columns = [
            _describe_column(Column(name=owner, type=key_type, nullable=False), key_kind, [row[0] for row in rows]),
            _describe_column(
                Column(name=column, type=key_type if refers else _SQL[value_type]),
                key_kind if refers else _KINDS[value_type],
                [row[1] for row in rows],
            ),
        ]
        self.places[table, column] = FieldTable(
            kind=kind, field=field, table=table, column=column, type=value_type, refers=refers
        )
        self._create(table, columns, [(THING, "INTEGER")])
        self._fill(table, rows)
        refs = [ForeignKey(columns=(owner,), referred_table=kind.name, referred_columns=(key,))]
        if refers:
            refs.append(ForeignKey(columns=(column,), referred_table=kind.name, referred_columns=(key,)))
        return Table(name=table, columns=tuple(columns), foreign_keys=tuple(refs), row_estimate=len(rows))

    def _create(self, table: str, columns: Sequence[Column], hidden_columns: Sequence[tuple[str, str]]) -> None:
        column_list = ", ".join(
            f"{_quote(name)} {kind}{' COLLATE version' if self._is_version(table, name) else ''}"
            for name, kind in (*((c.name, c.type) for c in columns), *hidden_columns)
        )
        self._connection.execute(f"CREATE TABLE {_quote(table)} ({column_list})")

    def _is_version(self, table: str, column: str) -> bool:
        place = self.places.get((table, column))
        return place is not None and place.type == "version"

    def _fill(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO {_quote(table)} VALUES ({marks})", rows)  # noqa: S608


def _schema(tables: Sequence[Table]) -> Schema:
    digest = hashlib.sha256(repr([(t.name, [c.name for c in t.columns], t.row_estimate) for t in tables]).encode())
    fingerprint = digest.hexdigest()[:16]
    return Schema(source=SOURCE, dialect="sqlite", level="detailed", tables=tuple(tables), fingerprint=fingerprint)


def _belongs_to(table: Table, kinds: set[str]) -> bool:
    """Whether a table is that of a kind, or of a field of one."""
    return table.name in kinds or any(key.referred_table in kinds for key in table.foreign_keys)


_SQL: Final[dict[str, str]] = {"date": "DATE", "year": "DATE", "number": "REAL", "version": "TEXT", "text": "TEXT"}
_KINDS: Final[dict[str, str]] = {"date": "date", "year": "date", "number": "number", "version": "text", "text": "text"}


def _authorize(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_OK if action in _READ_ACTIONS else sqlite3.SQLITE_DENY


def _key(thing: Thing, *, is_numbered: bool) -> str | int:
    return thing.number if is_numbered and thing.number is not None else thing.key


def _is_dated(things: Sequence[Thing], field: str) -> bool:
    return type_of([fact.value for thing in things for fact in thing.facts[field]]) == "date"


def _is_identity(things: Sequence[Thing], field: str) -> bool:
    """Whether a field only repeats the number, file name or title of its things."""
    values_by_thing = [(thing, fact.value) for thing in things for fact in thing.facts[field]]
    matches = sum(value.isdigit() and int(value) == thing.number for thing, value in values_by_thing)
    # The name of the file is that of a section's document.
    matches += sum(
        value.casefold() in _own_names("" if thing.span is not None else thing.path, thing.title)
        for thing, value in values_by_thing
    )
    return 2 * matches > len(values_by_thing)


@lru_cache(maxsize=16384)
def _own_names(path: str, title: str) -> tuple[str, str]:
    """The name of a thing's file, and its title."""
    return Thing(key=path, path=path, title=title).base, title.casefold()


def _is_address(value: str) -> bool:
    return "://" in value or (value.startswith(("www.", "mailto:")) and " " not in value)


def _convert(value: str, value_type: ValueType) -> Any:
    if value_type == "date":
        day = day_of(value)
        return None if day is None else day.isoformat()
    if value_type == "year":
        return f"{value.strip()}-01-01" if value.strip().isdecimal() else None
    return figure_of(value) if value_type == "number" else value


def _has_several_values(thing: Thing, field: str) -> bool:
    facts = thing.facts[field]
    return len(facts) > 1 and len({fact.value for fact in facts}) > 1


def _unit_of(facts: Sequence[Any], value_type: ValueType) -> str:
    return unit_of(fact.value for fact in facts) if value_type == "number" else ""


def _describe_column(column: Column, kind: str, values: Sequence[Any]) -> Column:
    samples = tuple(dict.fromkeys(value for value in values if value is not None))[:_SAMPLES]
    return replace(column, kind=kind, samples=samples)


def _unique_name(field: str, used_names: set[str]) -> str:
    base = re.sub(r"\W+", "_", field).strip("_") or "field"
    base = f"field_{base}" if base[0].isdigit() else base
    name, number = base, 2
    while name in used_names:
        name, number = f"{base}_{number}", number + 1
    used_names.add(name)
    return name


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
