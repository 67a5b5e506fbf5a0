"""The base classes of dialogs: a dialog is closed only once, and help and jump work in it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import ModalScreen
from textual.widgets import Input

from kbtui.ui.commands import bindings
from kbtui.ui.widgets.rows import RowList

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

    def action_close(self) -> None:
        """Close the dialog without a result."""
        self.dismiss(None)


class FilteredDialog(Dialog[None]):
    """A dialog with a list and the details of its selected row, and an input above it that filters the list.

    The input is shown (class ``-open``) while it filters.
    """

    def show_list(self) -> None:
        """Show the rows that match the input."""
        raise NotImplementedError

    def show_detail(self) -> None:
        """Show the details of the selected row."""
        raise NotImplementedError

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.show_list()

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        event.stop()
        self.show_detail()

    def action_filter(self) -> None:
        """Open the filter."""
        field = self.query_one(Input)
        field.add_class("-open")
        field.focus()

    def focus_matches(self) -> None:
        """Focus the filtered list."""
        self.query_one(RowList).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_matches()

    def on_key(self, event: events.Key) -> None:
        """Move the focus from the filter to the list on Down."""
        if event.key == "down" and self.query_one(Input).has_focus:
            self.query_one(RowList).focus()

    def action_close(self) -> None:
        """Clear the filter, or close the dialog."""
        field = self.query_one(Input)
        if field.has_class("-open"):
            field.value = ""
            field.remove_class("-open")
            self.query_one(RowList).focus()
        else:
            self.dismiss()
