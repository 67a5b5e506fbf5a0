"""The present, for the elapsed time of what is still running; all other times on the screen are those of events."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """The present, as events carry it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
