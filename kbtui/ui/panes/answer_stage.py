"""Whether the answer is being written, and what it rests on, as the last line of the rail."""

from __future__ import annotations

from kbtui.i18n import N_, _
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.view.view_state import RunView

OUTCOMES = {
    "answered": N_("answered"),
    "partial": N_("answered in part"),
    "not_found": N_("not found"),
    "declined": N_("declined"),
}


class AnswerStage(StagePane):
    """Stage `synthesize`; the text itself stands in the conversation."""

    STAGE = "answer"
    TITLE = N_("Answer")
    WORD = N_("write")

    def summary(self, view: RunView, now: str) -> str:
        if view.outcome is None or view.phase == "cancelled":
            return state_text(view, "answer", now)
        if not view.citations:
            return _(OUTCOMES[view.outcome])
        count = _("{count} cited", count=len(view.citations))
        return count if view.outcome == "answered" else f"{_(OUTCOMES[view.outcome])} · {count}"


PANE = AnswerStage
