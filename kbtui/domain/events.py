"""The events of a run, from which the screen, the session file and ``ask --json`` are derived.

Each kind is a frozen struct named in the past tense, with JSON-safe fields. The run that emits an event fills in its
envelope (``run_id``, ``seq``, ``at``; see `stamped`). Names and meanings of fields are fixed by the contract: fields
may be added, but the meaning of one may not change without a new ``v``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from kbtui.domain.answer import Citation, Outcome, WrittenAnswer
from kbtui.domain.evidence import GraderAction
from kbtui.domain.routing import RoutingPlan, Signal

if TYPE_CHECKING:
    from kbtui.domain.analysis import ResultTable

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


class PlanStep(Struct, frozen=True, kw_only=True):
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


class EvidenceItem(Struct, frozen=True, kw_only=True):
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


class Chart(Struct, frozen=True, kw_only=True):
    """A chart to draw: ``series`` maps a name to its values, one for each value of ``x``; ``None`` is a gap.

    ``type`` is one of `domain.analysis.ChartKind`; ``x_name`` and ``y`` name the axes. A ``histogram`` has its bins in
    ``x``, a ``scatter`` one value of ``x`` for each dot.
    """

    type: str
    x: tuple[Any, ...] = ()
    y: str = ""
    series: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    x_name: str = ""


class Deviation(Struct, frozen=True, kw_only=True):
    """Planned against actual tool calls (spec 004, requirement 4). ``ratio`` is 0 where all went as planned."""

    planned: int = 0
    actual: int = 0
    ratio: float = 0.0
    order_changes: int = 0
    warned: bool = False


class Envelope(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The fields of every event: version, run, sequence number in the run (from 0), and time (ISO 8601, UTC)."""

    v: int = VERSION
    run_id: str = ""
    seq: int = -1
    at: str = ""

    @property
    def kind(self) -> str:
        """The kind of the event, as it is written: ``run_started``."""
        return str(self.__struct_config__.tag)


class RunStarted(Envelope, frozen=True, kw_only=True, tag="run_started"):
    query: str
    session_id: str = ""
    model: str = "offline"
    kb: str = ""
    sources: tuple[str, ...] = ()


class RequestClassified(Envelope, frozen=True, kw_only=True, tag="request_classified"):
    """``standalone`` is the standalone form of a follow-up that the data answer; empty for any other question."""

    request_type: RequestType
    confidence: float = 1.0
    signals: tuple[Signal, ...] = ()
    quick_path: bool = False
    standalone: str = ""


class QueryRouted(Envelope, frozen=True, kw_only=True, tag="query_routed"):
    """``iteration`` counts passes from 1; a RE-RETRIEVE routes again.

    ``standalone`` is the standalone form of a follow-up, as it was searched for; empty where nothing was added.
    """

    routing_plan: RoutingPlan
    reasoner: Literal["offline", "llm"] = "offline"
    iteration: int = 1
    signals: tuple[Signal, ...] = ()
    standalone: str = ""


class PlanCreated(Envelope, frozen=True, kw_only=True, tag="plan_created"):
    steps: tuple[PlanStep, ...] = ()
    iteration: int = 1


class PlanAdjusted(Envelope, frozen=True, kw_only=True, tag="plan_adjusted"):
    removed: tuple[str, ...] = ()
    added: tuple[PlanStep, ...] = ()
    changed: tuple[PlanStep, ...] = ()
    reason: str = ""


class ToolStarted(Envelope, frozen=True, kw_only=True, tag="tool_started"):
    call_id: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    sub_question: str = ""
    iteration: int = 1
    step_id: str | None = None


class ToolFinished(Envelope, frozen=True, kw_only=True, tag="tool_finished"):
    call_id: str
    tool: str
    ok: bool
    result_count: int = 0
    duration_ms: float = 0.0
    cached: bool = False
    note: str = ""
    error: str | None = None


class EvidenceGraded(Envelope, frozen=True, kw_only=True, tag="evidence_graded"):
    """All evidence so far, best first; ``average`` is over the best three of each sub-question."""

    items: tuple[EvidenceItem, ...] = ()
    average: float = 0.0
    action: GraderAction = "GENERATE"
    iteration: int = 1


class StepStarted(Envelope, frozen=True, kw_only=True, tag="step_started"):
    step_id: str
    attempt: int = 1


class StepFinished(Envelope, frozen=True, kw_only=True, tag="step_finished"):
    step_id: str
    attempt: int = 1
    status: StepStatus = "done"
    decision: StepDecision = "proceed"
    reason: str = ""
    duration_ms: float = 0.0


class TableProduced(Envelope, frozen=True, kw_only=True, tag="table_produced"):
    step_id: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    sql: str = ""
    source: str = ""

    @classmethod
    def of(cls, table: ResultTable, step_id: str = "", **changes: Any) -> TableProduced:
        """The event of a result, with ``changes`` to its fields."""
        return cls(step_id=step_id, **{**asdict(table), **changes})


class OfferedReading(Struct, frozen=True, kw_only=True):
    """Another reading that the user may choose: ``n`` counts from 1 in the run, ``says`` is the question for it."""

    n: int
    says: str
    sql: str = ""
    confidence: float = 0.0


class ReadingChosen(Envelope, frozen=True, kw_only=True, tag="reading_chosen"):
    """The reading of a question over data; ``sql`` is empty where no reading was confident enough to be run.

    ``says`` is the statement in words, ``unread`` are the words of the question that no part of it covers. Where
    nothing was run, ``understood`` has the words that were linked, each with what it was linked to.
    """

    source: str
    says: str = ""
    sql: str = ""
    confidence: float = 0.0
    unread: tuple[str, ...] = ()
    offered: tuple[OfferedReading, ...] = ()
    understood: tuple[Signal, ...] = ()


class ChartProduced(Envelope, frozen=True, kw_only=True, tag="chart_produced"):
    step_id: str
    chart: Chart
    title: str = ""


class Progress(Envelope, frozen=True, kw_only=True, tag="progress"):
    """Progress of work. ``stage`` is ``walk``, ``read``, ``embed``, ``write``, ``model`` …

    With `MODEL_STAGE` it is one call of the chat model: ``message`` is the purpose and the name of the model
    (``route: openai:gpt-5-mini``), ``done`` is 0 when the call begins and 1 when it is over.
    """

    stage: str
    done: int = 0
    total: int | None = None
    message: str = ""


class AnswerDelta(Envelope, frozen=True, kw_only=True, tag="answer_delta"):
    text: str


class AnswerCompleted(Envelope, frozen=True, kw_only=True, tag="answer_completed"):
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
        return cls(**asdict(answer))


class Warned(Envelope, frozen=True, kw_only=True, tag="warning"):
    """A problem that did not stop the run; ``where`` names the stage or room."""

    message: str
    where: str = ""


class RunCompleted(Envelope, frozen=True, kw_only=True, tag="run_completed"):
    """``tokens_in`` and ``tokens_out`` are counted by the provider; ``cost_usd`` is None where the price is unknown."""

    duration_ms: float = 0.0
    iterations: int = 0
    llm_calls: int = 0
    tool_calls: int = 0
    deviation: Deviation = field(default_factory=Deviation)
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None


class RunFailed(Envelope, frozen=True, kw_only=True, tag="run_failed"):
    """``error`` is the name of the error (``Cancelled`` when the user stopped the run)."""

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
