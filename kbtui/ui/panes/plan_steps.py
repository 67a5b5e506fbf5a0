"""What is going to be done, step by step, and how each step went."""

from __future__ import annotations

from textual.content import Content

from kbtui.controller.view_state import RunView, StepView
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.panes.tool_calls import pass_rule
from kbtui.ui.widgets.cells import duration, elide, row
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES

_PHASES = {
    "planned": (GLYPHS["waiting"], MUTED),
    "running": (GLYPHS["working"], STYLES["working"]),
    "done": (GLYPHS["done"], ""),
    "failed": (GLYPHS["failed"], STYLES["failed"]),
    "skipped": ("↷", MUTED),
    "removed": ("−", MUTED),
}


class PlanPane(StagePane):
    """The planned steps of every pass."""

    STAGE = "plan_steps"
    TITLE = "Plan"
    ABOUT = "the steps it will take"

    def summary(self, view: RunView, now: str) -> str:
        if not view.steps or view.phase in ("failed", "cancelled"):
            return state_text(view, "plan_steps", now)
        done = sum(1 for step in view.steps if step.phase in ("done", "skipped", "removed"))
        return f"{done} of {len(view.steps)}"

    def lines(self, view: RunView, width: int) -> list[Content]:
        if not view.steps:
            return [Content.styled("no steps needed", MUTED)] if view.stages["plan_steps"].status == "done" else []
        lines: list[Content] = []
        iteration = 1
        for number, step in enumerate(view.steps, start=1):
            if step.iteration != iteration:
                iteration = step.iteration
                lines.append(pass_rule(iteration, width))
            lines.append(_step_line(step, number, width, stopped=view.finished))
            if step.reason:
                lines.append(Content.styled("    " + elide(one_line(step.reason), width - 4), MUTED))
        return lines


def _step_line(view: StepView, number: int, width: int, *, stopped: bool) -> Content:
    """``stopped``: the run is over, so a step that still runs was cut short."""
    glyph, style = _PHASES[view.phase]
    if stopped and view.phase == "running":
        glyph, style = GLYPHS["cancelled"], STYLES["cancelled"]
    step = view.step
    purpose = one_line(step.purpose)
    left = Content.assemble(
        (f"{glyph} ", style),
        f"{number} ",
        purpose or one_line(step.tool),
        ("  checkpoint" if step.checkpoint else "", MUTED),
    )
    tool = one_line(step.tool).partition("_")[0] if purpose else ""
    if view.phase in ("skipped", "removed", "failed"):
        tool = view.phase
    right = Content.styled(tool, MUTED)
    if view.attempt > 1:
        right = Content.styled(f"try {view.attempt} ", "$text-warning") + right
    if view.duration_ms and width >= 56:
        right = right + Content.styled(f"{duration(view.duration_ms / 1000):>9}", MUTED)
    return row(left, right, width)
