"""The screen shown while the terminal is too small."""

from __future__ import annotations

from typing import Any

from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.widgets import Static

from kbtui.i18n import _
from kbtui.ui.screens.dialog import Dialog

MIN_SIZE = Size(40, 12)


def is_too_small(size: Size) -> bool:
    """Whether a terminal is too small for the app."""
    return size.width < MIN_SIZE.width or size.height < MIN_SIZE.height


def check_size(app: App[Any], size: Size) -> None:
    """Show or remove the message that the terminal is too small."""
    small, top = is_too_small(size), app.screen
    if not isinstance(top, TinyScreen):
        if small:
            app.push_screen(TinyScreen())
    elif small:
        top.show(size)
    else:
        app.pop_screen()


class TinyScreen(Dialog[None]):
    """The message that the terminal is too small; removed when the terminal is enlarged."""

    def compose(self) -> ComposeResult:
        yield Static(id="tiny", markup=False)

    def on_mount(self) -> None:
        self.show(self.app.size)

    def on_screen_resume(self) -> None:
        """Check the size again when a screen above is closed."""
        self.call_after_refresh(lambda: check_size(self.app, self.app.size))

    def show(self, size: Size) -> None:
        """Show the current and the required size."""
        have, need = f"{size.width}x{size.height}", f"{MIN_SIZE.width}x{MIN_SIZE.height}"
        text = _("terminal too small (have {have}, need {need})", have=have, need=need)
        self.query_one(Static).update(text)
