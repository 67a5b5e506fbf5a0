"""Processes keys one at a time: a key is dispatched only once all effects of the previous key are complete.

Textual sends a key to the widget that has the focus when the key arrives. The effect of a key takes several messages up
the tree, so on a busy machine the second of two quick keys reaches the screen that the first is about to leave: ``1``
opens a preview, and the ``e`` after it is typed into the prompt. Here a key waits until the previous one has bubbled up
to the app; actions that open a screen or move the focus complete by then (`kbtui.ui.messages.bubble`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from textual import events

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode
    from textual.widget import Widget

Forward = Callable[[events.Event], Awaitable[None]]


class KeyQueue:
    """A queue of the key and paste events of an app.

    Args:
        app: App that receives the events.
        forward: The app's own handling of an event.
    """

    def __init__(self, app: App[Any], forward: Forward) -> None:
        self._app = app
        self._forward = forward
        self._queue: deque[events.Event] = deque()
        self._current: events.Event | None = None
        self._target: DOMNode | None = None
        self._watched_screen: DOMNode | None = None

    async def dispatch(self, event: events.Key | events.Paste) -> None:
        """Forward an event, or queue it until the previous ones are complete."""
        if event.is_forwarded:
            # The event has bubbled up to the app, because no widget handled it.
            await self._forward(event)
            if event is self._current:
                self._app.call_later(self._finish, event)
        elif self._current is not None and self._target is not None and self._target.is_running:
            self._queue.append(event)
        else:
            if not self._is_ready and _is_escape(event):
                self._queue.clear()
            # A target that was removed never completes its key.
            self._current = None
            self._queue.append(event)
            await self._dispatch_next()

    async def _dispatch_next(self) -> None:
        while self._queue and self._current is None and self._can_dispatch(self._queue[0]):
            event = self._queue.popleft()
            self._target = self._app.focused or self._app.screen
            is_typed = isinstance(event, events.Key) and _is_typed(event, self._app.focused)
            await self._forward(event)
            # Typed characters change neither screen nor focus, so the next key need not wait.
            if event.is_forwarded and not is_typed:
                self._current = event
                self._follow(event, self._target)

    @property
    def _is_ready(self) -> bool:
        """False while the screen loads the data that its keys act on."""
        return getattr(self._app.screen, "ready", True)

    def _can_dispatch(self, event: events.Event) -> bool:
        """Whether the screen is ready; if not, dispatching resumes once it is. Escape does not wait."""
        if self._is_ready or _is_escape(event):
            return True
        if self._watched_screen is not self._app.screen:
            self._watched_screen = self._app.screen
            self._app.watch(self._watched_screen, "ready", self._dispatch_next, init=False)
        return False

    def _follow(self, event: events.Event, node: DOMNode) -> None:
        """Follow the event through the queues of the nodes it bubbles to, because nodes do not report consuming it."""

        def advance() -> None:
            if node is self._app:
                # One further round, because the key may have queued a change of focus in the app.
                self._app.call_later(self._finish, event)
            else:
                self._follow(event, node.parent or self._app)

        if not node.call_later(advance):
            self._app.call_later(self._finish, event)

    async def _finish(self, event: events.Event) -> None:
        if event is self._current:
            self._current = None
            await self._dispatch_next()


def _is_escape(event: events.Event) -> bool:
    return isinstance(event, events.Key) and event.key == "escape"


def _is_typed(event: events.Key, focused: Widget | None) -> bool:
    """Whether the focused field takes the key as text."""
    return focused is not None and focused.check_consume_key(event.key, event.character)
