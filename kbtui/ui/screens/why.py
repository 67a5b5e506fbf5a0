"""Why a piece of evidence is there: which searches found it, and what its score is made of, a line each."""

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

NOT_TOLD = N_("What its score is made of was not recorded with this run.")

_HEADINGS: dict[Kind, str] = {
    "search": N_("Which searches found it"),
    "signal": N_("What they measured"),
    "grade": N_("What the grader weighed"),
    "grader": N_("Who graded it"),
}
_ENDINGS: dict[Kind, Callable[[Mapping[str, float], float], str]] = {"grade": verdict, "grader": combined_score}
"""What the lines under a heading come to."""


def _nothing(_signals: Mapping[str, float], _score: float) -> str:
    return ""


class WhyScreen(Dialog[None]):
    """Steps through evidence; shows what the events say of it and nothing else.

    Args:
        items: What can be stepped through.
        index: The one to begin with.
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
        many = len(self._items) > 1
        place = _("{number:,} of {count:,}", number=self._index + 1, count=len(self._items))
        box.border_subtitle = Content.styled(place if many else "", MUTED)
        self.query_one(LinesView).set_lines(lambda width: why_lines(item, width))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_step(self, by: int) -> None:
        """The next or the previous piece, round the end."""
        if len(self._items) > 1:
            self._index = (self._index + by) % len(self._items)
            self._show()

    def action_close(self) -> None:
        """Back to what was on the screen before."""
        self.dismiss()


def why_lines(item: EvidenceItem, width: int) -> list[Content]:
    """The explanation of one piece of evidence in lines of at most ``width`` cells."""
    fate = _("kept") if item.kept else _("dropped: below {score}", score=score(DROP_THRESHOLD))
    head = Content.assemble((bar(item.score, 8), "$accent"), f" {score(item.score)} ", (fate, MUTED))
    lines = [row(head, Content.styled(one_line(item.tool), MUTED), width)]
    if item.sub_question:
        lines += wrapped(Content.styled(_("for “{part}”", part=one_line(item.sub_question)), MUTED), width, lines=2)
    told = reasons(item.signals)
    for kind, heading in _HEADINGS.items():
        if mine := [reason for reason in told if reason.kind == kind]:
            lines += [Content(""), Content.styled(_(heading), "bold $accent").truncate(width, ellipsis=True)]
            for reason in mine:
                lines += _reason(reason, width)
            if end := _ENDINGS.get(kind, _nothing)(item.signals, item.score):
                lines += wrapped(Content(end), width)
    if not told:
        lines += [Content(""), *wrapped(Content.styled(_(NOT_TOLD), MUTED), width)]
    return lines


def _reason(reason: Reason, width: int) -> list[Content]:
    """Label and figures, on two lines where one is too short."""
    label, figures = one_line(reason.label), Content(reason.figures)
    if cell_len(label) + figures.cell_length + 2 <= width:
        return [row(Content.styled(label, MUTED), figures, width)]
    first = Content.styled(label, MUTED).truncate(width, ellipsis=True)
    return [first, (Content("  ") + figures).truncate(width, ellipsis=True)]
