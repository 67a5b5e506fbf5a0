"""The answer as it is written, its tables and charts, and under it the sources it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Markdown

from kbtui.controller.table_text import table_title, without_tables
from kbtui.controller.view_state import RunView
from kbtui.domain.answer import Citation
from kbtui.domain.events import ChartProduced, TableProduced, Warned
from kbtui.text.terminal import one_line
from kbtui.ui.messages import PreviewRequested, QuestionChosen, Spot, bubble
from kbtui.ui.panes.base import pane_title, seconds_since, stage_state, state_text, working_for
from kbtui.ui.widgets.cells import duration, elide, elide_middle, row, wrapped
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.ui.widgets.cited_markdown import CitedMarkdown, cited_number, without_footer
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.ui.widgets.table_view import TableView

_OUTCOMES = {"answered": "answered", "partial": "answered in part", "not_found": "not found", "declined": "declined"}
_SILENT_S = 5.0
"""When a stream that brings nothing is worth a word: models pause for breath."""


class AnswerPane(Vertical):
    """Stage `synthesize`: question, text, sources, and what else could be asked."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self._view = RunView()
        self._list_of: tuple[object, ...] = ()
        self._parts_of: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="answer-scroll"):
            yield LinesView(id="question")
            yield CitedMarkdown(id="answer-text")
            yield Vertical(id="answer-parts")
            yield LinesView(id="answer-notes")
        yield RowList(id="sources", classes="rows")

    def on_mount(self) -> None:
        self.query_one("#sources").display = False

    def show(self, view: RunView, now: str = "") -> None:
        """Render the answer of ``view``; its text follows a moment later."""
        fresh = view.run_id != self._view.run_id
        self._view = view
        self.border_title = pane_title(view, "answer", "Answer")
        self.tick(view, now)
        self.set_class(stage_state(view, "answer") == "working", "-working")
        self.query_one("#question", LinesView).set_lines(lambda width: _question(view, width))
        self.query_one("#answer-notes", LinesView).set_lines(lambda width: _notes(view, width))
        self._show_list(view)
        self._show_parts(view)
        text = without_tables(without_footer(view.markdown, view.citations), view.tables)
        self.query_one(CitedMarkdown).show(text)
        if fresh:
            self.query_one("#answer-scroll", VerticalScroll).scroll_home(animate=False)

    def tick(self, view: RunView, now: str) -> None:
        """Move the elapsed time on, nothing else."""
        text = state_text(view, "answer", now)
        if view.first_token_s is not None and stage_state(view, "answer") == "working":
            writing = f"writing {working_for(view, view.stages['answer'].since, now)}".rstrip()
            if seconds_since(view, view.last_at, now) >= _SILENT_S:
                writing = f"nothing new for {working_for(view, view.last_at, now)}"
            text = f"first words {duration(view.first_token_s)} · {writing}"
        if view.outcome and view.phase != "cancelled":
            count = len(view.citations)
            ended = early_words(view) if view.answer and view.answer.is_early else _OUTCOMES[view.outcome]
            text = ended + (f" · {count} source{'s' if count != 1 else ''}" if count else "")
        # They stand under the text, and a long answer hides them.
        notes = _note_count(view) if view.finished else 0
        told = f" · ! {notes} note{'s' if notes != 1 else ''}" if notes else ""
        self.border_subtitle = Content.assemble((text, MUTED), (told, "$text-warning"))

    def _show_list(self, view: RunView) -> None:
        suggestions = view.answer.suggestions if view.answer else ()
        shown = (view.run_id, view.citations, suggestions)
        if shown == self._list_of:
            return
        self._list_of = shown
        rows = [_citation_row(citation) for citation in view.citations]
        if suggestions:
            if rows:
                rows.append(_heading("Ask next"))
            rows += [_suggestion_row(index, text) for index, text in enumerate(suggestions)]
        sources = self.query_one("#sources", RowList)
        sources.border_title = " Sources " if view.citations else " Ask next "
        sources.display = bool(rows)
        sources.show_rows(rows)

    def _show_parts(self, view: RunView) -> None:
        """Tables, then charts, each in the order made; those that are shown already stay, scrolled as they are."""
        shown = (view.run_id, *view.tables, *view.charts)
        if len(shown) == len(self._parts_of) and all(a is b for a, b in zip(shown, self._parts_of, strict=True)):
            return
        self._parts_of = shown
        holder = self.query_one("#answer-parts", Vertical)
        present = {id(part.table if isinstance(part, TableView) else part.event): part for part in self.parts}
        # A chart that was asked for stands where it is seen first.
        first = view.request_type == "visualization"
        wanted: list[TableProduced | ChartProduced] = (
            [*view.charts, *view.tables] if first else [*view.tables, *view.charts]
        )
        for key, old in present.items():
            if all(id(event) != key for event in wanted):
                old.remove()
        for event in wanted:
            part: TableView | ChartView | None = present.get(id(event))
            if part is None:
                part = TableView(event) if isinstance(event, TableProduced) else ChartView(event)
                before = next((one for one in holder.children if isinstance(one, TableView)), None)
                holder.mount(part, before=before if first and isinstance(part, ChartView) else None)
            if isinstance(part, TableView):
                # A second table makes the first one's purpose worth saying.
                part.show_title(table_title(view, part.table))

    @property
    def parts(self) -> list[TableView | ChartView]:
        holder = self.query_one("#answer-parts")
        return [part for part in holder.children if isinstance(part, TableView | ChartView)]

    @property
    def selected_part(self) -> TableProduced | ChartProduced | None:
        """The focused table or chart; else the last chart, else the last table."""
        parts = self.parts
        focused = next((part for part in parts if part.has_focus), None)
        charts = [part for part in parts if isinstance(part, ChartView)]
        part = focused or (charts or parts or [None])[-1]
        if part is None:
            return None
        return part.table if isinstance(part, TableView) else part.event

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The sources as places to look at."""
        tables = {table.sql: table for table in self._view.tables if table.sql}
        spots = (Spot.of(citation) for citation in self._view.citations)
        return tuple(replace(spot, table=tables.get(spot.sql)) if spot.sql else spot for spot in spots)

    @property
    def selected_spot(self) -> Spot | None:
        """The place of the selected source."""
        key = self.query_one("#sources", RowList).selected_key or ""
        return next((spot for spot in self.spots if f"cite-{spot.n}" == key), None)

    def preview(self, n: int) -> bool:
        """Ask for a preview of source ``n``; False when there is none."""
        spots = self.spots
        index = next((index for index, spot in enumerate(spots) if spot.n == n), None)
        if index is None:
            return False
        self.query_one("#sources", RowList).highlighted = index
        bubble(self, PreviewRequested(spots, index))
        return True

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """A mark opens its source; a web link is shown, not followed: it came from a document."""
        event.stop()
        n = cited_number(event.href)
        if n is None:
            self.app.copy_to_clipboard(event.href)
            self.notify(one_line(event.href), title="Link copied", markup=False)
        else:
            self.preview(n)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Preview the chosen source, or ask the chosen question."""
        event.stop()
        kind, _, number = (event.option.id or "").partition("-")
        if kind == "cite":
            self.preview(int(number))
        elif kind == "ask" and self._view.answer is not None:
            bubble(self, QuestionChosen(self._view.answer.suggestions[int(number)]))


def early_words(view: RunView) -> str:
    """How much an early answer is from, and how far reading the rest is."""
    assert view.answer is not None
    read, total = view.answer.files_read, view.answer.files_total
    if view.finished:
        return f"from {read:,} of {total:,} files"
    if view.progress is not None and view.progress.stage == "read":
        read = max(read, view.progress.done)
    return f"first answer · still reading {read:,} of {total:,} files"


def _question(view: RunView, width: int) -> list[Content]:
    if not view.query:
        return []
    content = Content.assemble(("› ", "$accent"), (one_line(view.query), "bold"))
    return [*wrapped(content, width, lines=3, indent=2), Content("")]


def _warnings(view: RunView) -> tuple[Warned, ...]:
    """Those about the answer; how far the work was off its plan stands beside the plan."""
    return tuple(warning for warning in view.warnings if warning.where != "deviation")


def _note_count(view: RunView) -> int:
    """How many remarks stand under the text of a finished run, beside how it ended."""
    stale = sum(1 for citation in view.citations if citation.stale)
    return len(_warnings(view)) + stale + (len(view.answer.unsupported) if view.answer is not None else 0)


def _notes(view: RunView, width: int) -> list[Content]:
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


def _citation_row(citation: Citation) -> Row:
    def make(width: int) -> Sequence[Content]:
        lines = ""
        if citation.kind == "file":
            start, end = citation.start_line or 1, citation.end_line or 0
            lines = f":L{start}-L{end}" if end > start else f":L{start}"
        name = (citation.path or "") if citation.kind == "file" else citation.label
        if citation.kind == "sql" and citation.sql:
            room = max(0, width - 6 - cell_len(name))
            statement = elide(one_line(citation.sql), room)
            left = Content.assemble((f"{citation.n:>2} ", "$accent"), one_line(name), (f"  {statement}", MUTED))
            return [left.truncate(width, ellipsis=True)]
        left = Content.assemble(
            (f"{citation.n:>2} ", "$accent"),
            elide_middle(one_line(name), width - 3 - len(lines) - (8 if citation.stale else 0)),
            (lines, MUTED),
        )
        return [row(left, Content.styled("changed" if citation.stale else "", "$text-warning"), width)]

    return Row(f"cite-{citation.n}", make)


def _suggestion_row(index: int, text: str) -> Row:
    return Row(
        f"ask-{index}",
        lambda width: [Content.assemble((" › ", "$accent"), elide(one_line(text), width - 3))],
    )


def _heading(text: str) -> Row:
    return Row("", lambda width: [Content.styled(text, MUTED).truncate(width)])
