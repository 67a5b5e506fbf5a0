"""The rail: the stages of a run, updated live. A new stage is a module that is named in `STAGES`."""

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
from kbtui.ui.widgets.scrolling import BarAtOffset
from kbtui.view.view_state import RunView

STAGES: Final = (
    "intent",
    "sub_questions",
    "plan_steps",
    "tool_calls",
    "evidence",
    "answer_stage",
)
"""The modules of the stages in order; each declares its `StagePane` as ``PANE``."""

_ORDER: Final = ("failed", "cancelled", "working", "waiting")
"""Precedence of states if several stages share a word."""


class Rail(BarAtOffset, VerticalScroll, can_focus=False):
    """The stages of a run."""

    def compose(self) -> ComposeResult:
        for name in STAGES:
            pane: type[StagePane] = import_module(f"{__package__}.{name}").PANE
            yield pane(id=name.replace("_", "-"))

    def enter(self) -> None:
        """Focus the evidence, which is used most, or the first stage if there is no evidence."""
        inside = [widget for widget in self.query("*") if widget.focusable]
        evidence = [widget for widget in inside if isinstance(widget, RowList)]
        for widget in (evidence or inside)[:1]:
            widget.focus()

    def show(self, view: RunView, now: str = "") -> None:
        """Render every stage of ``view``."""
        for pane in self.query(StagePane):
            pane.show(view, now)

    def tick(self, view: RunView, now: str) -> None:
        """Update only the elapsed times."""
        for pane in self.query(StagePane):
            pane.tick(view, now)

    def line(self, view: RunView, width: int) -> list[Content]:
        """All stages in one line for narrow screens: ``understand ✓  search ▸ 2/6  grade ·``."""
        panes = [pane for pane in self.query(StagePane) if pane.is_relevant(view)]
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
