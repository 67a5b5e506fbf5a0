"""How the question was understood, how surely, and why."""

from __future__ import annotations

from textual.content import Content

from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import score, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.view.kind_words import kind_words, sign_words
from kbtui.view.view_state import RunView


class IntentPane(StagePane):
    """Stage `analyze_and_route`."""

    STAGE = "intent"
    TITLE = N_("Intent")
    WORD = N_("understand")

    def summary(self, view: RunView, now: str) -> str:
        if view.stages["intent"].status != "done":
            return state_text(view, "intent", now)
        return _kind(view)

    def lines(self, view: RunView, width: int) -> list[Content]:
        plan = view.routing_plan
        if plan is None and not view.request_type:
            return []
        who = _("by the model") if view.reasoner == "llm" else _("by rules")
        if view.request_type:
            who = _("{who}, {score} sure", who=who, score=score(view.request_confidence))
        lines = [Content.styled(who, MUTED).truncate(max(1, width), ellipsis=True)]
        if view.standalone:
            asked = Content.assemble((_("asked as: "), MUTED), one_line(view.standalone))
            lines += wrapped(asked, width, lines=3, indent=2)
        reasons = [
            ": ".join(filter(None, (sign_words(one_line(signal.name)), one_line(signal.detail))))
            for signal in (*view.routing_signals, *view.request_signals)
        ]
        if reasons:
            because = Content.styled(_("because {reasons}", reasons=", ".join(dict.fromkeys(reasons))), MUTED)
            lines += wrapped(because, width, lines=2, indent=2)
        return lines


PANE = IntentPane


def _kind(view: RunView) -> str:
    plan = view.routing_plan
    if plan is None:
        return kind_words(view.request_type) + (" · " + _("quick path") if view.quick_path else "")
    kind = kind_words(plan.query_type)
    return kind if plan.complexity == plan.query_type else f"{kind} · {kind_words(plan.complexity)}"
