"""A comparison of two runs of a question, side by side or, on narrow screens, one below the other."""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content

from kbtui.errors import KbtuiError
from kbtui.i18n import _, ngettext
from kbtui.settings.published import root_of
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.messages import Spot
from kbtui.ui.notices import warn
from kbtui.ui.panes.proof import open_spot
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import elide, wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.view.comparing import Pair, Part, compare, with_previous_run
from kbtui.view.view_state import RunView

_MIN_COLUMNS_WIDTH = 90
"""Width in cells from which two columns are readable."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_BEFORE, _AFTER = ("-", "$text-error"), ("+", "$text-success")
_SAME = (" ", MUTED)


class CompareScreen(Dialog[None]):
    """Shows the differences between two runs.

    Args:
        before: The earlier run, at the left.
        after: The later run.
    """

    SCOPE = "compare"
    BINDINGS = bindings("compare")
    AUTO_FOCUS = "RowList"

    def __init__(self, before: RunView, after: RunView) -> None:
        super().__init__()
        self._runs = before, after
        self._names, *self._parts = compare(before, after)
        self._pairs = {f"{at}-{n}": pair for at, part in enumerate(self._parts) for n, pair in enumerate(part.pairs)}
        self._different = [key for key, pair in self._pairs.items() if not pair.is_same]
        self.kb = root_of(after.kb)

    def compose(self) -> ComposeResult:
        with Vertical(id="compare", classes="dialog"):
            yield LinesView()
            yield RowList(id="compare-lines", classes="rows")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        box = self.query_one("#compare")
        box.border_title = Content(
            f"{_('Two runs')} · {elide(one_line(self._runs[1].query), max(20, self.size.width - 30))}"
        )
        self.query_one(LinesView).set_lines(partial(pair_lines, self._names.pairs[0]))
        rows = self.query_one(RowList)
        rows.show_rows(list(self._rows()))
        if self._different:
            rows.show_key(self._different[0])
        self._show_status()

    def _rows(self) -> Iterator[Row]:
        for at, part in enumerate(self._parts):
            yield Row("", partial(_heading, part))
            for n, pair in enumerate(part.pairs):
                yield Row(f"{at}-{n}", partial(pair_lines, pair))

    @property
    def _selected(self) -> str:
        return self.query_one(RowList).selected_key or ""

    def _show_status(self) -> None:
        """Show the number of the selected difference, and the actions for its line."""
        count, selected = len(self._different), self._selected
        status = ngettext("{count} difference", "{count} differences", count) if count else _("nothing changed")
        if selected in self._different:
            number = self._different.index(selected) + 1
            status = ngettext("{n} of {count} difference", "{n} of {count} differences", count, n=number)
        self.query_one("#compare").border_subtitle = Content.styled(status, MUTED)
        pair = self._pairs.get(selected)
        can_open = pair is not None and (pair.after.source or pair.before.source)
        stepping = {} if count else {"compare_next": "", "compare_previous": ""}
        self.query_one(KeyHints).words = {"preview": _("open source") if can_open else "", **stepping}

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        event.stop()
        self._show_status()

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Open the source that the line cites, in the folder of the citing run."""
        event.stop()
        pair = self._pairs[event.option.id or ""]
        for run, line in reversed(list(zip(self._runs, (pair.before, pair.after), strict=True))):
            if line.source is not None:
                self.kb = root_of(run.kb)
                open_spot(self, Spot.of(line.source))
                return
        self.notify(_("This line cites no source."), markup=False)

    def action_step(self, by: int) -> None:
        """Go to the next or previous difference, wrapping around."""
        if not self._different:
            return
        keys = list(self._pairs)
        current = keys.index(self._selected) if self._selected else -1
        candidates = [keys.index(key) for key in self._different if (keys.index(key) - current) * by > 0]
        target = min(
            candidates, key=lambda index: abs(index - current), default=keys.index(self._different[0 if by > 0 else -1])
        )
        self.query_one(RowList).show_key(keys[target])


def pair_lines(pair: Pair, width: int) -> list[Content]:
    """A pair of lines in two columns or, if ``width`` is too small, the earlier line above the later one."""
    in_columns = width >= _MIN_COLUMNS_WIDTH
    room = (width - 3) // 2 if in_columns else width
    marks = (_SAME, _SAME) if pair.is_same else (_BEFORE, _AFTER)
    before, after = (
        wrapped(Content.assemble((f"{sign} ", style), text), room, indent=2) if text else []
        for (sign, style), text in zip(marks, _texts(pair), strict=True)
    )
    if in_columns:
        return _in_columns(before, after, width)
    return before if pair.is_same else before + after


def _texts(pair: Pair) -> tuple[Content, Content]:
    """Both texts, with the differences between them in bold and underlined."""
    before, after = pair.before.text, pair.after.text
    if pair.is_same or not (before and after):
        style = MUTED if pair.is_same else "bold"
        return Content.styled(before, style), Content.styled(after, style)
    words = _WORD.findall(before), _WORD.findall(after)
    left, right = Content(""), Content("")
    for kind, start, stop, new_start, new_stop in difflib.SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        style = "" if kind == "equal" else "bold underline"
        left += Content.styled("".join(words[0][start:stop]), style)
        right += Content.styled("".join(words[1][new_start:new_stop]), style)
    return left, right


def _in_columns(before: list[Content], after: list[Content], width: int) -> list[Content]:
    room = (width - 3) // 2
    return [
        Content.assemble(left, " " * (room - left.cell_length), (" │ ", MUTED), right)
        for left, right in zip_longest(before, after, fillvalue=Content(""))
    ]


def _heading(part: Part, width: int) -> list[Content]:
    status = "  " + (_("{count} changed", count=part.changes) if part.changes else _("the same"))
    return [Content.assemble((_(part.heading), "bold $accent"), (status, MUTED)).truncate(width, ellipsis=True)]


async def compare_with_previous(app: App[Any], view: RunView, unrecorded: Sequence[RunView]) -> None:
    """Show the changes since the previous run of the question; ``unrecorded`` are runs that may not be recorded."""
    from kbtui.sessions.store import SessionStore

    try:
        runs = await asyncio.to_thread(with_previous_run, SessionStore(), view, unrecorded)
    except KbtuiError as error:
        warn(app, error.message, error.hint)
    else:
        app.push_screen(CompareScreen(*runs))
