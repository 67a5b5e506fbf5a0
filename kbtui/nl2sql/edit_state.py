"""A statement under edit: the tree as it is so far, what of the follow-up it has used, how it was changed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.candidate import Role
from kbtui.nl2sql.cover import Cover
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import numeric
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import INNER, Query, Ref, refs_of
from kbtui.nl2sql.rewriting import aggs_of

Kind = Literal[
    "filter", "period", "drop", "negate", "rows", "columns", "figure", "group", "order", "limit", "window", "chart"
]
"""What an edit changes."""


class Edit(Struct, frozen=True):
    """See the module's text.

    Attributes:
        draft: Mentions used so far; conditions of the follow-up that the tree does not have yet.
        kinds: What was changed, in the order it was.
    """

    query: Query
    draft: Draft
    kinds: tuple[Kind, ...] = ()

    def to(self, query: Query, kind: Kind, worth: float = 0.0) -> Edit:
        """With the tree changed."""
        draft = replace(self.draft, prior=self.draft.prior + worth)
        kinds = self.kinds if kind in self.kinds else (*self.kinds, kind)
        return Edit(query, draft, kinds)

    def using(self, role: Role, *indexes: int | None) -> Edit:
        """With mentions taken."""
        return replace(self, draft=self.draft.using(role, *indexes))

    def trait(self, name: str, worth: float) -> Edit:
        """With a named fact for ranking."""
        return replace(self, draft=self.draft.trait(name, 1.0, worth=worth))


class EditScene(Scene):
    """A cover of a follow-up, beside the statement it follows."""

    def __init__(self, lattice: Lattice, cover: Cover, previous: Query) -> None:
        super().__init__(lattice, cover)
        self.previous = previous

    @cached_property
    def mentioned_tables(self) -> tuple[str, ...]:
        """Tables that the statement or some mention is of, those of the statement first."""
        known = [name for name in tables_of(self.previous) if name in self.catalogue.tables]
        mentioned = [m.ref.table for m in self.cover.mentions if m.ref is not None and m.kind != "cue"]
        return tuple(dict.fromkeys((*known, *mentioned)))

    def measures(self, tables: tuple[str, ...]) -> Iterator[Ref]:
        """Columns of tables that figures can be made of, those that add up first."""
        columns = [column for name in tables for column in self.table(name).columns if numeric(column)]
        yield from (column.ref for column in sorted(columns, key=lambda column: column.kind != "measure"))


def tables_of(query: Query) -> tuple[str, ...]:
    """Tables of a statement, or of the derived table it reads; those of its figures first."""
    own = [ref.table for agg in aggs_of(query) for ref in refs_of(agg) if ref.table != INNER]
    own += query.used_tables()
    if query.inner is not None:
        own += tables_of(query.inner)
    return tuple(dict.fromkeys(own))


def base_table(scene: EditScene, query: Query) -> str:
    """The table whose rows the statement is about."""
    named = [name for name in tables_of(query) if name in scene.catalogue.tables]
    return named[0] if named else next(iter(scene.catalogue.tables))


def plain(query: Query) -> Query:
    """The rows a statement is about: its tables and conditions alone."""
    return Query(select=(), where=query.where, tables=tuple(t for t in tables_of(query) if t != INNER))


def is_ranked(query: Query) -> bool:
    """Whether it is sorted by something other than the periods it is grouped by."""
    return bool(query.order) and query.order[0].expr not in query.group
