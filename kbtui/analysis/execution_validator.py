"""Validates a plan against its request, and the execution against the plan (spec 004, requirement 4)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import CONTEXT, PYTHON, SQL, TOOL_ALIASES
from kbtui.analysis.proposed_plan import feasible_steps
from kbtui.domain.events import Deviation, PlanStep, RequestType, Warned
from kbtui.domain.ports import Emit

WARN_ABOVE: Final = 0.5
"""Deviation ratio above which a warning is emitted (spec 004, requirement 4.5)."""


class ExecutionValidator:
    """Validates the plan and the execution of one run.

    Args:
        log: Logs problems of plans and large deviations.
    """

    def __init__(self, log: logging.Logger | None = None) -> None:
        self._log = log or logging.getLogger("kbtui.analysis")
        self._planned: tuple[PlanStep, ...] = ()
        self._called: list[tuple[str, str]] = []

    def validate(
        self, plan: Sequence[PlanStep], request_type: RequestType, *, structure: bool = False
    ) -> tuple[tuple[PlanStep, ...], tuple[str, ...]]:
        """The corrected plan, and the problems found; later calls are compared with it.

        In every plan tools have exact names, steps depend on earlier ones, and their number is limited.

        Args:
            structure: The request is about the structure of a source and needs no statement.
        """
        flags: list[str] = []
        steps = [_with_exact_tool(step, flags) for step in plan]
        match request_type:
            case "consultation":
                steps = _consultation_steps(steps, flags)
            case "trivial" | "simple":
                flags += [f"a {request_type} request needs no {step.tool}; the step was removed" for step in steps]
                steps = []
            case _:
                pass
        if any(step.tool == SQL for step in steps):
            steps = [_with_detailed_schema(step, flags) for step in steps]
        steps = feasible_steps(steps, flags)
        match request_type:
            case "data_query" | "visualization":
                if not structure and not any(step.tool in (SQL, PYTHON) for step in steps):
                    flags.append(f"a {request_type} without {SQL}")
            case "multi_step_analysis":
                steps = [_with_checkpoint(step, flags) for step in steps]
            case _:
                pass
        for flag in flags:
            self._log.warning("plan of a %s: %s", request_type, flag)
        self._planned = tuple(steps)
        self._called = []
        return tuple(steps), tuple(flags)

    def record_call(self, step_id: str, tool: str) -> None:
        self._called.append((step_id, tool))

    def deviation(self) -> Deviation:
        """The deviation of the calls from the plan.

        ``ratio`` is the planned calls that were not made, the calls that were not planned (second attempts among them)
        and the steps that came earlier or later than planned, over the number of planned calls.
        """
        planned = [(step.step_id, step.tool) for step in self._planned]
        firsts = list(dict.fromkeys(self._called))
        common = [call for call in firsts if call in planned]
        missing = len(planned) - len(common)
        extra = len(self._called) - len(common)
        moved = len(common) - _longest_rising([planned.index(call) for call in common])
        ratio = (missing + extra + moved) / max(1, len(planned))
        return Deviation(
            planned=len(planned),
            actual=len(self._called),
            ratio=round(ratio, 4),
            order_changes=moved,
            warned=ratio > WARN_ABOVE,
        )

    def finish(self, emit: Emit) -> Deviation:
        """The deviation of a finished run; emits a warning if it is large."""
        return _warn_of_deviation(self.deviation(), self._log, emit)


def with_unplanned_calls(deviation: Deviation, calls: int, emit: Emit) -> Deviation:
    """The deviation with ``calls`` further unplanned calls, as when the documents are asked after the data."""
    if not calls:
        return deviation
    ratio = deviation.ratio + calls / max(1, deviation.planned)
    updated = replace(deviation, actual=deviation.actual + calls, ratio=round(ratio, 4), warned=ratio > WARN_ABOVE)
    return updated if deviation.warned else _warn_of_deviation(updated, logging.getLogger("kbtui.analysis"), emit)


def _warn_of_deviation(deviation: Deviation, log: logging.Logger, emit: Emit) -> Deviation:
    if deviation.warned:
        message = (
            f"What was done is {deviation.ratio:.0%} off the plan: {deviation.planned} calls planned, "
            f"{deviation.actual} made, {deviation.order_changes} out of order."
        )
        log.warning(message)
        emit(Warned(message=message, where="deviation"))
    return deviation


def _with_exact_tool(step: PlanStep, flags: list[str]) -> PlanStep:
    if step.tool in TOOL_ALIASES:
        flags.append(f"{step.tool} is no tool; {TOOL_ALIASES[step.tool]} is meant")
        step = replace(step, tool=TOOL_ALIASES[step.tool])
    if step.tool == CONTEXT and step.schema_level is None:
        flags.append(f"{CONTEXT} without a level")
        step = replace(step, schema_level="detailed", args={**step.args, "level": "detailed"})
    if step.tool == SQL and not step.query_type:
        flags.append(f"{SQL} without a kind of statement")
        step = replace(step, query_type="detail")
    return step


def _with_detailed_schema(step: PlanStep, flags: list[str]) -> PlanStep:
    """A look at the structure at the detailed level, which statements need."""
    if step.tool != CONTEXT or step.schema_level == "detailed":
        return step
    flags.append(f"{SQL} needs columns, and {CONTEXT} was to read none")
    return replace(step, schema_level="detailed", args={**step.args, "level": "detailed"})


def _consultation_steps(steps: list[PlanStep], flags: list[str]) -> list[PlanStep]:
    """A single look at the names of tables (spec 004, requirements 4.2 and 5.4)."""
    looks: list[PlanStep] = []
    for step in steps:
        if step.tool != CONTEXT:
            flags.append(f"a consultation does not need {step.tool}; the step was removed")
        elif looks:
            flags.append("a consultation looks once; the step was removed")
        else:
            if step.schema_level != "basic":
                flags.append("a consultation needs no columns")
                step = replace(step, schema_level="basic", args={**step.args, "level": "basic"})
            looks.append(step)
    return looks


def _with_checkpoint(step: PlanStep, flags: list[str]) -> PlanStep:
    if step.tool in (SQL, PYTHON) and not step.checkpoint:
        flags.append("a step of several without a checkpoint")
        return replace(step, checkpoint=True)
    return step


def _longest_rising(positions: Sequence[int]) -> int:
    """Length of the longest increasing subsequence; the other positions have moved."""
    best: list[int] = []
    for index, position in enumerate(positions):
        best.append(1 + max((best[j] for j in range(index) if positions[j] < position), default=0))
    return max(best, default=0)
