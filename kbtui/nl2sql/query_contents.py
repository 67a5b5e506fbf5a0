"""What a statement reads of its source, to compare with what the words of a question may stand for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import INNER, Agg, Col, Cond, Query, Ref, aggregates_in
from kbtui.nl2sql.shape import literals_of, nested, plain_ref

_REFERS: Final = 2
"""References from which the rows of a table relate others."""


class Reads:
    """Tables, columns and literals of one statement, its nested ones included; a role is the table that plays it."""

    def __init__(self, query: Query, catalogue: Catalogue, uses: Sequence[Use] = ()) -> None:
        self._queries = list(nested(query))
        self._catalogue = catalogue
        self._said = [use.mention.ref for use in uses if use.mention.ref is not None]
        self._tables = {self._catalogue.without_role(table) for each in self._queries for table in each.used_tables()}

    @cached_property
    def _refs(self) -> set[Ref]:
        # What a list shows of its rows is read only where words ask for it.
        read = (replace(each, select=tuple(e for e in each.select if not isinstance(e, Col))) for each in self._queries)
        return {self._own(ref) for each in read for ref in each.refs() if ref.table != INNER} | set(
            map(self._own, self._said)
        )

    @cached_property
    def _named(self) -> set[str]:
        edges = self._catalogue.edges
        return self._tables | {
            self._catalogue.without_role(edge.right.table) for edge in edges if self._own(edge.left) in self._refs
        }

    @cached_property
    def _figures(self) -> list[Agg]:
        return [agg for each in self._queries for expr in each.select for agg in aggregates_in(expr)]

    @cached_property
    def _conditions(self) -> set[Cond]:
        conditions = {cond for each in self._queries for cond in each.conditions()}
        return conditions | {cond for figure in self._figures for cond in figure.where}

    @cached_property
    def _restricting(self) -> set[Ref]:
        left = (cond.left for cond in self._conditions)
        groups = (expr for each in self._queries for expr in each.group)
        return {self._own(ref) for expr in (*left, *groups) if (ref := plain_ref(expr)) is not None}

    @cached_property
    def _literals(self) -> set[tuple[Ref | None, Any]]:
        return {(plain_ref(cond.left), value) for cond in self._conditions for value in literals_of(cond)}

    def has(self, link: Mention) -> bool:
        """Whether a mention speaks of something that the statement reads."""
        if link.order and not any(plain_ref(item.expr) == link.ref for each in self._queries for item in each.order):
            return False
        if link.kind == "state":
            return link.cond in self._conditions
        if link.ref is None:
            return False
        if link.kind == "value":
            return any((link.ref, value) in self._literals for value in link.values)
        if link.kind == "table":
            return self._catalogue.without_role(link.ref.table) in self._named
        return self._own(link.ref) in self._refs

    def restricts(self, link: Mention) -> bool:
        """Whether the rows are restricted, or kept apart, by the column of a value or a state, or cannot be in it."""
        ref = plain_ref(link.cond.left) if link.cond is not None else link.ref
        if ref is None or (link.kind == "state" and self._catalogue.without_role(ref.table) not in self._tables):
            return True
        return self._own(ref) in self._restricting

    def meets(self, needs: str) -> bool:
        """Whether it reads what light words of a kind need.

        Args:
            needs: ``event``: rows that happen or relate others; ``figure``: a figure that is no number of rows;
                ``groups``: several groups or figures; ``any``: nothing.
        """
        if needs == "groups":
            return any(each.group or len(each.select) > 1 for each in self._queries)
        if needs == "event":
            return len(self._tables) > 1 or any(map(self._happens, self._tables))
        if needs == "figure":
            return bool(self._figures) and not any(map(_is_count, self._figures))
        return True

    def _happens(self, table: str) -> bool:
        info = self._catalogue.tables.get(table)
        if info is None:
            return False
        return bool(info.dates) or len(self._catalogue.leaving(table)) >= _REFERS

    def _own(self, ref: Ref) -> Ref:
        return Ref(self._catalogue.without_role(ref.table), ref.column)


def _is_count(figure: Agg) -> bool:
    return figure.fn == "count"
