"""Runs exported models with onnxruntime."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kbtui.knowledge.embedding.port import Vectors

Ids = npt.NDArray[np.int64]
States = npt.NDArray[np.float32]

INPUTS: Final = ("input_ids", "attention_mask")
OUTPUTS: Final = ("vectors", "states")
EARLY: Final = "early"
"""Output of the model: the states of the tokens after its first `EARLY_LAYERS` layers."""

EARLY_LAYERS: Final = 3


def opened_session(model: bytes) -> Any:
    """A session of onnxruntime, one core a call.

    Raises:
        Exception: Whatever onnxruntime says about a broken model; its types are not public.
    """
    # Official builds report sessions and models to their maker, and keep a device id, unless told not to before the
    # library loads; the name of the variable differs between versions.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("ORT_TELEMETRY_DISABLED", "1")
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return ort.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])


class OnnxRuntime:
    """A model of sentences. Threads come from outside: one core a call is faster than two cores a call.

    Raises:
        Exception: Whatever onnxruntime says about a broken model; its types are not public.
    """

    def __init__(self, model: bytes) -> None:
        self._session = opened_session(model)
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    def run(self, ids: Ids, states: str = OUTPUTS[1]) -> tuple[Vectors, States]:
        """The unit vector ``(dimension,)`` of one text, and the states of its tokens ``(tokens, dimension)``.

        Args:
            ids: Of its tokens.
            states: The output that they are, that of the last layer or `EARLY`.
        """
        batch = ids[None]
        vectors, found = self._session.run(
            (OUTPUTS[0], states), dict(zip(INPUTS, (batch, np.ones_like(batch)), strict=True))
        )
        return vectors[0], found[0]
