"""The application: composes the screens, binds the keys and delegates everything else."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.screen import Screen

from kbtui.editors import launch
from kbtui.i18n import use
from kbtui.settings.model import Settings
from kbtui.text.language import interface_language
from kbtui.ui import theming
from kbtui.ui.commands import bindings, translated
from kbtui.ui.commands.keymap import user_keymap
from kbtui.ui.key_order import KeyQueue
from kbtui.ui.messages import QuestionChanged
from kbtui.ui.notices import report_problems, warn
from kbtui.ui.pictures import picture_protocol
from kbtui.ui.requests import RequestsApp
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.tiny import check_size
from kbtui.ui.started import Started
from kbtui.ui.window import Window, terminal_of
from kbtui.ui.workspace import FolderStatus, Workspace

if TYPE_CHECKING:
    from textual.command import Provider

    from kbtui.bootstrap import Engine
    from kbtui.ui.screens.sessions import SessionsScreen

_AFTER_PAINT_DELAY_S = 0.05
"""Delay between the first paint and background work, whose imports in a thread would delay the paint."""


def _command_provider() -> type[Provider]:
    """The provider of the command palette, imported when the palette is first opened."""
    from kbtui.ui.palette import CommandProvider

    return CommandProvider


class KbtuiApp(RequestsApp):
    """kbtui on a terminal.

    Args:
        engine_factory: Builds the engine; called in a thread after the first paint.
        settings: Settings in effect.
        kb: The folder.
        suggestions: Questions suggested before the first one; by default derived from the folder and the data.
        index_argv: Command that updates the index and prints events; by default ``kbtui index``.
        first_screen: Builds the screen shown instead of the main screen (a replay).
        started: Callbacks and options of the command that starts the app.
    """

    TITLE = "kbtui"
    CSS_PATH = "app.tcss"
    COMMANDS = {_command_provider}  # noqa: RUF012  (Textual declares them so)
    BINDINGS = bindings("app")
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012  (Textual declares them so)
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (91, "-broad")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        engine_factory: Callable[[], Engine],
        settings: Settings,
        *,
        kb: Path,
        suggestions: Sequence[str] = (),
        index_argv: Sequence[str] | None = None,
        first_screen: Callable[[], Screen[None]] | None = None,
        started: Started | None = None,
    ) -> None:
        super().__init__()
        use(interface_language(settings.ui.language, os.environ))
        self.started = started or Started()
        self.settings = self.settings_of_engine = settings
        # Searching installed packages for themes is slow, so it is done only for a name that is not found elsewhere.
        self.themes = theming.load_themes(installed=())
        if settings.ui.theme not in {*self.available_themes, *(loaded.name for loaded in self.themes.loaded)}:
            self.themes = theming.load_themes()
        theming.register(self, self.themes)
        self._theme_problem = theming.apply_theme(self, settings.ui.theme)
        self.kb = kb
        self.workspace = Workspace(
            engine_factory, kb, self._folder_changed, auto_index=settings.index.auto, argv=index_argv
        )
        keymap = user_keymap(settings.keys)
        self.commands = translated(keymap.commands)
        self._key_problems = keymap.problems
        self.set_keymap(keymap.bindings)
        self.window = Window(
            self.write_outside,
            lambda: self.app_focus,
            after_s=settings.ui.notify_after_s,
            decorated=settings.ui.window,
        )
        self.show_pictures(settings.ui.pictures)
        self._keys = KeyQueue(self, super().on_event)
        self._first_screen = first_screen
        self._has_failed = False
        self._suggestions = suggestions
        self.ask_screen: AskScreen | None = None

    def get_default_screen(self) -> Screen[None]:
        if self._first_screen is not None:
            return self._first_screen()
        self.ask_screen = AskScreen(self.workspace, suggestions=self._suggestions)
        return self.ask_screen

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste):
            await self._keys.dispatch(event)
        else:
            await super().on_event(event)

    def on_load(self) -> None:
        # Garbage collection of freshly imported modules takes a tenth of the time to the first frame.
        gc.disable()

    def on_mount(self) -> None:
        self.set_class(self.console.color_system == "standard", "-few-colors")
        check_size(self, self.size)
        self.window.show_folder(self.workspace.status)
        report_problems(self, self.themes, self._theme_problem, self._key_problems)
        self.call_after_refresh(self.set_timer, _AFTER_PAINT_DELAY_S, self._begin)

    def _begin(self) -> None:
        """Start the slow work, after the first paint."""
        gc.enable()
        self.run_worker(self._open(), group="workspace", exit_on_error=False)
        if self.ask_screen is not None:
            self.run_worker(self.ask_screen.history.add_recorded(), group="history", exit_on_error=False)

    async def _open(self) -> None:
        if self.ask_screen is not None:
            await self.ask_screen.prepare()
        await self.workspace.open()

    def on_unmount(self) -> None:
        gc.enable()
        self.stop_work()

    def stop_work(self) -> None:
        """Stop the current run and indexing."""
        self.workspace.close()

    def show_pictures(self, setting: str) -> None:
        """Apply the setting ``ui.pictures``."""
        known = "cells" if self.is_web else terminal_of(os.environ).pictures
        self.pictures.use(picture_protocol(setting, known, self.started.sixel))

    def leave(self) -> None:
        # While an editor runs in the terminal, the event loop is blocked, so the editor has to end first.
        launch.end_in_terminal()
        super().leave()

    def on_question_changed(self, event: QuestionChanged) -> None:
        """Show the question in the window's title."""
        event.stop()
        self.window.show_question(event.running or event.shown, event.running)

    def _folder_changed(self, folder: FolderStatus) -> None:
        self.window.show_folder(folder)
        if self.ask_screen is not None and self.ask_screen.is_mounted:
            self.ask_screen.show_folder(folder)
        had_failed, self._has_failed = self._has_failed, folder.phase == "failed"
        if self._has_failed and not had_failed:
            warn(self, folder.message, folder.hint, "error")

    def on_resize(self, event: events.Resize) -> None:
        check_size(self, event.size)

    # Screens

    def _open_once(self, kind: type[Screen[Any]]) -> None:
        """Open a screen, unless it is the one on top."""
        if not isinstance(self.screen, kind):
            self.push_screen(kind())

    def action_sessions(self) -> None:
        """Open the list of earlier sessions, to resume or replay one."""
        from kbtui.ui.screens.sessions import SessionsScreen

        self._open_once(SessionsScreen)

    def on_sessions_screen_resumed(self, event: SessionsScreen.Resumed) -> None:
        """Restore the questions of a session; new questions are recorded in that session."""
        event.stop()
        if self.ask_screen is not None:
            self.ask_screen.resume(event.session_id, event.views)
            self.ask_screen.show_words(event.words, event.views)

    def action_audit(self) -> None:
        """Show the decisions of the shown run, and the prompts and answers of the chat model."""
        from kbtui.ui.screens.audit import open_audit

        open_audit(self, self.workspace.audit)

    def action_command_palette(self) -> None:
        """Open the command palette."""
        from kbtui.ui.palette import Palette

        if self.use_command_palette and not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def action_themes(self) -> None:
        """Choose a colour theme."""
        from kbtui.ui.screens.themes import ThemesScreen

        self._open_once(ThemesScreen)

    def action_settings(self) -> None:
        """Show all settings, and change them."""
        from kbtui.ui.screens.settings import SettingsScreen

        self._open_once(SettingsScreen)

    def action_doctor(self) -> None:
        """Check everything that kbtui needs."""
        from kbtui.ui.screens.doctor import DoctorScreen

        self._open_once(DoctorScreen)

    def action_jump(self) -> None:
        """Show letters over all targets that can be jumped to."""
        from kbtui.ui.screens.jump import jump

        jump(self)

    def action_help(self) -> None:
        """Show all keys on one page."""
        from kbtui.ui.screens.help import HelpScreen

        self._open_once(HelpScreen)
