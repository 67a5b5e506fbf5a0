"""Write the cited answer from the evidence that was kept (spec 003, D4)."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.events import AnswerCompleted, AnswerDelta
from kbtui.domain.ports import WritingBrief
from kbtui.domain.routing import Routing, RoutingPlan, SubQuestion
from kbtui.question.normalise import question_language
from kbtui.reasoning.offline.phrases import read_as


def synthesize_node(state: AgentState, context: AgentContext) -> AgentState:
    """Pass the question, its parts and the kept evidence to the writer, and emit the finished answer."""
    evidence = tuple(item for item in state.get("evidence", ()) if item.kept)
    brief = WritingBrief(
        query=state["query"],
        routing=_routing(state),
        evidence=evidence,
        found=tuple(state.get("evidence", ())),
    )
    spelling = read_as(brief.routing.read_as, question_language(state["query"]))
    if spelling:
        context.emit(AnswerDelta(text=f"{spelling}\n\n"))
    answer = context.writer.write(brief, context.emit, context.cancel)
    if spelling:
        answer = replace(answer, markdown=f"{spelling}\n\n{answer.markdown}")
    context.cancel.check()
    context.emit(AnswerCompleted.of(answer))
    return {
        "answer": answer,
        "audit": [
            {
                "node": "synthesize",
                "iteration": state.get("iteration", 1),
                "outcome": answer.outcome,
                "citations": [citation.label for citation in answer.citations],
            }
        ],
    }


def _routing(state: AgentState) -> Routing:
    """The routing with the original sub-questions, by which the answer is grouped."""
    routing = state.get("routing")
    sub_questions = state.get("asked", ())
    if routing is None:
        question = SubQuestion(semantic_intent=state["query"], search_keywords=state["query"])
        plan = RoutingPlan(query_type="conceptual", complexity="simple", sub_questions=sub_questions or (question,))
        return Routing(plan=plan)
    return replace(routing, plan=replace(routing.plan, sub_questions=sub_questions))
