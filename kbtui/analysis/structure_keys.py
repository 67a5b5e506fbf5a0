"""How tables hang together: the foreign keys that lead from one to another, over tables in between where need be."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations

from kbtui.domain.analysis import ForeignKey, Schema, Table

Link = tuple[str, ForeignKey]
"""A table and one of its keys."""


def links_between(schema: Schema, tables: Sequence[Table]) -> list[Link]:
    """The keys on the shortest ways between each two of ``tables``, each once; of all tables every key."""
    if len(tables) == len(schema.tables):
        return [(table.name, key) for table in schema.tables for key in table.foreign_keys]
    found: dict[Link, None] = {}
    for one, other in combinations([table.name for table in tables], 2):
        found |= dict.fromkeys(_way(schema, one, other))
    return list(found)


def _way(schema: Schema, start: str, goal: str) -> Iterator[Link]:
    """The keys of one shortest way, from ``start`` on; nothing where there is none."""
    steps: dict[str, list[tuple[str, Link]]] = {table.name: [] for table in schema.tables}
    for table in schema.tables:
        for key in table.foreign_keys:
            if key.referred_table in steps:
                steps[table.name].append((key.referred_table, (table.name, key)))
                steps[key.referred_table].append((table.name, (table.name, key)))
    came: dict[str, tuple[str, Link] | None] = {start: None}
    waiting = deque([start])
    while waiting and goal not in came:
        at = waiting.popleft()
        for to, link in steps.get(at, ()):
            if to not in came:
                came[to] = at, link
                waiting.append(to)
    way: list[Link] = []
    at = goal
    while (step := came.get(at)) is not None:
        at, link = step
        way.append(link)
    return reversed(way)
