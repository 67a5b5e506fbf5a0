"""Run the planned calls: those that depend on nothing side by side, then those that read what others found.

A call that fails is a fact, not the end of the run: the others go on and the grader sees what there is.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from msgspec.structs import replace

from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.events import ToolFinished, ToolStarted, Warned
from kbtui.domain.tooling import ToolCall, ToolResult
from kbtui.errors import Cancelled, KbtuiError

WORKERS = 4
READ_CONTEXT = 10
"""Lines `read_file` reads on each side of what another call found; the same window as grep's (spec 003, D2)."""

_POLL_S = 0.05


def tool_exec(state: AgentState, context: AgentContext) -> AgentState:
    """Run this pass's calls and hand on their results in the order they were planned."""
    calls = state["planned"]
    independent = [call for call in calls if not _depends(call)]
    results = _side_by_side(independent, context)
    for call in calls:
        if _depends(call) and (bound := _bound(call, results)) is not None:
            results.append(_run(bound, context))
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


def _side_by_side(calls: Sequence[ToolCall], context: AgentContext) -> list[ToolResult]:
    if len(calls) <= 1:
        return [_run(call, context) for call in calls]
    pool = ThreadPoolExecutor(max_workers=min(WORKERS, len(calls)), thread_name_prefix="kbtui-tool")
    try:
        pending: set[Future[ToolResult]] = {pool.submit(_run, call, context) for call in calls}
        done: set[Future[ToolResult]] = set()
        while pending:
            finished, pending = wait(pending, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            done |= finished
            context.cancel.check()
        return [future.result() for future in done]
    finally:
        # A cancelled run does not wait for tools that are still busy; they stop at their own next check.
        pool.shutdown(wait=False, cancel_futures=True)


def _run(call: ToolCall, context: AgentContext) -> ToolResult:
    context.cancel.check()
    context.emit(
        ToolStarted(
            call_id=call.call_id,
            tool=call.tool,
            args=dict(call.args),
            sub_question=call.sub_question,
            iteration=call.iteration,
            step_id=call.step_id,
        )
    )
    started = time.perf_counter()
    try:
        output = context.call_tool(call.tool, call.args)
    except Cancelled:
        raise
    except KbtuiError as error:
        result = ToolResult(call=call, error=error.message, duration_ms=(time.perf_counter() - started) * 1000)
        context.emit(Warned(message=f"{call.tool}: {error}", where="tool_exec"))
    else:
        result = ToolResult(call=call, output=output, duration_ms=(time.perf_counter() - started) * 1000)
    context.emit(
        ToolFinished(
            call_id=call.call_id,
            tool=call.tool,
            ok=result.ok,
            result_count=len(result.output.hits),
            duration_ms=round(result.duration_ms, 3),
            cached=result.output.cached,
            note=result.output.note,
            error=result.error,
        )
    )
    return result
