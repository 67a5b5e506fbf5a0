"""The rail: how a question is answered, one stage under the other, live."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from kbtui.ui.panes.answer_stage import AnswerStage
from kbtui.ui.panes.base import StagePane, stage_state
from kbtui.ui.panes.evidence import EvidencePane
from kbtui.ui.panes.intent import IntentPane
from kbtui.ui.panes.plan_steps import PlanPane
from kbtui.ui.panes.sub_questions import SubQuestionsPane
from kbtui.ui.panes.tool_calls import ToolCallsPane
from kbtui.ui.widgets.marks import GLYPHS, STYLES
from kbtui.ui.widgets.rows import RowList
from kbtui.view.view_state import RunView, StageName

STAGES: tuple[tuple[type[StagePane], str], ...] = (
    (IntentPane, "intent"),
    (SubQuestionsPane, "sub-questions"),
    (PlanPane, "plan"),
    (ToolCallsPane, "tools"),
    (EvidencePane, "evidence"),
    (AnswerStage, "answer-stage"),
)
"""The stages in their order, each with the id of its widget; another one is one more line."""

_SHORT: tuple[tuple[str, tuple[StageName, ...]], ...] = (
    ("understand", ("intent", "sub_questions")),
    ("plan", ("plan_steps",)),
    ("search", ("tool_calls",)),
    ("grade", ("evidence",)),
    ("write", ("answer",)),
)
_ORDER = ("failed", "cancelled", "working", "waiting")
"""Of several stages under one word, the state that is told first."""


class Rail(VerticalScroll, can_focus=False):
    """The stages of one run."""

    def compose(self) -> ComposeResult:
        for pane, name in STAGES:
            yield pane(id=name)

    def enter(self) -> None:
        """Give the focus to the evidence, which is asked about most; where there is none, to the first stage."""
        inside = [widget for widget in self.query("*") if widget.focusable]
        evidence = [widget for widget in inside if isinstance(widget, RowList)]
        for widget in (evidence or inside)[:1]:
            widget.focus()

    def show(self, view: RunView, now: str = "") -> None:
        """Render every stage of ``view``."""
        for pane in self.query(StagePane):
            pane.show(view, now)

    def tick(self, view: RunView, now: str) -> None:
        """Move the elapsed times on, nothing else."""
        for pane in self.query(StagePane):
            pane.tick(view, now)


def rail_line(view: RunView, width: int) -> list[Content]:
    """All stages in one line, for screens that have no room for the rail: ``understand ✓  search ▸ 2/6  grade ·``."""
    parts: list[Content] = []
    for word, stages in _SHORT:
        states = [stage_state(view, name) for name in stages]
        state = next((state for state in _ORDER if state in states), "done")
        if word == "plan" and not (view.sources and view.steps):
            continue
        part = Content.assemble(
            (word, "" if state == "working" else "$foreground 60%"), " ", (GLYPHS[state], STYLES[state])
        )
        if word == "search" and state == "working" and view.calls:
            ended = sum(1 for call in view.calls if call.status != "running")
            part += Content(f" {ended}/{len(view.calls)}")
        parts.append(part)
    return [Content("  ").join(parts).truncate(max(1, width), ellipsis=True)]
