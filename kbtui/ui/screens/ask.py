"""The main screen: ask, watch, read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.geometry import Size
from textual.timer import Timer

from kbtui.errors import KbtuiError
from kbtui.i18n import N_, _, pgettext
from kbtui.sessions.ids import utc_now
from kbtui.ui.asking import Asking
from kbtui.ui.commands import bindings
from kbtui.ui.conversation import Conversation, Typed
from kbtui.ui.messages import QuestionChanged, QuestionChosen, TurnChosen
from kbtui.ui.notices import warn
from kbtui.ui.panes.browser import Browser, Holds, MentionChosen
from kbtui.ui.screens.steady import SteadyScreen
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


class AskScreen(SteadyScreen):
    """Prompt below, conversation and proof in the middle, status above.

    Args:
        workspace: The folder and its engine.
        suggestions: Questions offered before the first one.
    """

    SCOPE = "ask"
    BINDINGS = bindings("ask")

    def __init__(self, workspace: Workspace, *, suggestions: Sequence[str] = ()) -> None:
        super().__init__()
        self._workspace = workspace
        self._suggestions = suggestions
        self._timer: Timer | None = None
        self._browsing = False
        self._questions = ("", "")
        self._panes: RunPanes | None = None
        self.conversation = Conversation()
        self.typed = Typed()
        self._asking = Asking(self, workspace, self.conversation, began=self._show_conversation, draw=self._draw)

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        yield Browser(self._library, self._suggestions, busy=lambda: self.running, id="browser")
        name = self._workspace.status.kb.name
        placeholder = _("ask about {folder}…", folder=name) if name else _("ask about this folder…")
        yield PromptPanel(self.typed, placeholder, id="prompt-panel")
        yield KeyHints(id="hints", classes="hints")

    def on_mount(self) -> None:
        self._timer = self.set_interval(_TICK_S, self._tick, pause=True)
        self.show_folder(self._workspace.status)
        self._draw()
        self.query_one(Prompt).focus()
        self.bindings_updated_signal.subscribe(self, lambda _screen: self._name_keys())

    def fit(self, size: Size) -> frozenset[str]:
        panes = self._panes.fit(size.width) if self._panes is not None else frozenset[str]()
        return super().fit(size) | panes

    async def prepare(self) -> None:
        """Make the panes, after the first paint: the browser does without them, and Markdown is slow to load."""

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
        """Show how far opening and indexing are."""
        self.query_one(StatusLine).show_folder(folder)
        self.query_one(Browser).show(folder)
        if self._panes is not None and folder.phase == "ready":
            self._panes.check_sources()

    def read_source(self, path: str) -> SourceText:
        """A file of the folder; blocks. See `Workspace.read_source`."""
        return self._workspace.read_source(path)

    def _library(self) -> Library | None:
        engine = self._workspace.engine
        return engine.library if engine is not None else None

    # Asking

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        event.stop()
        self.ask(event.text)

    def on_question_chosen(self, event: QuestionChosen) -> None:
        event.stop()
        if event.to_edit:
            self.query_one(Prompt).put(event.query)
            self.query_one(Prompt).focus()
        else:
            self.ask(event.query)

    def ask(self, query: str) -> None:
        """Ask a question, after those that were asked before it."""
        query = query.strip()
        if not query:
            return
        self.typed.add(query)
        self.query_one(Prompt).put("")
        self._asking.ask(query)

    @property
    def running(self) -> bool:
        """True while a question is being answered or waits to be."""
        return self._asking.running

    def _show_conversation(self) -> None:
        self._browsing = False

    def resume(self, session_id: str, views: Sequence[RunView]) -> None:
        """Bring the finished runs of an earlier sitting back, before those of this one; the latest is shown.

        The questions to come are recorded behind them.
        """
        if views:
            self._asking.stop()
            self.conversation.ahead.clear()
            self.conversation.add_older(views)
            self._browsing = False
            self.typed.add_older([view.query for view in views])
            self._draw()
            if self._panes is not None:
                self._panes.focus_answer()
        try:
            self._workspace.continue_session(session_id)
        except KbtuiError as error:
            warn(self.app, error.message, error.hint)

    # Showing

    def _draw(self) -> None:
        view = self.conversation.shown
        running = self.conversation.running
        now = utc_now().isoformat(timespec="milliseconds") if running is not None else ""
        self.query_one(Browser).display = self.browses
        self.query_one(PromptPanel).show_ahead(self.conversation.ahead)
        if self._panes is not None:
            self._panes.display = not self.browses
            if view is not None:
                conversation = self.conversation
                self._panes.show(
                    view, "" if view.finished else now, runs=conversation.runs, position=conversation.position
                )
        self.query_one(Prompt).sources = self._panes.figures if self._panes is not None and not self.browses else 0
        self.query_one(StatusLine).show_run(running or view, now=now, place=self.conversation.place)
        self._name_keys()
        if self._questions != self.conversation.questions:
            self._questions = self.conversation.questions
            self.post_message(QuestionChanged(*self._questions))
        if self._timer is not None:
            (self._timer.resume if self.running else self._timer.pause)()

    def _tick(self) -> None:
        """The elapsed time goes on between events."""
        now = utc_now().isoformat(timespec="milliseconds")
        view = self.conversation.shown
        if self._panes is not None and view is not None and not view.finished:
            self._panes.tick(now)
        if self.running:
            self.query_one(StatusLine).show_run(self.conversation.latest, now=now, place=self.conversation.place)

    def _name_keys(self) -> None:
        """Escape does what is most wanted here; the footer says what that is."""
        completing = self.query_one(Prompt).completing
        step = N_("close") if completing else self._way_back[0]
        browser, hints = self.query_one(Browser), self.query_one("#hints", KeyHints)
        entry = browser.selected if browser.has_focus_within else None
        hints.words = {
            "cancel": pgettext("cancel", step),
            "preview": _(entry.enter) if entry is not None else _("show"),
            "prompt": "" if step == "ask" else _("ask"),
            "earlier_run": _("earlier answer") if len(self.conversation.runs) > 1 else "",
            # From a question that is being answered escape leads nowhere else.
            "focus_next": _("panes") if self.running and self.query_one(Prompt).has_focus else "",
            "browse": "" if self.conversation.shown is None else _("back") if self._browsing else _("browse"),
            "new": _("new") if self.conversation.runs else "",
            "earlier_question": _("earlier") if self.typed.known else "",
        }

    def on_prompt_panel_offered(self, event: PromptPanel.Offered) -> None:
        event.stop()
        self._name_keys()

    @property
    def browses(self) -> bool:
        """True while what there is to ask about is on the screen: before the first question, and when it is wanted."""
        return self._browsing or self.conversation.shown is None

    def action_browse(self) -> None:
        """Show what there is to ask about, or the answer again."""
        self._browsing = not self._browsing and self.conversation.shown is not None
        self._draw()
        if self.browses:
            self.query_one(Browser).focus_rows()
        elif self._panes is not None:
            self._panes.focus_answer()

    def on_mention_chosen(self, event: MentionChosen) -> None:
        """Put a name into the question."""
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
        """Another turn is read: its stages and sources are shown."""
        event.stop()
        self.conversation.position = event.position
        self._draw()

    def on_prompt_recalled(self, event: Prompt.Recalled) -> None:
        event.stop()
        if event.by > 0 and self.browses:
            self.query_one(Browser).focus_rows()

    def on_prompt_paged(self, event: Prompt.Paged) -> None:
        event.stop()
        (self.query_one(Holds) if self.browses or self._panes is None else self._panes).page(event.by)

    def on_prompt_panel_names_wanted(self, event: PromptPanel.NamesWanted) -> None:
        event.stop()
        self.run_worker(self._load_names(), group="names", exclusive=True, exit_on_error=False)

    async def _load_names(self) -> None:
        """Offer what a question can mention, once the folder is open."""
        if (engine := self._workspace.engine) is not None:
            with contextlib.suppress(KbtuiError):
                self.query_one(PromptPanel).show_names(await asyncio.to_thread(engine.names))

    def on_prompt_overlong(self, event: Prompt.Overlong) -> None:
        """Keep all of what was pasted, and say where."""
        from kbtui.ui.prompt_editing import keep_overlong

        event.stop()
        keep_overlong(self.app, event.text)

    def action_cancel_or_leave(self) -> None:
        """Step back: out of what is offered, from what waits, from what runs, from the prompt to the answer or back."""
        if not self.query_one(PromptPanel).step_back():
            self._way_back[1]()

    @property
    def _way_back(self) -> tuple[str, Callable[[], object]]:
        """One step back from here: what the footer calls it, and how it is done."""
        prompt, browser, panes = self.query_one(Prompt), self.query_one(Browser), self._panes
        if self.conversation.ahead:
            return N_("take back"), self._take_back
        if self.running:
            return N_("cancel"), self._cancel
        if prompt.has_focus:
            if (shown := self.conversation.shown) is None or self.browses or panes is None:
                return N_("browse"), browser.focus_rows
            return N_("sources") if shown.citations else N_("read"), panes.focus_answer
        if self.browses and browser.is_filtered:
            return N_("all"), browser.close_filter
        if self._browsing:
            return N_("back"), self.action_browse
        if panes is not None and panes.is_aside:
            return N_("back"), panes.step_back
        return N_("ask"), prompt.focus

    def _take_back(self) -> None:
        """Have the question that waits in the prompt again; what is typed by now stays, below it."""
        prompt = self.query_one(Prompt)
        prompt.put("\n".join(filter(None, (self.conversation.ahead.pop(), prompt.text))))
        prompt.focus()
        self._draw()

    def _cancel(self) -> None:
        self._asking.stop()
        self._draw()

    def action_search_history(self) -> None:
        """Search earlier questions in the prompt."""
        panel = self.query_one(PromptPanel)
        panel.prompt.focus()
        panel.search()

    def action_ask_for(self, query: str) -> None:
        """Ask what a command stands for."""
        self.ask(_(query))

    def action_export(self) -> None:
        """Write what is recorded of this sitting to a file."""
        from kbtui.ui.exporting import export_sitting

        sitting = export_sitting(self.app, self._workspace.engine, asked=bool(self.conversation.runs))
        self.run_worker(sitting, group="export", exit_on_error=False)

    def action_index(self) -> None:
        """Read what changed in the folder."""
        self.run_worker(self._index(), group="index", exit_on_error=False)

    async def _index(self) -> None:
        if not await self._workspace.index():
            self.notify(_("The folder is being read already, or is not open yet."), markup=False)

    def action_find(self, words: str = "") -> None:
        """Find words in all that was asked and answered."""
        if self._panes is not None and self.conversation.shown is not None:
            self._panes.action_find(words)

    def action_focus_prompt(self) -> None:
        """Type a question."""
        self.query_one(Prompt).focus()

    def action_new_question(self) -> None:
        """An empty screen, and a question that means nothing of the earlier ones, whose answers stay within reach."""
        self._asking.stop()
        self._browsing = False
        if self._workspace.engine is not None:
            self._workspace.engine.new_conversation()
        self.conversation.leave()
        prompt = self.query_one(Prompt)
        prompt.put("")
        prompt.focus()
        self._draw()

    def action_show_run(self, by: int) -> None:
        """An earlier or later answer of this sitting."""
        if self.conversation.move(by):
            self._browsing = False
            self._draw()

    def action_cite(self, n: int) -> None:
        """Show a source without leaving the prompt."""
        if self._panes is not None:
            self._panes.action_cite(n)
