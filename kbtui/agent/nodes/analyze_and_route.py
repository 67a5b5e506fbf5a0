"""Understand the question before anything is searched (specs 002 and 003, D1).

On a RE-RETRIEVE the router is told what is missing and what was tried, so that it can choose other tools.
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
    asked = state.get("asked", ())
    known = {question.semantic_intent for question in asked}
    return {
        # What follows works on the question as it was meant.
        "query": routing.standalone or state["query"],
        "iteration": iteration,
        "routing": routing,
        "routing_plan": as_dict,
        "query_type": plan.query_type,
        "complexity": plan.complexity,
        "sub_questions": as_dict["sub_questions"],
        "asked": asked + tuple(q for q in plan.sub_questions if q.semantic_intent not in known),
        "audit": [{"node": "analyze_and_route", "iteration": iteration, "reasoner": routing.reasoner, "plan": as_dict}],
    }
