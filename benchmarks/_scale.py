"""An index of any size, made of the sentences of a folder, and how fast and large it is; `latency` runs this.

Each size is built by one process and asked by another, so that what one holds in memory does not count for the other.
The text is the folder's own sentences in new order. Its vectors are not of that text: they lie around those of real
passages, as near as real passages lie to each other, since to embed a million texts takes hours.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from _common import percentile

from kbtui.domain.document import Chunk, FileRecord
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading.cutting import embed_key
from kbtui.knowledge.search.ripgrep import find_ripgrep
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_rows import ChunkRow, StoredFile
from kbtui.knowledge.store.index_writer import IndexWriter, choose_generation
from kbtui.knowledge.store.vector_writer import VectorWriter, choose_vectors
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.text.tokenise import content_words, tokens

SUFFIXES = (".md", ".rst", ".txt", ".html", ".py")
CHUNKS_A_FILE = 25
SENTENCES_A_CHUNK = 7
WINDOWS_A_CHUNK = 6
CENTRES = 1500
SPREAD = 0.6
"""Length of the noise that is added to a unit vector; the nearest of its neighbours then have a cosine of about .8."""
BATCH = 10_000
QUESTIONS = 200

Floats = npt.NDArray[np.float32]


def sentences_of(folder: Path) -> list[str]:
    """The sentences of the folder's files, those of a usual length."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            text = " ".join(path.read_text("utf-8", "replace").split())
            found += [part for part in re.split(r"(?<=[.!?。])\s", text) if 30 <= len(part) <= 300]
    if len(found) < 1000:
        raise SystemExit(f"{folder} holds too few sentences to make a large index of.")
    return found


def build(folder: Path, root: Path, size: int) -> dict[str, Any]:
    """An index of ``size`` chunks for the folder ``root``, and the same text in files for ripgrep."""
    sentences = sentences_of(folder)
    words = [" ".join(tokens(sentence)) for sentence in sentences]
    chance = random.Random(size)
    root.mkdir(parents=True)
    directory = paths.index_dir(root)
    directory.mkdir(parents=True)
    meta = tables.Meta(schema_version=tables.SCHEMA_VERSION, root=str(root))
    writer = IndexWriter(choose_generation(directory, meta, rebuild=False).path)
    times = {"text": 0.0, "word_index": 0.0, "vectors": 0.0, "vector_index": 0.0}
    keys: list[int] = []
    for start in range(0, size, BATCH):
        rows, files = [], []
        for first in range(start, min(start + BATCH, size), CHUNKS_A_FILE):
            count = min(CHUNKS_A_FILE, size - first)
            path, stamp = f"part{first // 1_000_000:02}/{first // 10_000:04}/{first:08}.txt", f"{first:016}"
            for number in range(count):
                picked = [chance.randrange(len(sentences)) for _ in range(SENTENCES_A_CHUNK)]
                text = "\n".join(sentences[place] for place in picked)
                line = number * (SENTENCES_A_CHUNK + 1) + 1
                chunk = Chunk(path=path, start_line=line, end_line=line + SENTENCES_A_CHUNK - 1, text=text, title=path)
                terms = " ".join(words[place] for place in picked)
                rows.append(ChunkRow(chunk=chunk, embed_key=embed_key(f"{first} {number}"), terms=terms, stamp=stamp))
            record = FileRecord(path=path, kind="text", title=path, chunk_count=count)
            files.append(StoredFile(record=record, stamp=stamp, recipe="benchmark", checked_ns=0))
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n\n".join(row.chunk.text for row in rows[-count:]), "utf-8")
        keys += [row.embed_key for row in rows]
        with timed(times, "text"):
            writer.append(rows)
            writer.commit(files, [()] * len(files))
    with timed(times, "word_index"):
        writer.tidy(patient=True)
        writer.seal()

    embedder = KnowledgeBase(root, Settings()).embedder
    near = vectors_near(embedder.encode([" ".join(chance.sample(sentences, 5)) for _ in range(CENTRES)]))
    vectors = VectorWriter(choose_vectors(directory, embedder, rebuild=False).path)
    for start in range(0, size, BATCH):
        batch = keys[start : start + BATCH]
        made = near(len(batch))
        windows = [np.repeat(vector[None], WINDOWS_A_CHUNK, axis=0) for vector in made]
        with timed(times, "vectors"):
            vectors.append(batch, made, windows)
    with timed(times, "vector_index"):
        vectors.tidy(np.array(keys, dtype=np.int64))
        vectors.seal()
    return {"build_s": {name: round(s, 1) for name, s in times.items()}, "build_peak_mb": peak_mb()}


def vectors_near(centres: Floats) -> Callable[[int], Floats]:
    """Makes so many unit vectors around ``centres``."""
    noise = np.random.default_rng(7)

    def make(count: int) -> Floats:
        picked = centres[noise.integers(0, len(centres), count)]
        moved = picked + noise.standard_normal(picked.shape, dtype=np.float32) * np.float32(
            SPREAD / np.sqrt(centres.shape[1])
        )
        unit: Floats = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
        return unit

    return make


def ask(folder: Path, root: Path, size: int) -> dict[str, Any]:
    """Latencies over the index of ``root``, beside raw LanceDB and ripgrep over the same rows and text."""
    queries = questions(sentences_of(folder), size)
    knowledge = KnowledgeBase(root, Settings())
    started = time.perf_counter()
    knowledge.hybrid.search(queries[0], queries[0], 10)
    first_ms = (time.perf_counter() - started) * 1000
    result: dict[str, Any] = {"chunks": knowledge.index.chunk_count, "first_hybrid_ms": round(first_ms, 1)}
    searches: dict[str, Callable[[str], object]] = {
        "embed_query": knowledge.embedder.query,
        "lexical": lambda query: knowledge.lexical.search(query, 10),
        "vector": lambda query: knowledge.vectors.search(query, 10),
        "hybrid": lambda query: knowledge.hybrid.search(query, query, 10),
    }
    for name, search in searches.items():
        result |= spread(name, [took(search, query) for query in queries])
    result["ask_peak_mb"] = peak_mb()
    result["vector_recall@10"] = recall(knowledge, queries[:50])
    result |= raw_lancedb(knowledge, queries[:50])
    if (rg := find_ripgrep()) is not None:
        command = [str(rg), "--no-config", "--ignore-case", "--fixed-strings", "--count-matches"]

        def grep(query: str) -> object:
            word = max(content_words(query), key=len)
            return subprocess.run([*command, "--", word, str(root)], stdout=subprocess.DEVNULL, check=False)

        result |= spread("ripgrep_one_word", [took(grep, query) for query in queries[:20]])
    result["disk_mb"] = knowledge.index.stats().size_bytes // 1_000_000
    return result


def questions(sentences: list[str], seed: int) -> list[str]:
    """Questions of a few words that stand together somewhere."""
    chance = random.Random(seed + 1)
    found = []
    while len(found) < QUESTIONS:
        words = content_words(chance.choice(sentences))
        if len(words) >= 4:
            start = chance.randrange(len(words) - 3)
            found.append(f"how does {' '.join(words[start : start + chance.randint(2, 4)])} work?")
    return found


def recall(knowledge: KnowledgeBase, queries: list[str]) -> float:
    """Of the ten nearest by an exact scan of the table, how many the index's own search finds."""
    generation = tables.current_generation(knowledge.index.directory, "vectors")
    assert generation is not None
    table = tables.connect(generation).open_table(tables.VECTORS)
    found: list[float] = []
    for query in queries:
        vector = knowledge.embedder.query(query)
        exact = (
            table.search(vector).distance_type("dot").bypass_vector_index().select(["_distance"]).limit(10).to_arrow()
        )
        worst = 1.0 - max(exact["_distance"].to_pylist())
        found.append(sum(cosine >= worst - 1e-5 for _, cosine in knowledge.index.search(vector, 10)) / 10)
    return round(statistics.mean(found), 3)


def raw_lancedb(knowledge: KnowledgeBase, queries: list[str]) -> dict[str, float]:
    """The same two searches as LanceDB's own manual writes them: all columns, no visibility, defaults."""
    from lancedb.query import MatchQuery

    index = knowledge.index
    text, vectors = tables.current_generation(index.directory), tables.current_generation(index.directory, "vectors")
    assert text is not None
    assert vectors is not None
    chunks = tables.connect(text).open_table(tables.CHUNKS)
    table = tables.connect(vectors).open_table(tables.VECTORS)

    def words(query: str) -> object:
        return chunks.search(MatchQuery(" ".join(tokens(query)), "terms"), query_type="fts").limit(10).to_list()

    def nearest(query: str) -> object:
        return table.search(knowledge.embedder.query(query)).distance_type("dot").limit(10).to_list()

    words(queries[0]), nearest(queries[0])
    return spread("raw_lancedb_fts", [took(words, query) for query in queries]) | spread(
        "raw_lancedb_vector", [took(nearest, query) for query in queries]
    )


def took(search: Callable[[str], object], query: str) -> float:
    """Milliseconds."""
    started = time.perf_counter()
    search(query)
    return (time.perf_counter() - started) * 1000


def spread(name: str, values: list[float]) -> dict[str, float]:
    """``name_p50_ms`` and so on."""
    return {f"{name}_p{share}_ms": round(percentile(values, share), 1) for share in (50, 95, 99)}


class timed:
    """Adds the seconds of a block to ``times[name]``."""

    def __init__(self, times: dict[str, float], name: str) -> None:
        self._times, self._name = times, name

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._times[self._name] += time.perf_counter() - self._started


def peak_mb() -> int:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measured(folder: Path, sizes: list[int], scratch: Path) -> Iterator[dict[str, Any]]:
    """One result a size, each built and asked by processes of its own; the index is removed before the next."""
    import shutil

    for size in sizes:
        place = scratch / str(size)
        environment = os.environ | {"XDG_CACHE_HOME": str(place / "cache")}
        result: dict[str, Any] = {"size": size}
        for step in ("build", "ask"):
            command = [sys.executable, __file__, step, str(folder), str(place / "kb"), str(size)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
            result |= json.loads(done.stdout)
        shutil.rmtree(place, ignore_errors=True)
        yield result


if __name__ == "__main__":
    step, folder, root, size = sys.argv[1:]
    print(json.dumps({"build": build, "ask": ask}[step](Path(folder), Path(root), int(size))))
