"""A dialog to change a setting: a list of choices or an input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from kbtui.errors import KbtuiError, SettingsError
from kbtui.i18n import N_, _
from kbtui.settings.listing import ListedSetting, display_text, editable_text, parse_edited, save
from kbtui.settings.model import MAX_LIST_ITEMS, MAX_TEXT_CHARS
from kbtui.text.terminal import clean, one_line
from kbtui.ui.commands import bindings
from kbtui.ui.commands.keymap import user_keymap
from kbtui.ui.messages import bubble
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import row, wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.ui.widgets.setting_rows import effect_lines, plain

_FORMATS = {
    "texts": N_("One item a line."),
    "table": N_("One NAME = VALUE a line."),
    "tables": N_("One NAME = { … } a line."),
}
_MAX_CHARS = MAX_TEXT_CHARS * 4


class Field(TextArea):
    """An input for a value on one line, or for a list with an item on each line; Enter saves it.

    Args:
        text: The current value.
        is_multiline: Whether several lines are allowed.
    """

    BINDINGS = bindings("setting_text")

    class Submitted(Message):
        """Save the value."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, text: str, *, is_multiline: bool) -> None:
        super().__init__(
            text, compact=True, highlight_cursor_line=False, id="setting-field", classes="scope-setting_text"
        )
        self._is_multiline = is_multiline
        self.cursor_blink = False
        self.match_cursor_bracket = False

    def action_save(self) -> None:
        """Submit the value."""
        bubble(self, self.Submitted(self.text))

    def action_new_line(self) -> None:
        """Insert a new line."""
        self.insert("\n")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable new lines in single-line values."""
        return self._is_multiline if action == "new_line" else super().check_action(action, parameters)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.prevent_default()  # Textual would insert a new line
        elif event.key.endswith("\r") and self._is_multiline:
            # Enter with a modifier as sent by xterm and tmux, for which Textual has no key name.
            event.stop()
            self.action_new_line()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        pasted = clean(event.text).strip("\n")
        room = max(0, _MAX_CHARS - len(self.text))
        self.insert((pasted if self._is_multiline else " ".join(pasted.split("\n")))[:room])


class SettingScreen(Dialog[Path | None]):
    """Returns the path of the written settings file, or None.

    Args:
        listed: The setting.
    """

    SCOPE = "setting"
    BINDINGS: ClassVar = bindings("setting")

    def __init__(self, listed: ListedSetting) -> None:
        super().__init__()
        self._listed = listed

    def compose(self) -> ComposeResult:
        setting = self._listed.setting
        with Vertical(id="setting", classes="dialog"):
            yield LinesView(id="setting-about")
            if setting.choices:
                yield RowList(id="setting-choices", classes="rows")
            else:
                yield Field(editable_text(setting, self._listed.own), is_multiline=setting.kind in _FORMATS)
            yield LinesView(id="setting-problem")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        setting = self._listed.setting
        self.query_one("#setting").border_title = setting.key
        self.query_one("#setting-about", LinesView).set_lines(self._about)
        self.query_one(KeyHints).words = {"preview": _("save"), "help": ""}
        if not setting.choices:
            field = self.query_one(Field)
            field.focus()
            field.move_cursor(field.document.end)
            return
        choices = self.query_one(RowList)
        choices.show_rows([self._choice_row(choice) for choice in setting.choices])
        choices.show_key(str(self._listed.own))
        choices.focus()

    def _about(self, width: int) -> list[Content]:
        setting = self._listed.setting
        lines = wrapped(Content(plain(_(setting.description))), width)
        if not setting.choices:
            allowed = _(
                "{allowed}; the default is {value}.",
                allowed=plain(setting.allowed),
                value=display_text(setting, setting.default),
            )
            description = " ".join(
                part for part in (f"{allowed[0].upper()}{allowed[1:]}", _(_FORMATS.get(setting.kind, ""))) if part
            )
            lines += wrapped(Content.styled(one_line(description), MUTED), width)
        return [*lines, *effect_lines(self._listed, width), Content("")]

    def _choice_row(self, choice: str | bool) -> Row:
        setting = self._listed.setting
        notes = [
            note
            for note, applies in (
                (_("default"), choice == setting.default),
                (_("saved"), self._listed.is_saved and choice == self._listed.own),
                (_("in effect"), self._listed.is_overridden and choice == self._listed.value),
            )
            if applies
        ]
        text = editable_text(setting, choice)

        def make(width: int) -> Sequence[Content]:
            return [row(Content(text), Content.styled(" · ".join(notes), MUTED), width)]

        return Row(str(choice), make, 1)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Save the choice."""
        event.stop()
        choices = self._listed.setting.choices
        self._save(next(choice for choice in choices if str(choice) == event.option.id))

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Save the typed value if it is valid."""
        event.stop()
        setting = self._listed.setting
        try:
            if len(event.text) > _MAX_CHARS or event.text.count("\n") > MAX_LIST_ITEMS:
                raise SettingsError(_("That is too long for a setting."), _("Write it into the file: e in the list."))
            value = parse_edited(setting, event.text, self._listed.own)
            if setting.key == "keys" and (problems := user_keymap(value).problems):
                raise SettingsError(problems[0].message, problems[0].hint)
        except SettingsError as error:
            self.query_one("#setting-problem", LinesView).show_error(error)
        else:
            self._save(value)

    def _save(self, value: object) -> None:
        if value == self._listed.own:
            self.dismiss(None)
            return
        try:
            path = save(self._listed.setting, value)
        except KbtuiError as error:
            self.query_one("#setting-problem", LinesView).show_error(error)
        else:
            self.dismiss(path)
