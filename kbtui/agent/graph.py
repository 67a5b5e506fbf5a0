"""The graph's shape (spec 003, D5), and the linear one behind the feature flag.

::

    START → ask_records → analyze_and_route → plan → tool_exec → grade_evidence
                │                  ↑             ↑                   ├─ GENERATE ──→ synthesize → END
                └→ END             │             └───── REFINE ──────┤
                                   └─────────────── RE-RETRIEVE ─────┘

A question that the records answer (``ask_records``) needs no search.
A plan without calls (chitchat, or nothing new to try) goes straight to ``synthesize``. With
``KB_AGENT_USE_ADAPTIVE_RAG=false``: ``plan → tool_exec → evaluate → synthesize``.

LangGraph runs the graph if it is already imported: after `Engine.warm`, or with a chat model. Its import takes longer
than a question, so a single question walks the same nodes and edges without it.
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

Node = Callable[[Any, Any], Any]
"""Takes the state and the context of the run, returns the changes to the state."""

_STEPS_PER_PASS = 4
END: Final = "__end__"
"""As LangGraph names it."""


class Choice(Struct, frozen=True):
    """An edge that depends on the state.

    Attributes:
        next: Returns the name of the next node.
        among: The names it can return.
    """

    next: Callable[[Any], str]
    among: tuple[str, ...]


class Topology(Struct, frozen=True, eq=False):
    """Nodes by name, in order from the first, and the edges after each; hashed and compared by identity.

    Attributes:
        state, context: Types of the arguments of the nodes; both have ``audit``, the context has ``cancel`` as well.
    """

    nodes: Mapping[str, Node]
    edges: Mapping[str, str | Choice]
    state: type[Any] = AgentState
    context: type[Any] = AgentContext


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
        "ask_records": Choice(_after_records, ("analyze_and_route", END)),
        "analyze_and_route": "plan",
        "plan": Choice(_after_plan, ("tool_exec", "synthesize")),
        "tool_exec": "grade_evidence",
        "grade_evidence": Choice(_after_grading, ("synthesize", "plan", "analyze_and_route")),
        "synthesize": END,
    },
)
_LINEAR: Final = Topology(
    nodes={
        "plan": nodes.linear_plan_node,
        "tool_exec": nodes.tool_exec,
        "evaluate": nodes.evaluate,
        "synthesize": nodes.synthesize_node,
    },
    edges={"plan": "tool_exec", "tool_exec": "evaluate", "evaluate": "synthesize", "synthesize": END},
)


def _topology(adaptive: bool) -> Topology:
    return _ADAPTIVE if adaptive else _LINEAR


def run_graph(query: str, context: AgentContext, *, adaptive: bool = True) -> AgentState:
    """Answer one question; blocks. Events go to ``context.emit`` as they happen.

    Raises:
        Cancelled: ``context.cancel`` was set.
        KbtuiError: A node could not go on.
    """
    limit = _STEPS_PER_PASS * context.max_iterations + 5
    start: AgentState = {"query": query, "audit": []}
    final: AgentState = run_topology(_topology(adaptive), start, context, limit)
    return final


def run_topology(topology: Topology, start: Any, context: Any, limit: int) -> Any:
    """The last state of one run; ``limit`` bounds its steps.

    Raises:
        Cancelled: ``context.cancel`` was set.
        KbtuiError: A node could not go on.
    """
    if not _has_langgraph():
        return _walk(topology, start, context, limit)
    return _compile(topology).invoke(start, config={"recursion_limit": limit}, context=context)


def _has_langgraph() -> bool:
    return "langgraph.graph" in sys.modules


def _walk(topology: Topology, state: Any, context: Any, limit: int) -> Any:
    """Run the nodes one after the other and return the last state."""
    name = next(iter(topology.nodes))
    for _ in range(limit):
        update = _run_node(topology.nodes[name], state, context)
        audit = state["audit"] + update.get("audit", [])
        state = state | update | {"audit": audit}
        edge = topology.edges[name]
        name = edge.next(state) if isinstance(edge, Choice) else edge
        if name == END:
            return state
    raise KbtuiError(f"The question was given up after {limit} steps.")


def _run_node(node: Node, state: Any, context: Any) -> Any:
    """Run one node: check for cancellation before it, write its audit entries after it."""
    context.cancel.check()
    update = node(state, context)
    for entry in update.get("audit", []):
        context.audit(entry)
    return update


def compiled_graph(adaptive: bool = True) -> Any:
    """The graph for LangGraph; invoke it through `run_graph`."""
    return _compile(_topology(adaptive))


@lru_cache(maxsize=4)
def _compile(topology: Topology) -> Any:
    from langgraph.graph import START, StateGraph
    from langgraph.runtime import Runtime

    def with_context(node: Node) -> Any:
        def run(state: Any, runtime: Any) -> Any:
            return _run_node(node, state, runtime.context)

        # LangGraph resolves annotations at run time, so they must be the imported classes.
        run.__annotations__ |= {
            "state": topology.state,
            "runtime": Runtime[topology.context],  # type: ignore[name-defined]
        }
        return run

    graph = StateGraph(topology.state, context_schema=topology.context)
    for name, node in topology.nodes.items():
        graph.add_node(name, with_context(node))
    graph.add_edge(START, next(iter(topology.nodes)))
    for name, edge in topology.edges.items():
        if isinstance(edge, Choice):
            graph.add_conditional_edges(name, edge.next, list(edge.among))
        else:
            graph.add_edge(name, edge)
    return graph.compile()
