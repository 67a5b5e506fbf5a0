"""The replay of a recorded session: the same panes, fed by a `Player` instead of an engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Static

from kbtui.errors import KnowledgeBaseError
from kbtui.i18n import _, made
from kbtui.sessions.recording import Recording
from kbtui.settings.model import Settings
from kbtui.settings.published import root_of
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.messages import QuestionChosen
from kbtui.ui.notices import warn
from kbtui.ui.panes.base import MUTED
from kbtui.ui.run_view import RunPanes
from kbtui.ui.screens.answer_screen import AnswerScreen
from kbtui.ui.widgets.cells import row
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.position_bar import PositionBar
from kbtui.view.player import Player

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceText

_FRAME_S = 1 / 30


class ReplayScreen(AnswerScreen):
    """Starts playing when shown, and ends in the final state of the live run.

    Args:
        recording: The recording.
        speed: Factor over recorded time.
        title: Title in the top line; the session's name by default.
        clock: Monotonic time in seconds.
    """

    SCOPE = "replay"
    BINDINGS = bindings("replay")
    DEFAULT_CSS: ClassVar[str] = """
    ReplayScreen {
        #replay-head { height: 1; padding: 0 2; }
        #position { height: 2; padding: 0 2; }
        &.-short #position { height: 1; }
    }
    """

    def __init__(
        self,
        recording: Recording,
        *,
        speed: float = 1.0,
        title: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.recording = recording
        self.player = Player(recording.events, clock=clock, speed=speed)
        self._title = title or recording.path.stem
        self._timer: Timer | None = None

    @property
    def kb(self) -> Path:
        """The folder of the shown run, where its sources are read."""
        return root_of(self.player.state.kb)

    def compose(self) -> ComposeResult:
        yield Static(id="replay-head", markup=False)
        yield RunPanes(self.read_source, id="run")
        yield PositionBar(self.player, id="position")
        yield KeyHints(id="hints", classes="hints")

    def on_mount(self) -> None:
        if (problem := self.recording.problem) is not None:
            text = _("Line {line}: {problem}", line=problem.line_number, problem=made(problem.message))
            warn(self.app, _("The recording ends early"), text)
        self.player.play()
        self._draw()

    def on_screen_resume(self) -> None:
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        # Textual also calls the handler of the base class.
        self._draw_head()

    def fit(self, size: Size) -> frozenset[str]:
        panes = self.query_one(RunPanes).fit(size.width)
        return super().fit(size) | panes

    # Time

    def _tick(self) -> None:
        self._timer = None
        self.player.advance()
        self._draw()

    def _draw(self) -> None:
        """Show the state at the current position, and schedule the next event."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.query_one(RunPanes).show(self.player.state)
        self.query_one(PositionBar).show()
        self._draw_head()
        has_several_runs = len(self.player.runs) > 1
        self.query_one("#hints", KeyHints).words = {
            "replay_toggle": _("pause") if self.player.playing else _("play"),
            "replay_next_run": _("next question") if has_several_runs else "",
            "rail": "",
            "proof": "",
            "zoom": "",
            "stage": "",
            # Hints of keys without effect are left out.
            "source": _("source") if self.player.state.citations else "",
            "edit": _("editor") if self.player.state.citations or self.player.state.evidence else "",
            "copy": _("copy") if self.player.state.markdown else "",
        }
        if (wait := self.player.wait_s) is not None:
            self._timer = self.set_timer(max(_FRAME_S, wait), self._tick)

    def _draw_head(self) -> None:
        player = self.player
        view = player.state
        left = [Content.styled(_("replay"), "bold"), Content.styled(one_line(self._title), MUTED)]
        if len(player.runs) > 1:
            place = _("question {number} of {count}", number=player.run + 1, count=len(player.runs))
            left.append(Content.styled(place, MUTED))
        right = [Content.styled(one_line(Path(view.kb).name), MUTED)] if view.kb else []
        if view.iteration:
            right.append(Content.styled(_("pass {n}", n=view.iteration), MUTED))
        dot = Content.styled(" · ", MUTED)
        head = self.query_one("#replay-head", Static)
        head.update(row(dot.join(left), dot.join(right), max(1, self.size.width - 4)))

    # Keys

    def action_play_or_pause(self) -> None:
        """Play or pause."""
        self.player.toggle()
        self._draw()

    def action_step(self, by: int) -> None:
        """Step by a number of events."""
        self.player.step(by)
        self._draw()

    def action_next_stage(self) -> None:
        self.player.next_stage()
        self._draw()

    def action_previous_stage(self) -> None:
        """Go back to the previous start of a stage."""
        self.player.previous_stage()
        self._draw()

    def action_faster(self) -> None:
        """Increase the speed."""
        self.player.faster()
        self._draw()

    def action_slower(self) -> None:
        """Decrease the speed."""
        self.player.slower()
        self._draw()

    def action_home(self) -> None:
        """Go before the first event."""
        self.player.seek(0)
        self._draw()

    def action_end(self) -> None:
        """Go after the last event."""
        self.player.seek(self.player.total)
        self._draw()

    def action_run(self, by: int) -> None:
        """Go to another question of the session."""
        self.player.to_run(self.player.run + by)
        self._draw()

    def action_close(self) -> None:
        """Close the replay, and exit if it is the only screen."""
        self.player.pause()
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        else:
            self.app.exit()

    # Messages of panes

    def on_position_bar_sought(self, event: PositionBar.Sought) -> None:
        event.stop()
        self.player.seek(event.position)
        self._draw()

    def on_question_chosen(self, event: QuestionChosen) -> None:
        """Notify that a replay cannot answer questions."""
        event.stop()
        self.notify(_("This is a replay: leave it to ask."), markup=False)

    def read_source(self, path: str) -> SourceText:
        """Read the current content of a file in the recorded folder; blocks."""
        from kbtui.bootstrap import Engine

        root = self.kb
        if not root.is_absolute():
            raise KnowledgeBaseError(_("The recording does not say which folder was asked."))
        settings = getattr(self.app, "settings", None)
        return Engine(settings if isinstance(settings, Settings) else Settings(), root, record=False).read_source(path)
