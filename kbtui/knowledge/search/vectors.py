"""Passages that mean the same as a question, whatever their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kbtui.domain.evidence import Hit
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.embedding import Embedder, Vectors
from kbtui.knowledge.reading.terms import as_hit
from kbtui.knowledge.search.ranking import ranked
from kbtui.knowledge.store.index import Index
from kbtui.text.language import cjk_share

if TYPE_CHECKING:
    from kbtui.knowledge.search.translator import Translator

TOOL: Final = "vector_search"

LEAST_TRUST: Final = 0.5
"""A question of which the model can read less than this is left to the words."""
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

        Passages that have no vector yet are not among them; without any vector, the model is not even loaded.

        Nothing for a query that is mostly Chinese, Japanese or Korean when the model was trained on English alone: its
        ranking is near chance (nDCG@10 .245 on CMRC 2018, lexical .986) and would only push good passages down. Where
        the folder has English text, such a query is asked in English words.

        Args:
            query: What is wanted, in words.
            k: Most hits.

        Raises:
            KnowledgeBaseError: The index was made with another embedding model.
            IndexCorrupt: The index cannot be read.
            EmbeddingError: The model cannot be loaded.
        """
        if self._translator is not None and self.trust(query) < LEAST_TRUST:
            query = self._translator.translated(query).text
        vector = self.vector_of(query)
        if vector is None:
            return []
        return [
            as_hit(chunk, one.candidate.cosine or 0.0, TOOL, one.signals)
            for chunk, one in ranked(self._index, vector, (), max(_DEPTH, 2 * k), k)
        ]

    def trust(self, query: str) -> float:
        """How much of ``query`` the model can read, 0 to 1: Chinese is strange to a model of English."""
        return 1.0 if self._embedder.is_multilingual else 1.0 - cjk_share(query)

    def vector_of(self, query: str) -> Vectors | None:
        """The vector of a question; None where there is nothing to compare it with, or the model cannot read it.

        Raises:
            KnowledgeBaseError: The index was made with another embedding model.
            IndexCorrupt: The index cannot be read.
            EmbeddingError: The model cannot be loaded.
        """
        if not query.strip() or self.trust(query) < LEAST_TRUST:
            return None
        if not self._index.has_vectors():
            return None
        if self._index.fingerprint != self._embedder.fingerprint:
            raise KnowledgeBaseError(
                "The index was made with another embedding model than the one that is set.",
                "Run `kbtui index` on the folder.",
            )
        return self._embedder.query(query)
