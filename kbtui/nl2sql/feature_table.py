"""Feature vectors as a matrix with named columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class FeatureTable(Struct, frozen=True):
    """Feature vectors of several candidates or answers.

    Attributes:
        names: Names of the columns.
        values: Shape (rows, names).
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, float]]) -> FeatureTable:
        """The table of feature vectors by name; missing features are 0."""
        import numpy

        names = tuple(dict.fromkeys(name for row in rows for name in row))
        values = [[row.get(name, 0.0) for name in names] for row in rows]
        return cls(names, numpy.array(values, numpy.float32).reshape(len(rows), len(names)))

    def columns(self, wanted: Sequence[str]) -> NDArray[np.float32]:
        """The columns of these names in this order, shape (rows, wanted); missing columns are 0."""
        import numpy

        index_by_name = {name: place for place, name in enumerate(self.names)}
        pairs = [(place, index_by_name[name]) for place, name in enumerate(wanted) if name in index_by_name]
        chosen = numpy.zeros((len(self.values), len(wanted)), numpy.float32)
        if pairs:
            target, source = (list(places) for places in zip(*pairs, strict=True))
            chosen[:, target] = self.values[:, source]
        return chosen

    def take(self, rows: Sequence[int]) -> FeatureTable:
        """The table of these rows in this order."""
        return FeatureTable(self.names, self.values[list(rows)])

    def with_columns(self, rows: Sequence[Mapping[str, float]]) -> FeatureTable:
        """The table with further columns; ``rows`` has one mapping for each row of the table."""
        import numpy

        other = FeatureTable.of(rows)
        return FeatureTable((*self.names, *other.names), numpy.hstack([self.values, other.values]))

    def row(self, index: int) -> dict[str, float]:
        """One row as a mapping of name to value."""
        return dict(zip(self.names, map(float, self.values[index]), strict=True))
