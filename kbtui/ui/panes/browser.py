"""What is on the screen before the first question, and whenever it is wanted: what there is to ask about.

The head and the rows for suggestions have their height from the first frame on: whatever becomes known later moves
nothing that is on the screen already.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input

from kbtui.domain.holdings import Holdings
from kbtui.errors import KbtuiError
from kbtui.i18n import _, language, made
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.messages import EditRequested, QuestionChosen, Spot, bubble
from kbtui.ui.panes.browser_head import head, seconds_left
from kbtui.ui.panes.browser_rows import Entry, Shelf, table_of
from kbtui.ui.panes.reading_rows import reading_rows
from kbtui.ui.widgets.cells import elide, elide_middle
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.ui.workspace import FolderStatus

if TYPE_CHECKING:
    from kbtui.domain.analysis import Table
    from kbtui.domain.holdings import HeldDocument, Library

_NAME_CELLS = 34
_ARROW, _LINE = Style.from_meta({"browser": "arrow"}), Style.from_meta({"browser": "line"})
"""What of a row does something else than the rest of it when it is clicked."""
SUGGESTIONS = 3
"""Rows that are kept free for questions that are found while the screen is shown."""


class MentionChosen(Message):
    """This is to be put into the prompt."""

    def __init__(self, mention: str) -> None:
        super().__init__()
        self.mention = mention


class Holds(RowList):
    """The rows; those that fold are unfolded where they stand."""

    BINDINGS = bindings("browser")

    def __init__(self, browser: Browser) -> None:
        super().__init__(id="holdings", classes="rows scope-browser")
        self._browser = browser

    async def _on_click(self, event: events.Click) -> None:
        """A click on the arrow of a row folds or unfolds it, one on the line of a heading opens the editor there."""
        does = {"arrow": self.action_fold_or_unfold, "line": self.action_edit}.get(event.style.meta.get("browser", ""))
        if does is not None:
            event.prevent_default()
            self.highlighted = event.style.meta["option"]
            does()

    def action_fold(self, unfold: bool) -> None:
        """Unfold the row, or go into it; fold it, or go to the one it is under."""
        self._browser.fold(unfold)

    def action_fold_or_unfold(self) -> None:
        """Unfold the row or fold it."""
        self._browser.toggle()

    def action_edit(self) -> None:
        """Open the file in the editor, at the line of the row."""
        entry = self._browser.selected
        if entry is None or not entry.path:
            self.notify(_("That is no file."), markup=False)
        else:
            bubble(self, EditRequested(Spot(path=entry.path, start_line=entry.line, end_line=entry.line)))

    def action_filter(self) -> None:
        """Type what names hold."""
        self._browser.open_filter()


class Browser(Vertical):
    """Folder, suggestions, tables and documents.

    Posts `QuestionChosen`, `MentionChosen` and `EditRequested`.

    Args:
        library: What tells what there is; None while the folder is not open.
        suggestions: Questions that are offered; when none are given, room is kept for some to come.
        busy: Whether a question of the user is being answered: none is then tried out.
    """

    def __init__(
        self,
        library: Callable[[], Library | None],
        suggestions: Sequence[str] = (),
        *,
        busy: Callable[[], bool] = lambda: False,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._busy = busy
        self._library = library
        self._suggestions = tuple(suggestions)
        self._kept_free = 0 if suggestions else SUGGESTIONS
        if not suggestions:
            self._suggestions = (_("What is here?"),)
        self._folder = FolderStatus(kb=Path())
        self._began: tuple[float, int] | None = None
        self._shelf = Shelf(Holdings())
        self._opened: set[str] | None = None
        self._documents: dict[str, HeldDocument] = {}
        self._tables: dict[str, Table] = {}
        self._entries: dict[str, Entry] = {}

    def compose(self) -> ComposeResult:
        yield LinesView(id="browser-head")
        yield Input(id="browser-filter", placeholder=_("part of a name or a title"))
        yield Holds(self)

    def on_mount(self) -> None:
        self.show(self._folder)
        self._show_rows()

    # What is shown

    def show(self, folder: FolderStatus) -> None:
        """Say what this folder is and how far its index is; what it holds is listed again when that has changed."""
        left_s = self._left(folder)
        looks = (folder.phase, folder.files) != (self._folder.phase, self._folder.files)
        self._folder = folder
        self.query_one("#browser-head", LinesView).set_lines(
            lambda width: head(folder, self._shelf.holdings, width, left_s)
        )
        if looks and folder.phase in ("indexing", "refreshing", "ready"):
            self.run_worker(self._load(), group="holdings", exclusive=True, exit_on_error=False)

    def _left(self, folder: FolderStatus) -> float | None:
        """Seconds until the folder is read; None where that cannot be told yet."""
        progress = folder.progress
        if folder.phase != "indexing" or progress is None or progress.stage != "read" or not progress.total:
            self._began = None
            return None
        now = time.monotonic()
        self._began = self._began or (now, progress.done)
        return seconds_left(self._began, now, progress.done, progress.total)

    def suggest(self, questions: Sequence[str]) -> None:
        """Offer these questions below the one that any folder answers."""
        self._suggestions = (*self._suggestions[:1], *questions[: self._kept_free])
        self._show_rows()

    async def _load(self) -> None:
        library = self._library()
        if library is None:
            return
        try:
            holdings = await asyncio.to_thread(library.holdings)
        except KbtuiError as error:
            self.log.warning(error.message)
            return
        self._shelf = await asyncio.to_thread(Shelf, holdings)
        if self._opened is None and (holdings.files or holdings.sources):
            self._opened = self._shelf.opened_at_first
        self._documents.clear()
        self._tables.clear()
        self.show(self._folder)
        self._show_rows()
        for key in self._opened or ():
            self._look_up(self._entries.get(key))
        if self._kept_free and self._folder.phase == "ready":
            self.run_worker(self._suggest(library), group="suggestions", exclusive=True, exit_on_error=False)

    async def _suggest(self, library: Library) -> None:
        """Offer questions as they turn out to be answered well."""

        def stopped() -> bool:
            return self._busy() or not self.is_attached

        def add(question: str) -> None:
            found.append(question)
            self.suggest(found)

        def look() -> None:
            for question in library.questions("zh" if language() == "zh" else "en", stopped):
                self.app.call_from_thread(add, question)

        found: list[str] = []
        try:
            await asyncio.to_thread(look)
        except (KbtuiError, RuntimeError) as error:
            # What is wrong is told by the first question of the user; the app may be gone by now.
            self.log.warning(str(error))

    def _show_rows(self) -> None:
        words = self.query_one(Input).value.casefold().split()
        opened = frozenset(self._opened or ())
        known = (opened, self._documents, self._tables)
        if words:
            entries = list(self._shelf.found(words, *known)) or [Entry(key="", text=_("nothing has such a name"))]
        else:
            asked = [
                Entry(key=f"\0try{number}", text=one_line(text), question=text)
                for number, text in enumerate(self._suggestions)
            ]
            free = self._kept_free + 1 - len(asked) if self._kept_free else 0
            entries = [
                Entry(key="", text=_("Try")),
                *asked,
                *[Entry(key="", text="")] * (free + 1),
                *self._shelf.entries(*known),
            ]
        self._entries = {entry.key: entry for entry in entries if entry.key}
        rows = [Row(entry.key, partial(_lines, entry, entry.key in opened), 1) for entry in entries]
        rows += [] if words else reading_rows(self._folder, known=bool(self._shelf.holdings.files))
        self.query_one(Holds).show_rows(rows)

    # Folding

    @property
    def selected(self) -> Entry | None:
        """The row under the cursor."""
        return self._entries.get(self.query_one(Holds).selected_key or "")

    def toggle(self) -> None:
        """Unfold the selected row or fold it."""
        entry = self.selected
        if entry is not None and entry.folds:
            opened = self._opened = self._opened if self._opened is not None else set()
            if entry.key in opened:
                opened.discard(entry.key)
            else:
                opened.add(entry.key)
                self._look_up(entry)
            self._show_rows()

    def fold(self, unfold: bool) -> None:
        """Unfold the selected row, or go into it; fold it, or go to the row it is under."""
        entry, rows = self.selected, self.query_one(Holds)
        if entry is None:
            return
        is_open = entry.key in (self._opened or ())
        if entry.folds and is_open != unfold:
            self.toggle()
        elif unfold and is_open:
            rows.action_cursor_down()
        elif not unfold and entry.parent in self._entries:
            rows.show_key(entry.parent)

    def _look_up(self, entry: Entry | None) -> None:
        """Have what stands under a document or a table told, if it is not known yet."""
        if entry is None or entry.key in self._documents or entry.key in self._tables:
            return
        if entry.path or table_of(entry.key) is not None:
            self.run_worker(self._tell(entry), group=f"holdings-{entry.key}", exit_on_error=False)

    async def _tell(self, entry: Entry) -> None:
        library, table = self._library(), table_of(entry.key)
        if library is None:
            return
        try:
            if table is None:
                self._documents[entry.path] = await asyncio.to_thread(library.document, entry.path)
            elif (found := await asyncio.to_thread(library.table, *table)) is not None:
                self._tables[entry.key] = found
        except KbtuiError as error:
            self.notify(one_line(made(error.message)), severity="warning", markup=False)
        else:
            self._show_rows()

    # Choosing

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Ask a question; put a name into the prompt."""
        event.stop()
        entry = self._entries.get(event.option.id or "")
        if entry is None:
            return
        if entry.question:
            bubble(self, QuestionChosen(entry.question))
        elif entry.mention:
            bubble(self, MentionChosen(entry.mention))
        else:
            self.toggle()

    # The filter

    def open_filter(self) -> None:
        """Let parts of names be typed."""
        field = self.query_one(Input)
        field.add_class("-open")
        field.focus()

    @property
    def is_filtered(self) -> bool:
        """True while the line for a name is open."""
        return self.query_one(Input).has_class("-open")

    def close_filter(self) -> None:
        """Show everything again."""
        field = self.query_one(Input)
        field.remove_class("-open")
        field.value = ""
        self.query_one(Holds).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_rows()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to what was found."""
        event.stop()
        self.query_one(Holds).focus()

    def focus_rows(self) -> None:
        """Go to the rows."""
        self.query_one(Holds).focus()


def _lines(entry: Entry, is_open: bool, width: int) -> list[Content]:
    if not entry.key:
        return [Content.styled(elide(f"{entry.text}  {entry.note}".rstrip(), width), MUTED)]
    if entry.question:
        return [Content.assemble(("› ", "$accent"), elide(entry.text, width - 2))]
    mark = ("▾ " if is_open else "▸ ") if entry.folds else "  "
    indent = "  " * entry.depth + mark
    name = elide_middle(entry.text, max(8, width - len(indent)) if not entry.note else _NAME_CELLS - 2 * entry.depth)
    arrow = Content.styled(indent, MUTED)
    left = (arrow.stylize(_ARROW) if entry.folds else arrow) + name
    if not entry.note:
        return [left]
    room = width - _NAME_CELLS - 3
    gap = " " * max(1, _NAME_CELLS + 3 - left.cell_length)
    note = Content.styled(elide(entry.note, room), MUTED)
    if entry.leads:
        note = note.stylize("underline").stylize(_LINE)
    return [Content.assemble(left, gap, note).truncate(width)]
