"""The first stage of the rail: the classification of the question, its confidence and its reasons."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from kbtui.domain.routing import Signal
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.panes.base import StagePane, state_text
from kbtui.ui.widgets.cells import wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.view.kind_words import plain_kind, sign_words
from kbtui.view.view_state import RunView


class IntentPane(StagePane):
    """Stage `analyze_and_route`."""

    STAGE = "intent"
    TITLE = N_("Intent")
    WORD = N_("understand")

    def summary(self, view: RunView, now: str) -> str:
        if view.stages["intent"].status != "done":
            return state_text(view, "intent", now)
        return _kind_text(view)

    def lines(self, view: RunView, width: int) -> list[Content]:
        plan = view.routing_plan
        if plan is None and not view.request_type:
            return []
        decided_by = _("by the model") if view.reasoner == "llm" else _("by rules")
        if view.request_type:
            decided_by = _("{who}, {share:.0%} sure", who=decided_by, share=view.request_confidence)
        lines = [Content.styled(decided_by, MUTED).truncate(max(1, width), ellipsis=True)]
        if view.standalone:
            standalone = Content.assemble((_("asked as: "), MUTED), one_line(view.standalone))
            lines += wrapped(standalone, width, lines=3, indent=2)
        if reasons := _reasons((*view.routing_signals, *view.request_signals)):
            because = Content.styled(_("because {reasons}", reasons=reasons), MUTED)
            lines += wrapped(because, width, lines=2, indent=2)
        return lines


PANE = IntentPane


def _kind_text(view: RunView) -> str:
    plan = view.routing_plan
    if plan is None:
        return plain_kind(view.request_type)
    kinds = (plain_kind(plan.query_type), plain_kind(plan.complexity) if plan.complexity != plan.query_type else "")
    return " · ".join(filter(None, kinds))


def _reasons(signals: Sequence[Signal]) -> str:
    """The signals of a decision grouped by name, such as ``wording: how do, who · parts: 2``."""
    details: dict[str, dict[str, None]] = {}
    for signal in signals:
        # The number of parts is followed by their kinds, which are not shown.
        detail = one_line(signal.detail).partition(": ")[0] if signal.name == "parts" else one_line(signal.detail)
        details.setdefault(sign_words(one_line(signal.name)), {})[detail] = None
    return " · ".join(
        ": ".join(filter(None, (name, ", ".join(filter(None, values))))) for name, values in details.items()
    )
