"""Values that identify the thing that states them: a model number, a serial number, a short name of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kbtui.records.links import Edge

_MIN_THINGS: Final = 3
"""Fewest things that state a field of identifiers."""


def identified_things(edges: Iterable[Edge], records: Mapping[str, object]) -> dict[str, Edge]:
    """The edge that states each identifier, by the node of the identifier.

    A field identifies where every thing states one value with digits and letters in it, and no two the same.
    """
    by_field: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        by_field[edge.relation].append(edge)
    identified: dict[str, Edge] = {}
    for stated in by_field.values():
        sources = {edge.source for edge in stated}
        targets = {edge.target for edge in stated}
        if len(stated) >= _MIN_THINGS and len(sources) == len(targets) == len(stated) and all(map(_is_code, stated)):
            identified |= {edge.target: edge for edge in stated if edge.target not in records}
    return identified


def _is_code(edge: Edge) -> bool:
    """Whether a value mixes letters and digits, as no name of a person, number or day does."""
    return any(map(str.isdigit, edge.label)) and any(map(str.isalpha, edge.label)) and " " not in edge.label
