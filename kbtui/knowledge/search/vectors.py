"""Passages that mean the same as a question, whatever their words."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from kbtui.domain.evidence import Hit
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.embedding import Embedder, Vectors
from kbtui.knowledge.embedding.port import LEAST_TRUST
from kbtui.knowledge.reading.terms import as_hit
from kbtui.knowledge.search.made_vectors import MadeVectors
from kbtui.knowledge.search.ranking import ranked
from kbtui.knowledge.store.index import Index
from kbtui.text.language import is_mostly_cjk

if TYPE_CHECKING:
    from kbtui.knowledge.search.translator import Translator

TOOL: Final = "vector_search"

LEAST_CHINESE: Final = 0.02
"""Share of a folder's chunks in Chinese from which a Chinese question has something to be compared with."""

HARDLY_OTHER: Final = 0.2
"""Share of other chunks below which a question in another language is compared with the Chinese ones."""
# The chunks that are nearest are ordered anew by their best window, so more of them are looked at.
_DEPTH: Final = 50


class VectorSearcher:
    """Cosine search over the index of a folder.

    Args:
        translator: Puts a question that the model cannot read in the language of the folder's text, where it can.
    """

    def __init__(self, index: Index, embedder: Embedder, translator: Translator | None = None) -> None:
        self._index = index
        self._embedder = embedder
        self._translator = translator

    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` passages nearest to ``query``, best first, with the cosine of their best window as score.

        Passages that have no vector yet are not among them; without any vector, the model is not even loaded. Where the
        folder has text in another language, ``query`` is asked in that too.

        Args:
            query: What is wanted, in words.
            k: Most hits.

        Raises:
            KnowledgeBaseError: The index was made with another embedding model.
            IndexCorrupt: The index cannot be read.
            EmbeddingError: The model cannot be loaded.
        """
        asked = [query]
        if self._translator is not None and (translated := self._translator.translated(query).text):
            asked.append(translated)
        best: dict[tuple[str, int, int], Hit] = {}
        for hit in (hit for question in asked for hit in self._nearest(question, k)):
            place = (hit.path, hit.start_line, hit.end_line)
            if place not in best or best[place].score < hit.score:
                best[place] = hit
        return sorted(best.values(), key=lambda hit: (-hit.score, hit.path, hit.start_line))[:k]

    def _nearest(self, query: str, k: int) -> list[Hit]:
        vector = self.vector_of(query)
        if vector is None:
            return []
        return [
            as_hit(chunk, one.candidate.cosine or 0.0, TOOL, one.signals)
            for chunk, one in ranked(self._index, vector, (), max(_DEPTH, 2 * k), k)
        ]

    def trust(self, query: str) -> float:
        """How well the model tells texts like ``query`` apart, 0 to 1."""
        return self._embedder.trust(query)

    @cached_property
    def made(self) -> MadeVectors:
        """Makes vectors of passages that have none."""
        return MadeVectors(self._embedder)

    def vector_of(self, query: str, *, made: bool = False) -> Vectors | None:
        """The vector of a question; None where there is nothing to compare it with, or the model cannot read it.

        A question in Chinese is compared with Chinese text. One in another language is compared with Chinese text where
        the folder has hardly any other.

        Raises:
            KnowledgeBaseError: The index was made with another embedding model.
            IndexCorrupt: The index cannot be read.
            EmbeddingError: The model cannot be loaded.
        """
        trust = self.trust(query)
        if not query.strip() or trust < LEAST_TRUST:
            return None
        if not self._index.has_vectors():
            if not made:
                return None
        elif self._index.fingerprint != self._embedder.fingerprint:
            raise KnowledgeBaseError(
                "The index was made with another embedding model than the one that is set.",
                "Run `kbtui index` on the folder.",
            )
        chinese = self._index.chinese_share() or 0.0
        if not is_mostly_cjk(query):
            return self._embedder.query(query, to_cjk=True if chinese > 1.0 - HARDLY_OTHER else None)
        # A model that reads all languages alike compares a question with text in any of them.
        return None if trust < 1.0 and chinese < LEAST_CHINESE else self._embedder.query(query)
