"""The graph's shape (spec 003, D5), and the linear one behind the feature flag.

::

    START → ask_records → analyze_and_route → plan → tool_exec → grade_evidence
                │                  ↑             ↑                   ├─ GENERATE ──→ synthesize → END
                └→ END             │             └───── REFINE ──────┤
                                   └─────────────── RE-RETRIEVE ─────┘

What the tables of the folder answer (``ask_records``) is not searched for.
A plan without calls (chitchat, or nothing new to try) goes straight to ``synthesize``. With
``KB_AGENT_USE_ADAPTIVE_RAG=false``: ``plan → tool_exec → evaluate → synthesize``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from kbtui.agent import nodes
from kbtui.agent.state import AgentContext, AgentState

Node = Callable[[AgentState, AgentContext], AgentState]

_STEPS_PER_PASS = 4


@lru_cache(maxsize=2)
def compiled_graph(adaptive: bool = True) -> Any:
    """The compiled graph; invoke it through `run_graph`."""
    graph = StateGraph(AgentState, context_schema=AgentContext)
    if not adaptive:
        return _linear(graph)
    graph.add_node("ask_records", _node(nodes.ask_records))
    graph.add_node("analyze_and_route", _node(nodes.analyze_and_route))
    graph.add_node("plan", _node(nodes.plan_node))
    graph.add_node("tool_exec", _node(nodes.tool_exec))
    graph.add_node("grade_evidence", _node(nodes.grade_evidence))
    graph.add_node("synthesize", _node(nodes.synthesize_node))
    graph.add_edge(START, "ask_records")
    graph.add_conditional_edges("ask_records", _after_records, ["analyze_and_route", END])
    graph.add_edge("analyze_and_route", "plan")
    graph.add_conditional_edges("plan", _after_plan, ["tool_exec", "synthesize"])
    graph.add_edge("tool_exec", "grade_evidence")
    graph.add_conditional_edges("grade_evidence", _after_grading, ["synthesize", "plan", "analyze_and_route"])
    graph.add_edge("synthesize", END)
    return graph.compile()


def run_graph(query: str, context: AgentContext, *, adaptive: bool = True) -> AgentState:
    """Answer one question; blocks. Facts go to ``context.emit`` as they happen.

    Raises:
        Cancelled: ``context.cancel`` was set.
        KbtuiError: A node could not go on.
    """
    limit = _STEPS_PER_PASS * context.max_iterations + 5
    final: AgentState = compiled_graph(adaptive).invoke(
        {"query": query, "audit": []}, config={"recursion_limit": limit}, context=context
    )
    return final


def _linear(graph: Any) -> Any:
    graph.add_node("plan", _node(nodes.linear_plan_node))
    graph.add_node("tool_exec", _node(nodes.tool_exec))
    graph.add_node("evaluate", _node(nodes.evaluate))
    graph.add_node("synthesize", _node(nodes.synthesize_node))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "tool_exec")
    graph.add_edge("tool_exec", "evaluate")
    graph.add_edge("evaluate", "synthesize")
    graph.add_edge("synthesize", END)
    return graph.compile()


def _node(node: Node) -> Any:
    """A node as LangGraph calls it: cancel is checked before it, its audit entries go out after it."""

    def run(state: AgentState, runtime: Runtime[AgentContext]) -> AgentState:
        context = runtime.context
        context.cancel.check()
        update = node(state, context)
        for entry in update.get("audit", []):
            context.audit(entry)
        return update

    return run


def _after_records(state: AgentState) -> str:
    return END if "answer" in state else "analyze_and_route"


def _after_plan(state: AgentState) -> str:
    return "tool_exec" if state["planned"] else "synthesize"


def _after_grading(state: AgentState) -> str:
    match state["grader_action"]:
        case "GENERATE":
            return "synthesize"
        case "REFINE":
            return "plan"
        case "RE-RETRIEVE":
            return "analyze_and_route"
