"""How fast a folder is indexed, stage by stage, against sentence-transformers on the same chunks in the same run.

    python benchmarks/indexing.py FOLDER [--sample N] [--cache DIR] [--json]

FOLDER is copied first, so that one of its files can be edited; the index goes to a new cache (or to ``--cache``), the
exported model to the usual place. *Baseline* is ``SentenceTransformer.encode`` (batch size 32, its default) on a sample
of the chunks; the same sample is timed through kbtui's embedder, in turns with it.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine, print_result

from kbtui.domain.ports import CancelToken
from kbtui.knowledge import reading
from kbtui.knowledge.embedding import Embedder, Notify, OnBatch, Vectors, open_embedder
from kbtui.knowledge.embedding.weights import require_bundled_folder
from kbtui.knowledge.index import Index
from kbtui.knowledge.indexer import Indexer
from kbtui.knowledge.vectors import VectorSearcher
from kbtui.knowledge.walker import WalkedFile, walk
from kbtui.settings import paths
from kbtui.settings.model import EmbeddingSettings, IndexSettings, Settings

_ROUNDS = 3
_QUERIES = 50


class Stopwatch:
    """Seconds spent in each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, stage: str, function: Callable[[], Any]) -> Any:
        started = time.perf_counter()
        try:
            return function()
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - started


class TimedEmbedder:
    """The real embedder, with its loading and encoding timed."""

    def __init__(self, embedder: Embedder, watch: Stopwatch) -> None:
        self._embedder = embedder
        self._watch = watch
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self.is_multilingual = embedder.is_multilingual

    def load(self, notify: Notify | None = None) -> None:
        self._watch.time("model", lambda: self._embedder.load(notify))

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        vectors: Vectors = self._watch.time("embed", lambda: self._embedder.encode(texts, on_batch, cancel))
        return vectors

    def query(self, text: str) -> Vectors:
        return self._embedder.query(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=256, help="chunks to compare the embedders on")
    parser.add_argument("--cache", type=Path, help="cache folder to use, and to leave behind")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    # The model is shared with everything else on this machine: its export is not what is measured.
    os.environ.setdefault("KBTUI_MODELS_DIR", str(paths.models_dir()))
    with tempfile.TemporaryDirectory(prefix="kbtui-bench-") as scratch:
        os.environ["XDG_CACHE_HOME"] = str((args.cache or Path(scratch) / "cache").resolve())
        root = Path(scratch) / args.folder.resolve().name
        shutil.copytree(args.folder, root, symlinks=True)
        result = measure(root, args.sample)
    print_result({"folder": args.folder.name, **result, **machine()}, as_json=args.json)


def measure(root: Path, sample: int) -> dict[str, Any]:
    settings = Settings()
    watch = Stopwatch()
    first = index(root, settings, watch)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    stages = {name: round(seconds, 2) for name, seconds in watch.seconds.items()}
    stages["walk, write and the rest"] = round(first.duration_s - sum(watch.seconds.values()), 2)

    second, again_s = whole_process(root)
    started = time.perf_counter()
    Indexer(root, settings).staleness()
    staleness_ms = (time.perf_counter() - started) * 1000

    edited = edit_one_file(root, settings)
    edit_watch = Stopwatch()
    after_edit = index(root, settings, edit_watch)

    return {
        "files": first.files,
        "chunks": first.chunks,
        "relations": first.relations,
        "first_run_s": round(first.duration_s, 1),
        "chunks_per_s": round(first.chunks / first.duration_s, 1),
        "stages_s": stages,
        "peak_memory_mb": round(peak_mb),
        "index_mb": round(Index.open(root, settings).stats().size_bytes / 1e6, 1),
        "second_run_process_s": round(again_s, 2),
        "second_run_says": second,
        "staleness_ms": round(staleness_ms),
        "edited_file_chunks": edited,
        "after_edit_embedded": after_edit.embedded,
        "after_edit_reused": after_edit.reused,
        "after_edit_s": round(after_edit.duration_s, 2),
        **query_latency(root, settings),
        **against_sentence_transformers(root, settings, sample),
    }


def index(root: Path, settings: Settings, watch: Stopwatch) -> Any:
    def read(file: WalkedFile, index_settings: IndexSettings) -> reading.Reading:
        result: reading.Reading = watch.time("read and cut", lambda: reading.read(file, index_settings))
        return result

    def open_timed(embedding: EmbeddingSettings) -> Embedder:
        return TimedEmbedder(open_embedder(embedding), watch)

    return Indexer(root, settings, open_embedder=open_timed, read=read).run(lambda _event: None, CancelToken())


def whole_process(root: Path) -> tuple[str, float]:
    """``kbtui index`` on an index that is up to date, from process start to exit."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "kbtui", "index", str(root)], capture_output=True, text=True, check=False
    )
    elapsed = time.perf_counter() - started
    return " ".join((done.stdout + done.stderr).split())[:200], elapsed


def edit_one_file(root: Path, settings: Settings) -> int:
    """Change a word in the middle of the file with the most chunks; how many chunks it has."""
    largest = max(Index.open(root, settings).files(), key=lambda file: file.chunk_count)
    path = root / largest.path
    text = path.read_bytes()
    middle = text.index(b" ", len(text) // 2)
    path.write_bytes(text[:middle] + b" edited" + text[middle:])
    return largest.chunk_count


def query_latency(root: Path, settings: Settings) -> dict[str, float]:
    """A warm vector search, embedding of the question included."""
    searcher = VectorSearcher(Index.open(root, settings), open_embedder(settings.embedding))
    titles = [file.title for file in Index.open(root, settings).files()][: _QUERIES + 1]
    times = []
    for number, title in enumerate(titles):
        started = time.perf_counter()
        searcher.search(f"what is said about {title} ({number})?", 10)
        times.append((time.perf_counter() - started) * 1000)
    warm = np.array(times[1:] or times)
    return {
        "first_search_ms": round(times[0], 1),
        "search_p50_ms": round(float(np.percentile(warm, 50)), 1),
        "search_p95_ms": round(float(np.percentile(warm, 95)), 1),
    }


def against_sentence_transformers(root: Path, settings: Settings, sample: int) -> dict[str, float]:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    texts = [
        text for file in walk(root, settings.index).files for text in reading.read(file, settings.index).embedding_texts
    ]
    chosen = np.random.default_rng(0).permutation(len(texts))[:sample]
    picked = [texts[number] for number in chosen]
    reference = SentenceTransformer(str(require_bundled_folder()), device="cpu")
    exported = open_embedder(settings.embedding)
    reference.encode(picked[:8], show_progress_bar=False)
    exported.encode(picked[:8])

    best = {"baseline": 0.0, "kbtui": 0.0}
    vectors: dict[str, Vectors] = {}
    for _ in range(_ROUNDS):
        for name, encode in (
            ("baseline", lambda: reference.encode(picked, normalize_embeddings=True, show_progress_bar=False)),
            ("kbtui", lambda: exported.encode(picked)),
        ):
            started = time.perf_counter()
            vectors[name] = encode()
            best[name] = max(best[name], len(picked) / (time.perf_counter() - started))
    cosines = (vectors["baseline"] * vectors["kbtui"]).sum(axis=1)
    return {
        "sample": len(picked),
        "embed_chunks_per_s": round(best["kbtui"], 1),
        "baseline_chunks_per_s": round(best["baseline"], 1),
        "speedup": round(best["kbtui"] / best["baseline"], 2),
        "cosine_mean": round(float(cosines.mean()), 4),
        "cosine_min": round(float(cosines.min()), 4),
    }


if __name__ == "__main__":
    main()
