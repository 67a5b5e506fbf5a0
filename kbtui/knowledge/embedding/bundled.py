"""The bundled MiniLM: exported to ONNX once for all folders, then run without torch by the fastest library there is."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import kbtui
from kbtui.domain.ports import CancelToken
from kbtui.errors import StorageError
from kbtui.knowledge.embedding import choosing, export
from kbtui.knowledge.embedding.port import Embedder, Notify, OnBatch, Span, Vectors
from kbtui.knowledge.embedding.runner import MAX_TOKENS, MODEL_FILE, TOKENIZER_FILE, Runner
from kbtui.knowledge.embedding.runtimes import Precision
from kbtui.knowledge.embedding.weights import (
    WEIGHTS_SHA256,
    bundled_folder,
    require_bundled_folder,
    verify_weights,
    weights_state,
)
from kbtui.knowledge.locks import exclusive, storage_reason
from kbtui.settings import paths
from kbtui.settings.model import EmbeddingSettings

_DIMENSION: Final = 384
_META: Final = "meta.json"
_SCRATCH: Final = ".export-"
_EXPORT_TIMEOUT_S: Final = 600
_QUERY_CACHE: Final = 512
_BULK_FROM: Final = 64
"""Texts from which the runtime of passages is worth loading, and the test that finds it."""


class ExportFailed(Exception):
    """The child process made no model; the message says why."""


class BundledEmbedder:
    """all-MiniLM-L6-v2 with mean pooling, without torch. Safe to use from several threads.

    Raises:
        EmbeddingError: ``settings.runtime`` is not installed, or cannot run ``settings.precision``.
    """

    is_multilingual = False

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        choosing.settled(settings)
        self._lock = threading.Lock()
        self._folder = paths.models_dir()
        self._bulk: Runner | None = None
        self._runner: Runner | None = None
        self._fallback: Embedder | None = None
        self.problem = ""
        self._cached_query = lru_cache(maxsize=_QUERY_CACHE)(self._encode_query)
        recipe = f"{WEIGHTS_SHA256} {settings.precision} mean {MAX_TOKENS} {export.VERSION}"
        self.fingerprint = f"all-MiniLM-L6-v2-{settings.precision}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"

    @property
    def dimension(self) -> int:
        return _DIMENSION

    def load(self, notify: Notify | None = None) -> None:
        """See `Embedder.load`. Exports the model when this machine has no export of it yet, or a broken one."""
        with self._lock:
            if self._runner is not None or self._fallback is not None:
                return
            tell = notify or (lambda _message: None)
            try:
                self._runner = self._open(tell)
            except ExportFailed as error:
                self.problem = (
                    f"The embedding model could not be exported ({error}); it runs through sentence-transformers and "
                    "takes seconds longer to start. Try kbtui index again, or reinstall kbtui."
                )
                tell(self.problem)
                self._fallback = self._unexported()

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        self.load()
        if not texts:
            return np.empty((0, _DIMENSION), dtype=np.float32)
        return (self._runner_for(len(texts)) or self._require_fallback()).encode(texts, on_batch, cancel)

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        """See `Embedder.encode_with_windows`. Parts cost no pass of their own: their tokens have been seen already."""
        self.load()
        if not texts:
            return np.empty((0, _DIMENSION), dtype=np.float32), []
        runner = self._runner_for(len(texts)) or self._require_fallback()
        return runner.encode_with_windows(texts, spans, on_batch, cancel)

    def query(self, text: str) -> Vectors:
        return self._cached_query(text)

    def _encode_query(self, text: str) -> Vectors:
        vector: Vectors = self.encode([text])[0]
        vector.flags.writeable = False
        return vector

    def _runner_for(self, texts: int) -> Runner | None:
        if self._runner is None or texts < _BULK_FROM:
            return self._bulk or self._runner
        with self._lock:
            if self._bulk is None:
                _, self._bulk = choosing.choose(self._folder, self._settings, self._runner)
            return self._bulk

    def _runner_of(self, folder: Path) -> Runner:
        self._folder = folder
        return Runner(folder, self._settings.precision, self._settings.threads)

    def _require_fallback(self) -> Embedder:
        assert self._fallback is not None, "load() sets one of the two"
        return self._fallback

    def _unexported(self) -> Embedder:
        from kbtui.knowledge.embedding.sentence import SentenceEmbedder

        embedder = SentenceEmbedder(self._settings.model_copy(update={"model": str(require_bundled_folder())}))
        embedder.load()
        return embedder

    def _open(self, tell: Notify) -> Runner:
        folder = paths.models_dir() / self.fingerprint
        if self._is_whole(folder):
            try:
                return self._runner_of(folder)
            except Exception:  # noqa: BLE001 - whatever is wrong with the file, the cure is the same
                tell("The exported embedding model cannot be read; exporting it again.")
                shutil.rmtree(folder, ignore_errors=True)
        try:
            return self._runner_of(self._export_shared(folder, tell))
        except OSError as error:
            self.problem = (
                f"The exported embedding model cannot be kept in {folder.parent} ({error.strerror or error}); "
                "it is made again at every start. Free space there, or set KBTUI_MODELS_DIR to another folder."
            )
            tell(self.problem)
        return self._runner_of(self._export_private())

    def _is_whole(self, folder: Path) -> bool:
        """True when ``folder`` holds a complete export of the weights that are installed now.

        Raises:
            EmbeddingError: Other weights have been installed since.
        """
        try:
            meta = json.loads((folder / _META).read_text("utf-8"))
            for name, size in meta["sizes"].items():
                if (folder / name).stat().st_size != size:
                    return False
            source = bundled_folder()
            if source is None or asdict(weights_state(source)) == meta["weights"]:
                return True
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False
        # A reinstall touches the file: worth reading it again, not worth exporting again.
        meta["weights"] = asdict(verify_weights(source))
        with contextlib.suppress(OSError):  # read-only: then it is read at the next start too
            _write_meta(folder, meta)
        return True

    def _export_shared(self, folder: Path, tell: Notify) -> Path:
        """Export into the shared models folder, once even when several processes want it."""
        source = require_bundled_folder()
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = folder.parent / f"{self.fingerprint}.lock"
        with exclusive(lock, lambda: tell("Another kbtui is preparing the embedding model; waiting for it.")):
            if self._is_whole(folder):
                return folder
            for abandoned in folder.parent.glob(f"{_SCRATCH}*"):
                shutil.rmtree(abandoned, ignore_errors=True)
            tell("Preparing the embedding model. This happens once and takes about ten seconds.")
            scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=_SCRATCH))
            try:
                self._export(source, scratch)
                shutil.rmtree(folder, ignore_errors=True)
                scratch.replace(folder)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
        return folder

    def _export_private(self) -> Path:
        """Export for this process alone, to a folder that goes when it ends."""
        try:
            scratch = Path(tempfile.mkdtemp(prefix="kbtui-model-"))
            atexit.register(shutil.rmtree, scratch, ignore_errors=True)
            self._export(require_bundled_folder(), scratch)
        except OSError as error:
            raise StorageError(
                f"There is no room for the embedding model: {error.strerror or error}.",
                f"Free 200 MB under {paths.models_dir()} or {tempfile.gettempdir()}.",
            ) from error
        return scratch

    def _export(self, source: Path, scratch: Path) -> None:
        """Fill ``scratch``.

        Raises:
            EmbeddingError: The weights are not the ones expected.
            ExportFailed: No exporter made a model that agrees with sentence-transformers.
            OSError: The disk refused.
        """
        state = verify_weights(source)
        result = _run_export(source, scratch, self._settings.precision)
        sizes = {name: (scratch / name).stat().st_size for name in (MODEL_FILE, TOKENIZER_FILE)}
        _write_meta(scratch, {**result, "weights": asdict(state), "sizes": sizes})


def _write_meta(folder: Path, meta: dict[str, Any]) -> None:
    partial = folder / f"{_META}.{os.getpid()}"
    partial.write_text(json.dumps(meta, indent=2), "utf-8")
    partial.replace(folder / _META)


def _run_export(source: Path, scratch: Path, precision: Precision) -> dict[str, Any]:
    """Run the export in a child process and return what it says."""
    here = str(Path(kbtui.__file__).parent.parent)
    search = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", export.__name__, str(source), str(scratch), precision]
    try:
        child = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": search},
            timeout=_EXPORT_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ExportFailed("it took too long") from error
    try:
        result = json.loads(child.stdout.decode("utf-8", "replace").strip().split("\n")[-1])
    except ValueError:
        raise ExportFailed(f"the export ended with code {child.returncode}") from None
    if not isinstance(result, dict):
        raise ExportFailed(f"the export ended with code {child.returncode}")
    if "error" not in result:
        return result
    reason = str(result["error"])
    if result.get("errno") is not None or storage_reason(reason):
        raise OSError(result.get("errno"), reason)
    raise ExportFailed(reason)
