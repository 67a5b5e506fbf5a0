"""The parts a question was taken into, what each is searched by, and what was found for it."""

from __future__ import annotations

from textual.content import Content

from kbtui.domain.routing import SubQuestion
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import elide, row, wrapped
from kbtui.ui.widgets.marks import GLYPHS, MUTED
from kbtui.view.view_state import RunView


class SubQuestionsPane(StagePane):
    """The sub-questions of the routing plan."""

    STAGE = "sub_questions"
    TITLE = "Parts"
    WORD = "understand"

    def summary(self, view: RunView, now: str) -> str:
        plan = view.routing_plan
        if plan is None or not plan.sub_questions or view.phase in ("failed", "cancelled"):
            return state_text(view, "sub_questions", now)
        answered = sum(1 for sub in plan.sub_questions if kept_for(view, sub))
        return f"{answered} of {len(plan.sub_questions)} found" if view.action else f"{len(plan.sub_questions)}"

    def lines(self, view: RunView, width: int) -> list[Content]:
        plan = view.routing_plan
        if plan is None:
            return []
        if not plan.sub_questions:
            return [Content.styled("nothing to look up", MUTED)]
        lines: list[Content] = []
        for number, sub in enumerate(plan.sub_questions, start=1):
            kept = kept_for(view, sub)
            graded = view.action is not None
            glyph = GLYPHS["done"] if kept else GLYPHS["failed"] if graded else GLYPHS["waiting"]
            style = "" if kept else "$text-warning" if graded else MUTED
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
    """How many pieces of evidence were kept for a sub-question."""
    return sum(1 for item in view.evidence if item.kept and item.sub_question == sub.semantic_intent)
