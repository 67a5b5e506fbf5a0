"""Plans proposed by a chat model, and the requirements that every plan meets.

Steps use known tools and calculations, depend on earlier steps only, and are limited in number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import CONTEXT, DATA_TOOLS, PYTHON, SQL, STEP_MARKER, TOOL_ALIASES
from kbtui.analysis.calculation import pure_calculation
from kbtui.analysis.query_kind import expected_kind
from kbtui.domain.analysis import ProposedStep
from kbtui.domain.events import PlanStep, RequestType

MAX_STEPS: Final = 8
"""Steps of a plan, at most."""

CALCULATIONS: Final[Mapping[str, str]] = {
    "compare": "two figures, of two steps",
    "growth": "two figures, of two steps, the earlier one first",
    "share": "two figures, of two steps, the part first and then the whole",
    "growth_series": "a figure for each period, of one step, in their order",
    "shares": "a figure for each group, of one step; gives what share of all each has",
    "corr": "two columns of numbers, of one step",
    "median": "a column of numbers, of one step",
    "stdev": "a column of numbers, of one step",
    "variance": "a column of numbers, of one step",
}
"""The calculations over results, with their inputs."""

_PAIRS: Final = frozenset({"compare", "growth", "share"})
_PERCENTILE: Final = re.compile(r"percentile_\d{1,2}")


def expected_input(calculation: str) -> str:
    """The shape that a calculation expects of its input (see `result_checks.check_result`)."""
    if calculation in _PAIRS:
        return "figure"
    return "series" if calculation in ("growth_series", "shares") else "columns"


def feasible_steps(steps: Sequence[PlanStep], flags: list[str]) -> list[PlanStep]:
    """The feasible steps in order; ``flags`` get the reason of each removed or changed step.

    Steps depend on earlier ones only, so there are no cycles. A question or calculation that depends on a missing step
    is removed too.
    """
    feasible: dict[str, PlanStep] = {}
    for step in steps:
        if (why := _why_impossible(step, feasible)) is not None:
            flags.append(f"{why}; the step was removed")
            continue
        uses = [str(step_id) for step_id in step.args.get("uses", ())]
        known_uses = [step_id for step_id in uses if step_id in feasible]
        if known_uses != uses:
            flags.append(f"{_tool_name(step)} leans on steps that do not come before it")
            step = replace(step, args={**step.args, "uses": known_uses})
        feasible[step.step_id] = step
    return list(feasible.values())


def _why_impossible(step: PlanStep, feasible: Mapping[str, PlanStep]) -> str | None:
    """Why a step cannot follow the ``feasible`` ones; None if it can."""
    if step.tool not in DATA_TOOLS:
        return f"{_tool_name(step)} is no tool for data"
    if len(feasible) >= MAX_STEPS:
        return f"a plan has at most {MAX_STEPS} steps"
    if step.step_id in feasible:
        return f"there is a step {step.step_id} already"
    if step.tool == PYTHON:
        return _why_not_calculable(step, feasible)
    if step.tool == CONTEXT:
        return None
    missing = [mark[1] for mark in STEP_MARKER.finditer(str(step.args.get("question", ""))) if mark[1] not in feasible]
    return f"it asks about what {missing[0]} finds, which does not come before it" if missing else None


def _why_not_calculable(step: PlanStep, feasible: Mapping[str, PlanStep]) -> str | None:
    if "calculation" not in step.args:
        return None
    name, uses = str(step.args["calculation"]), step.args.get("uses", ())
    if not uses and pure_calculation(name) is not None:
        return None
    if name not in CALCULATIONS and not _PERCENTILE.fullmatch(name):
        return f"{name or 'nothing'} is no calculation"
    if any(str(step_id) not in feasible or feasible[str(step_id)].tool == CONTEXT for step_id in uses):
        return f"{name} without its figures"
    needed = 2 if name in _PAIRS else 1
    return f"{name} needs the results of {needed}" if len(uses) != needed else None


def _tool_name(step: PlanStep) -> str:
    return step.tool or "a step without a name"


_MARK: Final = re.compile(r"\{\s*(?:step\s*)?(\d{1,3})\s*(?:\.\s*(top|first))?\s*\}", re.I)


def is_worth_proposing(plan: Sequence[PlanStep], kind: RequestType) -> bool:
    """Whether a chat model should plan: for several questions, an analysis or a calculation, not for one statement."""
    asking = sum(step.tool in (SQL, PYTHON) for step in plan)
    return asking > 1 or (asking == 1 and kind in ("multi_step_analysis", "calculation"))


def merge_proposed_plan(
    proposed: Sequence[ProposedStep], start: Sequence[PlanStep], *, checkpoint: bool
) -> tuple[PlanStep, ...]:
    """The look at the structure of ``start`` and the proposed steps.

    Args:
        checkpoint: Each result is checked before the next step.
    """
    look = tuple(step for step in start[:1] if step.tool == CONTEXT)
    source = str(look[0].args.get("source", "")) if look else ""
    # Proposed looks at the structure are dropped; other steps keep their numbers, which references use.
    numbered = [
        (place, step) for place, step in enumerate(proposed, 1) if TOOL_ALIASES.get(step.tool, step.tool) != CONTEXT
    ]
    ids = {place: f"d{number}" for number, (place, _) in enumerate(numbered, 1 + len(look))}
    looks = set(range(1, len(proposed) + 1)) - set(ids)
    expects = {
        ids[use]: expected_input(step.calculation)
        for _, step in numbered
        for use in _used(step, ids)
        if step.calculation
    }
    return look + tuple(
        _step(step, ids[place], [use for use in step.uses if use not in looks], ids, source, expects, checkpoint)
        for place, step in numbered
    )


def _step(
    step: ProposedStep,
    step_id: str,
    uses: Sequence[int],
    ids: Mapping[int, str],
    source: str,
    expects: Mapping[str, str],
    checkpoint: bool,
) -> PlanStep:
    # A reference to a missing step stays, under an unknown id.
    used_ids = [ids.get(use, f"d{use}?") for use in uses]
    if step.tool == PYTHON or step.calculation:
        args: dict[str, Any] = {"calculation": step.calculation, "uses": used_ids}
        return PlanStep(
            step_id=step_id, tool=step.tool, args=args, purpose=step.title or step.calculation, checkpoint=checkpoint
        )
    question = _MARK.sub(lambda mark: f"‹{ids.get(int(mark[1]), 'd0')}{'.top' if mark[2] else ''}›", step.question)
    marked = [ids[int(mark[1])] for mark in _MARK.finditer(step.question) if int(mark[1]) in ids]
    used_ids = list(dict.fromkeys((*used_ids, *marked)))
    earlier = {ids[place] for place in ids if int(ids[place][1:]) < int(step_id[1:])}
    if unmentioned := [one for one in used_ids if one in earlier and f"‹{one}" not in question]:
        # The statement is written from the question alone, so the question must contain the markers it depends on.
        question = f"{question.rstrip('?？. ')} ({', '.join(f'‹{one}›' for one in unmentioned)})"
    args = {"source": source, "question": question}
    if used_ids:
        args["uses"] = used_ids
    if step_id in expects:
        args["expects"] = expects[step_id]
    return PlanStep(
        step_id=step_id,
        tool=step.tool,
        args=args,
        purpose=step.title or question,
        checkpoint=checkpoint,
        query_type=(step.query_kind or expected_kind(step.question))
        if TOOL_ALIASES.get(step.tool, step.tool) == SQL
        else None,
    )


def _used(step: ProposedStep, ids: Mapping[int, str]) -> list[int]:
    return [use for use in step.uses if use in ids]
