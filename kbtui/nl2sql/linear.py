"""A linear model over features by name; it complements the trees where they have seen few examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kbtui.nl2sql.feature_table import FeatureTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
