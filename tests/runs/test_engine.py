"""Runs: one beginning, one end, nothing after it; cancelled at once; failures told with a hint."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kbtui.domain.analysis import ResultTable
from kbtui.domain.conversation import MAX_QUESTION_CHARS
from kbtui.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    Deviation,
    Event,
    PlanCreated,
    PlanStep,
    Progress,
    RunCompleted,
    ToolFinished,
)
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.errors import Cancelled, KbtuiError, KnowledgeBaseError, TimedOut, UsageError
from kbtui.runs.backend import RunRequest
from kbtui.runs.engine import Engine


class Scripted:
    """A backend that does what it was made with."""

    def __init__(self, work) -> None:  # type: ignore[no-untyped-def]
        self.work = work
        self.queries: list[str] = []

    def answer(self, request: RunRequest) -> RunSummary:
        request.audit({"node": "scripted", "query": request.query})
        self.queries.append(request.query)
        self.work(request.emit, request.cancel)
        return RunSummary(iterations=2)

    def file_count(self) -> int | None:
        return None


def engine(work, *, timeout_s: float = 60.0, record=None) -> Engine:  # type: ignore[no-untyped-def]
    return Engine(
        Scripted(work),
        kb=Path("/kb"),
        session_id="s1",
        record=record,
        timeout_s=timeout_s,
        clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        new_run_id=lambda: "r1",
    )


def say(emit: Emit, _cancel: CancelToken) -> None:
    emit(AnswerDelta(text="hi"))
    emit(AnswerCompleted(markdown="hi", outcome="answered"))


def test_a_run_is_stamped_and_has_one_beginning_and_one_end() -> None:
    events: list[Event] = []
    answer = engine(say).answer_query("q", events.append)
    assert [event.kind for event in events] == ["run_started", "answer_delta", "answer_completed", "run_completed"]
    assert [event.seq for event in events] == [0, 1, 2, 3]
    assert {event.at for event in events} == {"2026-01-02T03:04:05.000Z"}
    assert {event.run_id for event in events} == {"r1"}
    assert (answer.markdown, answer.outcome, answer.run_id, answer.session_id, answer.iterations) == (
        "hi",
        "answered",
        "r1",
        "s1",
        2,
    )


def test_a_search_is_held_against_its_plan_as_well() -> None:
    """Of an analysis the analysis itself says how far it went from its plan."""

    def search(emit: Emit, _cancel: CancelToken) -> None:
        steps = [PlanStep(step_id=f"s{n}", tool=tool) for n, tool in enumerate(("graph_related", "read_file"), 1)]
        emit(PlanCreated(steps=tuple(steps)))
        emit(ToolFinished(call_id="c1", tool="graph_related", ok=True))
        say(emit, _cancel)

    events: list[Event] = []
    engine(search).answer_query("q", events.append)
    assert isinstance(events[-1], RunCompleted)
    assert events[-1].deviation == Deviation(planned=2, actual=1, ratio=0.5)
    assert events[-1].tool_calls == 1


def test_the_recorder_gets_the_same_events_as_the_callback() -> None:
    recorded: list[Event] = []
    heard: list[Event] = []
    engine(say, record=recorded.append).answer_query("q", heard.append)
    assert recorded == heard


async def test_stream_yields_what_answer_query_reports() -> None:
    heard: list[Event] = []
    engine(say).answer_query("q", heard.append)
    streamed = [event async for event in engine(say).stream("q")]
    assert [event.kind for event in streamed] == [event.kind for event in heard]


async def test_cancelling_ends_the_stream_at_once_while_the_work_still_winds_down() -> None:
    release = threading.Event()
    finished = threading.Event()

    def work(emit: Emit, _cancel: CancelToken) -> None:
        emit(Progress(stage="embed"))
        release.wait(10)
        emit(AnswerDelta(text="too late"))
        finished.set()

    running = engine(work)
    kinds = []
    async for event in running.stream("q"):
        kinds.append(event.kind)
        if event.kind == "progress":
            running.cancel("r1")
        if event.kind == "run_failed":
            assert not finished.is_set()
            release.set()
    assert kinds == ["run_started", "progress", "run_failed"]


async def test_leaving_the_stream_early_cancels_the_run() -> None:
    cancelled = threading.Event()

    def work(emit: Emit, cancel: CancelToken) -> None:
        emit(Progress(stage="embed"))
        while not cancel.cancelled:
            threading.Event().wait(0.01)
        cancelled.set()

    stream = engine(work).stream("q")
    async for event in stream:
        if event.kind == "progress":
            break
    await stream.aclose()  # type: ignore[attr-defined]
    assert await asyncio.to_thread(cancelled.wait, 10)


def test_a_cancelled_answer_query_raises_cancelled() -> None:
    def work(_emit: Emit, cancel: CancelToken) -> None:
        running.cancel("r1")
        cancel.check()

    running = engine(work)
    events: list[Event] = []
    with pytest.raises(Cancelled):
        running.answer_query("q", events.append)
    assert events[-1].kind == "run_failed"
    assert events[-1].error == "Cancelled"  # type: ignore[union-attr]


def test_a_run_that_takes_too_long_is_stopped_and_says_so() -> None:
    def work(_emit: Emit, cancel: CancelToken) -> None:
        while True:
            cancel.check()
            threading.Event().wait(0.01)

    events: list[Event] = []
    with pytest.raises(TimedOut) as caught:
        engine(work, timeout_s=0.05).answer_query("q", events.append)
    assert caught.value.exit_code == 124
    assert (events[-1].kind, events[-1].error) == ("run_failed", "TimedOut")  # type: ignore[union-attr]


def test_indexing_does_not_count_towards_the_time_limit_but_towards_the_deadline() -> None:
    def work(emit: Emit, cancel: CancelToken) -> None:
        for done in range(20):
            cancel.check()
            emit(Progress(stage="embed", done=done, total=20))
            threading.Event().wait(0.02)
        say(emit, cancel)

    assert engine(work, timeout_s=0.2).answer_query("q").outcome == "answered"
    hurried = engine(work)
    hurried._deadline_s = 0.2
    with pytest.raises(TimedOut):
        hurried.answer_query("q")


def test_waiting_for_a_chat_model_counts_towards_the_time_limit() -> None:
    def work(emit: Emit, cancel: CancelToken) -> None:
        while not cancel.cancelled:
            emit(Progress(stage="llm", total=1, message="write: openai:gpt-5-mini"))
            threading.Event().wait(0.01)
        cancel.check()

    with pytest.raises(TimedOut):
        engine(work, timeout_s=0.05).answer_query("q")


def test_the_decisions_of_a_run_can_be_read_by_its_id() -> None:
    asked = engine(say)
    answer = asked.answer_query("q")
    (entry,) = asked.audit(answer.run_id)
    assert (entry["node"], entry["query"], entry["run_id"]) == ("scripted", "q", "r1")
    assert asked.audit("another") == ()


def test_an_expected_error_keeps_its_message_and_hint() -> None:
    def work(_emit: Emit, _cancel: CancelToken) -> None:
        raise KnowledgeBaseError("broken", "mend it")

    events: list[Event] = []
    with pytest.raises(KnowledgeBaseError):
        engine(work).answer_query("q", events.append)
    final = events[-1]
    assert (final.error, final.message, final.hint) == ("KnowledgeBaseError", "broken", "mend it")  # type: ignore[union-attr]


def test_an_unforeseen_error_ends_the_run_without_a_traceback() -> None:
    def work(_emit: Emit, _cancel: CancelToken) -> None:
        raise ZeroDivisionError("oops")

    events: list[Event] = []
    with pytest.raises(KbtuiError) as caught:
        engine(work).answer_query("q", events.append)
    assert "ZeroDivisionError: oops" in caught.value.message
    assert caught.value.hint
    assert events[-1].kind == "run_failed"


@pytest.mark.parametrize("empty", ["", "  \n "])
def test_an_empty_question_is_refused(empty: str) -> None:
    with pytest.raises(UsageError):
        engine(say).answer_query(empty)


def test_an_endless_question_is_cut_with_a_warning() -> None:
    events: list[Event] = []
    running = engine(say)
    running.answer_query("x" * 50_000, events.append)
    assert len(running._backend.queries[0]) == MAX_QUESTION_CHARS  # type: ignore[attr-defined]
    assert any(event.kind == "warning" for event in events)
    running.answer_query("deploy " * 10_000)
    assert running._backend.queries[1].endswith(" deploy")  # type: ignore[attr-defined]


def test_a_question_is_worked_on_and_told_as_plain_text() -> None:
    made = engine(say)
    seen: list[Event] = []
    made.answer_query("what\x1b[31m is \x00 this\udcff?", seen.append)
    assert made._backend.queries == ["what is  this\ufffd?"]  # type: ignore[attr-defined]
    assert seen[0].query == "what is  this\ufffd?"  # type: ignore[union-attr]


def test_a_backend_with_data_sources_runs_statements_again_and_forgets_structures() -> None:
    calls: list[tuple[str, ...]] = []

    class WithData(Scripted):
        def refresh_schema(self) -> None:
            calls.append(("refresh_schema",))

        def rerun(self, sql: str, source: str) -> ResultTable:
            calls.append((sql, source))
            return ResultTable(columns=("n",), rows=((1,),), row_count=1)

    able = Engine(WithData(say), kb=Path("/kb"))
    able.refresh_schema()
    assert able.rerun("SELECT 1", "shop").rows == ((1,),)
    assert calls == [("refresh_schema",), ("SELECT 1", "shop")]
