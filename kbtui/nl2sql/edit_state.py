"""A statement under edit: the query so far, the mentions of the follow-up that it has used, the kinds of changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.candidate import Role
from kbtui.nl2sql.cover import Cover
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import is_numeric
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import INNER, Query, Ref, refs_of
from kbtui.nl2sql.rewriting import aggs_of

Kind = Literal[
    "filter", "period", "drop", "negate", "rows", "columns", "figure", "group", "order", "limit", "window", "chart"
]
"""The kind of a change."""


class Edit(Struct, frozen=True):
    """A statement under edit; each method returns a changed copy.

    Attributes:
        query: The query as changed so far.
        draft: The mentions used so far, and conditions of the follow-up that are not in the query yet.
        kinds: The kinds of changes, in the order they were made.
    """

    query: Query
    draft: Draft
    kinds: tuple[Kind, ...] = ()

    def to(self, query: Query, kind: Kind, worth: float = 0.0) -> Edit:
        """A copy with another query; ``worth`` is added to the prior."""
        draft = replace(self.draft, prior=self.draft.prior + worth)
        kinds = self.kinds if kind in self.kinds else (*self.kinds, kind)
        return Edit(query, draft, kinds)

    def using(self, role: Role, *indexes: int | None) -> Edit:
        """A copy that uses mentions in a role."""
        return replace(self, draft=self.draft.using(role, *indexes))

    def trait(self, name: str, worth: float) -> Edit:
        """A copy with a further trait; ``worth`` is added to the prior."""
        return replace(self, draft=self.draft.trait(name, 1.0, worth=worth))


class EditScene(Scene):
    """A cover of a follow-up, with the statement that it follows."""

    def __init__(self, lattice: Lattice, cover: Cover, previous: Query) -> None:
        super().__init__(lattice, cover)
        self.previous = previous

    @cached_property
    def mentioned_tables(self) -> tuple[str, ...]:
        """Tables of the previous statement, then those of the mentions."""
        previous = [name for name in tables_of(self.previous) if name in self.catalogue.tables]
        mentioned = [m.ref.table for m in self.cover.mentions if m.ref is not None and m.kind != "cue"]
        return tuple(dict.fromkeys((*previous, *mentioned)))

    def measures(self, tables: tuple[str, ...]) -> Iterator[Ref]:
        """Numeric columns of tables, measures before rates."""
        columns = [column for name in tables for column in self.table(name).columns if is_numeric(column)]
        yield from (column.ref for column in sorted(columns, key=lambda column: column.kind != "measure"))


def tables_of(query: Query) -> tuple[str, ...]:
    """Tables of a query and of the derived table it reads; those of its figures first."""
    tables = [ref.table for agg in aggs_of(query) for ref in refs_of(agg) if ref.table != INNER]
    tables += query.used_tables()
    if query.inner is not None:
        tables += tables_of(query.inner)
    return tuple(dict.fromkeys(tables))


def base_table(scene: EditScene, query: Query) -> str:
    """The table whose rows the query is about."""
    tables = [name for name in tables_of(query) if name in scene.catalogue.tables]
    return tables[0] if tables else next(iter(scene.catalogue.tables))


def rows_only(query: Query) -> Query:
    """The query without SELECT, order and groups: its tables and conditions alone."""
    return Query(select=(), where=query.where, tables=tuple(t for t in tables_of(query) if t != INNER))


def is_ranked(query: Query) -> bool:
    """Whether the query is sorted by something other than its first groups."""
    return bool(query.order) and query.order[0].expr not in query.group
