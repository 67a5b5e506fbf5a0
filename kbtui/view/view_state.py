"""What a run looks like: the TUI, ``ask``, replay, the exports and the tests all show a `RunView`.

It is immutable; `kbtui.view.folding` makes one of events.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, field

from kbtui.domain.answer import Citation, Outcome
from kbtui.domain.events import (
    AnswerCompleted,
    ChartProduced,
    Deviation,
    EvidenceItem,
    OfferedReading,
    PlanStep,
    Progress,
    RunFailed,
    TableProduced,
    Warned,
)
from kbtui.domain.evidence import GraderAction
from kbtui.domain.routing import RoutingPlan, Signal
from kbtui.domain.usage import Usage
from kbtui.i18n import N_, _

Phase = Literal["idle", "running", "completed", "failed", "cancelled"]
StageName = Literal["intent", "sub_questions", "tool_calls", "plan_steps", "evidence", "answer"]
StageStatus = Literal["waiting", "working", "done", "failed"]
CallStatus = Literal["running", "done", "failed"]
StepPhase = Literal["planned", "running", "done", "failed", "skipped", "removed"]

STAGES: tuple[StageName, ...] = ("intent", "sub_questions", "tool_calls", "plan_steps", "evidence", "answer")

ASKED_FOR: Mapping[str, StageName] = {"route": "intent", "grade": "evidence", "write": "answer"}
"""Which stage waits while the chat model is asked for this."""


def seconds_between(first: str, last: str) -> float:
    """From one time to another (ISO 8601), never below 0."""
    if not (first and last):
        return 0.0
    return max(0.0, (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds())


class Stage(Struct, frozen=True, kw_only=True):
    """One stage's state; ``since`` is when it entered it (ISO 8601)."""

    status: StageStatus = "waiting"
    since: str = ""


class CallView(Struct, frozen=True, kw_only=True):
    """One tool call, running or finished."""

    call_id: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    sub_question: str = ""
    iteration: int = 1
    step_id: str | None = None
    status: CallStatus = "running"
    result_count: int = 0
    duration_ms: float = 0.0
    cached: bool = False
    note: str = ""
    error: str | None = None


class StepView(Struct, frozen=True, kw_only=True):
    """One planned step and how it went; ``added``: it was not in the plan at first."""

    step: PlanStep
    iteration: int = 1
    phase: StepPhase = "planned"
    attempt: int = 0
    decision: str = ""
    reason: str = ""
    duration_ms: float = 0.0
    added: bool = False


class Asking(Struct, frozen=True, kw_only=True):
    """A call of the chat model that is under way.

    Attributes:
        stage: What the model is asked for: ``route``, ``grade``, ``write`` …
        since: When it was asked (ISO 8601).
    """

    stage: str
    model: str = ""
    since: str = ""


class RunView(Struct, frozen=True, kw_only=True):
    """Everything the screen may show of one run.

    Attributes:
        standalone: The question with what it meant of those before it; empty where it stood alone.
        iteration: The current pass, from 1; 0 before the first.
        asking: Calls of the chat model that are under way.
        first_token_s: Seconds from the start to the first words a model wrote; None where it wrote none.
        llm_calls: Calls of the chat model; while the run goes on, those begun so far.
        deltas: The answer as streamed so far, until ``answer`` replaces it.
        offered: Other readings of the question over data, to take instead.
        understood: Words of a question over data that nothing was run for, each with what it was taken for.
        unread: Words of it that were taken for nothing.
        answer: The completed answer event, once there is one.
        events: How many events were folded.
    """

    phase: Phase = "idle"
    run_id: str = ""
    session_id: str = ""
    query: str = ""
    standalone: str = ""
    model: str = "offline"
    kb: str = ""
    sources: tuple[str, ...] = ()
    started_at: str = ""
    last_at: str = ""
    events: int = 0
    stages: Mapping[StageName, Stage] = field(default_factory=lambda: {name: Stage() for name in STAGES})
    iteration: int = 0
    request_type: str = ""
    request_confidence: float = 0.0
    request_signals: tuple[Signal, ...] = ()
    quick_path: bool = False
    routing_plan: RoutingPlan | None = None
    reasoner: str = "offline"
    routing_signals: tuple[Signal, ...] = ()
    steps: tuple[StepView, ...] = ()
    adjustments: tuple[str, ...] = ()
    calls: tuple[CallView, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    average: float = 0.0
    action: GraderAction | None = None
    tables: tuple[TableProduced, ...] = ()
    charts: tuple[ChartProduced, ...] = ()
    offered: tuple[OfferedReading, ...] = ()
    understood: tuple[Signal, ...] = ()
    unread: tuple[str, ...] = ()
    progress: Progress | None = None
    deltas: str = ""
    answer: AnswerCompleted | None = None
    warnings: tuple[Warned, ...] = ()
    error: RunFailed | None = None
    duration_ms: float = 0.0
    asking: tuple[Asking, ...] = ()
    first_token_s: float | None = None
    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    deviation: Deviation = field(default_factory=Deviation)

    @property
    def usage(self) -> Usage:
        """What the run used of a chat model."""
        return Usage(calls=self.llm_calls, tokens_in=self.tokens_in, tokens_out=self.tokens_out, cost_usd=self.cost_usd)

    @property
    def markdown(self) -> str:
        """The answer to show: the completed one, or what has been streamed of it."""
        return self.answer.markdown if self.answer else self.deltas

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The sources of the completed answer."""
        return self.answer.citations if self.answer else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the answer ended, once it is complete."""
        return self.answer.outcome if self.answer else None

    @property
    def finished(self) -> bool:
        """True once nothing more can come."""
        return self.phase in ("completed", "failed", "cancelled")

    @property
    def elapsed_s(self) -> float:
        """Seconds between the first and the last event folded."""
        return seconds_between(self.started_at, self.last_at)


# The furthest stage names what is going on: a plan is still open while its searches run.
_DOING: tuple[tuple[StageName, str], ...] = (
    ("answer", N_("writing")),
    ("evidence", N_("grading")),
    ("tool_calls", N_("searching")),
    ("plan_steps", N_("planning")),
    ("sub_questions", N_("understanding")),
    ("intent", N_("understanding")),
)


def doing(view: RunView) -> str:
    """What a running question is at, in one word."""
    return next((_(word) for name, word in _DOING if view.stages[name].status == "working"), _("working"))


EMPTY = RunView()
