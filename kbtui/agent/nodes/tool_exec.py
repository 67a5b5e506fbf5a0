"""Run the planned calls: those that depend on nothing side by side, then those that read what others found.

A call that fails is a fact, not the end of the run: the others go on and the grader sees what there is.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kbtui.agent.calling import called, called_side_by_side
from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.tooling import ToolCall, ToolResult

READ_CONTEXT = 10
"""Lines `read_file` reads on each side of what another call found; the same window as grep's (spec 003, D2)."""


def tool_exec(state: AgentState, context: AgentContext) -> AgentState:
    """Run this pass's calls and hand on their results in the order they were planned."""
    calls = state["planned"]
    independent = [call for call in calls if not _depends(call)]
    results = called_side_by_side(independent, context)
    for call in calls:
        if _depends(call) and (bound := _bound(call, results)) is not None:
            results.append(called(bound, context))
    order = {call.call_id: position for position, call in enumerate(calls)}
    results.sort(key=lambda result: order[result.call.call_id])
    return {
        "results": tuple(results),
        "audit": [
            {
                "node": "tool_exec",
                "iteration": state["iteration"],
                "results": [
                    {
                        "call_id": r.call.call_id,
                        "hits": len(r.output.hits),
                        "ms": round(r.duration_ms, 1),
                        "error": r.error,
                    }
                    for r in results
                ],
            }
        ],
    }


def _depends(call: ToolCall) -> bool:
    return call.tool == "read_file" and not call.args.get("path")


def _bound(call: ToolCall, results: Sequence[ToolResult]) -> ToolCall | None:
    """The `read_file` call with the file and lines that the first hit of its sub-question names."""
    for result in results:
        if result.call.sub_question == call.sub_question and result.output.hits:
            hit = result.output.hits[0]
            start = max(1, hit.start_line - READ_CONTEXT)
            return replace(call, args={"path": hit.path, "start_line": start, "end_line": hit.end_line + READ_CONTEXT})
    return None
