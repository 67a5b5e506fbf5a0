"""How a statement stands to the structure of its source: which kind of table it is about, and whether it says little.

A count of rows that one unique value picks is always one; the rows of a look-up table are rarely what is counted; the
highest row of a child is not the parent with the most of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue, TableInfo
from kbtui.nl2sql.query import INNER, Agg, Col, Cond, Expr, Query, Ref, aggregates, refs_of
from kbtui.nl2sql.shape import literals_of, main_table, plain_ref

_LOOKUP_COLUMNS: Final = 4
"""Columns of a look-up table at most."""
_NAMES_THINGS: Final = ("shown", "subject", "group", "measure")
"""Roles of a mention that says which things a statement is about."""
_THINGS: Final = ("name", "category", "reference", "code")


class Standing:
    """The tables of one catalogue by their references, and features from them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    @classmethod
    def of(cls, catalogue: Catalogue) -> Standing:
        """That of a catalogue, made once."""
        return catalogue.once(cls)

    @cached_property
    def _parents(self) -> dict[Ref, list[str]]:
        """Tables that each column refers to."""
        parents: dict[Ref, list[str]] = {}
        for left, right in self._catalogue.edges:
            parents.setdefault(left, []).append(right.table)
        return parents

    @cached_property
    def _referred(self) -> dict[str, set[str]]:
        """Tables that refer to each table; roles count as the table itself."""
        referred: dict[str, set[str]] = {}
        for left, right in self._catalogue.edges:
            referred.setdefault(self._catalogue.without_role(right.table), set()).add(
                self._catalogue.without_role(left.table)
            )
        return referred

    @cached_property
    def _referring(self) -> dict[str, set[str]]:
        referring: dict[str, set[str]] = {}
        for parent, children in self._referred.items():
            for child in children:
                referring.setdefault(child, set()).add(parent)
        return referring

    @cached_property
    def _largest(self) -> float:
        return math.log1p(max((table.rows for table in self._catalogue.tables.values()), default=0))

    def features(self, query: Query, uses: Sequence[Use] = ()) -> dict[str, float]:
        """Features of one statement.

        Args:
            uses: What it reads; a column that it shows and that repeats is no name of the rows that it ranks.
        """
        features: dict[str, float] = {}
        table = self._catalogue.tables.get(main_table(query))
        if table is not None:
            name = self._catalogue.without_role(table.name)
            parents, children = self._referring.get(name, set()), self._referred.get(name, set())
            features["main_parents"] = float(min(4, len(parents)))
            features["main_children"] = float(min(4, len(children)))
            features["main_lookup"] = float(bool(children) and not parents and len(table.columns) <= _LOOKUP_COLUMNS)
            features["main_smaller"] = self._largest - math.log1p(table.rows)
            features["groups_by_child"] = self._groups_by_child(query, name)
        for name, value in self._trivial(query, table):
            features[name] = features.get(name, 0.0) + value
        if not query.group:
            things = [use.mention.ref for use in uses if use.role in _NAMES_THINGS]
            repeated = float(any(ref is not None and self._repeats(ref) for ref in things))
            features["ranks_repeated"] = repeated * bool(query.order and query.limit is not None)
            by_row = repeated or features.get("child_ranked", 0.0)
            features["ranks_parts"] = float(bool(by_row) and self._ranks_sum(query, uses))
            features["counts_repeated"] = repeated * any(map(_counts_rows, query.select))
        return features

    def _trivial(self, query: Query, main: TableInfo | None) -> Iterator[tuple[str, float]]:
        """Signs that it says little: one row by its name, a column of one value, a child ranked for its parent."""
        conds = [cond for cond in query.where if isinstance(cond, Cond) and literals_of(cond)]
        fixed = {ref for cond in conds if _is_fixing(cond) and (ref := plain_ref(cond.left)) is not None}
        chosen = {ref for cond in conds if cond.op in ("=", "in") and (ref := plain_ref(cond.left)) is not None}
        grouped = bool(query.group)
        figures = any(map(aggregates, query.select))
        shown = [ref for expr in query.select if isinstance(expr, Col) and (ref := plain_ref(expr)) is not None]
        if main is not None and not grouped:
            yield "one_row_figure", float(figures and any(self._is_unique(ref, main) for ref in fixed))
            yield "names_fixed", float(any(ref in main.naming for ref in fixed))
        yield "shown_fixed", float(bool(shown) and all(ref in chosen for ref in shown))
        yield "group_fixed", float(grouped and any(plain_ref(expr) in fixed for expr in query.group))
        keys = [ref for expr in query.group if (ref := plain_ref(expr)) is not None]
        yield "group_by_reference", float(sum(self._hides_name(ref, shown) for ref in keys))
        if query.order and query.limit is not None and not grouped:
            ranked = plain_ref(query.order[0].expr)
            others = [ref.table for ref in shown if ref != ranked]
            yield "child_ranked", float(ranked is not None and bool(others) and self._is_child(ranked.table, others[0]))
            yield "ranks_compared", float(query.limit == 1 and bool(chosen - fixed))

    def _groups_by_child(self, query: Query, main: str) -> float:
        """Groups by columns of what refers to the table, so that one of its rows is in several of them."""
        tables = {self._catalogue.without_role(ref.table) for expr in query.group for ref in refs_of(expr)} - {INNER}
        astray = tables.difference(self._catalogue.ancestors(main))
        return float(sum(main in self._catalogue.ancestors(name) for name in astray))

    def _is_unique(self, ref: Ref, table: TableInfo) -> bool:
        column = self._catalogue.column(ref)
        return ref.table == table.name and column is not None and column.distinct >= table.rows > 1

    def _repeats(self, ref: Ref) -> bool:
        column = self._catalogue.column(ref)
        table = self._catalogue.tables.get(ref.table)
        if column is None or table is None or column.kind not in _THINGS:
            return False
        return not table.is_told_apart_by(column)

    def _ranks_sum(self, query: Query, uses: Sequence[Use]) -> bool:
        """Whether rows are ranked by what adds up, which no adjective says: most clicks are those of all its rows."""
        ref = plain_ref(query.order[0].expr) if query.order and query.limit is not None else None
        column = self._catalogue.column(ref) if ref is not None else None
        if column is None or column.kind != "measure":
            return False
        return not any(use.mention.ref == ref and use.mention.order for use in uses)

    def _hides_name(self, ref: Ref, shown: list[Ref]) -> bool:
        """Whether groups are shown by a reference though the row that it refers to has a name."""
        if ref.table == INNER or ref not in shown:
            return False
        return any(self._catalogue.tables[name].naming for name in self._parents.get(ref, ()))

    def _is_child(self, child: str, parent: str) -> bool:
        return self._catalogue.without_role(child) in self._referred.get(self._catalogue.without_role(parent), set())


def _is_fixing(cond: Cond) -> bool:
    """Whether a condition leaves one value of its column."""
    return cond.op == "=" or (cond.op == "in" and isinstance(cond.right, tuple) and len(cond.right) == 1)


def _counts_rows(expr: Expr) -> bool:
    return isinstance(expr, Agg) and expr.fn == "count" and not expr.distinct
