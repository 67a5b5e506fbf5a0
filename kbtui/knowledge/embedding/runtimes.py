"""The libraries that can run an exported model, behind one small port; and which of them serves a precision.

A precision is a vector space: every runtime of it gives vectors within ``AGREEMENT`` of the others, so an index made
with one is read with another. What is quantised is a space of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding import runtime_onnx, runtime_openvino
from kbtui.knowledge.embedding.port import Vectors
from kbtui.settings.model import EmbeddingSettings

Ids = npt.NDArray[np.int64]
States = npt.NDArray[np.float32]
Precision = Literal["int8", "fp32"]

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
        installed: Whether the library is there, found without importing it.
        open: Load an ONNX model for so many threads.
    """

    name: str
    batch_tokens: dict[Precision, int]
    installed: Callable[[], bool]
    open: Callable[[bytes, int], Runtime]


RUNTIMES: Final = (
    # The faster one of a precision comes later.
    # The int8 scales of activations span a whole batch: one text at a time is the only way that a text has one vector,
    # whatever is encoded beside it.
    RuntimeKind(
        name="onnxruntime",
        batch_tokens={"int8": 0, "fp32": 1024},
        installed=runtime_onnx.installed,
        open=runtime_onnx.OnnxRuntime,
    ),
    RuntimeKind(
        name="openvino",
        batch_tokens={"fp32": 1024},
        installed=runtime_openvino.installed,
        open=runtime_openvino.OpenVinoRuntime,
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
