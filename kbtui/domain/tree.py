"""The tree of the values of a data file, with their lines."""

from __future__ import annotations

from msgspec import Struct


class Node(Struct, eq=False):
    """A value with its lines: a text, a list or a mapping; of a long text only the lines are kept.

    Attributes:
        line: Its first line.
        last: Its last line.
        value: The text of a scalar on one line; None for everything else.
        entries: The values of a mapping, by key; else None.
        items: The items of a list; else None.
    """

    line: int
    last: int = 0
    value: str | None = None
    entries: dict[str, Node] | None = None
    items: list[Node] | None = None

    @property
    def maps(self) -> list[Node]:
        """The mappings in a list or mapping; empty where it contains anything else."""
        inner = list(self.entries.values()) if self.entries is not None else self.items or []
        return inner if all(node.entries is not None for node in inner) else []
