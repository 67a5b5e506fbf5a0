"""The prompt: an input for questions that grows from one row to six."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.document._document import Location
from textual.message import Message
from textual.widgets import TextArea

from kbtui.domain.conversation import MAX_QUESTION_CHARS
from kbtui.late_patterns import pattern
from kbtui.text.terminal import clean
from kbtui.ui.commands import DIGITS, bindings
from kbtui.ui.messages import bubble

_BEGUN_NAME = pattern(r"(?<!\S)@\S*$")
_CONTINUED = "\\"
"""At the end of a line, this makes Enter insert a new line, in every terminal."""


class Prompt(TextArea):
    """A multi-line input that Enter submits.

    While it is empty, digits show the sources with these numbers: after an answer, that is the most likely action, and
    few questions begin with a digit (which can be typed after a space).

    Attributes:
        sources: Number of sources that digits can show.
        completing: Whether completions are offered; Tab accepts one and the arrow keys move in them.
    """

    BINDINGS = bindings("prompt")
    sources: int = 0
    completing: bool = False

    class Submitted(Message):
        """Ask a question."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Cited(Message):
        """Show the source with this number."""

        def __init__(self, n: int) -> None:
            super().__init__()
            self.n = n

    class Recalled(Message):
        """Recall an earlier (-1) or later (1) question."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Paged(Message):
        """Scroll the content above the prompt by a page, up (-1) or down (1)."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Completed(Message):
        """Accept the selected completion."""

    class EditWanted(Message):
        """Edit the text in the user's editor, starting at ``line``."""

        def __init__(self, prompt: Prompt, line: int) -> None:
            super().__init__()
            self.prompt = prompt
            self.line = line

    class Overlong(Message):
        """A paste exceeded the length of a question; ``text`` is the whole paste."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        # A `Content`, because the name of a folder must not be parsed as markup.
        super().__init__(placeholder=Content(placeholder), compact=True, highlight_cursor_line=False, id=id)
        self.add_class("scope-prompt")
        self.cursor_blink = False  # distracting motion
        self.match_cursor_bracket = False

    def action_submit(self) -> None:
        """Submit before the next key is processed, which belongs to the next question."""
        row, column = self.cursor_location
        if self.document.get_line(row)[:column].endswith(_CONTINUED):
            self._write("\n", (row, column - len(_CONTINUED)), (row, column))
        else:
            bubble(self, self.Submitted(self.text))

    def action_new_line(self) -> None:
        """Insert a new line."""
        self._write("\n", *self.selection)

    def action_recall(self, by: int) -> None:
        """Move the cursor by a row, or recall an earlier or later question from the first or last row."""
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        if self.completing or row == (0 if by < 0 else self.wrapped_document.height - 1):
            bubble(self, self.Recalled(by))
        elif by < 0:
            self.action_cursor_up()
        else:
            self.action_cursor_down()

    def action_page(self, by: int) -> None:
        """Scroll the content above the prompt, because a question rarely exceeds the prompt's height."""
        bubble(self, self.Paged(by))

    def action_edit(self) -> None:
        """Edit the text in the user's editor."""
        bubble(self, self.EditWanted(self, self.cursor_location[0] + 1))

    def action_complete(self) -> None:
        """Accept the selected completion."""
        bubble(self, self.Completed())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let Tab move the focus while no completions are offered."""
        return self.completing if action == "complete" else super().check_action(action, parameters)

    @property
    def before_cursor(self) -> str:
        """The text before the cursor, from the first line on."""
        return self.get_text_range(self.document.start, self.cursor_location)

    def put_before_cursor(self, text: str, length: int) -> None:
        """Replace the ``length`` characters before the cursor by ``text``."""
        row, column = self.cursor_location
        self._write(text, (row, column - length), (row, column))

    def put_name(self, name: str) -> None:
        """Insert ``name`` at the cursor and focus the prompt."""
        before = self.before_cursor
        self.put_before_cursor(f"{' ' if before and not before[-1].isspace() else ''}{name} ", 0)
        self.focus()

    def put(self, text: str, *, at_top: bool = False) -> None:
        """Replace the text; the cursor moves to its end, or to the end of its first line."""
        self._write(text, self.document.start, self.document.end)
        if at_top:
            self.move_cursor((0, len(self.document.get_line(0))))

    def _write(self, text: str, start: Location, end: Location) -> None:
        """Replace a range by ``text`` and move the cursor after it."""
        self.replace(text, *sorted((start, end)), maintain_selection_offset=False)

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Whether a key is typed; digits that show a source are not."""
        return not self._cites(key) and super().check_consume_key(key, character)

    def _cites(self, key: str) -> bool:
        return not self.text and key in DIGITS and int(key) <= self.sources

    async def _on_key(self, event: events.Key) -> None:
        if self._cites(event.key):
            event.stop()
            event.prevent_default()
            bubble(self, self.Cited(int(event.key)))
        elif event.key == "enter":
            # Textual would insert a new line; here the binding handles Enter.
            event.prevent_default()
        elif event.key == "tab" and not self.completing and _BEGUN_NAME.search(self.before_cursor):
            # No name is offered, perhaps not yet. Outside the prompt, what is typed next would be commands.
            event.stop()
            event.prevent_default()
        elif event.key.endswith("\r"):
            # Enter with a modifier as sent by xterm and tmux (modifyOtherKeys), for which Textual has no key name.
            event.stop()
            self.action_new_line()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """Insert pasted text in place of the selection, as far as a question may be long."""
        pasted = clean(text).strip("\n")
        room = MAX_QUESTION_CHARS - len(self.text) + len(self.selected_text)
        self._write(pasted[: max(0, room)], *self.selection)
        if len(pasted) > room:
            bubble(self, self.Overlong(pasted))
