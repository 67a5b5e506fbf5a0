"""One key at a time: the next one is looked at when all that the last one did has been done.

Textual hands a key to the widget that has the focus when the key arrives. What a key does takes several messages up the
tree, so on a busy machine the second of two quick keys reaches the screen that the first is about to leave: ``1`` opens
a preview and the ``e`` behind it is typed into the prompt. Here a key waits until the one before has been to the app
and back; what opens a screen or moves the focus does it on that way (`kbtui.ui.messages.bubble`).
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


class KeysInOrder:
    """Keys and pastes of one app, in the order they came.

    Args:
        app: Where they arrive.
        forward: What the app does with an event by itself.
    """

    def __init__(self, app: App[Any], forward: Forward) -> None:
        self._app = app
        self._forward = forward
        self._waiting: deque[events.Event] = deque()
        self._going: events.Event | None = None
        self._target: DOMNode | None = None
        self._awaited: DOMNode | None = None

    async def take(self, event: events.Key | events.Paste) -> None:
        """Hand this one on, or keep it until those before it are done."""
        if event.is_forwarded:
            # On its way back: nobody below wanted it.
            await self._forward(event)
            if event is self._going:
                self._app.call_later(self._done, event)
        elif self._going is not None and self._target is not None and self._target.is_running:
            self._waiting.append(event)
        else:
            if not self._is_ready and _is_escape(event):
                self._waiting.clear()
            # A target that is gone took its key with it.
            self._going = None
            self._waiting.append(event)
            await self._next()

    async def _next(self) -> None:
        while self._waiting and self._going is None and self._may_go(self._waiting[0]):
            event = self._waiting.popleft()
            self._target = self._app.focused or self._app.screen
            typed = isinstance(event, events.Key) and _is_typed(event, self._app.focused)
            await self._forward(event)
            # What is only typed leads nowhere: text comes as fast as it is read.
            if event.is_forwarded and not typed:
                self._going = event
                self._follow(event, self._target)

    @property
    def _is_ready(self) -> bool:
        """False while the screen reads what its keys are about."""
        return getattr(self._app.screen, "ready", True)

    def _may_go(self, event: events.Event) -> bool:
        """True where the screen is ready; else it goes on once that is so. Escape does not wait."""
        if self._is_ready or _is_escape(event):
            return True
        if self._awaited is not self._app.screen:
            self._awaited = self._app.screen
            self._app.watch(self._awaited, "ready", self._next, init=False)
        return False

    def _follow(self, event: events.Event, node: DOMNode) -> None:
        """Go behind the event, from queue to queue: whoever keeps it for itself does not tell."""

        def passed() -> None:
            if node is self._app:
                # Once more round: what the key did may have left a change of focus in the app's queue.
                self._app.call_later(self._done, event)
            else:
                self._follow(event, node.parent or self._app)

        if not node.call_later(passed):
            self._app.call_later(self._done, event)

    async def _done(self, event: events.Event) -> None:
        if event is self._going:
            self._going = None
            await self._next()


def _is_escape(event: events.Event) -> bool:
    return isinstance(event, events.Key) and event.key == "escape"


def _is_typed(event: events.Key, focused: Widget | None) -> bool:
    """True when the focused field takes the key as text."""
    return focused is not None and focused.check_consume_key(event.key, event.character)
