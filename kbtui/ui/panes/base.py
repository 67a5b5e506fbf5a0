"""What every stage pane has: a border with its name, its state, and lines made for its width."""

from __future__ import annotations

from datetime import datetime

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from kbtui.controller.view_state import ASKED_FOR, RunView, StageName
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import duration, elide_middle
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import GLYPHS, STYLES
from kbtui.ui.widgets.marks import MUTED as MUTED

_MODEL_CELLS = 26
"""Of a model's name in a border, beside how long it has been asked."""


def stage_state(view: RunView, name: StageName) -> str:
    """``waiting``, ``working``, ``done``, ``failed`` or ``cancelled``."""
    status = view.stages[name].status
    return "cancelled" if status == "failed" and view.phase == "cancelled" else status


def seconds_since(view: RunView, since: str, now: str) -> float:
    """Seconds from event times, 0 where there are none; ``now`` moves on between events of a live run."""
    latest = now or view.last_at
    if not (since and latest):
        return 0.0
    return max(0.0, (datetime.fromisoformat(latest) - datetime.fromisoformat(since)).total_seconds())


def working_for(view: RunView, since: str, now: str) -> str:
    """How long something has been going on; empty where that is not known."""
    return duration(seconds_since(view, since, now)) if since and (now or view.last_at) else ""


def asking_text(view: RunView, name: StageName, now: str = "") -> str:
    """What a stage waits for while the chat model is asked for it: ``asking openai:gpt-5-mini 2.1 s``; else empty."""
    calls = [call for call in view.asking if ASKED_FOR.get(call.stage) == name]
    if not calls:
        return ""
    model = elide_middle(one_line(calls[0].model or view.model), _MODEL_CELLS)
    return f"asking {model} {working_for(view, calls[0].since, now)}".rstrip()


def state_text(view: RunView, name: StageName, now: str = "") -> str:
    """The state in words: ``working 1.2 s``, ``asking openai:gpt-5-mini 2.1 s``, ``waiting``, ``done`` …"""
    if asking := asking_text(view, name, now):
        return asking
    state = stage_state(view, name)
    if state == "waiting" and view.finished:
        return "not needed" if view.phase == "completed" else "not reached"
    if state == "working":
        return f"working {working_for(view, view.stages[name].since, now)}".rstrip()
    return state


def pane_title(view: RunView, name: StageName, title: str) -> Content:
    """The border title: state glyph and name."""
    state = stage_state(view, name)
    return Content.assemble((GLYPHS[state], STYLES[state]), " ", title)


class OverflowScroll(VerticalScroll):
    """Scrolls, and takes the focus only when there is something to scroll."""

    def allow_focus(self) -> bool:
        return self.max_scroll_y > 0


class StagePane(OverflowScroll):
    """One stage. Subclasses say what it is called and which lines show it."""

    STAGE: StageName
    TITLE: str
    ABOUT: str

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self._view = RunView()

    def compose(self) -> ComposeResult:
        yield LinesView()

    def show(self, view: RunView, now: str = "") -> None:
        """Render this stage of ``view``."""
        self._view = view
        self.border_title = pane_title(view, self.STAGE, self.TITLE)
        self.border_subtitle = Content.styled(self.summary(view, now), MUTED)
        self.set_class(stage_state(view, self.STAGE) == "working", "-working")
        self.query_one(LinesView).set_lines(lambda width: self.lines_or_about(view, width))

    def tick(self, view: RunView, now: str) -> None:
        """Move the elapsed time on, nothing else."""
        self.border_subtitle = Content.styled(self.summary(view, now), MUTED)

    def lines_or_about(self, view: RunView, width: int) -> list[Content]:
        """The stage's lines, or one that says what will stand here."""
        return self.lines(view, width) or [Content.styled(self.ABOUT, MUTED).truncate(width, ellipsis=True)]

    def natural_height(self, width: int) -> int:
        """Rows needed to show all of it, border included; ``width`` is that of the lines."""
        return len(self.lines_or_about(self._view, width)) + 2

    def summary(self, view: RunView, now: str) -> str:
        """What the bottom border says: the state, or a figure when done."""
        return state_text(view, self.STAGE, now)

    def lines(self, view: RunView, width: int) -> list[Content]:
        """The stage's lines, each at most ``width`` cells; none while there is nothing to show."""
        return []
