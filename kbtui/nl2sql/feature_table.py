"""Rows of features as a matrix with named columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class FeatureTable(Struct, frozen=True):
    """Features of several things.

    Attributes:
        names: Of the columns.
        values: Shape (rows, names).
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, float]]) -> FeatureTable:
        """Rows by name; a feature that a row lacks is 0."""
        import numpy

        names = tuple(dict.fromkeys(name for row in rows for name in row))
        values = [[row.get(name, 0.0) for name in names] for row in rows]
        return cls(names, numpy.array(values, numpy.float32).reshape(len(rows), len(names)))

    def columns(self, wanted: Sequence[str]) -> NDArray[np.float32]:
        """These columns in this order, shape (rows, wanted); a feature that the table lacks is 0."""
        import numpy

        at = {name: place for place, name in enumerate(self.names)}
        known = [(place, at[name]) for place, name in enumerate(wanted) if name in at]
        chosen = numpy.zeros((len(self.values), len(wanted)), numpy.float32)
        if known:
            to, source = (list(places) for places in zip(*known, strict=True))
            chosen[:, to] = self.values[:, source]
        return chosen

    def take(self, rows: Sequence[int]) -> FeatureTable:
        """These rows in this order."""
        return FeatureTable(self.names, self.values[list(rows)])

    def beside(self, rows: Sequence[Mapping[str, float]]) -> FeatureTable:
        """With the columns of these rows, one for each row of the table, behind its own."""
        import numpy

        other = FeatureTable.of(rows)
        return FeatureTable((*self.names, *other.names), numpy.hstack([self.values, other.values]))

    def row(self, at: int) -> dict[str, float]:
        """One row by name."""
        return dict(zip(self.names, map(float, self.values[at]), strict=True))
