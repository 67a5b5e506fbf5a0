"""Features of the main table of a statement: how many tables it refers to, how many refer to it, its size."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cached_property
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.shape import main_table

_MAX_LOOKUP_COLUMNS: Final = 4
_MAX_REFERENCES: Final = 4
"""Number of references from which further ones make no difference."""


class TablePosition:
    """The references between the tables of a catalogue, and features from them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._parents: dict[str, set[str]] = defaultdict(set)
        self._children: dict[str, set[str]] = defaultdict(set)
        for left, right in catalogue.edges:
            child, parent = catalogue.without_role(left.table), catalogue.without_role(right.table)
            self._parents[child].add(parent)
            self._children[parent].add(child)

    @classmethod
    def of(cls, catalogue: Catalogue) -> TablePosition:
        """The instance for a catalogue, made once."""
        return catalogue.once(cls)

    @cached_property
    def _log_max_rows(self) -> float:
        return math.log1p(max((table.rows for table in self._catalogue.tables.values()), default=0))

    def features(self, query: Query) -> dict[str, float]:
        """Features of one statement: name to value; empty if it has no main table."""
        table = self._catalogue.tables.get(main_table(query))
        if table is None:
            return {}
        name = self._catalogue.without_role(table.name)
        parents, children = len(self._parents[name]), len(self._children[name])
        return {
            "main_parents": float(min(_MAX_REFERENCES, parents)),
            "main_children": float(min(_MAX_REFERENCES, children)),
            "main_lookup": float(children > 0 and not parents and len(table.columns) <= _MAX_LOOKUP_COLUMNS),
            "main_smaller": self._log_max_rows - math.log1p(table.rows),
        }
