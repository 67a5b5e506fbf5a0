"""Where questions are typed: a field that grows from one row to six."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.document._document import Location
from textual.message import Message
from textual.widgets import TextArea

from kbtui.domain.conversation import MAX_QUESTION_CHARS
from kbtui.text.terminal import clean
from kbtui.ui.commands import DIGITS, bindings
from kbtui.ui.messages import bubble

_CONTINUED = "\\"
"""At the end of a line it makes Enter a new line, in every terminal."""


class Prompt(TextArea):
    """A field of several lines that Enter sends, and that remembers what was sent.

    While it is empty, the figures of the sources that are shown lead to them: right after an answer, looking at what
    backs it is what is wanted most, and hardly a question begins with one of these figures (a space before it, and it
    does).

    Attributes:
        sources: How many sources are shown.
        completing: Something is offered for what is typed; Tab takes it, the arrow keys move in it.
    """

    BINDINGS = bindings("prompt")
    sources: int = 0
    completing: bool = False

    class Submitted(Message):
        """This is to be asked."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

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

    class Paged(Message):
        """What stands above the prompt is to be scrolled by a screenful, up (-1) or down (1)."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Completed(Message):
        """What is offered is to be taken."""

    class EditWanted(Message):
        """What is typed is to be edited in the user's editor, from this line on."""

        def __init__(self, prompt: Prompt, line: int) -> None:
            super().__init__()
            self.prompt = prompt
            self.line = line

    class Overlong(Message):
        """More was pasted than a question may hold; ``text`` is all of what was pasted."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        # As content: the name of a folder is no markup.
        super().__init__(placeholder=Content(placeholder), compact=True, highlight_cursor_line=False, id=id)
        self.add_class("scope-prompt")
        self.cursor_blink = False  # motion that says nothing
        self.match_cursor_bracket = False

    def action_submit(self) -> None:
        """Ask, before another key is looked at: what is typed next belongs to the next question."""
        row, column = self.cursor_location
        if self.document.get_line(row)[:column].endswith(_CONTINUED):
            self._write("\n", (row, column - len(_CONTINUED)), (row, column))
        else:
            bubble(self, self.Submitted(self.text))

    def action_new_line(self) -> None:
        """Go on in a new line."""
        self._write("\n", *self.selection)

    def action_recall(self, by: int) -> None:
        """Move one row; from the first and the last one, ask for an earlier or later question."""
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        if self.completing or row == (0 if by < 0 else self.wrapped_document.height - 1):
            bubble(self, self.Recalled(by))
        elif by < 0:
            self.action_cursor_up()
        else:
            self.action_cursor_down()

    def action_page(self, by: int) -> None:
        """Scroll what stands above: a question is rarely longer than the prompt is high."""
        bubble(self, self.Paged(by))

    def action_edit(self) -> None:
        """Go on in the user's editor."""
        bubble(self, self.EditWanted(self, self.cursor_location[0] + 1))

    def action_complete(self) -> None:
        """Take what is offered."""
        bubble(self, self.Completed())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Tab moves the focus while nothing is offered."""
        return self.completing if action == "complete" else super().check_action(action, parameters)

    @property
    def before_cursor(self) -> str:
        """What is typed before the cursor, of all lines."""
        return self.get_text_range(self.document.start, self.cursor_location)

    def put_before_cursor(self, text: str, length: int) -> None:
        """Put ``text`` in the place of the ``length`` characters of the line before the cursor."""
        row, column = self.cursor_location
        self._write(text, (row, column - length), (row, column))

    def put_name(self, name: str) -> None:
        """Go on typing behind ``name``, which is put at the cursor."""
        before = self.before_cursor
        self.put_before_cursor(f"{' ' if before and not before[-1].isspace() else ''}{name} ", 0)
        self.focus()

    def put(self, text: str, *, at_top: bool = False) -> None:
        """Replace what is typed; the cursor goes to its end, or to the end of its first line."""
        self._write(text, self.document.start, self.document.end)
        if at_top:
            self.move_cursor((0, len(self.document.get_line(0))))

    def _write(self, text: str, start: Location, end: Location) -> None:
        """Put ``text`` in the place of what stands between, and the cursor behind it."""
        self.replace(text, *sorted((start, end)), maintain_selection_offset=False)

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """False for a figure that leads to a source."""
        return not self._cites(key) and super().check_consume_key(key, character)

    def _cites(self, key: str) -> bool:
        return not self.text and key in DIGITS and int(key) <= self.sources

    async def _on_key(self, event: events.Key) -> None:
        if self._cites(event.key):
            event.stop()
            event.prevent_default()
            bubble(self, self.Cited(int(event.key)))
        elif event.key == "enter":
            # It goes on to the binding; by default it is typed.
            event.prevent_default()
        elif event.key.endswith("\r"):
            # Enter with a modifier, as xterm and tmux spell it (modifyOtherKeys): Textual has no name for it.
            event.stop()
            self.action_new_line()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        pasted = clean(event.text).strip("\n")
        room = MAX_QUESTION_CHARS - len(self.text) + len(self.selected_text)
        self._write(pasted[: max(0, room)], *self.selection)
        if len(pasted) > room:
            bubble(self, self.Overlong(pasted))
