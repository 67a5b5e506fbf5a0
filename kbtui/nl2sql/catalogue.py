"""The catalogue of a source: its tables and columns with words, kinds, values and keys.

These are the types only; `kbtui.nl2sql.profile` fills them from a schema and a few statements.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr

from kbtui.nl2sql.query import Cond, Expr, Ref

T = TypeVar("T")

Kind = Literal["key", "reference", "name", "category", "measure", "rate", "date", "flag", "code", "text", "other"]
"""The kind of a column: ``measure`` is additive (amount, hours), ``rate`` is not (price, percentage, score, age)."""

Encoding = Literal["", "number", "date", "hundredths"]
"""How a column encodes its values: ``$1,234.50`` as text a number, ``2024/3/5`` a date, integers sums of money in
hundredths; empty if it is not encoded."""


_MAX_LABELS: Final = 3
"""Columns of a lookup table, at most."""
_MAX_CODES: Final = 100
"""Rows of a lookup table, at most."""
TIMES: Final = frozenset(("ms", "second", "minute", "hour", "day"))
"""Canonical names of the units of durations."""
_MAX_REFERENCES: Final = 3
_UNIQUE_SHARE: Final = 0.9
"""Distinct values per row from which a column counts as identifying its rows."""


class Edge(NamedTuple):
    """A join of two tables; the column ``left`` refers to the key ``right``."""

    left: Ref
    right: Ref


class ColumnInfo(Struct, frozen=True, kw_only=True):
    """One column.

    Attributes:
        words: Lemmas of its name in lower case, abbreviations expanded (``qty`` is ``quantity``); for Chinese names the
            name itself, without a unit in brackets.
        own: Those of them that are not in the name of its table.
        concepts: Concepts of the lexicon that its words stand for.
        encoding: See `Encoding`.
        date_format: strptime format of a date in text (``%b`` for months in full as well, `OR_ISO` for ISO 8601 too);
            ``unix`` and ``unix_ms`` for seconds and milliseconds since 1970; empty for ISO 8601 and for real dates. For
            a number in text the form of a duration (`kbtui.nl2sql.durations`).
        unit: Canonical unit of its numbers (``hour``, ``USD``, ``%``); empty if unknown.
        values: All distinct values with their numbers of rows, most frequent first, if there are at most 500 and the
            column is no measure; else the most frequent ones.
        complete: Whether ``values`` holds all distinct values.
        distinct: Number of distinct values, estimated for large tables.
        nulls: Share of rows without a value, 0 to 1.
        low: Minimum of numbers and dates.
        high: Maximum of numbers and dates.
        scale: The number that stands for 100 % in a percentage column: 1 or 100; 0 for other columns.
        labels: What its codes mean by its comment: 4 is urgent.
        formula: The expression of a calculated column; None for a stored column.
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
    labels: tuple[tuple[Any, str], ...] = ()
    formula: Expr | None = None

    def is_beyond(self, values: Iterable[Any]) -> bool:
        """Whether all values lie below the minimum or all above the maximum."""
        values, low, high = tuple(values), self.low, self.high
        if low is None or high is None:
            return False
        try:
            return all(value < low for value in values) or all(value > high for value in values)
        except TypeError:
            return False


class State(Struct, frozen=True, kw_only=True):
    """A condition that has a name, such as open or unpaid.

    Attributes:
        concept: Its concept in the lexicon, such as ``paid`` or ``open``.
        holds: Whether rows that meet ``cond`` are in the state; False if they are not.
    """

    concept: str
    cond: Cond
    holds: bool = True


class TableInfo(Struct, frozen=True, kw_only=True):
    """One table, or a role of one.

    Attributes:
        words: Lemmas of its name, as for a column, without the part of the application that it belongs to.
        module: Lemmas of that part: ``auth`` of ``auth_user``.
        key: Its key column, declared or inferred.
        naming: Columns that identify a row to a reader: a name, a title; first and last name together.
        grain: The reference or code whose distinct values are the things that rows are parts of (the receipt of
            receipt lines); None if a row is a thing of its own.
        has_first_lines: Whether what belongs to a whole thing of the grain stands in its first row alone.
        dates: Its date columns, the most usual one first.
        amount: The sum of money that a row is about (the net amount of a sale, not its tax); a calculated column if
            no stored one holds it; None if there is none.
        calculated: Columns from `kbtui.nl2sql.calculated`.
        rows: Number of rows, estimated for large tables.
        role_of: The table that this is a role of; empty for a table of the source.
    """

    name: str
    words: tuple[str, ...]
    columns: tuple[ColumnInfo, ...]
    module: tuple[str, ...] = ()
    concepts: frozenset[str] = frozenset()
    key: Ref | None = None
    naming: tuple[Ref, ...] = ()
    grain: Ref | None = None
    has_first_lines: bool = False
    dates: tuple[Ref, ...] = ()
    amount: Ref | None = None
    states: tuple[State, ...] = ()
    rows: int = 0
    role_of: str = ""
    calculated: tuple[ColumnInfo, ...] = ()

    def is_identified_by(self, column: ColumnInfo) -> bool:
        """Whether nearly every row has a distinct value in a column."""
        return column.distinct >= _UNIQUE_SHARE * self.rows


def _is_lookup_table(table: TableInfo) -> bool:
    kinds = [column.kind for column in table.columns]
    is_small = len(kinds) <= _MAX_LABELS and table.rows <= _MAX_CODES
    return is_small and not {"measure", "rate", "date"}.intersection(kinds)


class Catalogue(Struct, frozen=True, kw_only=True):
    """The catalogue of one source.

    Attributes:
        tables: Tables by name, roles included.
        edges: Their joins, roles included.
        dialect: Name of the SQL dialect in sqlglot.
        derived: Cache of `once`.
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
        columns = {c.ref: c for table in self.tables.values() for c in (*table.columns, *table.calculated)}
        leaving: dict[str, list[Edge]] = {}
        arriving: dict[str, list[Edge]] = {}
        for edge in self.edges:
            leaving.setdefault(edge.left.table, []).append(edge)
            arriving.setdefault(edge.right.table, []).append(edge)
        # Set, not filled: a copy with other tables (`replace`) must not share cached results.
        indexes = {"derived": {}, "_columns": columns, "_leaving": leaving, "_arriving": arriving}
        for name, value in indexes.items():
            force_setattr(self, name, value)

    def once(self, make: Callable[..., T], *about: Hashable) -> T:
        """What ``make(catalogue, *about)`` returns, cached for the life of the catalogue."""
        key = (make, *about)
        if key not in self.derived:
            self.derived[key] = make(self, *about)
        result: T = self.derived[key]
        return result

    def leaving(self, table: str) -> Sequence[Edge]:
        """Edges by which rows of a table refer to others."""
        return self._leaving.get(table, ())

    def arriving(self, table: str) -> Sequence[Edge]:
        """Edges by which rows of other tables refer to those of a table."""
        return self._arriving.get(table, ())

    def neighbours(self) -> Mapping[str, frozenset[str]]:
        """For each table with references the tables that it refers to or that refer to it."""
        return self.once(_neighbours)

    def column(self, ref: Ref) -> ColumnInfo | None:
        """The column, stored or calculated; None for ``*`` and unknown columns."""
        return self._columns.get(ref)

    def without_role(self, table: str) -> str:
        """The table of the source that a role stands for; any other name is returned as it is."""
        info = self.tables.get(table)
        return table if info is None else info.role_of or table

    def is_lookup(self, table: str) -> bool:
        """Whether a table only explains codes: others refer to it, it has few columns and rows, no numbers or dates."""
        return table in self.once(_lookup_tables)

    def ancestors(self, table: str) -> dict[str, int]:
        """Tables that rows of one refer to over at most three references, with that number; roles are left out."""
        return self.once(_ancestors, table)


def _lookup_tables(catalogue: Catalogue) -> frozenset[str]:
    referred = {edge.right.table for edge in catalogue.edges}
    return frozenset(name for name in referred if name in catalogue.tables and _is_lookup_table(catalogue.tables[name]))


def _neighbours(catalogue: Catalogue) -> dict[str, frozenset[str]]:
    neighbours: dict[str, set[str]] = {}
    for left, right in catalogue.edges:
        neighbours.setdefault(left.table, set()).add(right.table)
        neighbours.setdefault(right.table, set()).add(left.table)
    return {table: frozenset(others) for table, others in neighbours.items()}


def _ancestors(catalogue: Catalogue, table: str) -> dict[str, int]:
    distances = {table: 0}
    for distance in range(1, _MAX_REFERENCES + 1):
        frontier = {name for name, steps in distances.items() if steps == distance - 1}
        for left, right in catalogue.edges:
            if left.table in frontier and right.table not in distances and not catalogue.tables[right.table].role_of:
                distances[right.table] = distance
    return distances
