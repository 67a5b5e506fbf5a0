"""The base class of the rail's stages: a line with name and state, and a body of lines that fit the width."""

from __future__ import annotations

from datetime import datetime

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.widgets.cells import duration, elide_middle, padded
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import GLYPHS, STYLES
from kbtui.ui.widgets.marks import MUTED as MUTED
from kbtui.view.view_state import STAGE_OF_MODEL_CALL, RunView, StageName

_MODEL_CELLS = 18
"""Width of a model's name in the line of a stage, beside the elapsed time."""
_TITLE_CELLS = 10
_STATES = {
    "waiting": N_("waiting"),
    "done": N_("done"),
    "failed": N_("failed"),
    "cancelled": N_("cancelled"),
}


def stage_state(view: RunView, name: StageName) -> str:
    """``waiting``, ``working``, ``done``, ``failed`` or ``cancelled``."""
    status = view.stages[name].status
    return "cancelled" if status == "failed" and view.phase == "cancelled" else status


def seconds_since(view: RunView, since: str, now: str) -> float:
    """Seconds from ``since`` to ``now``, or to the last event if ``now`` is empty; 0 if unknown."""
    latest = now or view.last_at
    if not (since and latest):
        return 0.0
    return max(0.0, (datetime.fromisoformat(latest) - datetime.fromisoformat(since)).total_seconds())


def elapsed_text(view: RunView, since: str, now: str) -> str:
    """The time since ``since`` as text; empty if unknown."""
    return duration(seconds_since(view, since, now)) if since and (now or view.last_at) else ""


def model_call_text(view: RunView, name: StageName, now: str = "") -> str:
    """The pending model call of a stage, such as ``asking openai:gpt-5-mini 2.1 s``; empty if there is none."""
    calls = [call for call in view.model_calls if STAGE_OF_MODEL_CALL.get(call.stage) == name]
    if not calls:
        return ""
    model = elide_middle(one_line(calls[0].model or view.model), _MODEL_CELLS)
    return f"{_('asking {model}', model=model)} {elapsed_text(view, calls[0].since, now)}".rstrip()


def state_text(view: RunView, name: StageName, now: str = "") -> str:
    """The state in words: ``working 1.2 s``, ``asking openai:gpt-5-mini 2.1 s``, ``waiting``, ``done`` …"""
    if pending := model_call_text(view, name, now):
        return pending
    state = stage_state(view, name)
    if state == "waiting" and view.finished:
        return _("not needed") if view.phase == "completed" else _("not reached")
    if state == "working":
        return f"{_('working')} {elapsed_text(view, view.stages[name].since, now)}".rstrip()
    return _(_STATES[state])


def kept_text(view: RunView) -> str:
    """The share of the evidence that was kept, such as ``5 of 10 kept``."""
    return _("{kept} of {count} kept", kept=sum(item.kept for item in view.evidence), count=len(view.evidence))


class StagePane(Vertical, can_focus=True):
    """A stage of the rail: a line with its state, and a body with details.

    The body is shown while the stage works, or if the user opened it. Subclasses define the title and the lines of the
    body; a subclass whose body has other widgets overrides `compose_body` and `show_body`.

    Attributes:
        STAGE: The stage of the run.
        TITLE: The title in its line.
        WORD: Its name if all stages share one line; stages with the same word share a mark.
        KEEPS_OPEN: Whether the body stays open after the stage is done.
    """

    STAGE: StageName
    TITLE: str
    WORD: str
    KEEPS_OPEN = False
    BINDINGS = bindings("stage")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="stage")
        self._view = RunView()
        self._now = ""
        self._user_open: bool | None = None

    def compose(self) -> ComposeResult:
        yield LinesView(classes="stage-head")
        with Vertical(classes="stage-body"):
            yield from self.compose_body()

    def compose_body(self) -> ComposeResult:
        """The widgets of the body."""
        yield LinesView(classes="stage-lines")

    def show(self, view: RunView, now: str = "") -> None:
        """Render this stage of ``view``."""
        self._view = view
        self.tick(view, now)
        is_working = stage_state(view, self.STAGE) == "working"
        self.set_class(is_working, "-working")
        self.display = self.is_relevant(view)
        self.query_one(".stage-body").display = self.is_open
        if self.is_open:
            self.show_body(view)

    def show_body(self, view: RunView) -> None:
        """Render the body; called only while it is open."""
        self.query_one(".stage-lines", LinesView).set_lines(lambda width: self.lines(view, width))

    def tick(self, view: RunView, now: str) -> None:
        """Update only the elapsed time."""
        self._now = now
        self.query_one(".stage-head", LinesView).set_lines(self._head)

    def _head(self, width: int) -> list[Content]:
        state = stage_state(self._view, self.STAGE)
        title = padded(self.title(self._view), _TITLE_CELLS)
        words = Content.styled(self.summary(self._view, self._now), MUTED)
        return [
            Content.assemble((f"{GLYPHS[state]} ", STYLES[state]), (title, "bold"), words).truncate(
                max(1, width), ellipsis=True
            )
        ]

    @property
    def is_open(self) -> bool:
        """Whether the body is shown: as the user chose, else while the stage works."""
        if self._user_open is not None:
            return self._user_open
        state = stage_state(self._view, self.STAGE)
        return state == "working" or (self.KEEPS_OPEN and state != "waiting")

    def action_unfold(self) -> None:
        """Open or close the body."""
        self._user_open = not self.is_open
        self.show(self._view, self._now)

    def on_click(self, event: events.Click) -> None:
        """Open or close the body on a click on the first line."""
        if event.widget is self.query_one(".stage-head"):
            self.action_unfold()

    def is_applicable(self, view: RunView) -> bool:
        """Whether the stage applies to this kind of run."""
        return True

    def is_relevant(self, view: RunView) -> bool:
        """Whether the stage applies to the run and was not skipped by it."""
        return self.is_applicable(view) and not (
            view.phase == "completed" and stage_state(view, self.STAGE) == "waiting"
        )

    def title(self, view: RunView) -> str:
        """The title of the stage."""
        return _(self.TITLE)

    def summary(self, view: RunView, now: str) -> str:
        """The text beside the title: the state or the result."""
        return state_text(view, self.STAGE, now)

    def progress(self, view: RunView) -> str:
        """The progress of a working stage for the line that all stages share; empty if unknown."""
        return ""

    def lines(self, view: RunView, width: int) -> list[Content]:
        """The lines of the body, each at most ``width`` cells; empty if there are no details."""
        return []
