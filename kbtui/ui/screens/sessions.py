"""What was asked before: find a session, look at it, resume it, watch it again, export or delete it."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from kbtui.controller.folding import reduce, reduce_all
from kbtui.controller.view_state import RunView
from kbtui.domain.events import RunFailed, stamped
from kbtui.errors import KbtuiError
from kbtui.sessions.recording import Recording, read
from kbtui.sessions.store import SessionStore
from kbtui.sessions.summary import SessionPreview, SessionSummary, preview
from kbtui.text.terminal import clean, one_line
from kbtui.ui.commands import bindings
from kbtui.ui.panes.base import MUTED
from kbtui.ui.screens.choice import ChoiceScreen
from kbtui.ui.widgets.cited_markdown import CitedMarkdown
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.rows import RowList
from kbtui.ui.widgets.session_rows import about, matches, note_row, session_row

_FORMATS = {
    "md": "Markdown, to read and edit",
    "html": "A web page, to send",
    "jsonl": "Its events, to replay elsewhere",
}


class SessionsScreen(ModalScreen[None]):
    """The recorded sessions, the latest first.

    Args:
        store: Where they are; the usual folder when not given.
        folder: Where exports are written; the current folder when not given.
    """

    SCOPE = "sessions"
    AUTO_FOCUS = ""
    BINDINGS = bindings("sessions")

    class Resumed(Message):
        """Bring these runs back on the main screen, all of them finished, and go on with their session."""

        def __init__(self, session_id: str, views: Sequence[RunView]) -> None:
            super().__init__()
            self.session_id = session_id
            self.views = views

    def __init__(self, store: SessionStore | None = None, folder: Path | None = None) -> None:
        super().__init__()
        self._store = store if store is not None else SessionStore()
        self._folder = folder
        self._all: tuple[SessionSummary, ...] = ()
        self._shown: tuple[SessionSummary, ...] = ()
        self._loaded = False
        self._problem = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="sessions", classes="dialog"):
            yield Input(id="session-filter", placeholder="words of the question, folder, model or outcome")
            with Horizontal(id="session-columns"):
                yield RowList(id="session-list", classes="rows")
                with VerticalScroll(id="session-preview"):
                    yield LinesView(id="session-about")
                    yield CitedMarkdown(id="session-answer")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#sessions").border_title = "Sessions"
        self.query_one(KeyHints).words = {"preview": "resume", "session_resume": "", "help": ""}
        self._show_list()
        self._reload()

    # The list

    def _reload(self) -> None:
        self.run_worker(self._load(), exclusive=True, group="sessions", exit_on_error=False)

    async def _load(self) -> None:
        found: tuple[SessionSummary, ...] = ()
        self._problem = ""
        try:
            # In a thread: there may be thousands.
            found = await asyncio.to_thread(self._store.list)
        except KbtuiError as error:
            self._problem = str(error)
        if self.is_attached:
            self._all, self._loaded = found, True
            self._show_list()
            if self.focused is None:
                self.query_one(RowList).focus()

    def _show_list(self) -> None:
        words = self.query_one(Input).value.casefold().split()
        self._shown = tuple(one for one in self._all if matches(one, words))
        sessions = self.query_one(RowList)
        sessions.show_rows([session_row(one) for one in self._shown] or [note_row(self._why_empty())])
        count = f"{len(self._shown)} of {len(self._all)}" if words else f"{len(self._all)}"
        subtitle = f"{count} session{'' if len(self._all) == 1 else 's'}" if self._all else ""
        self.query_one("#sessions").border_subtitle = Content.styled(subtitle, MUTED)
        self.query_one("#session-preview").display = bool(self._shown)
        self._show_preview()

    def _why_empty(self) -> str:
        if not self._loaded:
            return "Looking for sessions…"
        if self._problem:
            return one_line(self._problem)
        if self._all:
            return "No session has these words. Press esc to see all."
        return "Nothing has been asked yet. Every question is kept here, to come back to or to watch again."

    @property
    def selected(self) -> SessionSummary | None:
        key = self.query_one(RowList).selected_key
        return next((one for one in self._shown if one.session_id == key), None)

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        event.stop()
        self._show_preview()

    def _show_preview(self) -> None:
        one = self.selected
        if one is None:
            return
        if one.problem:
            self._previewed(one, SessionPreview(answer=f"This file cannot be opened: {clean(one.problem)}."))
        else:
            self.run_worker(self._read_preview(one), exclusive=True, group="preview", exit_on_error=False)

    async def _read_preview(self, one: SessionSummary) -> None:
        try:
            found = await asyncio.to_thread(preview, one.path)
        except KbtuiError as error:
            found = SessionPreview(answer=error.message)
        self._previewed(one, found)

    def _previewed(self, one: SessionSummary, found: SessionPreview) -> None:
        if not self.is_attached or self.selected is not one:
            return
        self.query_one("#session-about", LinesView).set_lines(lambda width: about(one, found, width))
        # Each source of the list at the end on a line of its own.
        text = re.sub(r"(?m)^(\[\d+\] \S.*)$", r"\1  ", clean(found.answer))
        self.query_one(CitedMarkdown).show(text)
        self.query_one("#session-preview", VerticalScroll).scroll_home(animate=False)

    # The filter

    def action_filter(self) -> None:
        """Type words to look for."""
        field = self.query_one(Input)
        field.add_class("-open")
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to what was found."""
        event.stop()
        if self._shown:
            self.query_one(RowList).focus()

    def on_key(self, event: events.Key) -> None:
        """Down leaves the filter for the list."""
        if event.key == "down" and self.query_one(Input).has_focus and self._shown:
            self.query_one(RowList).focus()

    def action_close(self) -> None:
        """Clear the filter; without one, back to the question."""
        field = self.query_one(Input)
        if field.has_class("-open"):
            field.value = ""
            field.remove_class("-open")
            self.query_one(RowList).focus()
        else:
            self.dismiss()

    # What can be done with a session

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.action_resume()

    def action_resume(self) -> None:
        """Bring the session back on the main screen."""
        self._with_recording(self._resume)

    def _resume(self, recording: Recording) -> None:
        asked = Path(reduce_all(recording.runs[-1]).kb)
        opened = getattr(self.app, "kb", asked)
        if asked.is_absolute() and asked.resolve() != opened.resolve():
            # Its citations would be looked for in the wrong folder.
            self.app.notify(
                one_line(f"Watch it with p, or open its folder: kbtui {shlex.quote(str(asked))}"),
                title=one_line(f"This was asked of another folder, {asked.name}."),
                severity="warning",
                timeout=10,
                markup=False,
            )
            return
        views = [_closed(reduce_all(run)) for run in recording.runs]
        self.app.post_message(self.Resumed(recording.path.stem, views))
        self.dismiss()

    def action_replay(self) -> None:
        """Watch it again."""
        self._with_recording(self._replay)

    def _replay(self, recording: Recording) -> None:
        from kbtui.ui.screens.replay import ReplayScreen

        self.app.push_screen(ReplayScreen(recording))

    def action_export(self) -> None:
        """Write it to a file in the current folder."""
        self._with_recording(self._choose_format)

    def _choose_format(self, recording: Recording) -> None:
        def chosen(format_: str | None) -> None:
            if format_ is not None:
                self.run_worker(self._write(recording, format_), exit_on_error=False)

        about = f"Into {self._folder or Path.cwd()}"
        self.app.push_screen(ChoiceScreen(f"Export {recording.path.stem}", about, _FORMATS, word="write"), chosen)

    async def _write(self, recording: Recording, format_: str) -> None:
        try:
            path = await asyncio.to_thread(_export, recording, format_, self._folder or Path.cwd())
        except KbtuiError as error:
            self._tell(error)
        else:
            self.app.notify(one_line(str(path)), title="Exported", timeout=8, markup=False)

    def action_delete(self) -> None:
        """Delete it for good, once that was confirmed."""
        one = self.selected
        if one is None:
            return

        def chosen(answer: str | None) -> None:
            if answer != "delete":
                return
            try:
                self._store.delete(one.session_id)
            except KbtuiError as error:
                self._tell(error)
            self._reload()

        answers = {"keep": "Keep it", "delete": "Delete it for good"}
        self.app.push_screen(ChoiceScreen("Delete this session?", one.query or one.session_id, answers), chosen)

    def _with_recording(self, use: Callable[[Recording], None]) -> None:
        one = self.selected
        if one is None:
            return

        self.run_worker(self._read(one, use), exclusive=True, group="recording", exit_on_error=False)

    async def _read(self, one: SessionSummary, use: Callable[[Recording], None]) -> None:
        try:
            recording = await asyncio.to_thread(read, one.path)
        except KbtuiError as error:
            self._tell(error)
        else:
            if self.is_attached:
                use(recording)

    def _tell(self, error: KbtuiError) -> None:
        self.app.notify(one_line(error.hint), title=one_line(error.message), severity="error", timeout=10, markup=False)


def _closed(view: RunView) -> RunView:
    """A run that a crash cut off would go on working for ever; it ends where its recording does."""
    if view.finished:
        return view
    end = RunFailed(error="SessionError", message="The recording ends before the run did.", hint="Ask again.")
    return reduce(view, stamped(end, run_id=view.run_id, seq=view.events, at=view.last_at))


def _export(recording: Recording, format_: str, folder: Path) -> Path:
    """Render and write, never over a file that is there; blocks.

    Raises:
        StorageError: It cannot be written.
    """
    from kbtui.controller.artifacts import write_new
    from kbtui.controller.export import export_session

    return write_new(
        folder / f"{recording.path.stem}.{format_}",
        export_session(recording, format_).encode("utf-8", "backslashreplace"),
    )
