"""Which of rail, conversation and proof are on the screen: by its width, and by what the user chose."""

from __future__ import annotations

from typing import Literal

from kbtui.ui.proof_share import Layout

WIDE_COLUMNS = 160
"""From here on rail, conversation and proof stand beside each other."""
NARROW_COLUMNS = 100
"""Below this, one column: the rail is a line and the proof a sheet from below."""

Side = Literal["", "rail", "proof"]
Part = Literal["rail", "conversation", "proof"]


class Arrangement:
    """The parts of the screen, and which of them are shown.

    Attributes:
        layout: Beside each other, two columns, or one.
        zoomed: The part that has the whole screen.
    """

    def __init__(self) -> None:
        self.layout: Layout = "two"
        self.zoomed: Part | None = None
        self._side: Side = "rail"
        self._chosen: Side | None = None
        self._hidden: set[Part] = set()

    def fit(self, width: int) -> None:
        """Take the layout for a screen of ``width`` cells."""
        narrow = width < NARROW_COLUMNS
        if self._chosen is None:
            # The rail is beside the conversation unasked, never over it.
            if narrow and self._side == "rail":
                self._side = ""
            elif not narrow and not self._side:
                self._side = "rail"
        self.layout = "narrow" if narrow else "wide" if width >= WIDE_COLUMNS else "two"

    def shows(self, part: Part) -> bool:
        """True where a part is to be seen."""
        if self.zoomed is not None:
            return part == self.zoomed
        if part == "conversation":
            return True
        return part not in self._hidden if self.layout == "wide" else self._side == part

    def show_run(self) -> None:
        """A question is asked: the rail stands beside the conversation, unless something else was chosen."""
        if self._chosen is None:
            self._side = "" if self.layout == "narrow" else "rail"

    def show_side(self, side: Side) -> None:
        """Show the rail or the proof where there is no room for both."""
        self._side = side
        if side:
            self._hidden.discard(side)

    def choose(self, part: Literal["rail", "proof"]) -> bool:
        """Show a part, or hide one that is shown; kept for the questions to come. True when it is shown now."""
        shown = not self.shows(part)
        self.zoomed = None
        if self.layout == "wide":
            (self._hidden.discard if shown else self._hidden.add)(part)
        self._side = self._chosen = part if shown else ""
        return shown

    def zoom(self, part: Part) -> None:
        """Give a part the whole screen, or all of them their places back."""
        self.zoomed = part if self.zoomed is None else None

    @property
    def covers(self) -> bool:
        """True while the rail or the proof lies over the conversation."""
        return self.layout == "narrow" and bool(self._side)
