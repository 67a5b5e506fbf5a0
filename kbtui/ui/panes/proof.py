"""The proof: the source of a claim, as highlighted lines of a file or as a statement with its result."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs
from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from kbtui.domain.analysis import ResultTable
from kbtui.domain.events import TableProduced
from kbtui.errors import KbtuiError
from kbtui.i18n import _, made
from kbtui.text.file_links import file_link
from kbtui.text.terminal import one_line
from kbtui.ui.addresses import copy_address
from kbtui.ui.clipboard import place_text, quote_text
from kbtui.ui.commands import bindings
from kbtui.ui.messages import CiteChosen, EditRequested, SaveRequested, Spot, WhyRequested, bubble
from kbtui.ui.source_changes import current_place
from kbtui.ui.widgets.cells import elide, elide_middle, row
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.ui.widgets.source_text import Excerpt, SourceText, make_excerpt
from kbtui.ui.widgets.table_view import TableView
from kbtui.view.user_files import edited_statement

if TYPE_CHECKING:
    from kbtui.domain.events import EvidenceItem
    from kbtui.knowledge.reading import source

_ITEM_MARK = re.compile(r"^(?:[-*+]|\d+[.)])\s+")
"""The marker of a list item, which is left out in a list of sources."""
_MAX_ROWS = 200
"""Rows of a result under its statement, at most; more rows scroll."""
_GUTTER_CELLS = 8
"""Width of line numbers, mark and scroll bar beside a statement."""

_MIN_LIST_HEIGHT = 6
"""Rows of the pane from which the list of sources has room for a source below its title."""

ReadSource = Callable[[str], "source.SourceText"]
Rerun = Callable[[str, str], ResultTable]
"""Runs a statement over the data source with the given name; blocks."""


class ProofPane(Vertical):
    """Shows a location in a source, and below it the list of the answer's sources with their quotes.

    Files are read and highlighted in a thread.

    Args:
        read: Reads a file of the folder; blocks.
        rerun: Runs a statement again; None if statements cannot be run.
        kb: Folder of the files; None if unknown.
    """

    BINDINGS = bindings("proof")

    def __init__(self, read: ReadSource, rerun: Rerun | None = None, kb: Path | None = None, *, id: str) -> None:
        super().__init__(id=id, classes="pane scope-proof")
        self._kb = kb
        self._read = read
        self._rerun = rerun
        self._table: TableProduced | None = None
        self._excerpt: Excerpt | None = None
        self._sources: tuple[Spot, ...] = ()
        self._items: tuple[EvidenceItem, ...] = ()
        self.spots: tuple[Spot, ...] = ()
        self.index = 0

    def compose(self) -> ComposeResult:
        yield Static(id="proof-note", markup=False)
        yield SourceText(id="source")
        yield Vertical(id="proof-rows")
        yield RowList(id="sources", classes="rows")

    def on_mount(self) -> None:
        sources = self.query_one("#sources")
        sources.border_title = f" {_('rests on')} "
        sources.display = False
        self._show()

    @property
    def spot(self) -> Spot | None:
        """The shown location; None if there is none."""
        return self.spots[self.index] if self.spots else None

    def show_sources(self, sources: tuple[Spot, ...]) -> None:
        """Show the sources of an answer, beginning with the first; does nothing if they are already shown."""
        if sources == self._sources:
            return
        self._sources = sources
        rows = self.query_one("#sources", RowList)
        self._fit_source_list()
        rows.show_rows([_source_row(spot) for spot in sources])
        self.show_spots(sources, 0)

    def show_spots(self, spots: tuple[Spot, ...], index: int, items: tuple[EvidenceItem, ...] = ()) -> None:
        """Show the location at ``index``; the user can step through the others.

        ``items`` are the pieces of evidence at the locations; empty for those of sources.
        """
        self.spots, self.index, self._items = spots, index, items
        self._show()

    def cite(self, n: int) -> bool:
        """Show source ``n`` of the answer; returns False if there is none."""
        index = next((index for index, spot in enumerate(self._sources) if spot.n == n), None)
        if index is None:
            return False
        # The file is read again even if it is already shown, because it may have changed.
        self.show_spots(self._sources, index)
        return True

    def _show(self) -> None:
        spot = self.spot
        if spot is None:
            self.border_title = Content.styled(_("Proof"), MUTED)
            self.border_subtitle = Content("")
            self._show_rows(None)
            self._show_note(_("The lines that a claim rests on stand here."), MUTED)
            self.query_one(SourceText).clear()
            return
        if self.spots is self._sources:
            self.query_one("#sources", RowList).highlighted = self.index
        self._show_title(spot)
        if not self.size:
            # Textual sends no resize event to a widget that is shown during a refresh.
            self.call_after_refresh(self.on_resize)
        self.border_subtitle = Content("")
        changed = "! " + _("These lines have changed since they were indexed.")
        self._show_note(changed if spot.stale else "", "$text-warning")
        if spot.url:
            self._show_note(_("From the web, as it was read for this answer. e copies the address."), MUTED)
        self._show_rows(spot.table)
        if spot.sql and spot.table is None and spot.quote not in ("", spot.sql):
            self._show_note(one_line(spot.quote), MUTED)
        self.refresh_bindings()
        # A function and not a coroutine, which would never be awaited if the worker is replaced before it starts.
        load = partial(self._load, spot)
        _worker: Worker[None] = self.run_worker(load, exclusive=True, group="source", exit_on_error=False)

    def _show_title(self, spot: Spot) -> None:
        number = f"[{spot.n}] " if spot.n else ""
        title = elide_middle(
            f"{number}{one_line(spot.where if spot.locator else spot.place)}", max(20, self.size.width - 6)
        )
        link = file_link(self._kb, spot.path, spot.start_line) if self._kb is not None and not self.app.is_web else ""
        self.border_title = Content.styled(title, Style(link=link)) if link else Content(title)

    def on_resize(self) -> None:
        if self.spot is not None:
            self._show_title(self.spot)
        self._fit_source_height()
        self._fit_source_list()

    async def _load(self, spot: Spot) -> None:
        # The thread must not call the app, because waiting for a closing app would keep it from closing.
        excerpt, note, is_quote = await asyncio.to_thread(_excerpt_of, spot, self._read)
        if note:
            self._show_note(f"! {one_line(note)}", "$text-warning")
        self._show_excerpt(excerpt)
        if is_quote:
            text = _("as run") if spot.sql else _("quoted")
        else:
            text = _lines_text(excerpt)
        if len(self.spots) > 1:
            text += " · " + _("{number:,} of {count:,}", number=self.index + 1, count=len(self.spots))
        self.border_subtitle = Content.styled(text, MUTED)

    def _show_excerpt(self, excerpt: Excerpt) -> None:
        self._excerpt = excerpt
        self.query_one(SourceText).show(excerpt)
        self._fit_source_height()

    def _fit_source_list(self) -> None:
        """Show the list of sources unless only its title would fit; a pane that is not shown has no height yet."""
        has_room = not self.size.height or self.size.height >= _MIN_LIST_HEIGHT
        self.query_one("#sources").display = bool(self._sources) and has_room

    def _fit_source_height(self) -> None:
        """Let the result of a statement use the height that the statement does not need."""
        source = self.query_one(SourceText)
        if self._excerpt is None or self._table is None or self.spot is None or not self.spot.sql:
            source.styles.height = "1fr"
            return
        width = max(20, self.size.width - _GUTTER_CELLS)
        rows = sum(max(1, -(-line.cell_length // width)) for line in self._excerpt.lines)
        source.styles.height = min(rows + 1, max(4, self.size.height // 2 - 4))

    def _show_rows(self, table: TableProduced | None) -> None:
        self._table = table
        holder = self.query_one("#proof-rows")
        holder.display = table is not None
        holder.remove_children()
        if table is not None:
            holder.mount(TableView(table, max_rows=_MAX_ROWS))

    def _show_note(self, text: str, style: str) -> None:
        note = self.query_one("#proof-note", Static)
        note.display = bool(text)
        note.update(Content.styled(text, style))

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        """Show the highlighted source and highlight its marks in the answer."""
        event.stop()
        if event.option_list.has_focus and event.option_index < len(self._sources):
            bubble(self, CiteChosen(self._sources[event.option_index].n))

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Open the selected source in the editor, and show it if it is another than the shown one."""
        event.stop()
        if self.spots is not self._sources or event.option_index != self.index:
            bubble(self, CiteChosen(self._sources[event.option_index].n))
        self.action_edit()

    def on_source_text_line_chosen(self, event: SourceText.LineChosen) -> None:
        """Open the editor at the line that was clicked."""
        event.stop()
        if (spot := self.spot) is not None:
            open_spot(self, spot if spot.sql else structs.replace(spot, start_line=event.line))

    def action_step(self, by: int) -> None:
        """Show the next or previous location, wrapping around."""
        if len(self.spots) > 1:
            index = (self.index + by) % len(self.spots)
            if self.spots is self._sources:
                bubble(self, CiteChosen(self.spots[index].n))
            else:
                self.show_spots(self.spots, index)

    def action_edit(self) -> None:
        """Open the shown location in the editor; the address of a web page is copied."""
        if self.spot is not None:
            open_spot(self, self.spot)

    def action_copy(self) -> None:
        """Copy the quote with its location."""
        if self.spot is not None:
            self.app.copy_to_clipboard(quote_text(self.spot))
            self.notify(_("The quote of {place} is in the clipboard.", place=place_text(self.spot)), markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that do not apply to the shown location."""
        spot = self.spot
        if spot is None:
            return False
        if action == "save_rows":
            return self._table is not None
        if action == "why":
            return bool(self._items)
        if action == "step":
            return len(self.spots) > 1
        return not spot.sql if action == "show_cited" else True

    @property
    def can_rerun(self) -> bool:
        """Whether the shown location is a statement that can be run again."""
        return self.spot is not None and bool(self.spot.sql) and self._rerun is not None

    def run_again(self) -> None:
        """Run the statement again, with the user's edits from its file."""
        spot = self.spot
        if spot is not None and spot.sql and self._rerun is not None:
            self._show_note(_("Running it again…"), MUTED)
            self.run_worker(self._run_again(spot, self._rerun), exclusive=True, group="rerun", exit_on_error=False)

    async def _run_again(self, spot: Spot, rerun: Rerun) -> None:
        try:
            sql = await asyncio.to_thread(edited_statement, spot.sql, spot.source)
            result = await asyncio.to_thread(rerun, sql, spot.source)
        except KbtuiError as error:
            if spot is self.spot:
                self._show_note(
                    f"✗ {one_line(made(error.message))} {one_line(made(error.hint))}".rstrip(), "$text-error"
                )
            return
        if spot is not self.spot:
            return
        table = TableProduced.of(result, sql=sql, source=spot.source)
        self._show_rows(table)
        self._show_excerpt(await asyncio.to_thread(_statement_excerpt, sql))
        if sql != spot.sql:
            self._show_note(_("Run again, as it stands in the editor's file."), MUTED)
        elif spot.table is None:
            self._show_note(_("Run again."), MUTED)
        else:
            is_same = (result.columns, result.rows) == (spot.table.columns, spot.table.rows)
            text = _("Run again: the rows are those of the answer.")
            if not is_same:
                text = "! " + _("Run again: not the rows of the answer.")
            self._show_note(text, MUTED if is_same else "$text-warning")
        self.refresh_bindings()

    def action_save_rows(self) -> None:
        """Save the shown rows."""
        if self._table is not None and self.spot is not None:
            bubble(self, SaveRequested(self._table, self.spot.label or self.spot.source))

    def action_why(self) -> None:
        """Explain the shown piece of evidence."""
        bubble(self, WhyRequested(self._items, self.index))

    def action_show_cited(self) -> None:
        """Scroll to the cited lines."""
        self.query_one(SourceText).show_cited()


def open_spot(sender: Widget, spot: Spot) -> None:
    """Request to open a location in the editor; the address of a web page is copied."""
    if spot.url and not spot.sql:
        copy_address(sender.app, spot.url)
    elif spot.path or spot.sql:
        bubble(sender, EditRequested(spot))


def _source_row(spot: Spot) -> Row:
    """The row of a source: its number, and its quote or else its location."""

    def render(width: int) -> Sequence[Content]:
        place = one_line(spot.place)
        quote = "" if spot.sql else _ITEM_MARK.sub("", one_line(" ".join(spot.quote.split())))
        changed = Content.styled(f" {_('changed')}", "$text-warning") if spot.stale else Content("")
        head = Content.styled(f"[{spot.n}] ", "$accent")
        location = one_line(spot.where).rpartition("/")[2] if spot.path else place.rpartition("/")[2]
        description = one_line(spot.sql) if spot.sql else quote or place
        room = width - head.cell_length - changed.cell_length
        tail = elide_middle(location, max(8, room // 3))
        left = Content.assemble(head, elide(description, max(8, room - cell_len(tail) - 2)))
        return [row(left, Content.styled(tail, MUTED) + changed, width)]

    return Row(f"cite-{spot.n}", render)


def _excerpt_of(spot: Spot, read: ReadSource) -> tuple[Excerpt, str, bool]:
    """Read and highlight the lines of a location; blocks.

    Returns:
        The excerpt, a note about changed or unreadable files, and whether the excerpt is only the quote.
    """
    if spot.sql:
        return _statement_excerpt(spot.sql), "", True
    if not spot.path:
        return _quote_excerpt(spot), "", True
    try:
        source = read(spot.path)
    except KbtuiError as error:
        return _quote_excerpt(spot), _("{error} Here is what was quoted from it.", error=made(error.message)), True
    start, end, note = current_place(spot, source.text.split("\n"))
    return make_excerpt(source.text, source.path, source.language, start, end), note, False


def _lines_text(excerpt: Excerpt) -> str:
    """The cited lines and the number of lines of the file."""
    first, last, total = excerpt.start_line, excerpt.end_line, excerpt.total
    if last > first:
        return _("lines {first}-{last} of {total:,}", first=first, last=last, total=total)
    return _("line {line} of {total:,}", line=first, total=total)


def _statement_excerpt(sql: str) -> Excerpt:
    """A highlighted statement, without cited lines."""
    return replace(make_excerpt(sql, "statement.sql", "sql", 1, 1), start_line=1, end_line=0)


def _quote_excerpt(spot: Spot) -> Excerpt:
    """The quote, with the line numbers of its file."""
    excerpt = make_excerpt(spot.quote or _("There is no text to show."), spot.path or "quote.txt", "", 1, 1)
    count = len(excerpt.lines)
    return Excerpt(
        first=spot.start_line,
        lines=excerpt.lines,
        total=spot.start_line + count - 1,
        start_line=spot.start_line,
        end_line=spot.start_line + count - 1,
    )
