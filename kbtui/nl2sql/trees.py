"""Models as arrays, evaluated with numpy, so that no library that fits them is needed at run time.

Boosted decision trees, and a linear model that complements them where they have seen few examples.
"""

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
"""The feature of a leaf."""


class Trees(Struct, frozen=True):
    """Trees whose leaf values are summed; all arrays except ``roots`` have one entry per node.

    Attributes:
        names: Feature names by column of the scored matrix.
        roots: Index of the root of each tree.
        feature: Column that a node tests; `LEAF` for a leaf.
        threshold: Rows with a value up to this go to the left child.
        left: Index of the left child.
        right: Index of the right child.
        value: Value of a leaf.
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
        """One score for each row, without a unit, shape (rows,)."""
        import numpy

        matrix = rows.columns(self.names)
        node = numpy.broadcast_to(self.roots, (len(matrix), len(self.roots)))
        row_indexes = numpy.arange(len(matrix))[:, None]
        while True:
            tested = self.feature[node]
            is_inner = tested != LEAF
            if not is_inner.any():
                break
            goes_left = matrix[row_indexes, tested] <= self.threshold[node]
            node = numpy.where(is_inner, numpy.where(goes_left, self.left[node], self.right[node]), node)
        summed: NDArray[np.float32] = self.value[node].sum(axis=1) + numpy.float32(self.bias)
        return summed

    def arrays(self, prefix: str) -> dict[str, Any]:
        """Arrays for `numpy.savez`; their names begin with ``prefix``."""
        import numpy

        return {
            f"{prefix}_names": numpy.array(self.names),
            f"{prefix}_bias": numpy.array(self.bias, numpy.float64),
            **{f"{prefix}_{name}": getattr(self, name) for name in _ARRAYS},
        }


_ARRAYS = ("roots", "feature", "threshold", "left", "right", "value")


def trees_in(arrays: Mapping[str, Any], prefix: str) -> Trees:
    """The trees from arrays that `Trees.arrays` wrote."""
    return Trees(
        names=tuple(str(name) for name in arrays[f"{prefix}_names"]),
        bias=float(arrays[f"{prefix}_bias"]),
        **{name: arrays[f"{prefix}_{name}"] for name in _ARRAYS},
    )


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Any]:
    """The arrays of the models of the package, cached."""
    import numpy

    with resources.files(__package__).joinpath("models.npz").open("rb") as file, numpy.load(file) as arrays:
        return {name: arrays[name] for name in arrays.files}


_MAX_DEVIATIONS = 5.0
"""Standard deviations to which features are clipped."""


class Linear(Struct, frozen=True):
    """Weights of standardised features.

    Attributes:
        names: Names of the features.
        mean: Mean of each feature over the training data, shape (features,).
        scale: Standard deviation of each feature over the training data, shape (features,).
        weights: Shape (features,).
    """

    names: tuple[str, ...]
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: float = 0.0

    def scores(self, rows: FeatureTable) -> NDArray[np.float32]:
        """One score for each row, without a unit, shape (rows,)."""
        import numpy

        matrix = rows.columns(self.names)
        standardised = numpy.clip((matrix - self.mean) / self.scale, -_MAX_DEVIATIONS, _MAX_DEVIATIONS)
        scores: NDArray[np.float32] = standardised @ self.weights + numpy.float32(self.bias)
        return scores

    def arrays(self, prefix: str) -> dict[str, Any]:
        """Arrays for `numpy.savez`; their names begin with ``prefix``."""
        import numpy

        return {f"{prefix}_{name}": numpy.array(getattr(self, name)) for name in self.__struct_fields__}


def linear_in(arrays: Mapping[str, Any], prefix: str) -> Linear:
    """The model from arrays that `Linear.arrays` wrote."""
    return Linear(
        names=tuple(str(name) for name in arrays[f"{prefix}_names"]),
        mean=arrays[f"{prefix}_mean"],
        scale=arrays[f"{prefix}_scale"],
        weights=arrays[f"{prefix}_weights"],
        bias=float(arrays[f"{prefix}_bias"]),
    )
