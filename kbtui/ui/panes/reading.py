"""The conversation with its find: words are marked in all turns, and the reader goes from place to place."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from kbtui.ui.finding import Finding, Hit
from kbtui.ui.messages import CiteChosen, bubble
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.widgets.find_bar import FindBar
from kbtui.ui.widgets.matches import Pattern
from kbtui.view.view_state import RunView


class Reading(Vertical):
    """The turns, and under them the line to find words in."""

    class Found(Message):
        """This is looked for now, and this is the place that the reader is at."""

        def __init__(self, pattern: Pattern | None, hit: Hit | None) -> None:
            super().__init__()
            self.pattern = pattern
            self.hit = hit

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._finding = Finding()
        self._origin = 0

    def compose(self) -> ComposeResult:
        yield Transcript(id="conversation")
        yield FindBar(id="find")

    @property
    def transcript(self) -> Transcript:
        """The turns."""
        return self.query_one(Transcript)

    @property
    def _bar(self) -> FindBar:
        return self.query_one(FindBar)

    @property
    def is_finding(self) -> bool:
        """True while the line to find words in is open."""
        return self._bar.is_open

    def show(self, views: Sequence[RunView], position: int, now: str) -> None:
        """Render the runs; ``position`` is the current one."""
        self.transcript.show(views, position, now)
        if self.is_finding and not now and self._finding.renew(views):
            self._bar.say(self._finding.words)

    def find(self, words: str = "") -> None:
        """Open the line, to type what is looked for from the current turn on, or to read where ``words`` stand."""
        self._origin = self.transcript.position
        self._bar.open(words)
        if words:
            self.transcript.focus()

    def stop_finding(self) -> None:
        """Close the line; the reader stays at the place found last."""
        self._bar.display = False
        self._finding = Finding()
        self._mark()
        self.transcript.focus()

    def step(self, by: int) -> None:
        """Go on to the next place (or back)."""
        self._finding.renew(self.transcript.views)
        self._finding.step(by)
        self._mark()

    def _mark(self) -> None:
        found = self._finding
        self._bar.say(found.words)
        self.transcript.find(found.pattern, found.hit)
        bubble(self, self.Found(found.pattern, found.hit))
        if found.hit is not None and found.hit.kind == "quote":
            bubble(self, CiteChosen(found.hit.of))

    def on_find_bar_typed(self, event: FindBar.Typed) -> None:
        event.stop()
        if self.is_finding:
            self._finding.search(event.text, self.transcript.views, self._origin)
            self._mark()

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        event.stop()
        self.step(event.by)

    def on_find_bar_taken(self, event: FindBar.Taken) -> None:
        event.stop()
        self.transcript.focus()
