"""The plan stage of the rail: the steps of a run and their status.

A search step takes one line. A step over data has a second line with its result and its actual or usual duration,
followed by the decision after it and the reason. Tools, kinds of statements and estimates are shown in the audit
(`view.decisions`).
"""

from __future__ import annotations

import re

from textual.content import Content

from kbtui.domain.events import PlanStep
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.panes.tool_calls import pass_rule, result_text
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
_END_STATES = {"skipped": N_("skipped"), "removed": N_("removed"), "failed": N_("failed")}
_REASON_LINES = 2
_CACHED_MARK = re.compile(r"^\[[^\]]*cached[^\]]*\] ?", re.IGNORECASE)
"""The prefix in the note of a call whose result was cached."""
_ROWS = re.compile(r"([\d,]+) rows?(, truncated)?")
_GUESS_NOTE = "a guess"
"""The note of an estimate without recorded durations, which is not shown."""


class PlanPane(StagePane):
    """The planned steps of every pass."""

    STAGE = "plan_steps"
    KEEPS_OPEN = True
    TITLE = N_("Plan")
    WORD = N_("plan")

    def is_applicable(self, view: RunView) -> bool:
        """Whether a step is over data; steps of a search only repeat what the calls show."""
        return any(_uses_data(step.step) for step in view.steps)

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
            time = _time_text(step) if _is_data_step(step) and not _note(call) else ""
            lines.append(_step_line(step, number, purpose, time, width, is_finished=view.finished))
            if _is_data_step(step):
                lines += _data_lines(step, call, width)
            elif step.reason:
                lines.append(Content.styled("    " + elide(one_line(step.reason), width - 4), MUTED))
        for reason in view.adjustments:
            if reason:
                lines += wrapped(Content.styled(f"± {one_line(reason)}", MUTED), width, lines=_REASON_LINES, indent=2)
        return lines


PANE = PlanPane


def _is_data_step(view: StepView) -> bool:
    """Whether a step is over data, or has an estimate, a checkpoint or a decision."""
    step = view.step
    return bool(_uses_data(step) or step.estimated_ms is not None or step.checkpoint or view.decision)


def _uses_data(step: PlanStep) -> bool:
    """Whether a step reads a schema, runs a statement or calculates."""
    return bool(step.schema_level or step.query_type or step.tool in ("python_executor", "execute_sql"))


def _step_line(view: StepView, number: int, purpose: str, time: str, width: int, *, is_finished: bool) -> Content:
    """The line of a step, ending in ``time``; in a finished run, a step that is still running was cancelled."""
    glyph, style = _PHASES[view.phase]
    if is_finished and view.phase == "running":
        glyph, style = GLYPHS["cancelled"], STYLES["cancelled"]
    step = view.step
    words = purpose or tool_words(step.tool)
    left = Content.assemble(
        (f"{glyph} ", style),
        f"{number} ",
        *([(words, MUTED)] if view.phase == "removed" else [words]),
    )
    status = _(_END_STATES[view.phase]) if view.phase in _END_STATES else _("added") if view.added else ""
    right = Content.styled(" ".join(filter(None, (status, time))), MUTED)
    if view.attempt > 1:
        right = Content.styled(_("try {n}", n=view.attempt) + (" " if right else ""), "$text-warning") + right
    if view.duration_ms and width >= 56 and not _is_data_step(view):
        right = right + Content.styled(flush_right(duration(view.duration_ms / 1000), 9), MUTED)
    return row(left, right, width)


def _data_lines(view: StepView, call: CallView | None, width: int) -> list[Content]:
    """The result and duration of a step, and the decision after it with its reason."""
    note = _note(call)
    lines = _line_with_time(Content.styled(f"    {note}", MUTED), _time_text(view), width) if note else []
    reason = one_line(view.reason)
    if reason and reason == one_line(call.note if call is not None else ""):
        # The reason repeats the note of the call, which is already shown.
        reason = ""
    if reason or view.decision in ("modify", "skip"):
        decision = _(_DECISIONS.get(view.decision, one_line(view.decision)))
        text = ": ".join(part for part in (decision, reason) if part)
        style = "$text-warning" if view.decision == "modify" or view.phase == "failed" else MUTED
        lines += wrapped(Content.styled(f"    → {text}", style), width, lines=_REASON_LINES, indent=6)
    return lines


def _note(call: CallView | None) -> str:
    """The result of a call, such as ``6 tables · known already`` or ``7 rows``, else its note."""
    if call is None:
        return ""
    text = one_line(call.note)
    note = _CACHED_MARK.sub("", text)
    cached = _("known already") if call.cached or note != text else ""
    if (rows := _ROWS.fullmatch(note)) is not None:
        note = rows_words(int(rows[1].replace(",", ""))) + (_(", not all of them") if rows[2] else "")
    elif call.tool == "get_data_source_context" and call.status == "done":
        note = result_text(call)
    return " · ".join(part for part in (note, cached) if part)


def _line_with_time(left: Content, time: str, width: int) -> list[Content]:
    """``time`` at the right end of the line if there is room, else on a line of its own."""
    right = Content.styled(time, MUTED)
    if left.cell_length + right.cell_length < width:
        return [row(left, right, width)]
    return [left.truncate(width, ellipsis=True), *([row(Content(""), right, width)] if time else [])]


def _time_text(view: StepView) -> str:
    """The duration of a step; before it is done, the duration of earlier such steps: ``usually 40 ms``."""
    if view.duration_ms:
        return duration(view.duration_ms / 1000)
    expected, note = view.step.estimated_ms, one_line(view.step.estimate_note)
    if expected is None or note == _GUESS_NOTE or view.phase in _END_STATES:
        return ""
    return _("usually {time}", time=duration(expected / 1000))
