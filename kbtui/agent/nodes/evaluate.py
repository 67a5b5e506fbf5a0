"""The linear graph's judge: grade once, and on to the answer either way (spec 003, "Context")."""

from __future__ import annotations

from dataclasses import replace

from kbtui.agent.nodes.grade_evidence import grade_evidence
from kbtui.agent.state import AgentContext, AgentState


def evaluate(state: AgentState, context: AgentContext) -> AgentState:
    """Grade with no pass after this one."""
    return grade_evidence(state, replace(context, max_iterations=1))
