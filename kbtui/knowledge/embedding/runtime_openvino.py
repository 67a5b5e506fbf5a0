"""OpenVINO: where the processor has bfloat16, fp32 vectors (cosine .9999) at about the speed of int8.

An extra (``pip install kbtui[openvino]``), since it is 180 MB installed.
"""

from __future__ import annotations

import importlib.util
import sys
import threading
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kbtui.knowledge.embedding.runtime_onnx import INPUTS

if TYPE_CHECKING:
    from kbtui.knowledge.embedding.port import Vectors
    from kbtui.knowledge.embedding.runtimes import Ids, States

_REPORTER: Final = "openvino_telemetry"


def installed() -> bool:
    return importlib.util.find_spec("openvino") is not None


class OpenVinoRuntime:
    """An ONNX model, compiled for this processor with as many streams as threads.

    Raises:
        Exception: Whatever OpenVINO says about a broken model; its types are not public.
    """

    def __init__(self, model: bytes, threads: int) -> None:
        # Importing openvino reports the import to its maker through this package; without it a stub stands in.
        sys.modules.setdefault(_REPORTER, None)  # type: ignore[arg-type]
        import openvino

        # Arrays meet the binding here for the first time: two threads that both are the first wait for each other for
        # ever, one with the interpreter's lock and the other with that of the binding's table of NumPy.
        _ = openvino.Tensor(np.zeros(1, dtype=np.int64)).data
        core = openvino.Core()
        has_bf16 = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        options = {
            "INFERENCE_PRECISION_HINT": "bf16" if has_bf16 else "f32",
            "NUM_STREAMS": str(threads),
            "INFERENCE_NUM_THREADS": threads,
        }
        self._model: Any = core.compile_model(core.read_model(model), "CPU", options)
        self._local = threading.local()
        self.dimension = int(self._model.output(0).partial_shape[-1].get_length())

    def run(self, ids: Ids, mask: Ids) -> tuple[Vectors, States]:
        """See `Runtime.run`."""
        request = getattr(self._local, "request", None)
        if request is None:
            request = self._local.request = self._model.create_infer_request()
        request.infer(dict(zip(INPUTS, (ids, mask), strict=True)))
        # The tensors belong to the request and are overwritten by its next run.
        return request.get_output_tensor(0).data.copy(), request.get_output_tensor(1).data.copy()
