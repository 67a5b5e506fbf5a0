"""The events of a run, from which the screen, the session file and ``ask --json`` are derived.

Each kind is a frozen dataclass named in the past tense, with JSON-safe fields. The run that emits an event fills in its
envelope (``run_id``, ``seq``, ``at``; see `stamped`). Names and meanings of fields are fixed by the contract: fields
may be added, but the meaning of one may not change without a new ``v``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

from kbtui.domain.answer import Citation, Outcome, WrittenAnswer
from kbtui.domain.evidence import GraderAction
from kbtui.domain.routing import RoutingPlan, Signal

VERSION = 1

RequestType = Literal[
    "trivial",
    "simple",
    "data_query",
    "visualization",
    "calculation",
    "web_search",
    "consultation",
    "multi_step_analysis",
    "knowledge",
]
StepStatus = Literal["done", "failed", "skipped"]
StepDecision = Literal["proceed", "modify", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One planned tool call, as the plan pane lists it.

    ``estimate_note`` is the basis of ``estimated_ms``: ``median of what was recorded``, or ``a guess``.
    """

    step_id: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    purpose: str = ""
    estimated_ms: float | None = None
    checkpoint: bool = False
    schema_level: Literal["basic", "detailed"] | None = None
    query_type: str | None = None
    estimate_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem:
    """One graded passage, cut for the screen: ``preview`` is at most 240 characters of it.

    ``signals`` are the parts of its rank and score, as `domain.explanation` describes them; older recordings have none.
    ``locator`` is as in `domain.answer.Citation`.
    """

    evidence_id: str
    path: str
    start_line: int
    end_line: int
    score: float
    kept: bool
    tool: str
    sub_question: str
    preview: str = ""
    signals: Mapping[str, float] = field(default_factory=dict)
    locator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart to draw: ``series`` maps a name to its values, one for each value of ``x``; ``None`` is a gap.

    ``type`` is one of `domain.analysis.ChartKind`; ``x_name`` and ``y`` name the axes. A ``histogram`` has its bins in
    ``x``, a ``scatter`` one value of ``x`` for each dot.
    """

    type: str
    x: tuple[Any, ...] = ()
    y: str = ""
    series: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    x_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """Planned against actual tool calls (spec 004, requirement 4). ``ratio`` is 0 where all went as planned."""

    planned: int = 0
    actual: int = 0
    ratio: float = 0.0
    order_changes: int = 0
    warned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The fields of every event: version, run, sequence number in the run (from 0), and time (ISO 8601, UTC)."""

    v: int = VERSION
    run_id: str = ""
    seq: int = -1
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Envelope):
    kind: Literal["run_started"] = "run_started"
    query: str
    session_id: str = ""
    model: str = "offline"
    kb: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestClassified(Envelope):
    """``standalone`` is the standalone form of a follow-up that the data answer; empty for any other question."""

    kind: Literal["request_classified"] = "request_classified"
    request_type: RequestType
    confidence: float = 1.0
    signals: tuple[Signal, ...] = ()
    quick_path: bool = False
    standalone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRouted(Envelope):
    """``iteration`` counts passes from 1; a RE-RETRIEVE routes again.

    ``standalone`` is the standalone form of a follow-up, as it was searched for; empty where nothing was added.
    """

    kind: Literal["query_routed"] = "query_routed"
    routing_plan: RoutingPlan
    reasoner: Literal["offline", "llm"] = "offline"
    iteration: int = 1
    signals: tuple[Signal, ...] = ()
    standalone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCreated(Envelope):
    kind: Literal["plan_created"] = "plan_created"
    steps: tuple[PlanStep, ...] = ()
    iteration: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAdjusted(Envelope):
    kind: Literal["plan_adjusted"] = "plan_adjusted"
    removed: tuple[str, ...] = ()
    added: tuple[PlanStep, ...] = ()
    changed: tuple[PlanStep, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted(Envelope):
    kind: Literal["tool_started"] = "tool_started"
    call_id: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    sub_question: str = ""
    iteration: int = 1
    step_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished(Envelope):
    kind: Literal["tool_finished"] = "tool_finished"
    call_id: str
    tool: str
    ok: bool
    result_count: int = 0
    duration_ms: float = 0.0
    cached: bool = False
    note: str = ""
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceGraded(Envelope):
    """All evidence so far, best first; ``average`` is over the best three of each sub-question."""

    kind: Literal["evidence_graded"] = "evidence_graded"
    items: tuple[EvidenceItem, ...] = ()
    average: float = 0.0
    action: GraderAction = "GENERATE"
    iteration: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStarted(Envelope):
    kind: Literal["step_started"] = "step_started"
    step_id: str
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFinished(Envelope):
    kind: Literal["step_finished"] = "step_finished"
    step_id: str
    attempt: int = 1
    status: StepStatus = "done"
    decision: StepDecision = "proceed"
    reason: str = ""
    duration_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableProduced(Envelope):
    kind: Literal["table_produced"] = "table_produced"
    step_id: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    sql: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedReading:
    """Another reading that the user may choose: ``n`` counts from 1 in the run, ``says`` is the question for it."""

    n: int
    says: str
    sql: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChosen(Envelope):
    """The reading of a question over data; ``sql`` is empty where no reading was confident enough to be run.

    ``says`` is the statement in words, ``unread`` are the words of the question that no part of it covers. Where
    nothing was run, ``understood`` has the words that were linked, each with what it was linked to.
    """

    kind: Literal["reading_chosen"] = "reading_chosen"
    source: str
    says: str = ""
    sql: str = ""
    confidence: float = 0.0
    unread: tuple[str, ...] = ()
    offered: tuple[OfferedReading, ...] = ()
    understood: tuple[Signal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartProduced(Envelope):
    kind: Literal["chart_produced"] = "chart_produced"
    step_id: str
    chart: Chart
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(Envelope):
    """Progress of work. ``stage`` is ``walk``, ``read``, ``embed``, ``write``, ``model`` …

    With `MODEL_STAGE` it is one call of the chat model: ``message`` is the purpose and the name of the model
    (``route: openai:gpt-5-mini``), ``done`` is 0 when the call begins and 1 when it is over.
    """

    kind: Literal["progress"] = "progress"
    stage: str
    done: int = 0
    total: int | None = None
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDelta(Envelope):
    kind: Literal["answer_delta"] = "answer_delta"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCompleted(Envelope):
    kind: Literal["answer_completed"] = "answer_completed"
    markdown: str
    outcome: Outcome
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    files_read: int = 0
    files_total: int = 0

    @property
    def is_early(self) -> bool:
        """Whether it is a first answer from some files, given before the folder is indexed; the full answer follows."""
        return self.files_total > 0

    @classmethod
    def of(cls, answer: WrittenAnswer) -> AnswerCompleted:
        """The event of a written answer."""
        return cls(**{attribute.name: getattr(answer, attribute.name) for attribute in fields(answer)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned(Envelope):
    """A problem that did not stop the run; ``where`` names the stage or room."""

    kind: Literal["warning"] = "warning"
    message: str
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCompleted(Envelope):
    """``tokens_in`` and ``tokens_out`` are counted by the provider; ``cost_usd`` is None where the price is unknown."""

    kind: Literal["run_completed"] = "run_completed"
    duration_ms: float = 0.0
    iterations: int = 0
    llm_calls: int = 0
    tool_calls: int = 0
    deviation: Deviation = field(default_factory=Deviation)
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailed(Envelope):
    """``error`` is the name of the error (``Cancelled`` when the user stopped the run)."""

    kind: Literal["run_failed"] = "run_failed"
    error: str
    message: str = ""
    hint: str = ""


Event = (
    RunStarted
    | RequestClassified
    | QueryRouted
    | PlanCreated
    | PlanAdjusted
    | ToolStarted
    | ToolFinished
    | EvidenceGraded
    | StepStarted
    | StepFinished
    | TableProduced
    | ReadingChosen
    | ChartProduced
    | Progress
    | AnswerDelta
    | AnswerCompleted
    | Warned
    | RunCompleted
    | RunFailed
)

MODEL_STAGE: Final = "llm"
"""The ``stage`` of a `Progress` event for a call of the chat model."""

FINAL_KINDS = frozenset({"run_completed", "run_failed"})
"""Kinds of the last event of a run."""


def stamped(event: Event, *, run_id: str, seq: int, at: str) -> Event:
    """The event with the envelope of its run."""
    return replace(event, run_id=run_id, seq=seq, at=at)
