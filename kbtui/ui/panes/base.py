"""What every stage of the rail has: a line with its name and state, and lines under it made for its width."""

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
"""Of a model's name in the line of a stage, beside how long it has been asked."""
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
    calls = [call for call in view.model_calls if STAGE_OF_MODEL_CALL.get(call.stage) == name]
    if not calls:
        return ""
    model = elide_middle(one_line(calls[0].model or view.model), _MODEL_CELLS)
    return f"{_('asking {model}', model=model)} {working_for(view, calls[0].since, now)}".rstrip()


def state_text(view: RunView, name: StageName, now: str = "") -> str:
    """The state in words: ``working 1.2 s``, ``asking openai:gpt-5-mini 2.1 s``, ``waiting``, ``done`` …"""
    if model_calls := asking_text(view, name, now):
        return model_calls
    state = stage_state(view, name)
    if state == "waiting" and view.finished:
        return _("not needed") if view.phase == "completed" else _("not reached")
    if state == "working":
        return f"{_('working')} {working_for(view, view.stages[name].since, now)}".rstrip()
    return _(_STATES[state])


def kept_words(view: RunView) -> str:
    """How much of the evidence was kept: ``5 of 10 kept``."""
    return _("{kept} of {count} kept", kept=sum(item.kept for item in view.evidence), count=len(view.evidence))


class StagePane(Vertical, can_focus=True):
    """One stage of the rail: a line with its state, and under it what happened in it.

    The body is shown while the stage works, and when the user opened it. Subclasses say what the stage is called and
    which lines show it; one whose body is more than lines overrides `compose_body` and `show_body`.

    Attributes:
        STAGE: The stage of the run that the pane shows.
        TITLE: What its line begins with.
        WORD: What it is called where all stages share a line; panes of one word share a mark.
        LASTING: True when the body stays after the stage is done.
    """

    STAGE: StageName
    TITLE: str
    WORD: str
    LASTING = False
    BINDINGS = bindings("stage")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="stage")
        self._view = RunView()
        self._now = ""
        self._opened: bool | None = None

    def compose(self) -> ComposeResult:
        yield LinesView(classes="stage-head")
        with Vertical(classes="stage-body"):
            yield from self.compose_body()

    def compose_body(self) -> ComposeResult:
        """The widgets under the first line."""
        yield LinesView(classes="stage-lines")

    def show(self, view: RunView, now: str = "") -> None:
        """Render this stage of ``view``."""
        self._view = view
        self.tick(view, now)
        working = stage_state(view, self.STAGE) == "working"
        self.set_class(working, "-working")
        self.display = self.takes_part(view)
        self.query_one(".stage-body").display = self.is_open
        if self.is_open:
            self.show_body(view)

    def show_body(self, view: RunView) -> None:
        """Render what stands under the first line; called only while that is open."""
        self.query_one(".stage-lines", LinesView).set_lines(lambda width: self.lines(view, width))

    def tick(self, view: RunView, now: str) -> None:
        """Move the elapsed time on, nothing else."""
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
        """True while the body is shown: as the user chose, else while there is something going on in it."""
        if self._opened is not None:
            return self._opened
        state = stage_state(self._view, self.STAGE)
        return state == "working" or (self.LASTING and state != "waiting")

    def action_unfold(self) -> None:
        """Open or close the body, until it is chosen otherwise."""
        self._opened = not self.is_open
        self.show(self._view, self._now)

    def on_click(self, event: events.Click) -> None:
        """A click on the first line opens or closes the stage."""
        if event.widget is self.query_one(".stage-head"):
            self.action_unfold()

    def concerns(self, view: RunView) -> bool:
        """False for a stage that has no part in such a run."""
        return True

    def takes_part(self, view: RunView) -> bool:
        """False as well for a stage that a run turned out not to need."""
        return self.concerns(view) and not (view.phase == "completed" and stage_state(view, self.STAGE) == "waiting")

    def title(self, view: RunView) -> str:
        """What the stage is called."""
        return _(self.TITLE)

    def summary(self, view: RunView, now: str) -> str:
        """What stands beside the title: the state, or what came of it."""
        return state_text(view, self.STAGE, now)

    def progress(self, view: RunView) -> str:
        """How far a working stage is, where all stages share a line; empty where that cannot be told."""
        return ""

    def lines(self, view: RunView, width: int) -> list[Content]:
        """The stage's lines, each at most ``width`` cells; none while there is nothing to show."""
        return []
