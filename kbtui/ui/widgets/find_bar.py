"""One line under the conversation: what is looked for, and which of how many places is shown."""

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
    """Where it is typed; keys that have nothing to do there go from place to place."""

    BINDINGS = bindings("find")

    def action_step(self, by: int) -> None:
        """To the next place, while typing."""
        bubble(self, FindBar.Stepped(by))

    def action_take(self) -> None:
        """Leave the field for the text; the places stay marked."""
        bubble(self, FindBar.Taken())


class FindBar(Horizontal):
    """A field to type in; hidden until it is opened."""

    class Typed(Message):
        """Other words are looked for now."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Stepped(Message):
        """The next place is wanted, or the one before."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Taken(Message):
        """The words are right: the reader goes on in the text."""

    def compose(self) -> ComposeResult:
        yield Label("/", id="find-mark", markup=False)
        yield FindWords(placeholder=_("find in all answers"), compact=True, id="find-words")
        yield Label(id="find-count", markup=False)

    def open(self, text: str = "") -> None:
        """Show it; what was looked for last stands there, to be typed over, unless other words are given."""
        self.display = True
        words = self.query_one(Input)
        words.value = text or words.value
        words.focus()
        words.select_all()
        bubble(self, self.Typed(words.value))

    @property
    def is_open(self) -> bool:
        """True while it is shown."""
        return bool(self.display)

    def say(self, words: str) -> None:
        """Show how many places there are."""
        self.query_one("#find-count", Label).update(Content.styled(words, MUTED), layout=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        bubble(self, self.Typed(event.value))
