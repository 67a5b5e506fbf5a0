"""What was asked before: find a session, look at it, name, pin or resume it, watch it again, export or delete it."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from textual import events
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
from kbtui.sessions.recording import Recording, read
from kbtui.sessions.store import SessionStore
from kbtui.sessions.summary import SessionPreview, SessionSummary, preview
from kbtui.settings.published import is_same_folder, root_of
from kbtui.text.terminal import clean, one_line
from kbtui.ui.commands import bindings
from kbtui.ui.exporting import export
from kbtui.ui.notices import say_error
from kbtui.ui.panes.base import MUTED
from kbtui.ui.screens.filtered import FilteredDialog
from kbtui.ui.screens.naming import NameScreen
from kbtui.ui.widgets.cited_markdown import CitedMarkdown
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.rows import RowList
from kbtui.ui.widgets.session_rows import about, note_row, sections, session_rows
from kbtui.view.folding import reduce_all, with_ending
from kbtui.view.view_state import RunView


class SessionsScreen(FilteredDialog):
    """The recorded sessions, the latest first: pinned ones, those of this folder, those of others.

    What is deleted can be brought back as long as the screen is open; its file is removed when the screen is left.

    Args:
        store: Where they are; the usual folder when not given.
        folder: Where exports are written; the current folder when not given.
        clock: Now, with a time zone.
    """

    SCOPE = "sessions"
    AUTO_FOCUS = ""
    BINDINGS = bindings("sessions")
    ready = var(False)

    class Resumed(Message):
        """Bring these runs back on the main screen, all of them finished, and go on with their session.

        ``words`` are those by which it was found.
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
        self._marked = ""
        self._loaded = False
        self._problem = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="sessions", classes="dialog"):
            yield Input(id="session-filter", placeholder=_("words of a question, an answer, a name or a folder"))
            with Horizontal(id="session-columns"):
                yield RowList(id="session-list", classes="rows", looked_at=True)
                with VerticalScroll(id="session-preview"):
                    yield LinesView(id="session-about")
                    yield CitedMarkdown(id="session-answer")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#sessions").border_title = _("Sessions")
        self._show_list()
        self._reload()

    def _work(self, work: Callable[[], Coroutine[None, None, None]], group: str) -> None:
        """Run `work` instead of what runs in `group`: a function, as a coroutine may be replaced before it begins."""
        _worker: Worker[None] = self.run_worker(work, exclusive=True, group=group, exit_on_error=False)

    # The list

    def _reload(self) -> None:
        self._work(self._load, "sessions")

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
            await self._find()
            if self.focused is None:
                self.query_one(RowList).focus()
            self.ready = True

    @property
    def _words(self) -> list[str]:
        return self.query_one(Input).value.casefold().split()

    async def _find(self) -> None:
        """Show those sessions that hold the words of the filter."""
        words, deleted = self._words, {one.session_id for one in self._deleted}
        left = [one for one in self._all if one.session_id not in deleted]
        if words:
            held = await asyncio.to_thread(self._store.search, left, words)
            left = [one for one in left if one.session_id in held]
        if self.is_attached:
            self._show_list(left)

    def _show_list(self, left: Sequence[SessionSummary] = ()) -> None:
        groups = sections(left, self._is_here)
        self._shown = {one.session_id: one for _, group in groups for one in group}
        rows = session_rows(groups, self._clock(), self._marked)
        self.query_one(RowList).show_rows(rows or [note_row(self._why_empty())])
        there = len(self._all) - len(self._deleted)
        subtitle = ngettext("{count} session", "{count} sessions", there) if there else ""
        if there and self._words:
            subtitle = ngettext("{n} of {count} session", "{n} of {count} sessions", there, n=len(left))
        self.query_one("#sessions").border_subtitle = Content.styled(subtitle, MUTED)
        self.query_one("#session-preview").display = bool(self._shown)
        self.query_one(KeyHints).words = {
            "preview": _("resume"),
            "session_resume": "",
            "session_undo": _("undo") if self._deleted else "",
            "help": "",
        }
        self._show_preview()

    def _is_here(self, kb: str) -> bool:
        opened = getattr(self.app, "kb", None)
        return opened is not None and is_same_folder(kb, opened)

    def _why_empty(self) -> str:
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
        """The session that keys are about."""
        return self._shown.get(self.query_one(RowList).selected_key or "")

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        event.stop()
        self._show_preview()

    def _show_preview(self) -> None:
        one = self.selected
        if one is None:
            return
        if one.problem:
            told = _("This file cannot be opened: {problem}.", problem=clean(made(one.problem)))
            self._previewed(one, SessionPreview(answer=told))
        else:
            self._work(partial(self._read_preview, one), "preview")

    async def _read_preview(self, one: SessionSummary) -> None:
        try:
            found = await asyncio.to_thread(preview, one.path, self._words)
        except KbtuiError as error:
            found = SessionPreview(answer=made(error.message))
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

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._refresh()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to what was found."""
        event.stop()
        if self._shown:
            self.query_one(RowList).focus()

    def on_key(self, event: events.Key) -> None:
        """Down leaves the filter for the list."""
        if event.key == "down" and self.query_one(Input).has_focus and self._shown:
            self.query_one(RowList).focus()

    # What can be done with a session

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.action_resume()

    def action_resume(self) -> None:
        """Bring the session back on the main screen."""
        self._with_recording(self._resume)

    def _resume(self, recording: Recording) -> None:
        location = reduce_all(recording.runs[-1]).kb
        asked = root_of(location)
        opened = getattr(self.app, "kb", asked)
        if asked.is_absolute() and asked.resolve() != opened.resolve():
            # Its citations would be looked for in the wrong folder.
            self.app.notify(
                one_line(_("Watch it with w, or open its folder: kbtui {folder}", folder=shlex.quote(location))),
                title=one_line(_("This was asked of another folder, {name}.", name=asked.name)),
                severity="warning",
                timeout=10,
                markup=False,
            )
            return
        views = [with_ending(reduce_all(run)) for run in recording.runs]
        self.app.post_message(self.Resumed(recording.path.stem, views, self.query_one(Input).value.strip()))
        self.dismiss()

    def action_replay(self) -> None:
        """Watch it again."""
        self._with_recording(self._replay)

    def _replay(self, recording: Recording) -> None:
        from kbtui.ui.screens.replay import ReplayScreen

        self.app.push_screen(ReplayScreen(recording))

    def action_mark(self) -> None:
        """Mark it to be compared with another one, or no longer."""
        if (one := self.selected) is not None:
            self._marked = "" if self._marked == one.session_id else one.session_id
            self._refresh()

    def action_compare(self) -> None:
        """What changed between the marked session and this one; without a mark, since its question was asked before."""

        def use(recording: Recording) -> None:
            self._work(partial(self._compare, recording), "compare")

        self._with_recording(use)

    async def _compare(self, recording: Recording) -> None:
        from kbtui.ui.screens.compare import CompareScreen
        from kbtui.view.comparing import last_two_runs, runs_of_shared_question

        marked = next((one for one in self._all if one.session_id == self._marked), None)
        try:
            if marked is None:
                runs = await asyncio.to_thread(last_two_runs, self._store, recording)
            else:
                runs = runs_of_shared_question(await asyncio.to_thread(read, marked.path), recording)
        except KbtuiError as error:
            self._tell(error)
        else:
            self.app.push_screen(CompareScreen(*sorted(runs, key=lambda run: run.started_at)))

    def action_export(self) -> None:
        """Write it to a file in the current folder."""
        self._with_recording(lambda recording: export(self.app, recording, self._folder or Path.cwd()))

    # Names, pins and what is deleted

    def action_rename(self) -> None:
        """Give it a name."""
        if (one := self.selected) is None:
            return

        def named(name: str | None) -> None:
            if name is not None:
                self._label(lambda: self._store.labels.rename(one.session_id, name))

        self.app.push_screen(NameScreen(one.name, one.query), named)

    def action_pin(self) -> None:
        """Keep it on top, or no longer."""
        if (one := self.selected) is not None:
            self._label(lambda: self._store.labels.pin(one.session_id, not one.pinned))

    def _label(self, change: Callable[[], None]) -> None:
        try:
            change()
        except KbtuiError as error:
            self._tell(error)
        self._reload()

    def action_delete(self) -> None:
        """Take it off the list; its file goes when the screen is left."""
        if (one := self.selected) is None:
            return
        self._deleted.append(one)
        rows = self.query_one(RowList)
        rows.action_cursor_down()  # the next one is selected then
        told = _("u brings it back, until you leave this list.")
        self.app.notify(told, title=_("Deleted"), markup=False)
        self._refresh()

    def action_undo(self) -> None:
        """Bring back what was deleted last."""
        if self._deleted:
            self._deleted.pop()
            self._refresh()

    def _refresh(self) -> None:
        self._work(self._find, "sessions")

    def on_unmount(self) -> None:
        """What was deleted goes for good."""
        for one in self._deleted:
            try:
                self._store.delete(one.session_id)
            except KbtuiError as error:
                self._tell(error)

    def _with_recording(self, use: Callable[[Recording], None]) -> None:
        one = self.selected
        if one is None:
            return
        self.ready = False
        self._work(partial(self._read, one, use), "recording")

    async def _read(self, one: SessionSummary, use: Callable[[Recording], None]) -> None:
        try:
            recording = await asyncio.to_thread(read, one.path)
        except KbtuiError as error:
            self._tell(error)
        else:
            if self.is_attached:
                use(recording)
        finally:
            self.ready = True

    def _tell(self, error: KbtuiError) -> None:
        say_error(self.app, error)
