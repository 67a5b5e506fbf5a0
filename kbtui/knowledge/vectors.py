"""Passages that mean the same as a question, whatever their words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kbtui.domain.evidence import Hit
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.embedding import Embedder
from kbtui.knowledge.index import Index
from kbtui.text.language import cjk_share

TOOL: Final = "vector_search"

_MOSTLY_CJK: Final = 0.5


class VectorSearcher:
    """Exact cosine search over the index of a folder."""

    def __init__(self, index: Index, embedder: Embedder) -> None:
        self._index = index
        self._embedder = embedder

    def search(self, query: str, k: int, paths: Iterable[str] | None = None) -> list[Hit]:
        """The ``k`` passages nearest to ``query``, best first, with their cosine as score.

        Passages that have no vector yet are not among them; without any vector, the model is not even loaded.

        Nothing for a query that is mostly Chinese, Japanese or Korean when the model was trained on English alone: its
        ranking is near chance (nDCG@10 .245 on CMRC 2018, lexical .986) and would only push good passages down.

        Args:
            query: What is wanted, in words.
            k: Most hits.
            paths: Search these files only.

        Raises:
            KnowledgeBaseError: The index was made with another embedding model.
            IndexCorrupt: The index cannot be read.
            EmbeddingError: The model cannot be loaded.
        """
        if not query.strip() or (cjk_share(query) > _MOSTLY_CJK and not self._embedder.is_multilingual):
            return []
        if not self._index.has_vectors():
            return []
        if self._index.fingerprint != self._embedder.fingerprint:
            raise KnowledgeBaseError(
                "The index was made with another embedding model than the one that is set.",
                "Run `kbtui index` on the folder.",
            )
        return [
            Hit(
                path=chunk.path,
                start_line=chunk.start_line,
                end_line=chunk.end_line,
                text=chunk.text,
                score=cosine,
                tool=TOOL,
                title=chunk.title,
                heading_path=chunk.heading_path,
                signals={"cosine": cosine},
            )
            for chunk, cosine in self._index.search(self._embedder.query(query), k, paths)
        ]
