"""Rows and preview heads of recorded sessions."""

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
from kbtui.ui.widgets.cells import byte_size, row, wrapped
from kbtui.ui.widgets.rows import Row, heading_row
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
    sessions: Iterable[SessionSummary], is_here: Callable[[str], bool]
) -> tuple[tuple[str, tuple[SessionSummary, ...]], ...]:
    """Sessions by heading (pinned, this folder, other folders), each in the given order."""
    groups: dict[str, list[SessionSummary]] = {PINNED: [], HERE: [], ELSEWHERE: []}
    is_here_by_folder: dict[str, bool] = {}
    for session in sessions:
        if session.kb not in is_here_by_folder:
            is_here_by_folder[session.kb] = is_here(session.kb)
        groups[PINNED if session.pinned else HERE if is_here_by_folder[session.kb] else ELSEWHERE].append(session)
    return tuple((heading, tuple(group)) for heading, group in groups.items() if group)


def session_rows(groups: Iterable[tuple[str, Iterable[SessionSummary]]], now: datetime, marked_id: str) -> list[Row]:
    """The rows of a list of sessions; ``marked_id`` is the session marked for comparison, empty for none."""
    rows: list[Row] = []
    for heading, group in groups:
        rows.append(heading_row(_(heading)))
        with_folder = heading != HERE
        rows += [
            # Partials instead of closures, because garbage collection of thousands of closure cells is slow.
            Row(
                session.session_id,
                partial(_session_lines, session, now, session.session_id == marked_id, with_folder),
                2,
            )
            for session in group
        ]
    return rows


def _session_lines(
    session: SessionSummary, now: datetime, is_marked: bool, with_folder: bool, width: int
) -> Sequence[Content]:
    """Two lines: outcome and title, then folder, problem, number of questions and time."""
    sign = "!" if session.problem else _OUTCOMES[session.outcome][0]
    runs = f"{session.runs}{'' if session.runs_exact else '+'}"
    runs = _("{count} asked", count=runs) if session.runs > 1 or not session.runs_exact else ""
    question = one_line(session.query) if session.name else ""
    place = one_line(Path(session.kb).name) if with_folder else ""
    facts = " · ".join(part for part in (place, one_line(made(session.problem)), runs, question) if part)
    mark = Content.styled(_("compare"), "$accent") if is_marked else Content("")
    return [
        row(Content.assemble((f"{sign} ", MUTED), one_line(session.title)), mark, width),
        row(Content.styled(f"  {facts}", MUTED), Content.styled(ago(session.last_at, now), MUTED), width),
    ]


def about(session: SessionSummary, preview: SessionPreview, width: int) -> list[Content]:
    """The head of the preview: name, question and facts."""
    question = preview.question or session.query or session.session_id
    lines = wrapped(Content.styled(one_line(session.name), "bold $accent"), width) if session.name else []
    lines += wrapped(Content.styled(one_line(question), "bold"), width, lines=4)
    outcome = _("cannot be opened") if session.problem else _(_OUTCOMES[session.outcome][1])
    facts = (
        outcome,
        local_time(session.started),
        model_words(session.model),
        byte_size(session.size),
        one_line(session.session_id),
    )
    lines += wrapped(Content.styled(" · ".join(fact for fact in facts if fact), MUTED), width)
    return [*lines, Content("")]


def ago(at: str, now: datetime) -> str:
    """A time relative to now (``3 min ago``, ``yesterday``), or the local date; empty if unknown."""
    moment = _local(at)
    if moment is None:
        return ""
    today, seconds = now.astimezone().date(), (now - moment).total_seconds()
    if 0 <= seconds < 3600:
        return _("just now") if seconds < 60 else _("{n:.0f} min ago", n=seconds // 60)
    if moment.date() == today and seconds >= 0:
        return _("{n:.0f} h ago", n=seconds // 3600)
    return _("yesterday") if moment.date() == today - timedelta(days=1) else f"{moment:%Y-%m-%d}"


def local_time(at: str) -> str:
    """The local date and time; empty if unknown."""
    moment = _local(at)
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""


def _local(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError):
        return None
