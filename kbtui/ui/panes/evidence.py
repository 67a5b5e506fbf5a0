"""The evidence of a run with scores and decisions; a piece can be opened and explained."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content

from kbtui.domain.answer import Citation
from kbtui.domain.events import EvidenceItem
from kbtui.domain.evidence import source_tag
from kbtui.domain.explanation import BY_MODEL
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.text.web_urls import is_web_url
from kbtui.ui.commands import bindings
from kbtui.ui.messages import PreviewRequested, Spot, WhyRequested, bubble
from kbtui.ui.panes.base import StagePane, kept_text, model_call_text, state_text
from kbtui.ui.widgets.cells import elide_middle, low_bar, row, score
from kbtui.ui.widgets.marks import GLYPHS, MUTED
from kbtui.ui.widgets.rows import Row, RowList, heading_row
from kbtui.view.view_state import RunView

_BAR_CELLS = 4


class EvidencePane(StagePane):
    """Stage `grade_evidence`."""

    STAGE = "evidence"
    TITLE = N_("Evidence")
    WORD = N_("grade")
    KEEPS_OPEN = True
    BINDINGS = bindings("evidence")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.add_class("scope-evidence")
        self._rendered: tuple[object, ...] = ()
        self._items: tuple[EvidenceItem, ...] = ()

    def compose_body(self) -> ComposeResult:
        yield RowList(id="evidence-rows", classes="rows")

    def show_body(self, view: RunView) -> None:
        rendered = (view.evidence, view.citations)
        if len(self._rendered) == 2 and all(a is b for a, b in zip(rendered, self._rendered, strict=True)):
            return
        self._rendered = rendered
        parts = _parts(view)
        # The evidence is grouped by the parts of the question.
        self._items = tuple(item for items in parts.values() for item in items)
        rows: list[Row] = []
        for number, (part, items) in enumerate(parts.items(), start=1):
            if len(parts) > 1:
                rows.append(heading_row(f"{number} {one_line(part)}" if part else _("for the whole question")))
            rows += [_row(item, citation_number(item, view.citations)) for item in items]
        self.query_one(RowList).show_rows(rows)

    def summary(self, view: RunView, now: str) -> str:
        text = state_text(view, "evidence", now)
        if view.evidence and not model_call_text(view, "evidence"):
            text = kept_text(view)
            if any(BY_MODEL in item.signals for item in view.evidence):
                text += " · " + _("by the model")
        elif view.action:
            text = _("nothing was found")
        return text

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The locations of the evidence, in the order shown."""
        return tuple(_spot(item) for item in self._items)

    @property
    def selected_index(self) -> int | None:
        """The index of the selected piece of evidence, in the order shown."""
        rows = self.query_one(RowList)
        at = rows.highlighted
        if at is None or rows.get_option_at_index(at).disabled:
            return None
        # Headings between the pieces are disabled options.
        return sum(1 for index in range(at) if not rows.get_option_at_index(index).disabled)

    @property
    def selected_spot(self) -> Spot | None:
        """The location of the selected piece of evidence."""
        index = self.selected_index
        return None if index is None else self.spots[index]

    def action_why(self) -> None:
        """Explain the selected piece."""
        index = self.selected_index
        if index is not None:
            bubble(self, WhyRequested(self._items, index))
        else:
            self.notify(_("There is no evidence to explain yet."), markup=False)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Show the selected piece in its file."""
        event.stop()
        index = self.selected_index
        if index is not None:
            bubble(self, PreviewRequested(self._items, self.spots, index))


PANE = EvidencePane


def citation_number(item: EvidenceItem, citations: Sequence[Citation]) -> int:
    """The number of the first citation of these lines; 0 if the answer cites none of them."""
    return next(
        (
            citation.n
            for citation in citations
            if (citation.path == item.path or (citation.url or "") == item.path)
            and (citation.start_line or 1) <= item.end_line
            and (citation.end_line or citation.start_line or 1) >= item.start_line
        ),
        0,
    )


def _parts(view: RunView) -> dict[str, list[EvidenceItem]]:
    """The evidence by sub-question; evidence of the whole question has an empty name."""
    subs = view.routing_plan.sub_questions if view.routing_plan else ()
    names = [sub.semantic_intent for sub in subs] if len(subs) > 1 else []
    parts: dict[str, list[EvidenceItem]] = {name: [] for name in names}
    for item in view.evidence:
        parts.setdefault(item.sub_question if item.sub_question in names else "", []).append(item)
    return {name: items for name, items in parts.items() if items}


def _spot(item: EvidenceItem) -> Spot:
    is_page = is_web_url(item.path)
    return Spot(
        path="" if is_page else item.path,
        url=item.path if is_page else "",
        start_line=item.start_line,
        end_line=item.end_line,
        label=source_tag(item.path, item.start_line),
        quote=item.preview,
        locator=item.locator,
    )


def _row(item: EvidenceItem, number: int) -> Row:
    """The row of a piece of evidence; ``number`` is that of its citation, 0 for none."""

    def render(width: int) -> Sequence[Content]:
        muted = "" if item.kept else MUTED
        head = Content.assemble(
            (low_bar(item.score, _BAR_CELLS), MUTED if item.kept else "$foreground 35%"),
            (f" {score(item.score)} ", muted),
            ("" if item.kept else f"{GLYPHS['failed']} ", MUTED),
        )
        lines = f":{item.start_line}" if item.end_line <= item.start_line else f":{item.start_line}-{item.end_line}"
        if item.locator:
            lines = f" {one_line(item.locator)}"
        if is_web_url(item.path):
            # Line numbers of the extracted text of a web page mean nothing to the user.
            lines = ""
        mark = Content.styled(f"[{number}]", "$accent") if number else Content("")
        room = width - head.cell_length - len(lines) - mark.cell_length - 1
        path = elide_middle(one_line(item.path), max(3, room))
        return [row(Content.assemble(head, (path, muted), (lines, MUTED)), mark, width)]

    return Row(item.evidence_id, render)
