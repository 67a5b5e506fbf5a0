"""Calls the tools of a step and reports it: events of steps and calls, recorded durations."""

from __future__ import annotations

import time
from typing import Any, Final

from kbtui.analysis.analysis_planner import duration_keys
from kbtui.analysis.context import AnalysisContext
from kbtui.analysis.execution_validator import ExecutionValidator
from kbtui.domain.analysis import ResultTable, Schema
from kbtui.domain.events import (
    PlanStep,
    StepDecision,
    StepFinished,
    StepStarted,
    StepStatus,
    TableProduced,
    ToolFinished,
    ToolStarted,
)
from kbtui.domain.ports import Emit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, KbtuiError

_MAX_SHOWN_BYTES: Final = 4 << 20
"""Size of a result in an event, at most, because a session file is read line by line."""


class StepReporter:
    """Reports the steps of one run as events."""

    def __init__(self, context: AnalysisContext, validator: ExecutionValidator, emit: Emit) -> None:
        self._context = context
        self._validator = validator
        self._emit = emit
        self._started = 0.0
        self.call_ms = 0.0
        """Duration of the last call, failed ones included."""

    def started(self, step: PlanStep, attempt: int = 1) -> None:
        """Report that a step begins, or begins another attempt."""
        self._started = time.perf_counter()
        self._emit(StepStarted(step_id=step.step_id, attempt=attempt))

    def finished(
        self, step: PlanStep, status: StepStatus, decision: StepDecision, reason: str = "", attempt: int = 1
    ) -> None:
        self._emit(
            StepFinished(
                step_id=step.step_id,
                attempt=attempt,
                status=status,
                decision=decision,
                reason=reason,
                duration_ms=self.elapsed_ms,
            )
        )

    @property
    def elapsed_ms(self) -> float:
        """Duration since the attempt began."""
        return _elapsed_since(self._started)

    def call(
        self,
        step: PlanStep,
        args: dict[str, Any],
        *,
        kind: str | None,
        event_args: dict[str, Any] | None = None,
        attempt: int = 1,
        sub_question: str = "",
    ) -> ToolOutput:
        """Call the tool of a step.

        Args:
            kind: Kind of the statement, structure or calculation; part of the key of its recorded duration.
            event_args: The arguments in the event; `args` where it is None.

        Raises:
            KbtuiError: The tool could not do it.
            Cancelled: The run was stopped.
        """
        call_id = f"{step.step_id}.{attempt}"
        self._validator.record_call(step.step_id, step.tool)
        self._emit(
            ToolStarted(
                call_id=call_id,
                tool=step.tool,
                args=args if event_args is None else event_args,
                sub_question=sub_question or step.purpose,
                step_id=step.step_id,
            )
        )
        started = time.perf_counter()
        try:
            output = self._context.call_tool(step.tool, args)
        except Cancelled:
            raise
        except KbtuiError as error:
            self.call_ms = _elapsed_since(started)
            self._emit(
                ToolFinished(call_id=call_id, tool=step.tool, ok=False, duration_ms=self.call_ms, error=error.message)
            )
            raise
        duration = self.call_ms = _elapsed_since(started)
        if self._context.durations is not None and not output.cached:
            for key in duration_keys(step.tool, str(args.get("source", "")), kind):
                # The duration of the whole attempt: estimates of plans include the time for writing a statement.
                self._context.durations.add(key, self.elapsed_ms)
        self._emit(
            ToolFinished(
                call_id=call_id,
                tool=step.tool,
                ok=True,
                result_count=_result_count(output),
                duration_ms=duration,
                cached=output.cached,
                note=output.note,
            )
        )
        return output

    def produced(self, step: PlanStep, table: ResultTable) -> None:
        rows, used = [], 0
        for row in table.rows:
            used += sum(len(cell) * 4 if isinstance(cell, str) else 12 for cell in row)
            if used > _MAX_SHOWN_BYTES:
                break
            rows.append(row)
        count, is_cut = max(table.row_count, len(table.rows)), len(rows) < len(table.rows)
        shown = {"rows": tuple(rows), "row_count": count, "truncated": table.truncated or is_cut}
        self._emit(TableProduced.of(table, step.step_id, **shown))


def _elapsed_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def _result_count(output: ToolOutput) -> int:
    match output.artifact:
        case Schema(tables=tables):
            return len(tables)
        case ResultTable(row_count=count, rows=rows):
            return max(count, len(rows))
        case _:
            return len(output.hits)
