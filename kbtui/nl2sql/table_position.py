"""Where the table that a statement is about stands in its source: what it refers to, what refers to it, its size."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cached_property
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.shape import main_table

_LOOKUP_COLUMNS: Final = 4
"""Columns of a look-up table at most."""
_MOST: Final = 4
"""Tables beyond which further ones count no more."""


class Standing:
    """The tables of one catalogue by their references, and features from them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._parents: dict[str, set[str]] = defaultdict(set)
        self._children: dict[str, set[str]] = defaultdict(set)
        for left, right in catalogue.edges:
            child, parent = catalogue.without_role(left.table), catalogue.without_role(right.table)
            self._parents[child].add(parent)
            self._children[parent].add(child)

    @classmethod
    def of(cls, catalogue: Catalogue) -> Standing:
        """That of a catalogue, made once."""
        return catalogue.once(cls)

    @cached_property
    def _largest(self) -> float:
        return math.log1p(max((table.rows for table in self._catalogue.tables.values()), default=0))

    def features(self, query: Query) -> dict[str, float]:
        """Features of one statement; none where it is about no table."""
        table = self._catalogue.tables.get(main_table(query))
        if table is None:
            return {}
        name = self._catalogue.without_role(table.name)
        parents, children = len(self._parents[name]), len(self._children[name])
        return {
            "main_parents": float(min(_MOST, parents)),
            "main_children": float(min(_MOST, children)),
            "main_lookup": float(children > 0 and not parents and len(table.columns) <= _LOOKUP_COLUMNS),
            "main_smaller": self._largest - math.log1p(table.rows),
        }
