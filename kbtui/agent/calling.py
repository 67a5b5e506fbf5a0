"""Calls tools, in parallel where possible, and emits an event for each start and end.

A failed call is reported as an event and does not end the run.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final, TypeAlias

from kbtui.domain.events import PlanCreated, PlanStep, ReadingChosen, ToolFinished, ToolStarted, Warned
from kbtui.domain.tooling import ToolCall, ToolResult
from kbtui.errors import Cancelled, KbtuiError

if TYPE_CHECKING:
    from kbtui.agent.loop.state import LoopContext
    from kbtui.agent.state import AgentContext, RecordsAnswer

    Context: TypeAlias = AgentContext | LoopContext

TABLES, RELATIONS = "query_records", "graph_related"
"""Names of what answers from the records: their tables, or the relations of one thing."""
WORKERS: Final = 4
_POLL_S: Final = 0.05


def emit_plan(calls: Sequence[ToolCall], iteration: int, context: Context) -> None:
    """Emit the plan of the next calls, each as a step of the plan pane."""
    steps = tuple(
        PlanStep(
            step_id=call.step_id or call.call_id,
            tool=call.tool,
            args=dict(call.args),
            purpose=call.sub_question,
            estimated_ms=context.estimate_ms(call.tool),
        )
        for call in calls
    )
    context.emit(PlanCreated(steps=steps, iteration=iteration))


def tool_of(records_answer: RecordsAnswer) -> str:
    """The name of what gave an answer of the records, which stands for a tool in events."""
    return records_answer.tool or (TABLES if records_answer.sql else RELATIONS)


def emit_lookup(intent: str, records_answer: RecordsAnswer, context: Context, duration_ms: float = 0.0) -> None:
    """Emit the events of an answer of the records as those of a call."""
    tool = tool_of(records_answer)
    call = ToolCall(call_id="c1", step_id="s1", tool=tool, args={"query": intent}, sub_question=intent)
    emit_plan([call], 1, context)
    context.emit(ToolStarted(call_id="c1", tool=tool, args=dict(call.args), sub_question=intent, step_id="s1"))
    context.emit(
        ToolFinished(
            call_id="c1",
            tool=tool,
            ok=True,
            result_count=len(records_answer.hits),
            duration_ms=round(duration_ms, 3),
            note=records_answer.says,
        )
    )
    if records_answer.sql:
        context.emit(
            ReadingChosen(
                source=records_answer.source,
                says=records_answer.says,
                sql=records_answer.sql,
                confidence=records_answer.confidence,
            )
        )


def call_in_parallel(calls: Sequence[ToolCall], context: Context, *, warns: bool = True) -> list[ToolResult]:
    """Make the calls in parallel; the results are in no particular order.

    Args:
        warns: Warn the user of failed calls; False if a model made the calls and receives the errors.

    Raises:
        Cancelled: The run was stopped.
    """
    if len(calls) <= 1:
        return [make_call(call, context, warns=warns) for call in calls]
    pool = ThreadPoolExecutor(max_workers=min(WORKERS, len(calls)), thread_name_prefix="kbtui-tool")
    try:
        pending: set[Future[ToolResult]] = {pool.submit(make_call, call, context, warns=warns) for call in calls}
        done: set[Future[ToolResult]] = set()
        while pending:
            finished, pending = wait(pending, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            done |= finished
            context.cancel.check()
        return [future.result() for future in done]
    finally:
        # A cancelled run does not wait for busy tools, which stop at their next cancel check.
        pool.shutdown(wait=False, cancel_futures=True)


def make_call(call: ToolCall, context: Context, *, warns: bool = True) -> ToolResult:
    """Make one call."""
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
        message = error.message if warns else str(error)
        result = ToolResult(call=call, error=message, duration_ms=(time.perf_counter() - started) * 1000)
        if warns:
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
