"""What was called, what it brought back, and how long it took."""

from __future__ import annotations

from textual.content import Content

from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import duration, elide, row
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.view_state import CallView, RunView

_COUNTED = {"execute_sql": "row", "get_data_source_context": "table", "python_executor": "value"}
"""What a tool brings; searches bring hits."""


class ToolCallsPane(StagePane):
    """Every tool call of the run, in order; passes are told apart."""

    STAGE = "tool_calls"
    TITLE = "Searches"
    WORD = "search"

    def progress(self, view: RunView) -> str:
        ended = sum(1 for call in view.calls if call.status != "running")
        return f"{ended}/{len(view.calls)}" if view.calls else ""

    def title(self, view: RunView) -> str:
        return "Calls" if any(call.tool in _COUNTED for call in view.calls) else self.TITLE

    def summary(self, view: RunView, now: str) -> str:
        if not view.calls or view.stages["tool_calls"].status == "working" or view.phase in ("failed", "cancelled"):
            return state_text(view, "tool_calls", now)
        took = sum(call.duration_ms for call in view.calls) / 1000
        return f"{len(view.calls)} · {duration(took)}"

    def lines(self, view: RunView, width: int) -> list[Content]:
        if not view.calls and view.action is None and view.phase == "completed":
            return [Content.styled("none needed", MUTED)]
        lines: list[Content] = []
        numbers = _numbers(view)
        several = len(numbers) > 1
        iteration = 1
        for call in view.calls:
            if call.iteration != iteration:
                iteration = call.iteration
                lines.append(pass_rule(iteration, width))
            lines.append(_call_line(call, numbers.get(call.sub_question, 0) if several else 0, width, view.phase))
            if call.error and view.phase != "cancelled":
                lines.append(Content.styled("  " + elide(one_line(call.error), width - 2), "$text-error"))
        return lines


PANE = ToolCallsPane


def pass_rule(iteration: int, width: int) -> Content:
    """The line between two passes."""
    label = f"pass {iteration} "
    return Content.assemble((label, MUTED), ("─" * max(0, width - len(label)), "$foreground 30%"))


def _numbers(view: RunView) -> dict[str, int]:
    plan = view.routing_plan
    subs = plan.sub_questions if plan else ()
    return {sub.semantic_intent: number for number, sub in enumerate(subs, start=1)}


def _call_line(call: CallView, number: int, width: int, phase: str) -> Content:
    state = {"running": "working", "done": "done", "failed": "cancelled" if phase == "cancelled" else "failed"}[
        call.status
    ]
    left = Content.assemble(
        (f"{GLYPHS[state]} ", STYLES[state] if state != "done" else ""),
        one_line(call.tool),
        (f"  for {number}" if number else "", MUTED),
    )
    if call.status == "running":
        return row(left, Content.styled("running", "$accent"), width)
    if state != "done":
        return row(left, Content.styled(state, STYLES[state]), width)
    word = _COUNTED.get(call.tool, "hit")
    hits = f"{call.result_count:,} {word}{'s' if call.result_count != 1 else ''}"
    # What was known already took no time worth telling.
    took = "cached" if call.cached else duration(call.duration_ms / 1000)
    return row(left, Content.assemble(hits, (f"{took:>9}", MUTED)), width)
