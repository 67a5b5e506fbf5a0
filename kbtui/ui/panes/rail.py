"""The rail: how a question is answered, one stage under the other, live. A new pane is one file and its name here."""

from __future__ import annotations

from importlib import import_module
from itertools import groupby
from typing import Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from kbtui.i18n import _
from kbtui.ui.panes.base import StagePane, stage_state
from kbtui.ui.widgets.marks import GLYPHS, STYLES
from kbtui.ui.widgets.rows import RowList
from kbtui.view.view_state import RunView

STAGES: Final = (
    "intent",
    "sub_questions",
    "plan_steps",
    "tool_calls",
    "evidence",
    "answer_stage",
)
"""The stages in their order, by the modules beside this one; each declares a `StagePane` as its ``PANE``."""

_ORDER: Final = ("failed", "cancelled", "working", "waiting")
"""Of several stages under one word, the state that is told first."""


class Rail(VerticalScroll, can_focus=False):
    """The stages of one run."""

    def compose(self) -> ComposeResult:
        for name in STAGES:
            pane: type[StagePane] = import_module(f"{__package__}.{name}").PANE
            yield pane(id=name.replace("_", "-"))

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

    def line(self, view: RunView, width: int) -> list[Content]:
        """All stages in one line, for screens without room for the rail: ``understand ✓  search ▸ 2/6  grade ·``."""
        panes = [pane for pane in self.query(StagePane) if pane.takes_part(view)]
        parts: list[Content] = []
        for word, members in groupby(panes, key=lambda pane: pane.WORD):
            stages = list(members)
            states = [stage_state(view, pane.STAGE) for pane in stages]
            state = next((state for state in _ORDER if state in states), "done")
            style = "" if state == "working" else "$foreground 60%"
            progress = " ".join(filter(None, (pane.progress(view) for pane in stages))) if state == "working" else ""
            part = Content.assemble((_(word), style), " ", (GLYPHS[state], STYLES[state]))
            parts.append(part + Content(f" {progress}") if progress else part)
        return [Content("  ").join(parts).truncate(max(1, width), ellipsis=True)]
