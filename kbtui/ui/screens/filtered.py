"""Dialogs over a list that words can be looked for in."""

from __future__ import annotations

from textual.widgets import Input

from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.rows import RowList


class FilteredDialog(Dialog[None]):
    """A list with a field above it, which is there (class ``-open``) while words are looked for."""

    def action_filter(self) -> None:
        """Type words to look for."""
        field = self.query_one(Input)
        field.add_class("-open")
        field.focus()

    def action_close(self) -> None:
        """Clear the filter; without one, back to what was on the screen before."""
        field = self.query_one(Input)
        if field.has_class("-open"):
            field.value = ""
            field.remove_class("-open")
            self.query_one(RowList).focus()
        else:
            self.dismiss()
