"""Runs an exported model over texts: tokenizers and a runtime, no torch; `make model` verifies models with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding.port import OnBatch, Span, Vectors
from kbtui.knowledge.embedding.runtimes import EARLY, OnnxRuntime, States
from kbtui.worker.cores import usable_cores

MAX_TOKENS: Final = 256
"""What all-MiniLM-L6-v2 was trained with; sentence-transformers cuts there too."""

_MAX_CHARS = 40 * MAX_TOKENS
_POOL_FROM = 4

Kept = Callable[[int, Vectors, States], None]
"""Given the number of a text, its vector and the states of its tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBytes:
    """An exported model in memory.

    Attributes:
        onnx: The model: inputs ``input_ids``, ``attention_mask``; outputs ``vectors``, pooled and normalised, and
            ``states``, of the tokens.
        tokenizer: The ``tokenizer.json`` of the library tokenizers.
    """

    onnx: bytes
    tokenizer: bytes


class Runner:
    """One exported model, loaded. Safe to call from several threads.

    Each text runs alone on one core, as many at a time as there are threads: the int8 scales of activations span a
    whole batch, so this is the only way that a text has one vector, whatever is encoded beside it.

    Args:
        model: The model; nothing keeps it once it is loaded.
        threads: 0 means one for each core.

    Raises:
        Exception: Whatever onnxruntime or tokenizers say about a broken model; their types are not public.
    """

    def __init__(self, model: ModelBytes, threads: int = 0) -> None:
        from tokenizers import Tokenizer

        self.threads = threads or usable_cores()
        self._runtime = OnnxRuntime(model.onnx)
        self._tokenizer: Any = Tokenizer.from_buffer(model.tokenizer)
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        self.dimension = self._runtime.dimension

    def pieces(self, word: str) -> int:
        """Into how many pieces of its vocabulary the tokenizer cuts ``word``."""
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids)

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        """Vectors ``(len(texts), dimension)``; see `Embedder.encode`."""
        return self.encode_with_windows(texts, [()] * len(texts), on_batch, cancel)[0]

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        """See `Embedder.encode_with_windows`: means over the states of the tokens in each span, from the same pass."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        windows: list[Vectors] = [np.empty((0, self.dimension), dtype=np.float32)] * len(texts)
        encodings: list[Any] = self._tokenizer.encode_batch([text[:_MAX_CHARS] for text in texts])

        def keep(number: int, vector: Vectors, states: States) -> None:
            vectors[number] = vector
            if spans[number]:
                offsets = np.array(encodings[number].offsets)
                found = [_window(states, offsets, span, vector) for span in spans[number]]
                windows[number] = np.array(found, dtype=np.float32)

        self._run([encoding.ids for encoding in encodings], keep, on_batch, cancel)
        return vectors, windows

    def early(self, text: str, most_tokens: int) -> tuple[Vectors, States]:
        """The vector ``(dimension,)`` of the first tokens of a text, and their early states ``(tokens, dimension)``."""
        ids = self._tokenizer.encode(text[:_MAX_CHARS]).ids
        if len(ids) > most_tokens:
            ids = [*ids[: most_tokens - 1], ids[-1]]
        return self._runtime.run(np.array(ids, dtype=np.int64), EARLY)

    def _run(
        self, token_ids: list[list[int]], keep: Kept, on_batch: OnBatch | None, cancel: CancelToken | None
    ) -> None:
        def run(number: int) -> None:
            if cancel is not None:
                cancel.check()
            keep(number, *self._runtime.run(np.array(token_ids[number], dtype=np.int64)))

        # The longest first, so that no core waits for another at the end.
        numbers = sorted(range(len(token_ids)), key=lambda number: -len(token_ids[number]))
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="embed")
        try:
            for _ in map(run, numbers) if len(numbers) < _POOL_FROM or self.threads == 1 else pool.map(run, numbers):
                if on_batch is not None:
                    on_batch(1)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _window(states: States, offsets: np.ndarray[Any, Any], span: Span, whole: Vectors) -> Vectors:
    start, stop = span
    inside = (offsets[:, 0] < stop) & (offsets[:, 1] > start) & (offsets[:, 1] > offsets[:, 0])
    if not inside.any():
        return whole
    mean = states[inside].mean(axis=0)
    vector: Vectors = mean / max(float(np.linalg.norm(mean)), 1e-9)
    return vector
