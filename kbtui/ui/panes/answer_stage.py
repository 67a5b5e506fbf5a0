"""Whether the answer is being written, and what it rests on, as the last line of the rail."""

from __future__ import annotations

from kbtui.ui.panes.base import StagePane, state_text
from kbtui.view.view_state import RunView

OUTCOMES = {"answered": "answered", "partial": "answered in part", "not_found": "not found", "declined": "declined"}


class AnswerStage(StagePane):
    """Stage `synthesize`; the text itself stands in the conversation."""

    STAGE = "answer"
    TITLE = "Answer"
    WORD = "write"

    def summary(self, view: RunView, now: str) -> str:
        if view.outcome is None or view.phase == "cancelled":
            return state_text(view, "answer", now)
        if not view.citations:
            return OUTCOMES[view.outcome]
        count = f"{len(view.citations)} cited"
        return count if view.outcome == "answered" else f"{OUTCOMES[view.outcome]} · {count}"


PANE = AnswerStage
