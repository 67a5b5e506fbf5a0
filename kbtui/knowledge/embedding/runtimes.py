"""The libraries that can run an exported model, behind one small port; and which of them serves a precision.

A precision is a vector space: every runtime of it gives vectors within ``AGREEMENT`` of the others, so an index made
with one is read with another. What is quantised is a space of its own.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding.port import Vectors
from kbtui.settings.model import EmbeddingSettings

Ids = npt.NDArray[np.int64]
States = npt.NDArray[np.float32]
Precision = Literal["int8", "fp32"]

INPUTS: Final = ("input_ids", "attention_mask")
OUTPUTS: Final = ("vectors", "states")
EARLY: Final = "early"
"""Output of the int8 model: the states of the tokens after its first `EARLY_LAYERS` layers."""

EARLY_LAYERS: Final = 3
_REPORTER: Final = "openvino_telemetry"

AGREEMENT: Final = 0.999
"""Lowest cosine between two runtimes of one precision on a text."""

QUERY_RUNTIME: Final = "onnxruntime"
"""Runs questions, whichever runtime embeds passages: 0.2 s to the first vector, where the others take twice that."""


class Runtime(Protocol):
    """A loaded model. ``run`` may be called from several threads; each call uses one core."""

    dimension: int

    def run(self, ids: Ids, mask: Ids) -> tuple[Vectors, States]:
        """Unit vectors ``(batch, dimension)`` and states of the tokens ``(batch, length, dimension)``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeKind:
    """One entry of the registry.

    Attributes:
        name: As the setting ``embedding.runtime`` names it.
        batch_tokens: Tokens run at once, padding included, by precision; 0 is one text at a time. Says, too, which
            precisions it can run.
        open: Load an ONNX model for so many threads.
    """

    name: str
    batch_tokens: dict[Precision, int]
    open: Callable[[bytes, int], Runtime]

    def installed(self) -> bool:
        """Whether the library is there, found without importing it."""
        return importlib.util.find_spec(self.name) is not None


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
    """An ONNX model. Threads come from outside: one core a call is faster than two cores a call.

    Raises:
        Exception: Whatever onnxruntime says about a broken model; its types are not public.
    """

    def __init__(self, model: bytes, _threads: int) -> None:
        self._session = opened_session(model)
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    def run(self, ids: Ids, mask: Ids) -> tuple[Vectors, States]:
        """See `Runtime.run`."""
        vectors, states = self._session.run(OUTPUTS, dict(zip(INPUTS, (ids, mask), strict=True)))
        return vectors, states

    def run_early(self, ids: Ids, mask: Ids) -> tuple[Vectors, States]:
        """Like ``run``, with the states after the first `EARLY_LAYERS` layers; of the int8 model only."""
        vectors, states = self._session.run((OUTPUTS[0], EARLY), dict(zip(INPUTS, (ids, mask), strict=True)))
        return vectors, states


class OpenVinoRuntime:
    """An ONNX model, compiled for this processor with as many streams as threads.

    Where the processor has bfloat16, fp32 vectors (cosine .9999) come at about the speed of int8. An extra
    (``pip install kbtui[openvino]``), since it is 180 MB installed.

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


RUNTIMES: Final = (
    # The faster one of a precision comes later.
    # The int8 scales of activations span a whole batch: one text at a time is the only way that a text has one vector,
    # whatever is encoded beside it.
    RuntimeKind(
        name="onnxruntime",
        batch_tokens={"int8": 0, "fp32": 1024},
        open=OnnxRuntime,
    ),
    RuntimeKind(
        name="openvino",
        batch_tokens={"fp32": 1024},
        open=OpenVinoRuntime,
    ),
)


def kind_named(name: str) -> RuntimeKind:
    """The entry of the registry."""
    return next(kind for kind in RUNTIMES if kind.name == name)


def passage_runtime(settings: EmbeddingSettings) -> RuntimeKind:
    """What embeds passages: the runtime that is set, or the fastest of those installed that run the precision.

    Raises:
        EmbeddingError: The one that is set is not installed, or cannot run the precision that is set.
    """
    able = [kind for kind in RUNTIMES if settings.precision in kind.batch_tokens and kind.installed()]
    if settings.runtime == "auto":
        return able[-1]
    kind = kind_named(settings.runtime)
    if settings.precision not in kind.batch_tokens:
        raise EmbeddingError(
            f"{kind.name} does not run {settings.precision} models.",
            'Set `embedding.precision = "fp32"`, or `embedding.runtime = "auto"`.',
        )
    if kind not in able:
        raise EmbeddingError(
            f"{kind.name} is not installed.",
            f'Run `pip install "kbtui[{kind.name}]"`, or set `embedding.runtime = "auto"`.',
        )
    return kind
