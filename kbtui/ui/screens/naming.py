"""A dialog for the name of a session."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from kbtui.i18n import _
from kbtui.sessions.labels import MAX_NAME_CHARS
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.key_hints import KeyHints


class NameScreen(Dialog[str | None]):
    """Returns the name, which is empty for none, or None to keep the current name.

    Args:
        name: The current name.
        placeholder: Text that is listed if there is no name.
    """

    SCOPE = "choice"
    BINDINGS = bindings("choice")
    DEFAULT_CSS: ClassVar[str] = """
    NameScreen {
        #naming { width: 60; max-width: 100%; height: auto; }
        #name { border: none; height: 1; padding: 0 1; background: $foreground 8%; }
        .hints { padding: 0; margin-top: 1; }
    }
    """

    def __init__(self, name: str, placeholder: str) -> None:
        super().__init__()
        self._name_so_far = name
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        with Vertical(id="naming", classes="dialog"):
            yield Input(
                self._name_so_far, id="name", placeholder=one_line(self._placeholder), max_length=MAX_NAME_CHARS
            )
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#naming").border_title = _("Name of the session")
        self.query_one(KeyHints).words = {"help": ""}
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())
