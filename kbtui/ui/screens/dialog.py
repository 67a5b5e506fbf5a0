"""What all screens over the conversation have in common: they are closed once, and their keys can be looked up."""

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
    """A screen over others that gives one result, however many keys and clicks had been queued when it was given.

    Attributes:
        ready: False while it reads what its keys are about; they wait for it (`KeysInOrder`), and escape does not.
    """

    ready = var(True)

    # The app's own keys do not work over a modal screen.
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(one, action=f"app.{one.action}")
        for one in bindings("app")
        if isinstance(one, Binding) and one.action in ("help", "jump")
    ]

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen; does nothing while it is not on top: another one would be closed in its place.

        It is closed already (a second click), or a menu is open over it. `is_current` is true of what lies below, too.
        """
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
