"""The text and the vectors of several indexes as those of one.

A row is known by the number of its index above the id that it has there. BM25 is weighed by how rare the terms are in
all folders: what one folder says on every page tells as little there as it does in a folder that hardly has it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from kbtui.domain.document import Chunk, Relation
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.store.index_rows import StoredFile
from kbtui.knowledge.store.index_view import TextView
from kbtui.knowledge.store.lexicon import K1, Lexicon, idf
from kbtui.knowledge.store.vector_view import VectorView

T = TypeVar("T")
Keys = npt.NDArray[np.int64]

_ROW_BITS: Final = 56
_ROW: Final = (1 << _ROW_BITS) - 1


class JoinedLexicon:
    """The vocabulary of several folders; see `Lexicon`.

    Args:
        members: Their lexicons.
    """

    def __init__(self, members: Sequence[Lexicon]) -> None:
        self._members = members

    @cached_property
    def terms(self) -> Sequence[str]:
        """All tokens, sorted."""
        return sorted(set().union(*(member.terms for member in self._members)))

    @cached_property
    def passage_count(self) -> int:
        return sum(member.passage_count for member in self._members)

    def __contains__(self, term: str) -> bool:
        return any(term in member for member in self._members)

    def passages_with(self, term: str) -> int:
        """Number of passages that contain ``term``."""
        return sum(member.passages_with(term) for member in self._members)

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """The rarity of each term over all folders, 0 to 1; empty where there are no passages."""
        count = self.passage_count
        if not count:
            return {}
        return {term: self.weight(term) / idf(0, count) for term in dict.fromkeys(terms)}

    def weight(self, term: str) -> float:
        """The inverse document frequency of a term over all folders."""
        return idf(self.passages_with(term), self.passage_count)

    def share_with(self, terms: Iterable[str]) -> float:
        """As of `Lexicon`, over all folders."""
        terms = list(terms)
        held = sum(member.share_with(terms) * member.passage_count for member in self._members)
        return held / max(self.passage_count, 1)


class JoinedText:
    """The views of the texts of several folders as one; see `TextView`.

    Args:
        members: The views, by name of the folder, ordered by the paths of its files.
    """

    def __init__(self, members: Mapping[str, TextView]) -> None:
        self.members = members
        self._views = tuple(members.values())

    @property
    def version(self) -> str:
        return "|".join(f"{name}={view.version}" for name, view in self.members.items())

    @cached_property
    def stored(self) -> list[StoredFile]:
        return [_moved(name, file) for name, view in self.members.items() for file in view.stored]

    @cached_property
    def committed(self) -> list[StoredFile]:
        return [_moved(name, file) for name, view in self.members.items() for file in view.committed]

    @property
    def chunk_count(self) -> int:
        return sum(view.chunk_count for view in self._views)

    @cached_property
    def lexicon(self) -> JoinedLexicon:
        return JoinedLexicon([view.lexicon for view in self._views])

    @property
    def keys(self) -> Keys:
        return np.concatenate([view.keys for view in self._views])

    @cached_property
    def place_of(self) -> dict[str, int]:
        return {file.record.path: place for place, file in enumerate(self.committed)}

    @cached_property
    def several_passages(self) -> float:
        counts = [file.record.chunk_count for file in self.committed if file.record.chunk_count]
        return sum(count > 1 for count in counts) / max(len(counts), 1)

    def chunks(self, paths: Iterable[str] | None = None) -> list[Chunk]:
        wanted = None if paths is None else self._by_member(paths)
        return [
            replace(chunk, path=f"{name}/{chunk.path}")
            for name, view in self.members.items()
            for chunk in view.chunks(None if wanted is None else wanted.get(name, ()))
        ]

    def keyed_chunks(self, paths: Iterable[str]) -> list[tuple[Chunk, int]]:
        wanted = self._by_member(paths)
        return [
            (replace(chunk, path=f"{name}/{chunk.path}"), key)
            for name, view in self.members.items()
            if name in wanted
            for chunk, key in view.keyed_chunks(wanted[name])
        ]

    def chunks_at(self, ids: Sequence[int] | npt.NDArray[Any]) -> list[Chunk]:
        def read(name: str, view: TextView, rows: Sequence[int]) -> list[Chunk]:
            return [replace(chunk, path=f"{name}/{chunk.path}") for chunk in view.chunks_at(rows)]

        return self._of_rows([int(row) for row in ids], read)

    def facts_at(self, ids: Sequence[int]) -> list[tuple[str, int, str, int]]:
        def read(name: str, view: TextView, rows: Sequence[int]) -> list[tuple[str, int, str, int]]:
            return [(f"{name}/{path}", line, terms, key) for path, line, terms, key in view.facts_at(rows)]

        return self._of_rows(ids, read)

    def matching(self, terms: Sequence[str], k: int, paths: Collection[str] = ()) -> list[tuple[int, float]]:
        wanted = self._by_member(paths)
        best = []
        for number, (name, view) in enumerate(self.members.items()):
            if paths and name not in wanted:
                continue
            scale = self._scale(view, terms)
            best += [
                (row | number << _ROW_BITS, score * scale)
                for row, score in view.matching(terms, k, wanted.get(name, ()))
            ]
        return sorted(best, key=lambda pair: -pair[1])[:k]

    def best_of(self, term: str) -> float:
        having = [view for view in self._views if term in view.lexicon]
        if not having:
            return idf(0, self.chunk_count) * (K1 + 1)
        return max(view.best_of(term) * self._scale(view, [term]) for view in having)

    def document_shares(self, terms: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.concatenate([view.document_shares(terms) for view in self._views])

    @cached_property
    def relations(self) -> list[Relation]:
        return [relation for name, view in self.members.items() for relation in _moved_relations(name, view)]

    @property
    def relation_count(self) -> int:
        return sum(view.relation_count for view in self._views)

    def verify(self) -> None:
        for view in self._views:
            view.verify()

    def _scale(self, view: TextView, terms: Sequence[str]) -> float:
        """How much more the terms tell over all folders than in one of them."""
        held = [term for term in terms if term in view.lexicon]
        own = sum(idf(view.lexicon.passages_with(term), view.lexicon.passage_count) for term in held)
        return sum(map(self.lexicon.weight, held)) / own if own else 1.0

    def _by_member(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """The paths within each folder, by its name."""
        grouped: dict[str, list[str]] = {}
        for path in paths:
            name, _, inner = path.partition("/")
            if name in self.members:
                grouped.setdefault(name, []).append(inner)
        return grouped

    def _of_rows(self, ids: Sequence[int], read: Callable[[str, TextView, Sequence[int]], list[T]]) -> list[T]:
        """What ``read`` returns for the rows of each folder, in the order of ``ids``."""
        found: dict[int, T] = {}
        for number, (name, view) in enumerate(self.members.items()):
            own = [row for row in dict.fromkeys(ids) if row >> _ROW_BITS == number]
            if own:
                found |= zip(own, read(name, view, [row & _ROW for row in own]), strict=True)
        return [found[row] for row in ids]


class JoinedVectors:
    """The vectors of several folders as one; see `VectorView`.

    Args:
        members: The view of each folder of ``text``, in its order; None for a folder without vectors.
    """

    def __init__(self, members: Sequence[VectorView | None]) -> None:
        self._members = members
        self._there = [view for view in members if view is not None]

    @property
    def count(self) -> int:
        return sum(view.count for view in self._there)

    @property
    def keys(self) -> Keys:
        return np.concatenate([view.keys for view in self._there])

    def share_of(self, text: JoinedText) -> float:
        shares = [
            (view.share_of(own) if view is not None else 0.0) * own.chunk_count for view, own in self._pairs(text)
        ]
        return sum(shares) / text.chunk_count if text.chunk_count else 1.0

    def search(self, text: JoinedText, vector: Vectors, k: int) -> list[tuple[int, float]]:
        near = [
            (row | number << _ROW_BITS, cosine)
            for number, (view, own) in enumerate(self._pairs(text))
            if view is not None
            for row, cosine in view.search(own, vector, k)
        ]
        return sorted(near, key=lambda pair: -pair[1])[:k]

    def compare(self, keys: Keys, vector: Vectors) -> dict[int, tuple[float, float]]:
        found: dict[int, tuple[float, float]] = {}
        for view in self._there:
            found |= view.compare(keys, vector)
        return found

    def compare_windows(self, keys: Keys, vector: Vectors) -> dict[int, Vectors]:
        found: dict[int, Vectors] = {}
        for view in self._there:
            found |= view.compare_windows(keys, vector)
        return found

    def document_cosines(self, text: JoinedText, vector: Vectors) -> npt.NDArray[np.float32] | None:
        parts = []
        for view, own in self._pairs(text):
            cosines = view.document_cosines(own, vector) if view is not None else None
            parts.append(np.full(len(own.committed), np.nan, dtype=np.float32) if cosines is None else cosines)
        return np.concatenate(parts) if parts else None

    def _pairs(self, text: JoinedText) -> list[tuple[VectorView | None, TextView]]:
        return list(zip(self._members, text.members.values(), strict=True))


def _moved(name: str, file: StoredFile) -> StoredFile:
    return replace(file, record=replace(file.record, path=f"{name}/{file.record.path}"))


def _moved_relations(name: str, view: TextView) -> Iterable[Relation]:
    """The relations of a folder; a target that is a file of it is named as such, as two folders may have it."""
    # Each path is one text, however many relations name it: of half a million that saves half of the memory.
    moved = {"": ""} | {path: f"{name}/{path}" for path in view.place_of}
    for relation in view.read_relations():
        yield replace(
            relation,
            source_path=moved.get(relation.source_path, f"{name}/{relation.source_path}"),
            target=moved.get(relation.target, relation.target),
            target_path=moved.get(relation.target_path, f"{name}/{relation.target_path}"),
        )
