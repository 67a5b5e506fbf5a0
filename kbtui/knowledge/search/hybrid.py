"""Meaning and exact words at once, each side with its own text (specs 001 D2 and 003 D2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, KbtuiError
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.reading.terms import as_hit, query_terms
from kbtui.knowledge.search.copies import without_copies
from kbtui.knowledge.search.focus import POOL, ReadLines, focused
from kbtui.knowledge.search.fusion import convex, rrf
from kbtui.knowledge.search.naming import FileNames
from kbtui.knowledge.search.ranking import names_something, ranked
from kbtui.settings.model import RetrievalSettings
from kbtui.text.tokenise import tokens

if TYPE_CHECKING:
    from kbtui.knowledge.search.lexical import LexicalSearcher
    from kbtui.knowledge.search.translator import Translator
    from kbtui.knowledge.search.vectors import VectorSearcher
    from kbtui.knowledge.store.index import Index

TOOL: Final = "hybrid_search"

DEPTH: Final = 150
"""Passages of each side that are ranked together. A third of it, or twice as many, changed nDCG@10 by .002 at most."""


class HybridSearcher:
    """Vectors and full text over one folder.

    Args:
        lines: Reads its files, to narrow what is found in them.
        names: Of its files, to know which of them a question names.
        translator: Puts a question in the language of the folder's text, where that is another.
    """

    def __init__(
        self,
        index: Index,
        vectors: VectorSearcher,
        lexical: LexicalSearcher,
        settings: RetrievalSettings,
        lines: ReadLines,
        names: FileNames,
        translator: Translator | None = None,
    ) -> None:
        self._index = index
        self._vectors = vectors
        self._lexical = lexical
        self._settings = settings
        self._lines = lines
        self._names = names
        self._translator = translator

    def search(
        self, semantic_query: str, exact_keywords: str, k: int, cancel: CancelToken | None = None
    ) -> tuple[list[Hit], str]:
        """The best passages of both sides, and a note on what was left out; the note may be empty.

        The vector side is given ``semantic_query`` alone and the lexical side ``exact_keywords`` alone; an empty text
        leaves its side out, in every language. Without vectors the words answer alone, and the note says why where
        something failed.

        Raises:
            KbtuiError: The index cannot be read.
            Cancelled: The run was stopped.
        """
        cancel = cancel or CancelToken()
        readings = self._readings(semantic_query, exact_keywords)
        hits, note = self._found(readings, 2 * max(k, POOL), cancel)
        hits = without_copies(hits, max(k, POOL))
        hits = focused(hits, " ".join(f"{question} {keywords}" for question, keywords, _ in readings), self._lines)[:k]
        wanted = frozenset(query_terms(" ".join(keywords for _, keywords, _ in readings)))
        return [replace(hit, tool=TOOL, matched_lines=_matching(hit, wanted)) for hit in hits], note

    def best_score(self, semantic_query: str, exact_keywords: str) -> float:
        """The score of the best passage that `search` finds; 0 where it finds none.

        Raises:
            KbtuiError: As `search`.
        """
        hits, _ = self._found(self._readings(semantic_query, exact_keywords), 1, CancelToken())
        return max((hit.score for hit in hits), default=0.0)

    def _found(self, readings: Sequence[tuple[str, str, float]], k: int, cancel: CancelToken) -> tuple[list[Hit], str]:
        """The ``k`` best passages of each reading, best first, and a note as that of `search`."""
        note = ""
        found: dict[tuple[str, int, int, str], Hit] = {}
        for question, keywords, share in readings:
            vector = None
            try:
                vector = self._vectors.vector_of(question, made=bool(keywords.strip())) if question.strip() else None
            except Cancelled:
                raise
            except KbtuiError as error:
                if not readings[0][1].strip():
                    raise
                note = f"one side failed: {error.message}"
            cancel.check()
            if self._settings.fusion == "auto":
                hits = self._ranked(vector, question, keywords, k)
            else:
                hits = self._merged(question if vector is not None else "", keywords)
            cancel.check()
            for hit in hits:
                place = (hit.path, hit.start_line, hit.end_line, hit.text)
                if place not in found or found[place].score < hit.score * share:
                    found[place] = replace(hit, score=round(hit.score * share, 9))
        hits = list(found.values())
        if len(readings) > 1:
            hits.sort(key=lambda hit: (-hit.score, hit.path, hit.start_line))
        return hits, note

    def _readings(self, question: str, keywords: str) -> list[tuple[str, str, float]]:
        """Question and keywords as given, and in the other language of the folder; with what share of them that is."""
        given = (question, keywords, 1.0)
        if self._translator is None:
            return [given]
        asked, words = self._translator.translated(question), self._translator.translated(keywords)
        if not asked.words and not words.words:
            return [given]
        return [given, (asked.text, words.text, asked.share if asked.words else words.share)]

    def _ranked(self, vector: Vectors | None, question: str, keywords: str, k: int) -> list[Hit]:
        trust = self._vectors.trust(question)
        terms = query_terms(keywords) if keywords.strip() else []
        named = self._names.named(keywords) if terms else {}
        plain = not names_something(question)
        found = ranked(
            self._index, vector, terms, max(DEPTH, k), k, trust=trust, named=named, plain=plain, made=self._vectors.made
        )
        return [as_hit(chunk, one.score, TOOL, one.signals) for chunk, one in found]

    def _merged(self, question: str, keywords: str) -> list[Hit]:
        near = self._vectors.search(question, DEPTH) if question else []
        words = self._lexical.search(keywords, DEPTH) if keywords.strip() else []
        if self._settings.fusion == "rrf":
            return rrf([near, words], self._settings.rrf_k)
        return convex(near, words, self._settings.vector_weight)


def _matching(hit: Hit, wanted: frozenset[str]) -> tuple[int, ...]:
    """The lines of a hit that hold one of the terms."""
    return tuple(
        number
        for number, line in enumerate(hit.text.split("\n"), hit.start_line)
        if line.strip() and not wanted.isdisjoint(tokens(line))
    )
