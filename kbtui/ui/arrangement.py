"""Decides which of rail, conversation and proof are shown, and how much room the proof takes.

The width of the screen decides, and what the user chose by keys or by dragging the border of the proof.
"""

from __future__ import annotations

from typing import Literal

from textual.geometry import Offset, Region
from textual.widget import Widget

WIDE_COLUMNS = 160
"""Width from which rail, conversation and proof are shown side by side."""
NARROW_COLUMNS = 100
"""Width below which there is one column: the rail is a line and the proof covers the lower part."""

Side = Literal["", "rail", "proof"]
Part = Literal["rail", "conversation", "proof"]
Layout = Literal["wide", "two", "narrow"]
"""The proof is right of the conversation (``wide``), left of it (``two``) or below it (``narrow``)."""

_DEFAULTS: dict[Layout, int] = {"wide": 38, "two": 42, "narrow": 55}
"""Per cent, as in the style sheet."""
_MIN_SHARE = 20
_MAX_SHARES: dict[Layout, int] = {"wide": 50, "two": 70, "narrow": 70}
"""Limits that keep part of the conversation visible, also beside the rail."""
_STEP = 4


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


class ProofShare:
    """The chosen share in each layout, kept while the app runs."""

    def __init__(self) -> None:
        self._shares: dict[Layout, int] = {}

    def step(self, layout: Layout, by: int) -> None:
        """Enlarge or shrink the proof."""
        self._set(layout, self._shares.get(layout, _DEFAULTS[layout]) + by * _STEP)

    def move_edge(self, layout: Layout, at: Offset, panes: Region) -> None:
        """Move the border between proof and conversation to ``at``."""
        if layout == "narrow":
            self._set(layout, round(100 * (panes.bottom - at.y) / max(1, panes.height)))
        else:
            cells = panes.right - at.x if layout == "wide" else at.x + 1 - panes.x
            self._set(layout, round(100 * cells / max(1, panes.width)))

    def _set(self, layout: Layout, share: int) -> None:
        self._shares[layout] = max(_MIN_SHARE, min(_MAX_SHARES[layout], share))

    def apply(self, layout: Layout, proof: Widget, *, alone: bool) -> None:
        """Set the size of the proof; the style sheet applies if no share was chosen or the proof fills the screen."""
        for rule in ("width", "max_width", "height"):
            proof.styles.clear_rule(rule)
        share = None if alone else self._shares.get(layout)
        if share is not None and layout == "narrow":
            proof.styles.height = f"{share}%"
        elif share is not None:
            proof.styles.width, proof.styles.max_width = f"{share}%", "100%"


def is_edge(layout: Layout, at: Offset, proof: Region) -> bool:
    """Whether ``at`` is on the border between proof and conversation."""
    if not proof.contains_point(at):
        return False
    match layout:
        case "wide":
            return at.x == proof.x
        case "two":
            return at.x == proof.right - 1
        case "narrow":
            return at.y == proof.y
