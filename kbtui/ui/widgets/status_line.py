"""The top line: folder, model, progress of the question and model usage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from kbtui.i18n import _, ngettext
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import bar, duration, elide, row
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.workspace import FolderStatus
from kbtui.view.kind_words import model_words

if TYPE_CHECKING:
    from kbtui.view.view_state import RunView

_DOT = " · "
_SOURCE_CELLS = 20
_OMISSIONS = 3
"""Number of parts of the folder that a narrow line leaves out, one after the other."""
_DOT_PART = Content.styled(_DOT, MUTED)


class StatusLine(Widget):
    """Folder, files and model at the left; progress at the right."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._folder = FolderStatus(kb=Path())
        self._view: RunView | None = None
        self._now = ""
        self._place = ""

    def show_folder(self, folder: FolderStatus) -> None:
        self._folder = folder
        self.refresh()

    def show_run(self, view: RunView | None, *, now: str = "", place: str = "") -> None:
        """Show the progress of a run; ``place`` is its position among several questions."""
        self._view, self._now, self._place = view, now, place
        self.refresh()

    def render(self) -> Content:
        """The line in full if it fits; else with shorter usage, then without parts of the folder, then of the run."""
        width = self.content_size.width
        full = [part for part in (self._indexing(), self._run()) if part]
        right = [part for part in (self._indexing(), self._run(in_brief=True)) if part]
        usages = [Content.styled(form, MUTED) for form in self._usage()] or [Content("")]
        left = [self._left(omitted) for omitted in range(_OMISSIONS + 1)]
        candidates = [(left[0], [*full, usage]) for usage in usages]
        candidates += [(shorter, [*full, usages[-1]]) for shorter in left[1:]] + [(left[-1], right)]
        lines = [(_DOT_PART.join(start), _DOT_PART.join(filter(None, end))) for start, end in candidates]
        fitting = (line for line in lines if line[0].cell_length + line[1].cell_length + 2 <= width)
        return row(*next(fitting, lines[-1]), width)

    def _left(self, omitted: int) -> list[Content]:
        """The folder without the first ``omitted`` of: number of files, data sources, model."""
        folder = self._folder
        files = ngettext("{count:,} file", "{count:,} files", folder.files) if folder.files else ""
        about = (files, sources_text(folder.sources) if folder.sources else "", model_words(folder.model))
        place = self._place.removeprefix(_("question ")) if omitted else self._place
        texts = [text for text in (*about[omitted:], place) if text]
        name = Content.styled(one_line(folder.kb.name or str(folder.kb)), "bold")
        return [name, *(Content.styled(text, MUTED) for text in texts)]

    def _usage(self) -> tuple[str, ...]:
        """The model usage of the run, in texts from long to short."""
        if self._view is None or not self._view.llm_calls:
            return ()
        from kbtui.view.usage_words import usage_forms

        return usage_forms(self._view.usage)

    def _indexing(self) -> Content:
        folder = self._folder
        if folder.phase == "opening":
            return Content.styled(_("opening"), MUTED)
        if folder.phase == "loading":
            return Content.styled(_("loading the model"), MUTED)
        if folder.phase not in ("indexing", "refreshing"):
            return Content("")
        return progress_text(folder, 6)

    def _run(self, *, in_brief: bool = False) -> Content:
        view = self._view
        if view is None:
            return Content("")
        from kbtui.view.view_state import activity

        if view.phase == "idle":
            return Content.styled(_("waiting"), "$accent")
        seconds = view.elapsed_s
        if view.phase == "completed":
            seconds = view.duration_ms / 1000 or seconds
            head = Content(_("done"))
        elif view.phase == "running":
            head = Content.styled(activity(view), "$accent")
            if self._now:
                seconds = max(seconds, _between(view.started_at, self._now))
        else:
            was_cancelled = view.phase == "cancelled"
            status = _("cancelled") if was_cancelled else _("failed")
            head = Content.styled(status, "$text-warning" if was_cancelled else "$text-error")
        parts = [head]
        if view.iteration > 1 and not in_brief:
            parts.append(Content.styled(_("went back for more"), MUTED))
        parts.append(Content.styled(duration(seconds), MUTED))
        return _DOT_PART.join(parts)


def sources_text(sources: Sequence[str]) -> str:
    """The name of a single data source, or the number of several."""
    if len(sources) == 1:
        return elide(one_line(sources[0]), _SOURCE_CELLS)
    return _("{count} data sources", count=len(sources))


def progress_text(folder: FolderStatus, width: int) -> Content:
    """The progress of indexing: ``indexing ███▌ 120/736``, or ``vectors 42 %`` once only vectors are missing."""
    word = _("indexing") if folder.phase == "indexing" else _("refreshing")
    progress = folder.progress
    if folder.phase == "refreshing" and progress is not None and progress.stage == "embed" and progress.total:
        # Rounded down, so that 100 % means all.
        return Content.assemble((f"{_('vectors')} ", "$accent"), (f"{100 * progress.done // progress.total} %", MUTED))
    if progress is None:
        return Content.styled(word, "$accent")
    if not progress.total:
        return Content.assemble((word, "$accent"), (f" {progress.done:,}" if progress.done else "", MUTED))
    return Content.assemble(
        (f"{word} ", "$accent"),
        (bar(progress.done / progress.total, width), "$accent on $foreground 12%"),
        (f" {progress.done:,}/{progress.total:,}", MUTED),
    )


def _between(start: str, end: str) -> float:
    from datetime import datetime

    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() if start else 0.0
