"""The panes of a run: a pure function of a `RunView`. Live runs, replays and screenshots are all shown by this."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widget import Widget

from kbtui.controller.view_state import EMPTY, RunView, StageName
from kbtui.ui.addresses import copy_address
from kbtui.ui.commands import bindings
from kbtui.ui.messages import EditRequested, SaveRequested, SchemaRefreshRequested, StatementEditRequested, bubble
from kbtui.ui.panes.answer import AnswerPane
from kbtui.ui.panes.base import OverflowScroll, StagePane, stage_state
from kbtui.ui.panes.evidence import EvidencePane
from kbtui.ui.panes.intent import IntentPane
from kbtui.ui.panes.plan_steps import PlanPane
from kbtui.ui.panes.sub_questions import SubQuestionsPane
from kbtui.ui.panes.tool_calls import ToolCallsPane
from kbtui.ui.widgets.marks import GLYPHS
from kbtui.ui.widgets.tab_line import TabLine

NARROW_COLUMNS = 90
MIN_PANE_ROWS = 3


class RunPanes(Widget):
    """Six panes: beside each other where there is room, behind tabs where there is none.

    ``show`` may be given any state in any order (a replay steps back); the same state always looks the same. It posts
    `PreviewRequested`, `EditRequested` and `QuestionChosen`.
    """

    BINDINGS = bindings("panes")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="scope-panes")
        self.view: RunView = EMPTY

    def compose(self) -> ComposeResult:
        yield TabLine(id="tabs")
        with Container(id="panes"):
            with Vertical(id="trace-column"):
                with OverflowScroll(id="trace"):
                    yield IntentPane(id="intent")
                    yield SubQuestionsPane(id="sub-questions")
                    yield PlanPane(id="plan")
                    yield ToolCallsPane(id="tools")
                yield EvidencePane(id="evidence")
            yield AnswerPane(id="answer")

    def on_mount(self) -> None:
        self.query_one(TabLine).active = "answer"
        self.show(self.view)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width <= NARROW_COLUMNS, "-narrow")
        self.call_after_refresh(self._share_rows)

    def show(self, view: RunView, now: str = "") -> None:
        """Render a state.

        Args:
            view: Any state of any run.
            now: The present (ISO 8601), for the elapsed time of a live run; elapsed time is that of the last event
                when it is not given.
        """
        keys = [self.check_action(action, ()) for action in ("save", "refresh_schema")]
        self.view = view
        if keys != [self.check_action(action, ()) for action in ("save", "refresh_schema")]:
            self.refresh_bindings()
        for pane in self.query(StagePane):
            pane.show(view, now)
        self.query_one(EvidencePane).show(view, now)
        self.query_one(AnswerPane).show(view, now)
        self.query_one(TabLine).labels = _tab_labels(view)
        self._share_rows()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for data work where there is data: elsewhere they are neither shown nor taken."""
        if action == "save":
            return bool(self.view.tables or self.view.charts)
        if action == "refresh_schema":
            return bool(self.view.sources)
        return True

    def tick(self, now: str) -> None:
        """Let the elapsed time of a live run go on between events."""
        for pane in self.query(StagePane):
            pane.tick(self.view, now)
        self.query_one(EvidencePane).tick(self.view, now)
        self.query_one(AnswerPane).tick(self.view, now)

    def _share_rows(self) -> None:
        """Give each pane of the left column the rows it needs, as far as there are any; evidence takes the rest."""
        column = self.query_one("#trace-column")
        panes = list(self.query(StagePane))
        if self.has_class("-narrow"):
            for pane in panes:
                pane.styles.height = "auto"
            return
        width = max(1, panes[0].size.width)
        wanted = [*(pane.natural_height(width) for pane in panes), self.query_one(EvidencePane).natural_height(width)]
        for pane, height in zip(panes, share_rows(wanted, column.size.height), strict=False):
            pane.styles.height = height

    def on_tab_line_changed(self, event: TabLine.Changed) -> None:
        """Show the chosen part; where all fits, tabs are hidden and this changes nothing."""
        event.stop()
        for name in ("answer", "steps", "evidence"):
            self.set_class(event.active == name, f"-tab-{name}")

    def focus_answer(self) -> None:
        """Focus the sources where there are any, else the text."""
        self.query_one(TabLine).active = "answer"
        sources, text = self.query_one("#sources"), self.query_one("#answer-scroll")
        (sources if sources.focusable else text).focus()

    def action_cite(self, n: int) -> None:
        """Preview source ``n``."""
        if not self.query_one(AnswerPane).preview(n) and self.view.answer is not None:
            self.notify(f"There is no source {n}.", markup=False)

    def action_edit(self) -> None:
        """Open the selected evidence or source in the editor; the address of a page is copied."""
        evidence = self.query_one(EvidencePane)
        pane = evidence if evidence.has_focus_within else self.query_one(AnswerPane)
        if (spot := pane.selected_spot) is not None and spot.url:
            copy_address(self.app, spot.url)
        elif spot is not None and spot.sql:
            bubble(self, StatementEditRequested(spot))
        elif spot is not None and spot.path:
            bubble(self, EditRequested(spot))
        else:
            self.notify("Nothing to open: the answer has no source yet.", markup=False)

    def action_copy_answer(self) -> None:
        if self.view.markdown:
            self.app.copy_to_clipboard(self.view.markdown)
            self.notify("The answer is in the clipboard.", markup=False)

    def action_save(self) -> None:
        """Save the focused chart or table, or the last one."""
        part = self.query_one(AnswerPane).selected_part
        if part is None:
            self.notify("Nothing to save: the answer has no chart and no table.", markup=False)
        else:
            bubble(self, SaveRequested(part, self.view.query))

    def action_refresh_schema(self) -> None:
        """Have the structure of the data sources read anew."""
        self.post_message(SchemaRefreshRequested())

    def action_next_tab(self) -> None:
        """The next tab, where there are tabs; the focus goes with it."""
        if self.has_class("-narrow"):
            self.query_one(TabLine).action_move(1)
            self.call_after_refresh(self._focus_tab)

    def _focus_tab(self) -> None:
        tabs = self.query_one(TabLine)
        inside = {"answer": ("#sources", "#answer-scroll"), "steps": ("#trace",), "evidence": ("#evidence-rows",)}
        widgets = (self.query_one(selector) for selector in inside[tabs.active])
        next((widget for widget in widgets if widget.focusable), tabs).focus()


def share_rows(wanted: Sequence[int], available: int) -> list[int]:
    """Divide rows among panes: each gets what it wants if all fit, else the largest give first."""
    heights = [max(MIN_PANE_ROWS, want) for want in wanted]
    while sum(heights) > available and max(heights) > MIN_PANE_ROWS:
        heights[heights.index(max(heights))] -= 1
    return heights


def _tab_labels(view: RunView) -> tuple[tuple[str, str], ...]:
    steps: tuple[StageName, ...] = ("intent", "sub_questions", "plan_steps", "tool_calls")
    states = [stage_state(view, name) for name in steps]
    order = ("failed", "cancelled", "working", "waiting")
    state = next((state for state in order if state in states), "done")
    kept = sum(1 for item in view.evidence if item.kept)
    return (
        ("answer", f"{GLYPHS[stage_state(view, 'answer')]} Answer"),
        ("steps", f"{GLYPHS[state]} Steps"),
        ("evidence", f"{GLYPHS[stage_state(view, 'evidence')]} Evidence" + (f" {kept}" if view.evidence else "")),
    )
