"""States what happens in a step, and calls tools for it: every call is an event, a count and a duration."""

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

_MOST_SHOWN_BYTES: Final = 4 << 20
"""Of a result as an event carries it: a session file is read line by line."""


class Teller:
    """Between the steps of one run and whoever watches."""

    def __init__(self, context: AnalysisContext, validator: ExecutionValidator, emit: Emit) -> None:
        self._context = context
        self._validator = validator
        self._emit = emit
        self._started = 0.0
        self.called_ms = 0.0
        """How long the last call took, whatever came of it."""

    def started(self, step: PlanStep, attempt: int = 1) -> None:
        """A step begins, or begins again."""
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
        """Since the attempt began."""
        return _since(self._started)

    def call(
        self,
        step: PlanStep,
        args: dict[str, Any],
        *,
        kind: str | None,
        told: dict[str, Any] | None = None,
        attempt: int = 1,
        sub_question: str = "",
    ) -> ToolOutput:
        """Call the tool of a step.

        Args:
            kind: Of the statement, structure or calculation: its duration is remembered by it.
            told: The arguments as the event has them, where the real ones are too much.

        Raises:
            KbtuiError: The tool could not do it.
            Cancelled: The run was stopped.
        """
        call_id = f"{step.step_id}.{attempt}"
        self._validator.called(step.step_id, step.tool)
        self._emit(
            ToolStarted(
                call_id=call_id,
                tool=step.tool,
                args=args if told is None else told,
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
            self.called_ms = _since(started)
            self._emit(
                ToolFinished(call_id=call_id, tool=step.tool, ok=False, duration_ms=self.called_ms, error=error.message)
            )
            raise
        duration = self.called_ms = _since(started)
        if self._context.durations is not None and not output.cached:
            for key in duration_keys(step.tool, str(args.get("source", "")), kind):
                # Of the whole attempt: what a plan foretells is how long its steps take, with the thinking.
                self._context.durations.add(key, self.elapsed_ms)
        self._emit(
            ToolFinished(
                call_id=call_id,
                tool=step.tool,
                ok=True,
                result_count=_count(output),
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
            if used > _MOST_SHOWN_BYTES:
                break
            rows.append(row)
        self._emit(
            TableProduced(
                step_id=step.step_id,
                columns=table.columns,
                rows=tuple(rows),
                row_count=max(table.row_count, len(table.rows)),
                truncated=table.truncated or len(rows) < len(table.rows),
                sql=table.sql,
                source=table.source,
            )
        )


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def _count(output: ToolOutput) -> int:
    match output.artifact:
        case Schema(tables=tables):
            return len(tables)
        case ResultTable(row_count=count, rows=rows):
            return max(count, len(rows))
        case _:
            return len(output.hits)
