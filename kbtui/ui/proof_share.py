"""The share of the screen that the proof takes, which keys and dragging its border change."""

from __future__ import annotations

from typing import Literal

from textual.geometry import Offset, Region
from textual.widget import Widget

Layout = Literal["wide", "two", "narrow"]
"""The proof is right of the conversation (``wide``), left of it (``two``) or below it (``narrow``)."""

_DEFAULTS: dict[Layout, int] = {"wide": 38, "two": 42, "narrow": 55}
"""Per cent, as in the style sheet."""
_MIN_SHARE = 20
_MAX_SHARES: dict[Layout, int] = {"wide": 50, "two": 70, "narrow": 70}
"""Limits that keep part of the conversation visible, also beside the rail."""
_STEP = 4


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
