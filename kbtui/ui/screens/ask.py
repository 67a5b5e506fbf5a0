"""The main screen: ask, watch, read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.geometry import Offset
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from kbtui.errors import KbtuiError
from kbtui.sessions.ids import utc_now
from kbtui.ui.commands import bindings
from kbtui.ui.conversation import Conversation, Typed
from kbtui.ui.messages import QuestionChosen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.prompt import Prompt, PromptLine
from kbtui.ui.widgets.rows import RowList
from kbtui.ui.widgets.status_line import StatusLine
from kbtui.ui.widgets.welcome import Welcome
from kbtui.ui.workspace import FolderStatus, Workspace

if TYPE_CHECKING:
    from kbtui.controller.view_state import RunView
    from kbtui.ui.run_view import RunPanes

_TICK_S = 0.25


class SteadyScreen(Screen[None]):
    """A screen that survives a click on Markdown that is just being replaced (Textual issue 6643)."""

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        widget, offset = super().get_widget_and_offset_at(x, y)
        if widget is not None and not widget.is_attached:
            return None, None
        return widget, offset


class AskScreen(SteadyScreen):
    """Prompt below, panes in the middle, status above.

    Args:
        workspace: The folder and its engine.
        passes: Most passes a question may take, for the status line.
        suggestions: Questions offered before the first one.
    """

    SCOPE = "ask"
    BINDINGS = bindings("ask")

    def __init__(self, workspace: Workspace, *, passes: int, suggestions: Sequence[str] = ()) -> None:
        super().__init__()
        self._workspace = workspace
        self._passes = passes
        self._suggestions = suggestions
        self._timer: Timer | None = None
        self._drawn = True
        self._panes: RunPanes | None = None
        self.conversation = Conversation()
        self.typed = Typed()

    def compose(self) -> ComposeResult:
        yield StatusLine(passes=self._passes, id="status")
        yield Welcome(self._suggestions, id="welcome")
        yield PromptLine(f"ask about {self._workspace.status.kb.name or 'this folder'}…", id="prompt-line")
        yield KeyHints(id="hints", classes="hints")

    def on_mount(self) -> None:
        self._timer = self.set_interval(_TICK_S, self._tick, pause=True)
        self.show_folder(self._workspace.status)
        self._draw()
        self.query_one(Prompt).focus()

    async def prepare(self) -> None:
        """Make the panes, after the first paint: the welcome page does without them, and Markdown is slow to load."""

        def load() -> type[RunPanes]:
            from kbtui.ui.run_view import RunPanes

            return RunPanes

        panes = (await asyncio.to_thread(load))(id="run")
        panes.display = False
        await self.mount(panes, after="#welcome")
        self._panes = panes
        self._draw()

    def show_folder(self, folder: FolderStatus) -> None:
        """Show how far opening and indexing are."""
        self.query_one(StatusLine).show_folder(folder)
        self.query_one(Welcome).show(folder)

    def suggest(self, suggestions: Sequence[str]) -> None:
        """Offer these questions on the welcome page."""
        self.query_one(Welcome).suggest(suggestions)
        self._name_keys()

    # Asking

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.ask(event.value)

    def on_question_chosen(self, event: QuestionChosen) -> None:
        event.stop()
        self.ask(event.query)

    def ask(self, query: str) -> None:
        """Ask a question; one that is still running is stopped first."""
        query = query.strip()
        if not query:
            return
        self._stop()
        self.typed.add(query)
        self.query_one(Prompt).put("")
        self.conversation.begin(query)
        self._draw()
        self.run_worker(self._answer(query), group="run", exclusive=True, exit_on_error=False)

    def resume(self, views: Sequence[RunView]) -> None:
        """Bring the finished runs of an earlier sitting back, before those of this one; the latest is shown."""
        if not views:
            return
        self._stop()
        self.conversation.add_older(views)
        self.typed.add_older([view.query for view in views])
        self._draw()
        if self._panes is not None:
            self._panes.focus_answer()

    async def _answer(self, query: str) -> None:
        from kbtui.ui import bridge

        await self._workspace.ready.wait()
        engine = self._workspace.engine
        waiting = self.conversation.running
        if engine is None and waiting is not None:
            status = self._workspace.status
            failure = KbtuiError(status.message or "The folder is not open.", status.hint)
            self._update(bridge.failed(waiting, failure))
        if engine is None:
            return
        await bridge.follow(engine, query, self._update)

    def _update(self, view: RunView) -> None:
        """A new state of the running question; drawn once a frame, however many come."""
        if self.conversation.running is None:
            return
        self.conversation.update(view)
        if self._drawn:
            self._drawn = False
            self.call_after_refresh(self._draw)

    @property
    def running(self) -> bool:
        """True while a question is being answered or waits to be."""
        return self.conversation.running is not None

    def _stop(self) -> None:
        """End the running question at once; the engine is told and winds down behind the screen."""
        from kbtui.ui import bridge

        view = self.conversation.running
        if view is None:
            return
        if self._workspace.engine is not None and view.run_id:
            self._workspace.engine.cancel(view.run_id)
        self.conversation.update(bridge.cancelled(view))
        self.workers.cancel_group(self, "run")

    # Showing

    def _draw(self) -> None:
        self._drawn = True
        view = self.conversation.shown
        running = self.conversation.running
        now = utc_now().isoformat(timespec="milliseconds") if running is not None else ""
        self.query_one(Welcome).display = view is None
        self.query_one(Prompt).sources = len(view.citations) if view is not None else 0
        if self._panes is not None:
            self._panes.display = view is not None
            if view is not None:
                self._panes.show(view, "" if view.finished else now)
        self.query_one(StatusLine).show_run(running or view, now=now, place=self._place())
        self._name_keys()
        if self._timer is not None:
            (self._timer.resume if self.running else self._timer.pause)()

    def _tick(self) -> None:
        """The elapsed time goes on between events."""
        now = utc_now().isoformat(timespec="milliseconds")
        view = self.conversation.shown
        if self._panes is not None and view is not None and not view.finished:
            self._panes.tick(now)
        if self.running:
            self.query_one(StatusLine).show_run(self.conversation.latest, now=now, place=self._place())

    def _place(self) -> str:
        count = len(self.conversation.runs)
        if count < 2 or self.conversation.shown is None:
            return ""
        return f"question {self.conversation.position + 1} of {count}"

    def _name_keys(self) -> None:
        """Escape does what is most wanted here; the footer says what that is."""
        if self.running:
            word = "cancel"
        elif self.query_one(Prompt).has_focus:
            word = "read" if self.conversation.shown is not None else "suggestions" if self._has_suggestions() else ""
        else:
            word = "ask"
        hints = self.query_one("#hints", KeyHints)
        hints.words = {
            "cancel": word,
            "prompt": "" if word == "ask" else "ask",
            "earlier_run": "earlier answer" if len(self.conversation.runs) > 1 else "",
            "tab_view": "tabs" if self._panes is not None and self._panes.has_class("-narrow") else "",
            # From a question that is being answered escape leads nowhere else.
            "focus_next": "panes" if self.running and self.query_one(Prompt).has_focus else "",
            "new": "new" if self.conversation.runs else "",
            "earlier_question": "earlier" if self.typed.known else "",
        }

    def on_descendant_focus(self) -> None:
        self._name_keys()

    def on_descendant_blur(self) -> None:
        self._name_keys()

    def _has_suggestions(self) -> bool:
        return self.query_one("#suggestions", RowList).display

    # Keys

    def on_prompt_cited(self, event: Prompt.Cited) -> None:
        event.stop()
        self.action_cite(event.n)

    def on_prompt_recalled(self, event: Prompt.Recalled) -> None:
        event.stop()
        prompt = self.query_one(Prompt)
        text = self.typed.recall(event.by, prompt.value)
        if text is not None:
            prompt.put(text)
        elif event.by > 0 and self.conversation.shown is None and self._has_suggestions():
            self.query_one("#suggestions").focus()

    def action_cancel_or_leave(self) -> None:
        """Cancel what runs; else go from the prompt to the answer, or back."""
        if self.running:
            self._stop()
            self._draw()
        elif self.query_one(Prompt).has_focus:
            if self.conversation.shown is not None and self._panes is not None:
                self._panes.focus_answer()
            elif self._has_suggestions():
                self.query_one("#suggestions").focus()
        else:
            self.query_one(Prompt).focus()

    def action_focus_prompt(self) -> None:
        """Type a question."""
        self.query_one(Prompt).focus()

    def action_new_question(self) -> None:
        """An empty screen, and a question that means nothing of the earlier ones, whose answers stay within reach."""
        self._stop()
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
            self._draw()

    def action_cite(self, n: int) -> None:
        """Preview a source without leaving the prompt first."""
        if self._panes is not None:
            self._panes.action_cite(n)
