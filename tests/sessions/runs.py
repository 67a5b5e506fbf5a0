"""Whole runs made by hand, so that session tests need no engine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from kbtui.domain import events as ev
from kbtui.domain.answer import Citation
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion

START = datetime(2026, 11, 20, 21, 3, 1, tzinfo=UTC)


def stamp(facts: list[ev.Event], run_id: str = "r1", start: datetime = START, step_s: float = 0.05) -> list[ev.Event]:
    """The facts as a run emits them, ``step_s`` seconds apart."""
    return [
        ev.stamped(fact, run_id=run_id, seq=seq, at=(start + timedelta(seconds=seq * step_s)).isoformat())
        for seq, fact in enumerate(facts)
    ]


def answered(
    query: str = "how are deploys rolled back?", run_id: str = "r1", session_id: str = "s1", start: datetime = START
) -> list[ev.Event]:
    """A run over two passes that ends in a cited answer."""
    parts = (
        SubQuestion(semantic_intent="how are deploys rolled back", search_keywords="deploys rollback"),
        SubQuestion(semantic_intent="who announces a rollback", search_keywords="announce rollback"),
    )
    plan = RoutingPlan(
        query_type="conceptual", complexity="complex", sub_questions=parts, suggested_tools=("hybrid_search",)
    )
    good = ev.EvidenceItem(
        evidence_id="e1",
        path="runbooks/rollback.md",
        start_line=12,
        end_line=18,
        score=0.88,
        kept=True,
        tool="hybrid_search",
        sub_question=parts[0].semantic_intent,
        preview="Re-pin the last green image.",
    )
    bad = ev.EvidenceItem(
        evidence_id="e2",
        path="notes/2025-03.md",
        start_line=3,
        end_line=3,
        score=0.21,
        kept=False,
        tool="hybrid_search",
        sub_question=parts[1].semantic_intent,
        preview="Lunch was late.",
    )
    facts: list[ev.Event] = [
        ev.RunStarted(query=query, session_id=session_id, kb="/kb/handbook"),
        ev.RequestClassified(request_type="knowledge", confidence=0.93, signals=(Signal(name="how"),)),
        ev.QueryRouted(routing_plan=plan, signals=(Signal(name="question word", detail="how"),)),
        ev.PlanCreated(
            steps=(
                ev.PlanStep(step_id="s1", tool="hybrid_search", purpose="rollback"),
                ev.PlanStep(step_id="s2", tool="hybrid_search", purpose="announce"),
            )
        ),
        ev.ToolStarted(call_id="c1", tool="hybrid_search", sub_question=parts[0].semantic_intent, step_id="s1"),
        ev.ToolStarted(call_id="c2", tool="hybrid_search", sub_question=parts[1].semantic_intent, step_id="s2"),
        ev.ToolFinished(call_id="c1", tool="hybrid_search", ok=True, result_count=12, duration_ms=38.0),
        ev.ToolFinished(call_id="c2", tool="hybrid_search", ok=False, error="ToolError: the index is gone"),
        ev.EvidenceGraded(items=(good, bad), average=0.55, action="REFINE"),
        ev.PlanCreated(steps=(ev.PlanStep(step_id="s3", tool="grep_search", purpose="announce"),), iteration=2),
        ev.ToolStarted(
            call_id="c3", tool="grep_search", sub_question=parts[1].semantic_intent, iteration=2, step_id="s3"
        ),
        ev.ToolFinished(call_id="c3", tool="grep_search", ok=True, result_count=2, duration_ms=4.0, cached=True),
        ev.EvidenceGraded(items=(good, bad), average=0.81, action="GENERATE", iteration=2),
        ev.AnswerDelta(text="Re-pin the last "),
        ev.AnswerDelta(text="green image [1]."),
        ev.AnswerCompleted(
            markdown="Re-pin the last **green image** [1].\n\n[1] runbooks/rollback.md:L12-L18",
            outcome="answered",
            citations=(
                Citation(
                    n=1, path="runbooks/rollback.md", start_line=12, end_line=18, quote="Re-pin the last green image."
                ),
            ),
        ),
        ev.Warned(message="one search failed", where="tool_exec"),
        ev.RunCompleted(duration_ms=850.0, iterations=2, tool_calls=3),
    ]
    return stamp(facts, run_id, start)


def cancelled(query: str = "stop me", run_id: str = "r2", start: datetime = START) -> list[ev.Event]:
    """A run the user stopped while a tool was running."""
    return stamp(
        [
            ev.RunStarted(query=query, session_id="s1", kb="/kb/handbook"),
            ev.ToolStarted(call_id="c1", tool="grep_search"),
            ev.RunFailed(error="Cancelled", message="The run was cancelled.", hint="Ask again whenever you like."),
        ],
        run_id,
        start,
    )


def analysed(
    run_id: str = "a1", start: datetime = START, request_type: ev.RequestType = "data_query", ratio: float = 0.6667
) -> list[ev.Event]:
    """An analysis of data that needed a second attempt."""
    look = "get_data_source_context"
    facts: list[ev.Event] = [
        ev.RunStarted(query="how many orders?", session_id="s1", kb="/kb/handbook"),
        ev.RequestClassified(request_type=request_type),
        ev.PlanCreated(steps=(ev.PlanStep(step_id="d1", tool=look, schema_level="basic"),)),
        ev.StepStarted(step_id="d1"),
        ev.ToolStarted(call_id="d1.1", tool=look, step_id="d1"),
        ev.ToolFinished(call_id="d1.1", tool=look, ok=True, cached=True),
        ev.StepStarted(step_id="d2", attempt=1),
        ev.StepStarted(step_id="d2", attempt=2),
        ev.TableProduced(step_id="d2", columns=("kind",), rows=(('"kind":"step_started"',),)),
        ev.AnswerCompleted(markdown="5", outcome="answered"),
        ev.RunCompleted(
            duration_ms=250,
            iterations=1,
            deviation=ev.Deviation(planned=3, actual=4, ratio=ratio, order_changes=1, warned=ratio > 0.5),
        ),
    ]
    return stamp(facts, run_id=run_id, start=start)
