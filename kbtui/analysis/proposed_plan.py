"""A plan out of steps that somebody else proposed, in the form of the plan of the rules; nothing is checked yet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.analysis.analysis_planner import CONTEXT, EXACT_NAMES, PYTHON, SQL
from kbtui.analysis.plan_checks import expected_of
from kbtui.analysis.query_kind import expected_kind
from kbtui.domain.analysis import ProposedStep
from kbtui.domain.events import PlanStep, RequestType

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
