"""The stage of sub-questions: the parts of a question with their keywords and results."""

from __future__ import annotations

from textual.content import Content

from kbtui.domain.routing import SubQuestion
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import elide, row, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED
from kbtui.view.view_state import RunView


class SubQuestionsPane(StagePane):
    """The sub-questions of the routing plan."""

    STAGE = "sub_questions"
    TITLE = N_("Parts")
    WORD = N_("understand")

    def summary(self, view: RunView, now: str) -> str:
        plan = view.routing_plan
        if plan is None or not plan.sub_questions or view.phase in ("failed", "cancelled"):
            return state_text(view, "sub_questions", now)
        answered = sum(1 for sub in plan.sub_questions if kept_for(view, sub))
        if not view.action:
            return str(len(plan.sub_questions))
        return _("{number} of {count} found", number=answered, count=len(plan.sub_questions))

    def lines(self, view: RunView, width: int) -> list[Content]:
        plan = view.routing_plan
        if plan is None:
            return []
        if not plan.sub_questions:
            return [Content.styled(_("nothing to look up"), MUTED)]
        lines: list[Content] = []
        for number, sub in enumerate(plan.sub_questions, start=1):
            kept_count = kept_for(view, sub)
            is_graded = view.action is not None
            glyph = GLYPHS["done"] if kept_count else GLYPHS["failed"] if is_graded else GLYPHS["waiting"]
            style = "" if kept_count else "$text-warning" if is_graded else MUTED
            head = Content.assemble((f"{glyph} {number} ", style), one_line(sub.semantic_intent))
            keywords = one_line(sub.search_keywords)
            tail = Content.styled(f"⌕ {keywords}", MUTED) if keywords else Content("")
            if head.cell_length + tail.cell_length + 2 <= width:
                lines.append(row(head, tail, width))
                continue
            lines += wrapped(head, width, lines=2, indent=4)
            if keywords:
                lines.append(Content.styled(" " * 4 + elide(f"⌕ {keywords}", width - 4), MUTED))
        return lines


PANE = SubQuestionsPane


def kept_for(view: RunView, sub: SubQuestion) -> int:
    """The number of pieces of evidence kept for a sub-question."""
    return sum(1 for item in view.evidence if item.kept and item.sub_question == sub.semantic_intent)
