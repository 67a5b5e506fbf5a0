"""What a source holds, as questions speak of it: tables and columns with their words, kinds, values and keys.

The types alone; `kbtui.nl2sql.profile` fills them from a schema and a few statements.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr

from kbtui.nl2sql.query import Cond, Expr, Ref

Made = TypeVar("Made")

Kind = Literal["key", "reference", "name", "category", "measure", "rate", "date", "flag", "code", "text", "other"]
"""What a column is: ``measure`` adds up (amount, hours), ``rate`` does not (price, percentage, score, age)."""

Encoding = Literal["", "number", "date"]
"""What text of a column stands for: ``$1,234.50`` a number, ``2024/3/5`` a date; empty where the engine knows."""


_LABELS: Final = 3
"""Columns at most of a table of codes."""
_CODES: Final = 100
"""Rows at most of a table of codes."""
TIMES: Final = frozenset(("ms", "second", "minute", "hour", "day"))
"""Canonical names of the units of durations."""
_OWN: Final = 0.9
"""Share of the rows from which different values are about as many as rows."""


class Edge(NamedTuple):
    """Two columns that join two tables; ``right`` is the key that ``left`` refers to."""

    left: Ref
    right: Ref


class ColumnInfo(Struct, frozen=True, kw_only=True):
    """One column.

    Attributes:
        words: Of its name, lemmas in lower case, abbreviations written out (``qty`` is ``quantity``); for Chinese names
            the name itself, without a unit in brackets.
        own: Those of them that the name of its table does not say already.
        concepts: Of the lexicon, by its words.
        encoding: See `Encoding`.
        date_format: strptime format of a date in text (``%b`` for months in full as well); ``unix`` and ``unix_ms`` for
            seconds and milliseconds since 1970; empty for ISO 8601 and for real dates.
        unit: Of its figures, canonical (``hour``, ``USD``, ``%``); empty where nothing says.
        values: All different values with their number of rows, most frequent first, where there are at most 500 of a
            column that is no measure; else the most frequent ones.
        complete: ``values`` are all there are.
        distinct: Different values, estimated where the table is large.
        nulls: Share of rows without a value, 0 to 1.
        low: Least value, of numbers and dates.
        high: Greatest value.
        scale: Of a percentage column the figure of the whole: 1 or 100; else 0.
        formula: Of a calculated column what stands for it in a statement; None of a column of the source.
    """

    ref: Ref
    kind: Kind
    words: tuple[str, ...]
    own: tuple[str, ...]
    concepts: frozenset[str] = frozenset()
    encoding: Encoding = ""
    date_format: str = ""
    unit: str = ""
    values: tuple[tuple[Any, int], ...] = ()
    complete: bool = False
    distinct: int = 0
    nulls: float = 0.0
    low: float | date | None = None
    high: float | date | None = None
    scale: int = 0
    has_time: bool = False
    comment: str = ""
    formula: Expr | None = None

    def is_beyond(self, values: Iterable[Any]) -> bool:
        """Whether all of these lie on the same side of everything that the column holds."""
        values, low, high = tuple(values), self.low, self.high
        if low is None or high is None:
            return False
        try:
            return all(value < low for value in values) or all(value > high for value in values)
        except TypeError:
            return False


class State(Struct, frozen=True, kw_only=True):
    """A condition that rows are spoken of by: open, unpaid, still here.

    Attributes:
        concept: Of the lexicon, such as ``paid`` or ``open``.
        holds: Whether rows that meet ``cond`` are that, or are not.
    """

    concept: str
    cond: Cond
    holds: bool = True


class TableInfo(Struct, frozen=True, kw_only=True):
    """One table, or a role of one.

    Attributes:
        words: Of its name, as those of a column.
        key: Its key column, declared or inferred.
        naming: Columns that say which row it is, to a reader: a name, a title; first and last name together.
        grain: The reference or code whose different values are the things that rows are parts of (the receipt of
            receipt lines); None where a row is the thing.
        dates: Its date columns, the one that rows are usually asked by first.
        amount: The sum of money that a row is about (the net of a sale), not one beside it (its tax); a calculated
            column where none of the source holds it; None without one.
        calculated: Columns that the source does not have and that `kbtui.nl2sql.calculated` makes of others.
        rows: How many there are, estimated where they are many.
        role_of: The table this is a role of; empty for a table itself.
    """

    name: str
    words: tuple[str, ...]
    columns: tuple[ColumnInfo, ...]
    concepts: frozenset[str] = frozenset()
    key: Ref | None = None
    naming: tuple[Ref, ...] = ()
    grain: Ref | None = None
    dates: tuple[Ref, ...] = ()
    amount: Ref | None = None
    states: tuple[State, ...] = ()
    rows: int = 0
    role_of: str = ""
    calculated: tuple[ColumnInfo, ...] = ()

    def is_told_apart_by(self, column: ColumnInfo) -> bool:
        """Whether nearly every row has a value of its own in a column."""
        return column.distinct >= _OWN * self.rows


def _is_labels(table: TableInfo) -> bool:
    kinds = [column.kind for column in table.columns]
    return len(kinds) <= _LABELS and table.rows <= _CODES and not {"measure", "rate", "date"}.intersection(kinds)


class Catalogue(Struct, frozen=True, kw_only=True):
    """One source.

    Attributes:
        tables: By name, roles included.
        edges: How they join, roles included.
        dialect: As sqlglot names it.
        derived: What is computed from it `once`, such as the graph of joins.
    """

    source: str
    dialect: str
    tables: Mapping[str, TableInfo]
    edges: tuple[Edge, ...] = ()
    derived: dict[Hashable, Any] = field(default_factory=dict)
    _columns: dict[Ref, ColumnInfo] = field(default_factory=dict)
    _leaving: dict[str, list[Edge]] = field(default_factory=dict)
    _arriving: dict[str, list[Edge]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = {
            column.ref: column for table in self.tables.values() for column in (*table.columns, *table.calculated)
        }
        leaving: dict[str, list[Edge]] = {}
        arriving: dict[str, list[Edge]] = {}
        for edge in self.edges:
            leaving.setdefault(edge.left.table, []).append(edge)
            arriving.setdefault(edge.right.table, []).append(edge)
        # Set, not filled: a copy with other tables (`replace`) shares nothing that was computed from these.
        computed = {"derived": {}, "_columns": columns, "_leaving": leaving, "_arriving": arriving}
        for name, value in computed.items():
            force_setattr(self, name, value)

    def once(self, make: Callable[..., Made], *about: Hashable) -> Made:
        """What ``make`` returns of this catalogue and of these things in it, called once."""
        key = (make, *about)
        if key not in self.derived:
            self.derived[key] = make(self, *about)
        made: Made = self.derived[key]
        return made

    def leaving(self, table: str) -> Sequence[Edge]:
        """How rows of a table refer to others."""
        return self._leaving.get(table, ())

    def arriving(self, table: str) -> Sequence[Edge]:
        """How rows of others refer to those of a table."""
        return self._arriving.get(table, ())

    def column(self, ref: Ref) -> ColumnInfo | None:
        """The column, of the source or calculated; None for ``*``."""
        return self._columns.get(ref)

    def without_role(self, table: str) -> str:
        """The table of the source that plays a role; any other name as it is."""
        info = self.tables.get(table)
        return table if info is None else info.role_of or table

    def is_lookup(self, table: str) -> bool:
        """Whether a table only says what the codes of others mean: a key and a label or two, and others refer to it."""
        return table in self.once(_lookups)

    def ancestors(self, table: str, most: int = 3) -> dict[str, int]:
        """Tables that rows of one lead to by references, at most so many, with their number; roles are left out."""
        return self.once(_ancestors, table, most)


def _lookups(catalogue: Catalogue) -> frozenset[str]:
    referred = {edge.right.table for edge in catalogue.edges}
    return frozenset(name for name in referred if name in catalogue.tables and _is_labels(catalogue.tables[name]))


def _ancestors(catalogue: Catalogue, table: str, most: int) -> dict[str, int]:
    found = {table: 0}
    for distance in range(1, most + 1):
        last = {name for name, far in found.items() if far == distance - 1}
        for left, right in catalogue.edges:
            if left.table in last and right.table not in found and not catalogue.tables[right.table].role_of:
                found[right.table] = distance
    return found
