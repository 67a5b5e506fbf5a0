"""The line where questions are typed."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from kbtui.text.terminal import one_line
from kbtui.ui.commands import DIGITS, bindings
from kbtui.ui.messages import bubble


class Prompt(Input):
    """A field that remembers questions, and takes pasted text of several lines as one.

    While it is empty, the figures of the sources that are shown lead to them: right after an answer, looking at what
    backs it is what is wanted most, and hardly a question begins with one of these figures (a space before it, and it
    does).

    Attributes:
        sources: How many sources are shown.
    """

    BINDINGS = bindings("prompt")
    sources: int = 0

    class Cited(Message):
        """The source with this number is wanted."""

        def __init__(self, n: int) -> None:
            super().__init__()
            self.n = n

    class Recalled(Message):
        """An earlier (-1) or later (1) question is wanted."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def action_recall(self, by: int) -> None:
        """Ask for an earlier or later question."""
        bubble(self, self.Recalled(by))

    async def action_submit(self) -> None:
        """Ask, before another key is looked at: what is typed next belongs to the next question."""
        bubble(self, self.Submitted(self, self.value))

    def put(self, text: str) -> None:
        """Replace what is typed; the cursor goes to its end."""
        self.value = text
        self.cursor_position = len(text)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """False for a figure that leads to a source."""
        return not self._cites(key) and super().check_consume_key(key, character)

    def _cites(self, key: str) -> bool:
        return not self.value and key in DIGITS and int(key) <= self.sources

    async def _on_key(self, event: events.Key) -> None:
        if self._cites(event.key):
            event.stop()
            event.prevent_default()
            bubble(self, self.Cited(int(event.key)))

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(one_line(event.text), *self.selection)


class PromptLine(Horizontal):
    """The mark and the field."""

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        yield Label("›", id="prompt-mark", markup=False)
        prompt = Prompt(placeholder=self._placeholder, id="prompt", compact=True, select_on_focus=False)
        prompt.cursor_blink = False  # motion that says nothing
        yield prompt
