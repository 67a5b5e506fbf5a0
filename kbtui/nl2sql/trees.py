"""Boosted decision trees as plain arrays, evaluated with numpy, so that no library of trees is needed to run them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kbtui.nl2sql.feature_table import FeatureTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAF = -1
"""The feature of a node that asks nothing more."""


class Trees(Struct, frozen=True):
    """Trees whose leaves are summed; all arrays but ``names`` and ``roots`` have one entry for each node.

    Attributes:
        names: Features by column of the matrix that is scored.
        roots: The first node of each tree.
        feature: Column that a node asks about; `LEAF` where it is a leaf.
        threshold: A row goes left where its value is at most this.
        value: Of a leaf.
        bias: Added to every score.
    """

    names: tuple[str, ...]
    roots: NDArray[np.int32]
    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    bias: float = 0.0

    def scores(self, rows: FeatureTable) -> NDArray[np.float32]:
        """One score for each row, in no unit, shape (rows,)."""
        import numpy

        matrix = rows.columns(self.names)
        node = numpy.broadcast_to(self.roots, (len(matrix), len(self.roots)))
        at = numpy.arange(len(matrix))[:, None]
        while True:
            asked = self.feature[node]
            open_nodes = asked != LEAF
            if not open_nodes.any():
                break
            goes_left = matrix[at, asked] <= self.threshold[node]
            node = numpy.where(open_nodes, numpy.where(goes_left, self.left[node], self.right[node]), node)
        summed: NDArray[np.float32] = self.value[node].sum(axis=1) + numpy.float32(self.bias)
        return summed

    def arrays(self, prefix: str) -> dict[str, Any]:
        """As arrays to be written with `numpy.savez`, their names beginning with ``prefix``."""
        import numpy

        return {
            f"{prefix}_names": numpy.array(self.names),
            f"{prefix}_bias": numpy.array(self.bias, numpy.float64),
            **{f"{prefix}_{name}": getattr(self, name) for name in _ARRAYS},
        }


_ARRAYS = ("roots", "feature", "threshold", "left", "right", "value")


def trees_in(arrays: Mapping[str, Any], prefix: str) -> Trees:
    """The trees that `Trees.arrays` wrote."""
    return Trees(
        names=tuple(str(name) for name in arrays[f"{prefix}_names"]),
        bias=float(arrays[f"{prefix}_bias"]),
        **{name: arrays[f"{prefix}_{name}"] for name in _ARRAYS},
    )


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Any]:
    """The arrays of the models in the package, read once."""
    import numpy

    with resources.files(__package__).joinpath("models.npz").open("rb") as file, numpy.load(file) as arrays:
        return {name: arrays[name] for name in arrays.files}
