"""Routes the question before any search (specs 002 and 003, D1).

On a RE-RETRIEVE the hint tells the router what is missing and what was tried, so that it can choose other tools.
"""

from __future__ import annotations

from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.codec import plan_to_dict
from kbtui.domain.events import QueryRouted
from kbtui.domain.routing import RetrievalHint


def analyze_and_route(state: AgentState, context: AgentContext) -> AgentState:
    """Route the question and store the plan in ``routing_plan``."""
    hint = state.get("hint", RetrievalHint())
    iteration = hint.iteration + 1
    routing = context.router.route(state["query"], hint)
    plan = routing.plan
    context.emit(
        QueryRouted(
            routing_plan=plan,
            reasoner=routing.reasoner,
            iteration=iteration,
            signals=routing.signals,
            standalone=routing.standalone,
        )
    )
    as_dict = plan_to_dict(plan)
    sub_questions = state.get("asked", ())
    known_intents = {question.semantic_intent for question in sub_questions}
    return {
        # Later nodes work on the standalone form of a follow-up.
        "query": routing.standalone or state["query"],
        "iteration": iteration,
        "routing": routing,
        "routing_plan": as_dict,
        "query_type": plan.query_type,
        "complexity": plan.complexity,
        "sub_questions": as_dict["sub_questions"],
        "asked": sub_questions + tuple(q for q in plan.sub_questions if q.semantic_intent not in known_intents),
        "audit": [{"node": "analyze_and_route", "iteration": iteration, "reasoner": routing.reasoner, "plan": as_dict}],
    }
