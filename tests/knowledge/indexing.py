"""What the index tests share: a reader and an embedder that take no time, and a folder to index."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from kbtui.domain.document import Chunk, FileRecord, Relation
from kbtui.domain.events import Event
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import Notify, OnBatch, Span, Vectors
from kbtui.knowledge.reading.extraction import Reading
from kbtui.knowledge.reading.walk_types import WalkedFile
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.indexer import Indexer, IndexReport
from kbtui.settings.model import EmbeddingSettings, IndexSettings, Settings
from kbtui.text.language import cjk_share

DIMENSION = 16


class FakeEmbedder:
    """A vector made of the text's hash: equal texts have equal vectors, different ones almost orthogonal ones."""

    dimension = DIMENSION

    def __init__(self, fingerprint: str = "fake-1", before_each: Callable[[str], None] = lambda _text: None) -> None:
        self.fingerprint = fingerprint
        self.encoded: list[str] = []
        self.loads = 0
        self._before_each = before_each

    def load(self, notify: Notify | None = None) -> None:
        self.loads += 1

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        for text in texts:
            if cancel is not None:
                cancel.check()
            self._before_each(text)
            self.encoded.append(text)
            if on_batch is not None:
                on_batch(1)
        return np.array([self.query(text) for text in texts], dtype=np.float32).reshape(-1, DIMENSION)

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        parts = [
            np.array([self.query(text[start:stop]) for start, stop in found], dtype=np.float32).reshape(-1, DIMENSION)
            for text, found in zip(texts, spans, strict=True)
        ]
        return self.encode(texts, on_batch, cancel), parts

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        cosines = self.encode(texts) @ self.query(question)
        return cosines, cosines

    def across_languages(self, question: str, texts: Sequence[str]) -> Vectors:
        return self.encode(texts) @ self.query(question)

    def trust(self, text: str) -> float:
        return 1.0 - cjk_share(text)

    def knows_word(self, word: str) -> bool:
        return True

    def query(self, text: str, *, to_cjk: bool | None = None) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
        return vector / np.linalg.norm(vector)


def read_paragraphs(file: WalkedFile, settings: IndexSettings) -> Reading:
    """One chunk a paragraph, one relation for each line ``-> target``."""
    data = file.absolute.read_bytes()
    lines = data.decode().split("\n")
    chunks, relations, start = [], [], None
    for number, line in enumerate([*lines, ""], start=1):
        if line.startswith("-> "):
            relations.append(
                Relation(source_path=file.path, relation="mentions", target=line[3:], line=number, text=line)
            )
        if line and start is None:
            start = number
        elif not line and start is not None:
            text = "\n".join(lines[start - 1 : number - 1])
            chunks.append(Chunk(path=file.path, start_line=start, end_line=number - 1, text=text, title=lines[0]))
            start = None
    return Reading(
        record=FileRecord(
            path=file.path,
            kind="text",
            title=lines[0],
            line_count=len(lines),
            chunk_count=len(chunks),
            sha256=hashlib.sha256(data).hexdigest(),
            size=file.size,
            mtime_ns=file.mtime_ns,
        ),
        chunks=tuple(chunks),
        embedding_texts=tuple(chunk.text for chunk in chunks),
        relations=tuple(relations),
    )


def chunk_set(index: Index) -> list[tuple[object, ...]]:
    """Every chunk as a comparable tuple, sorted: two indexes of one folder are equal when these are."""
    return sorted((c.path, c.start_line, c.end_line, c.text, c.title, c.heading_path, c.kind) for c in index.chunks())


def write_folder(root: Path, files: Mapping[str, str], age_s: float = 3600) -> Path:
    """Write ``files``, last changed ``age_s`` seconds ago, as those of a real folder mostly are."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        changed = time.time_ns() - int(age_s * 1e9)
        os.utime(path, ns=(changed, changed))
    return root


def indexer(root: Path, embedder: FakeEmbedder, settings: Settings | None = None) -> Indexer:
    def open_embedder(_settings: EmbeddingSettings) -> FakeEmbedder:
        return embedder

    return Indexer(
        root,
        settings or Settings(),
        open_embedder=open_embedder,
        read=read_paragraphs,
        embedding_text=lambda chunk: chunk.text,
    )


def run(
    root: Path,
    embedder: FakeEmbedder | None = None,
    *,
    emit: Callable[[Event], None] = lambda _event: None,
    rebuild: bool = False,
    settings: Settings | None = None,
) -> IndexReport:
    return indexer(root, embedder or FakeEmbedder(), settings).run(emit, CancelToken(), rebuild=rebuild)
