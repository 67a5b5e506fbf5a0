"""The graph's shape (spec 003, D5), and the linear one behind the feature flag.

::

    START → ask_records → analyze_and_route → plan → tool_exec → grade_evidence
                │                  ↑             ↑                   ├─ GENERATE ──→ synthesize → END
                └→ END             │             └───── REFINE ──────┤
                                   └─────────────── RE-RETRIEVE ─────┘

What the tables of the folder answer (``ask_records``) is not searched for.
A plan without calls (chitchat, or nothing new to try) goes straight to ``synthesize``. With
``KB_AGENT_USE_ADAPTIVE_RAG=false``: ``plan → tool_exec → evaluate → synthesize``.

LangGraph runs it where it is loaded: after `Engine.warm`, or with a chat model. Its import takes longer than the
question itself, so that one asked once walks the same nodes over the same edges without it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from kbtui.agent import nodes
from kbtui.agent.state import AgentContext, AgentState
from kbtui.errors import KbtuiError

Node = Callable[[AgentState, AgentContext], AgentState]

_STEPS_PER_PASS = 4
_END: Final = "__end__"
"""As LangGraph names it."""


class Choice(Struct, frozen=True):
    """An edge that depends on the state.

    Attributes:
        next: The name of the node that follows.
        among: The names it can give.
    """

    next: Callable[[AgentState], str]
    among: tuple[str, ...]


class Topology(Struct, frozen=True):
    """Nodes by name, the first one first, and what follows each."""

    nodes: Mapping[str, Node]
    edges: Mapping[str, str | Choice]


def _after_records(state: AgentState) -> str:
    return _END if "answer" in state else "analyze_and_route"


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


_ADAPTIVE: Final = Topology(
    nodes={
        "ask_records": nodes.ask_records,
        "analyze_and_route": nodes.analyze_and_route,
        "plan": nodes.plan_node,
        "tool_exec": nodes.tool_exec,
        "grade_evidence": nodes.grade_evidence,
        "synthesize": nodes.synthesize_node,
    },
    edges={
        "ask_records": Choice(_after_records, ("analyze_and_route", _END)),
        "analyze_and_route": "plan",
        "plan": Choice(_after_plan, ("tool_exec", "synthesize")),
        "tool_exec": "grade_evidence",
        "grade_evidence": Choice(_after_grading, ("synthesize", "plan", "analyze_and_route")),
        "synthesize": _END,
    },
)
_LINEAR: Final = Topology(
    nodes={
        "plan": nodes.linear_plan_node,
        "tool_exec": nodes.tool_exec,
        "evaluate": nodes.evaluate,
        "synthesize": nodes.synthesize_node,
    },
    edges={"plan": "tool_exec", "tool_exec": "evaluate", "evaluate": "synthesize", "synthesize": _END},
)


def _topology(adaptive: bool) -> Topology:
    return _ADAPTIVE if adaptive else _LINEAR


def run_graph(query: str, context: AgentContext, *, adaptive: bool = True) -> AgentState:
    """Answer one question; blocks. Facts go to ``context.emit`` as they happen.

    Raises:
        Cancelled: ``context.cancel`` was set.
        KbtuiError: A node could not go on.
    """
    limit = _STEPS_PER_PASS * context.max_iterations + 5
    start: AgentState = {"query": query, "audit": []}
    if not _has_langgraph():
        return _walked(_topology(adaptive), start, context, limit)
    final: AgentState = compiled_graph(adaptive).invoke(start, config={"recursion_limit": limit}, context=context)
    return final


def _has_langgraph() -> bool:
    return "langgraph.graph" in sys.modules


def _walked(topology: Topology, state: AgentState, context: AgentContext, limit: int) -> AgentState:
    """The state after one node after the other."""
    name = next(iter(topology.nodes))
    for _ in range(limit):
        update = _stepped(topology.nodes[name], state, context)
        audit = state["audit"] + update.get("audit", [])
        state = state | update | {"audit": audit}
        edge = topology.edges[name]
        name = edge.next(state) if isinstance(edge, Choice) else edge
        if name == _END:
            return state
    raise KbtuiError(f"The question was given up after {limit} steps.")


def _stepped(node: Node, state: AgentState, context: AgentContext) -> AgentState:
    """What ``node`` changes: cancel is checked before it, its audit entries go out after it."""
    context.cancel.check()
    update = node(state, context)
    for entry in update.get("audit", []):
        context.audit(entry)
    return update


@lru_cache(maxsize=2)
def compiled_graph(adaptive: bool = True) -> Any:
    """The graph for LangGraph; invoke it through `run_graph`."""
    from langgraph.graph import START, StateGraph
    from langgraph.runtime import Runtime

    def called(node: Node) -> Any:
        def run(state: AgentState, runtime: Runtime[AgentContext]) -> AgentState:
            return _stepped(node, state, runtime.context)

        # LangGraph looks for the runtime in annotations, which name what is imported here.
        run.__annotations__ |= {"state": AgentState, "runtime": Runtime[AgentContext]}
        return run

    topology = _topology(adaptive)
    graph = StateGraph(AgentState, context_schema=AgentContext)
    for name, node in topology.nodes.items():
        graph.add_node(name, called(node))
    graph.add_edge(START, next(iter(topology.nodes)))
    for name, edge in topology.edges.items():
        if isinstance(edge, Choice):
            graph.add_conditional_edges(name, edge.next, list(edge.among))
        else:
            graph.add_edge(name, edge)
    return graph.compile()
