"""``reduce(state, event) -> state``: the only code that folds events into what a run looks like.

Stepping back in a replay is reducing again, and two sources that yield the same events end in equal states.
"""

from __future__ import annotations

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
    ASKED_FOR,
    EMPTY,
    STAGES,
    Asking,
    CallView,
    RunView,
    Stage,
    StageName,
    StageStatus,
    StepPhase,
    StepView,
    seconds_between,
)

_OfSteps = PlanAdjusted | StepStarted | StepFinished | TableProduced | ReadingChosen | ChartProduced | Progress
"""What becomes of the steps of a run, and what they bring and tell."""


def reduce(state: RunView, event: Event) -> RunView:
    """Fold one event into a run's state.

    A ``run_started`` begins a new state whatever came before. Events are facts, so none is refused: a ``tool_finished``
    whose start was lost still shows as a finished call.
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
                stages=_moved({name: Stage() for name in STAGES}, event.at, intent="working"),
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
                asking=_without(state.asking, "route"),
                stages=_moved(state.stages, event.at, intent="done", sub_questions="done"),
            )
        case PlanCreated():
            kept = tuple(step for step in state.steps if step.iteration < event.iteration)
            return replace(
                state,
                iteration=event.iteration,
                steps=kept + tuple(StepView(step=step, iteration=event.iteration) for step in event.steps),
                # What kind of request it is has been settled once there is a plan, also where nothing is routed.
                stages=_moved(state.stages, event.at, intent="done", plan_steps="working" if event.steps else "done"),
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
                steps=_stepped(state.steps, event.step_id, phase="running", attempt=1),
                stages=_moved(state.stages, event.at, tool_calls="working"),
            )
        case ToolFinished():
            calls = _finished(state.calls, event)
            working = any(call.status == "running" for call in calls)
            step_id = next((call.step_id for call in calls if call.call_id == event.call_id), None)
            outcome: StepPhase = "done" if event.ok else "failed"
            return replace(
                state,
                calls=calls,
                steps=_stepped(state.steps, step_id, phase=outcome, duration_ms=event.duration_ms),
                stages=state.stages if working else _moved(state.stages, event.at, tool_calls="done"),
            )
        case EvidenceGraded():
            going_on: StageStatus = "working" if event.action == "GENERATE" else "waiting"
            return replace(
                state,
                evidence=event.items,
                average=event.average,
                action=event.action,
                iteration=event.iteration,
                asking=_without(state.asking, "grade"),
                stages=_moved(state.stages, event.at, plan_steps="done", evidence="done", answer=going_on),
            )
        case AnswerDelta():
            return replace(
                state,
                deltas=state.deltas + event.text,
                first_token_s=_first_token_s(state, event),
                stages=_moved(state.stages, event.at, answer="working"),
            )
        case AnswerCompleted():
            is_done: StageStatus = "working" if event.is_early else "done"
            return replace(state, answer=event, asking=(), stages=_moved(state.stages, event.at, answer=is_done))
        case Warned():
            return replace(state, warnings=(*state.warnings, event))
        case RunCompleted():
            return replace(
                state,
                phase="completed",
                progress=None,
                asking=(),
                duration_ms=event.duration_ms,
                iteration=event.iterations,
                llm_calls=event.llm_calls,
                tokens_in=event.tokens_in,
                tokens_out=event.tokens_out,
                cost_usd=event.cost_usd,
                deviation=event.deviation,
                stages=_closed(state.stages, event.at, "done"),
            )
        case RunFailed():
            return replace(
                state,
                phase="cancelled" if event.error == "Cancelled" else "failed",
                progress=None,
                asking=(),
                error=event,
                deltas=_made_safe(state),
                calls=tuple(
                    replace(call, status="failed", error=event.message) if call.status == "running" else call
                    for call in state.calls
                ),
                stages=_closed(state.stages, event.at, "failed"),
            )
        case _:
            return _with_step(state, event)


def _with_step(state: RunView, event: _OfSteps) -> RunView:
    match event:
        case PlanAdjusted():
            return replace(state, steps=_adjusted(state, event), adjustments=(*state.adjustments, event.reason))
        case StepStarted():
            return replace(
                state,
                steps=_stepped(state.steps, event.step_id, phase="running", attempt=event.attempt),
                stages=_moved(state.stages, event.at, plan_steps="working"),
            )
        case StepFinished():
            return replace(
                state,
                steps=_stepped(
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
            return _asked(state, event)
        case Progress():
            return replace(state, progress=event)
        case _:
            assert_never(event)


def reduce_all(events: Iterable[Event], state: RunView = EMPTY) -> RunView:
    """Fold many events, in order."""
    for event in events:
        state = reduce(state, event)
    return state


def _moved(stages: Mapping[StageName, Stage], at: str, **statuses: StageStatus) -> dict[StageName, Stage]:
    """The stages with some of them in a new status; a stage keeps its ``since`` while its status stays."""
    return {
        name: stage if statuses.get(name, stage.status) == stage.status else Stage(status=statuses[name], since=at)
        for name, stage in stages.items()
    }


def _closed(stages: Mapping[StageName, Stage], at: str, status: StageStatus) -> dict[StageName, Stage]:
    """The stages with those that were at work in ``status``."""
    return _moved(stages, at, **{name: status for name, stage in stages.items() if stage.status == "working"})


def _asked(state: RunView, event: Progress) -> RunView:
    """A call of the model that begins (``done`` 0) or is over."""
    stage, _, model = event.message.partition(" ")
    stage = stage.rstrip(":")
    if event.done:
        over = next((call for call in state.asking if (call.stage, call.model) == (stage, model)), None)
        return replace(state, asking=tuple(call for call in state.asking if call is not over))
    waits = ASKED_FOR.get(stage)
    working: dict[StageName, StageStatus] = {waits: "working"} if waits is not None else {}
    return replace(
        state,
        asking=(*state.asking, Asking(stage=stage, model=model, since=event.at)),
        llm_calls=state.llm_calls + 1,
        stages=_moved(state.stages, event.at, **working),
    )


def _without(asking: tuple[Asking, ...], stage: str) -> tuple[Asking, ...]:
    """The calls for other stages: once a stage has its result, none of its calls is waited for any more."""
    return tuple(call for call in asking if call.stage != stage)


def _made_safe(state: RunView) -> str:
    """What a chat model had written when its run broke off, as free of links and images as a finished answer."""
    if not state.deltas or state.answer is not None or state.model in ("", OFFLINE):
        return state.deltas
    from kbtui.reasoning.llm.safe_markdown import safe_markdown

    return safe_markdown(state.deltas, (item.path for item in state.evidence if item.kept and is_web_url(item.path)))


def _first_token_s(state: RunView, event: AnswerDelta) -> float | None:
    if state.first_token_s is not None or not event.text:
        return state.first_token_s
    by_model = state.reasoner == "llm" or any(call.stage == "write" for call in state.asking)
    return seconds_between(state.started_at, event.at) if by_model and state.started_at and event.at else None


def _finished(calls: tuple[CallView, ...], event: ToolFinished) -> tuple[CallView, ...]:
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


def _stepped(steps: tuple[StepView, ...], step_id: str | None, **changes: Any) -> tuple[StepView, ...]:
    if step_id is None:
        return steps
    return tuple(replace(view, **changes) if view.step.step_id == step_id else view for view in steps)


def _adjusted(state: RunView, event: PlanAdjusted) -> tuple[StepView, ...]:
    changed = {step.step_id: step for step in event.changed}
    steps = tuple(
        replace(view, phase="removed")
        if view.step.step_id in event.removed
        else replace(view, step=changed.get(view.step.step_id, view.step))
        for view in state.steps
    )
    return steps + tuple(StepView(step=step, iteration=state.iteration, added=True) for step in event.added)


def ended(view: RunView) -> RunView:
    """A run that a crash cut off would go on working for ever; it ends where its recording does."""
    if view.finished:
        return view
    end = RunFailed(error="SessionError", message="The recording ends before the run did.", hint="Ask again.")
    return reduce(view, stamped(end, run_id=view.run_id, seq=view.events, at=view.last_at))
