"""One turn of the conversation: a question, its answer as it is written, and how it went."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.commands.here import commands_of
from kbtui.ui.finding import Hit, answer_text
from kbtui.ui.messages import CiteChosen, QuestionChosen, Spot, bubble, spots_of
from kbtui.ui.panes.blocks import Block
from kbtui.ui.panes.closing import closing_line, note_lines, stale_line
from kbtui.ui.panes.silence import choice_rows, choices, chosen
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


class Turn(Vertical):
    """A question and what came of it: text, tables and charts, notes, how it went, and what else could be asked.

    A folded turn is its question alone: the widgets under it are made when it is unfolded, those of tables, charts and
    further questions where there are any, so that a long sitting stays light.
    """

    def __init__(self) -> None:
        super().__init__(classes="turn")
        self.view = RunView()
        self.cite = 0
        self.kept_open = False
        self._changed: tuple[str, ...] = ()
        self._pattern: Pattern | None = None
        self._hit: Hit | None = None
        self._now = ""
        self._composed = False
        self._folded = False
        self._last = False
        self._question = LinesView(classes="turn-question")
        self._text: CitedMarkdown | None = None
        self._notes = LinesView()
        self._next: RowList | None = None
        self._list_of: tuple[object, ...] = ()
        self._parts_of: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        yield self._question

    def on_mount(self) -> None:
        self._composed = True
        self.show(self.view, self._now)

    def show(self, view: RunView, now: str = "") -> None:
        """Render ``view``; its text follows a moment later."""
        if view.run_id != self.view.run_id:
            self._changed = ()
        self.view = view
        self._now = now
        if not self._composed or not self.is_attached:
            return
        self.set_class(self._folded, "-folded")
        self._question.set_lines(self._folded_line if self._folded else self._question_lines)
        if self._folded:
            self._give_up()
            return
        if self._text is None:
            self._text, self._notes = CitedMarkdown(classes="answer-text"), LinesView()
            self.mount(self._text, self._notes, after=self._question)
            self._text.mark(self.cite)
        self._text.show(answer_text(view))
        self._show_parts(view)
        self._show_next()
        self._mark_matches()
        self.tick(now)

    def _give_up(self) -> None:
        """Remove all but the question."""
        self._text = self._next = None
        self._list_of = self._parts_of = ()
        self.remove_children([child for child in self.children if child is not self._question])

    def tick(self, now: str) -> None:
        """Move the elapsed time on, nothing else."""
        view, self._now = self.view, now
        if self._text is not None:
            self._notes.set_lines(lambda width: [*note_lines(view, width), closing_line(view, now, width)])

    def set_last(self, last: bool) -> None:
        """What else could be asked is offered below the last turn."""
        if last != self._last:
            self._last = last
            self._show_next()

    @property
    def question(self) -> Widget:
        """What is shown of the question."""
        return self._question

    @property
    def folded(self) -> bool:
        """True while only the question is shown."""
        return self._folded

    def fold(self, folded: bool) -> None:
        """Show only the question, or all of it again."""
        if folded != self._folded:
            self._folded = folded
            self.show(self.view, self._now)

    def toggle(self) -> None:
        """Fold or unfold it for the user: what the user unfolds stays so."""
        self.kept_open = self._folded
        self.fold(not self._folded)

    def show_changed(self, names: tuple[str, ...]) -> None:
        """Say that these files no longer hold what the answer cites."""
        if names != self._changed:
            self._changed = names
            self.show(self.view, self._now)

    def mark(self, n: int) -> None:
        """Have the marks of citation ``n`` stand out; 0 for none."""
        self.cite = n
        if self._text is not None:
            self._text.mark(n)

    def find(self, pattern: Pattern | None, hit: Hit | None) -> None:
        """Have what is looked for stand out, and ``hit`` most where it is in this turn; None for nothing."""
        if (pattern, hit) != (self._pattern, self._hit):
            self._pattern, self._hit = pattern, hit
            if self._composed:
                self._mark_matches()

    def _mark_matches(self) -> None:
        self._question.refresh()
        if self._text is None:
            return
        self._text.find(self._pattern, self._current("text", 0))
        for part in self.parts:
            if isinstance(part, TableView) and part.table in self.view.tables:
                part.find(self._pattern, self._current("table", self.view.tables.index(part.table)))

    def _current(self, kind: str, of: int) -> int:
        """Which match of this piece the reader is at; -1 for none of them."""
        return self._hit.at if self._hit is not None and (self._hit.kind, self._hit.of) == (kind, of) else -1

    @property
    def hit_place(self) -> tuple[Widget, int] | None:
        """Where the reader is: a widget and a line of it; None while it is not there yet."""
        match self._hit:
            case Hit(kind="question"):
                return self._question, 0
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
        """What the cursor goes through: the question, the parts of the text, tables and charts."""
        text = self._text
        parts = [Block(text, part) for part in range(len(text.parts))] if text is not None else []
        return [Block(self._question), *parts, *map(Block, self.parts)]

    def block_at(self, widget: Widget | None, y: int) -> Block | None:
        """The block to which a line of the screen belongs, where this widget stands."""
        if isinstance(widget, CitedMarkdown):
            part = widget.part_at(y)
            return None if part is None else Block(widget, part)
        around = widget.ancestors_with_self if widget is not None else ()
        return next((block for block in self.blocks if block.widget in around), None)

    def source_of(self, block: Block) -> str:
        """The Markdown of a part of the text."""
        return self._text.parts[block.part].source if self._text is not None and block.part is not None else ""

    def block_citing(self, n: int) -> Block | None:
        """The first part of the text with a mark of citation ``n``."""
        text = self._text
        part = text.part_citing(n) if text is not None else None
        return Block(text, part) if text is not None and part is not None else None

    def _show_next(self) -> None:
        offered = choices(self.view) if self._last and self._text is not None else ()
        shown = (self.view.run_id, offered) if offered else ()
        if shown == self._list_of:
            return
        self._list_of = shown
        if self._next is not None and not offered:
            self._next.remove()
            self._next = None
        elif offered:
            if self._next is None:
                self._next = RowList(classes="rows turn-next")
                self.mount(self._next)
            self._next.show_rows(choice_rows(self.view))

    def _show_parts(self, view: RunView) -> None:
        """Tables, then charts, each in the order made; those that are shown already stay, scrolled as they are."""
        shown = (view.run_id, *view.tables, *view.charts)
        if len(shown) == len(self._parts_of) and all(a is b for a, b in zip(shown, self._parts_of, strict=True)):
            return
        self._parts_of = shown
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
                table = next((child for child in self.parts if isinstance(child, TableView)), self._notes)
                self.mount(part, before=table if first and isinstance(part, ChartView) else self._notes)
            if isinstance(part, TableView):
                # A second table makes the first one's purpose worth saying.
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
        """The sources as places to look at."""
        return spots_of(self.view)

    def _stale_line(self, width: int) -> Content:
        again = next((one.shown for one in commands_of(self.app) if one.name == "ask_again"), "")
        return stale_line(self._changed, again, width)

    def _query(self, style: str) -> Content:
        """The question, with what is looked for in it."""
        return with_matches(
            Content.styled(one_line(self.view.query), style), self._pattern, self._current("question", 0)
        )[0]

    def _folded_line(self, width: int) -> list[Content]:
        left = Content.assemble(("▸ ", MUTED), self._query(""))
        half = width // 2
        how = self._stale_line(half) if self._changed else closing_line(self.view, "", half)
        return [row(left, how, width)]

    def _question_lines(self, width: int) -> list[Content]:
        if not self.view.query:
            return []
        lines = wrapped(Content.styled("› ", "$accent") + self._query("bold"), width, lines=3, indent=2)
        if self.view.standalone:
            # A follow-up means something of the question before it: what that is must be seen.
            asked = Content.styled("  " + _("asked as: ") + one_line(self.view.standalone), MUTED)
            lines += wrapped(asked, width, lines=2, indent=2)
        # Above the answer, where it is read first: its end may be out of sight.
        return [*lines, self._stale_line(width)] if self._changed else lines

    def on_cited_markdown_link_clicked(self, event: CitedMarkdown.LinkClicked) -> None:
        """A mark shows its source; a web link is shown, not followed: it came from a document."""
        event.stop()
        n = cited_number(event.href)
        if n is None:
            self.app.copy_to_clipboard(event.href)
            self.notify(one_line(event.href), title=_("Link copied"), markup=False)
        else:
            bubble(self, CiteChosen(n, self))

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Ask the chosen question."""
        event.stop()
        if (question := chosen(self.view, event.option.id)) is not None:
            bubble(self, QuestionChosen(question))

    def on_click(self, event: events.Click) -> None:
        """A click on the question folds the turn or unfolds it; one on the line that calls it stale asks it again."""
        if event.widget is not self._question:
            return
        if self._changed and not self._folded and event.screen_y == self._question.content_region.bottom - 1:
            bubble(self, QuestionChosen(self.view.standalone or self.view.query))
        else:
            self.toggle()
