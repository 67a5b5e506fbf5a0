"""Ask the tables of the folder first: a question that they answer needs no search.

They answer alone what every word of is read (`kbtui.records`); everything else goes on to the router as if nobody had
asked them.
"""

from __future__ import annotations

import time

from kbtui.agent.nodes.grade_evidence import evidence_event, with_evidence
from kbtui.agent.state import AgentContext, AgentState, RecordsAnswer, plan_step
from kbtui.domain.codec import plan_to_dict
from kbtui.domain.events import AnswerCompleted, PlanCreated, QueryRouted, ReadingChosen, ToolFinished, ToolStarted
from kbtui.domain.evidence import Evidence
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion
from kbtui.domain.tooling import ToolCall

TABLES, RELATIONS = "query_records", "graph_related"
_MOST_EVIDENCE = 60


def ask_records(state: AgentState, context: AgentContext) -> AgentState:
    """The answer and every event of the way to it, or no change."""
    if context.records is None:
        return {}
    started = time.perf_counter()
    found = context.records(state["query"])
    if found is None:
        return {}
    context.cancel.check()
    return _told(state["query"], found, (time.perf_counter() - started) * 1000, context)


def _told(query: str, found: RecordsAnswer, took_ms: float, context: AgentContext) -> AgentState:
    intent, tool = found.standalone or query, TABLES if found.sql else RELATIONS
    question = SubQuestion(semantic_intent=intent, search_keywords=intent)
    plan = RoutingPlan(query_type="relational", complexity="simple", sub_questions=(question,), suggested_tools=(tool,))
    signals = (Signal(name="stated", detail=found.says, weight=round(found.confidence, 3)),)
    context.emit(QueryRouted(routing_plan=plan, signals=signals, standalone=found.standalone))
    call = ToolCall(call_id="c1", tool=tool, args={"query": intent}, sub_question=intent, step_id="s1")
    context.emit(PlanCreated(steps=(plan_step(call, context.estimate_ms(tool)),)))
    context.emit(ToolStarted(call_id="c1", tool=tool, args=dict(call.args), sub_question=intent, step_id="s1"))
    context.emit(
        ToolFinished(
            call_id="c1",
            tool=tool,
            ok=True,
            result_count=len(found.hits),
            duration_ms=round(took_ms, 3),
            note=found.says,
        )
    )
    if found.sql:
        context.emit(ReadingChosen(source=found.source, says=found.says, sql=found.sql, confidence=found.confidence))
    evidence = tuple(
        Evidence(evidence_id=f"e{number}", hit=hit, sub_question=intent, score=1.0, kept=True)
        for number, hit in enumerate(found.hits[:_MOST_EVIDENCE], start=1)
    )
    context.emit(evidence_event(evidence, 1.0, "GENERATE", 1))
    context.emit(AnswerCompleted.of(found.answer))
    entry = {"node": "ask_records", "iteration": 1, "sql": found.sql, "says": found.says}
    return {
        **with_evidence(evidence),
        "iteration": 1,
        "query_type": plan.query_type,
        "complexity": plan.complexity,
        "routing_plan": plan_to_dict(plan),
        "answer": found.answer,
        "audit": [entry],
    }
