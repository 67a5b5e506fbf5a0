"""Holds a plan against the request it was made for, and what was done against the plan (spec 004, requirement 4)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.analysis.analysis_planner import CONTEXT, EXACT_NAMES, PYTHON, SQL
from kbtui.analysis.proposed_plan import checked_steps
from kbtui.domain.events import Deviation, PlanStep, RequestType, Warned
from kbtui.domain.ports import Emit

WARN_ABOVE: Final = 0.5
"""Share of the planned calls from which doing otherwise is worth a warning (spec 004, requirement 4.5)."""


class Flag(Struct, frozen=True, kw_only=True):
    """Something in a plan that does not fit its request."""

    step_id: str
    message: str


class ExecutionValidator:
    """Follows one run.

    Args:
        log: Told of what does not fit and of runs that went far from their plan.
    """

    def __init__(self, log: logging.Logger | None = None) -> None:
        self._log = log or logging.getLogger("kbtui.analysis")
        self._planned: tuple[PlanStep, ...] = ()
        self._called: list[tuple[str, str]] = []

    def validate(
        self, plan: Sequence[PlanStep], request_type: RequestType, *, structure: bool = False
    ) -> tuple[tuple[PlanStep, ...], tuple[Flag, ...]]:
        """The plan as it may be followed, and what was wrong with it; what is done from now on is held against it.

        Whoever made it: tools are named exactly, steps lean on earlier ones, and there is an end to them.

        Args:
            structure: The structure of a source is asked about, which needs no statement.
        """
        flags: list[Flag] = []
        steps = [_named_exactly(step, flags) for step in plan]
        match request_type:
            case "consultation":
                steps = _consulting(steps, flags)
            case "trivial" | "simple":
                flags += [_removed(step, f"a {request_type} request needs no {step.tool}") for step in steps]
                steps = []
            case _:
                pass
        if any(step.tool == SQL for step in steps):
            steps = [_detailed(step, flags) for step in steps]
        steps = checked_steps(steps, lambda step, why: flags.append(Flag(step_id=step.step_id, message=why)))
        match request_type:
            case "data_query" | "visualization":
                if not structure and not any(step.tool in (SQL, PYTHON) for step in steps):
                    flags.append(Flag(step_id="", message=f"a {request_type} without {SQL}"))
            case "multi_step_analysis":
                steps = [_checked(step, flags) for step in steps]
            case _:
                pass
        for flag in flags:
            self._log.warning("plan of a %s: %s", request_type, flag.message)
        self._planned = tuple(steps)
        self._called = []
        return tuple(steps), tuple(flags)

    def called(self, step_id: str, tool: str) -> None:
        self._called.append((step_id, tool))

    def deviation(self) -> Deviation:
        """How far what was done is from what was planned.

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
        """The deviation of a run that is over; a warning goes out where it is more than half of the plan."""
        return _warned(self.deviation(), self._log, emit)


def with_unplanned(deviation: Deviation, calls: int, emit: Emit) -> Deviation:
    """The deviation of a run that made so many calls beside its plan, as where the folder is asked after the data."""
    if not calls:
        return deviation
    ratio = deviation.ratio + calls / max(1, deviation.planned)
    found = replace(deviation, actual=deviation.actual + calls, ratio=round(ratio, 4), warned=ratio > WARN_ABOVE)
    return found if deviation.warned else _warned(found, logging.getLogger("kbtui.analysis"), emit)


def _warned(found: Deviation, log: logging.Logger, emit: Emit) -> Deviation:
    if found.warned:
        message = (
            f"What was done is {found.ratio:.0%} off the plan: {found.planned} calls planned, {found.actual} made, "
            f"{found.order_changes} out of order."
        )
        log.warning(message)
        emit(Warned(message=message, where="deviation"))
    return found


def _named_exactly(step: PlanStep, flags: list[Flag]) -> PlanStep:
    if step.tool in EXACT_NAMES:
        flags.append(Flag(step_id=step.step_id, message=f"{step.tool} is no tool; {EXACT_NAMES[step.tool]} is meant"))
        step = replace(step, tool=EXACT_NAMES[step.tool])
    if step.tool == CONTEXT and step.schema_level is None:
        flags.append(Flag(step_id=step.step_id, message=f"{CONTEXT} without a level"))
        step = replace(step, schema_level="detailed", args={**step.args, "level": "detailed"})
    if step.tool == SQL and not step.query_type:
        flags.append(Flag(step_id=step.step_id, message=f"{SQL} without a kind of statement"))
        step = replace(step, query_type="detail")
    return step


def _detailed(step: PlanStep, flags: list[Flag]) -> PlanStep:
    """A look at the structure that statements are written from; names of tables alone are not enough for that."""
    if step.tool != CONTEXT or step.schema_level == "detailed":
        return step
    flags.append(Flag(step_id=step.step_id, message=f"{SQL} needs columns, and {CONTEXT} was to read none"))
    return replace(step, schema_level="detailed", args={**step.args, "level": "detailed"})


def _consulting(steps: list[PlanStep], flags: list[Flag]) -> list[PlanStep]:
    """One look at the names of tables and nothing else (spec 004, requirements 4.2 and 5.4)."""
    kept: list[PlanStep] = []
    for step in steps:
        if step.tool != CONTEXT:
            flags.append(_removed(step, f"a consultation does not need {step.tool}"))
        elif kept:
            flags.append(_removed(step, "a consultation looks once"))
        else:
            if step.schema_level != "basic":
                flags.append(Flag(step_id=step.step_id, message="a consultation needs no columns"))
                step = replace(step, schema_level="basic", args={**step.args, "level": "basic"})
            kept.append(step)
    return kept


def _removed(step: PlanStep, message: str) -> Flag:
    return Flag(step_id=step.step_id, message=f"{message}; the step was removed")


def _checked(step: PlanStep, flags: list[Flag]) -> PlanStep:
    if step.tool in (SQL, PYTHON) and not step.checkpoint:
        flags.append(Flag(step_id=step.step_id, message="a step of several without a checkpoint"))
        return replace(step, checkpoint=True)
    return step


def _longest_rising(positions: Sequence[int]) -> int:
    """Length of the longest part in rising order: what is left out of it has moved."""
    best: list[int] = []
    for index, position in enumerate(positions):
        best.append(1 + max((best[j] for j in range(index) if positions[j] < position), default=0))
    return max(best, default=0)
