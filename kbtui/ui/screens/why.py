"""The explanation of a piece of evidence: the searches that found it and the parts of its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content

from kbtui.domain.answer import line_label
from kbtui.domain.events import EvidenceItem
from kbtui.domain.evidence import DROP_THRESHOLD
from kbtui.domain.explanation import Kind, Reason, combined_score, reasons, verdict
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import bar, elide_middle, row, score, wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED

NOT_RECORDED = N_("What its score is made of was not recorded with this run.")

_HEADINGS: dict[Kind, str] = {
    "search": N_("Which searches found it"),
    "signal": N_("What they measured"),
    "grade": N_("What the grader weighed"),
    "grader": N_("Who graded it"),
}
_ENDINGS: dict[Kind, Callable[[Mapping[str, float], float], str]] = {"grade": verdict, "grader": combined_score}
"""The conclusion under the reasons of a kind."""


class WhyScreen(Dialog[None]):
    """Explains pieces of evidence by the data in their events.

    Args:
        items: The pieces of evidence, which the user can step through.
        index: Index of the first one shown.
    """

    SCOPE = "why"
    BINDINGS = bindings("why")

    def __init__(self, items: Sequence[EvidenceItem], index: int) -> None:
        super().__init__()
        self._items = tuple(items)
        self._index = index

    def compose(self) -> ComposeResult:
        with Vertical(id="why", classes="dialog"):
            with VerticalScroll():
                yield LinesView()
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._show()

    def _show(self) -> None:
        item = self._items[self._index]
        box = self.query_one("#why")
        place = line_label(one_line(item.path), item.start_line, item.end_line, one_line(item.locator))
        box.border_title = Content(elide_middle(place, max(20, min(84, self.size.width) - 12)))
        has_several = len(self._items) > 1
        place = _("{number:,} of {count:,}", number=self._index + 1, count=len(self._items))
        box.border_subtitle = Content.styled(place if has_several else "", MUTED)
        self.query_one(LinesView).set_lines(lambda width: why_lines(item, width))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_step(self, by: int) -> None:
        """Show the next or previous piece, wrapping around."""
        if len(self._items) > 1:
            self._index = (self._index + by) % len(self._items)
            self._show()


def why_lines(item: EvidenceItem, width: int) -> list[Content]:
    """The explanation of a piece of evidence in lines of at most ``width`` cells."""
    decision = _("kept") if item.kept else _("dropped: below {score}", score=score(DROP_THRESHOLD))
    head = Content.assemble((bar(item.score, 8), "$accent"), f" {score(item.score)} ", (decision, MUTED))
    lines = [row(head, Content.styled(one_line(item.tool), MUTED), width)]
    if item.sub_question:
        lines += wrapped(Content.styled(_("for “{part}”", part=one_line(item.sub_question)), MUTED), width, lines=2)
    all_reasons = reasons(item.signals)
    for kind, heading in _HEADINGS.items():
        if kind_reasons := [reason for reason in all_reasons if reason.kind == kind]:
            lines += [Content(""), Content.styled(_(heading), "bold $accent").truncate(width, ellipsis=True)]
            for reason in kind_reasons:
                lines += _reason(reason, width)
            if (ending := _ENDINGS.get(kind)) and (conclusion := ending(item.signals, item.score)):
                lines += wrapped(Content(conclusion), width)
    if not all_reasons:
        lines += [Content(""), *wrapped(Content.styled(_(NOT_RECORDED), MUTED), width)]
    return lines


def _reason(reason: Reason, width: int) -> list[Content]:
    """The label and values of a reason, on two lines if one is too short."""
    label, values = one_line(reason.label), Content(reason.figures)
    if cell_len(label) + values.cell_length + 2 <= width:
        return [row(Content.styled(label, MUTED), values, width)]
    first = Content.styled(label, MUTED).truncate(width, ellipsis=True)
    return [first, (Content("  ") + values).truncate(width, ellipsis=True)]
