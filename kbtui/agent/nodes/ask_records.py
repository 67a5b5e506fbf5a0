"""Tries to answer a question from the records of the folder, without a search.

The records answer only questions of which they read every word (`kbtui.records`); all others go on to the router
unchanged.
"""

from __future__ import annotations

import time

from kbtui.agent.calling import emit_lookup, tool_of
from kbtui.agent.nodes.grade_evidence import evidence_event, with_evidence
from kbtui.agent.state import AgentContext, AgentState, RecordsAnswer
from kbtui.domain.codec import plan_to_dict
from kbtui.domain.events import AnswerCompleted, QueryRouted
from kbtui.domain.evidence import Evidence
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion

_MAX_EVIDENCE = 60


def ask_records(state: AgentState, context: AgentContext) -> AgentState:
    """Answer from the records and emit the events of a run; no change if they do not answer."""
    if context.records is None:
        return {}
    started = time.perf_counter()
    records_answer = context.records(state["query"])
    if records_answer is None:
        return {}
    context.cancel.check()
    return _emit_answer(state["query"], records_answer, (time.perf_counter() - started) * 1000, context)


def _emit_answer(query: str, records_answer: RecordsAnswer, elapsed_ms: float, context: AgentContext) -> AgentState:
    intent = records_answer.standalone or query
    question = SubQuestion(semantic_intent=intent, search_keywords=intent)
    tool = tool_of(records_answer)
    plan = RoutingPlan(query_type="relational", complexity="simple", sub_questions=(question,), suggested_tools=(tool,))
    signals = (Signal(name="stated", detail=records_answer.says, weight=round(records_answer.confidence, 3)),)
    context.emit(QueryRouted(routing_plan=plan, signals=signals, standalone=records_answer.standalone))
    emit_lookup(intent, records_answer, context, elapsed_ms)
    evidence = tuple(
        Evidence(evidence_id=f"e{number}", hit=hit, sub_question=intent, score=1.0, kept=True)
        for number, hit in enumerate(records_answer.hits[:_MAX_EVIDENCE], start=1)
    )
    context.emit(evidence_event(evidence, 1.0, "GENERATE", 1))
    context.emit(AnswerCompleted.of(records_answer.answer))
    entry = {"node": "ask_records", "iteration": 1, "sql": records_answer.sql, "says": records_answer.says}
    return {
        **with_evidence(evidence),
        "iteration": 1,
        "query_type": plan.query_type,
        "complexity": plan.complexity,
        "routing_plan": plan_to_dict(plan),
        "answer": records_answer.answer,
        "audit": [entry],
    }
