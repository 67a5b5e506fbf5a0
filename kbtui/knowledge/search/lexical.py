"""Passages that share words with a question, from the full-text index: all of the folder, in milliseconds."""

from __future__ import annotations

from typing import Final

from kbtui.domain.evidence import Hit
from kbtui.knowledge.reading.terms import as_hit, query_terms
from kbtui.knowledge.store.index import Index

TOOL: Final = "lexical"


class LexicalSearcher:
    """BM25 over the index of a folder, there before any vector is."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` passages that match the words of ``query`` best, best first, with their BM25 as score.

        Args:
            query: Words, keywords or a question; any one of them may match.
            k: Most hits.

        Raises:
            IndexCorrupt: The index cannot be read.
            StorageError: The system does not let it be read.
        """
        return [
            as_hit(chunk, score, TOOL, {"bm25": score}) for chunk, score in self._index.matching(query_terms(query), k)
        ]
