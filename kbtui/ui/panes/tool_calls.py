"""The stage of tool calls: each call with its result and duration."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content

from kbtui.i18n import N_, _, made, ngettext
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import duration, elide, flush_right, row
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.kind_words import tool_words
from kbtui.view.table_text import rows_words
from kbtui.view.view_state import CallView, RunView

_DATA_TOOLS = ("execute_sql", "get_data_source_context", "python_executor")


class ToolCallsPane(StagePane):
    """The tool calls of the run in order, separated by pass."""

    STAGE = "tool_calls"
    TITLE = N_("Searches")
    WORD = N_("search")

    def progress(self, view: RunView) -> str:
        ended = sum(1 for call in view.calls if call.status != "running")
        return f"{ended}/{len(view.calls)}" if view.calls else ""

    def title(self, view: RunView) -> str:
        return _("Calls") if any(call.tool in _DATA_TOOLS for call in view.calls) else _(self.TITLE)

    def summary(self, view: RunView, now: str) -> str:
        if not view.calls or view.stages["tool_calls"].status == "working" or view.phase in ("failed", "cancelled"):
            return state_text(view, "tool_calls", now)
        seconds = sum(call.duration_ms for call in view.calls) / 1000
        return f"{len(view.calls)} · {duration(seconds)}"

    def lines(self, view: RunView, width: int) -> list[Content]:
        if not view.calls and view.action is None and view.phase == "completed":
            return [Content.styled(_("none needed"), MUTED)]
        lines: list[Content] = []
        numbers = _numbers(view)
        has_parts = len(numbers) > 1
        iteration = 1
        for call in view.calls:
            if call.iteration != iteration:
                iteration = call.iteration
                lines.append(pass_rule(iteration, width))
            lines.append(_call_line(call, numbers.get(call.sub_question, 0) if has_parts else 0, width, view.phase))
            if call.error and view.phase != "cancelled":
                lines.append(Content.styled("  " + elide(one_line(made(call.error)), width - 2), "$text-error"))
        return lines


PANE = ToolCallsPane


def pass_rule(iteration: int, width: int) -> Content:
    """The line between two passes."""
    label = (_("went back for more") if iteration == 2 else _("went back for more, time {n}", n=iteration - 1)) + " "
    return Content.assemble((label, MUTED), ("─" * max(0, width - cell_len(label)), "$foreground 30%"))


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
        tool_words(call.tool),
        ("  " + _("for {n}", n=number) if number else "", MUTED),
    )
    if call.status == "running":
        return row(left, Content.styled(_("running"), "$accent"), width)
    if state != "done":
        return row(left, Content.styled(_("failed") if state == "failed" else _("cancelled"), STYLES[state]), width)
    # The duration of a cached call is negligible.
    time = _("known") if call.cached else duration(call.duration_ms / 1000)
    return row(left, Content.assemble(result_text(call), (flush_right(time, 9), MUTED)), width)


def result_text(call: CallView) -> str:
    """The result count of a call in the units of its tool."""
    match call.tool:
        case "execute_sql":
            return rows_words(call.result_count)
        case "get_data_source_context":
            return ngettext("{count:,} table", "{count:,} tables", call.result_count)
        case "python_executor":
            return ngettext("{count:,} value", "{count:,} values", call.result_count)
        case _:
            return ngettext("{count:,} hit", "{count:,} hits", call.result_count)
