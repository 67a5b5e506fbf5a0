"""How the tables of a statement join: few edges between them, and which of them multiply rows."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.query import Ref

_TURN: Final = 0.5
"""Length that a way from a row to its parent and down to other children of that has besides its edges."""


class _Place(NamedTuple):
    """A table on the way, and whether it was reached from a row that refers to it."""

    table: str
    is_above: bool


class Unjoinable(Exception):
    """No keys lead from one table of a statement to another."""


class JoinGraph(Struct):
    """The key graph of a catalogue; edges are oriented as they are walked, from ``left`` to ``right``."""

    catalogue: Catalogue
    _around: dict[str, list[Edge]] = field(default_factory=dict)
    _grown: dict[tuple[frozenset[str], tuple[str, ...]], tuple[Edge, ...] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Of two ways between tables the plain one counts: the department somebody works in, not the one he manages.
        for left, right in sorted(self.catalogue.edges, key=lambda edge: not self._is_plain(edge)):
            self._around.setdefault(left.table, []).append(Edge(left, right))
            self._around.setdefault(right.table, []).append(Edge(right, left))

    def _is_plain(self, edge: Edge) -> bool:
        """Whether the referring column is called like the key or like the table."""
        column, table = self.catalogue.column(edge.left), self.catalogue.tables.get(edge.right.table)
        named = column is not None and table is not None and bool(set(column.words) & set(table.words))
        return named or edge.left.column.lower() == edge.right.column.lower()

    def tree(self, tables: Iterable[str]) -> tuple[Edge, ...]:
        """Few edges that join ``tables``, from the first of them outwards.

        Raises:
            Unjoinable: No keys lead from one to another.
        """
        first, *rest = dict.fromkeys(tables)
        return self.grow(frozenset((first,)), tuple(rest))

    def grow(self, inside: frozenset[str], tables: tuple[str, ...]) -> tuple[Edge, ...]:
        """Few edges that join ``tables`` to those already ``inside``.

        Nearest-table growth, the usual approximation of a Steiner tree (Takahashi and Matsuyama, 1980).

        Raises:
            Unjoinable: No keys lead there.
        """
        key = (inside, tables)
        if key not in self._grown:
            self._grown[key] = self._grow(set(inside), tables)
        edges = self._grown[key]
        if edges is None:
            raise Unjoinable(", ".join((*sorted(inside), *tables)))
        return edges

    def _grow(self, inside: set[str], tables: tuple[str, ...]) -> tuple[Edge, ...] | None:
        left = {table for table in tables if table not in inside}
        edges: list[Edge] = []
        while left:
            path = self._nearest(inside, left)
            if path is None:
                return None
            edges.extend(path)
            inside.update(edge.right.table for edge in path)
            left -= inside
        return tuple(edges)

    def _nearest(self, inside: set[str], targets: set[str]) -> list[Edge] | None:
        """The shortest way; of two, the one that does not pair rows that have no more than a parent in common."""
        found: dict[_Place, tuple[float, _Place, Edge] | None] = {
            _Place(table, False): None for table in sorted(inside)
        }
        queue = [(0.0, order, place) for order, place in enumerate(found)]
        orders = count(len(queue))
        done: set[_Place] = set()
        while queue:
            cost, _, place = heappop(queue)
            if place in done:
                continue
            done.add(place)
            if place.table in targets:
                path: list[Edge] = []
                while (step := found[place]) is not None:
                    _, place, edge = step
                    path.append(edge)
                return path[::-1]
            for edge in self._around.get(place.table, ()):
                name = edge.right.table
                # A role is joined where it is asked for; it is no way to other tables.
                if name in inside or (name not in targets and self._is_role(name)):
                    continue
                down = self.multiplies(edge)
                further = _Place(name, not down)
                reached = cost + 1 + _TURN * (place.is_above and down)
                known = found.get(further)
                if known is None or reached < known[0]:
                    found[further] = (reached, place, edge)
                    heappush(queue, (reached, next(orders), further))
        return None

    def _is_role(self, name: str) -> bool:
        table = self.catalogue.tables.get(name)
        return table is not None and bool(table.role_of)

    def is_unique(self, ref: Ref) -> bool:
        """Whether no two rows have the same value in the column."""
        table = self.catalogue.tables.get(ref.table)
        if table is not None and table.role_of:
            return self.is_unique(Ref(table.role_of, ref.column))
        if table is None or table.key == ref:
            return True
        column = self.catalogue.column(ref)
        if column is not None and table.rows > 0:
            return column.distinct >= table.rows and column.nulls == 0
        # Nothing was counted: a column that others refer to is taken for a key.
        return any(edge.right == ref for edge in self.catalogue.edges)

    def multiplies(self, edge: Edge) -> bool:
        """Whether a row of the left table may meet several of the right one."""
        return not self.is_unique(edge.right)

    def multiplied(self, table: str, edges: Iterable[Edge]) -> bool:
        """Whether rows of ``table`` may stand several times in the join of ``edges``, a tree that holds it."""
        around: dict[str, list[Edge]] = {}
        for left, right in edges:
            around.setdefault(left.table, []).append(Edge(left, right))
            around.setdefault(right.table, []).append(Edge(right, left))
        queue, seen = [table], {table}
        for name in queue:
            for edge in around.get(name, ()):
                if edge.right.table in seen:
                    continue
                if self.multiplies(edge):
                    return True
                seen.add(edge.right.table)
                queue.append(edge.right.table)
        return False


def joins_of(catalogue: Catalogue) -> JoinGraph:
    """The graph of a catalogue, made once."""
    return catalogue.once(JoinGraph)
