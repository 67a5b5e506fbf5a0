"""What is written to the index at once: pieces of files, bounded in number.

A batch is what a kill can cost, so it is small; a file may be larger than one, and is committed with its last piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.domain.document import Chunk, Relation
from kbtui.knowledge.embedding import Vectors
from kbtui.knowledge.index_tables import ChunkRow, StoredFile

BATCH_EMBEDDED: Final = 256
"""Chunks embedded between two commits: about three seconds of work."""
BATCH_CHUNKS: Final = 2048


@dataclass(slots=True, kw_only=True)
class Pending:
    """A file that was read and is not committed yet."""

    stored: StoredFile
    chunks: Sequence[Chunk]
    hashes: Sequence[str]
    texts: Sequence[str]
    relations: Sequence[Relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Chunks ``start..stop`` of a file, those that are written together."""

    pending: Pending
    start: int
    stop: int

    @property
    def hashes(self) -> Sequence[str]:
        return self.pending.hashes[self.start : self.stop]

    @property
    def texts(self) -> Sequence[str]:
        return self.pending.texts[self.start : self.stop]

    @property
    def is_last(self) -> bool:
        return self.stop == len(self.pending.chunks)

    @property
    def rows(self) -> Iterator[ChunkRow]:
        for chunk, text_hash in zip(self.pending.chunks[self.start : self.stop], self.hashes, strict=True):
            yield ChunkRow(chunk=chunk, embed_hash=text_hash, stamp=self.pending.stored.stamp)


def batches(wave: Iterable[Pending], known: Mapping[str, Vectors]) -> Iterator[list[Piece]]:
    """The wave in pieces, bounded by chunks to embed and by chunks in all; a large file spans several."""
    pieces: list[Piece] = []
    fresh: set[str] = set()
    size = 0
    for pending in wave:
        start = 0
        for number, text_hash in enumerate(pending.hashes, start=1):
            if text_hash not in known:
                fresh.add(text_hash)
            if len(fresh) >= BATCH_EMBEDDED or size + number - start >= BATCH_CHUNKS:
                yield [*pieces, Piece(pending=pending, start=start, stop=number)]
                pieces, fresh, size, start = [], set(), 0, number
        if start < len(pending.hashes) or not pending.hashes:
            pieces.append(Piece(pending=pending, start=start, stop=len(pending.hashes)))
            size += len(pending.hashes) - start
    if pieces:
        yield pieces


def row_only(stored: StoredFile) -> Pending:
    return Pending(stored=stored, chunks=(), hashes=(), texts=(), relations=())
