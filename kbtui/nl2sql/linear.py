"""A linear model over features by name, beside the trees: it holds where trees have seen too few examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kbtui.nl2sql.feature_table import FeatureTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST = 5.0
"""Standard deviations beyond which a feature counts no more."""


class Linear(Struct, frozen=True):
    """Weights of standardised features.

    Attributes:
        mean: Of each feature where it was fitted.
        scale: Its standard deviation there.
    """

    names: tuple[str, ...]
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: float = 0.0

    def scores(self, rows: FeatureTable) -> NDArray[np.float32]:
        """One score for each row, in no unit, shape (rows,)."""
        import numpy

        matrix = rows.columns(self.names)
        standardised = numpy.clip((matrix - self.mean) / self.scale, -_MOST, _MOST)
        scores: NDArray[np.float32] = standardised @ self.weights + numpy.float32(self.bias)
        return scores

    def arrays(self, prefix: str) -> dict[str, Any]:
        """As arrays to be written with `numpy.savez`, their names beginning with ``prefix``."""
        import numpy

        return {f"{prefix}_{name}": numpy.array(getattr(self, name)) for name in self.__struct_fields__}


def linear_in(arrays: Mapping[str, Any], prefix: str) -> Linear:
    """The model that `Linear.arrays` wrote."""
    return Linear(
        names=tuple(str(name) for name in arrays[f"{prefix}_names"]),
        mean=arrays[f"{prefix}_mean"],
        scale=arrays[f"{prefix}_scale"],
        weights=arrays[f"{prefix}_weights"],
        bias=float(arrays[f"{prefix}_bias"]),
    )
