"""The tables, columns and literals that a statement reads, compared with the mentions of a question."""

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

_MIN_REFERENCES: Final = 2
"""References to other tables from which a table relates their rows to each other."""


class QueryContents:
    """Tables, columns and literals of a statement and its nested queries; a role counts as the table that plays it."""

    def __init__(self, query: Query, catalogue: Catalogue, uses: Sequence[Use] = ()) -> None:
        self._queries = list(nested(query))
        self._catalogue = catalogue
        self._mentioned_refs = [use.mention.ref for use in uses if use.mention.ref is not None]
        self._tables = {self._catalogue.without_role(table) for query in self._queries for table in query.used_tables()}

    @cached_property
    def _refs(self) -> set[Ref]:
        # Columns that a list shows of its rows count as read only if a mention asks for them.
        queries = (
            replace(query, select=tuple(expr for expr in query.select if not isinstance(expr, Col)))
            for query in self._queries
        )
        refs = {self._without_role(ref) for query in queries for ref in query.refs() if ref.table != INNER}
        return refs | set(map(self._without_role, self._mentioned_refs))

    @cached_property
    def _named_tables(self) -> set[str]:
        edges = self._catalogue.edges
        return self._tables | {
            self._catalogue.without_role(edge.right.table)
            for edge in edges
            if self._without_role(edge.left) in self._refs
        }

    @cached_property
    def _figures(self) -> list[Agg]:
        return [agg for query in self._queries for expr in query.select for agg in aggregates_in(expr)]

    @cached_property
    def _conditions(self) -> set[Cond]:
        conditions = {cond for query in self._queries for cond in query.conditions()}
        return conditions | {cond for figure in self._figures for cond in figure.where}

    @cached_property
    def _restricting_refs(self) -> set[Ref]:
        left = (cond.left for cond in self._conditions)
        groups = (expr for query in self._queries for expr in query.group)
        return {self._without_role(ref) for expr in (*left, *groups) if (ref := plain_ref(expr)) is not None}

    @cached_property
    def _literals(self) -> set[tuple[Ref | None, Any]]:
        return {(plain_ref(cond.left), value) for cond in self._conditions for value in literals_of(cond)}

    def has(self, link: Mention) -> bool:
        """Whether the statement reads what a mention stands for."""
        if link.order and not any(plain_ref(item.expr) == link.ref for query in self._queries for item in query.order):
            return False
        if link.kind == "state":
            return link.cond in self._conditions
        if link.ref is None:
            return False
        if link.kind == "value":
            return any((link.ref, value) in self._literals for value in link.values)
        if link.kind == "table":
            return self._catalogue.without_role(link.ref.table) in self._named_tables
        return self._without_role(link.ref) in self._refs

    def restricts(self, link: Mention) -> bool:
        """Whether the column of a value or state filters or groups the rows, or its table is not read at all."""
        ref = plain_ref(link.cond.left) if link.cond is not None else link.ref
        if ref is None or (link.kind == "state" and self._catalogue.without_role(ref.table) not in self._tables):
            return True
        return self._without_role(ref) in self._restricting_refs

    def satisfies(self, needs: str) -> bool:
        """Whether the statement reads what light words of a kind require.

        Args:
            needs: ``event``: a table with dates or several references, or several tables; ``figure``: an aggregate
                other than a count; ``groups``: groups or several expressions in SELECT; ``several``: such groups,
                and more than the first of them; ``any``: nothing.
        """
        if needs == "several":
            outer = self._queries[0]
            return self.satisfies("groups") and (outer.limit != 1 or bool(outer.per))
        if needs == "groups":
            return any(query.group or len(query.select) > 1 for query in self._queries)
        if needs == "event":
            return len(self._tables) > 1 or any(map(self._is_event_table, self._tables))
        if needs == "figure":
            return bool(self._figures) and not any(map(_is_count, self._figures))
        return True

    def _is_event_table(self, table: str) -> bool:
        info = self._catalogue.tables.get(table)
        if info is None:
            return False
        return bool(info.dates) or len(self._catalogue.leaving(table)) >= _MIN_REFERENCES

    def _without_role(self, ref: Ref) -> Ref:
        return Ref(self._catalogue.without_role(ref.table), ref.column)


def _is_count(figure: Agg) -> bool:
    return figure.fn == "count"
