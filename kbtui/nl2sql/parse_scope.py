"""What names in a SELECT stand for: its tables under their aliases, how they are joined, its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.joins import joins_of
from kbtui.nl2sql.query import INNER, Query, Ref

if TYPE_CHECKING:
    from sqlglot import exp


class Unreadable(Exception):
    """The types of a `Query` have nothing for a part of the statement."""


class Names(Struct):
    """Tables and columns of a catalogue whatever their case."""

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
        """Roles of a table that a column refers to."""
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
        tables: By alias in lower case, the name of the catalogue, or of a role.
        pairs: Columns that the join makes equal.
        inner: The derived table it reads.
        inner_columns: Index of each of its columns by its name.
        outputs: What is selected under an alias, by the alias in lower case.
        outer: The SELECT around it.
        kept: Where an outer join keeps rows without a partner, the column that refers to them.
    """

    names: Names
    tables: dict[str, str] = field(default_factory=dict)
    pairs: list[Edge] = field(default_factory=list)
    inner: Query | None = None
    inner_columns: Mapping[str, int] = field(default_factory=dict)
    outputs: dict[str, exp.Expr] = field(default_factory=dict)
    outer: Scope | None = None
    kept: Ref | None = None

    def ref(self, column: exp.Column) -> Ref | None:
        """The column a name stands for; None where there is none of it.

        Raises:
            Unreadable: It may stand for several.
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
        if len(refs) > 1 and not self._same(refs):
            raise Unreadable(f"ambiguous {name}")
        return next(iter(refs), None)

    def _same(self, refs: Iterable[Ref]) -> bool:
        """Whether the join makes all of these equal (USING)."""
        joined = partition(self.pairs)
        return any(set(refs) <= group for group in joined)

    def finest(self) -> str:
        """The table that has one row for each row of the join; the first one where none has."""
        joins = joins_of(self.names.catalogue)
        tables = list(dict.fromkeys(self.tables.values()))
        return next((table for table in tables if not joins.multiplied(table, self.pairs)), tables[0])

    def joins(self, first: Ref, second: Ref) -> bool:
        """Whether an equation of two columns is one of those that join the tables."""
        return any({first, second} == {left, right} for left, right in self.pairs)


def partition(pairs: Iterable[Edge]) -> frozenset[frozenset[Ref]]:
    """Groups of columns that are equal to each other."""
    groups: list[set[Ref]] = []
    for left, right in pairs:
        touched = [group for group in groups if left in group or right in group]
        merged = {left, right}.union(*touched)
        groups = [group for group in groups if group not in touched] + [merged]
    return frozenset(map(frozenset, groups))
