"""A turn of the conversation: a question, its answer as it streams, and its outcome."""

from __future__ import annotations

from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.commands import shown_keys
from kbtui.ui.finding import Hit, answer_text
from kbtui.ui.messages import CiteChosen, QuestionChosen, Spot, bubble, spots_of
from kbtui.ui.panes.closing import closing_line, closing_lines, note_lines, stale_line
from kbtui.ui.panes.silence import choice_rows, choices, numbered_choices, selected_choice
from kbtui.ui.widgets.cells import row, wrapped
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.ui.widgets.cited_markdown import CitedMarkdown, cited_number
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.matches import Pattern, with_matches
from kbtui.ui.widgets.rows import RowList
from kbtui.ui.widgets.table_view import TableView
from kbtui.view.table_text import table_title
from kbtui.view.view_state import RunView


class Block(NamedTuple):
    """A unit that the cursor of the conversation moves through: a widget, or a part of the text that a widget shows."""

    widget: Widget
    part: int | None = None

    @property
    def region(self) -> Region:
        """The region of the block on the screen."""
        if self.part is None or not isinstance(self.widget, CitedMarkdown):
            return self.widget.region
        return self.widget.region_of(self.part)

    @property
    def has_focus(self) -> bool:
        return self.part is None and self.widget.has_focus

    def put_cursor(self, has_cursor: bool) -> None:
        """Highlight the block as the one under the cursor, or remove the highlight."""
        if isinstance(self.widget, CitedMarkdown):
            self.widget.put_cursor(self.part if has_cursor else None)
        else:
            self.widget.set_class(has_cursor, "-here")


class Turn(Vertical):
    """A question with its answer, tables, charts, notes, outcome and further questions.

    A folded turn has only the widget of its question; the others are created when it is unfolded and needed, so that
    long conversations stay light.

    Attributes:
        question: The widget of the question.
        is_folded: Whether only the question is shown.
    """

    def __init__(self) -> None:
        super().__init__(classes="turn")
        self.view = RunView()
        self.cite = 0
        self.is_kept_open = False
        self._changed: tuple[str, ...] = ()
        self._pattern: Pattern | None = None
        self._hit: Hit | None = None
        self._now = ""
        self._is_composed = False
        self.is_folded = False
        self._is_last = False
        self.question = LinesView(classes="turn-question")
        self._text: CitedMarkdown | None = None
        self._notes = LinesView()
        self._next: RowList | None = None
        self._shown_choices: tuple[object, ...] = ()
        self._shown_parts: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        yield self.question

    def on_mount(self) -> None:
        self._is_composed = True
        self.show(self.view, self._now)

    def show(self, view: RunView, now: str = "") -> None:
        """Render ``view``."""
        if view.run_id != self.view.run_id:
            self._changed = ()
        self.view = view
        self._now = now
        if not self._is_composed or not self.is_attached:
            return
        self.set_class(self.is_folded, "-folded")
        self.question.set_lines(self._folded_line if self.is_folded else self._question_lines)
        if self.is_folded:
            self._remove_content()
            return
        if self._text is None:
            self._text, self._notes = CitedMarkdown(classes="answer-text"), LinesView()
            self.mount(self._text, self._notes, after=self.question)
            self._text.mark(self.cite)
        self._text.show(answer_text(view))
        self._show_parts(view)
        self._show_next()
        self._mark_matches()
        self.tick(now)

    def _remove_content(self) -> None:
        """Remove all widgets but the question."""
        self._text = self._next = None
        self._shown_choices = self._shown_parts = ()
        self.remove_children([child for child in self.children if child is not self.question])

    def tick(self, now: str) -> None:
        """Update only the elapsed time."""
        view, self._now = self.view, now
        if self._text is not None:
            self._notes.set_lines(lambda width: [*note_lines(view, width), *closing_lines(view, now, width)])

    def set_last(self, is_last: bool) -> None:
        """Set whether this is the last turn, below which further questions are offered."""
        if is_last != self._is_last:
            self._is_last = is_last
            self._show_next()

    def fold(self, is_folded: bool) -> None:
        """Fold or unfold the turn."""
        if is_folded != self.is_folded:
            self.is_folded = is_folded
            self.show(self.view, self._now)

    def toggle(self) -> None:
        """Fold or unfold the turn for the user, whose unfolded turns are never folded automatically."""
        self.is_kept_open = self.is_folded
        self.fold(not self.is_folded)

    def show_changed(self, names: tuple[str, ...]) -> None:
        """Show that these files no longer contain the quotes of the answer."""
        if names != self._changed:
            self._changed = names
            self.show(self.view, self._now)

    def mark(self, n: int) -> None:
        """Highlight the marks of citation ``n``; 0 for none."""
        self.cite = n
        if self._text is not None:
            self._text.mark(n)

    def find(self, pattern: Pattern | None, hit: Hit | None) -> None:
        """Highlight matches, and the current ``hit`` if it is in this turn; None for none."""
        if (pattern, hit) != (self._pattern, self._hit):
            self._pattern, self._hit = pattern, hit
            if self._is_composed:
                self._mark_matches()

    def _mark_matches(self) -> None:
        self.question.refresh()
        if self._text is None:
            return
        self._text.find(self._pattern, self._current("text", 0))
        for part in self.parts:
            if isinstance(part, TableView) and part.table in self.view.tables:
                part.find(self._pattern, self._current("table", self.view.tables.index(part.table)))

    def _current(self, kind: str, of: int) -> int:
        """The index of the current match in this piece; -1 if it is elsewhere."""
        return self._hit.at if self._hit is not None and (self._hit.kind, self._hit.of) == (kind, of) else -1

    @property
    def hit_place(self) -> tuple[Widget, int] | None:
        """The widget and line of the current hit; None while they are not laid out."""
        match self._hit:
            case Hit(kind="question"):
                return self.question, 0
            case Hit(kind="table", of=of):
                tables = {id(part.table): part for part in self.parts if isinstance(part, TableView)}
                part = tables.get(id(self.view.tables[of])) if of < len(self.view.tables) else None
                return (part, 0) if part is not None else None
            case Hit(kind="text"):
                text = self._text
                line = text.match_line if text is not None else None
                return (text, line) if text is not None and line is not None else None
            case _:
                return None

    @property
    def blocks(self) -> list[Block]:
        """The blocks of the turn: the question, the parts of the text, tables and charts."""
        text = self._text
        parts = [Block(text, part) for part in range(len(text.parts))] if text is not None else []
        return [Block(self.question), *parts, *map(Block, self.parts)]

    def block_at(self, widget: Widget | None, y: int) -> Block | None:
        """The block at a line of the screen in this widget; None if there is none."""
        if isinstance(widget, CitedMarkdown):
            part = widget.part_at(y)
            return None if part is None else Block(widget, part)
        ancestors = widget.ancestors_with_self if widget is not None else ()
        return next((block for block in self.blocks if block.widget in ancestors), None)

    def source_of(self, block: Block) -> str:
        """The Markdown of a part of the text."""
        return self._text.parts[block.part].source if self._text is not None and block.part is not None else ""

    def block_citing(self, n: int) -> Block | None:
        """The first part of the text with a mark of citation ``n``."""
        text = self._text
        part = text.part_citing(n) if text is not None else None
        return Block(text, part) if text is not None and part is not None else None

    @property
    def offered(self) -> dict[int, str]:
        """The questions that are offered under the turn, by the digits that choose them."""
        return numbered_choices(self.view) if self._is_last else {}

    def _show_next(self) -> None:
        questions = choices(self.view) if self._is_last and self._text is not None else ()
        shown = (self.view.run_id, questions) if questions else ()
        if shown == self._shown_choices:
            return
        self._shown_choices = shown
        if self._next is not None and not questions:
            self._next.remove()
            self._next = None
        elif questions:
            if self._next is None:
                self._next = RowList(classes="rows turn-next")
                self.mount(self._next)
            self._next.show_rows(choice_rows(self.view))

    def _show_parts(self, view: RunView) -> None:
        """Show tables, then charts, in order of their events; existing widgets are kept with their scroll position."""
        shown = (view.run_id, *view.tables, *view.charts)
        if len(shown) == len(self._shown_parts) and all(a is b for a, b in zip(shown, self._shown_parts, strict=True)):
            return
        self._shown_parts = shown
        present = {id(part.table if isinstance(part, TableView) else part.event): part for part in self.parts}
        # A requested chart comes before the tables.
        chart_first = view.request_type == "visualization"
        events: list[TableProduced | ChartProduced] = (
            [*view.charts, *view.tables] if chart_first else [*view.tables, *view.charts]
        )
        for key, old in present.items():
            if all(id(event) != key for event in events):
                old.remove()
        for event in events:
            part: TableView | ChartView | None = present.get(id(event))
            if part is None:
                part = TableView(event) if isinstance(event, TableProduced) else ChartView(event)
                table = next((child for child in self.parts if isinstance(child, TableView)), self._notes)
                self.mount(part, before=table if chart_first and isinstance(part, ChartView) else self._notes)
            if isinstance(part, TableView):
                # The title includes the purpose once there is a second table.
                part.show_title(table_title(view, part.table))

    @property
    def parts(self) -> list[TableView | ChartView]:
        return [part for part in self.children if isinstance(part, TableView | ChartView)]

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
        """The locations of the sources."""
        return spots_of(self.view)

    def _stale_line(self, width: int) -> Content:
        return stale_line(self._changed, shown_keys(self.app, "ask_again"), width)

    def _query(self, style: str) -> Content:
        """The question with highlighted matches."""
        return with_matches(
            Content.styled(one_line(self.view.query), style), self._pattern, self._current("question", 0)
        )[0]

    def _folded_line(self, width: int) -> list[Content]:
        left = Content.assemble(("▸ ", MUTED), self._query(""))
        half = width // 2
        status = self._stale_line(half) if self._changed else closing_line(self.view, "").truncate(half, ellipsis=True)
        return [row(left, status, width)]

    def _question_lines(self, width: int) -> list[Content]:
        if not self.view.query:
            return []
        lines = wrapped(Content.styled("› ", "$accent") + self._query("bold"), width, lines=3, indent=2)
        if self.view.standalone:
            # The standalone form shows how a follow-up question was understood.
            standalone = Content.styled("  " + _("asked as: ") + one_line(self.view.standalone), MUTED)
            lines += wrapped(standalone, width, lines=2, indent=2)
        # The warning is above the answer, because the end of the answer may not be visible.
        return [*lines, self._stale_line(width)] if self._changed else lines

    def on_cited_markdown_link_clicked(self, event: CitedMarkdown.LinkClicked) -> None:
        """Show the source of a mark; a web link comes from a document, so it is copied and not opened."""
        event.stop()
        n = cited_number(event.href)
        if n is None:
            self.app.copy_to_clipboard(event.href)
            self.notify(one_line(event.href), title=_("Link copied"), markup=False)
        else:
            bubble(self, CiteChosen(n, self))

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Ask the selected question."""
        event.stop()
        if (question := selected_choice(self.view, event.option.id)) is not None:
            bubble(self, QuestionChosen(question))

    def on_click(self, event: events.Click) -> None:
        """Fold or unfold the turn on a click on the question; ask it again on a click on the warning of changes."""
        if event.widget is not self.question:
            return
        if self._changed and not self.is_folded and event.screen_y == self.question.content_region.bottom - 1:
            bubble(self, QuestionChosen(self.view.standalone or self.view.query))
        else:
            self.toggle()
