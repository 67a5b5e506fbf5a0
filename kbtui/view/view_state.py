"""`RunView`, the immutable view of a run that the screen, ``ask``, replay, exports and tests show.

`kbtui.view.folding` makes it from events.
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

STAGE_OF_MODEL_CALL: Mapping[str, StageName] = {"route": "intent", "grade": "evidence", "write": "answer"}
"""The stage that waits for a model call, by the call's own stage."""


def seconds_between(first: str, last: str) -> float:
    """Seconds between two times (ISO 8601), at least 0; 0 if one of them is empty."""
    if not (first and last):
        return 0.0
    return max(0.0, (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds())


class Stage(Struct, frozen=True, kw_only=True):
    """The status of a stage; ``since`` is when it changed (ISO 8601)."""

    status: StageStatus = "waiting"
    since: str = ""


class CallView(Struct, frozen=True, kw_only=True):
    """A tool call, running or finished."""

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
    """A planned step and its progress; ``added`` if it was not in the original plan."""

    step: PlanStep
    iteration: int = 1
    phase: StepPhase = "planned"
    attempt: int = 0
    decision: str = ""
    reason: str = ""
    duration_ms: float = 0.0
    added: bool = False


class ModelCall(Struct, frozen=True, kw_only=True):
    """A pending call of the chat model.

    Attributes:
        stage: The purpose of the call: ``route``, ``grade``, ``write`` …
        since: When the call began (ISO 8601).
    """

    stage: str
    model: str = ""
    since: str = ""


class RunView(Struct, frozen=True, kw_only=True):
    """The state of a run.

    Attributes:
        standalone: A follow-up question rewritten to stand alone; empty if the question already did.
        iteration: The current pass, from 1; 0 before the first.
        model_calls: Pending calls of the chat model.
        first_token_s: Seconds from the start to the first text of a model; None if there is none.
        llm_calls: Number of model calls, including pending ones.
        deltas: The answer as streamed so far, until ``answer`` replaces it.
        offered: Alternative readings of the question over data.
        understood: Words of a question over data that was not run, each with its interpretation.
        unread: Words of such a question that have no interpretation.
        answer: The completed answer; None before.
        events: Number of events folded.
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
    model_calls: tuple[ModelCall, ...] = ()
    first_token_s: float | None = None
    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    deviation: Deviation = field(default_factory=Deviation)

    @property
    def usage(self) -> Usage:
        """The model usage of the run."""
        return Usage(calls=self.llm_calls, tokens_in=self.tokens_in, tokens_out=self.tokens_out, cost_usd=self.cost_usd)

    @property
    def markdown(self) -> str:
        """The completed answer, or the part of it that has been streamed."""
        return self.answer.markdown if self.answer else self.deltas

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The sources of the completed answer; empty before."""
        return self.answer.citations if self.answer else ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the completed answer; None before."""
        return self.answer.outcome if self.answer else None

    @property
    def finished(self) -> bool:
        """Whether the run has ended."""
        return self.phase in ("completed", "failed", "cancelled")

    @property
    def elapsed_s(self) -> float:
        """Seconds from the first folded event to the last."""
        return seconds_between(self.started_at, self.last_at)


# The latest stage that is working names the activity, because a plan stays open while its searches run.
_ACTIVITIES: tuple[tuple[StageName, str], ...] = (
    ("answer", N_("writing")),
    ("evidence", N_("grading")),
    ("tool_calls", N_("searching")),
    ("plan_steps", N_("planning")),
    ("sub_questions", N_("understanding")),
    ("intent", N_("understanding")),
)


def activity(view: RunView) -> str:
    """The activity of a running question in one word."""
    return next((_(word) for name, word in _ACTIVITIES if view.stages[name].status == "working"), _("working"))


EMPTY = RunView()
