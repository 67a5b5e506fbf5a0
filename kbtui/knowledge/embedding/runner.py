"""Runs an exported model: tokenizers and onnxruntime, no torch. The export is verified through this very code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding.port import OnBatch, Vectors

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
MAX_TOKENS: Final = 256
"""What all-MiniLM-L6-v2 was trained with; sentence-transformers cuts there too."""

_MAX_CHARS = 40 * MAX_TOKENS
_POOL_FROM = 4


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class OnnxRunner:
    """One exported model, loaded. Safe to call from several threads.

    Texts run one by one, each on one core, as many at a time as there are threads. That is as fast as batches with
    threads inside (no padding is computed) and, because the int8 scales of activations span a whole batch, the only way
    that a text has one vector, whatever else is encoded beside it.

    Args:
        folder: Holds ``model.onnx`` (inputs ``input_ids``, ``attention_mask``; output ``(batch, dimension)``, pooled
            and normalised) and ``tokenizer.json``.
        threads: 0 means one for each core.

    Raises:
        Exception: Whatever onnxruntime or tokenizers say about a broken file; their types are not public.
    """

    def __init__(self, folder: Path, threads: int = 0) -> None:
        # Official builds report sessions and models to their maker, and keep a device id, unless told not to before the
        # library loads; the name of the variable differs between versions.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        os.environ.setdefault("ORT_TELEMETRY_DISABLED", "1")
        import onnxruntime as ort
        from tokenizers import Tokenizer

        self._threads = threads or cores()
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session: Any = ort.InferenceSession(
            str(folder / MODEL_FILE), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        """Vectors ``(len(texts), dimension)``; see `Embedder.encode`."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        token_ids = [encoding.ids for encoding in self._tokenizer.encode_batch([text[:_MAX_CHARS] for text in texts])]
        # Long ones first, so that no core waits for another at the end.
        order = sorted(range(len(texts)), key=lambda row: -len(token_ids[row]))

        def run(row: int) -> None:
            if cancel is not None:
                cancel.check()
            ids = np.array([token_ids[row]], dtype=np.int64)
            vectors[row] = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]

        if len(texts) < _POOL_FROM or self._threads == 1:
            for row in order:
                run(row)
                if on_batch is not None:
                    on_batch(1)
            return vectors
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
        try:
            for _ in pool.map(run, order):
                if on_batch is not None:
                    on_batch(1)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return vectors
