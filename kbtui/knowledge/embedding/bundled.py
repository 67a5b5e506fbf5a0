"""The bundled models: package data, run without torch.

Texts in Chinese, Japanese or Korean have vectors of `multilingual`, all others those of all-MiniLM-L6-v2. Both are of
one length and stand side by side in an index; between the two, cosines are near 0 and mean nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from kbtui.domain.ports import CancelToken
from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding.cross import CrossEncoder
from kbtui.knowledge.embedding.model_files import WEIGHTS_SHA256, multilingual_sum, read_model
from kbtui.knowledge.embedding.multilingual import shared_multilingual
from kbtui.knowledge.embedding.port import Notify, OnBatch, Span, Vectors
from kbtui.knowledge.embedding.runner import MAX_TOKENS, Runner
from kbtui.text.language import cjk_share, is_mostly_cjk

RECIPE: Final = 3
"""Part of the fingerprint: raised when the model made by ``make model`` is no longer the same function."""

_DIMENSION: Final = 384
_CJK_TRUST: Final = 0.3
"""What cosines of the multilingual model are worth beside words, those of the English model being worth 1."""
_QUERY_CACHE: Final = 512


class BundledEmbedder:
    """all-MiniLM-L6-v2 with mean pooling, and the multilingual model, without torch. Safe to use from several threads.

    Args:
        threads: Texts that are encoded at once; 0 means one for each core.
    """

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._runner: Runner | None = None
        self._made_cross: CrossEncoder | None = None
        self._cached_query = lru_cache(maxsize=_QUERY_CACHE)(self._encode_query)
        recipe = f"{WEIGHTS_SHA256} int8 mean {MAX_TOKENS} {RECIPE} {multilingual_sum()}"
        self.fingerprint = f"all-MiniLM-L6-v2-int8-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"

    @property
    def dimension(self) -> int:
        return _DIMENSION

    def load(self, notify: Notify | None = None) -> None:  # noqa: ARG002 - it takes no seconds
        """See `Embedder.load`."""
        self._loaded()

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        return self.encode_with_windows(texts, [()] * len(texts), on_batch, cancel)[0]

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        """See `Embedder.encode_with_windows`. Parts of English cost no pass: their tokens have been seen."""
        vectors = np.empty((len(texts), _DIMENSION), dtype=np.float32)
        windows: list[Vectors] = [vectors[:0]] * len(texts)
        cjk = [number for number, text in enumerate(texts) if is_mostly_cjk(text)]
        other = sorted(set(range(len(texts))) - set(cjk))
        for number in cjk:
            if cancel is not None:
                cancel.check()
            parts = [texts[number][start:stop] for start, stop in spans[number]]
            vectors[number], *own = shared_multilingual().encode([texts[number], *parts])
            windows[number] = np.array(own, dtype=np.float32).reshape(-1, _DIMENSION)
            if on_batch is not None:
                on_batch(1)
        if other:
            vectors[other], made = self._loaded().encode_with_windows(
                [texts[number] for number in other], [spans[number] for number in other], on_batch, cancel
            )
            for number, own_windows in zip(other, made, strict=True):
                windows[number] = own_windows
        return vectors, windows

    def trust(self, text: str) -> float:
        """See `Embedder.trust`."""
        return _CJK_TRUST if is_mostly_cjk(text) else 1.0 - cjk_share(text)

    def query(self, text: str, *, to_cjk: bool | None = None) -> Vectors:
        return self._cached_query(text, is_mostly_cjk(text) if to_cjk is None else to_cjk)

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """See `Embedder.relevance`. One pass over a text gives both."""
        vectors, logits = self._cross().read(question, texts)
        return vectors @ self.query(question), logits

    def across_languages(self, question: str, texts: Sequence[str]) -> Vectors:
        """See `Embedder.across_languages`."""
        return shared_multilingual().likeness(question, texts)

    def knows_word(self, word: str) -> bool:
        return self._loaded().pieces(word) == 1

    def _encode_query(self, text: str, to_cjk: bool) -> Vectors:
        vector: Vectors = (shared_multilingual() if to_cjk else self._loaded()).encode([text])[0]
        vector.flags.writeable = False
        return vector

    def _cross(self) -> CrossEncoder:
        runner = self._loaded()
        with self._lock:
            if self._made_cross is None:
                self._made_cross = CrossEncoder(runner)
            return self._made_cross

    def _loaded(self) -> Runner:
        with self._lock:
            if self._runner is None:
                self._runner = self._open()
            return self._runner

    def _open(self) -> Runner:
        model = read_model()
        try:
            return Runner(model, self._threads)
        except Exception as error:
            # The model is the expected one: the errors of onnxruntime say what it lacks here.
            raise EmbeddingError(
                f"The embedding model does not run with onnxruntime: {error}",
                "Run `pip install --force-reinstall onnxruntime`.",
            ) from error
