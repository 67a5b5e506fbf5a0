"""Glyphs and colours that mean the same everywhere; a meaning is never told by its colour alone."""

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
