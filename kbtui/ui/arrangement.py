"""Decides which of rail, conversation and proof are shown, by the width of the screen and the user's choice."""

from __future__ import annotations

from typing import Literal

from kbtui.ui.proof_share import Layout

WIDE_COLUMNS = 160
"""Width from which rail, conversation and proof are shown side by side."""
NARROW_COLUMNS = 100
"""Width below which there is one column: the rail is a line and the proof covers the lower part."""

Side = Literal["", "rail", "proof"]
Part = Literal["rail", "conversation", "proof"]


class Arrangement:
    """The parts of the screen and whether they are shown.

    Attributes:
        layout: Three columns, two columns or one.
        zoomed: The part that fills the screen; None for none.
    """

    def __init__(self) -> None:
        self.layout: Layout = "two"
        self.zoomed: Part | None = None
        self._side: Side = "rail"
        self._user_side: Side | None = None
        self._hidden: set[Part] = set()

    def fit(self, width: int) -> None:
        """Choose the layout for a screen of ``width`` cells."""
        narrow = width < NARROW_COLUMNS
        if self._user_side is None:
            # By default the rail is shown beside the conversation, but never over it.
            if narrow and self._side == "rail":
                self._side = ""
            elif not narrow and not self._side:
                self._side = "rail"
        self.layout = "narrow" if narrow else "wide" if width >= WIDE_COLUMNS else "two"

    def is_shown(self, part: Part) -> bool:
        """Whether a part is shown."""
        if self.zoomed is not None:
            return part == self.zoomed
        if part == "conversation":
            return True
        return part not in self._hidden if self.layout == "wide" else self._side == part

    def show_run(self) -> None:
        """Show the rail of a new run beside the conversation, unless the user chose otherwise."""
        if self._user_side is None:
            self._side = "" if self.layout == "narrow" else "rail"

    def show_side(self, side: Side) -> None:
        """Show the rail or the proof in a layout that has no room for both."""
        self._side = side
        if side:
            self._hidden.discard(side)

    def toggle(self, part: Literal["rail", "proof"]) -> bool:
        """Show or hide a part, also for later questions; returns whether it is now shown."""
        is_shown = not self.is_shown(part)
        self.zoomed = None
        if self.layout == "wide":
            (self._hidden.discard if is_shown else self._hidden.add)(part)
        self._side = self._user_side = part if is_shown else ""
        return is_shown

    def zoom(self, part: Part) -> None:
        """Let a part fill the screen, or end the zoom."""
        self.zoomed = part if self.zoomed is None else None

    @property
    def has_overlay(self) -> bool:
        """Whether the rail or the proof covers the conversation."""
        return self.layout == "narrow" and bool(self._side)
