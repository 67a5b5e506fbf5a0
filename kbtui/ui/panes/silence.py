"""The way on from an answer that is none: what was understood, what was not, and what could be asked instead.

Readings of the data that were not sure enough to be run come first. Figures choose among what is offered where no
source has them.
"""

from __future__ import annotations

from textual.content import Content

from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.panes.answer_stage import OUTCOMES
from kbtui.ui.widgets.cells import elide, padded, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row
from kbtui.view.view_state import RunView

_MOST_PARTS = 8
_LABEL_CELLS = 12


def choices(view: RunView) -> tuple[str, ...]:
    """What could be asked instead, or next: readings of the data first."""
    if view.answer is None:
        return ()
    return tuple(dict.fromkeys((*(reading.says for reading in view.offered), *view.answer.suggestions)))


def choice(view: RunView, n: int) -> str | None:
    """What figure ``n`` asks; None where it leads to a source, or to nothing."""
    offered = choices(view)
    return offered[n - 1] if not view.citations and 1 <= n <= len(offered) else None


def choice_rows(view: RunView) -> list[Row]:
    """The choices under what was understood; numbered where figures choose them."""
    rows: list[Row] = []
    if view.offered:
        rows.append(Row("", lambda width: _parts(view, width)))
    elif view.outcome == "not_found":
        rows.append(
            Row("", lambda width: [Content.styled(elide(_("Asked instead, these find something"), width), MUTED)])
        )
    numbered = not view.citations
    return [*rows, *(_row(number, text, numbered) for number, text in enumerate(choices(view), 1))]


def chosen(view: RunView, key: str | None) -> str | None:
    """The choice in the row of this key."""
    offered = choices(view)
    number = int(key) if key and key.isdecimal() else 0
    return offered[number - 1] if 0 < number <= len(offered) else None


def outcome_words(view: RunView) -> str:
    """How an answer ended; lines that are merely near are called that."""
    if view.answer is None or view.outcome is None:
        return ""
    asked = view.routing_plan.sub_questions if view.routing_plan is not None else ()
    unsupported = view.answer.unsupported
    if view.outcome == "partial" and asked and all(part.semantic_intent in unsupported for part in asked):
        return _("not stated · the lines are near")
    return _(OUTCOMES[view.outcome])


def _parts(view: RunView, width: int) -> list[Content]:
    """The words of the question that were understood, those that were not struck, and what the rows below are."""
    parts = [
        Content.assemble(one_line(part.name), (f" → {one_line(part.detail)}", MUTED))
        for part in view.understood[:_MOST_PARTS]
    ]
    struck = [Content.styled(one_line(word), "strike $text-warning") for word in view.unread]
    lines: list[Content] = []
    if parts:
        known = padded(_("understood"), _LABEL_CELLS)
        lines += wrapped(Content.assemble((known, MUTED), Content(" · ").join(parts)), width, indent=_LABEL_CELLS)
    if struck:
        # By its name too: a terminal may not strike text through.
        unknown = padded(_("not known"), _LABEL_CELLS)
        lines += wrapped(Content.assemble((unknown, MUTED), Content(" · ").join(struck)), width, indent=_LABEL_CELLS)
    head = _("Other readings of the data") if view.outcome == "answered" else _("The nearest readings of the data")
    return [*lines, Content.styled(elide(head, width), MUTED)]


def _row(number: int, text: str, numbered: bool) -> Row:
    mark = f"{number}" if numbered and number < 10 else "›"
    return Row(
        str(number),
        lambda width: [Content.assemble((f" {mark} ", "$accent"), elide(one_line(text), width - 3))],
        1,
    )
