"""A plan out of steps that somebody else proposed, and what any plan must keep to, whoever made it.

Known tools and calculations, earlier steps to lean on, and an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import CONTEXT, DATA_TOOLS, EXACT_NAMES, PYTHON, SQL, STEP_MARK
from kbtui.analysis.calculation import pure_calculation
from kbtui.analysis.query_kind import expected_kind
from kbtui.domain.analysis import ProposedStep
from kbtui.domain.events import PlanStep, RequestType

MOST_STEPS: Final = 8
"""Steps of a plan; what needs more is not one question."""

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
"""What is calculated over results, and over what."""

_PAIRS: Final = frozenset({"compare", "growth", "share"})
_PERCENTILE: Final = re.compile(r"percentile_\d{1,2}")

Objection = Callable[[PlanStep, str], None]


def expected_of(calculation: str) -> str:
    """What a step must bring that is calculated with (see `result_checks.checked`)."""
    if calculation in _PAIRS:
        return "figure"
    return "series" if calculation in ("growth_series", "shares") else "columns"


def checked_steps(steps: Sequence[PlanStep], object_to: Objection) -> list[PlanStep]:
    """The steps that can be done, in their order; ``object_to`` is told of each that is left out or changed, and why.

    A step may lean on earlier ones only, so no circle is left. A question that speaks of what a missing step finds has
    lost its sense, and a calculation its figures: they are left out, too.
    """
    kept: dict[str, PlanStep] = {}
    for step in steps:
        if (why := _impossible(step, kept)) is not None:
            object_to(step, f"{why}; the step was removed")
            continue
        uses = [str(one) for one in step.args.get("uses", ())]
        known = [one for one in uses if one in kept]
        if known != uses:
            object_to(step, f"{_named(step)} leans on steps that do not come before it")
            step = replace(step, args={**step.args, "uses": known})
        kept[step.step_id] = step
    return list(kept.values())


def _impossible(step: PlanStep, kept: Mapping[str, PlanStep]) -> str | None:
    """Why a step cannot be done behind those ``kept``; None where it can."""
    if step.tool not in DATA_TOOLS:
        return f"{_named(step)} is no tool for data"
    if len(kept) >= MOST_STEPS:
        return f"a plan has at most {MOST_STEPS} steps"
    if step.step_id in kept:
        return f"there is a step {step.step_id} already"
    if step.tool == PYTHON:
        return _not_calculable(step, kept)
    if step.tool == CONTEXT:
        return None
    missing = [mark[1] for mark in STEP_MARK.finditer(str(step.args.get("question", ""))) if mark[1] not in kept]
    return f"it asks about what {missing[0]} finds, which does not come before it" if missing else None


def _not_calculable(step: PlanStep, kept: Mapping[str, PlanStep]) -> str | None:
    if "calculation" not in step.args:
        return None
    name, uses = str(step.args["calculation"]), step.args.get("uses", ())
    if not uses and pure_calculation(name) is not None:
        return None
    if name not in CALCULATIONS and not _PERCENTILE.fullmatch(name):
        return f"{name or 'nothing'} is no calculation"
    if any(str(one) not in kept or kept[str(one)].tool == CONTEXT for one in uses):
        return f"{name} without its figures"
    wanted = 2 if name in _PAIRS else 1
    return f"{name} needs the results of {wanted}" if len(uses) != wanted else None


def _named(step: PlanStep) -> str:
    return step.tool or "a step without a name"


_MARK: Final = re.compile(r"\{\s*(?:step\s*)?(\d{1,3})\s*(?:\.\s*(top|first))?\s*\}", re.I)


def worth_proposing(plan: Sequence[PlanStep], kind: RequestType) -> bool:
    """True for several questions, an analysis or a calculation: a single statement needs nobody to plan it."""
    asking = sum(step.tool in (SQL, PYTHON) for step in plan)
    return asking > 1 or (asking == 1 and kind in ("multi_step_analysis", "calculation"))


def plan_of(proposed: Sequence[ProposedStep], start: Sequence[PlanStep], *, checkpoint: bool) -> tuple[PlanStep, ...]:
    """The steps behind the look at the structure that ``start`` begins with.

    Args:
        checkpoint: Each result is looked at before the next step.
    """
    look = tuple(step for step in start[:1] if step.tool == CONTEXT)
    source = str(look[0].args.get("source", "")) if look else ""
    # Looking at the structure is done already; everything else keeps its place, so that it can be named.
    own = [(place, step) for place, step in enumerate(proposed, 1) if EXACT_NAMES.get(step.tool, step.tool) != CONTEXT]
    ids = {place: f"d{number}" for number, (place, _) in enumerate(own, 1 + len(look))}
    looks = set(range(1, len(proposed) + 1)) - set(ids)
    expects = {
        ids[use]: expected_of(step.calculation) for _, step in own for use in _used(step, ids) if step.calculation
    }
    return look + tuple(
        _step(step, ids[place], [use for use in step.uses if use not in looks], ids, source, expects, checkpoint)
        for place, step in own
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
    # A step that there is not stays in, under a name that none has.
    named = [ids.get(use, f"d{use}?") for use in uses]
    if step.tool == PYTHON or step.calculation:
        args: dict[str, Any] = {"calculation": step.calculation, "uses": named}
        return PlanStep(
            step_id=step_id, tool=step.tool, args=args, purpose=step.title or step.calculation, checkpoint=checkpoint
        )
    question = _MARK.sub(lambda mark: f"‹{ids.get(int(mark[1]), 'd0')}{'.top' if mark[2] else ''}›", step.question)
    asked = [ids[int(mark[1])] for mark in _MARK.finditer(step.question) if int(mark[1]) in ids]
    named = list(dict.fromkeys((*named, *asked)))
    earlier = {ids[place] for place in ids if int(ids[place][1:]) < int(step_id[1:])}
    if silent := [one for one in named if one in earlier and f"‹{one}" not in question]:
        # The statement is written from the question alone, so what it leans on must be in it.
        question = f"{question.rstrip('?？. ')} ({', '.join(f'‹{one}›' for one in silent)})"
    args = {"source": source, "question": question}
    if named:
        args["uses"] = named
    if step_id in expects:
        args["expects"] = expects[step_id]
    return PlanStep(
        step_id=step_id,
        tool=step.tool,
        args=args,
        purpose=step.title or question,
        checkpoint=checkpoint,
        query_type=(step.query_kind or expected_kind(step.question))
        if EXACT_NAMES.get(step.tool, step.tool) == SQL
        else None,
    )


def _used(step: ProposedStep, ids: Mapping[int, str]) -> list[int]:
    return [use for use in step.uses if use in ids]
