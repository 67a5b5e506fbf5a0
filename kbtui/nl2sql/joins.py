"""Finds join paths between tables, and which joins multiply rows."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.query import Ref

_TURN_COST: Final = 0.5
"""Additional cost of a path that goes from a row to its parent and down to other children."""


class _Node(NamedTuple):
    """A table on a path, and whether it was reached from a row that refers to it."""

    table: str
    is_above: bool


class Unjoinable(Exception):
    """No keys join the tables of a statement."""


class JoinGraph(Struct):
    """The key graph of a catalogue; edges are oriented in walking direction, from ``left`` to ``right``."""

    catalogue: Catalogue
    _edges_by_table: dict[str, list[Edge]] = field(default_factory=dict)
    _paths: dict[tuple[frozenset[str], tuple[str, ...]], tuple[Edge, ...] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Of two edges the plain one is preferred: the department somebody works in over the one they manage.
        for left, right in sorted(self.catalogue.edges, key=lambda edge: not self._is_plain(edge)):
            self._edges_by_table.setdefault(left.table, []).append(Edge(left, right))
            self._edges_by_table.setdefault(right.table, []).append(Edge(right, left))

    def _is_plain(self, edge: Edge) -> bool:
        """Whether the referring column is named like the key or the table."""
        column, table = self.catalogue.column(edge.left), self.catalogue.tables.get(edge.right.table)
        shares_word = column is not None and table is not None and bool(set(column.words) & set(table.words))
        return shares_word or edge.left.column.lower() == edge.right.column.lower()

    def tree(self, tables: Iterable[str]) -> tuple[Edge, ...]:
        """A small set of edges that join ``tables``, starting at the first.

        Raises:
            Unjoinable: No keys join them.
        """
        first, *others = dict.fromkeys(tables)
        return self.grow(frozenset((first,)), tuple(others))

    def grow(self, inside: frozenset[str], tables: tuple[str, ...]) -> tuple[Edge, ...]:
        """A small set of edges that join ``tables`` to the tables ``inside``.

        Uses nearest-table growth, the usual approximation of a Steiner tree (Takahashi and Matsuyama, 1980).

        Raises:
            Unjoinable: No keys join them.
        """
        key = (inside, tables)
        if key not in self._paths:
            self._paths[key] = self._grow(set(inside), tables)
        edges = self._paths[key]
        if edges is None:
            raise Unjoinable(", ".join((*sorted(inside), *tables)))
        return edges

    def _grow(self, inside: set[str], tables: tuple[str, ...]) -> tuple[Edge, ...] | None:
        missing = {table for table in tables if table not in inside}
        edges: list[Edge] = []
        while missing:
            path = self._nearest(inside, missing)
            if path is None:
                return None
            edges.extend(path)
            inside.update(edge.right.table for edge in path)
            missing -= inside
        return tuple(edges)

    def _nearest(self, inside: set[str], targets: set[str]) -> list[Edge] | None:
        """The shortest path to a target; of two, one that does not pair rows with a common parent only."""
        best: dict[_Node, tuple[float, _Node, Edge] | None] = {_Node(table, False): None for table in sorted(inside)}
        queue = [(0.0, index, node) for index, node in enumerate(best)]
        tie_breakers = count(len(queue))
        visited: set[_Node] = set()
        while queue:
            cost, _, node = heappop(queue)
            if node in visited:
                continue
            visited.add(node)
            if node.table in targets:
                path: list[Edge] = []
                while (step := best[node]) is not None:
                    _, node, edge = step
                    path.append(edge)
                return path[::-1]
            for edge in self._edges_by_table.get(node.table, ()):
                name = edge.right.table
                # Roles are joined if asked for, never on the way to other tables.
                if name in inside or (name not in targets and self._is_role(name)):
                    continue
                goes_down = self.multiplies(edge)
                next_node = _Node(name, not goes_down)
                next_cost = cost + 1 + _TURN_COST * (node.is_above and goes_down)
                best_known = best.get(next_node)
                if best_known is None or next_cost < best_known[0]:
                    best[next_node] = (next_cost, node, edge)
                    heappush(queue, (next_cost, next(tie_breakers), next_node))
        return None

    def _is_role(self, name: str) -> bool:
        table = self.catalogue.tables.get(name)
        return table is not None and bool(table.role_of)

    def is_unique(self, ref: Ref) -> bool:
        """Whether the values of a column are unique."""
        table = self.catalogue.tables.get(ref.table)
        if table is not None and table.role_of:
            return self.is_unique(Ref(table.role_of, ref.column))
        if table is None or table.key == ref:
            return True
        column = self.catalogue.column(ref)
        if column is not None and table.rows > 0:
            return column.distinct >= table.rows and column.nulls == 0
        # Without counts, a column that others refer to counts as a key.
        return any(edge.right == ref for edge in self.catalogue.edges)

    def multiplies(self, edge: Edge) -> bool:
        """Whether a row of the left table may match several rows of the right one."""
        return not self.is_unique(edge.right)

    def multiplied(self, table: str, edges: Iterable[Edge]) -> bool:
        """Whether rows of ``table`` may be repeated in the join of ``edges``, a tree that contains it."""
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
