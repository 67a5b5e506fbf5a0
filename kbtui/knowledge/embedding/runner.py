"""Runs an exported model over texts: tokenizers and a runtime, no torch; `make model` verifies models with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding.port import OnBatch, Span, Vectors
from kbtui.knowledge.embedding.runtimes import (
    QUERY_RUNTIME,
    OnnxRuntime,
    Precision,
    Runtime,
    RuntimeKind,
    States,
    kind_named,
)
from kbtui.worker.cores import usable_cores

MAX_TOKENS: Final = 256
"""What all-MiniLM-L6-v2 was trained with; sentence-transformers cuts there too."""

_MAX_CHARS = 40 * MAX_TOKENS
_POOL_FROM = 4

Kept = Callable[[int, Vectors, States], None]
"""Given the number of a text, its vector and the states of its tokens without padding."""


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

    Batches hold texts of like length, up to the number of tokens that the runtime takes at once, so that little padding
    is computed; each runs on one core, as many at a time as there are threads. A text has the same vector whatever is
    encoded beside it: exactly in int8, where each runs alone, within 1e-3 in each number in fp32, where the order of
    additions depends on the shape of the batch.

    Args:
        model: The model; nothing keeps it once it is loaded.
        precision: That of ``model``.
        threads: 0 means one for each core.
        kind: The runtime; the one of questions by default.

    Raises:
        Exception: Whatever the runtime or tokenizers say about a broken model; their types are not public.
    """

    def __init__(
        self, model: ModelBytes, precision: Precision, threads: int = 0, kind: RuntimeKind | None = None
    ) -> None:
        from tokenizers import Tokenizer

        kind = kind or kind_named(QUERY_RUNTIME)
        self.name = kind.name
        self.threads = threads or usable_cores()
        self._batch_tokens = kind.batch_tokens[precision]
        self._runtime: Runtime = kind.open(model.onnx, self.threads)
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
        """The vector ``(dimension,)`` of the first tokens of a text, and their early states ``(tokens, dimension)``.

        Raises:
            TypeError: The runtime is not the one of questions.
        """
        if not isinstance(self._runtime, OnnxRuntime):
            raise TypeError(f"{self.name} gives no early states")
        ids = self._tokenizer.encode(text[:_MAX_CHARS]).ids
        if len(ids) > most_tokens:
            ids = [*ids[: most_tokens - 1], ids[-1]]
        batch = np.array([ids], dtype=np.int64)
        vectors, states = self._runtime.run_early(batch, np.ones_like(batch))
        return vectors[0], states[0]

    def _run(
        self, token_ids: list[list[int]], keep: Kept, on_batch: OnBatch | None, cancel: CancelToken | None
    ) -> None:
        def run(batch: list[int]) -> int:
            if cancel is not None:
                cancel.check()
            length = len(token_ids[batch[0]])
            ids = np.zeros((len(batch), length), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, number in enumerate(batch):
                ids[row, : len(token_ids[number])] = token_ids[number]
                mask[row, : len(token_ids[number])] = 1
            vectors, states = self._runtime.run(ids, mask)
            for row, number in enumerate(batch):
                keep(number, vectors[row], states[row, : len(token_ids[number])])
            return len(batch)

        batches = _batches([len(ids) for ids in token_ids], self._batch_tokens)
        if len(token_ids) < _POOL_FROM or self.threads == 1:
            for batch in batches:
                done = run(batch)
                if on_batch is not None:
                    on_batch(done)
            return
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="embed")
        try:
            for done in pool.map(run, batches):
                if on_batch is not None:
                    on_batch(done)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _batches(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Numbers of texts that run together: the longest first, so that no core waits for another at the end."""
    batches: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: -lengths[number]):
        if batches and (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= batch_tokens:
            batches[-1].append(number)
        else:
            batches.append([number])
    return batches


def _window(states: States, offsets: np.ndarray[Any, Any], span: Span, whole: Vectors) -> Vectors:
    start, stop = span
    inside = (offsets[:, 0] < stop) & (offsets[:, 1] > start) & (offsets[:, 1] > offsets[:, 0])
    if not inside.any():
        return whole
    mean = states[inside].mean(axis=0)
    vector: Vectors = mean / max(float(np.linalg.norm(mean)), 1e-9)
    return vector
