"""The conversation and its find bar: highlights matches in all turns and steps through them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label

from kbtui.i18n import _
from kbtui.ui.commands import bindings
from kbtui.ui.finding import Finding, Hit
from kbtui.ui.messages import CiteChosen, bubble
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.matches import Pattern
from kbtui.view.view_state import RunView


class Reading(Vertical):
    """The turns, and below them the find bar."""

    class Found(Message):
        """The pattern or the current hit has changed."""

        def __init__(self, pattern: Pattern | None, hit: Hit | None) -> None:
            super().__init__()
            self.pattern = pattern
            self.hit = hit

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._search = Finding()
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
        """Whether the find bar is open."""
        return self._bar.is_open

    def show(self, views: Sequence[RunView], position: int, now: str) -> None:
        """Render the runs; ``position`` is the current one."""
        self.transcript.show(views, position, now)
        if self.is_finding and not now and self._search.refresh(views):
            self._bar.show_status(self._search.status_text)

    def find(self, words: str = "") -> None:
        """Open the find bar to search from the current turn on; with ``words``, search for them at once."""
        self._origin = self.transcript.position
        self._bar.open(words)
        if words:
            self.transcript.focus()

    def stop_finding(self) -> None:
        """Close the find bar, without scrolling."""
        self._bar.display = False
        self._search = Finding()
        self._mark()
        self.transcript.focus()

    def step(self, by: int) -> None:
        """Go to a later or earlier hit."""
        self._search.refresh(self.transcript.views)
        self._search.step(by)
        self._mark()

    def _mark(self) -> None:
        search = self._search
        self._bar.show_status(search.status_text)
        self.transcript.find(search.pattern, search.hit)
        bubble(self, self.Found(search.pattern, search.hit))
        if search.hit is not None and search.hit.kind == "quote":
            bubble(self, CiteChosen(search.hit.of))

    def on_find_bar_typed(self, event: FindBar.Typed) -> None:
        event.stop()
        if self.is_finding:
            self._search.search(event.text, self.transcript.views, self._origin)
            self._mark()

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        event.stop()
        self.step(event.by)

    def on_find_bar_taken(self, event: FindBar.Taken) -> None:
        event.stop()
        self.transcript.focus()


class FindWords(Input):
    """The input of the find bar; keys that it does not need step through the hits."""

    BINDINGS = bindings("find")

    def action_step(self, by: int) -> None:
        """Go to the next or previous hit while typing."""
        bubble(self, FindBar.Stepped(by))

    def action_take(self) -> None:
        """Move the focus to the conversation; hits stay highlighted."""
        bubble(self, FindBar.Taken())


class FindBar(Horizontal):
    """The find bar, which is hidden until it is opened."""

    class Typed(Message):
        """The search text has changed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Stepped(Message):
        """Go to the next (1) or previous (-1) hit."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Taken(Message):
        """Move the focus to the conversation."""

    def compose(self) -> ComposeResult:
        yield Label("/", id="find-mark", markup=False)
        yield FindWords(placeholder=_("find in all answers"), compact=True, id="find-words")
        yield Label(id="find-count", markup=False)

    def open(self, text: str = "") -> None:
        """Show the find bar with ``text``, or with the previous search selected for overwriting."""
        self.display = True
        words = self.query_one(Input)
        words.value = text or words.value
        words.focus()
        words.select_all()
        bubble(self, self.Typed(words.value))

    @property
    def is_open(self) -> bool:
        """Whether the find bar is shown."""
        return bool(self.display)

    def show_status(self, words: str) -> None:
        """Show the position in the hits."""
        self.query_one("#find-count", Label).update(Content.styled(words, MUTED), layout=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        bubble(self, self.Typed(event.value))
