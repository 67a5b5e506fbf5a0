"""The protocols between rooms: router, graders and writer, and what they exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.cancel import CancelToken as CancelToken
from kbtui.domain.events import Deviation, Event
from kbtui.domain.evidence import Evidence, Grade, Hit
from kbtui.domain.routing import RetrievalHint, Routing, SubQuestion
from kbtui.domain.usage import Usage

Emit = Callable[[Event], None]
"""Emits one event; the run that receives it adds run id, sequence number and time."""


class QueryRouter(Protocol):
    """Routes a question: decides its type, complexity, sub-questions and tools."""

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """Route ``query``; ``hint`` holds what earlier passes tried and still lack."""


class EvidenceGrader(Protocol):
    """Scores each hit with the probability (0 to 1) that it helps to answer the sub-question."""

    def grade(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[float]:
        """One score for each hit, in the same order."""


@runtime_checkable
class BatchGrader(Protocol):
    """A grader that grades the hits of all sub-questions of a pass in one call."""

    def grade_all(self, asked: Sequence[tuple[SubQuestion, Sequence[Hit]]]) -> list[list[Grade]]:
        """For each sub-question, one grade for each of its hits, in the same order."""


@runtime_checkable
class ExplainingGrader(Protocol):
    """A grader that explains its scores."""

    def grades(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[Grade]:
        """One grade for each hit, in the same order, with the scores of ``grade``."""


class WritingBrief(Struct, frozen=True, kw_only=True):
    """The input of a writer: the question, its routing and the evidence.

    Attributes:
        evidence: The kept evidence, best first.
        found: All evidence, including what was dropped: it shows which documents to read, and is not quoted itself.
    """

    query: str
    routing: Routing
    evidence: tuple[Evidence, ...] = ()
    found: tuple[Evidence, ...] = ()


class RunSummary(Struct, frozen=True, kw_only=True):
    """The totals of a run, for its last event."""

    iterations: int = 0
    usage: Usage = field(default_factory=Usage)
    deviation: Deviation = field(default_factory=Deviation)


class AnswerWriter(Protocol):
    """Writes the cited answer from the kept evidence, or an answer that nothing was found."""

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """Write the answer; ``emit`` may receive `AnswerDelta` events with parts of it."""
