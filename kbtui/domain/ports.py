"""The small protocols through which rooms meet."""

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
"""States a fact; whoever receives it stamps it with run, sequence number and time."""


class QueryRouter(Protocol):
    """Understands a question: type, complexity, sub-questions, tools."""

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """Route ``query``; ``hint`` says what earlier passes tried and lack."""
        ...


class EvidenceGrader(Protocol):
    """Gives each hit the probability (0 to 1) that it helps to answer the sub-question."""

    def grade(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[float]:
        """One score for each hit, in the order given."""
        ...


@runtime_checkable
class BatchGrader(Protocol):
    """A grader that reads the hits of all sub-questions of a pass at once."""

    def grade_all(self, asked: Sequence[tuple[SubQuestion, Sequence[Hit]]]) -> list[list[Grade]]:
        """For each sub-question one grade for each of its hits, in the orders given."""
        ...


@runtime_checkable
class ExplainingGrader(Protocol):
    """A grader that can say what its scores are made of."""

    def grades(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[Grade]:
        """One grade for each hit, in the order given, with the scores of ``grade``."""
        ...


class WritingBrief(Struct, frozen=True, kw_only=True):
    """All a writer may use: the question as routed and the evidence that was kept, best first.

    Attributes:
        found: All evidence, what was dropped too: it tells which documents to read, and is not quoted for itself.
    """

    query: str
    routing: Routing
    evidence: tuple[Evidence, ...] = ()
    found: tuple[Evidence, ...] = ()


class RunSummary(Struct, frozen=True, kw_only=True):
    """What a run amounted to, for its last event."""

    iterations: int = 0
    usage: Usage = field(default_factory=Usage)
    deviation: Deviation = field(default_factory=Deviation)


class AnswerWriter(Protocol):
    """Writes the cited answer from the kept evidence, or says that nothing supports one."""

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """Write the answer; ``emit`` may be given `AnswerDelta` events while it grows."""
        ...
