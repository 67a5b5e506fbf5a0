"""The find bar: an input for the search and the position in the hits, in a line below the conversation."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label

from kbtui.i18n import _
from kbtui.ui.commands import bindings
from kbtui.ui.messages import bubble
from kbtui.ui.widgets.marks import MUTED


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
