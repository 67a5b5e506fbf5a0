"""The application: composes the screens, binds the keys, delegates the rest."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.geometry import Size
from textual.screen import Screen

from kbtui.editors import launch
from kbtui.errors import KbtuiError
from kbtui.settings.model import Settings
from kbtui.text.terminal import one_line
from kbtui.ui import editing, theming
from kbtui.ui.commands import bindings
from kbtui.ui.commands.keymap import user_keymap
from kbtui.ui.key_order import KeysInOrder
from kbtui.ui.lifetime import LastingApp
from kbtui.ui.messages import (
    EditRequested,
    QuestionChanged,
    SaveRequested,
    SchemaRefreshRequested,
    StatementEditRequested,
    WhyRequested,
)
from kbtui.ui.notices import say_error, warn
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.tiny import TinyScreen, too_small
from kbtui.ui.window import Window, doing
from kbtui.ui.workspace import FolderStatus, Workspace

if TYPE_CHECKING:
    from textual.command import Provider

    from kbtui.bootstrap import Engine
    from kbtui.ui.run_view import RunPanes
    from kbtui.ui.screens.sessions import SessionsScreen
    from kbtui.ui.widgets.prompt import Prompt

_SETTLE_S = 0.05
"""Between the first paint and the work behind it: a thread that imports would hold the first paint up."""

_REMEMBERED = 100
"""Sessions whose first question the prompt remembers."""


def _command_provider() -> type[Provider]:
    """Loads the palette when it is first opened."""
    from kbtui.ui.palette import CommandProvider

    return CommandProvider


class KbtuiApp(LastingApp):
    """kbtui on a terminal.

    Args:
        engine_factory: Builds the engine; called in a thread after the first paint.
        settings: Settings in effect.
        kb: The folder.
        suggestions: Questions offered before the first one; found in the folder and the data when not given.
        index_argv: Command that brings the index up to date and prints events; the program's own when not given.
        first_screen: Shown instead of the main screen (a replay).
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
    ) -> None:
        super().__init__()
        self.settings = settings
        self.themes = theming.load_themes()
        theming.register(self, self.themes)
        self._theme_problem = theming.choose(self, settings.ui.theme)
        self.kb = kb
        self.workspace = Workspace(
            engine_factory, kb, self._folder_changed, auto_index=settings.index.auto, argv=index_argv
        )
        keymap = user_keymap(settings.keys)
        self.commands = keymap.commands
        self._key_problems = keymap.problems
        self.set_keymap(keymap.bindings)
        self.window = Window(
            self.write_outside,
            lambda: self.app_focus,
            after_s=settings.ui.notify_after_s,
            decorated=settings.ui.window,
        )
        self._question = self._answering = ""
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
        self._check_size(self.size)
        self._show_window(self.workspace.status)
        for failed in self.themes.failed:
            self.notify(one_line(failed.reason), title=f"Theme skipped: {one_line(failed.path.name)}", markup=False)
        for problem in self._key_problems:
            warn(self, problem.message, problem.hint)
        if self._theme_problem:
            self.notify(one_line(self._theme_problem), severity="warning", markup=False)
        self.call_after_refresh(self.set_timer, _SETTLE_S, self._begin)

    def _begin(self) -> None:
        """After the first paint: everything that takes time."""
        gc.enable()
        self.run_worker(self._open(), group="workspace", exit_on_error=False)
        if self.ask_screen is None:
            return
        self.run_worker(self._remember(self.ask_screen), group="history", exit_on_error=False)

    async def _open(self) -> None:
        if self.ask_screen is not None:
            await self.ask_screen.prepare()
        await self.workspace.open()

    async def _remember(self, screen: AskScreen) -> None:
        """Make the questions that earlier sittings began with available to the prompt, the newest nearest."""
        from kbtui.sessions.store import SessionStore

        with contextlib.suppress(KbtuiError, OSError):
            summaries = await asyncio.to_thread(SessionStore().list)
            newest = [one_line(summary.query) for summary in summaries[:_REMEMBERED] if summary.query]
            screen.typed.add_older(reversed(newest))

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
        self._question, self._answering = event.running or event.shown, event.running
        self._show_window(self.workspace.status)

    def _show_window(self, folder: FolderStatus) -> None:
        title = f"kbtui · {folder.kb.name}" + (f" — {self._question}" if self._question else "")
        self.window.show(title, doing(folder, self._answering))

    def _folder_changed(self, folder: FolderStatus) -> None:
        self._show_window(folder)
        if self.ask_screen is not None and self.ask_screen.is_mounted:
            self.ask_screen.show_folder(folder)
        failed, self._failed = self._failed, folder.phase == "failed"
        if self._failed and not failed:
            warn(self, folder.message, folder.hint, "error")

    # Size

    def on_resize(self, event: events.Resize) -> None:
        self._check_size(event.size)

    def _check_size(self, size: Size) -> None:
        small = too_small(size)
        on_top = isinstance(self.screen, TinyScreen)
        if small and not on_top:
            self.push_screen(TinyScreen())
        elif on_top and not small:
            self.pop_screen()
        elif isinstance(self.screen, TinyScreen):
            self.screen.show(size)

    # Sources

    def on_why_requested(self, event: WhyRequested) -> None:
        """Explain evidence over whatever screen asked for it."""
        from kbtui.ui.screens.why import WhyScreen

        event.stop()
        self.push_screen(WhyScreen(event.items, event.index))

    def on_edit_requested(self, event: EditRequested) -> None:
        """Open a source in the user's editor."""
        event.stop()
        editing.edit_source(self, event.spot)

    def on_statement_edit_requested(self, event: StatementEditRequested) -> None:
        """Open a statement in the user's editor."""
        event.stop()
        editing.edit_statement(self, event.spot)

    def on_prompt_edit_wanted(self, event: Prompt.EditWanted) -> None:
        """Open what is typed in the user's editor."""
        event.stop()
        editing.edit_prompt(self, event.prompt, event.line)

    def on_save_requested(self, event: SaveRequested) -> None:
        """Save a chart or a table, over whatever screen shows it."""
        from kbtui.ui.screens.save import SaveScreen

        event.stop()
        self.push_screen(SaveScreen(event.part, event.question))

    def on_schema_refresh_requested(self, event: SchemaRefreshRequested) -> None:
        """Forget the structure of the data sources."""
        event.stop()
        self.run_worker(self._refresh_schema(), group="schema", exclusive=True, exit_on_error=False)

    async def _refresh_schema(self) -> None:
        engine = self.workspace.engine
        if engine is None:
            self.notify("The folder is not open yet.", markup=False)
            return
        try:
            await asyncio.to_thread(engine.refresh_schema)
        except KbtuiError as error:
            say_error(self, error)
        else:
            self.notify("The structure of the data will be read anew by the next question.", markup=False)

    # Other screens

    def action_sessions(self) -> None:
        """Earlier sittings, to resume or replay."""
        from kbtui.ui.screens.sessions import SessionsScreen

        if not isinstance(self.screen, SessionsScreen):
            self.push_screen(SessionsScreen())

    def on_sessions_screen_resumed(self, event: SessionsScreen.Resumed) -> None:
        """Bring the questions of a session back; those to come are recorded behind them."""
        event.stop()
        if self.ask_screen is None:
            return
        self.ask_screen.resume(event.views)
        words = event.words.casefold()
        if words and any(words in f"{view.query}\n{view.markdown}".casefold() for view in event.views):
            # The reader comes for these words, wherever they stand.
            self.ask_screen.action_find(event.words)
        try:
            self.workspace.continue_session(event.session_id)
        except KbtuiError as error:
            warn(self, error.message, error.hint)

    def action_audit(self) -> None:
        """What was decided in the run that is shown, and what the chat model was asked and said."""
        from kbtui.ui.screens.audit import AuditScreen

        panes: RunPanes | None = next(
            (found for screen in reversed(self.screen_stack) for found in screen.query("#run")), None
        )
        if panes is None or not panes.view.query:
            self.notify("Nothing has been asked yet.", markup=False)
            return
        self.push_screen(AuditScreen(lambda: panes.view, self._audit_of))

    def _audit_of(self, run_id: str) -> tuple[dict[str, Any], ...]:
        return self.workspace.engine.audit(run_id) if self.workspace.engine is not None else ()

    def action_command_palette(self) -> None:
        """Every command by name."""
        from kbtui.ui.palette import Palette

        if self.use_command_palette and not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def action_themes(self) -> None:
        """Choose the colours."""
        from kbtui.ui.screens.themes import ThemesScreen

        if not isinstance(self.screen, ThemesScreen):
            self.push_screen(ThemesScreen())

    def action_jump(self) -> None:
        """Letters over all that can be gone to."""
        from kbtui.ui.screens.jump import jump

        jump(self)

    def action_help(self) -> None:
        """All keys on one page."""
        from kbtui.ui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen())
