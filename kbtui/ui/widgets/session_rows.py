"""What lists and previews say about a recorded session."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from textual.content import Content

from kbtui.sessions.summary import SessionPreview, SessionSummary
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import MUTED
from kbtui.ui.widgets.cells import elide, row, wrapped
from kbtui.ui.widgets.rows import Row

_OUTCOMES = {
    "answered": ("✓", "answered"),
    "partial": ("✓", "answered in part"),
    "not_found": ("·", "nothing found"),
    "declined": ("·", "declined"),
    "failed": ("✗", "failed"),
    "cancelled": ("⊘", "cancelled"),
    "unfinished": ("…", "not finished"),
}


def matches(one: SessionSummary, words: Sequence[str]) -> bool:
    """True when all words (case-folded) occur in what the list knows of a session."""
    text = " ".join((one.session_id, one.query, one.kb, one.model, one.outcome, one.problem)).casefold()
    return all(word in text for word in words)


def session_row(one: SessionSummary) -> Row:
    """How it ended and its first question; below, where and when."""
    sign, _ = ("!", one.problem) if one.problem else _OUTCOMES[one.outcome]

    def make(width: int) -> Sequence[Content]:
        query = one_line(one.query) or one_line(one.session_id)
        runs = f"{one.runs}{'' if one.runs_exact else '+'} asked" if one.runs > 1 or not one.runs_exact else ""
        facts = " · ".join(part for part in (one_line(Path(one.kb).name), one_line(one.problem), runs) if part)
        return [
            Content.assemble((f"{sign} ", MUTED), elide(query, width - 2)),
            row(Content.styled(f"  {facts}", MUTED), Content.styled(when(one.started), MUTED), width),
        ]

    return Row(one.session_id, make)


def note_row(text: str) -> Row:
    """A sentence where rows would stand."""
    return Row("", lambda width: wrapped(Content.styled(text, MUTED), width))


def about(one: SessionSummary, found: SessionPreview, width: int) -> list[Content]:
    """The head of the preview: the whole question, and the facts."""
    lines = wrapped(Content.styled(one_line(found.question or one.query or one.session_id), "bold"), width, lines=4)
    words = "cannot be opened" if one.problem else _OUTCOMES[one.outcome][1]
    facts = (words, one_line(one.model), _size(one.size), one_line(one.session_id))
    lines += wrapped(Content.styled(" · ".join(fact for fact in facts if fact), MUTED), width)
    return [*lines, Content("")]


def when(started: str) -> str:
    """Local date and time, as lists show it; empty when unknown."""
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return ""


def _size(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
