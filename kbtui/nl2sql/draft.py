"""A statement under composition: the mentions it has used, its conditions and its score so far."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from kbtui.nl2sql.candidate import Role
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.cover import Cover
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.ledgers import direction_conds
from kbtui.nl2sql.listing import row_columns, row_names
from kbtui.nl2sql.query import AnyOf, Col, Cond, Expr, Ref
from kbtui.question.model import Cue


class Draft(Struct, frozen=True):
    """A statement under composition; each method returns a changed copy.

    Attributes:
        used: Positions of mentions in the cover, each with its role.
        periods: Positions of periods without a condition yet: the date column depends on the tables of the rest.
        prior: Score by rules, higher is better.
        traits: Names and values of facts for the ranker.
        used_bits: The positions in `used` as a bit set.
    """

    where: tuple[Cond | AnyOf, ...] = ()
    used: tuple[tuple[int, Role], ...] = ()
    periods: tuple[int, ...] = ()
    prior: float = 0.0
    traits: tuple[tuple[str, float], ...] = ()
    used_bits: int = 0

    def using(self, role: Role, *indexes: int | None, worth: float = 0.0) -> Draft:
        """A copy that uses mentions in a role, ``worth`` added to the prior; None and used positions are ignored."""
        used, bits = self.used, self.used_bits
        for index in indexes:
            if index is not None and not bits >> index & 1:
                used, bits = (*used, (index, role)), bits | 1 << index
        if used is self.used and not worth:
            return self
        return Draft(self.where, used, self.periods, self.prior + worth, self.traits, bits)

    def without(self, indexes: Container[int]) -> Draft:
        """A copy that does not use these mentions."""
        used = tuple([(index, role) for index, role in self.used if index not in indexes])
        bits = sum(1 << index for index, _ in used)
        return Draft(self.where, used, self.periods, self.prior, self.traits, bits)

    def filtered(self, *conds: Cond | AnyOf) -> Draft:
        """A copy with further conditions."""
        return Draft((*self.where, *conds), self.used, self.periods, self.prior, self.traits, self.used_bits)

    def trait(self, name: str, value: float = 1.0, worth: float = 0.0) -> Draft:
        """A copy with a further trait; ``worth`` is added to the prior."""
        return Draft(
            self.where, self.used, self.periods, self.prior + worth, (*self.traits, (name, value)), self.used_bits
        )

    def fixes(self, ref: Ref) -> bool:
        """Whether a condition leaves one value of a column."""
        return any(isinstance(item, Cond) and item.left == Col(ref) and item.op == "=" for item in self.where)

    def free(self, indexes: Iterable[int]) -> list[int]:
        """The positions that are not used, in the given order."""
        bits = self.used_bits
        return [index for index in indexes if not bits >> index & 1]


MIN_DISTINCT_NAMES: Final = 0.7
"""Distinct names per row from which rows of one name are different things; below, they are one thing."""


class Scene:
    """A cover with its catalogue, in which the composing functions look up mentions, columns and tables."""

    def __init__(self, lattice: Lattice, cover: Cover) -> None:
        self.lattice = lattice
        self.cover = cover
        self.catalogue: Catalogue = lattice.catalogue
        self._by_ops: dict[tuple[str, ...], list[int]] = {}

    def __getitem__(self, index: int) -> Mention:
        return self.cover.mentions[index]

    @cached_property
    def columns(self) -> list[int]:
        """Positions of column mentions, in the order of the question."""
        return list(self.cover.indexes("column"))

    @cached_property
    def tables(self) -> list[int]:
        """Positions of table mentions, in the order of the question."""
        return list(self.cover.indexes("table"))

    @cached_property
    def mentioned_tables(self) -> tuple[str, ...]:
        """Tables of the mentions, in the order of the question."""
        names = dict.fromkeys(m.ref.table for m in self.cover.mentions if m.ref is not None and m.kind != "cue")
        return tuple(names)

    def cue(self, *ops: str) -> int | None:
        """The position of the first cue with one of these operators, or None."""
        cues = self.cues(*ops)
        return cues[0] if cues else None

    def cues(self, *ops: str) -> Sequence[int]:
        """Positions of the cues with one of these operators, in the order of the question."""
        positions = self._by_ops.get(ops)
        if positions is None:
            positions = self._by_ops[ops] = [i for i, op in self._ops if op in ops]
        return positions

    @cached_property
    def _ops(self) -> list[tuple[int, str]]:
        return [(i, m.cue.op) for i, m in enumerate(self.cover.mentions) if m.cue is not None]

    def first_free(self, draft: Draft, *ops: str) -> int | None:
        """The position of the first cue with one of these operators that the draft has not used, or None."""
        cues = self.cues(*ops)
        return next(iter(draft.free(cues)), None) if cues else None

    def operator(self, index: int | None) -> Cue | None:
        """The cue at a position; None for None and for other mentions."""
        return None if index is None else self[index].cue

    def column(self, index: int) -> ColumnInfo | None:
        """The column of a mention; None for tables and ``*``."""
        ref = self[index].ref
        return None if ref is None else self.catalogue.column(ref)

    def info(self, ref: Ref) -> ColumnInfo | None:
        """The column of a reference; None for ``*``."""
        return self.catalogue.column(ref)

    def table(self, name: str) -> TableInfo:
        """The table with this name."""
        return self.catalogue.tables[name]

    def children(self, name: str) -> tuple[str, ...]:
        """Tables that refer to this one, the largest first."""
        return self.catalogue.once(_children, name)

    def parents(self, name: str) -> tuple[str, ...]:
        """Tables that this one refers to."""
        return self.catalogue.once(_parents, name)

    def referring(self, child: str, parent: str) -> tuple[Ref, Ref] | None:
        """The referring column and the key by which a table refers to another; None without a reference."""
        edges = (edge for edge in self.catalogue.leaving(child) if edge.right.table == parent)
        return next(((edge.left, edge.right) for edge in edges), None)

    def naming_columns(self, table: TableInfo) -> tuple[Ref, ...]:
        """The columns that identify a row to a reader; any readable column if there are none."""
        return row_names(self.catalogue, table)

    def list_columns(self, table: TableInfo) -> tuple[Expr, ...]:
        """The columns that a list of the table's rows shows."""
        return tuple(map(Col, row_columns(self.catalogue, table)))

    def dates(self, tables: Sequence[str]) -> Iterator[Ref]:
        """Date columns of tables, the most usual one of each table first."""
        for table in tables:
            yield from self.table(table).dates

    @cached_property
    def directions(self) -> tuple[Cond, ...]:
        """Conditions of ledgers for the direction that the question asks for: 花了 is about what was spent."""
        question, mentions = self.lattice.question, self.cover.mentions
        return tuple(c for n in self.usual_tables() for c in direction_conds(self.table(n), question, mentions))

    def usual_tables(self) -> list[str]:
        """Tables of the mentions; the three largest if there are none."""
        if self.mentioned_tables:
            return list(self.mentioned_tables)
        tables = [table for table in self.catalogue.tables.values() if not table.role_of]
        return [table.name for table in sorted(tables, key=lambda table: -table.rows)[:3]]


def _children(catalogue: Catalogue, name: str) -> tuple[str, ...]:
    names = dict.fromkeys(edge.left.table for edge in catalogue.arriving(name) if edge.left.table != name)
    return tuple(sorted(names, key=lambda child: -catalogue.tables[child].rows))


def _parents(catalogue: Catalogue, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(edge.right.table for edge in catalogue.leaving(name)))


GroupExprs = tuple[tuple[Expr, ...], tuple[Expr, ...]]
"""Expressions of GROUP BY, and expressions of SELECT."""


def identity(scene: Scene, ref: Ref) -> GroupExprs:
    """How values of a column are grouped and shown: a reference by the name of its row, a key together with the name.

    Returns:
        The expressions of GROUP BY and those of SELECT.
    """
    return scene.catalogue.once(_identity, ref)


def _identity(catalogue: Catalogue, ref: Ref) -> GroupExprs:
    info, table = catalogue.column(ref), catalogue.tables[ref.table]
    if info is not None and info.kind in ("reference", "key"):
        referred = [catalogue.tables[edge.right.table] for edge in catalogue.leaving(ref.table) if edge.left == ref]
        # Of two columns that refer to one table, the table without a role is joined by the first of them.
        for other in sorted(referred, key=lambda other: not other.role_of):
            if other.naming:
                return rows_of(catalogue, other)
        if info.kind == "key" and table.naming:
            keys, shown = rows_of(catalogue, table)
            return keys, tuple(dict.fromkeys((*shown, Col(ref))))
    if ref.column == "*":
        return rows_of(catalogue, table)
    if (
        table.naming == (ref,)
        and table.key is not None
        and info is not None
        and MIN_DISTINCT_NAMES * table.rows <= info.distinct < table.rows
    ):
        return (Col(table.key), Col(ref)), (Col(ref),)
    return (Col(ref),), (Col(ref),)


def rows_of(catalogue: Catalogue, table: TableInfo) -> GroupExprs:
    """Rows of a table as groups, shown by their names; by the key as well if names repeat or the key is text."""
    names = row_names(catalogue, table)
    shown = tuple(map(Col, names))
    key = table.key
    if key is None or key in names:
        return shown, shown
    info = catalogue.column(key)
    readable = info is not None and any(isinstance(value, str) for value, _ in info.values[:1])
    if readable or any(_repeats(catalogue, ref, table) for ref in names):
        return (Col(key), *shown), (*shown, Col(key))
    return shown, shown


def with_key(scene: Scene, keys: tuple[Expr, ...], shown: tuple[Expr, ...]) -> GroupExprs:
    """Groups of rows that are shown by the key of their table too."""
    key = scene.table(shown[0].ref.table).key if isinstance(shown[0], Col) else None
    if key is None or Col(key) in shown:
        return keys, shown
    return tuple(dict.fromkeys((Col(key), *keys))), (*shown, Col(key))


def identifies(scene: Scene, ref: Ref) -> bool:
    """Whether each row of the column's table has a distinct value in it."""
    return not _repeats(scene.catalogue, ref, scene.table(ref.table))


def _repeats(catalogue: Catalogue, ref: Ref, table: TableInfo) -> bool:
    info = catalogue.column(ref)
    return info is None or info.distinct < table.rows
