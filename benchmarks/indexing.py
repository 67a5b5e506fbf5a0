"""How fast a folder is indexed, stage by stage, and how fast texts become vectors beside sentence-transformers.

    python benchmarks/indexing.py FOLDER [--sample N] [--rounds N] [--retrieval DIR...] [--no-index] [--json]

FOLDER is copied first, so that one of its files can be edited; the index goes to a new cache (or to ``--cache``).
*Baseline* is ``SentenceTransformer.encode`` (batch size 32, its default) on a
sample of the chunks; kbtui's embedder encodes the same sample, in turns with it, and its ratio is that of the best
rounds. ``cpu_ratio`` compares processor time: other work disturbs it less.
``--retrieval`` adds what each costs in nDCG@10, by cosine alone over the passages that kbtui cuts (sets with
``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv``).
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
from _original import original_folder

from kbtui.domain.events import Event, Progress
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import Vectors, open_embedder
from kbtui.knowledge.reading import extraction as reading
from kbtui.knowledge.reading.walker import walk
from kbtui.knowledge.store.indexer import Indexer
from kbtui.settings import paths
from kbtui.settings.model import EmbeddingSettings, IndexSettings, Settings

BASELINE = "sentence-transformers"
Encode = Callable[[Sequence[str]], Vectors]


class Stages:
    """Seconds between the events of a run, each counted to the stage that the earlier of two events names."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage, self._since = "start", time.perf_counter()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress):
            self.turn(event.stage)

    def turn(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._since
        self._stage, self._since = stage, now

    def rounded(self) -> dict[str, float]:
        return {stage: round(seconds, 2) for stage, seconds in self.seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=128, help="chunks to compare the embedders on")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each embedder")
    parser.add_argument("--retrieval", type=Path, nargs="+", default=[], metavar="DIR", help="sets to measure loss on")
    parser.add_argument("--cache", type=Path, help="cache folder to use, and to leave behind")
    parser.add_argument("--no-index", action="store_true", help="compare the embedders only")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="kbtui-bench-") as scratch:
        os.environ["XDG_CACHE_HOME"] = str((args.cache or Path(scratch) / "cache").resolve())
        root = Path(scratch) / args.folder.resolve().name
        shutil.copytree(args.folder, root, symlinks=True)
        result = {} if args.no_index else measure(root)
        texts = passages(root)
        # After the index: these libraries take more memory than indexing does.
        systems = embedders()
        result["embedders"] = race(systems, texts, args.sample, args.rounds)
        if args.retrieval:
            result["retrieval"] = [retrieval(folder, systems, Path(scratch)) for folder in args.retrieval]
    result = {"folder": args.folder.name, **result, **machine()}
    if not args.json:
        for key in ("embedders", "retrieval"):
            for number, row in enumerate(result.pop(key, [])):
                result[f"{key} {number + 1}"] = row
    print_result(result, as_json=args.json)


def measure(root: Path) -> dict[str, Any]:
    settings = Settings()
    open_embedder(settings.embedding).load()
    stages = Stages()
    first = Indexer(root, settings).run(stages, CancelToken())
    stages.turn("end")
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    second, again_s = whole_process(root)
    started = time.perf_counter()
    Indexer(root, settings).staleness()
    staleness_s = time.perf_counter() - started
    edit_a_file(root, settings, "edited")
    edit_stages = Stages()
    edit = Indexer(root, settings).run(edit_stages, CancelToken())
    edit_stages.turn("end")
    edit_a_file(root, settings, "altered")
    _, edit_process_s = whole_process(root)
    return {
        "files": first.files,
        "chunks": first.chunks,
        "relations": first.relations,
        "first_run_s": round(first.duration_s, 1),
        "chunks_per_s": round(first.chunks / first.duration_s, 1),
        "stages_s": stages.rounded(),
        "peak_memory_mb": round(own / 1024),
        "peak_memory_of_a_child_mb": round(children / 1024),
        "index_mb": round(
            sum(file.stat().st_size for file in paths.index_dir(root).rglob("*") if file.is_file()) / 1e6, 1
        ),
        "second_run_process_s": round(again_s, 2),
        "second_run_says": second,
        "staleness_ms": round(staleness_s * 1000),
        "after_edit_embedded": edit.embedded,
        "after_edit_s": round(edit.duration_s, 2),
        "after_edit_stages_s": edit_stages.rounded(),
        "after_edit_process_s": round(edit_process_s, 2),
    }


def whole_process(root: Path) -> tuple[str, float]:
    """``kbtui index``, from process start to exit."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "kbtui", "index", str(root)], capture_output=True, text=True, check=False
    )
    elapsed = time.perf_counter() - started
    return " ".join((done.stdout + done.stderr).split())[:200], elapsed


def edit_a_file(root: Path, settings: Settings, word: str) -> None:
    """Put ``word`` into the middle of the largest file that is indexed."""
    path = root / max(walk(root, settings.index).files, key=lambda file: (root / file.path).stat().st_size).path
    text = path.read_bytes()
    middle = text.index(b" ", len(text) // 2)
    path.write_bytes(text[:middle] + b" " + word.encode() + text[middle:])


def passages(root: Path) -> list[str]:
    settings = IndexSettings()
    return [text for file in walk(root, settings).files for text in reading.read(file, settings).embedding_texts]


def embedders() -> dict[str, Encode]:
    """The baseline and what kbtui can run on this machine, each loaded and warm."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    reference = SentenceTransformer(str(original_folder()), device="cpu")

    def baseline(texts: Sequence[str]) -> Vectors:
        vectors: Vectors = reference.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return vectors

    systems: dict[str, Encode] = {BASELINE: baseline}
    systems["onnxruntime int8"] = open_embedder(EmbeddingSettings()).encode
    for encode in systems.values():
        encode(["one text, so that everything is loaded"] * 64)
    return systems


def race(systems: dict[str, Encode], texts: list[str], sample: int, rounds: int) -> list[dict[str, Any]]:
    """Rates and ratios over the same passages, in turns; the best round of each counts."""
    picked = [texts[number] for number in np.random.default_rng(0).permutation(len(texts))[:sample]]
    wall: dict[str, list[float]] = {name: [] for name in systems}
    cpu: dict[str, list[float]] = {name: [] for name in systems}
    vectors: dict[str, Vectors] = {}
    for _ in range(rounds):
        for name, encode in systems.items():
            started, cpu_started = time.perf_counter(), time.process_time()
            vectors[name] = encode(picked)
            wall[name].append(time.perf_counter() - started)
            cpu[name].append(time.process_time() - cpu_started)
    rows = []
    for name in systems:
        cosines = (vectors[name] * vectors[BASELINE]).sum(axis=1)
        rows.append(
            {
                "name": name,
                "chunks_per_s": round(len(picked) / min(wall[name]), 1),
                "ratio": round(min(wall[BASELINE]) / min(wall[name]), 2),
                "cpu_ratio": round(min(cpu[BASELINE]) / min(cpu[name]), 2),
                "cosine_mean": round(float(cosines.mean()), 5),
                "cosine_min": round(float(cosines.min()), 5),
            }
        )
    return rows


def retrieval(folder: Path, systems: dict[str, Encode], scratch: Path) -> dict[str, Any]:
    """nDCG@10 of each system, its own vectors on both sides; a document ranks as its best passage does."""
    from retrieval import load, scores, write

    documents, questions, relevant = load(folder)
    root = scratch / "sets" / folder.name
    ids, settings = write(documents, root), IndexSettings()
    texts, owners = [], []
    for file in walk(root, settings).files:
        for text in reading.read(file, settings).embedding_texts:
            texts.append(text)
            owners.append(ids[file.path])
    found: dict[str, Any] = {"set": folder.name, "passages": len(texts), "questions": len(questions)}
    for name, encode in systems.items():
        cosines = encode([question["text"] for question in questions]) @ encode(texts).T
        runs = {
            question["id"]: list(dict.fromkeys(owners[at] for at in np.argsort(-row, kind="stable")))[:100]
            for question, row in zip(questions, cosines, strict=True)
        }
        found[name] = scores(runs, relevant)["ndcg@10"]
    return found


if __name__ == "__main__":
    main()
