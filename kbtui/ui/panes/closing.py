"""How a question went: the line under its answer, and above that line what went less well."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from kbtui.domain.events import Warned
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import kept_words, seconds_since, stage_state, state_text, working_for
from kbtui.ui.panes.silence import outcome_words
from kbtui.ui.widgets.cells import duration, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.view_state import RunView, doing

_SILENT_S = 5.0
"""When a stream that brings nothing is worth a word: models pause for breath."""


def stale_line(changed: Sequence[str], again: str, width: int) -> Content:
    """What is said of an answer that is no longer true of the files.

    Args:
        changed: Names of the files that no longer hold what the answer cites.
        again: The key that asks the question again.
    """
    files = one_line(changed[0]) + (f" and {counted(len(changed) - 1, 'other')}" if len(changed) > 1 else "")
    text = f"! stale: {files} changed · {again} asks again"
    return Content.styled(text, "$text-warning").truncate(width, ellipsis=True)


def closing_line(view: RunView, now: str, width: int) -> Content:
    """How a question went, or goes: ``✓ 0.4 s · 1 search · 5 of 10 kept``."""
    from kbtui.view.usage_words import usage_forms

    if not view.query:
        return Content("")
    if not view.finished:
        return Content.styled(f"{GLYPHS['working']} {_progress_words(view, now)}", "$accent").truncate(
            width, ellipsis=True
        )
    state = "done" if view.phase == "completed" else view.phase
    seconds = view.duration_ms / 1000 or view.elapsed_s
    words = [duration(seconds)]
    if view.outcome not in (None, "answered"):
        words.insert(0, outcome_words(view))
    if view.answer is not None and view.answer.is_early:
        words.append(early_words(view))
    if view.calls:
        words.append(counted(len(view.calls), "call" if view.sources and view.tables else "search"))
    if view.evidence:
        words.append(kept_words(view))
    if view.iteration > 1:
        words.append("went back for more")
    words += usage_forms(view.usage)[:1] if view.llm_calls else []
    notes = _note_count(view)
    if notes:
        words.append(f"! {counted(notes, 'note')}")
    line = Content.assemble((f"{GLYPHS[state]} ", STYLES[state]), (" · ".join(words), MUTED))
    return line.truncate(width, ellipsis=True)


def _progress_words(view: RunView, now: str) -> str:
    """What is going on, and for how long."""
    text = state_text(view, "answer", now)
    if view.answer is not None and view.answer.is_early:
        return early_words(view)
    if view.first_token_s is not None and stage_state(view, "answer") == "working":
        text = f"writing {working_for(view, view.stages['answer'].since, now)}".rstrip()
        if seconds_since(view, view.last_at, now) >= _SILENT_S:
            text = f"nothing new for {working_for(view, view.last_at, now)}"
        return f"first words {duration(view.first_token_s)} · {text}"
    if text != "waiting":
        return text
    if view.phase == "idle":
        return "waiting for the folder"
    return f"{doing(view)} {working_for(view, view.started_at, now)}".rstrip()


def early_words(view: RunView) -> str:
    """How much an early answer is from, and how far reading the rest is."""
    assert view.answer is not None
    read, total = view.answer.files_read, view.answer.files_total
    if view.finished:
        return f"from {read:,} of {total:,} files"
    if view.progress is not None and view.progress.stage == "read":
        read = max(read, view.progress.done)
    return f"first answer · still reading {read:,} of {total:,} files"


def _warnings(view: RunView) -> tuple[Warned, ...]:
    """Those about the answer; how far the work was off its plan stands beside the plan."""
    return tuple(warning for warning in view.warnings if warning.where != "deviation")


def _note_count(view: RunView) -> int:
    """How many remarks stand above the line that says how the question went."""
    stale = sum(1 for citation in view.citations if citation.stale)
    return len(_warnings(view)) + stale + (len(view.answer.unsupported) if view.answer is not None else 0)


def note_lines(view: RunView, width: int) -> list[Content]:
    """What stands under the text: how a broken run ended, what is not backed, what went less well."""
    notes: list[tuple[str, str]] = []
    if view.phase == "idle" and view.query:
        notes.append(("Asked as soon as the folder is ready.", MUTED))
    if view.progress is not None and view.stages["intent"].status == "working":
        # Nothing else is to be seen yet: an index that is brought up to date, a large file that is opened.
        words = "opening " if view.progress.stage == "open" else ""
        notes.append((f"{words}{one_line(view.progress.message or view.progress.stage)}…", MUTED))
    if view.phase == "cancelled":
        notes.append(("⊘ Cancelled.", "$text-warning"))
    elif view.error is not None:
        notes.append((f"✗ {one_line(view.error.message or view.error.error)}", "$text-error"))
        if view.error.hint:
            notes.append((f"  {one_line(view.error.hint)}", MUTED))
    if view.answer is not None:
        notes += [(f"? No source for: {one_line(text)}", "$text-warning") for text in view.answer.unsupported]
        notes += [
            (f"! Source [{citation.n}] has changed since it was indexed.", "$text-warning")
            for citation in view.citations
            if citation.stale
        ]
    notes += [(f"! {one_line(warning.message)}", "$text-warning") for warning in _warnings(view)]
    lines: list[Content] = []
    for text, style in notes:
        lines += wrapped(Content.styled(text, style), width, indent=2)
    return lines
