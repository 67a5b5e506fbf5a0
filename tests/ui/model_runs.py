"""Hand-made runs in which a chat model routes, grades and writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from kbtui.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    Event,
    EvidenceGraded,
    PlanCreated,
    PlanStep,
    Progress,
    QueryRouted,
    RequestClassified,
    RunCompleted,
    RunStarted,
    ToolFinished,
    ToolStarted,
)
from kbtui.domain.routing import RoutingPlan
from tests.ui.made import CITATIONS, ITEMS, SUBS, FakeEngine, placed

MODEL = "openai:gpt-5-mini"
UNBACKED = "回滚之后数据库会自动恢复。"

STREAMED = """A deploy is rolled back by re-pinning the last green image and running `deploy --pin` [1].
Migrations are forward-only [3], and the pager is silenced for an hour.

- The on-call engineer announces it first in `#deploys` [2].
- 回滚之后数据库会自动恢复。
"""
CHECKED = """A deploy is rolled back by re-pinning the last green image and running `deploy --pin` [1].
Migrations are forward-only [2], and the pager is silenced for an hour. [?]

- The on-call engineer announces it first in `#deploys` [3].
- 回滚之后数据库会自动恢复。 [?]

[1] runbooks/rollback.md:L12-L18
[2] adr/0007-deploys.md:L4
[3] runbooks/oncall/announcing-an-incident-or-rollback.md:L31-L44
"""


def asked(stage: str, done: int, model: str = MODEL) -> Progress:
    """A call of the model that begins (0) or is over (1)."""
    return Progress(stage="llm", done=done, total=1, message=f"{stage}: {model}")


def a_model_run(query: str = "How does rollback work?", run_id: str = "r1") -> list[Event]:
    """Three calls of the model, two sentences that nothing backs, marks renumbered at the end."""
    plan = RoutingPlan(
        query_type="conceptual", complexity="complex", sub_questions=SUBS, suggested_tools=("hybrid_search",)
    )
    graded = tuple(replace(item, signals={"llm": min(1.0, item.score + 0.05), "offline": 0.4}) for item in ITEMS)
    return placed(
        [
            RunStarted(query=query, kb="/kb/handbook", session_id="s1", model=MODEL),
            RequestClassified(request_type="knowledge", confidence=0.93),
            asked("route", 0),
            asked("route", 1),
            QueryRouted(routing_plan=plan, reasoner="llm"),
            PlanCreated(steps=(PlanStep(step_id="s1", tool="hybrid_search", purpose="look for rollback deploy"),)),
            ToolStarted(call_id="c1", tool="hybrid_search", sub_question=SUBS[0].semantic_intent, step_id="s1"),
            ToolFinished(call_id="c1", tool="hybrid_search", ok=True, result_count=12, duration_ms=38),
            asked("grade", 0),
            asked("grade", 1),
            EvidenceGraded(items=graded, average=0.81, action="GENERATE"),
            asked("write", 0),
            *(AnswerDelta(text=STREAMED[start : start + 7]) for start in range(0, len(STREAMED), 7)),
            asked("write", 1),
            AnswerCompleted(
                markdown=CHECKED,
                outcome="partial",
                citations=CITATIONS[:3],
                unsupported=("the pager is silenced for an hour.", UNBACKED),
            ),
            RunCompleted(
                duration_ms=2812,
                iterations=1,
                tool_calls=1,
                llm_calls=3,
                tokens_in=2140,
                tokens_out=240,
                cost_usd=0.0012,
            ),
        ],
        run_id,
        step_s=0.2,
    )


def an_audit() -> list[dict[str, Any]]:
    """What is kept of such a run: three calls of the model, one of them broken, among the decisions of the nodes."""
    passages = "\n\n".join(
        f"<passage id={n}>line {n}: 回滚之后 re-pin the last green image</passage>" for n in range(1, 40)
    )
    route = {"node": "llm", "stage": "route", "model": MODEL, "tokens_in": 410, "tokens_out": 92, "duration_ms": 812.4}
    write = {
        "node": "llm",
        "stage": "write",
        "model": MODEL,
        "tokens_in": 2140,
        "tokens_out": 240,
        "duration_ms": 1903.0,
    }
    return [
        route
        | {
            "prompt": [
                {"role": "system", "content": "Task: route\n\nYou plan a search."},
                {"role": "user", "content": "How does rollback work, and who announces it?"},
            ],
            "answer": '{"query_type": "conceptual", "sub_questions": ["how does rollback work"]}',
        },
        {
            "node": "analyze_and_route",
            "iteration": 1,
            "reasoner": "llm",
            "plan": {"query_type": "conceptual", "complexity": "complex"},
        },
        {"node": "plan", "iteration": 1, "calls": [{"call_id": "c1", "tool": "hybrid_search", "args": {}}]},
        {"node": "tool_exec", "iteration": 1, "results": [{"call_id": "c1", "hits": 12, "ms": 38.0, "error": None}]},
        {
            "node": "llm",
            "stage": "grade",
            "model": MODEL,
            "prompt": [{"role": "system", "content": "Task: grade"}, {"role": "user", "content": passages}],
            "answer": "",
            "duration_ms": 30000.0,
            "error": f"{MODEL} did not answer within 30 s.",
        },
        {"node": "grade_evidence", "iteration": 1, "average": 0.81, "action": "GENERATE", "kept": 5, "dropped": 1},
        write
        | {
            "prompt": [{"role": "system", "content": "Task: write"}, {"role": "user", "content": passages}],
            "answer": STREAMED,
        },
        {"node": "synthesize", "iteration": 1, "outcome": "partial", "citations": ["runbooks/rollback.md:L12-L18"]},
    ]


def up_to(events: list[Event], stage: str) -> int:
    """How many events there are until the model has just been asked for ``stage``."""
    return next(index for index, event in enumerate(events) if getattr(event, "message", "") == f"{stage}: {MODEL}") + 1


@dataclass
class ModelEngine(FakeEngine):
    """Plays runs of a chat model, and knows what was decided in them."""

    model: str = MODEL
    run: Any = a_model_run
