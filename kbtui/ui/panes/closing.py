"""The end of a turn: notes about problems, and a line with outcome, duration and counts."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from kbtui.domain.events import Warned
from kbtui.i18n import _, made, ngettext
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import elapsed_text, kept_text, seconds_since, stage_state, state_text
from kbtui.ui.panes.silence import outcome_text
from kbtui.ui.widgets.cells import duration, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.view_state import RunView, activity

_DOT = " · "
_STALLED_AFTER_S = 5.0
"""Seconds without new text after which a stream is reported as stalled; shorter pauses are normal."""


def stale_line(changed: Sequence[str], again: str, width: int) -> Content:
    """The warning that cited files have changed.

    Args:
        changed: Names of files that no longer contain the quoted lines.
        again: Key that asks the question again.
        width: Width in cells.
    """
    text = f"! {_stale_text(changed)} · {_('{key} asks again', key=again)}"
    return Content.styled(text, "$text-warning").truncate(width, ellipsis=True)


def closing_line(view: RunView, now: str) -> Content:
    """The progress or outcome of a question, such as ``✓ 0.4 s · 1 search · 5 of 10 kept``."""
    from kbtui.view.usage_words import usage_forms

    if not view.query:
        return Content("")
    if not view.finished:
        return Content.styled(f"{GLYPHS['working']} {_progress_text(view, now)}", "$accent")
    state = "done" if view.phase == "completed" else view.phase
    seconds = view.duration_ms / 1000 or view.elapsed_s
    parts = [duration(seconds)]
    if view.outcome not in (None, "answered"):
        parts.insert(0, outcome_text(view))
    if view.answer is not None and view.answer.is_early:
        parts.append(early_answer_text(view))
    if view.calls:
        parts.append(_calls_text(view))
    if view.evidence:
        parts.append(kept_text(view))
    if view.iteration > 1:
        parts.append(_("went back for more"))
    parts += usage_forms(view.usage)[:1] if view.llm_calls else []
    notes = _note_count(view)
    if notes:
        parts.append("! " + ngettext("{count:,} note", "{count:,} notes", notes))
    return Content.assemble((f"{GLYPHS[state]} ", STYLES[state]), (_DOT.join(parts), MUTED))


def closing_lines(view: RunView, now: str, width: int) -> list[Content]:
    """The closing line on as many lines of ``width`` cells as its parts need."""
    line = closing_line(view, now)
    if line.cell_length <= width:
        return [line]
    lines: list[Content] = []
    for part in line.split(_DOT, include_separator=True):
        if lines and lines[-1].cell_length + part.rstrip(_DOT).cell_length <= width:
            lines[-1] += part
        else:
            lines.append(Content("  ") + part if lines else part)
    return [line.rstrip(_DOT).truncate(width, ellipsis=True) for line in lines]


def _calls_text(view: RunView) -> str:
    """The number of tool calls; runs over data have other calls than searches."""
    if view.sources and view.tables:
        return ngettext("{count:,} call", "{count:,} calls", len(view.calls))
    return ngettext("{count:,} search", "{count:,} searches", len(view.calls))


def _stale_text(changed: Sequence[str]) -> str:
    name, others = one_line(changed[0]), len(changed) - 1
    if not others:
        return _("stale: {file} changed", file=name)
    return ngettext(
        "stale: {file} and {count:,} other changed", "stale: {file} and {count:,} others changed", others, file=name
    )


def _progress_text(view: RunView, now: str) -> str:
    """The current activity and its duration."""
    text = state_text(view, "answer", now)
    if view.answer is not None and view.answer.is_early:
        return early_answer_text(view)
    if view.first_token_s is not None and stage_state(view, "answer") == "working":
        text = f"{_('writing')} {elapsed_text(view, view.stages['answer'].since, now)}".rstrip()
        if seconds_since(view, view.last_at, now) >= _STALLED_AFTER_S:
            text = _("nothing new for {time}", time=elapsed_text(view, view.last_at, now))
        return f"{_('first words {time}', time=duration(view.first_token_s))} · {text}"
    if text != _("waiting"):
        return text
    if view.phase == "idle":
        return _("waiting for the folder")
    return f"{activity(view)} {elapsed_text(view, view.started_at, now)}".rstrip()


def early_answer_text(view: RunView) -> str:
    """The number of files that an early answer is based on, and the progress of reading the others."""
    assert view.answer is not None
    read, total = view.answer.files_read, view.answer.files_total
    if view.finished:
        return _("from {read:,} of {total:,} files", read=read, total=total)
    if view.progress is not None and view.progress.stage == "read":
        read = max(read, view.progress.done)
    return _("first answer · still reading {read:,} of {total:,} files", read=read, total=total)


def _warnings(view: RunView) -> tuple[Warned, ...]:
    """Warnings about the answer; deviations from the plan are shown with the plan."""
    return tuple(warning for warning in view.warnings if warning.where != "deviation")


def _note_count(view: RunView) -> int:
    """The number of notes above the closing line."""
    stale = sum(1 for citation in view.citations if citation.stale)
    return len(_warnings(view)) + stale + (len(view.answer.unsupported) if view.answer is not None else 0)


def note_lines(view: RunView, width: int) -> list[Content]:
    """Notes under the answer: failures, unsupported claims, changed sources and warnings."""
    notes: list[tuple[str, str]] = []
    if view.phase == "idle" and view.query:
        notes.append((_("Asked as soon as the folder is ready."), MUTED))
    if view.progress is not None and view.stages["intent"].status == "working":
        # Before routing, progress is the only sign of activity, such as an index update or opening a large file.
        name = one_line(view.progress.message or view.progress.stage)
        notes.append((_("opening {name}…", name=name) if view.progress.stage == "open" else f"{name}…", MUTED))
    if view.phase == "cancelled":
        notes.append(("⊘ " + _("Cancelled."), "$text-warning"))
    elif view.error is not None:
        notes.append((f"✗ {one_line(made(view.error.message or view.error.error))}", "$text-error"))
        if view.error.hint:
            notes.append((f"  {one_line(made(view.error.hint))}", MUTED))
    if view.answer is not None:
        notes += [
            ("? " + _("No source for: {claim}", claim=one_line(text)), "$text-warning")
            for text in view.answer.unsupported
        ]
        notes += [
            ("! " + _("Source [{n}] has changed since it was indexed.", n=citation.n), "$text-warning")
            for citation in view.citations
            if citation.stale
        ]
    notes += [(f"! {one_line(made(warning.message))}", "$text-warning") for warning in _warnings(view)]
    lines: list[Content] = []
    for text, style in notes:
        lines += wrapped(Content.styled(text, style), width, indent=2)
    return lines
