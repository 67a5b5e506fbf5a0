"""Runs the planned calls: independent ones in parallel, then those that read a result of others.

A failed call does not end the run: the others go on, and the grader receives their results.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kbtui.agent.calling import call_in_parallel, make_call
from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.tooling import ToolCall, ToolResult

READ_CONTEXT = 10
"""Lines that `read_file` reads on each side of a hit; the same window as grep's (spec 003, D2)."""


def tool_exec(state: AgentState, context: AgentContext) -> AgentState:
    """Run the calls of this pass; the results are in the planned order."""
    calls = state["planned"]
    independent = [call for call in calls if not _needs_hit(call)]
    results = call_in_parallel(independent, context)
    for call in calls:
        if _needs_hit(call) and (bound := _bind_to_hit(call, results)) is not None:
            results.append(make_call(bound, context))
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


def _needs_hit(call: ToolCall) -> bool:
    return call.tool == "read_file" and not call.args.get("path")


def _bind_to_hit(call: ToolCall, results: Sequence[ToolResult]) -> ToolCall | None:
    """The `read_file` call with path and lines of the first hit of its sub-question; None without a hit."""
    for result in results:
        if result.call.sub_question == call.sub_question and result.output.hits:
            hit = result.output.hits[0]
            start = max(1, hit.start_line - READ_CONTEXT)
            return replace(call, args={"path": hit.path, "start_line": start, "end_line": hit.end_line + READ_CONTEXT})
    return None
