"""Adjusts the pending steps of a plan when a step did not bring what they need (spec 004, requirement 3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import PYTHON, SQL
from kbtui.analysis.results import StepResult
from kbtui.domain.events import PlanAdjusted, PlanStep
from kbtui.domain.ports import Emit

_REQUEST_WORDS: Final = re.compile(
    r"^(?:please\s+)?(?:find|list|show|get|give(?: me)?|which|what(?: is| are| was| were)?|who(?: is| are)?)\s+"
    r"(?:the\s+)?"
    r"|^(?:请)?(?:找出|列出|显示|查找|统计|哪些?个?|谁是?)",
    re.I,
)


class PlanAdjuster:
    """Adjusts a plan and emits every change as a `PlanAdjusted`."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def adjust(self, result: StepResult, pending: Sequence[PlanStep]) -> tuple[list[PlanStep], list[StepResult]]:
        """The pending steps after ``result``, and the results of those that are skipped.

        If a step failed, a question that refers to its values gets the description of these instead; if it found no
        rows, the question is skipped. A calculation without its figures is skipped.
        """
        if result.is_usable:
            return list(pending), []
        missing = {result.step.step_id}
        remaining: list[PlanStep] = []
        changed: list[PlanStep] = []
        removed: list[StepResult] = []
        for step in pending:
            uses = [str(step_id) for step_id in (*step.args.get("uses", ()), *step.args.get("after", ()))]
            if not missing & set(uses):
                remaining.append(step)
                continue
            other = self._without_missing(step, result, missing)
            if other is not None:
                remaining.append(other)
                changed.append(other)
                continue
            missing.add(step.step_id)
            reason = f"it needs what {result.step.step_id} did not find"
            removed.append(StepResult(step=step, status="skipped", reason=reason))
        if changed or removed:
            why = result.reason or "it brought nothing"
            self._emit(
                PlanAdjusted(
                    removed=tuple(step_id.step.step_id for step_id in removed),
                    changed=tuple(changed),
                    reason=f"{result.step.step_id}: {why}",
                )
            )
        return remaining, removed

    def _without_missing(self, step: PlanStep, result: StepResult, missing: set[str]) -> PlanStep | None:
        """The step without the missing values, or None if it needs them."""
        if step.tool != SQL or result.status == "done" or result.step.tool == PYTHON:
            return None
        described = _REQUEST_WORDS.sub("", result.question or str(result.step.args.get("question", ""))).strip()
        original = question = str(step.args.get("question", ""))
        for mark in (f"‹{result.step.step_id}›", f"‹{result.step.step_id}.top›"):
            question = _fill_once(question, mark, described)
        if not described or question == original:
            return None
        uses = [step_id for step_id in step.args.get("uses", ()) if step_id not in missing]
        args = {key: value for key, value in step.args.items() if key != "uses"}
        args |= {"question": question} | ({"uses": uses} if uses else {})
        return replace(step, args=args, purpose=question)


def _fill_once(question: str, mark: str, described: str) -> str:
    """``question`` with ``described`` for the marker, without a word before it that ``described`` repeats."""
    before = re.search(rf"([^\W\d_]+)\s*{re.escape(mark)}", question)
    if before is not None and before[1].lower() in described.lower():
        return question.replace(before[0], described)
    return question.replace(mark, described)
