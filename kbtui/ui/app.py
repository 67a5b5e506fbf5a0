"""The application: composes the screens, binds the keys, delegates the rest."""

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
from kbtui.ui.key_order import KeysInOrder
from kbtui.ui.messages import QuestionChanged
from kbtui.ui.notices import say_problems, warn
from kbtui.ui.requests import RequestsApp
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.tiny import check_size
from kbtui.ui.started import Started
from kbtui.ui.window import Window
from kbtui.ui.workspace import FolderStatus, Workspace

if TYPE_CHECKING:
    from textual.command import Provider

    from kbtui.bootstrap import Engine
    from kbtui.ui.screens.sessions import SessionsScreen

_SETTLE_S = 0.05
"""Between the first paint and the work behind it: a thread that imports would hold the first paint up."""


def _command_provider() -> type[Provider]:
    """Loads the palette when it is first opened."""
    from kbtui.ui.palette import CommandProvider

    return CommandProvider


class KbtuiApp(RequestsApp):
    """kbtui on a terminal.

    Args:
        engine_factory: Builds the engine; called in a thread after the first paint.
        settings: Settings in effect.
        kb: The folder.
        suggestions: Questions offered before the first one; found in the folder and the data when not given.
        index_argv: Command that brings the index up to date and prints events; the program's own when not given.
        first_screen: Shown instead of the main screen (a replay).
        started: What only whoever starts the app can tell; settings are read for the folder when not given.
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
        # Packages are looked through for one that nobody else has: that takes longer than the rest.
        self.themes = theming.load_themes(installed=())
        if settings.ui.theme not in {*self.available_themes, *(one.name for one in self.themes.loaded)}:
            self.themes = theming.load_themes()
        theming.register(self, self.themes)
        self._theme_problem = theming.choose(self, settings.ui.theme)
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
        self._keys = KeysInOrder(self, super().on_event)
        self._first_screen = first_screen
        self._failed = False
        self._suggestions = suggestions
        self.ask_screen: AskScreen | None = None

    def get_default_screen(self) -> Screen[None]:
        if self._first_screen is not None:
            return self._first_screen()
        self.ask_screen = AskScreen(self.workspace, suggestions=self._suggestions)
        return self.ask_screen

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste):
            await self._keys.take(event)
        else:
            await super().on_event(event)

    def on_load(self) -> None:
        # Collecting garbage among what was just imported costs a tenth of the time to the first frame.
        gc.disable()

    def on_mount(self) -> None:
        self.set_class(self.console.color_system == "standard", "-few-colors")
        check_size(self, self.size)
        self.window.show_folder(self.workspace.status)
        say_problems(self, self.themes, self._theme_problem, self._key_problems)
        self.call_after_refresh(self.set_timer, _SETTLE_S, self._begin)

    def _begin(self) -> None:
        """After the first paint: everything that takes time."""
        gc.enable()
        self.run_worker(self._open(), group="workspace", exit_on_error=False)
        if self.ask_screen is not None:
            self.run_worker(self.ask_screen.typed.add_sittings(), group="history", exit_on_error=False)

    async def _open(self) -> None:
        if self.ask_screen is not None:
            await self.ask_screen.prepare()
        await self.workspace.open()

    def on_unmount(self) -> None:
        gc.enable()
        self.stop_work()

    def stop_work(self) -> None:
        """End the run and the indexing."""
        self.workspace.close()

    def leave(self) -> None:
        # Until an editor in the terminal has ended, nothing else is done.
        launch.end_in_terminal()
        super().leave()

    def on_question_changed(self, event: QuestionChanged) -> None:
        """Name the question in the window's title."""
        event.stop()
        self.window.show_question(event.running or event.shown, event.running)

    def _folder_changed(self, folder: FolderStatus) -> None:
        self.window.show_folder(folder)
        if self.ask_screen is not None and self.ask_screen.is_mounted:
            self.ask_screen.show_folder(folder)
        failed, self._failed = self._failed, folder.phase == "failed"
        if self._failed and not failed:
            warn(self, folder.message, folder.hint, "error")

    def on_resize(self, event: events.Resize) -> None:
        check_size(self, event.size)

    # Screens

    def _open_once(self, kind: type[Screen[Any]]) -> None:
        """Open a screen, unless it is the one on top."""
        if not isinstance(self.screen, kind):
            self.push_screen(kind())

    def action_sessions(self) -> None:
        """Earlier sittings, to resume or replay."""
        from kbtui.ui.screens.sessions import SessionsScreen

        self._open_once(SessionsScreen)

    def on_sessions_screen_resumed(self, event: SessionsScreen.Resumed) -> None:
        """Bring the questions of a session back; those to come are recorded behind them."""
        event.stop()
        if self.ask_screen is not None:
            self.ask_screen.resume(event.session_id, event.views)
            words = event.words.casefold()
            if words and any(words in f"{view.query}\n{view.markdown}".casefold() for view in event.views):
                # The reader comes for these words, wherever they stand.
                self.ask_screen.action_find(event.words)

    def action_audit(self) -> None:
        """What was decided in the run that is shown, and what the chat model was asked and said."""
        from kbtui.ui.screens.audit import open_audit

        open_audit(self, self.workspace.audit)

    def action_command_palette(self) -> None:
        """Every command by name."""
        from kbtui.ui.palette import Palette

        if self.use_command_palette and not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def action_themes(self) -> None:
        """Choose the colours."""
        from kbtui.ui.screens.themes import ThemesScreen

        self._open_once(ThemesScreen)

    def action_settings(self) -> None:
        """Every setting, to look at and to change."""
        from kbtui.ui.screens.settings import SettingsScreen

        self._open_once(SettingsScreen)

    def action_doctor(self) -> None:
        """Check everything that kbtui needs."""
        from kbtui.ui.screens.doctor import DoctorScreen

        self._open_once(DoctorScreen)

    def action_jump(self) -> None:
        """Letters over all that can be gone to."""
        from kbtui.ui.screens.jump import jump

        jump(self)

    def action_help(self) -> None:
        """All keys on one page."""
        from kbtui.ui.screens.help import HelpScreen

        self._open_once(HelpScreen)
