"""Asking one question after the other: which runs, which wait behind it, and how a run gets into the conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from kbtui.errors import KbtuiError
from kbtui.ui.conversation import Conversation
from kbtui.ui.workspace import Workspace

if TYPE_CHECKING:
    from kbtui.view.view_state import RunView


class Asking:
    """The questions of one screen.

    Args:
        screen: Whose workers the answers are.
        workspace: Where they come from.
        conversation: Where they go.
        began: Called when a question begins to be answered.
        draw: Shows the conversation; called once a frame, however many events come.
    """

    def __init__(
        self,
        screen: Screen[Any],
        workspace: Workspace,
        conversation: Conversation,
        *,
        began: Callable[[], None],
        draw: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._workspace = workspace
        self._conversation = conversation
        self._began = began
        self._draw = draw
        self._will_draw = False

    @property
    def running(self) -> bool:
        """True while a question is being answered or waits to be."""
        return self._conversation.running is not None

    def ask(self, query: str) -> None:
        """Ask a question, after those that were asked before it."""
        self._conversation.ahead.append(query)
        self._ask_next()
        if self._conversation.ahead:
            self._draw()

    def _ask_next(self) -> None:
        """Begin the next question, unless one is running or none waits."""
        if self.running or not self._conversation.ahead:
            return
        query = self._conversation.ahead.pop(0)
        self._conversation.begin(query)
        self._began()
        # The prompt is seen to be empty first.
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
        waiting = self._conversation.running
        if engine is None and waiting is not None:
            status = self._workspace.status
            failure = KbtuiError(status.message or "The folder is not open.", status.hint)
            self._update(bridge.failed(waiting, failure))
        if engine is not None:
            await bridge.follow(engine, query, self._update)
        self._screen.call_later(self._ask_next)

    def _update(self, view: RunView) -> None:
        """A new state of the running question."""
        if not self.running:
            return
        self._conversation.update(view)
        if not self._will_draw:
            self._will_draw = True
            self._screen.call_after_refresh(self._draw_update)

    def _draw_update(self) -> None:
        self._will_draw = False
        self._draw()

    def stop(self) -> None:
        """End the running question at once; the engine is told and winds down behind the screen."""
        from kbtui.ui import bridge

        view = self._conversation.running
        if view is None:
            return
        if self._workspace.engine is not None and view.run_id:
            self._workspace.engine.cancel(view.run_id)
        self._conversation.update(bridge.cancelled(view))
        self._screen.workers.cancel_group(self._screen, "run")
