"""Retrieved passages, and their grades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

GraderAction = Literal["GENERATE", "REFINE", "RE-RETRIEVE"]

GENERATE_THRESHOLD = 0.7
"""Average evidence score from which an answer is written (spec 003, D3; CRAG, Yan et al. 2024)."""

DROP_THRESHOLD = 0.3
"""Average below which retrieval starts over, and single score below which an item is dropped (spec 003, D3)."""


class Hit(Struct, frozen=True, kw_only=True):
    """One passage that a tool returned.

    Attributes:
        path: POSIX path relative to the knowledge base.
        start_line: First line, inclusive, 1-based.
        end_line: Last line, inclusive.
        text: Those lines joined by ``\\n``; it may begin and end within a line (a tool cuts it at 2,000 characters).
        score: The tool's own score; only comparable within one result list, higher is better.
        tool: Name of the tool that found it.
        title: Title of the document.
        heading_path: Headings above the passage.
        signals: Named parts of the score (``cosine``, ``bm25``, ``rank_vector`` …), for explanation and grading.
        matched_lines: Lines inside the passage that matched a keyword, or that state a relation.
        note: One line of explanation: ``PEP 699 ← superseded-by ← PEP 509``.
        locator: Position of the lines in a file that has pages, slides, cells, messages or members; else empty.
    """

    path: str
    start_line: int
    end_line: int
    text: str
    score: float = 0.0
    tool: str = ""
    title: str = ""
    heading_path: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    matched_lines: tuple[int, ...] = ()
    note: str = ""
    locator: str = ""


class Grade(Struct, frozen=True, kw_only=True):
    """The grade of one hit.

    Attributes:
        score: Probability (0 to 1) that the hit helps to answer.
        signals: Parts of the score, as `domain.explanation` describes them.
    """

    score: float
    signals: Mapping[str, float] = field(default_factory=dict)


class Evidence(Struct, frozen=True, kw_only=True):
    """A hit that was graded for one sub-question.

    Attributes:
        evidence_id: Unique within a run: ``e1``, ``e2`` …
        sub_question: The ``semantic_intent`` it was retrieved for.
        score: 0 to 1, the probability that it helps to answer the sub-question.
        kept: False where it was dropped (score below 0.3).
        signals: Parts of the score, as `domain.explanation` describes them.
    """

    evidence_id: str
    hit: Hit
    sub_question: str
    score: float
    kept: bool
    signals: Mapping[str, float] = field(default_factory=dict)


def source_tag(path: str, line: int) -> str:
    """The marker in front of every context item, ``[SOURCE:{path}:L{line}]`` (spec 003, D4)."""
    return f"[SOURCE:{path}:L{line}]"


class NearPlace(Struct, frozen=True, kw_only=True):
    """About two sentences of a document that are close to a question in meaning.

    Attributes:
        start_line: First line of the passage that contains them.
        end_line: Last line of that passage, inclusive.
        text: The sentences, without mark-up.
        cosine: Cosine similarity of the question and the sentences.
    """

    start_line: int
    end_line: int
    text: str
    cosine: float
