"""What lists and previews say about a recorded session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from textual.content import Content

from kbtui.i18n import N_, _, made
from kbtui.sessions.summary import SessionPreview, SessionSummary
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import MUTED
from kbtui.ui.widgets.cells import elide, row, wrapped
from kbtui.ui.widgets.rows import Row
from kbtui.view.kind_words import model_words

PINNED, HERE, ELSEWHERE = N_("Pinned"), N_("This folder"), N_("Other folders")

_OUTCOMES = {
    "answered": ("✓", N_("answered")),
    "partial": ("✓", N_("answered in part")),
    "not_found": ("·", N_("nothing found")),
    "declined": ("·", N_("declined")),
    "failed": ("✗", N_("failed")),
    "cancelled": ("⊘", N_("cancelled")),
    "unfinished": ("…", N_("not finished")),
}


def sections(
    shown: Iterable[SessionSummary], is_here: Callable[[str], bool]
) -> tuple[tuple[str, tuple[SessionSummary, ...]], ...]:
    """Sessions under their headings, in the order given: pinned ones, those of this folder, those of others."""
    groups: dict[str, list[SessionSummary]] = {PINNED: [], HERE: [], ELSEWHERE: []}
    here: dict[str, bool] = {}
    for one in shown:
        if one.kb not in here:
            here[one.kb] = is_here(one.kb)
        groups[PINNED if one.pinned else HERE if here[one.kb] else ELSEWHERE].append(one)
    return tuple((heading, tuple(group)) for heading, group in groups.items() if group)


def session_rows(groups: Iterable[tuple[str, Iterable[SessionSummary]]], now: datetime, marked: str) -> list[Row]:
    """The rows of a list, each made when it comes into sight; ``marked`` is the id of the one to be compared."""
    rows: list[Row] = []
    for heading, group in groups:
        rows.append(_heading_row(_(heading)))
        folder = heading != HERE
        rows += [
            # No closures: thousands of them and of their cells are looked through for garbage.
            Row(one.session_id, partial(_session_lines, one, now, one.session_id == marked, folder), 2)
            for one in group
        ]
    return rows


def _heading_row(text: str) -> Row:
    return Row("", lambda width: [Content.styled(elide(text, width), MUTED)], height=1)


def _session_lines(one: SessionSummary, now: datetime, marked: bool, folder: bool, width: int) -> Sequence[Content]:
    """How it ended and its name or first question; below, where and when."""
    sign = "!" if one.problem else _OUTCOMES[one.outcome][0]
    runs = f"{one.runs}{'' if one.runs_exact else '+'}"
    runs = _("{count} asked", count=runs) if one.runs > 1 or not one.runs_exact else ""
    about = one_line(one.query) if one.name else ""
    place = one_line(Path(one.kb).name) if folder else ""
    facts = " · ".join(part for part in (place, one_line(made(one.problem)), runs, about) if part)
    mark = Content.styled(_("compare"), "$accent") if marked else Content("")
    return [
        row(Content.assemble((f"{sign} ", MUTED), one_line(one.title)), mark, width),
        row(Content.styled(f"  {facts}", MUTED), Content.styled(ago(one.last_at, now), MUTED), width),
    ]


def note_row(text: str) -> Row:
    """A sentence where rows would stand."""
    return Row("", lambda width: wrapped(Content.styled(text, MUTED), width))


def about(one: SessionSummary, found: SessionPreview, width: int) -> list[Content]:
    """The head of the preview: the whole question, and the facts."""
    question = found.question or one.query or one.session_id
    lines = wrapped(Content.styled(one_line(one.name), "bold $accent"), width) if one.name else []
    lines += wrapped(Content.styled(one_line(question), "bold"), width, lines=4)
    words = _("cannot be opened") if one.problem else _(_OUTCOMES[one.outcome][1])
    facts = (words, when(one.started), model_words(one.model), _size(one.size), one_line(one.session_id))
    lines += wrapped(Content.styled(" · ".join(fact for fact in facts if fact), MUTED), width)
    return [*lines, Content("")]


def ago(at: str, now: datetime) -> str:
    """How long ago, as people say it: ``3 min ago``, ``yesterday``, then the local date; empty when unknown."""
    then = _local(at)
    if then is None:
        return ""
    today, seconds = now.astimezone().date(), (now - then).total_seconds()
    if 0 <= seconds < 3600:
        return _("just now") if seconds < 60 else _("{n:.0f} min ago", n=seconds // 60)
    if then.date() == today and seconds >= 0:
        return _("{n:.0f} h ago", n=seconds // 3600)
    return _("yesterday") if then.date() == today - timedelta(days=1) else f"{then:%Y-%m-%d}"


def when(at: str) -> str:
    """Local date and time; empty when unknown."""
    then = _local(at)
    return f"{then:%Y-%m-%d %H:%M}" if then else ""


def _local(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError):
        return None


def _size(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
