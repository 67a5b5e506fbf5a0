"""Alternatives to a missing or partial answer: understood and unknown words, and questions to ask instead.

Readings of the data that were not confident enough to be run come first. Digit keys choose a question; those of the
sources come before them.
"""

from __future__ import annotations

from textual.content import Content

from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import elide, padded, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, heading_row
from kbtui.view.kind_words import OUTCOME_NAMES
from kbtui.view.view_state import RunView

_MAX_PARTS = 8
_LABEL_CELLS = 12


def choices(view: RunView) -> tuple[str, ...]:
    """Questions that could be asked instead or next, readings of the data first."""
    if view.answer is None:
        return ()
    return tuple(dict.fromkeys((*(reading.says for reading in view.offered), *view.answer.suggestions)))


def numbered_choices(view: RunView) -> dict[int, str]:
    """The choices by the digits that ask them, which follow those of the sources."""
    return dict(zip(range(len(view.citations) + 1, 10), choices(view), strict=False))


def choice_rows(view: RunView) -> list[Row]:
    """The understood words and the choices, which are numbered as far as there are digits."""
    rows: list[Row] = []
    if view.offered:
        rows.append(Row("", lambda width: _parts(view, width)))
    elif view.outcome == "not_found":
        rows.append(heading_row(_("Asked instead, these find something")))
    digits = {text: number for number, text in numbered_choices(view).items()}
    return [*rows, *(_row(key, text, digits.get(text)) for key, text in enumerate(choices(view), 1))]


def selected_choice(view: RunView, key: str | None) -> str | None:
    """The choice in the row with this key; None if there is none."""
    questions = choices(view)
    number = int(key) if key and key.isdecimal() else 0
    return questions[number - 1] if 0 < number <= len(questions) else None


def outcome_text(view: RunView) -> str:
    """The outcome of an answer, or that the cited lines do not state it but are only near."""
    if view.answer is None or view.outcome is None:
        return ""
    parts = view.routing_plan.sub_questions if view.routing_plan is not None else ()
    unsupported = view.answer.unsupported
    if view.outcome == "partial" and parts and all(part.semantic_intent in unsupported for part in parts):
        return _("not stated · the lines are near")
    return _(OUTCOME_NAMES[view.outcome])


def _parts(view: RunView, width: int) -> list[Content]:
    """The understood words of the question, the unknown ones struck through, and a heading for the choices."""
    parts = [
        Content.assemble(one_line(part.name), (f" → {one_line(part.detail)}", MUTED))
        for part in view.understood[:_MAX_PARTS]
    ]
    unread = [Content.styled(one_line(word), "strike $text-warning") for word in view.unread]
    lines: list[Content] = []
    if parts:
        label = padded(_("understood"), _LABEL_CELLS)
        lines += wrapped(Content.assemble((label, MUTED), Content(" · ").join(parts)), width, indent=_LABEL_CELLS)
    if unread:
        # The label is needed because some terminals do not strike text through.
        unread_label = padded(_("not known"), _LABEL_CELLS)
        lines += wrapped(
            Content.assemble((unread_label, MUTED), Content(" · ").join(unread)), width, indent=_LABEL_CELLS
        )
    head = _("Other readings of the data") if view.outcome == "answered" else _("The nearest readings of the data")
    return [*lines, Content.styled(elide(head, width), MUTED)]


def _row(key: int, text: str, digit: int | None) -> Row:
    mark = str(digit or "›")
    return Row(
        str(key),
        lambda width: [Content.assemble((f" {mark} ", "$accent"), elide(one_line(text), width - 3))],
        1,
    )
