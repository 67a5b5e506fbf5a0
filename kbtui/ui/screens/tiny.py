"""What is shown while the terminal is too small for anything else."""

from __future__ import annotations

from typing import Any

from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.widgets import Static

from kbtui.ui.screens.dialog import Dialog

LEAST = Size(40, 12)


def too_small(size: Size) -> bool:
    """True when nothing useful fits."""
    return size.width < LEAST.width or size.height < LEAST.height


def check_size(app: App[Any], size: Size) -> None:
    """Say that the terminal is too small, for as long as it is."""
    small, top = too_small(size), app.screen
    if not isinstance(top, TinyScreen):
        if small:
            app.push_screen(TinyScreen())
    elif small:
        top.show(size)
    else:
        app.pop_screen()


class TinyScreen(Dialog[None]):
    """One sentence; goes away by itself when the terminal grows."""

    def compose(self) -> ComposeResult:
        yield Static(id="tiny", markup=False)

    def on_mount(self) -> None:
        self.show(self.app.size)

    def on_screen_resume(self) -> None:
        """What was opened over it has closed; the terminal may have grown meanwhile."""
        self.call_after_refresh(lambda: check_size(self.app, self.app.size))

    def show(self, size: Size) -> None:
        """Say how large the terminal is."""
        text = f"terminal too small (have {size.width}x{size.height}, need {LEAST.width}x{LEAST.height})"
        self.query_one(Static).update(text)
