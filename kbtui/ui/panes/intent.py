"""How the question was understood, how surely, and why."""

from __future__ import annotations

from textual.content import Content

from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import score, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.view.view_state import RunView


class IntentPane(StagePane):
    """Stage `analyze_and_route`."""

    STAGE = "intent"
    TITLE = "Intent"
    WORD = "understand"

    def summary(self, view: RunView, now: str) -> str:
        if view.stages["intent"].status != "done":
            return state_text(view, "intent", now)
        return _kind(view)

    def lines(self, view: RunView, width: int) -> list[Content]:
        plan = view.routing_plan
        if plan is None and not view.request_type:
            return []
        sure = f", {score(view.request_confidence)} sure" if view.request_type else ""
        who = "by the model" if view.reasoner == "llm" else "by rules"
        lines = [Content.styled(f"{who}{sure}", MUTED).truncate(max(1, width), ellipsis=True)]
        if view.standalone:
            asked = Content.assemble(("asked as: ", MUTED), one_line(view.standalone))
            lines += wrapped(asked, width, lines=3, indent=2)
        reasons = [
            f"{one_line(signal.name)}: {one_line(signal.detail)}" if signal.detail else one_line(signal.name)
            for signal in (*view.routing_signals, *view.request_signals)
        ]
        if reasons:
            because = Content.styled("because " + ", ".join(dict.fromkeys(reasons)), MUTED)
            lines += wrapped(because, width, lines=2, indent=2)
        return lines


PANE = IntentPane


def _kind(view: RunView) -> str:
    plan = view.routing_plan
    if plan is None:
        return view.request_type.replace("_", " ") + (" · quick path" if view.quick_path else "")
    kind = plan.query_type.replace("_", " ")
    return kind if plan.complexity == plan.query_type else f"{kind} · {plan.complexity}"
