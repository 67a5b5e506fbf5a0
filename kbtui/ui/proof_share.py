"""How much of the screen the proof has beside the conversation, or below it: by key or by dragging its border."""

from __future__ import annotations

from typing import Literal

from textual.geometry import Offset, Region
from textual.widget import Widget

Layout = Literal["wide", "two", "narrow"]
"""The proof right of the conversation, left of it, below it."""

_DEFAULTS: dict[Layout, int] = {"wide": 38, "two": 42, "narrow": 55}
"""Per cent, as the style sheet has it."""
_LEAST = 20
_MOST: dict[Layout, int] = {"wide": 50, "two": 70, "narrow": 70}
"""Something of the conversation is always to be read, beside the rail too."""
_STEP = 4


class ProofShare:
    """A share for each layout, kept for the sitting."""

    def __init__(self) -> None:
        self._shares: dict[Layout, int] = {}

    def step(self, layout: Layout, by: int) -> None:
        """Give the proof more room, or less."""
        self._set(layout, self._shares.get(layout, _DEFAULTS[layout]) + by * _STEP)

    def put_edge(self, layout: Layout, at: Offset, panes: Region) -> None:
        """Have the border that faces the conversation stand there."""
        if layout == "narrow":
            self._set(layout, round(100 * (panes.bottom - at.y) / max(1, panes.height)))
        else:
            cells = panes.right - at.x if layout == "wide" else at.x + 1 - panes.x
            self._set(layout, round(100 * cells / max(1, panes.width)))

    def _set(self, layout: Layout, share: int) -> None:
        self._shares[layout] = max(_LEAST, min(_MOST[layout], share))

    def apply(self, layout: Layout, proof: Widget, *, alone: bool) -> None:
        """Style the proof; where nothing was chosen, and where it has the whole screen, the style sheet does."""
        for rule in ("width", "max_width", "height"):
            proof.styles.clear_rule(rule)
        share = None if alone else self._shares.get(layout)
        if share is not None and layout == "narrow":
            proof.styles.height = f"{share}%"
        elif share is not None:
            proof.styles.width, proof.styles.max_width = f"{share}%", "100%"


def is_edge(layout: Layout, at: Offset, proof: Region) -> bool:
    """True on the border of the proof that faces the conversation."""
    if not proof.contains_point(at):
        return False
    match layout:
        case "wide":
            return at.x == proof.x
        case "two":
            return at.x == proof.right - 1
        case "narrow":
            return at.y == proof.y
