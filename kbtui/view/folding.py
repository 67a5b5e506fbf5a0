"""``reduce(state, event) -> state``: the only code that folds events into the view of a run.

A replay steps back by reducing again, and equal sequences of events yield equal states.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from msgspec.structs import replace

from kbtui.domain.events import (
    MODEL_STAGE,
    AnswerCompleted,
    AnswerDelta,
    ChartProduced,
    Event,
    EvidenceGraded,
    PlanAdjusted,
    PlanCreated,
    Progress,
    QueryRouted,
    ReadingChosen,
    RequestClassified,
    RunCompleted,
    RunFailed,
    RunStarted,
    StepFinished,
    StepStarted,
    TableProduced,
    ToolFinished,
    ToolStarted,
    Warned,
    stamped,
)
from kbtui.settings.providers import OFFLINE
from kbtui.text.web_urls import is_web_url
from kbtui.view.view_state import (
    EMPTY,
    STAGE_OF_MODEL_CALL,
    STAGES,
    CallView,
    ModelCall,
    RunView,
    Stage,
    StageName,
    StageStatus,
    StepPhase,
    StepView,
    seconds_between,
)

_StepEvent = PlanAdjusted | StepStarted | StepFinished | TableProduced | ReadingChosen | ChartProduced | Progress
"""Events about the steps of a run and their results."""


def reduce(state: RunView, event: Event) -> RunView:
    """Fold one event into a run's state.

    A ``run_started`` begins a new state. Events are facts, so none is rejected: a ``tool_finished`` without its
    ``tool_started`` still yields a finished call.
    """
    if not isinstance(event, RunStarted):
        state = replace(state, events=state.events + 1, last_at=event.at or state.last_at)
    match event:
        case RunStarted():
            return RunView(
                phase="running",
                run_id=event.run_id,
                session_id=event.session_id,
                query=event.query,
                model=event.model,
                kb=event.kb,
                sources=event.sources,
                started_at=event.at,
                last_at=event.at,
                events=1,
                stages=_with_statuses({name: Stage() for name in STAGES}, event.at, intent="working"),
            )
        case RequestClassified():
            return replace(
                state,
                request_type=event.request_type,
                request_confidence=event.confidence,
                request_signals=event.signals,
                quick_path=event.quick_path,
                standalone=event.standalone or state.standalone,
            )
        case QueryRouted():
            return replace(
                state,
                routing_plan=event.routing_plan,
                reasoner=event.reasoner,
                routing_signals=event.signals,
                standalone=event.standalone or state.standalone,
                iteration=event.iteration,
                model_calls=_without_stage(state.model_calls, "route"),
                stages=_with_statuses(state.stages, event.at, intent="done", sub_questions="done"),
            )
        case PlanCreated():
            earlier = tuple(step for step in state.steps if step.iteration < event.iteration)
            return replace(
                state,
                iteration=event.iteration,
                steps=earlier + tuple(StepView(step=step, iteration=event.iteration) for step in event.steps),
                # A plan exists only once the request is classified, even if no query was routed.
                stages=_with_statuses(
                    state.stages, event.at, intent="done", plan_steps="working" if event.steps else "done"
                ),
            )
        case ToolStarted():
            call = CallView(
                call_id=event.call_id,
                tool=event.tool,
                args=event.args,
                sub_question=event.sub_question,
                iteration=event.iteration,
                step_id=event.step_id,
            )
            return replace(
                state,
                calls=(*state.calls, call),
                steps=_with_step_changes(state.steps, event.step_id, phase="running", attempt=1),
                stages=_with_statuses(state.stages, event.at, tool_calls="working"),
            )
        case ToolFinished():
            calls = _with_finished_call(state.calls, event)
            working = any(call.status == "running" for call in calls)
            step_id = next((call.step_id for call in calls if call.call_id == event.call_id), None)
            outcome: StepPhase = "done" if event.ok else "failed"
            return replace(
                state,
                calls=calls,
                steps=_with_step_changes(state.steps, step_id, phase=outcome, duration_ms=event.duration_ms),
                stages=state.stages if working else _with_statuses(state.stages, event.at, tool_calls="done"),
            )
        case EvidenceGraded():
            answer_status: StageStatus = "working" if event.action == "GENERATE" else "waiting"
            return replace(
                state,
                evidence=event.items,
                average=event.average,
                action=event.action,
                iteration=event.iteration,
                model_calls=_without_stage(state.model_calls, "grade"),
                stages=_with_statuses(state.stages, event.at, plan_steps="done", evidence="done", answer=answer_status),
            )
        case AnswerDelta():
            return replace(
                state,
                deltas=state.deltas + event.text,
                first_token_s=_first_token_s(state, event),
                stages=_with_statuses(state.stages, event.at, answer="working"),
            )
        case AnswerCompleted():
            completed_status: StageStatus = "working" if event.is_early else "done"
            return replace(
                state,
                answer=event,
                model_calls=(),
                stages=_with_statuses(state.stages, event.at, answer=completed_status),
            )
        case Warned():
            return replace(state, warnings=(*state.warnings, event))
        case RunCompleted():
            return replace(
                state,
                phase="completed",
                progress=None,
                model_calls=(),
                duration_ms=event.duration_ms,
                iteration=event.iterations,
                llm_calls=event.llm_calls,
                tokens_in=event.tokens_in,
                tokens_out=event.tokens_out,
                cost_usd=event.cost_usd,
                deviation=event.deviation,
                stages=_with_working_ended(state.stages, event.at, "done"),
            )
        case RunFailed():
            return replace(
                state,
                phase="cancelled" if event.error == "Cancelled" else "failed",
                progress=None,
                model_calls=(),
                error=event,
                deltas=_safe_deltas(state),
                calls=tuple(
                    replace(call, status="failed", error=event.message) if call.status == "running" else call
                    for call in state.calls
                ),
                stages=_with_working_ended(state.stages, event.at, "failed"),
            )
        case _:
            return _fold_step_event(state, event)


def _fold_step_event(state: RunView, event: _StepEvent) -> RunView:
    match event:
        case PlanAdjusted():
            return replace(state, steps=_adjusted_steps(state, event), adjustments=(*state.adjustments, event.reason))
        case StepStarted():
            return replace(
                state,
                steps=_with_step_changes(state.steps, event.step_id, phase="running", attempt=event.attempt),
                stages=_with_statuses(state.stages, event.at, plan_steps="working"),
            )
        case StepFinished():
            return replace(
                state,
                steps=_with_step_changes(
                    state.steps,
                    event.step_id,
                    phase=event.status,
                    attempt=event.attempt,
                    decision=event.decision,
                    reason=event.reason,
                    duration_ms=event.duration_ms,
                ),
            )
        case TableProduced():
            return replace(state, tables=(*state.tables, event))
        case ReadingChosen():
            offered, understood = (*state.offered, *event.offered), (*state.understood, *event.understood)
            unread = state.unread if event.sql else (*state.unread, *event.unread)
            return replace(state, offered=offered, understood=understood, unread=unread)
        case ChartProduced():
            return replace(state, charts=(*state.charts, event))
        case Progress(stage=stage) if stage == MODEL_STAGE:
            return _fold_model_call(state, event)
        case Progress():
            return replace(state, progress=event)
        case _:
            assert_never(event)


def reduce_all(events: Iterable[Event]) -> RunView:
    """Fold events in order."""
    return functools.reduce(reduce, events, EMPTY)


def _with_statuses(stages: Mapping[StageName, Stage], at: str, **statuses: StageStatus) -> dict[StageName, Stage]:
    """The stages with new statuses; the ``since`` of a stage changes only with its status."""
    return {
        name: stage if statuses.get(name, stage.status) == stage.status else Stage(status=statuses[name], since=at)
        for name, stage in stages.items()
    }


def _with_working_ended(stages: Mapping[StageName, Stage], at: str, status: StageStatus) -> dict[StageName, Stage]:
    """The stages, with ``status`` for those that were working."""
    return _with_statuses(stages, at, **{name: status for name, stage in stages.items() if stage.status == "working"})


def _fold_model_call(state: RunView, event: Progress) -> RunView:
    """Fold the start (``done`` is 0) or the end of a model call."""
    stage, _, model = event.message.partition(" ")
    stage = stage.rstrip(":")
    if event.done:
        finished = next((call for call in state.model_calls if (call.stage, call.model) == (stage, model)), None)
        return replace(state, model_calls=tuple(call for call in state.model_calls if call is not finished))
    waiting_stage = STAGE_OF_MODEL_CALL.get(stage)
    working: dict[StageName, StageStatus] = {waiting_stage: "working"} if waiting_stage is not None else {}
    return replace(
        state,
        model_calls=(*state.model_calls, ModelCall(stage=stage, model=model, since=event.at)),
        llm_calls=state.llm_calls + 1,
        stages=_with_statuses(state.stages, event.at, **working),
    )


def _without_stage(model_calls: tuple[ModelCall, ...], stage: str) -> tuple[ModelCall, ...]:
    """The model calls of other stages: calls of a stage that has its result are no longer pending."""
    return tuple(call for call in model_calls if call.stage != stage)


def _safe_deltas(state: RunView) -> str:
    """The partial answer of a failed run; that of a chat model is freed of links and images like a complete answer."""
    if not state.deltas or state.answer is not None or state.model in ("", OFFLINE):
        return state.deltas
    from kbtui.reasoning.llm.safe_markdown import safe_markdown

    return safe_markdown(state.deltas, (item.path for item in state.evidence if item.kept and is_web_url(item.path)))


def _first_token_s(state: RunView, event: AnswerDelta) -> float | None:
    if state.first_token_s is not None or not event.text:
        return state.first_token_s
    by_model = state.reasoner == "llm" or any(call.stage == "write" for call in state.model_calls)
    return seconds_between(state.started_at, event.at) if by_model and state.started_at and event.at else None


def _with_finished_call(calls: tuple[CallView, ...], event: ToolFinished) -> tuple[CallView, ...]:
    if all(call.call_id != event.call_id for call in calls):
        calls = (*calls, CallView(call_id=event.call_id, tool=event.tool))
    return tuple(
        replace(
            call,
            status="done" if event.ok else "failed",
            result_count=event.result_count,
            duration_ms=event.duration_ms,
            cached=event.cached,
            note=event.note,
            error=event.error,
        )
        if call.call_id == event.call_id
        else call
        for call in calls
    )


def _with_step_changes(steps: tuple[StepView, ...], step_id: str | None, **changes: Any) -> tuple[StepView, ...]:
    if step_id is None:
        return steps
    return tuple(replace(view, **changes) if view.step.step_id == step_id else view for view in steps)


def _adjusted_steps(state: RunView, event: PlanAdjusted) -> tuple[StepView, ...]:
    changed = {step.step_id: step for step in event.changed}
    steps = tuple(
        replace(view, phase="removed")
        if view.step.step_id in event.removed
        else replace(view, step=changed.get(view.step.step_id, view.step))
        for view in state.steps
    )
    return steps + tuple(StepView(step=step, iteration=state.iteration, added=True) for step in event.added)


def with_ending(view: RunView) -> RunView:
    """The view of a recorded run; one without an ending (as after a crash) fails at the end of its recording."""
    if view.finished:
        return view
    end = RunFailed(error="SessionError", message="The recording ends before the run did.", hint="Ask again.")
    return reduce(view, stamped(end, run_id=view.run_id, seq=view.events, at=view.last_at))
