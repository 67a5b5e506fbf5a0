"""Calls tools, in parallel where possible, and emits an event for each start and end.

A failed call is reported as an event and does not end the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Final, Protocol

from kbtui.domain.events import ToolFinished, ToolStarted, Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.domain.tooling import ToolCall, ToolOutput, ToolResult
from kbtui.errors import Cancelled, KbtuiError

WORKERS: Final = 4
_POLL_S: Final = 0.05


class CallsTools(Protocol):
    """The part of a run's context that tool calls need."""

    @property
    def call_tool(self) -> Callable[[str, Mapping[str, Any]], ToolOutput]:
        """Runs one tool by name; raises `KbtuiError` when it cannot."""
        ...

    @property
    def emit(self) -> Emit:
        """Emits an event."""
        ...

    @property
    def cancel(self) -> CancelToken:
        """The cancel token of the run."""
        ...


def call_in_parallel(calls: Sequence[ToolCall], context: CallsTools, *, warns: bool = True) -> list[ToolResult]:
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


def make_call(call: ToolCall, context: CallsTools, *, warns: bool = True) -> ToolResult:
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
