"""The application: composes the screens, binds the keys, delegates the rest."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import SuspendNotSupported
from textual.geometry import Size
from textual.screen import Screen

from kbtui.editors import launch
from kbtui.errors import DataSourceError, EditorError, KbtuiError, KnowledgeBaseError
from kbtui.settings.model import Settings
from kbtui.text.terminal import one_line
from kbtui.ui import theming
from kbtui.ui.commands import bindings
from kbtui.ui.key_order import KeysInOrder
from kbtui.ui.lifetime import LastingApp
from kbtui.ui.messages import (
    EditRequested,
    PreviewRequested,
    SaveRequested,
    SchemaRefreshRequested,
    Spot,
    StatementEditRequested,
    WhyRequested,
)
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.tiny import TinyScreen, too_small
from kbtui.ui.workspace import FolderStatus, Workspace

if TYPE_CHECKING:
    from textual.command import Provider

    from kbtui.bootstrap import Engine
    from kbtui.domain.analysis import ResultTable
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.ui.run_view import RunPanes
    from kbtui.ui.screens.sessions import SessionsScreen

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
        suggestions: Questions offered before the first one; taken from the folder when not given.
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
        self._keys = KeysInOrder(self, super().on_event)
        self._first_screen = first_screen
        self._failed = False
        self._suggestions = suggestions
        self.ask_screen: AskScreen | None = None

    def get_default_screen(self) -> Screen[None]:
        if self._first_screen is not None:
            return self._first_screen()
        self.ask_screen = AskScreen(
            self.workspace, passes=self.settings.agent.max_iterations, suggestions=self._suggestions
        )
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
        self._check_size(self.size)
        for failed in self.themes.failed:
            self.notify(one_line(failed.reason), title=f"Theme skipped: {one_line(failed.path.name)}", markup=False)
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
        if not self._suggestions:
            self.run_worker(self._suggest(), group="suggestions", exit_on_error=False)

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

    async def _suggest(self) -> None:
        from kbtui.ui.suggestions import suggest

        found = await asyncio.to_thread(suggest, self.kb)
        if self.ask_screen is not None and found:
            self.ask_screen.suggest(found)

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

    def _folder_changed(self, folder: FolderStatus) -> None:
        if self.ask_screen is not None and self.ask_screen.is_mounted:
            self.ask_screen.show_folder(folder)
        failed, self._failed = self._failed, folder.phase == "failed"
        if self._failed and not failed:
            self.notify(
                one_line(folder.hint), title=one_line(folder.message), severity="error", timeout=10, markup=False
            )

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

    def on_preview_requested(self, event: PreviewRequested) -> None:
        """Show a source over whatever screen asked for it."""
        from kbtui.ui.screens.preview import PreviewScreen

        event.stop()
        self.push_screen(PreviewScreen(event.spots, event.index, self.read_source, self.rerun))

    def on_why_requested(self, event: WhyRequested) -> None:
        """Explain evidence over whatever screen asked for it."""
        from kbtui.ui.screens.why import WhyScreen

        event.stop()
        self.push_screen(WhyScreen(event.items, event.index))

    def read_source(self, path: str) -> SourceText:
        """A file of the folder; blocks.

        Raises:
            KnowledgeBaseError: It cannot be read, or the folder is not open.
        """
        if self.workspace.engine is None:
            raise KnowledgeBaseError("The folder is not open.")
        return self.workspace.engine.read_source(path)

    def rerun(self, sql: str, source: str) -> ResultTable:
        """Run a statement of an answer again; blocks.

        Raises:
            DataSourceError: It was refused or failed, or there is no engine.
        """
        if self.workspace.engine is None:
            raise DataSourceError("The folder is not open.")
        return self.workspace.engine.rerun(sql, source)

    def on_edit_requested(self, event: EditRequested) -> None:
        """Open a source in the user's editor."""
        event.stop()
        self._edit(event.spot)

    def on_statement_edit_requested(self, event: StatementEditRequested) -> None:
        """Open a statement in the user's editor, as a file beside the logs: never one of the folder's."""
        from kbtui.controller.statements import write_statement

        event.stop()
        try:
            path = write_statement(event.spot.sql, event.spot.source)
        except KbtuiError as error:
            self._say_error(error)
        else:
            self._open_in_editor(path, event.spot)

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
            self._say_error(error)
        else:
            self.notify("The structure of the data will be read anew by the next question.", markup=False)

    def _say_error(self, error: KbtuiError) -> None:
        self.notify(one_line(error.hint), title=one_line(error.message), severity="error", timeout=10, markup=False)

    def _edit(self, spot: Spot) -> None:
        # A replay may be of another folder than the one that is open.
        kb: Path = next((screen.kb for screen in reversed(self.screen_stack) if hasattr(screen, "kb")), self.kb)
        path = kb / spot.path
        if not path.resolve().is_relative_to(kb.resolve()):
            self._not_opened(path, spot, "That path leaves the folder.", "It is not opened.")
            return
        self._open_in_editor(path, spot)

    def _open_in_editor(self, path: Path, spot: Spot) -> None:
        try:
            editor = launch.resolve(self.settings.editor)
            argv = editor.argv(path, spot.start_line)
            if not editor.terminal:
                self.run_worker(self._open_detached(argv, path, spot), exit_on_error=False)
                return
            with self.suspend():
                launch.run_in_terminal(argv)
        except EditorError as error:
            self._not_opened(path, spot, error.message, error.hint)
        except SuspendNotSupported:
            self._not_opened(path, spot, "This terminal cannot make room for an editor.", "")
        else:
            self.refresh(layout=True)

    async def _open_detached(self, argv: Sequence[str], path: Path, spot: Spot) -> None:
        try:
            await asyncio.to_thread(launch.open_detached, argv)
        except EditorError as error:
            self._not_opened(path, spot, error.message, error.hint)

    def _not_opened(self, path: Path, spot: Spot, message: str, hint: str) -> None:
        """Say why, and leave the place in the clipboard."""
        place = f"{path}:{spot.start_line}"
        self.copy_to_clipboard(place)
        text = " ".join(part for part in (one_line(hint), f"Copied: {one_line(place)}") if part)
        self.notify(text, title=one_line(message), severity="warning", timeout=10, markup=False)

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
        try:
            self.workspace.continue_session(event.session_id)
        except KbtuiError as error:
            self.notify(one_line(error.hint), title=one_line(error.message), severity="warning", markup=False)

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

    def action_help(self) -> None:
        """All keys on one page."""
        from kbtui.ui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen())
