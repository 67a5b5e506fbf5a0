"""All settings with their values and origins; changes are written to the user's own file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input

from kbtui.errors import KbtuiError
from kbtui.i18n import N_, _
from kbtui.settings import paths
from kbtui.settings.listing import ListedSetting, list_settings, reset, save
from kbtui.settings.load import line_of, value_of
from kbtui.settings.write import start_user_file
from kbtui.text.terminal import one_line
from kbtui.ui import editing, live_settings
from kbtui.ui.addresses import home_relative
from kbtui.ui.commands import bindings
from kbtui.ui.notices import show_error, warn
from kbtui.ui.screens.dialog import FilteredDialog
from kbtui.ui.screens.setting import SettingScreen
from kbtui.ui.screens.themes import ThemesScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import RowList, note_row
from kbtui.ui.widgets.setting_rows import ORIGINS, detail, origin_words, override_words, setting_rows

if TYPE_CHECKING:
    from kbtui.ui.app import KbtuiApp

_POLL_INTERVAL_S = 1.0
"""Seconds between checks of the file, which an editor may change while the list is open."""
_NO_MATCH = N_("No setting has these words. Press esc to see all.")


class SettingsScreen(FilteredDialog):
    """A list of settings by section, and the details of the selected one.

    The settings file of the folder is never written, because others may share it.
    """

    SCOPE = "settings"
    AUTO_FOCUS = "#setting-list"
    BINDINGS = bindings("settings")

    def __init__(self) -> None:
        super().__init__()
        self._all: dict[str, ListedSetting] = {}
        self._pending: dict[str, Any] = {}
        self._undo: list[ListedSetting] = []
        self._file_stamp: tuple[int, int] | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="settings", classes="dialog"):
            yield Input(id="setting-filter", placeholder=_("words of a name or what it does; yours, environment …"))
            yield LinesView(id="settings-problem")
            with Horizontal(id="setting-columns"):
                yield RowList(id="setting-list", classes="rows")
                with VerticalScroll(id="setting-detail", can_focus=False):
                    yield LinesView(id="setting-text")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        box = self.query_one("#settings")
        box.border_title = _("Settings")
        box.border_subtitle = Content.styled(one_line(home_relative(paths.config_file())), MUTED)
        self._read()
        self.query_one(RowList).focus()
        self.set_interval(_POLL_INTERVAL_S, self._check_file)

    @property
    def _main(self) -> KbtuiApp:
        return cast("KbtuiApp", self.app)

    # What is shown

    def _check_file(self) -> None:
        """Read the settings again if the file was changed by another program."""
        if self._stamp() != self._file_stamp and self.app.screen is self:
            self._read()

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status = paths.config_file().stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _read(self) -> None:
        """Read the settings, and apply those that take effect without a restart."""
        self._file_stamp = self._stamp()
        problem = self.query_one("#settings-problem", LinesView)
        problem.display = False
        try:
            loaded = self._main.started.settings()
            self._all = {listed.setting.key: listed for listed in list_settings(loaded)}
        except KbtuiError as error:
            problem.show_error(error)
        else:
            running = self._main.settings_of_engine
            self._pending = {
                key: running_value
                for key, listed in self._all.items()
                if not live_settings.applies_at_once(listed.setting)
                and (running_value := value_of(running, key)) != listed.value
            }
            live_settings.apply_settings(self._main, loaded)
        self.show_list()

    def show_list(self) -> None:
        """Show the rows that match the filter."""
        words = self.query_one(Input).value.casefold().split()
        matches = [listed for listed in self._all.values() if all(word in _searchable_text(listed) for word in words)]
        self.query_one(RowList).show_rows(
            setting_rows(matches, self._pending) or [note_row(_(_NO_MATCH) if words else "")]
        )
        self.show_detail()

    def show_detail(self) -> None:
        """Show the selected setting."""
        listed, text = self.selected, self.query_one("#setting-text", LinesView)
        hidden = "" if listed is not None and listed.is_saved else "setting_reset"
        self.query_one(KeyHints).words = {
            "preview": _("change"),
            "setting_edit": "",
            "help": "",
            **({"setting_reset": ""} if hidden else {}),
            **({} if self._undo else {"setting_undo": ""}),
        }
        if listed is None:
            text.set_lines(lambda _width: [])
        else:
            text.set_lines(lambda width: detail(listed, self._pending, self._notes(listed), width))
        self.query_one("#setting-detail", VerticalScroll).scroll_home(animate=False)

    def _notes(self, listed: ListedSetting) -> list[str]:
        """Notes about a particular setting."""
        if listed.setting.key == "ui.theme" and self.app.theme != listed.value:
            return [_("Worn now is {theme}.", theme=self.app.theme)]
        return []

    @property
    def selected(self) -> ListedSetting | None:
        """The highlighted setting; None if there is none."""
        return self._all.get(self.query_one(RowList).selected_key or "")

    # Changes

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.action_edit()

    def action_edit(self) -> None:
        """Open the dialog to change the setting."""
        if (listed := self.selected) is None or not self._can_write():
            return

        def on_close(_: Any) -> None:
            self._show_change(listed)

        if listed.setting.key == "ui.theme":
            self.app.push_screen(ThemesScreen(), on_close)
        else:
            self.app.push_screen(SettingScreen(listed), on_close)

    def action_reset(self) -> None:
        """Remove the setting from the file."""
        listed = self.selected
        if listed is not None and listed.is_saved and self._can_write():
            self._write(listed, lambda: reset(listed.setting))

    def action_undo(self) -> None:
        """Undo the last change."""
        if self._undo:
            previous = self._undo.pop()
            write = (
                (lambda: save(previous.setting, previous.own))
                if previous.is_saved
                else (lambda: reset(previous.setting))
            )
            self._write(self._all[previous.setting.key], write, to_undo=False)

    def _write(self, listed: ListedSetting, write: Callable[[], Path], *, to_undo: bool = True) -> None:
        try:
            write()
        except KbtuiError as error:
            show_error(self.app, error)
        else:
            self._show_change(listed, to_undo=to_undo)

    def _show_change(self, before: ListedSetting, *, to_undo: bool = True) -> None:
        """Read the changed file, and notify about changes that do not take effect now."""
        self._read()
        current = self._all[before.setting.key]
        if (current.is_saved, current.own) == (before.is_saved, before.own):
            return
        if to_undo:
            self._undo.append(before)
        self.show_detail()
        self.query_one(RowList).show_key(current.setting.key)
        if warning := override_words(current):
            warn(self.app, _("{key} is saved, and not used", key=current.setting.key), warning)
        elif current.setting.key in self._pending:
            message = _("It takes effect when kbtui is started again.")
            self.app.notify(message, title=_("{key} is saved", key=current.setting.key), markup=False)

    def _can_write(self) -> bool:
        """Whether settings may be changed; not in a browser, where visitors could set a command as the editor."""
        if self.app.is_web:
            warn(
                self.app,
                _("Settings are not changed from a browser."),
                _("Change them where kbtui runs: kbtui config path"),
            )
        return not self.app.is_web

    def action_open_file(self) -> None:
        """Open the file in the user's editor, at the selected setting."""
        listed, path = self.selected, paths.config_file()
        try:
            if not self.app.is_web and not path.exists():
                start_user_file()
        except KbtuiError as error:
            show_error(self.app, error)
        else:
            editing.edit_settings(self._main, path, line_of(listed.setting.key) if listed is not None else 1)
            self._check_file()


def _searchable_text(listed: ListedSetting) -> str:
    setting = listed.setting
    origin = f"{_(ORIGINS[listed.origin.kind])} {origin_words(listed.origin)}"
    return f"{setting.key} {_(setting.description)} {origin}".casefold()
