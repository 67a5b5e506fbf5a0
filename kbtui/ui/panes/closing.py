"""How a question went: the line under its answer, and above that line what went less well."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from kbtui.domain.events import Warned
from kbtui.i18n import _, made, ngettext
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import kept_words, seconds_since, stage_state, state_text, working_for
from kbtui.ui.panes.silence import outcome_words
from kbtui.ui.widgets.cells import duration, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED, STYLES
from kbtui.view.view_state import RunView, activity

_SILENT_S = 5.0
"""When a stream that brings nothing is worth a word: models pause for breath."""


def stale_line(changed: Sequence[str], again: str, width: int) -> Content:
    """What is said of an answer that is no longer true of the files.

    Args:
        changed: Names of the files that no longer hold what the answer cites.
        again: The key that asks the question again.
    """
    text = f"! {_stale_words(changed)} · {_('{key} asks again', key=again)}"
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
        words.append(_calls(view))
    if view.evidence:
        words.append(kept_words(view))
    if view.iteration > 1:
        words.append(_("went back for more"))
    words += usage_forms(view.usage)[:1] if view.llm_calls else []
    notes = _note_count(view)
    if notes:
        words.append("! " + ngettext("{count:,} note", "{count:,} notes", notes))
    line = Content.assemble((f"{GLYPHS[state]} ", STYLES[state]), (" · ".join(words), MUTED))
    return line.truncate(width, ellipsis=True)


def _calls(view: RunView) -> str:
    """How many tools were called; beside data they are not only searches."""
    if view.sources and view.tables:
        return ngettext("{count:,} call", "{count:,} calls", len(view.calls))
    return ngettext("{count:,} search", "{count:,} searches", len(view.calls))


def _stale_words(changed: Sequence[str]) -> str:
    name, others = one_line(changed[0]), len(changed) - 1
    if not others:
        return _("stale: {file} changed", file=name)
    return ngettext(
        "stale: {file} and {count:,} other changed", "stale: {file} and {count:,} others changed", others, file=name
    )


def _progress_words(view: RunView, now: str) -> str:
    """What is going on, and for how long."""
    text = state_text(view, "answer", now)
    if view.answer is not None and view.answer.is_early:
        return early_words(view)
    if view.first_token_s is not None and stage_state(view, "answer") == "working":
        text = f"{_('writing')} {working_for(view, view.stages['answer'].since, now)}".rstrip()
        if seconds_since(view, view.last_at, now) >= _SILENT_S:
            text = _("nothing new for {time}", time=working_for(view, view.last_at, now))
        return f"{_('first words {time}', time=duration(view.first_token_s))} · {text}"
    if text != _("waiting"):
        return text
    if view.phase == "idle":
        return _("waiting for the folder")
    return f"{activity(view)} {working_for(view, view.started_at, now)}".rstrip()


def early_words(view: RunView) -> str:
    """How much an early answer is from, and how far reading the rest is."""
    assert view.answer is not None
    read, total = view.answer.files_read, view.answer.files_total
    if view.finished:
        return _("from {read:,} of {total:,} files", read=read, total=total)
    if view.progress is not None and view.progress.stage == "read":
        read = max(read, view.progress.done)
    return _("first answer · still reading {read:,} of {total:,} files", read=read, total=total)


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
        notes.append((_("Asked as soon as the folder is ready."), MUTED))
    if view.progress is not None and view.stages["intent"].status == "working":
        # Nothing else is to be seen yet: an index that is brought up to date, a large file that is opened.
        what = one_line(view.progress.message or view.progress.stage)
        notes.append((_("opening {name}…", name=what) if view.progress.stage == "open" else f"{what}…", MUTED))
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
