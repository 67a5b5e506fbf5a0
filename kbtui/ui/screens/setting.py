"""Changing one setting: a list of what there is to choose, or a field to type into."""

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
from kbtui.i18n import N_, _, made
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

_MANY = {
    "texts": N_("One item a line."),
    "table": N_("One NAME = VALUE a line."),
    "tables": N_("One NAME = { … } a line."),
}
_MOST_CHARS = MAX_TEXT_CHARS * 4


class Field(TextArea):
    """Where a value is typed: a line, or an item a line; Enter saves it.

    Args:
        text: The value so far.
        several: Whether there may be more than one line.
    """

    BINDINGS = bindings("setting_text")

    class Submitted(Message):
        """This is to be saved."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, text: str, *, several: bool) -> None:
        super().__init__(
            text, compact=True, highlight_cursor_line=False, id="setting-field", classes="scope-setting_text"
        )
        self._several = several
        self.cursor_blink = False
        self.match_cursor_bracket = False

    def action_save(self) -> None:
        """Save what is typed."""
        bubble(self, self.Submitted(self.text))

    def action_new_line(self) -> None:
        """Go on in a new line."""
        self.insert("\n")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One value is one line."""
        return self._several if action == "new_line" else super().check_action(action, parameters)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.prevent_default()  # by default it is typed
        elif event.key.endswith("\r") and self._several:
            # Enter with a modifier, as xterm and tmux spell it: Textual has no name for it.
            event.stop()
            self.action_new_line()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        pasted = clean(event.text).strip("\n")
        room = max(0, _MOST_CHARS - len(self.text))
        self.insert((pasted if self._several else " ".join(pasted.split("\n")))[:room])


class SettingScreen(Dialog[Path | None]):
    """Ends with the file that was written, or None.

    Args:
        one: The setting.
    """

    SCOPE = "setting"
    BINDINGS: ClassVar = bindings("setting")

    def __init__(self, one: ListedSetting) -> None:
        super().__init__()
        self._one = one

    def compose(self) -> ComposeResult:
        setting = self._one.setting
        with Vertical(id="setting", classes="dialog"):
            yield LinesView(id="setting-about")
            if setting.choices:
                yield RowList(id="setting-choices", classes="rows")
            else:
                yield Field(editable_text(setting, self._one.own), several=setting.kind in _MANY)
            yield LinesView(id="setting-problem")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        setting = self._one.setting
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
        choices.show_key(str(self._one.own))
        choices.focus()

    def _about(self, width: int) -> list[Content]:
        setting = self._one.setting
        lines = wrapped(Content(plain(_(setting.description))), width)
        if not setting.choices:
            allowed = _(
                "{allowed}; the default is {value}.",
                allowed=plain(setting.allowed),
                value=display_text(setting, setting.default),
            )
            told = " ".join(
                part for part in (f"{allowed[0].upper()}{allowed[1:]}", _(_MANY.get(setting.kind, ""))) if part
            )
            lines += wrapped(Content.styled(one_line(told), MUTED), width)
        return [*lines, *effect_lines(self._one, width), Content("")]

    def _choice_row(self, choice: str | bool) -> Row:
        setting = self._one.setting
        notes = [
            note
            for note, is_so in (
                (_("default"), choice == setting.default),
                (_("saved"), self._one.is_saved and choice == self._one.own),
                (_("in effect"), self._one.is_overridden and choice == self._one.value),
            )
            if is_so
        ]
        text = editable_text(setting, choice)

        def make(width: int) -> Sequence[Content]:
            return [row(Content(text), Content.styled(" · ".join(notes), MUTED), width)]

        return Row(str(choice), make, 1)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Save the choice."""
        event.stop()
        choices = self._one.setting.choices
        self._save(next(choice for choice in choices if str(choice) == event.option.id))

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Save what is typed, if it can be."""
        event.stop()
        setting = self._one.setting
        try:
            if len(event.text) > _MOST_CHARS or event.text.count("\n") > MAX_LIST_ITEMS:
                raise SettingsError(_("That is too long for a setting."), _("Write it into the file: e in the list."))
            value = parse_edited(setting, event.text, self._one.own)
            if setting.key == "keys" and (problems := user_keymap(value).problems):
                raise SettingsError(problems[0].message, problems[0].hint)
        except SettingsError as error:
            self._tell(error)
        else:
            self._save(value)

    def _save(self, value: object) -> None:
        if value == self._one.own:
            self.dismiss(None)
            return
        try:
            path = save(self._one.setting, value)
        except KbtuiError as error:
            self._tell(error)
        else:
            self.dismiss(path)

    def _tell(self, error: KbtuiError) -> None:
        """The reason stays beside the value, where it can be mended."""
        problem = self.query_one("#setting-problem", LinesView)
        text = Content.assemble(
            (f"✗ {one_line(made(error.message))}", "$text-error"), (f" {one_line(made(error.hint))}", MUTED)
        )
        problem.set_lines(lambda width: list(text.wrap(max(8, width))))
        problem.display = True

    def action_back(self) -> None:
        """Leave everything as it was."""
        self.dismiss(None)
