"""The audit of a run: its model calls with prompts and raw answers, and the decisions of its nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from kbtui.i18n import N_, _
from kbtui.text.terminal import clean, one_line
from kbtui.ui.commands import bindings
from kbtui.ui.run_view import RunPanes
from kbtui.ui.screens.dialog import FilteredDialog
from kbtui.ui.widgets.cells import duration, elide, elide_middle, padded, row, wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.long_text import LongText
from kbtui.ui.widgets.marks import GLYPHS, MUTED
from kbtui.ui.widgets.rows import Row, RowList, heading_row
from kbtui.view.decisions import Decision, decisions, entries_of
from kbtui.view.usage_words import token_counts_text
from kbtui.view.view_state import RunView

NOT_KEPT = N_("Prompts and raw answers are kept for runs of this sitting alone. Shown is what the recording tells.")
NOTHING = N_("Nothing was decided yet.")
NOT_FOUND = N_("No decision holds these words.")

_REFRESH_S = 0.5
_NAME_CELLS = 9

ReadAudit = Callable[[str], Sequence[Mapping[str, Any]]]
"""Returns the audit entries of a run by its id; empty if there are none."""


class AuditScreen(FilteredDialog):
    """A list of decisions and the details of the selected one, updated while the run continues.

    Args:
        view: Returns the current state of the run.
        audit: Returns its audit entries.
    """

    SCOPE = "audit"
    AUTO_FOCUS = "#audit-list"
    BINDINGS = bindings("audit")

    def __init__(self, view: Callable[[], RunView], audit: ReadAudit) -> None:
        super().__init__()
        self._view = view
        self._audit = audit
        self._entry_count = -1
        self._all: tuple[Decision, ...] = ()
        self._has_audit = True

    def compose(self) -> ComposeResult:
        with Vertical(id="audit", classes="dialog"):
            yield LinesView(id="audit-note")
            yield Input(id="audit-search", placeholder=_("words of a prompt, an answer or a decision"))
            with Horizontal(id="audit-columns"):
                yield RowList(id="audit-list", classes="rows")
                yield LongText(id="audit-detail")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        view = self._view()
        box = self.query_one("#audit")
        box.border_title = Content(f"{_('Audit')} · {elide(one_line(view.query), max(20, self.size.width - 30))}")
        self._refresh()
        self.set_interval(_REFRESH_S, self._refresh)

    def _refresh(self) -> None:
        """Show new decisions, keeping the selection."""
        view = self._view()
        entries = self._audit(view.run_id) if view.run_id else ()
        self._has_audit = bool(entries)
        if not entries:
            entries = entries_of(view)
        if len(entries) == self._entry_count:
            return
        self._entry_count = len(entries)
        self._all = decisions(entries)
        message = "" if self._has_audit or not view.finished else _(NOT_KEPT)
        note = self.query_one("#audit-note", LinesView)
        note.display = bool(message)
        note.set_lines(lambda width: wrapped(Content.styled(message, MUTED), width) if message else [])
        self.show_list()

    @property
    def _query(self) -> str:
        return self.query_one(Input).value.strip()

    def show_list(self) -> None:
        """Show the decisions that contain the searched text."""
        query = self._query.casefold()
        matches = [
            (at, decision)
            for at, decision in enumerate(self._all)
            if not query or query in decision.searchable_text.casefold()
        ]
        rows: list[Row] = []
        iteration = 0
        for at, decision in matches:
            if decision.iteration > iteration:
                iteration = decision.iteration
                rows.append(heading_row(_("Pass {n}", n=iteration)))
            rows.append(decision_row(str(at), decision))
        self.query_one(RowList).show_rows(rows or [heading_row(_(NOT_FOUND) if query else _(NOTHING))])
        calls = [decision for decision in self._all if decision.kind == "model"]
        text = _("{count} decisions", count=len(self._all))
        if query:
            text = _("{number} of {count} decisions", number=len(matches), count=len(self._all))
        if calls:
            text += " · " + _("{count} of the model", count=len(calls))
        self.query_one("#audit").border_subtitle = Content.styled(text, MUTED)
        stepping = {} if query else {"audit_next": "", "audit_previous": ""}
        self.query_one(KeyHints).words = {"preview": _("read"), "help": "", **stepping}
        self.show_detail()

    @property
    def _selected(self) -> Decision | None:
        key = self.query_one(RowList).selected_key
        return self._all[int(key)] if key else None

    def show_detail(self) -> None:
        """Show the selected decision."""
        decision = self._selected
        pieces = (
            []
            if decision is None
            else [(_facts(decision), ""), *((part.heading, part.text) for part in decision.parts)]
        )
        self.query_one(LongText).show([piece for piece in pieces if any(piece)], self._query)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Focus the details, so that keys scroll them."""
        event.stop()
        self.query_one(LongText).focus()

    # Keys

    def focus_matches(self) -> None:
        """Focus the details of the first match."""
        self.query_one(LongText if self._selected is not None else RowList).focus()

    def action_match(self, by: int) -> None:
        """Scroll to the next or previous match."""
        detail = self.query_one(LongText)
        if detail.hits:
            detail.step(by)
        elif not self._query:
            self.action_filter()

    def action_part(self, by: int) -> None:
        """Scroll to the next or previous part of the selected decision."""
        self.query_one(LongText).step_piece(by)

    def action_copy(self) -> None:
        """Copy the selected decision as JSON."""
        if (decision := self._selected) is not None:
            self.app.copy_to_clipboard(clean(decision.raw))
            self.notify(_("The decision is in the clipboard, as JSON."), markup=False)


def decision_row(key: str, decision: Decision) -> Row:
    """A row with the name of a decision, its model or summary, and its tokens and duration."""

    def make(width: int) -> Sequence[Content]:
        model, summary = one_line(decision.model), one_line(decision.summary)
        time = duration(decision.duration_ms / 1000) if decision.duration_ms is not None else ""
        usage = " · ".join(part for part in (_tokens(decision), time) if part)
        if cell_len(model) > width - _NAME_CELLS - 4 - cell_len(usage):
            usage = time
        about_width = max(4, width - _NAME_CELLS - 4 - cell_len(usage))
        style = "$text-error" if decision.failed else "bold" if decision.kind == "model" else MUTED
        mark = GLYPHS["failed"] if decision.failed else "›" if decision.kind == "model" else " "
        about = (
            elide(summary, about_width)
            if decision.failed or decision.kind != "model"
            else elide_middle(model, about_width)
        )
        name = padded(elide(one_line(decision.name), _NAME_CELLS), _NAME_CELLS)
        left = Content.assemble(
            (f"{mark} ", style), (name, style), " ", (about, MUTED if not decision.failed else style)
        )
        return [row(left, Content.styled(usage, MUTED), width)]

    return Row(key, make)


def _facts(decision: Decision) -> str:
    """The head of the detail: ``write · openai:gpt-5-mini · pass 1 · 0.81 s · 2.1k in 240 out``."""
    parts = [decision.name, decision.model, _("pass {n}", n=decision.iteration) if decision.iteration else ""]
    if decision.duration_ms is not None:
        parts.append(duration(decision.duration_ms / 1000))
    parts += [_tokens(decision), "" if decision.failed else decision.summary]
    return " · ".join(one_line(part) for part in parts if part)


def _tokens(decision: Decision) -> str:
    if decision.tokens_in is None or decision.tokens_out is None:
        return ""
    return token_counts_text(decision.tokens_in, decision.tokens_out)


def open_audit(app: App[Any], audit: ReadAudit) -> None:
    """Open the audit of the shown run."""
    candidates = (panes for screen in reversed(app.screen_stack) for panes in screen.query(RunPanes))
    panes = next(candidates, None)
    if panes is None or not panes.view.query:
        app.notify(_("Nothing has been asked yet."), markup=False)
    else:
        app.push_screen(AuditScreen(lambda: panes.view, audit))
