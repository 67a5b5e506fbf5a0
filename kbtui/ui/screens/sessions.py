"""Recorded sessions: search, preview, rename, pin, resume, replay, compare, export and delete."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Input
from textual.worker import Worker

from kbtui.errors import KbtuiError
from kbtui.i18n import _, made, ngettext
from kbtui.sessions.ids import utc_now
from kbtui.sessions.labels import MAX_NAME_CHARS
from kbtui.sessions.recording import Recording, read
from kbtui.sessions.store import SessionStore
from kbtui.sessions.summary import SessionPreview, SessionSummary, preview
from kbtui.settings.published import is_same_folder, root_of
from kbtui.text.terminal import clean, one_line
from kbtui.ui.commands import bindings
from kbtui.ui.exporting import export
from kbtui.ui.notices import show_error, warn
from kbtui.ui.panes.base import MUTED
from kbtui.ui.screens.dialog import Dialog, FilteredDialog
from kbtui.ui.widgets.cited_markdown import CitedMarkdown
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.rows import RowList, note_row
from kbtui.ui.widgets.session_rows import about, sections, session_rows
from kbtui.view.folding import reduce_all, with_ending
from kbtui.view.view_state import RunView


class SessionsScreen(FilteredDialog):
    """The recorded sessions, newest first: pinned ones, those of this folder, those of others.

    Deleted sessions can be restored while the screen is open; their files are removed when it closes.

    Args:
        store: The store of sessions; that of the user by default.
        folder: Folder for exports; the working directory by default.
        clock: Returns the current time with a time zone.
    """

    SCOPE = "sessions"
    AUTO_FOCUS = ""
    BINDINGS = bindings("sessions")
    ready = var(False)

    class Resumed(Message):
        """Show finished runs on the main screen and continue their session.

        ``words`` is the search text by which the session was found.
        """

        def __init__(self, session_id: str, views: Sequence[RunView], words: str = "") -> None:
            super().__init__()
            self.words = words
            self.session_id = session_id
            self.views = views

    def __init__(
        self,
        store: SessionStore | None = None,
        folder: Path | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__()
        self._store = store if store is not None else SessionStore()
        self._folder = folder
        self._clock = clock
        self._all: tuple[SessionSummary, ...] = ()
        self._shown: dict[str, SessionSummary] = {}
        self._deleted: list[SessionSummary] = []
        self._marked_id = ""
        self._loaded = False
        self._problem = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="sessions", classes="dialog"):
            yield Input(id="session-filter", placeholder=_("words of a question, answer, name or folder, then enter"))
            with Horizontal(id="session-columns"):
                yield RowList(id="session-list", classes="rows", select_first=True)
                with VerticalScroll(id="session-preview"):
                    yield LinesView(id="session-about")
                    yield CitedMarkdown(id="session-answer")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#sessions").border_title = _("Sessions")
        self._show_sessions()
        self._reload()

    def _run_exclusive(self, start: Callable[[], Coroutine[None, None, None]], group: str) -> None:
        """Start a coroutine in a worker, replacing the current one of its group before it is created."""
        _worker: Worker[None] = self.run_worker(start, exclusive=True, group=group, exit_on_error=False)

    # The list

    def _reload(self) -> None:
        self._run_exclusive(self._load, "sessions")

    async def _load(self) -> None:
        sessions: tuple[SessionSummary, ...] = ()
        self._problem = ""
        try:
            # In a thread, because there may be thousands of sessions.
            sessions = await asyncio.to_thread(self._store.list)
        except KbtuiError as error:
            self._problem = str(error)
        if self.is_attached:
            self._all, self._loaded = sessions, True
            await self._find()
            if self.focused is None:
                self.query_one(RowList).focus()
            self.ready = True

    @property
    def _words(self) -> list[str]:
        return self.query_one(Input).value.casefold().split()

    async def _find(self) -> None:
        """Show the sessions that contain the words of the filter."""
        words, deleted = self._words, {session.session_id for session in self._deleted}
        sessions = [session for session in self._all if session.session_id not in deleted]
        if words:
            matching_ids = await asyncio.to_thread(self._store.search, sessions, words)
            sessions = [session for session in sessions if session.session_id in matching_ids]
        if self.is_attached:
            self._show_sessions(sessions)

    def _show_sessions(self, sessions: Sequence[SessionSummary] = ()) -> None:
        groups = sections(sessions, self._is_here)
        self._shown = {session.session_id: session for _, group in groups for session in group}
        rows = session_rows(groups, self._clock(), self._marked_id)
        self.query_one(RowList).show_rows(rows or [note_row(self._empty_text())])
        count = len(self._all) - len(self._deleted)
        subtitle = ngettext("{count} session", "{count} sessions", count) if count else ""
        if count and self._words:
            subtitle = ngettext("{n} of {count} session", "{n} of {count} sessions", count, n=len(sessions))
        self.query_one("#sessions").border_subtitle = Content.styled(subtitle, MUTED)
        self.query_one("#session-preview").display = bool(self._shown)
        self.query_one(KeyHints).words = {
            "preview": _("resume"),
            "session_resume": "",
            "session_undo": _("undo") if self._deleted else "",
            "help": "",
        }
        self.show_detail()

    def _is_here(self, kb: str) -> bool:
        opened = getattr(self.app, "kb", None)
        return opened is not None and is_same_folder(kb, opened)

    def _empty_text(self) -> str:
        if not self._loaded:
            return _("Looking for sessions…")
        if self._problem:
            return one_line(self._problem)
        if len(self._all) > len(self._deleted):
            return _("No session has these words. Press esc to see all.")
        if self._deleted:
            return _("All are deleted. Press u to bring the last one back.")
        return _("Nothing has been asked yet. Every question is kept here, to come back to or to watch again.")

    @property
    def selected(self) -> SessionSummary | None:
        """The highlighted session; None if there is none."""
        return self._shown.get(self.query_one(RowList).selected_key or "")

    def show_detail(self) -> None:
        """Show the preview of the selected session."""
        session = self.selected
        if session is None:
            return
        if session.problem:
            answer = _("This file cannot be opened: {problem}.", problem=clean(made(session.problem)))
            self._show_session_preview(session, SessionPreview(answer=answer))
        else:
            self._run_exclusive(partial(self._read_preview, session), "preview")

    async def _read_preview(self, session: SessionSummary) -> None:
        try:
            session_preview = await asyncio.to_thread(preview, session.path, self._words)
        except KbtuiError as error:
            session_preview = SessionPreview(answer=made(error.message))
        self._show_session_preview(session, session_preview)

    def _show_session_preview(self, session: SessionSummary, session_preview: SessionPreview) -> None:
        if not self.is_attached or self.selected is not session:
            return
        self.query_one("#session-about", LinesView).set_lines(lambda width: about(session, session_preview, width))
        # A hard line break after each source in the list at the end.
        text = re.sub(r"(?m)^(\[\d+\] \S.*)$", r"\1  ", clean(session_preview.answer))
        self.query_one(CitedMarkdown).show(text)
        self.query_one("#session-preview", VerticalScroll).scroll_home(animate=False)

    # Actions on a session

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.action_resume()

    def action_resume(self) -> None:
        """Resume the session on the main screen."""
        self._with_recording(self._resume)

    def _resume(self, recording: Recording) -> None:
        location = reduce_all(recording.runs[-1]).kb
        folder = root_of(location)
        opened = getattr(self.app, "kb", folder)
        if folder.is_absolute() and folder.resolve() != opened.resolve():
            # Its citations would be read from the wrong folder.
            text = _("Watch it with w, or open its folder: kbtui {folder}", folder=shlex.quote(location))
            warn(self.app, _("This was asked of another folder, {name}.", name=folder.name), text)
            return
        views = [with_ending(reduce_all(run)) for run in recording.runs]
        self.app.post_message(self.Resumed(recording.path.stem, views, self.query_one(Input).value.strip()))
        self.dismiss()

    def action_replay(self) -> None:
        """Replay the session."""
        self._with_recording(self._replay)

    def _replay(self, recording: Recording) -> None:
        from kbtui.ui.screens.replay import ReplayScreen

        self.app.push_screen(ReplayScreen(recording))

    def action_mark(self) -> None:
        """Mark or unmark the session for comparison."""
        if (session := self.selected) is not None:
            self._marked_id = "" if self._marked_id == session.session_id else session.session_id
            self.show_list()

    def action_compare(self) -> None:
        """Compare with the marked session, or the last two runs of the session's last question."""

        def compare(recording: Recording) -> None:
            self._run_exclusive(partial(self._compare, recording), "compare")

        self._with_recording(compare)

    async def _compare(self, recording: Recording) -> None:
        from kbtui.ui.screens.compare import CompareScreen
        from kbtui.view.comparing import last_two_runs, runs_of_shared_question

        marked = next((session for session in self._all if session.session_id == self._marked_id), None)
        try:
            if marked is None:
                runs = await asyncio.to_thread(last_two_runs, self._store, recording)
            else:
                runs = runs_of_shared_question(await asyncio.to_thread(read, marked.path), recording)
        except KbtuiError as error:
            self._show_error(error)
        else:
            self.app.push_screen(CompareScreen(*sorted(runs, key=lambda run: run.started_at)))

    def action_export(self) -> None:
        """Export the session to a file."""
        self._with_recording(lambda recording: export(self.app, recording, self._folder or Path.cwd()))

    # Names, pins and deletion

    def action_rename(self) -> None:
        """Rename the session."""
        if (session := self.selected) is None:
            return

        def rename(name: str | None) -> None:
            if name is not None:
                self._label(lambda: self._store.labels.rename(session.session_id, name))

        self.app.push_screen(NameScreen(session.name, session.query), rename)

    def action_pin(self) -> None:
        """Pin or unpin the session."""
        if (session := self.selected) is not None:
            self._label(lambda: self._store.labels.pin(session.session_id, not session.pinned))

    def _label(self, change: Callable[[], None]) -> None:
        try:
            change()
        except KbtuiError as error:
            self._show_error(error)
        self._reload()

    def action_delete(self) -> None:
        """Remove the session from the list; its file is removed when the screen closes."""
        if (session := self.selected) is None:
            return
        self._deleted.append(session)
        rows = self.query_one(RowList)
        rows.action_cursor_down()  # the next one is selected then
        message = _("u brings it back, until you leave this list.")
        self.app.notify(message, title=_("Deleted"), markup=False)
        self.show_list()

    def action_undo(self) -> None:
        """Restore the last deleted session."""
        if self._deleted:
            self._deleted.pop()
            self.show_list()

    def show_list(self) -> None:
        """Search for the words of the filter, and show the sessions that contain them."""
        self._run_exclusive(self._find, "sessions")

    def on_unmount(self) -> None:
        """Remove the files of deleted sessions."""
        for session in self._deleted:
            try:
                self._store.delete(session.session_id)
            except KbtuiError as error:
                self._show_error(error)

    def _with_recording(self, callback: Callable[[Recording], None]) -> None:
        session = self.selected
        if session is None:
            return
        self.ready = False
        self._run_exclusive(partial(self._read, session, callback), "recording")

    async def _read(self, session: SessionSummary, callback: Callable[[Recording], None]) -> None:
        try:
            recording = await asyncio.to_thread(read, session.path)
        except KbtuiError as error:
            self._show_error(error)
        else:
            if self.is_attached:
                callback(recording)
        finally:
            self.ready = True

    def _show_error(self, error: KbtuiError) -> None:
        show_error(self.app, error)


class NameField(Input):
    """The input of a name."""

    BINDINGS = bindings("name_text")


class NameScreen(Dialog[str | None]):
    """Returns the name, which is empty for none, or None to keep the current name.

    Args:
        name: The current name.
        placeholder: Text that is listed if there is no name.
    """

    SCOPE = "choice"
    BINDINGS = bindings("choice")

    def __init__(self, name: str, placeholder: str) -> None:
        super().__init__()
        self._name_so_far = name
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        with Vertical(id="naming", classes="dialog"):
            yield NameField(
                self._name_so_far, id="name", placeholder=one_line(self._placeholder), max_length=MAX_NAME_CHARS
            )
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#naming").border_title = _("Name of the session")
        self.query_one(KeyHints).words = {"help": ""}
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())
