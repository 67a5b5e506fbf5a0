"""Foreign keys that connect tables, directly or through tables in between."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations

from kbtui.domain.analysis import ForeignKey, Schema, Table

Link = tuple[str, ForeignKey]
"""A table and one of its keys."""


def links_between(schema: Schema, tables: Sequence[Table]) -> list[Link]:
    """The keys on the shortest paths between each two of ``tables``, without repeats; all keys for all tables."""
    if len(tables) == len(schema.tables):
        return [(table.name, key) for table in schema.tables for key in table.foreign_keys]
    links: dict[Link, None] = {}
    for first, second in combinations([table.name for table in tables], 2):
        links |= dict.fromkeys(_shortest_path(schema, first, second))
    return list(links)


def _shortest_path(schema: Schema, start: str, goal: str) -> Iterator[Link]:
    """The keys of a shortest path from ``start``; empty if there is none."""
    steps: dict[str, list[tuple[str, Link]]] = {table.name: [] for table in schema.tables}
    for table in schema.tables:
        for key in table.foreign_keys:
            if key.referred_table in steps:
                steps[table.name].append((key.referred_table, (table.name, key)))
                steps[key.referred_table].append((table.name, (table.name, key)))
    previous: dict[str, tuple[str, Link] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in previous:
        at = queue.popleft()
        for to, link in steps.get(at, ()):
            if to not in previous:
                previous[to] = at, link
                queue.append(to)
    path: list[Link] = []
    at = goal
    while (step := previous.get(at)) is not None:
        at, link = step
        path.append(link)
    return reversed(path)
