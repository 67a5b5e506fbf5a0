"""What names in a SELECT refer to: tables under aliases, their joins, columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from sqlglot import exp

from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.joins import joins_of
from kbtui.nl2sql.query import INNER, Query, Ref


class Unreadable(Exception):
    """A part of the statement that a `Query` cannot express."""


class Names(Struct):
    """Tables and columns of a catalogue by lower-case name."""

    catalogue: Catalogue
    tables: dict[str, str] = field(default_factory=dict)
    columns: dict[tuple[str, str], Ref] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for table in self.catalogue.tables.values():
            if not table.role_of:
                self.tables.setdefault(table.name.lower(), table.name)
                self.tables.setdefault(table.name.rsplit(".", 1)[-1].lower(), table.name)
            for column in table.columns:
                self.columns[table.name, column.ref.column.lower()] = Ref(table.name, column.ref.column)

    def roles(self, table: str, referring: Ref) -> list[str]:
        """Roles of a table for a referring column."""
        return [
            edge.right.table
            for edge in self.catalogue.edges
            if edge.left == referring and self.catalogue.tables[edge.right.table].role_of == table
        ]


def names_of(catalogue: Catalogue) -> Names:
    """The names of a catalogue, made once."""
    return catalogue.once(Names)


class Scope(Struct):
    """One SELECT.

    Attributes:
        tables: Names in the catalogue (of tables or roles) by lower-case alias.
        pairs: Columns that the joins equate.
        inner: The derived table it reads; None if it reads tables.
        inner_columns: Indexes of the columns of the derived table by name.
        outputs: Selected expressions by lower-case alias.
        outer: The enclosing SELECT.
        outer_reference: For an outer join that keeps rows without a match, the column that refers to them.
    """

    names: Names
    tables: dict[str, str] = field(default_factory=dict)
    pairs: list[Edge] = field(default_factory=list)
    inner: Query | None = None
    inner_columns: Mapping[str, int] = field(default_factory=dict)
    outputs: dict[str, exp.Expr] = field(default_factory=dict)
    outer: Scope | None = None
    outer_reference: Ref | None = None

    def ref(self, column: exp.Column) -> Ref | None:
        """The column of a name; None if there is none.

        Raises:
            Unreadable: The name is ambiguous.
        """
        name = column.name.lower()
        if self.inner is not None:
            index = self.inner_columns.get(name)
            return Ref(INNER, f"c{index}") if index is not None else None
        if column.table:
            table = self.tables.get(column.table.lower())
            return self.names.columns.get((table, name)) if table else None
        refs = dict.fromkeys(
            ref for table in self.tables.values() if (ref := self.names.columns.get((table, name))) is not None
        )
        if len(refs) > 1 and not self._are_equated(refs):
            raise Unreadable(f"ambiguous {name}")
        return next(iter(refs), None)

    def _are_equated(self, refs: Iterable[Ref]) -> bool:
        """Whether the joins equate all of these columns (USING)."""
        joined = partition(self.pairs)
        return any(set(refs) <= group for group in joined)

    def finest(self) -> str:
        """The table with one row for each row of the join; the first table if there is none."""
        joins = joins_of(self.names.catalogue)
        tables = list(dict.fromkeys(self.tables.values()))
        return next((table for table in tables if not joins.multiplied(table, self.pairs)), tables[0])

    def joins(self, first: Ref, second: Ref) -> bool:
        """Whether the joins equate two columns."""
        return any({first, second} == {left, right} for left, right in self.pairs)


def partition(pairs: Iterable[Edge]) -> frozenset[frozenset[Ref]]:
    """The groups of columns that are equal to each other."""
    groups: list[set[Ref]] = []
    for left, right in pairs:
        touched = [group for group in groups if left in group or right in group]
        merged = {left, right}.union(*touched)
        groups = [group for group in groups if group not in touched] + [merged]
    return frozenset(map(frozenset, groups))
