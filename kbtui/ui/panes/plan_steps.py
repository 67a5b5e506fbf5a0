"""What is going to be done, step by step, and how each step went.

A step of a search is one line. A step over data has a second one: the tool, what it reads or what kind of statement it
runs, how long it was expected to take and took; then what was decided after it, and why.
"""

from __future__ import annotations

from textual.content import Content

from kbtui.domain.events import PlanStep
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.panes.tool_calls import pass_rule
from kbtui.ui.widgets.cells import duration, elide, row, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.table_text import in_words
from kbtui.view.view_state import CallView, RunView, StepView

_PHASES = {
    "planned": (GLYPHS["waiting"], MUTED),
    "running": (GLYPHS["working"], STYLES["working"]),
    "done": (GLYPHS["done"], ""),
    "failed": (GLYPHS["failed"], STYLES["failed"]),
    "skipped": ("↷", MUTED),
    "removed": ("−", MUTED),
}
_CHECKPOINT = "⚑"
_DECISIONS = {"proceed": "goes on", "modify": "changed", "skip": "skipped"}
_REASON_LINES = 2
_NOTE_CHARS = 12
"""Of what an estimate rests on: that it is a guess is worth its place, which median it is stands in the session."""


class PlanPane(StagePane):
    """The planned steps of every pass."""

    STAGE = "plan_steps"
    LASTING = True
    TITLE = "Plan"
    WORD = "plan"

    def concerns(self, view: RunView) -> bool:
        """Steps of a search say what its calls say; those over data say more."""
        return any(_of_data(step.step) for step in view.steps)

    def summary(self, view: RunView, now: str) -> str:
        if not view.steps or view.phase in ("failed", "cancelled"):
            return state_text(view, "plan_steps", now)
        done = sum(1 for step in view.steps if step.phase in ("done", "skipped", "removed"))
        off = f" · {view.deviation.ratio:.0%} off the plan" if view.deviation.ratio else ""
        return f"{done} of {len(view.steps)}{off}"

    def lines(self, view: RunView, width: int) -> list[Content]:
        if not view.steps:
            return [Content.styled("no steps needed", MUTED)] if view.stages["plan_steps"].status == "done" else []
        lines: list[Content] = []
        calls = {call.step_id: call for call in view.calls if call.step_id is not None}
        iteration = 1
        for number, step in enumerate(view.steps, start=1):
            if step.iteration != iteration:
                iteration = step.iteration
                lines.append(pass_rule(iteration, width))
            purpose = one_line(in_words(view, step.step.purpose))
            lines.append(_step_line(step, number, purpose, width, stopped=view.finished))
            if _over_data(step):
                lines += _data_lines(step, calls.get(step.step.step_id), width)
            elif step.reason:
                lines.append(Content.styled("    " + elide(one_line(step.reason), width - 4), MUTED))
        for reason in view.adjustments:
            if reason:
                lines += wrapped(Content.styled(f"± {one_line(reason)}", MUTED), width, lines=_REASON_LINES, indent=2)
        return lines


PANE = PlanPane


def _over_data(view: StepView) -> bool:
    """True for steps that say more than a search does: of a schema, a statement, a calculation, a decision."""
    step = view.step
    return bool(_of_data(step) or step.estimated_ms is not None or step.checkpoint or view.decision)


def _of_data(step: PlanStep) -> bool:
    """True for a step that reads a structure, runs a statement or calculates."""
    return bool(step.schema_level or step.query_type or step.tool in ("python_executor", "execute_sql"))


def _step_line(view: StepView, number: int, purpose: str, width: int, *, stopped: bool) -> Content:
    """``stopped``: the run is over, so a step that still runs was cut short."""
    glyph, style = _PHASES[view.phase]
    if stopped and view.phase == "running":
        glyph, style = GLYPHS["cancelled"], STYLES["cancelled"]
    step = view.step
    words = purpose or one_line(step.tool)
    left = Content.assemble(
        (f"{glyph} ", style),
        f"{number} ",
        *([(f"{_CHECKPOINT} ", "$accent")] if step.checkpoint else []),
        *([(words, MUTED)] if view.phase == "removed" else [words]),
    )
    tool = one_line(step.tool).partition("_")[0] if purpose and not _over_data(view) else ""
    if view.phase in ("skipped", "removed", "failed"):
        tool = view.phase
    elif view.added:
        tool = "added"
    right = Content.styled(tool, MUTED)
    if view.attempt > 1:
        right = Content.styled(f"try {view.attempt}{' ' if tool else ''}", "$text-warning") + right
    if view.duration_ms and width >= 56 and not _over_data(view):
        right = right + Content.styled(f"{duration(view.duration_ms / 1000):>9}", MUTED)
    return row(left, right, width)


def _data_lines(view: StepView, call: CallView | None, width: int) -> list[Content]:
    """The tool and its times; the note of the call; what was decided and why."""
    step = view.step
    kind = f"{step.schema_level} schema" if step.schema_level else one_line(step.query_type or "").replace("_", "-")
    what = " · ".join(part for part in (one_line(step.tool), kind) if part)
    note = one_line(call.note) if call is not None else ""
    if call is not None and call.cached and "cached" not in note.lower():
        note = f"[Using cached schema] {note}".rstrip() if step.schema_level else f"[cached] {note}".rstrip()
    lines = _beside([Content.styled(f"    {what}", MUTED)], _times(view), width)
    if note:
        told = Content.styled(f"    {note}", "$text-secondary" if call and call.cached else MUTED)
        lines = _beside([Content.styled(f"    {what}", MUTED), told], _times(view), width)
    reason = one_line(view.reason)
    if reason and reason == one_line(call.note if call is not None else ""):
        # What the call said of itself stands there already.
        reason = ""
    if reason or view.decision in ("modify", "skip"):
        said = _DECISIONS.get(view.decision, one_line(view.decision))
        text = ": ".join(part for part in (said, reason) if part)
        style = "$text-warning" if view.decision == "modify" or view.phase == "failed" else MUTED
        lines += wrapped(Content.styled(f"    → {text}", style), width, lines=_REASON_LINES, indent=6)
    return lines


def _beside(lines: list[Content], figures: str, width: int) -> list[Content]:
    """``figures`` at the right of the first line that has room for them, else on a line of their own."""
    right = Content.styled(figures, MUTED)
    at = next((at for at, line in enumerate(lines) if line.cell_length + right.cell_length < width), None)
    if at is None:
        return [*(line.truncate(width, ellipsis=True) for line in lines), row(Content(""), right, width)]
    return [
        row(line, right, width) if index == at and figures else line.truncate(width, ellipsis=True)
        for index, line in enumerate(lines)
    ]


def _times(view: StepView) -> str:
    """Expected and actual: ``~40 ms → 47 ms``, ``~60 ms (a guess) → 47 ms``."""
    guess = f"~{duration(view.step.estimated_ms / 1000)}" if view.step.estimated_ms is not None else ""
    note = one_line(view.step.estimate_note)
    if guess and note and len(note) <= _NOTE_CHARS:
        guess += f" ({note})"
    took = duration(view.duration_ms / 1000) if view.duration_ms else ""
    return " → ".join(part for part in (guess, took) if part)
