"""Asks questions one after the other and puts their runs into the conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.ui.conversation import Conversation
from kbtui.ui.workspace import Workspace

if TYPE_CHECKING:
    from kbtui.view.view_state import RunView


class QuestionQueue:
    """The queue of questions of a screen.

    Args:
        screen: Screen that runs the workers.
        workspace: Provides the engine.
        conversation: Receives the runs.
        on_start: Called when the run of a question starts.
        draw: Draws the conversation; called once per frame, however many events arrive.
    """

    def __init__(
        self,
        screen: Screen[Any],
        workspace: Workspace,
        conversation: Conversation,
        *,
        on_start: Callable[[], None],
        draw: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._workspace = workspace
        self._conversation = conversation
        self._on_start = on_start
        self._draw = draw
        self._is_draw_scheduled = False

    @property
    def is_running(self) -> bool:
        """Whether a question is being answered or is queued."""
        return self._conversation.running is not None

    def ask(self, query: str) -> None:
        """Queue a question."""
        self._conversation.queued.append(query)
        self._ask_next()
        if self._conversation.queued:
            self._draw()

    def _ask_next(self) -> None:
        """Start the next question, unless one is running or the queue is empty."""
        if self.is_running or not self._conversation.queued:
            return
        query = self._conversation.queued.pop(0)
        self._conversation.begin(query)
        self._on_start()
        # The emptied prompt is drawn before the run starts.
        self._screen.call_after_refresh(self._begin, query)

    def _begin(self, query: str) -> None:
        view = self._conversation.running
        if view is not None and view.query == query:
            self._draw()
            self._screen.run_worker(self._answer(query), group="run", exclusive=True, exit_on_error=False)

    async def _answer(self, query: str) -> None:
        from kbtui.ui import bridge

        await self._workspace.ready.wait()
        engine = self._workspace.engine
        pending = self._conversation.running
        if engine is None and pending is not None:
            status = self._workspace.status
            failure = KbtuiError(status.message or _("The folder is not open."), status.hint)
            self._update(bridge.failed(pending, failure))
        if engine is not None:
            await bridge.follow(engine, query, self._update)
        self._screen.call_later(self._ask_next)

    def _update(self, view: RunView) -> None:
        """Show a new state of the running question."""
        if not self.is_running:
            return
        self._conversation.update(view)
        if not self._is_draw_scheduled:
            self._is_draw_scheduled = True
            self._screen.call_after_refresh(self._draw_update)

    def _draw_update(self) -> None:
        self._is_draw_scheduled = False
        self._draw()

    def stop(self) -> None:
        """Stop the running question immediately; the engine ends its run in the background."""
        from kbtui.ui import bridge

        view = self._conversation.running
        if view is None:
            return
        if self._workspace.engine is not None and view.run_id:
            self._workspace.engine.cancel(view.run_id)
        self._conversation.update(bridge.cancelled(view))
        self._screen.workers.cancel_group(self._screen, "run")
