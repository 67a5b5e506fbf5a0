"""onnxruntime: always there, light to load, int8 and fp32."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kbtui.knowledge.embedding.port import Vectors
    from kbtui.knowledge.embedding.runtimes import Ids, States

INPUTS: Final = ("input_ids", "attention_mask")
OUTPUTS: Final = ("vectors", "states")


def installed() -> bool:
    return importlib.util.find_spec("onnxruntime") is not None


class OnnxRuntime:
    """An ONNX model. Threads come from outside: one core a call is faster than two cores a call.

    Raises:
        Exception: Whatever onnxruntime says about a broken model; its types are not public.
    """

    def __init__(self, model: bytes, _threads: int) -> None:
        # Official builds report sessions and models to their maker, and keep a device id, unless told not to before the
        # library loads; the name of the variable differs between versions.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        os.environ.setdefault("ORT_TELEMETRY_DISABLED", "1")
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session: Any = ort.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    def run(self, ids: Ids, mask: Ids) -> tuple[Vectors, States]:
        """See `Runtime.run`."""
        vectors, states = self._session.run(OUTPUTS, dict(zip(INPUTS, (ids, mask), strict=True)))
        return vectors, states
