"""The last stage of the rail: the state of the answer and the number of its sources."""

from __future__ import annotations

from kbtui.i18n import N_, _
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.view.kind_words import OUTCOME_NAMES
from kbtui.view.view_state import RunView


class AnswerStage(StagePane):
    """Stage `synthesize`; the answer itself is shown in the conversation."""

    STAGE = "answer"
    TITLE = N_("Answer")
    WORD = N_("write")

    def summary(self, view: RunView, now: str) -> str:
        if view.outcome is None or view.phase == "cancelled":
            return state_text(view, "answer", now)
        if not view.citations:
            return _(OUTCOME_NAMES[view.outcome])
        count = _("{count} cited", count=len(view.citations))
        return count if view.outcome == "answered" else f"{_(OUTCOME_NAMES[view.outcome])} · {count}"


PANE = AnswerStage
