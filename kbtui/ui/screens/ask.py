"""The main screen, where questions are asked and answers read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.timer import Timer

from kbtui.errors import KbtuiError
from kbtui.i18n import N_, _, pgettext
from kbtui.sessions.ids import utc_now
from kbtui.ui.commands import DIGITS, bindings
from kbtui.ui.conversation import Conversation, PromptHistory
from kbtui.ui.messages import QuestionChanged, QuestionChosen, TurnChosen
from kbtui.ui.notices import warn
from kbtui.ui.panes.browser import Browser, HoldingsList, MentionChosen
from kbtui.ui.question_queue import QuestionQueue
from kbtui.ui.screens.answer_screen import AnswerScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.prompt_panel import PromptPanel
from kbtui.ui.widgets.status_line import StatusLine
from kbtui.ui.workspace import FolderStatus, Workspace

if TYPE_CHECKING:
    from kbtui.domain.holdings import Library
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.ui.run_view import RunPanes
    from kbtui.view.view_state import RunView

_TICK_S = 0.25


class AskScreen(AnswerScreen):
    """The status line, the browser or the conversation with rail and proof, and the prompt.

    Args:
        workspace: The folder and its engine.
        suggestions: Questions suggested before the first one.
    """

    SCOPE = "ask"
    BINDINGS = bindings("ask")

    def __init__(self, workspace: Workspace, *, suggestions: Sequence[str] = ()) -> None:
        super().__init__()
        self._workspace = workspace
        self._suggestions = suggestions
        self._timer: Timer | None = None
        self._browses_again = False
        self._questions = ("", "")
        self._panes: RunPanes | None = None
        self.conversation = Conversation()
        self.history = PromptHistory()
        self._queue = QuestionQueue(
            self, workspace, self.conversation, on_start=self._show_conversation, draw=self._draw
        )

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        yield Browser(self._library, self._suggestions, busy=lambda: self.running, id="browser")
        name = self._workspace.status.kb.name
        placeholder = _("ask about {folder}…", folder=name) if name else _("ask about this folder…")
        yield PromptPanel(self.history, placeholder, id="prompt-panel")
        yield KeyHints(id="hints", classes="hints")

    def on_mount(self) -> None:
        self._timer = self.set_interval(_TICK_S, self._tick, pause=True)
        self.show_folder(self._workspace.status)
        self._draw()
        self.query_one(Prompt).focus()
        self.bindings_updated_signal.subscribe(self, lambda _screen: self._update_hints())

    def fit(self, size: Size) -> frozenset[str]:
        panes = self._panes.fit(size.width) if self._panes is not None else frozenset[str]()
        return super().fit(size) | panes

    async def prepare(self) -> None:
        """Create the panes after the first paint, because importing Markdown is slow and the browser needs none."""

        def load() -> type[RunPanes]:
            from kbtui.ui.run_view import RunPanes

            return RunPanes

        panes = (await asyncio.to_thread(load))(
            self.read_source, self._workspace.rerun, self._workspace.status.kb, id="run"
        )
        panes.display = False
        await self.mount(panes, after="#browser")
        self._panes = panes
        self._draw()

    def show_folder(self, folder: FolderStatus) -> None:
        """Show the status of the folder."""
        self.query_one(StatusLine).show_folder(folder)
        self.query_one(Browser).show(folder)
        if self._panes is not None and folder.phase == "ready":
            self._panes.check_sources()

    def read_source(self, path: str) -> SourceText:
        """Read a file of the folder; blocks. See `Workspace.read_source`."""
        return self._workspace.read_source(path)

    def _library(self) -> Library | None:
        engine = self._workspace.engine
        return engine.library if engine is not None else None

    # Asking

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        event.stop()
        # The digit of an offered question is typed in the prompt where digits before it show sources.
        offered = self._panes.offered if self._panes is not None and not self.is_browsing else {}
        text = event.text.strip()
        self.ask(offered.get(int(text), text) if text in DIGITS else text)

    def on_paste(self, event: events.Paste) -> None:
        """Put a paste that no focused input takes into the prompt, wherever the focus is."""
        event.stop()
        self.query_one(Prompt).focus()
        self.query_one(Prompt).paste(event.text)

    def on_question_chosen(self, event: QuestionChosen) -> None:
        event.stop()
        if event.to_edit:
            self.query_one(Prompt).put(event.query)
            self.query_one(Prompt).focus()
        else:
            self.ask(event.query)

    def ask(self, query: str) -> None:
        """Queue a question."""
        query = query.strip()
        if not query:
            return
        self.history.add(query)
        self.query_one(Prompt).put("")
        self._queue.ask(query)

    @property
    def running(self) -> bool:
        """Whether a question is being answered or is queued."""
        return self._queue.is_running

    def _show_conversation(self) -> None:
        self._browses_again = False

    def resume(self, session_id: str, views: Sequence[RunView]) -> None:
        """Insert the finished runs of an earlier session before those of this one, and show the latest of them.

        New questions are recorded in that session.
        """
        if views:
            self._queue.stop()
            self.conversation.queued.clear()
            self.conversation.add_older(views)
            self._browses_again = False
            self.history.add_older([view.query for view in views])
            self._draw()
            if self._panes is not None:
                self._panes.focus_answer()
        try:
            self._workspace.continue_session(session_id)
        except KbtuiError as error:
            warn(self.app, error.message, error.hint)

    def show_words(self, words: str, views: Sequence[RunView]) -> None:
        """Show where the words stand by which the session of ``views`` was found: together, or all in one turn."""
        texts = [f"{view.query}\n{view.markdown}".casefold() for view in views]
        folded = words.casefold()
        if folded and any(folded in text for text in texts):
            self.action_find(words)
            return
        parts = folded.split()
        at = next((at for at, text in enumerate(texts) if parts and all(part in text for part in parts)), None)
        if at is not None:
            self.conversation.position = [view.run_id for view in self.conversation.runs].index(views[at].run_id)
            self._draw()

    # Showing

    def _draw(self) -> None:
        view = self.conversation.shown
        running = self.conversation.running
        now = utc_now().isoformat(timespec="milliseconds") if running is not None else ""
        self.query_one(Browser).display = self.is_browsing
        self.query_one(PromptPanel).show_queued(self.conversation.queued)
        if self._panes is not None:
            self._panes.display = not self.is_browsing
            if view is not None:
                conversation = self.conversation
                self._panes.show(
                    view, "" if view.finished else now, runs=conversation.runs, position=conversation.position
                )
        self.query_one(Prompt).sources = (
            self._panes.digit_count if self._panes is not None and not self.is_browsing else 0
        )
        self.query_one(StatusLine).show_run(running or view, now=now, place=self.conversation.position_text)
        self._update_hints()
        if self._questions != self.conversation.questions:
            self._questions = self.conversation.questions
            self.post_message(QuestionChanged(*self._questions))
        if self._timer is not None:
            (self._timer.resume if self.running else self._timer.pause)()

    def _tick(self) -> None:
        """Update the elapsed time between events."""
        now = utc_now().isoformat(timespec="milliseconds")
        view = self.conversation.shown
        if self._panes is not None and view is not None and not view.finished:
            self._panes.tick(now)
        if self.running:
            self.query_one(StatusLine).show_run(
                self.conversation.latest, now=now, place=self.conversation.position_text
            )

    def _update_hints(self) -> None:
        """Update the hints of the footer, such as the effect of Escape, for the current state."""
        completing = self.query_one(Prompt).completing
        step = N_("close") if completing else self._back_step[0]
        browser, hints = self.query_one(Browser), self.query_one("#hints", KeyHints)
        entry = browser.selected if browser.has_focus_within else None
        hints.words = {
            "cancel": pgettext("cancel", step),
            "preview": _(entry.enter) if entry is not None else _("show"),
            "prompt": "" if step == "ask" else _("ask"),
            "earlier_run": _("earlier answer") if len(self.conversation.runs) > 1 else "",
            # While a question is being answered, Escape cancels it, so another key for the panes is shown.
            "focus_next": _("panes") if self.running and self.query_one(Prompt).has_focus else "",
            "browse": "" if self.conversation.shown is None else _("back") if self._browses_again else _("browse"),
            "new": _("new") if self.conversation.runs else "",
            "earlier_question": _("earlier") if self.history.has_entries else "",
        }

    def on_prompt_panel_offered(self, event: PromptPanel.Offered) -> None:
        event.stop()
        self._update_hints()

    @property
    def is_browsing(self) -> bool:
        """Whether the browser is shown: before the first question, and on request."""
        return self._browses_again or self.conversation.shown is None

    def action_browse(self) -> None:
        """Show the browser, or return to the answer."""
        self._browses_again = not self._browses_again and self.conversation.shown is not None
        self._draw()
        if self.is_browsing:
            self.query_one(Browser).focus_rows()
        elif self._panes is not None:
            self._panes.focus_answer()

    def on_mention_chosen(self, event: MentionChosen) -> None:
        """Insert a name into the prompt."""
        event.stop()
        self.query_one(Prompt).put_name(event.mention)

    # Keys

    def on_prompt_cited(self, event: Prompt.Cited) -> None:
        event.stop()
        assert self._panes is not None, "no figure leads anywhere without them"
        self._panes.action_cite(event.n)
        if not self.running:
            self._panes.focus_answer()

    def on_turn_chosen(self, event: TurnChosen) -> None:
        """Make another turn current, and show its stages and sources."""
        event.stop()
        self.conversation.position = event.position
        self._draw()

    def on_prompt_recalled(self, event: Prompt.Recalled) -> None:
        event.stop()
        if event.by > 0 and self.is_browsing:
            self.query_one(Browser).focus_rows()

    def on_prompt_paged(self, event: Prompt.Paged) -> None:
        event.stop()
        (self.query_one(HoldingsList) if self.is_browsing or self._panes is None else self._panes).page(event.by)

    def on_prompt_panel_names_wanted(self, event: PromptPanel.NamesWanted) -> None:
        event.stop()
        self.run_worker(self._load_names(), group="names", exclusive=True, exit_on_error=False)

    async def _load_names(self) -> None:
        """Load the names that a question can mention, if the folder is open."""
        if (engine := self._workspace.engine) is not None:
            with contextlib.suppress(KbtuiError):
                self.query_one(PromptPanel).show_names(await asyncio.to_thread(engine.names))

    def on_prompt_overlong(self, event: Prompt.Overlong) -> None:
        """Save a paste that exceeds the length of a question."""
        from kbtui.ui.prompt_editing import save_overlong_paste

        event.stop()
        save_overlong_paste(self.app, event.text)

    def action_cancel_or_leave(self) -> None:
        """Take one step back: close completions, take back a queued question, cancel a run, or move the focus."""
        if not self.query_one(PromptPanel).step_back():
            self._back_step[1]()

    @property
    def _back_step(self) -> tuple[str, Callable[[], object]]:
        """The step back from the current state: its hint in the footer, and its function."""
        prompt, browser, panes = self.query_one(Prompt), self.query_one(Browser), self._panes
        if self.conversation.queued:
            return N_("take back"), self._edit_queued
        if self.running:
            return N_("cancel"), self._cancel
        if prompt.has_focus:
            if (shown := self.conversation.shown) is None or self.is_browsing or panes is None:
                return N_("browse"), browser.focus_rows
            return N_("sources") if shown.citations else N_("read"), panes.focus_answer
        if self.is_browsing and browser.is_filtered:
            return N_("all"), browser.close_filter
        if self._browses_again:
            return N_("back"), self.action_browse
        if panes is not None and panes.is_aside:
            return N_("back"), panes.step_back
        return N_("ask"), prompt.focus

    def _edit_queued(self) -> None:
        """Move the last queued question back to the prompt, above the text typed there."""
        prompt = self.query_one(Prompt)
        prompt.put("\n".join(filter(None, (self.conversation.queued.pop(), prompt.text))))
        prompt.focus()
        self._draw()

    def _cancel(self) -> None:
        self._queue.stop()
        self._draw()

    def action_search_history(self) -> None:
        """Search earlier questions in the prompt."""
        panel = self.query_one(PromptPanel)
        panel.prompt.focus()
        panel.search()

    def action_ask_for(self, query: str) -> None:
        """Ask the question that a command stands for."""
        self.ask(_(query))

    def action_export(self) -> None:
        """Export the recording of this session to a file."""
        from kbtui.ui.exporting import export_current_session

        export = export_current_session(self.app, self._workspace.engine, has_questions=bool(self.conversation.runs))
        self.run_worker(export, group="export", exit_on_error=False)

    def action_index(self) -> None:
        """Index changed files of the folder."""
        self.run_worker(self._index(), group="index", exit_on_error=False)

    async def _index(self) -> None:
        if not await self._workspace.index():
            self.notify(_("The folder is being read already, or is not open yet."), markup=False)

    def action_find(self, words: str = "") -> None:
        """Find words in all questions and answers."""
        if self._panes is not None and self.conversation.shown is not None:
            self._panes.action_find(words)

    def action_focus_prompt(self) -> None:
        """Focus the prompt."""
        self.query_one(Prompt).focus()

    def action_new_question(self) -> None:
        """Start a new conversation, whose questions do not refer to earlier ones; earlier answers stay accessible."""
        self._queue.stop()
        self._browses_again = False
        if self._workspace.engine is not None:
            self._workspace.engine.new_conversation()
        self.conversation.leave()
        prompt = self.query_one(Prompt)
        prompt.put("")
        prompt.focus()
        self._draw()

    def action_show_run(self, by: int) -> None:
        """Show an earlier or later answer of this session."""
        if self.conversation.move(by):
            self._browses_again = False
            self._draw()

    def action_cite(self, n: int) -> None:
        """Show a source, keeping the focus on the prompt."""
        if self._panes is not None:
            self._panes.action_cite(n)
