"""What was found, how much each piece is worth, and whether it was kept; select one to read it, or ask why."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from kbtui.controller.view_state import RunView
from kbtui.domain.events import EvidenceItem
from kbtui.domain.evidence import source_tag
from kbtui.domain.explanation import BY_MODEL
from kbtui.text.terminal import one_line
from kbtui.text.web_urls import is_web_url
from kbtui.ui.commands import bindings
from kbtui.ui.messages import PreviewRequested, Spot, WhyRequested, bubble
from kbtui.ui.panes.base import asking_text, pane_title, stage_state, state_text
from kbtui.ui.widgets.cells import bar, elide_middle, row, score
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import GLYPHS, MUTED
from kbtui.ui.widgets.rows import Row, RowList

ABOUT = "what they find, and how much it is worth"


class EvidencePane(Vertical):
    """Stage `grade_evidence`."""

    BINDINGS = bindings("evidence")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane scope-evidence")
        self._items: tuple[EvidenceItem, ...] = ()
        self._view = RunView()

    def compose(self) -> ComposeResult:
        yield LinesView(id="evidence-note")
        yield RowList(id="evidence-rows", classes="rows")

    def on_mount(self) -> None:
        self.query_one(RowList).display = False

    def show(self, view: RunView, now: str = "") -> None:
        """Render this stage of ``view``."""
        self._view = view
        self.border_title = pane_title(view, "evidence", "Evidence")
        self.tick(view, now)
        self.set_class(stage_state(view, "evidence") == "working", "-working")
        rows, note = self.query_one(RowList), self.query_one(LinesView)
        rows.display = bool(view.evidence)
        note.display = not view.evidence
        nothing = "nothing was found" if view.action else ABOUT
        note.set_lines(lambda width: [Content.styled(nothing, MUTED).truncate(width, ellipsis=True)])
        if view.evidence is not self._items:
            self._items = view.evidence
            numbers = _numbers(view)
            rows.show_rows([_row(item, numbers.get(item.sub_question, "")) for item in view.evidence])

    def tick(self, view: RunView, now: str) -> None:
        """Move the elapsed time on, nothing else."""
        text = state_text(view, "evidence", now)
        if view.evidence and not asking_text(view, "evidence"):
            kept = sum(1 for item in view.evidence if item.kept)
            text = f"{kept} of {len(view.evidence)} kept · avg {score(view.average)}"
            if any(BY_MODEL in item.signals for item in view.evidence):
                text += " · by the model"
        self.border_subtitle = Content.styled(text, MUTED)

    def natural_height(self, width: int) -> int:
        """Rows needed to show all of it, border included."""
        return max(1, len(self._items)) + 2

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The evidence as places to look at, in the order shown."""
        return tuple(_spot(item) for item in self._items)

    @property
    def selected_spot(self) -> Spot | None:
        """The place of the selected piece of evidence."""
        index = self.query_one(RowList).highlighted
        return self.spots[index] if index is not None and index < len(self._items) else None

    def action_why(self) -> None:
        """Explain the selected piece."""
        index = self.query_one(RowList).highlighted
        if index is not None and index < len(self._items):
            bubble(self, WhyRequested(self._items, index))
        else:
            self.notify("There is no evidence to explain yet.", markup=False)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Preview the chosen piece."""
        event.stop()
        bubble(self, PreviewRequested(self.spots, event.option_index))


def _spot(item: EvidenceItem) -> Spot:
    is_page = is_web_url(item.path)
    return Spot(
        path="" if is_page else item.path,
        url=item.path if is_page else "",
        start_line=item.start_line,
        end_line=item.end_line,
        label=source_tag(item.path, item.start_line),
        quote=item.preview,
    )


def _numbers(view: RunView) -> dict[str, str]:
    """The number of each sub-question, where there are several."""
    subs = view.routing_plan.sub_questions if view.routing_plan else ()
    return {sub.semantic_intent: str(n) for n, sub in enumerate(subs, start=1)} if len(subs) > 1 else {}


def _row(item: EvidenceItem, number: str) -> Row:
    """``number`` says which sub-question it was found for: the same lines may serve two."""

    def make(width: int) -> Sequence[Content]:
        bar_width = 8 if width >= 44 else 5
        muted = "" if item.kept else MUTED
        head = Content.assemble(
            (bar(item.score, bar_width), "$accent" if item.kept else "$foreground 35%"),
            (f" {score(item.score)} ", muted),
            (GLYPHS["done"] if item.kept else GLYPHS["failed"], "" if item.kept else MUTED),
            " ",
        )
        lines = f":{item.start_line}" if item.end_line <= item.start_line else f":{item.start_line}-{item.end_line}"
        if is_web_url(item.path):
            # Of its text as it was fetched: nobody could look them up.
            lines = ""
        tool = Content.styled(f"{one_line(item.tool).partition('_')[0]} {number}".rstrip(), MUTED)
        room = width - head.cell_length - len(lines) - tool.cell_length - 1
        path = elide_middle(one_line(item.path), max(3, room))
        return [row(Content.assemble(head, (path, muted), (lines, MUTED)), tool, width)]

    return Row(item.evidence_id, make)
