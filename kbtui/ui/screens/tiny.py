"""What is shown while the terminal is too small for anything else."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.geometry import Size
from textual.widgets import Static

from kbtui.ui.screens.dialog import Dialog

LEAST = Size(40, 12)


def too_small(size: Size) -> bool:
    """True when nothing useful fits."""
    return size.width < LEAST.width or size.height < LEAST.height


class TinyScreen(Dialog[None]):
    """One sentence; goes away by itself when the terminal grows."""

    def compose(self) -> ComposeResult:
        yield Static(id="tiny", markup=False)

    def on_mount(self) -> None:
        self.show(self.app.size)

    def show(self, size: Size) -> None:
        """Say how large the terminal is."""
        text = f"terminal too small (have {size.width}x{size.height}, need {LEAST.width}x{LEAST.height})"
        self.query_one(Static).update(text)
