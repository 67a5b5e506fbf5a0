"""The base class of dialogs: a dialog is closed only once, and help and jump work in it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import ModalScreen

from kbtui.ui.commands import bindings

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """A modal screen that returns one result, even if further keys and clicks were queued when it closed.

    Attributes:
        ready: False while it loads the data that its keys act on; keys other than Escape wait for it (`KeyQueue`).
    """

    ready = var(True)

    # Bindings of the app do not work in a modal screen.
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(binding, action=f"app.{binding.action}")
        for binding in bindings("app")
        if isinstance(binding, Binding) and binding.action in ("help", "jump")
    ]

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen; does nothing if another screen is on top, which would be closed in its place.

        This happens if it is already closed (by a second click) or a menu is open over it. `is_current` cannot tell,
        because it is also true for a screen below.
        """
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
