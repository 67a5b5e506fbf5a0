"""The fold: what each event changes, and that order and source do not matter to the result."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kbtui.domain import codec
from kbtui.domain.answer import Citation
from kbtui.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    Event,
    EvidenceGraded,
    EvidenceItem,
    PlanAdjusted,
    PlanCreated,
    PlanStep,
    Progress,
    QueryRouted,
    RunCompleted,
    RunFailed,
    RunStarted,
    StepFinished,
    StepStarted,
    ToolFinished,
    ToolStarted,
    Warned,
    stamped,
)
from kbtui.domain.routing import RoutingPlan, SubQuestion
from kbtui.reasoning.llm.safe_markdown import live_parts
from kbtui.view.folding import reduce, reduce_all
from kbtui.view.view_state import EMPTY, RunView

PLAN = RoutingPlan(
    query_type="exact", complexity="simple", sub_questions=(SubQuestion(semantic_intent="q", search_keywords="k"),)
)
STEP = PlanStep(step_id="s1", tool="grep_search", purpose="q")
ITEM = EvidenceItem(
    evidence_id="e1", path="a.md", start_line=1, end_line=2, score=0.9, kept=True, tool="grep_search", sub_question="q"
)

RUN: list[Event] = [
    RunStarted(query="q", kb="/kb", session_id="s"),
    QueryRouted(routing_plan=PLAN),
    PlanCreated(steps=(STEP,)),
    ToolStarted(call_id="c1", tool="grep_search", step_id="s1", sub_question="q"),
    ToolFinished(call_id="c1", tool="grep_search", ok=True, result_count=3, duration_ms=4.0),
    EvidenceGraded(items=(ITEM,), average=0.9, action="GENERATE"),
    AnswerDelta(text="It is "),
    AnswerDelta(text="so [1]"),
    AnswerCompleted(
        markdown="It is so [1]",
        outcome="answered",
        citations=(Citation(n=1, path="a.md", start_line=1, end_line=2, quote="x"),),
    ),
    RunCompleted(duration_ms=12.0, iterations=1, tool_calls=1),
]


def stamp(events: list[Event]) -> list[Event]:
    return [
        stamped(event, run_id="r", seq=seq, at=f"2026-01-01T00:00:{seq:02d}.000Z") for seq, event in enumerate(events)
    ]


def status(view: RunView) -> dict[str, str]:
    return {name: stage.status for name, stage in view.stages.items()}


def test_a_whole_run_ends_with_everything_the_screen_needs() -> None:
    view = reduce_all(stamp(RUN))
    assert view.phase == "completed"
    assert view.finished
    assert view.markdown == "It is so [1]"
    assert view.outcome == "answered"
    assert view.citations[0].label == "a.md:L1-L2"
    assert view.calls[0].status == "done"
    assert view.calls[0].result_count == 3
    assert view.steps[0].phase == "done"
    assert view.elapsed_s == 9.0
    assert set(status(view).values()) == {"done"}


def test_stages_move_from_waiting_over_working_to_done() -> None:
    views = [EMPTY]
    for event in stamp(RUN):
        views.append(reduce(views[-1], event))
    assert status(views[1])["intent"] == "working"
    assert status(views[2])["intent"] == "done"
    assert status(views[3])["plan_steps"] == "working"
    assert status(views[4])["tool_calls"] == "working"
    assert status(views[5])["tool_calls"] == "done"
    assert status(views[6])["answer"] == "working"
    assert status(views[6])["evidence"] == "done"


def test_a_stage_remembers_since_when_it_is_in_its_status() -> None:
    view = reduce_all(stamp(RUN)[:4])
    assert view.stages["plan_steps"].since == "2026-01-01T00:00:02.000Z"


def test_deltas_grow_the_answer_until_the_completed_one_replaces_them() -> None:
    assert reduce_all(stamp(RUN)[:8]).markdown == "It is so [1]"
    assert reduce_all([*stamp(RUN)[:7]]).markdown == "It is "


def test_a_new_run_forgets_the_one_before() -> None:
    view = reduce_all([*stamp(RUN), *stamp([RunStarted(query="next")])])
    assert (view.query, view.phase, view.calls, view.answer) == ("next", "running", (), None)


@pytest.mark.parametrize("error", ["Cancelled", "TimedOut", "ModelError"])
def test_what_a_model_wrote_before_its_run_broke_off_keeps_no_link_that_no_source_has(error: str) -> None:
    written = "See [the runbook](https://evil.example/?q=1) ![x](https://evil.example/p.png) and [1]."
    run = [replace(RUN[0], model="openai:gpt-5-mini"), AnswerDelta(text=written), RunFailed(error=error)]
    view = reduce_all(stamp(run))
    assert not live_parts(view.markdown)
    assert "See the runbook" in view.markdown
    assert "[1]" in view.markdown


def test_the_address_of_a_page_that_was_read_stays_a_link_when_the_run_breaks_off() -> None:
    page = "https://docs.example/rollback"
    item = replace(ITEM, path=page, tool="web_fetch")
    run = [
        replace(RUN[0], model="openai:gpt-5-mini"),
        EvidenceGraded(items=(item,), average=0.9, action="GENERATE"),
        AnswerDelta(text=f"See [the page]({page})."),
        RunFailed(error="Cancelled"),
    ]
    assert f"[the page]({page})" in reduce_all(stamp(run)).markdown


def test_a_cancelled_run_stops_every_stage_and_call_that_was_working() -> None:
    view = reduce_all(stamp([*RUN[:4], RunFailed(error="Cancelled", message="stopped")]))
    assert view.phase == "cancelled"
    assert view.calls[0].status == "failed"
    assert status(view)["tool_calls"] == "failed"
    assert status(view)["answer"] == "waiting"


def test_a_failed_run_keeps_its_error() -> None:
    view = reduce_all(stamp([RUN[0], RunFailed(error="StorageError", message="full", hint="free some")]))
    assert view.phase == "failed"
    assert view.error is not None
    assert view.error.hint == "free some"


def test_a_tool_end_whose_start_was_lost_still_shows() -> None:
    view = reduce_all(stamp([RUN[0], ToolFinished(call_id="c9", tool="grep_search", ok=False, error="broke")]))
    assert [(call.call_id, call.status, call.error) for call in view.calls] == [("c9", "failed", "broke")]


def test_each_pass_adds_its_steps_to_those_before() -> None:
    second = PlanStep(step_id="s2", tool="vector_search")
    view = reduce_all(stamp([*RUN[:3], PlanCreated(steps=(second,), iteration=2)]))
    assert [(step.step.step_id, step.iteration) for step in view.steps] == [("s1", 1), ("s2", 2)]


def test_plan_adjustments_remove_change_and_add_steps() -> None:
    changed = PlanStep(step_id="s1", tool="execute_sql")
    added = PlanStep(step_id="s3", tool="python_executor")
    adjusted = PlanAdjusted(removed=("s2",), changed=(changed,), added=(added,), reason="no SQL here")
    steps = (STEP, PlanStep(step_id="s2", tool="execute_sql"))
    view = reduce_all(stamp([RUN[0], PlanCreated(steps=steps), adjusted]))
    assert [(step.step.tool, step.phase) for step in view.steps] == [
        ("execute_sql", "planned"),
        ("execute_sql", "removed"),
        ("python_executor", "planned"),
    ]
    assert view.adjustments == ("no SQL here",)


def test_steps_report_attempts_and_decisions() -> None:
    finished = StepFinished(step_id="s1", attempt=2, status="skipped", decision="skip", reason="empty")
    view = reduce_all(stamp([*RUN[:3], StepStarted(step_id="s1", attempt=2), finished]))
    assert (view.steps[0].phase, view.steps[0].attempt, view.steps[0].reason) == ("skipped", 2, "empty")


def test_progress_and_warnings_are_kept_and_progress_goes_with_the_run() -> None:
    events: list[Event] = [RUN[0], Progress(stage="embed", done=1, total=2), Warned(message="slow")]
    view = reduce_all(stamp(events))
    assert view.progress is not None
    assert view.warnings[0].message == "slow"
    assert reduce_all(stamp([*events, RunCompleted()])).progress is None


@pytest.mark.parametrize("cut", range(len(RUN) + 1))
def test_decoded_lines_fold_to_the_same_state_as_the_events(cut: int) -> None:
    events = stamp(RUN)[:cut]
    assert reduce_all(codec.decode(codec.encode(event)) for event in events) == reduce_all(events)


def test_states_are_immutable() -> None:
    view: Any = reduce_all(stamp(RUN))
    with pytest.raises(AttributeError):
        view.phase = "idle"


def model_call(stage: str, done: int, model: str = "ollama:qwen3:8b") -> Progress:
    return Progress(stage="llm", done=done, total=1, message=f"{stage}: {model}")


def timed(facts: list[Event]) -> list[Event]:
    return [stamped(fact, run_id="r", seq=seq, at=f"2026-01-02T03:04:{seq:02d}.500Z") for seq, fact in enumerate(facts)]


def test_a_call_of_the_model_is_under_way_until_it_is_over() -> None:
    facts = timed([RUN[0], model_call("route", 0), model_call("route", 1)])
    view = reduce_all(facts[:2])
    assert [(call.stage, call.model, call.since) for call in view.model_calls] == [
        ("route", "ollama:qwen3:8b", "2026-01-02T03:04:01.500Z")
    ]
    assert view.llm_calls == 1
    assert view.progress is None
    assert reduce_all(facts).model_calls == ()


def test_two_calls_for_one_thing_end_one_by_one() -> None:
    facts = timed([RUN[0], model_call("grade", 0), model_call("grade", 0), model_call("grade", 1)])
    assert len(reduce_all(facts).model_calls) == 1
    assert reduce_all(facts).llm_calls == 2


@pytest.mark.parametrize(
    ("stage", "result"),
    [
        ("route", RUN[1]),
        ("grade", RUN[5]),
        ("write", RUN[8]),
        ("write", RUN[9]),
        ("grade", RunFailed(error="TimedOut")),
    ],
)
def test_a_call_whose_end_was_lost_is_over_with_its_stage(stage: str, result: Event) -> None:
    assert reduce_all([RUN[0], model_call(stage, 0), result]).model_calls == ()


@pytest.mark.parametrize(("stage", "pane"), [("route", "intent"), ("grade", "evidence"), ("write", "answer")])
def test_the_stage_that_waits_for_the_model_is_working(stage: str, pane: Any) -> None:
    view = reduce_all([*RUN[:5], model_call(stage, 0)])
    assert view.stages[pane].status == "working"


def test_the_time_to_the_first_words_is_that_of_a_model_that_writes() -> None:
    by_model = timed(
        [RUN[0], model_call("write", 0), AnswerDelta(text=""), AnswerDelta(text="It"), AnswerDelta(text="s")]
    )
    assert reduce_all(by_model).first_token_s == 3.0
    offline = timed([RUN[0], RUN[1], AnswerDelta(text="It")])
    assert reduce_all(offline).first_token_s is None
    routed = timed([RUN[0], QueryRouted(routing_plan=PLAN, reasoner="llm"), AnswerDelta(text="It")])
    assert reduce_all(routed).first_token_s == 2.0


def test_the_end_of_a_run_says_what_it_used() -> None:
    view = reduce_all([RUN[0], RunCompleted(llm_calls=3, tokens_in=2100, tokens_out=240, cost_usd=0.0012)])
    assert (view.usage.calls, view.usage.tokens_in, view.usage.tokens_out, view.usage.cost_usd) == (
        3,
        2100,
        240,
        0.0012,
    )


def test_an_early_answer_stays_until_the_whole_one_is_there() -> None:
    early = AnswerCompleted(markdown="40 s", outcome="answered", files_read=3, files_total=900)
    view = reduce_all([RunStarted(query="q"), early, AnswerDelta(text="90"), Progress(stage="read", done=5, total=900)])
    assert view.markdown == "40 s"
    assert view.stages["answer"].status == "working"
    view = reduce(view, AnswerCompleted(markdown="90 s", outcome="answered"))
    assert view.markdown == "90 s"
    assert view.stages["answer"].status == "done"
