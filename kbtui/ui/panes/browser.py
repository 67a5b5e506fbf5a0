"""The browser: shows the content of the folder and suggested questions, before the first question and on request.

The head and the suggestions have their final height from the first frame on, so that nothing moves when they load.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input
from textual.worker import Worker

from kbtui.domain.holdings import Holdings
from kbtui.errors import KbtuiError
from kbtui.i18n import _, language, made
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.messages import EditRequested, QuestionChosen, Spot, bubble
from kbtui.ui.panes.browser_head import head, seconds_left
from kbtui.ui.panes.browser_rows import Entry, HoldingsTree, table_of
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
"""Metadata of the parts of a row that react to a click in their own way."""
_RETRY_S = 1.0
"""Seconds between checks whether the search for suggestions, stopped by a question, can continue."""
SUGGESTIONS = 3
"""Rows reserved for suggested questions that are found later."""


class MentionChosen(Message):
    """Insert a mention into the prompt."""

    def __init__(self, mention: str) -> None:
        super().__init__()
        self.mention = mention


class HoldingsList(RowList):
    """The list of the browser's rows, some of which can be unfolded."""

    BINDINGS = bindings("browser")

    def __init__(self, browser: Browser) -> None:
        super().__init__(id="holdings", classes="rows scope-browser")
        self._browser = browser

    async def _on_click(self, event: events.Click) -> None:
        """Toggle a row on a click on its arrow; open the editor on a click on the line number of a heading."""
        action = {"arrow": self.action_fold_or_unfold, "line": self.action_edit}.get(
            event.style.meta.get("browser", "")
        )
        if action is not None:
            event.prevent_default()
            self.highlighted = event.style.meta["option"]
            action()

    def action_fold(self, unfold: bool) -> None:
        """Unfold the row or move to its first child; or fold it or move to its parent."""
        self._browser.fold(unfold)

    def action_fold_or_unfold(self) -> None:
        """Toggle the row."""
        self._browser.toggle()

    def action_edit(self) -> None:
        """Open the file in the editor, at the line of the row."""
        entry = self._browser.selected
        if entry is None or not entry.path:
            self.notify(_("That is no file."), markup=False)
        else:
            bubble(self, EditRequested(Spot(path=entry.path, start_line=entry.line, end_line=entry.line)))

    def action_filter(self) -> None:
        """Open the filter by name."""
        self._browser.open_filter()


class Browser(Vertical):
    """The folder, suggested questions, tables and documents.

    Posts `QuestionChosen`, `MentionChosen` and `EditRequested`.

    Args:
        library: Provides the content of the folder; returns None while the folder is not open.
        suggestions: Suggested questions; if empty, rows are reserved for questions found later.
        busy: Whether a question of the user is being answered, during which no suggestions are tried.
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
        self._is_busy = busy
        self._library = library
        self._suggestions = tuple(suggestions)
        self._free_rows = 0 if suggestions else SUGGESTIONS
        if not suggestions:
            self._suggestions = (_("What is here?"),)
        self._folder = FolderStatus(kb=Path())
        self._reading_start: tuple[float, int] | None = None
        self._shelf = HoldingsTree(Holdings())
        self._opened: set[str] | None = None
        self._documents: dict[str, HeldDocument] = {}
        self._tables: dict[str, Table] = {}
        self._entries: dict[str, Entry] = {}
        self._early: list[str] | None = None

    def compose(self) -> ComposeResult:
        yield LinesView(id="browser-head")
        yield Input(id="browser-filter", placeholder=_("part of a name or a title, then enter"))
        yield HoldingsList(self)

    def on_mount(self) -> None:
        self.show(self._folder)
        self._show_rows()

    # What is shown

    def show(self, folder: FolderStatus) -> None:
        """Show the status of the folder; its content is loaded again if it has changed."""
        left_s = self._estimated_s(folder)
        has_changed = (folder.phase, folder.files) != (self._folder.phase, self._folder.files)
        self._folder = folder
        self.query_one("#browser-head", LinesView).set_lines(
            lambda width: head(folder, self._shelf.holdings, width, left_s)
        )
        if has_changed and folder.phase in ("indexing", "refreshing", "ready"):
            self.run_worker(self._load(), group="holdings", exclusive=True, exit_on_error=False)

    def _estimated_s(self, folder: FolderStatus) -> float | None:
        """Estimated seconds until the folder is read; None if unknown."""
        progress = folder.progress
        if folder.phase != "indexing" or progress is None or progress.stage != "read" or not progress.total:
            self._reading_start = None
            return None
        now = time.monotonic()
        self._reading_start = self._reading_start or (now, progress.done)
        return seconds_left(self._reading_start, now, progress.done, progress.total)

    def suggest(self, questions: Sequence[str]) -> None:
        """Show suggested questions below the one that every folder can answer."""
        self._suggestions = (*self._suggestions[:1], *questions[: self._free_rows])
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
        self._shelf = await asyncio.to_thread(HoldingsTree, holdings)
        if self._opened is None and (holdings.files or holdings.sources):
            self._opened = self._shelf.initially_open
        self._documents.clear()
        self._tables.clear()
        self.show(self._folder)
        self._show_rows()
        for key in self._opened or ():
            self._load_details(self._entries.get(key))
        is_ready = self._folder.phase == "ready"
        if self._free_rows and (is_ready or (holdings.sources and self._early is None)):
            # What was found early stays in its place, and only the first complete search goes on from it.
            found, self._early = self._early or [], []
            if not is_ready:
                self._early = found
            # A function and not a coroutine, which would never be awaited if the worker is replaced before it starts.
            suggest = partial(self._suggest, library, found, is_ready=is_ready)
            _worker: Worker[None] = self.run_worker(suggest, group="suggestions", exclusive=True, exit_on_error=False)

    async def _suggest(self, library: Library, found: list[str], *, is_ready: bool) -> None:
        """Add suggested questions as they are found to be answerable; pauses while a question is being answered.

        Args:
            found: Those that are shown already.
            is_ready: Whether the folder is read. Until then only the data are asked, and a row is left free for a
                question about the documents.
        """
        was_stopped = False
        room = self._free_rows if is_ready else self._free_rows - 1

        def is_stopped() -> bool:
            nonlocal was_stopped
            was_stopped = was_stopped or self._is_busy() or not self.is_attached
            return was_stopped or (not is_ready and len(found) >= room)

        def add(question: str) -> None:
            if question not in found and len(found) < room:
                found.append(question)
                self.suggest(found)

        def fetch() -> None:
            language_name: Literal["en", "zh"] = "zh" if language() == "zh" else "en"
            for question in library.questions(language_name, is_stopped, data_only=not is_ready):
                self.app.call_from_thread(add, question)

        try:
            await asyncio.to_thread(fetch)
            while was_stopped and len(found) < room:
                await asyncio.sleep(_RETRY_S)
                if not self._is_busy():
                    was_stopped = False
                    await asyncio.to_thread(fetch)
        except (KbtuiError, RuntimeError) as error:
            # The user's first question will report the error; the app may also have ended by now.
            self.log.warning(str(error))

    def _show_rows(self) -> None:
        words = self.query_one(Input).value.casefold().split()
        opened = frozenset(self._opened or ())
        tree_state = (opened, self._documents, self._tables)
        if words:
            entries = list(self._shelf.matching_entries(words, *tree_state)) or [
                Entry(key="", text=_("nothing has such a name"))
            ]
        else:
            suggested = [
                Entry(key=f"\0try{number}", text=one_line(text), question=text)
                for number, text in enumerate(self._suggestions)
            ]
            free_rows = self._free_rows + 1 - len(suggested) if self._free_rows else 0
            entries = [
                Entry(key="", text=_("Try")),
                *suggested,
                *[Entry(key="", text="")] * (free_rows + 1),
                *self._shelf.entries(*tree_state),
            ]
        self._entries = {entry.key: entry for entry in entries if entry.key}
        rows = [Row(entry.key, partial(_lines, entry, entry.key in opened), 1) for entry in entries]
        rows += [] if words else reading_rows(self._folder, has_documents=bool(self._shelf.holdings.files))
        self.query_one(HoldingsList).show_rows(rows)

    # Folding

    @property
    def selected(self) -> Entry | None:
        """The row under the cursor."""
        return self._entries.get(self.query_one(HoldingsList).selected_key or "")

    def toggle(self) -> None:
        """Toggle the selected row."""
        entry = self.selected
        if entry is not None and entry.folds:
            opened = self._opened = self._opened if self._opened is not None else set()
            if entry.key in opened:
                opened.discard(entry.key)
            else:
                opened.add(entry.key)
                self._load_details(entry)
            self._show_rows()

    def fold(self, unfold: bool) -> None:
        """Unfold the selected row or move to its first child; or fold it or move to its parent."""
        entry, rows = self.selected, self.query_one(HoldingsList)
        if entry is None:
            return
        is_open = entry.key in (self._opened or ())
        if entry.folds and is_open != unfold:
            self.toggle()
        elif unfold and is_open:
            rows.action_cursor_down()
        elif not unfold and entry.parent in self._entries:
            rows.show_key(entry.parent)

    def _load_details(self, entry: Entry | None) -> None:
        """Load the details of a document or table, unless they are loaded."""
        if entry is None or entry.key in self._documents or entry.key in self._tables:
            return
        if entry.path or table_of(entry.key) is not None:
            self.run_worker(self._fetch_details(entry), group=f"holdings-{entry.key}", exit_on_error=False)

    async def _fetch_details(self, entry: Entry) -> None:
        library, table = self._library(), table_of(entry.key)
        if library is None:
            return
        try:
            if table is None:
                self._documents[entry.path] = await asyncio.to_thread(library.document, entry.path)
            elif (details := await asyncio.to_thread(library.table, *table)) is not None:
                self._tables[entry.key] = details
        except KbtuiError as error:
            self.notify(one_line(made(error.message)), severity="warning", markup=False)
        else:
            self._show_rows()

    # Choosing

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Ask the selected question, insert the selected name into the prompt, or toggle the row."""
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
        """Open the filter."""
        field = self.query_one(Input)
        field.add_class("-open")
        field.focus()

    @property
    def is_filtered(self) -> bool:
        """Whether the filter is open."""
        return self.query_one(Input).has_class("-open")

    def close_filter(self) -> None:
        """Close the filter and show all rows."""
        field = self.query_one(Input)
        field.remove_class("-open")
        field.value = ""
        self.query_one(HoldingsList).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_rows()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Focus the filtered rows."""
        event.stop()
        self.query_one(HoldingsList).focus()

    def focus_rows(self) -> None:
        """Focus the rows."""
        self.query_one(HoldingsList).focus()


def _lines(entry: Entry, is_open: bool, width: int) -> list[Content]:
    if not entry.key:
        return [Content.styled(elide(f"{entry.text}  {entry.note}".rstrip(), width), MUTED)]
    if entry.question:
        return [Content.assemble(("› ", "$accent"), elide(entry.text, width - 2))]
    mark = ("▾ " if is_open else "▸ ") if entry.folds else "  "
    indent = "  " * entry.depth + mark
    name = elide_middle(entry.text, max(8, width - len(indent)) if not entry.note else _NAME_CELLS - 2 * entry.depth)
    arrow = Content.styled(indent, MUTED)
    name_part = (arrow.stylize(_ARROW) if entry.folds else arrow) + name
    if not entry.note:
        return [name_part]
    note_width = width - _NAME_CELLS - 3
    gap = " " * max(1, _NAME_CELLS + 3 - name_part.cell_length)
    note = Content.styled(elide(entry.note, note_width), MUTED)
    if entry.leads:
        note = note.stylize("underline").stylize(_LINE)
    return [Content.assemble(name_part, gap, note).truncate(width)]
