"""What was decided in a run: every call of the chat model with its prompt and raw answer, every decision of a node."""

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
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import duration, elide, elide_middle, padded, row, wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.long_text import LongText
from kbtui.ui.widgets.marks import GLYPHS, MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.view.decisions import Decision, decisions, entries_of
from kbtui.view.usage_words import token_counts_text
from kbtui.view.view_state import RunView

NOT_KEPT = N_("Prompts and raw answers are kept for runs of this sitting alone. Shown is what the recording tells.")
NOTHING = N_("Nothing was decided yet.")
NOT_FOUND = N_("No decision holds these words.")

_REFRESH_S = 0.5
_NAME_CELLS = 9

ReadAudit = Callable[[str], Sequence[Mapping[str, Any]]]
"""The audit entries of a run by its id; none where they are not kept."""


class AuditScreen(Dialog[None]):
    """Decisions at the left, the selected one at the right; grows while the run goes on.

    Args:
        view: Gives the run as it is now.
        audit: Gives what is kept of it.
    """

    SCOPE = "audit"
    AUTO_FOCUS = "#audit-list"
    BINDINGS = bindings("audit")

    def __init__(self, view: Callable[[], RunView], audit: ReadAudit) -> None:
        super().__init__()
        self._view = view
        self._audit = audit
        self._read = -1
        self._all: tuple[Decision, ...] = ()
        self._kept = True

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
        """Show what was decided since; the selected decision stays selected."""
        view = self._view()
        entries = self._audit(view.run_id) if view.run_id else ()
        self._kept = bool(entries)
        if not entries:
            entries = entries_of(view)
        if len(entries) == self._read:
            return
        self._read = len(entries)
        self._all = decisions(entries)
        told = "" if self._kept or not view.finished else _(NOT_KEPT)
        note = self.query_one("#audit-note", LinesView)
        note.display = bool(told)
        note.set_lines(lambda width: wrapped(Content.styled(told, MUTED), width) if told else [])
        self._show_list()

    @property
    def _sought(self) -> str:
        return self.query_one(Input).value.strip()

    def _show_list(self) -> None:
        sought = self._sought.casefold()
        found = [
            (at, one) for at, one in enumerate(self._all) if not sought or sought in one.searchable_text.casefold()
        ]
        rows: list[Row] = []
        iteration = 0
        for at, one in found:
            if one.iteration > iteration:
                iteration = one.iteration
                rows.append(_heading(_("Pass {n}", n=iteration)))
            rows.append(decision_row(str(at), one))
        self.query_one(RowList).show_rows(rows or [_heading(_(NOT_FOUND) if sought else _(NOTHING))])
        calls = [one for one in self._all if one.kind == "model"]
        text = _("{count} decisions", count=len(self._all))
        if sought:
            text = _("{number} of {count} decisions", number=len(found), count=len(self._all))
        if calls:
            text += " · " + _("{count} of the model", count=len(calls))
        self.query_one("#audit").border_subtitle = Content.styled(text, MUTED)
        stepping = {} if sought else {"audit_next": "", "audit_previous": ""}
        self.query_one(KeyHints).words = {"preview": _("read"), "help": "", **stepping}
        self._show_detail()

    @property
    def _selected(self) -> Decision | None:
        key = self.query_one(RowList).selected_key
        return self._all[int(key)] if key else None

    def _show_detail(self) -> None:
        one = self._selected
        pieces = [] if one is None else [(_facts(one), ""), *((part.heading, part.text) for part in one.parts)]
        self.query_one(LongText).show([piece for piece in pieces if any(piece)], self._sought)

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        """Show the decision that is selected now."""
        event.stop()
        self._show_detail()

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Read it: the keys scroll it from now on."""
        event.stop()
        self.query_one(LongText).focus()

    # Keys

    def action_search(self) -> None:
        """Look for words in all decisions."""
        search = self.query_one(Input)
        search.add_class("-open")
        search.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show those that hold the words."""
        event.stop()
        self._show_list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Read the first of them."""
        event.stop()
        self.query_one(LongText if self._selected is not None else RowList).focus()

    def action_match(self, by: int) -> None:
        """To the next or the previous place that holds the words."""
        detail = self.query_one(LongText)
        if detail.hits:
            detail.step(by)
        elif not self._sought:
            self.action_search()

    def action_copy(self) -> None:
        """Copy the selected decision as JSON."""
        if (one := self._selected) is not None:
            self.app.copy_to_clipboard(clean(one.raw))
            self.notify(_("The decision is in the clipboard, as JSON."), markup=False)

    def action_close(self) -> None:
        """End the search; then back to what was on the screen before."""
        search = self.query_one(Input)
        if search.has_class("-open"):
            search.remove_class("-open")
            search.value = ""
            self.query_one(RowList).focus()
        else:
            self.dismiss()


def decision_row(key: str, one: Decision) -> Row:
    """One line: what it was, who or what came of it, and what it took."""

    def make(width: int) -> Sequence[Content]:
        model, told = one_line(one.model), one_line(one.summary)
        took = duration(one.duration_ms / 1000) if one.duration_ms is not None else ""
        figures = " · ".join(part for part in (_tokens(one), took) if part)
        if cell_len(model) > width - _NAME_CELLS - 4 - cell_len(figures):
            figures = took
        room = max(4, width - _NAME_CELLS - 4 - cell_len(figures))
        style = "$text-error" if one.failed else "bold" if one.kind == "model" else MUTED
        mark = GLYPHS["failed"] if one.failed else "›" if one.kind == "model" else " "
        about = elide(told, room) if one.failed or one.kind != "model" else elide_middle(model, room)
        name = padded(elide(one_line(one.name), _NAME_CELLS), _NAME_CELLS)
        left = Content.assemble((f"{mark} ", style), (name, style), " ", (about, MUTED if not one.failed else style))
        return [row(left, Content.styled(figures, MUTED), width)]

    return Row(key, make)


def _facts(one: Decision) -> str:
    """The head of the detail: ``write · openai:gpt-5-mini · pass 1 · 0.81 s · 2.1k in 240 out``."""
    parts = [one.name, one.model, _("pass {n}", n=one.iteration) if one.iteration else ""]
    if one.duration_ms is not None:
        parts.append(duration(one.duration_ms / 1000))
    parts += [_tokens(one), "" if one.failed else one.summary]
    return " · ".join(one_line(part) for part in parts if part)


def _tokens(one: Decision) -> str:
    if one.tokens_in is None or one.tokens_out is None:
        return ""
    return token_counts_text(one.tokens_in, one.tokens_out)


def _heading(text: str) -> Row:
    return Row("", lambda width: [Content.styled(text, MUTED).truncate(width, ellipsis=True)])


def open_audit(app: App[Any], audit: ReadAudit) -> None:
    """Show the audit of the run that is on the screen."""
    found = (panes for screen in reversed(app.screen_stack) for panes in screen.query(RunPanes))
    panes = next(found, None)
    if panes is None or not panes.view.query:
        app.notify(_("Nothing has been asked yet."), markup=False)
    else:
        app.push_screen(AuditScreen(lambda: panes.view, audit))
