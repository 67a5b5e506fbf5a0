"""What is going to be done, step by step, and how each step went.

A step of a search is one line. A step over data has a second one: what it brought, and how long it took or usually
takes; then what was decided after it, and why. Tools, kinds of statements and estimates
stand in the audit (`view.decisions`).
"""

from __future__ import annotations

import re

from textual.content import Content

from kbtui.domain.events import PlanStep
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.panes.tool_calls import brought, pass_rule
from kbtui.ui.widgets.cells import duration, elide, flush_right, row, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.kind_words import tool_words
from kbtui.view.table_text import rows_words, with_step_values
from kbtui.view.view_state import CallView, RunView, StepView

_PHASES = {
    "planned": (GLYPHS["waiting"], MUTED),
    "running": (GLYPHS["working"], STYLES["working"]),
    "done": (GLYPHS["done"], ""),
    "failed": (GLYPHS["failed"], STYLES["failed"]),
    "skipped": ("↷", MUTED),
    "removed": ("−", MUTED),
}
_DECISIONS = {"proceed": N_("goes on"), "modify": N_("changed"), "skip": N_("skipped")}
_ENDS = {"skipped": N_("skipped"), "removed": N_("removed"), "failed": N_("failed")}
_REASON_LINES = 2
_CACHED_MARK = re.compile(r"^\[[^\]]*cached[^\]]*\] ?", re.IGNORECASE)
"""How the note of a call begins that had nothing to look up."""
_ROWS = re.compile(r"([\d,]+) rows?(, truncated)?")
_GUESSED = "a guess"
"""What an estimate rests on where nothing like it was done before: no time to be told."""


class PlanPane(StagePane):
    """The planned steps of every pass."""

    STAGE = "plan_steps"
    LASTING = True
    TITLE = N_("Plan")
    WORD = N_("plan")

    def concerns(self, view: RunView) -> bool:
        """Steps of a search say what its calls say; those over data say more."""
        return any(_of_data(step.step) for step in view.steps)

    def summary(self, view: RunView, now: str) -> str:
        if not view.steps or view.phase in ("failed", "cancelled"):
            return state_text(view, "plan_steps", now)
        done = sum(1 for step in view.steps if step.phase in ("done", "skipped", "removed"))
        changed = " · " + _("changed on the way") if view.deviation.ratio else ""
        return _("{number:,} of {count:,}", number=done, count=len(view.steps)) + changed

    def lines(self, view: RunView, width: int) -> list[Content]:
        if not view.steps:
            return [Content.styled(_("no steps needed"), MUTED)] if view.stages["plan_steps"].status == "done" else []
        lines: list[Content] = []
        calls = {call.step_id: call for call in view.calls if call.step_id is not None}
        iteration = 1
        for number, step in enumerate(view.steps, start=1):
            if step.iteration != iteration:
                iteration = step.iteration
                lines.append(pass_rule(iteration, width))
            purpose = one_line(with_step_values(view, step.step.purpose))
            call = calls.get(step.step.step_id)
            time = _time(step) if _over_data(step) and not _note(call) else ""
            lines.append(_step_line(step, number, purpose, time, width, stopped=view.finished))
            if _over_data(step):
                lines += _data_lines(step, call, width)
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


def _step_line(view: StepView, number: int, purpose: str, time: str, width: int, *, stopped: bool) -> Content:
    """``time`` stands at its end; ``stopped``: the run is over, so a step that still runs was cut short."""
    glyph, style = _PHASES[view.phase]
    if stopped and view.phase == "running":
        glyph, style = GLYPHS["cancelled"], STYLES["cancelled"]
    step = view.step
    words = purpose or tool_words(step.tool)
    left = Content.assemble(
        (f"{glyph} ", style),
        f"{number} ",
        *([(words, MUTED)] if view.phase == "removed" else [words]),
    )
    ended = _(_ENDS[view.phase]) if view.phase in _ENDS else _("added") if view.added else ""
    right = Content.styled(" ".join(filter(None, (ended, time))), MUTED)
    if view.attempt > 1:
        right = Content.styled(_("try {n}", n=view.attempt) + (" " if right else ""), "$text-warning") + right
    if view.duration_ms and width >= 56 and not _over_data(view):
        right = right + Content.styled(flush_right(duration(view.duration_ms / 1000), 9), MUTED)
    return row(left, right, width)


def _data_lines(view: StepView, call: CallView | None, width: int) -> list[Content]:
    """What the step brought and its time; what was decided and why."""
    note = _note(call)
    lines = _beside(Content.styled(f"    {note}", MUTED), _time(view), width) if note else []
    reason = one_line(view.reason)
    if reason and reason == one_line(call.note if call is not None else ""):
        # What the call said of itself stands there already.
        reason = ""
    if reason or view.decision in ("modify", "skip"):
        said = _(_DECISIONS.get(view.decision, one_line(view.decision)))
        text = ": ".join(part for part in (said, reason) if part)
        style = "$text-warning" if view.decision == "modify" or view.phase == "failed" else MUTED
        lines += wrapped(Content.styled(f"    → {text}", style), width, lines=_REASON_LINES, indent=6)
    return lines


def _note(call: CallView | None) -> str:
    """What a call brought: ``6 tables · known already``, ``7 rows``, else what it said of itself."""
    if call is None:
        return ""
    told = one_line(call.note)
    bare = _CACHED_MARK.sub("", told)
    known = _("known already") if call.cached or bare != told else ""
    if (rows := _ROWS.fullmatch(bare)) is not None:
        bare = rows_words(int(rows[1].replace(",", ""))) + (_(", not all of them") if rows[2] else "")
    elif call.tool == "get_data_source_context" and call.status == "done":
        bare = brought(call)
    return " · ".join(part for part in (bare, known) if part)


def _beside(left: Content, figures: str, width: int) -> list[Content]:
    """``figures`` at the right of the line where there is room for them, else on a line of their own."""
    right = Content.styled(figures, MUTED)
    if left.cell_length + right.cell_length < width:
        return [row(left, right, width)]
    return [left.truncate(width, ellipsis=True), *([row(Content(""), right, width)] if figures else [])]


def _time(view: StepView) -> str:
    """How long the step took; until then, how long such a step took before: ``usually 40 ms``."""
    if view.duration_ms:
        return duration(view.duration_ms / 1000)
    expected, note = view.step.estimated_ms, one_line(view.step.estimate_note)
    if expected is None or note == _GUESSED or view.phase in _ENDS:
        return ""
    return _("usually {time}", time=duration(expected / 1000))
