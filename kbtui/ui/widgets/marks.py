"""Glyphs and colours of states, the same on every screen; no meaning is conveyed by colour alone."""

from __future__ import annotations

GLYPHS = {"waiting": "·", "working": "▸", "done": "✓", "failed": "✗", "cancelled": "⊘"}

MUTED = "$foreground 60%"

STYLES = {
    "waiting": MUTED,
    "working": "$accent",
    "done": MUTED,
    "failed": "$text-error",
    "cancelled": "$text-warning",
}
