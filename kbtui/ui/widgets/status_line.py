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
        """The line in full if it fits; else with shorter usage, then without the number of files."""
        width = self.content_size.width
        right = [part for part in (self._indexing(), self._run()) if part]
        usages = [Content.styled(form, MUTED) for form in self._usage()] or [Content("")]
        left, shorter = self._left(), self._left(with_files=False)
        candidates = [(left, usage) for usage in usages] + [(shorter, usages[-1])]
        lines = [
            (_DOT_PART.join(parts), _DOT_PART.join([*right, *([usage] if usage else [])]))
            for parts, usage in candidates
        ]
        fitting = (line for line in lines if line[0].cell_length + line[1].cell_length + 2 <= width)
        return row(*next(fitting, lines[-1]), width)

    def _left(self, *, with_files: bool = True) -> list[Content]:
        folder = self._folder
        left = [Content.styled(one_line(folder.kb.name or str(folder.kb)), "bold")]
        if folder.files and with_files:
            left.append(Content.styled(ngettext("{count:,} file", "{count:,} files", folder.files), MUTED))
        if folder.sources:
            left.append(Content.styled(sources_text(folder.sources), MUTED))
        left.append(Content.styled(model_words(folder.model), MUTED))
        if self._place:
            left.append(Content.styled(self._place if with_files else self._place.removeprefix(_("question ")), MUTED))
        return left

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

    def _run(self) -> Content:
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
        if view.iteration > 1:
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
