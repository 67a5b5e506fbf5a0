"""The base class of dialogs with a list and a filter."""

from __future__ import annotations

from textual.widgets import Input

from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.rows import RowList


class FilteredDialog(Dialog[None]):
    """A dialog with a list, and an input above it that is shown (class ``-open``) while the list is filtered."""

    def action_filter(self) -> None:
        """Open the filter."""
        field = self.query_one(Input)
        field.add_class("-open")
        field.focus()

    def action_close(self) -> None:
        """Clear the filter, or close the dialog."""
        field = self.query_one(Input)
        if field.has_class("-open"):
            field.value = ""
            field.remove_class("-open")
            self.query_one(RowList).focus()
        else:
            self.dismiss()
