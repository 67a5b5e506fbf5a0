"""The nodes, one per file: each takes the state and the context of the run and returns the changes."""

from __future__ import annotations

from kbtui.agent.nodes.analyze_and_route import analyze_and_route
from kbtui.agent.nodes.ask_records import ask_records
from kbtui.agent.nodes.grade_evidence import evaluate, grade_evidence
from kbtui.agent.nodes.plan import linear_plan_node, plan_node
from kbtui.agent.nodes.synthesize import synthesize_node
from kbtui.agent.nodes.tool_exec import tool_exec

__all__ = [
    "analyze_and_route",
    "ask_records",
    "evaluate",
    "grade_evidence",
    "linear_plan_node",
    "plan_node",
    "synthesize_node",
    "tool_exec",
]
