"""What is on the screen before the first question: what this folder is, and what could be asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content

from kbtui.text.terminal import one_line
from kbtui.ui.messages import QuestionChosen, bubble
from kbtui.ui.widgets.cells import bar, elide, elide_middle, wrapped
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.ui.workspace import FolderStatus

_STAGES = {
    "walk": "looking at the files",
    "read": "reading",
    "embed": "embedding passages",
    "write": "writing the index",
    "model": "preparing the embedding model",
}


class Welcome(VerticalScroll, can_focus=False):
    """A calm page in the middle of the screen."""

    def __init__(self, suggestions: Sequence[str] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._suggestions = tuple(suggestions)
        self._folder = FolderStatus(kb=Path())

    def compose(self) -> ComposeResult:
        with Vertical(id="welcome-page"):
            yield LinesView(id="welcome-folder")
            yield RowList(id="suggestions", classes="rows")

    def on_mount(self) -> None:
        self.suggest(self._suggestions)
        self.show(self._folder)

    def suggest(self, suggestions: Sequence[str]) -> None:
        """Offer these questions."""
        self._suggestions = tuple(suggestions)
        rows = self.query_one(RowList)
        rows.display = bool(suggestions)
        rows.show_rows([_row(index, text) for index, text in enumerate(self._suggestions)])

    def show(self, folder: FolderStatus) -> None:
        """Say what this folder is and how far its index is."""
        self._folder = folder
        self.query_one(LinesView).set_lines(lambda width: _page(folder, width, bool(self._suggestions)))

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Ask the chosen question."""
        event.stop()
        bubble(self, QuestionChosen(self._suggestions[event.option_index]))


def _page(folder: FolderStatus, width: int, suggestions: bool) -> list[Content]:
    offline = folder.model == "offline"
    lines = [
        Content.styled(elide(one_line(folder.kb.name or str(folder.kb)), width), "bold $accent"),
        Content.styled(elide_middle(one_line(str(folder.kb)), width), MUTED),
        Content(""),
    ]
    who = "Answers are put together on this machine" if offline else f"Answers are written by {one_line(folder.model)}"
    about = f"{who}, and every claim names the lines it rests on."
    if folder.files:
        about = f"{folder.files:,} file{'s' if folder.files != 1 else ''} to ask. {about}"
    elif folder.files == 0 and folder.phase == "ready":
        about = "There is nothing to read in this folder yet. kbtui index says what is left out, and why."
    lines += wrapped(Content(about), width)
    if folder.sources:
        names = ", ".join(one_line(source) for source in folder.sources)
        lines += wrapped(Content(f"Data to ask as well: {names}."), width, lines=2)
    lines.append(Content(""))
    lines += _indexing(folder, width)
    if suggestions:
        lines.append(Content.styled("Try", MUTED))
    return lines


def _indexing(folder: FolderStatus, width: int) -> list[Content]:
    if folder.phase == "failed":
        lines = wrapped(Content.styled(f"✗ {one_line(folder.message)}", "$text-error"), width, indent=2)
        if folder.hint:
            lines += wrapped(Content.styled(f"  {one_line(folder.hint)}", MUTED), width, indent=2)
        return [*lines, Content("")]
    if folder.phase != "indexing":
        return []
    progress = folder.progress
    first = "Indexing this folder for the first time. A question asked now waits for it."
    lines = wrapped(Content(first), width)
    if progress is None:
        return [*lines, Content.styled("starting", MUTED), Content("")]
    doing = one_line(progress.message) or _STAGES.get(progress.stage, one_line(progress.stage))
    if progress.total:
        figures = f" {progress.done:,} of {progress.total:,}"
        bar_width = max(8, min(40, width - len(figures)))
        lines.append(
            Content.assemble(
                (bar(progress.done / progress.total, bar_width), "$accent on $foreground 12%"), (figures, MUTED)
            )
        )
    elif progress.done:
        doing += f" {progress.done:,}"
    return [*lines, *wrapped(Content.styled(doing, MUTED), width, lines=2), Content("")]


def _row(index: int, text: str) -> Row:
    return Row(
        f"try-{index}",
        lambda width: [Content.assemble(("› ", "$accent"), elide(one_line(text), width - 2))],
    )
