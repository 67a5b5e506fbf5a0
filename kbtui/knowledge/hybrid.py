"""Both searches side by side, each with its own text, and what they find merged (specs 001 D2 and 003 D2)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final, Protocol

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, KbtuiError
from kbtui.knowledge.fusion import convex, rrf
from kbtui.settings.model import RetrievalSettings
from kbtui.text.language import cjk_share

# How many passages of each side are merged. Min-max scaling needs to see how low cosines get, and a longer vector list
# costs nothing; every passage of grep is read and ranked. Deeper ones measured hardly better.
_VECTOR_DEPTH: Final = 100
_GREP_DEPTH: Final = 40


class VectorSide(Protocol):
    def search(self, query: str, k: int) -> list[Hit]: ...


class GrepSide(Protocol):
    @property
    def note(self) -> str: ...

    def search(self, keywords: str | Sequence[str], k: int, cancel: CancelToken | None = None) -> list[Hit]: ...


class Speaks(Protocol):
    @property
    def is_multilingual(self) -> bool: ...


class HybridSearcher:
    """Vectors and grep over one folder."""

    def __init__(self, vectors: VectorSide, grep: GrepSide, embedder: Speaks, settings: RetrievalSettings) -> None:
        self._vectors = vectors
        self._grep = grep
        self._embedder = embedder
        self._settings = settings

    def search(
        self, semantic_query: str, exact_keywords: str, k: int, cancel: CancelToken | None = None
    ) -> tuple[list[Hit], str]:
        """The best passages of both sides, and a note on what was left out; the note may be empty.

        The vector side is given ``semantic_query`` alone and grep ``exact_keywords`` alone; an empty text leaves its
        side out. When one side fails, the other answers, and the note says why.

        Raises:
            KbtuiError: Both sides failed.
            Cancelled: The run was stopped.
        """
        cancel = cancel or CancelToken()
        weight = vector_weight(semantic_query, self._settings.vector_weight, self._embedder.is_multilingual)
        wants_grep = bool(exact_keywords.strip())
        # Where the model cannot read the question its ranking is noise, and grep answers alone.
        wants_vector = bool(semantic_query.strip()) and (weight > 0 or not wants_grep)
        problems: list[KbtuiError] = []
        vector_hits: list[Hit] = []
        grep_hits: list[Hit] = []
        with ThreadPoolExecutor(1, thread_name_prefix="kbtui-hybrid") as pool:
            lexical = (
                pool.submit(self._grep.search, exact_keywords, max(k, _GREP_DEPTH), cancel) if wants_grep else None
            )
            if wants_vector:
                try:
                    vector_hits = self._vectors.search(semantic_query, max(k, _VECTOR_DEPTH))
                except Cancelled:
                    raise
                except KbtuiError as error:
                    problems.append(error)
            if lexical is not None:
                try:
                    grep_hits = lexical.result()
                except Cancelled:
                    raise
                except KbtuiError as error:
                    problems.append(error)
        if len(problems) == wants_vector + wants_grep and problems:
            raise problems[0]
        merged = self._merge(vector_hits, grep_hits, weight)
        notes = [f"one side failed: {error.message}" for error in problems] + ([self._grep.note] if wants_grep else [])
        return [replace(hit, tool="hybrid_search") for hit in merged[:k]], "; ".join(note for note in notes if note)

    def _merge(self, vector_hits: Sequence[Hit], grep_hits: Sequence[Hit], weight: float) -> list[Hit]:
        if self._settings.fusion == "rrf":
            return rrf([vector_hits, grep_hits], self._settings.rrf_k)
        if self._settings.fusion == "convex":
            weight = self._settings.vector_weight
        return convex(vector_hits, grep_hits, weight)


def vector_weight(semantic_query: str, usual: float, multilingual: bool) -> float:
    """How much the vector side counts, 0 to 1, where the settings leave it to us (``retrieval.fusion = "auto"``).

    The usual weight, less the more of the question is Chinese where the model knows no Chinese. To trust the lexical
    side more where keywords are identifiers was tried and made both dev sets worse: its weight is larger anyway.
    """
    return usual if multilingual else usual * (1.0 - cjk_share(semantic_query))
