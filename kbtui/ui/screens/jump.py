"""Labels over all jump targets of a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from kbtui.ui.commands import bindings
from kbtui.ui.jumping import Target, labels, targets
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.key_hints import KeyHints


class JumpScreen(Dialog[Target | None], inherit_bindings=False):
    """Returns the target whose label was typed, or None."""

    SCOPE = "jump"
    BINDINGS = bindings("jump")

    def __init__(self, targets: Sequence[Target]) -> None:
        super().__init__()
        self._targets = dict(zip(labels(len(targets)), targets, strict=True))
        self._typed = ""
        self._last_size: Size | None = None

    def compose(self) -> ComposeResult:
        for letters, target in self._targets.items():
            label = Static(Content(letters), classes="jump")
            label.styles.offset = target.place
            yield label
        yield KeyHints(classes="hints")

    def on_key(self, event: events.Key) -> None:
        """Jump to the target of the typed label; characters that continue no label are ignored."""
        typed = self._typed + (event.character or "")
        if typed in self._targets:
            event.stop()
            self.dismiss(self._targets[typed])
        elif event.character and any(letters.startswith(typed) for letters in self._targets):
            event.stop()
            self._typed = typed
            for label in self.query(".jump").results(Static):
                label.display = str(label.content).startswith(typed)

    def on_resize(self, event: events.Resize) -> None:
        """Close if the size changes, because the targets move."""
        previous, self._last_size = self._last_size, event.size
        if previous not in (None, event.size):
            self.dismiss(None)

    def action_back(self) -> None:
        """Take back the first of two letters, or close."""
        if not self._typed:
            self.dismiss(None)
            return
        self._typed = ""
        self.query(".jump").set(display=True)


def jump(app: App[Any]) -> None:
    """Show labels over the screen and jump to the chosen target."""

    def jump_to(target: Target | None) -> None:
        if target is not None:
            app.call_later(target.go)

    app.push_screen(JumpScreen(targets(app.screen)), jump_to)
