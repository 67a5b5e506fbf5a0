"""Every setting, what is in effect, and where that came from; a change goes into the user's own file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input

from kbtui.errors import KbtuiError
from kbtui.i18n import N_, _, made
from kbtui.settings import paths
from kbtui.settings.listing import ListedSetting, list_settings, reset, save
from kbtui.settings.load import line_of, value_of
from kbtui.settings.write import start_user_file
from kbtui.text.terminal import one_line
from kbtui.ui import editing, settings_now
from kbtui.ui.addresses import below_home
from kbtui.ui.commands import bindings
from kbtui.ui.notices import say_error, warn
from kbtui.ui.screens.filtered import FilteredDialog
from kbtui.ui.screens.setting import SettingScreen
from kbtui.ui.screens.themes import ThemesScreen
from kbtui.ui.widgets.cells import wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.ui.widgets.setting_rows import ORIGINS, detail, origin_words, override_words, setting_rows

if TYPE_CHECKING:
    from kbtui.ui.app import KbtuiApp

_LOOK_S = 1.0
"""Between two looks at the file, which an editor may write while the list is open."""
_NO_MATCH = N_("No setting has these words. Press esc to see all.")


class SettingsScreen(FilteredDialog):
    """Settings by section at the left, the selected one explained at the right.

    The settings file of the folder is never written: it may belong to others.
    """

    SCOPE = "settings"
    AUTO_FOCUS = "#setting-list"
    BINDINGS = bindings("settings")

    def __init__(self) -> None:
        super().__init__()
        self._all: dict[str, ListedSetting] = {}
        self._waiting: dict[str, Any] = {}
        self._undo: list[ListedSetting] = []
        self._written: tuple[int, int] | None = None

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
        box.border_subtitle = Content.styled(one_line(below_home(paths.config_file())), MUTED)
        self._read()
        self.query_one(RowList).focus()
        self.set_interval(_LOOK_S, self._look)

    @property
    def _main(self) -> KbtuiApp:
        return cast("KbtuiApp", self.app)

    # What is shown

    def _look(self) -> None:
        """Read the settings again when the file was written by somebody else."""
        if self._stamp() != self._written and self.app.screen is self:
            self._read()

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status = paths.config_file().stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _read(self) -> None:
        """Read the settings; the screen takes at once what it can."""
        self._written = self._stamp()
        problem = self.query_one("#settings-problem", LinesView)
        problem.display = False
        try:
            loaded = self._main.started.settings()
            self._all = {one.setting.key: one for one in list_settings(loaded)}
        except KbtuiError as error:
            text = Content.assemble(
                (f"✗ {one_line(made(error.message))}", "$text-error"), (f" {one_line(made(error.hint))}", MUTED)
            )
            problem.set_lines(lambda width: list(text.wrap(max(8, width))))
            problem.display = True
        else:
            running = self._main.settings_of_engine
            self._waiting = {
                key: before
                for key, one in self._all.items()
                if not settings_now.is_at_once(one.setting) and (before := value_of(running, key)) != one.value
            }
            settings_now.take(self._main, loaded)
        self._show_list()

    def _show_list(self) -> None:
        words = self.query_one(Input).value.casefold().split()
        found = [one for one in self._all.values() if all(word in _words(one) for word in words)]
        self.query_one(RowList).show_rows(setting_rows(found, self._waiting) or [_note(_(_NO_MATCH) if words else "")])
        self._show_detail()

    def _show_detail(self) -> None:
        one, text = self.selected, self.query_one("#setting-text", LinesView)
        hidden = "" if one is not None and one.is_saved else "setting_reset"
        self.query_one(KeyHints).words = {
            "preview": _("change"),
            "setting_edit": "",
            "help": "",
            **({"setting_reset": ""} if hidden else {}),
            **({} if self._undo else {"setting_undo": ""}),
        }
        if one is None:
            text.set_lines(lambda _width: [])
        else:
            text.set_lines(lambda width: detail(one, self._waiting, self._notes(one), width))
        self.query_one("#setting-detail", VerticalScroll).scroll_home(animate=False)

    def _notes(self, one: ListedSetting) -> list[str]:
        """What is to be known of one setting alone."""
        if one.setting.key == "ui.theme" and self.app.theme != one.value:
            return [_("Worn now is {theme}.", theme=self.app.theme)]
        return []

    @property
    def selected(self) -> ListedSetting | None:
        """The setting that keys are about."""
        return self._all.get(self.query_one(RowList).selected_key or "")

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        event.stop()
        self._show_detail()

    # The filter

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to what was found."""
        event.stop()
        self.query_one(RowList).focus()

    def on_key(self, event: events.Key) -> None:
        """Down leaves the filter for the list."""
        if event.key == "down" and self.query_one(Input).has_focus:
            self.query_one(RowList).focus()

    # Changes

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.action_edit()

    def action_edit(self) -> None:
        """Have another value chosen or typed."""
        if (one := self.selected) is None or not self._may_write():
            return

        def written(_: Any) -> None:
            self._after(one)

        if one.setting.key == "ui.theme":
            self.app.push_screen(ThemesScreen(), written)
        else:
            self.app.push_screen(SettingScreen(one), written)

    def action_reset(self) -> None:
        """Take the setting out of the file."""
        one = self.selected
        if one is not None and one.is_saved and self._may_write():
            self._write(one, lambda: reset(one.setting))

    def action_undo(self) -> None:
        """Write what was there before the last change."""
        if self._undo:
            before = self._undo.pop()
            write = (lambda: save(before.setting, before.own)) if before.is_saved else (lambda: reset(before.setting))
            self._write(self._all[before.setting.key], write, to_undo=False)

    def _write(self, one: ListedSetting, write: Callable[[], Path], *, to_undo: bool = True) -> None:
        try:
            write()
        except KbtuiError as error:
            say_error(self.app, error)
        else:
            self._after(one, to_undo=to_undo)

    def _after(self, before: ListedSetting, *, to_undo: bool = True) -> None:
        """Show what the file says now, and tell what has come of it."""
        self._read()
        now = self._all[before.setting.key]
        if (now.is_saved, now.own) == (before.is_saved, before.own):
            return
        if to_undo:
            self._undo.append(before)
        self._show_detail()
        self.query_one(RowList).show_key(now.setting.key)
        if warning := override_words(now):
            warn(self.app, _("{key} is saved, and not used", key=now.setting.key), warning)
        elif now.setting.key in self._waiting:
            told = _("It takes effect when kbtui is started again.")
            self.app.notify(told, title=_("{key} is saved", key=now.setting.key), markup=False)

    def _may_write(self) -> bool:
        """False on a page in a browser: whoever has its address could name a command as the editor."""
        if self.app.is_web:
            warn(
                self.app,
                _("Settings are not changed from a browser."),
                _("Change them where kbtui runs: kbtui config path"),
            )
        return not self.app.is_web

    def action_open_file(self) -> None:
        """Open the file in the user's editor, at the selected setting."""
        one, path = self.selected, paths.config_file()
        try:
            if not self.app.is_web and not path.exists():
                start_user_file()
        except KbtuiError as error:
            say_error(self.app, error)
        else:
            editing.edit_settings(self._main, path, line_of(one.setting.key) if one is not None else 1)
            self._look()


def _words(one: ListedSetting) -> str:
    setting = one.setting
    return f"{setting.key} {_(setting.description)} {_(ORIGINS[one.origin.kind])} {origin_words(one.origin)}".casefold()


def _note(text: str) -> Row:
    return Row("", lambda width: wrapped(Content.styled(text, MUTED), width))
