"""Any sentence-transformers model, by name or folder. Loaded only where one is configured: the library takes 6 s."""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from kbtui.domain.ports import CancelToken
from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding.cross import shared_cross
from kbtui.knowledge.embedding.multilingual import shared_multilingual
from kbtui.knowledge.embedding.port import Notify, OnBatch, Span, Vectors
from kbtui.settings.model import EmbeddingSettings
from kbtui.text.language import cjk_share

_GROUP: Final = 256
"""Texts given to the library at once: it sorts them by length, so more of them have less padding."""
_SAMPLED_FROM: Final = 1 << 20
_SAMPLE: Final = 1 << 16
_SAMPLES: Final = 16
_QUERY_CACHE: Final = 512

_CHINESE: Final = "我们今天讨论如何部署这个系统，并且说明数据库发生故障时应该怎样恢复服务，谁来负责通知用户。"
_TOKENS_PER_CHARACTER: Final = 1.6
_UNKNOWN_SHARE: Final = 0.05


INSTALL: Final = (
    "GPU: `pip install 'kbtui[models]'`. CPU, without gigabytes of CUDA: first torch's CPU build, by the command that "
    "pytorch.org/get-started shows for Pip and CPU, then the same"
)
"""How the extra is installed; no package index is named, since it differs from place to place."""


def installed() -> bool:
    """Whether sentence-transformers is there, found without importing it."""
    return importlib.util.find_spec("sentence_transformers") is not None


class SentenceEmbedder:
    """A sentence-transformers model, on the GPU when there is one.

    Args:
        settings: ``model`` is a folder (nothing is downloaded) or a name (sentence-transformers' own rules apply).

    Raises:
        EmbeddingError: ``model`` is a path and there is no such folder, or sentence-transformers is not installed.
    """

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._model: Any = None
        self._cached_query = lru_cache(maxsize=_QUERY_CACHE)(self._encode_query)
        folder = Path(settings.model).expanduser()
        self._folder = folder if folder.is_dir() else None
        if self._folder is None and settings.model.startswith(("/", "./", "../", "~")):
            raise EmbeddingError(
                f"There is no embedding model in {settings.model}.",
                "Set `embedding.model` to the folder of a sentence-transformers model, or to `bundled`.",
            )
        if not installed():
            raise EmbeddingError(
                f"The embedding model {settings.model} needs the extra kbtui[models], which is not installed.",
                f"{INSTALL}. Or set `embedding.model` to `bundled`.",
            )

    @property
    def fingerprint(self) -> str:
        """Of the files of the model; of its name alone as long as it has not been downloaded."""
        folder = self._folder or _downloaded(self._settings.model)
        digest = _folder_digest(folder) if folder else hashlib.sha256(self._settings.model.encode()).hexdigest()
        return f"sentence-transformers-{digest[:16]}"

    @property
    def dimension(self) -> int:
        self.load()
        return int(self._model.get_embedding_dimension())

    def trust(self, text: str) -> float:
        """See `Embedder.trust`. Chinese is strange to a model of English."""
        share = cjk_share(text)
        if not share:
            return 1.0
        self.load()
        return 1.0 if _reads_chinese(self._model.tokenizer) else 1.0 - share

    def load(self, notify: Notify | None = None) -> None:
        """See `Embedder.load`."""
        with self._lock:
            if self._model is None:
                if notify is not None:
                    notify("Loading the embedding model.")
                self._model = self._open()

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        self.load()
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        groups = []
        for start in range(0, len(texts), _GROUP):
            if cancel is not None:
                cancel.check()
            group = list(texts[start : start + _GROUP])
            groups.append(self._encode(self._model.encode_document, group))
            if on_batch is not None:
                on_batch(len(group))
        return np.concatenate(groups)

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        """See `Embedder.encode_with_windows`. Each part is a text of its own, since pooling differs between models."""
        parts = [text[start:stop] for text, own in zip(texts, spans, strict=True) for start, stop in own]
        ends = np.cumsum([len(own) for own in spans])[:-1]
        return self.encode(texts, on_batch, cancel), np.split(self.encode(parts, None, cancel), ends) if texts else []

    def query(self, text: str, *, to_cjk: bool | None = None) -> Vectors:  # noqa: ARG002 - one space for all languages
        return self._cached_query(text)

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """See `Embedder.relevance`. The cross-encoder is the bundled one."""
        return self.encode(texts) @ self.query(question), shared_cross().read(question, texts)[1]

    def across_languages(self, question: str, texts: Sequence[str]) -> Vectors:
        """See `Embedder.across_languages`. The model for that is the bundled one."""
        return shared_multilingual().likeness(question, texts)

    def knows_word(self, word: str) -> bool:
        self.load()
        return len(self._model.tokenizer.encode(word, add_special_tokens=False)) == 1

    def _encode_query(self, text: str) -> Vectors:
        self.load()
        vector: Vectors = self._encode(self._model.encode_query, [text])[0]
        vector.flags.writeable = False
        return vector

    def _encode(self, method: Any, texts: list[str]) -> Vectors:
        with self._lock:
            vectors = method(texts, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, dtype=np.float32)

    def _open(self) -> Any:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        if self._folder is not None:
            os.environ["HF_HUB_OFFLINE"] = "1"
        for library in ("sentence_transformers", "transformers", "huggingface_hub"):
            logging.getLogger(library).setLevel(logging.ERROR)
        try:
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils.logging import disable_progress_bar

            disable_progress_bar()

            if self._settings.threads:
                torch.set_num_threads(self._settings.threads)
            return SentenceTransformer(str(self._folder or self._settings.model))
        except Exception as error:
            raise EmbeddingError(
                f"The embedding model {self._settings.model} cannot be loaded: {_first_line(error)}",
                "Set `embedding.model` to the folder of a sentence-transformers model, or to `bundled`.",
            ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0][:200]


def _downloaded(name: str) -> Path | None:
    """The snapshot of ``name`` in the model hub's cache, found without importing the hub's library."""
    home = (
        os.environ.get("HF_HUB_CACHE")
        or Path(
            os.environ.get("HF_HOME")
            or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "huggingface"
        )
        / "hub"
    )
    repository = name if "/" in name else f"sentence-transformers/{name}"
    base = Path(home) / f"models--{repository.replace('/', '--')}"
    try:
        snapshot = base / "snapshots" / (base / "refs" / "main").read_text("ascii").strip()
    except OSError:
        return None
    return snapshot if snapshot.is_dir() else None


def _folder_digest(folder: Path) -> str:
    """Of names, sizes and contents; of weights evenly spaced samples, since training changes all of them."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        if any(part.startswith(".") for part in file.relative_to(folder).parts) or file.suffix == ".md":
            continue
        size = file.stat().st_size
        digest.update(f"{file.relative_to(folder)} {size}\n".encode("utf-8", "surrogateescape"))
        with file.open("rb") as stream:
            if size <= _SAMPLED_FROM:
                digest.update(stream.read())
                continue
            for number in range(_SAMPLES):
                stream.seek((size - _SAMPLE) * number // (_SAMPLES - 1))
                digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()


def _reads_chinese(tokenizer: Any) -> bool:
    """Whether the vocabulary was made with Chinese in mind: others have unknown or shattered characters."""
    ids = tokenizer.encode(_CHINESE, add_special_tokens=False)
    unknown = sum(1 for token in ids if token == tokenizer.unk_token_id)
    return len(ids) <= _TOKENS_PER_CHARACTER * len(_CHINESE) and unknown <= _UNKNOWN_SHARE * len(ids)
