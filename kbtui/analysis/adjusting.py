"""Changes the steps to come when one did not bring what they need (spec 004, requirement 3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import PYTHON, SQL
from kbtui.analysis.results import StepResult
from kbtui.domain.events import PlanAdjusted, PlanStep
from kbtui.domain.ports import Emit

_ASKING: Final = re.compile(
    r"^(?:please\s+)?(?:find|list|show|get|give(?: me)?|which|what(?: is| are| was| were)?|who(?: is| are)?)\s+"
    r"(?:the\s+)?"
    r"|^(?:请)?(?:找出|列出|显示|查找|统计|哪些?个?|谁是?)",
    re.I,
)


class Adjuster:
    """States every change as a `PlanAdjusted`."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def after(self, result: StepResult, pending: Sequence[PlanStep]) -> tuple[list[PlanStep], list[StepResult]]:
        """The steps to come after ``result``, and those that are left out now.

        A question about what was not found is asked about its description; about what does not exist it is left out.
        A calculation without its figures is left out.
        """
        if result.usable:
            return list(pending), []
        gone = {result.step.step_id}
        kept: list[PlanStep] = []
        changed: list[PlanStep] = []
        removed: list[StepResult] = []
        for step in pending:
            uses = [str(one) for one in (*step.args.get("uses", ()), *step.args.get("after", ()))]
            if not gone & set(uses):
                kept.append(step)
                continue
            other = self._other(step, result, gone)
            if other is not None:
                kept.append(other)
                changed.append(other)
                continue
            gone.add(step.step_id)
            reason = f"it needs what {result.step.step_id} did not find"
            removed.append(StepResult(step=step, status="skipped", reason=reason))
        if changed or removed:
            why = result.reason or "it brought nothing"
            self._emit(
                PlanAdjusted(
                    removed=tuple(one.step.step_id for one in removed),
                    changed=tuple(changed),
                    reason=f"{result.step.step_id}: {why}",
                )
            )
        return kept, removed

    def _other(self, step: PlanStep, result: StepResult, gone: set[str]) -> PlanStep | None:
        """The step without what is gone, or None where it makes no sense without."""
        uses = [one for one in step.args.get("uses", ()) if one not in gone]
        match step.tool:
            case tool if tool == SQL:
                if result.status == "done" or result.step.tool == PYTHON:
                    return None
                described = _ASKING.sub("", result.question or str(result.step.args.get("question", ""))).strip()
                asked = str(step.args.get("question", ""))
                question = asked
                for mark in (f"‹{result.step.step_id}›", f"‹{result.step.step_id}.top›"):
                    question = _said_once(question, mark, described)
                if not described or question == asked:
                    return None
                args = {key: value for key, value in step.args.items() if key != "uses"}
                args |= {"question": question} | ({"uses": uses} if uses else {})
                return replace(step, args=args, purpose=question)
            case _:
                return None


def _said_once(question: str, mark: str, described: str) -> str:
    """``question`` with ``described`` for the mark, and without the word before it where the description has that."""
    before = re.search(rf"([^\W\d_]+)\s*{re.escape(mark)}", question)
    if before is not None and before[1].lower() in described.lower():
        return question.replace(before[0], described)
    return question.replace(mark, described)
