"""The source behind a claim: its lines in their file, the cited ones marked; or the statement and what it brought."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from kbtui.controller.statements import changed_statement
from kbtui.domain.analysis import ResultTable
from kbtui.domain.events import TableProduced
from kbtui.errors import KbtuiError
from kbtui.text.terminal import one_line
from kbtui.ui.addresses import copy_address
from kbtui.ui.commands import bindings
from kbtui.ui.messages import EditRequested, SaveRequested, Spot, StatementEditRequested, bubble
from kbtui.ui.widgets.cells import elide_middle
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.source_text import Excerpt, SourceText, make_excerpt
from kbtui.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from kbtui.knowledge.reading import source

_QUOTE_CELLS = 300
_GUTTER_CELLS = 8
"""Line numbers, mark and scroll bar beside a statement."""

ReadSource = Callable[[str], "source.SourceText"]
Rerun = Callable[[str, str], ResultTable]
"""Runs a statement over the source of that name; blocks."""


class PreviewScreen(ModalScreen[None]):
    """Steps through places; reads and colours each file in a thread.

    Args:
        spots: What can be stepped through.
        index: The one to begin with.
        read: Reads a file of the folder; blocks.
        rerun: Runs a statement again; None where nothing can be run.
    """

    SCOPE = "preview"
    BINDINGS = bindings("preview")

    def __init__(self, spots: tuple[Spot, ...], index: int, read: ReadSource, rerun: Rerun | None = None) -> None:
        super().__init__()
        self._rerun = rerun
        self._brought: TableProduced | None = None
        self.spots = spots
        self.index = index
        self._read = read

    def compose(self) -> ComposeResult:
        with Vertical(id="preview", classes="dialog"):
            yield Static(id="preview-note", markup=False)
            yield SourceText(id="source")
            yield Vertical(id="preview-rows")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self._show()

    @property
    def spot(self) -> Spot:
        """The place shown."""
        return self.spots[self.index]

    def _show(self) -> None:
        spot = self.spot
        box = self.query_one("#preview")
        number = f"[{spot.n}] " if spot.n else ""
        title = f"{number}{one_line(spot.path or spot.url or spot.label or spot.source)}"
        box.border_title = Content(elide_middle(title, max(20, self.size.width - 12)))
        box.border_subtitle = Content("")
        self._note("! These lines have changed since they were indexed." if spot.stale else "", "$text-warning")
        if spot.url:
            self._note("From the web, as it was read for this answer. e copies the address.", MUTED)
        self._show_rows(spot.table)
        if spot.sql and spot.table is None and spot.quote not in ("", spot.sql):
            self._note(one_line(spot.quote), MUTED)
        self.refresh_bindings()
        self.query_one(SourceText).focus()
        self.run_worker(self._load(spot), exclusive=True, group="source", exit_on_error=False)

    async def _load(self, spot: Spot) -> None:
        # The thread never calls back: one that waits for an app that is closing would keep it from closing.
        excerpt, note, is_quote = await asyncio.to_thread(_excerpt_of, spot, self._read)
        if note:
            self._note(f"! {one_line(note)}", "$text-warning")
        self._show_excerpt(excerpt)
        where = f"line {excerpt.start_line}"
        if excerpt.end_line > excerpt.start_line:
            where = f"lines {excerpt.start_line}-{excerpt.end_line}"
        place = f" · {self.index + 1} of {len(self.spots)}" if len(self.spots) > 1 else ""
        text = (
            f"{where} of {excerpt.total:,}{place}" if not is_quote else f"{'as run' if spot.sql else 'quoted'}{place}"
        )
        self.query_one("#preview").border_subtitle = Content.styled(text, MUTED)

    def _show_excerpt(self, excerpt: Excerpt) -> None:
        source = self.query_one(SourceText)
        source.show(excerpt)
        # A statement gives what room it does not need to its rows.
        shared = self.spot.sql and self._brought is not None
        width = max(20, source.size.width - _GUTTER_CELLS)
        rows = sum(max(1, -(-line.cell_length // width)) for line in excerpt.lines)
        source.styles.height = min(rows + 1, max(4, self.size.height // 2 - 4)) if shared else "1fr"

    def _show_rows(self, table: TableProduced | None) -> None:
        self._brought = table
        holder = self.query_one("#preview-rows")
        holder.display = table is not None
        holder.remove_children()
        if table is not None:
            holder.mount(TableView(table, most_rows=max(3, self.size.height // 2 - 5)))

    def _note(self, text: str, style: str) -> None:
        note = self.query_one("#preview-note", Static)
        note.display = bool(text)
        note.update(Content.styled(text, style))

    def action_step(self, by: int) -> None:
        """The next or the previous place, round the end."""
        if len(self.spots) > 1:
            self.index = (self.index + by) % len(self.spots)
            self._show()

    def action_cite(self, n: int) -> None:
        """The source with this number; among evidence, the n-th piece."""
        wanted = (index for index, spot in enumerate(self.spots) if (spot.n == n if spot.n else index + 1 == n))
        if (index := next(wanted, None)) is not None:
            self.index = index
            self._show()

    def action_edit(self) -> None:
        """Open this place in the editor; the address of a page is copied."""
        if self.spot.sql:
            bubble(self, StatementEditRequested(self.spot))
        elif self.spot.url:
            copy_address(self.app, self.spot.url)
        elif self.spot.path:
            bubble(self, EditRequested(self.spot))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Statements can be run, rows saved, cited lines found again, several sources stepped through."""
        if action == "rerun":
            return bool(self.spot.sql) and self._rerun is not None
        if action == "save":
            return self._brought is not None
        if action in ("step", "cite"):
            return len(self.spots) > 1
        return not self.spot.sql if action == "show_cited" else True

    def action_rerun(self) -> None:
        """Run the statement again, as its file has it if it was changed in the editor."""
        if self.spot.sql and self._rerun is not None:
            self._note("Running it again…", MUTED)
            self.run_worker(self._run_again(self.spot, self._rerun), exclusive=True, group="rerun", exit_on_error=False)

    async def _run_again(self, spot: Spot, rerun: Rerun) -> None:
        try:
            sql = await asyncio.to_thread(changed_statement, spot.sql, spot.source)
            found = await asyncio.to_thread(rerun, sql, spot.source)
        except KbtuiError as error:
            if spot is self.spot:
                self._note(f"✗ {one_line(error.message)} {one_line(error.hint)}".rstrip(), "$text-error")
            return
        if spot is not self.spot:
            return
        table = TableProduced(
            step_id="",
            columns=found.columns,
            rows=found.rows,
            row_count=found.row_count,
            truncated=found.truncated,
            sql=sql,
            source=spot.source,
        )
        self._show_rows(table)
        self._show_excerpt(await asyncio.to_thread(_statement, sql))
        if sql != spot.sql:
            self._note("Run again, as it stands in the editor's file.", MUTED)
        elif spot.table is None:
            self._note("Run again.", MUTED)
        else:
            same = (found.columns, found.rows) == (spot.table.columns, spot.table.rows)
            text = (
                "Run again: the rows are those of the answer." if same else "! Run again: not the rows of the answer."
            )
            self._note(text, MUTED if same else "$text-warning")
        self.refresh_bindings()

    def action_save(self) -> None:
        """Save the rows that are shown."""
        if self._brought is not None:
            bubble(self, SaveRequested(self._brought, self.spot.label or self.spot.source))

    def action_show_cited(self) -> None:
        """Back to the cited lines."""
        self.query_one(SourceText).show_cited()

    def action_close(self) -> None:
        """Back to what was on the screen before."""
        self.dismiss()


def _excerpt_of(spot: Spot, read: ReadSource) -> tuple[Excerpt, str, bool]:
    """Read, cut, colour; blocks. What cannot be read is shown by its quote, and the note says why.

    Returns:
        What to show, what to say of it, and whether it is only the quote.
    """
    if spot.sql:
        return _statement(spot.sql), "", True
    if not spot.path:
        return _quoted(spot), "", True
    try:
        source = read(spot.path)
    except KbtuiError as error:
        return _quoted(spot), f"{error.message} Here is what was quoted from it.", True
    start, end, note = _now_at(spot, source.text.split("\n"))
    return make_excerpt(source.text, source.path, source.language, start, end), note, False


def _now_at(spot: Spot, lines: Sequence[str]) -> tuple[int, int, str]:
    """Where the quoted lines stand in the file as it is now, and what to say when that is elsewhere or nowhere."""
    start, end, quote = spot.start_line, spot.end_line, spot.quote.split("\n")
    # What evidence carries is a preview, shortened; only citations quote whole lines.
    if not (spot.n and spot.quote) or list(lines[start - 1 : end]) == quote:
        return start, end, ""
    found = [at for at in range(len(lines) - len(quote) + 1) if list(lines[at : at + len(quote)]) == quote]
    if len(found) == 1:
        return found[0] + 1, found[0] + len(quote), f"The file has changed: what is quoted stood at line {start}."
    return start, end, f"The file has changed since. Quoted was: {one_line(spot.quote, _QUOTE_CELLS)}"


def _statement(sql: str) -> Excerpt:
    """A statement in colours; none of its lines is the one that is meant."""
    return replace(make_excerpt(sql, "statement.sql", "sql", 1, 1), start_line=1, end_line=0)


def _quoted(spot: Spot) -> Excerpt:
    """The quote alone, numbered as in its file."""
    excerpt = make_excerpt(spot.quote or "There is no text to show.", spot.path or "quote.txt", "", 1, 1)
    count = len(excerpt.lines)
    return Excerpt(
        first=spot.start_line,
        lines=excerpt.lines,
        total=spot.start_line + count - 1,
        start_line=spot.start_line,
        end_line=spot.start_line + count - 1,
    )
