"""The checks of `kbtui doctor` on the screen, with advice for problems."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var

from kbtui.domain.health import Check
from kbtui.i18n import _, made, ngettext
from kbtui.settings.secrets import redact
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList, note_row
from kbtui.view.sharing import home_replacer

if TYPE_CHECKING:
    from kbtui.ui.app import KbtuiApp

_MARKS = {
    "ok": ("✓", "ok  ", "$text-success"),
    "warn": ("!", "warn", "$text-warning"),
    "fail": ("✗", "fail", "$text-error"),
}
_INDENT = 2
_PACKAGE = "package "


class DoctorScreen(Dialog[None]):
    """Runs the checks in a thread and lists their results as they complete.

    Args:
        checks: Yields the checks and blocks; those of the app by default.
    """

    SCOPE = "doctor"
    AUTO_FOCUS = "#doctor-list"
    BINDINGS = bindings("doctor")
    only_problems = var(False)

    class Found(Message):
        """A check of the run with this number has completed; None at the end of the run."""

        def __init__(self, run: int, check: Check | None) -> None:
            super().__init__()
            self.run = run
            self.check = check

    def __init__(self, checks: Callable[[], Iterator[Check]] | None = None) -> None:
        super().__init__()
        self._checks = checks
        self._found: list[Check] = []
        self._run = 0
        self._is_running = False

    def compose(self) -> ComposeResult:
        with Vertical(id="doctor", classes="dialog"):
            yield RowList(id="doctor-list", classes="rows")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#doctor").border_title = _("Doctor")
        self.action_again()

    # The work

    def action_again(self) -> None:
        """Run all checks; results of an earlier run are ignored."""
        self._run += 1
        self._found, self._is_running = [], True
        self._show()
        checks = self._checks or cast("KbtuiApp", self.app).started.checks
        # A daemon thread, so that exiting does not wait for a chat model that does not respond.
        threading.Thread(target=self._check, args=(self._run, checks), name="kbtui-doctor", daemon=True).start()

    def _check(self, run: int, checks: Callable[[], Iterator[Check]]) -> None:
        """Post each check as it completes; runs in the thread."""
        with contextlib.suppress(RuntimeError):  # the app has gone
            for check in checks():
                if run != self._run:
                    return
                self.post_message(self.Found(run, check))
            self.post_message(self.Found(run, None))

    def on_doctor_screen_found(self, event: Found) -> None:
        """Show a completed check."""
        event.stop()
        if event.run != self._run:
            return
        if event.check is None:
            self._is_running = False
        else:
            self._found.append(event.check)
        self._show()

    # What is shown

    def _show(self) -> None:
        rows = finding_rows(self._found, only_problems=self.only_problems)
        if self._is_running:
            rows.append(note_row(_("checking …")))
        elif not rows:
            rows.append(note_row(_("Everything is well.") if self._found else _("There is nothing to check here.")))
        findings = self.query_one(RowList)
        findings.show_rows(rows)
        if findings.allow_focus() and self.focused is None:
            findings.focus()
        self.query_one("#doctor").border_subtitle = Content.styled(_summary(self._found, self._is_running), MUTED)
        self.query_one(KeyHints).words = {
            "preview": "",
            "doctor_problems": _("everything") if self.only_problems else _("problems only"),
            "doctor_again": "" if self._is_running else _("again"),
            "help": "",
        }

    # Keys

    def action_problems(self) -> None:
        """Show only problems, or all checks."""
        self.only_problems = not self.only_problems
        self._show()

    def action_copy(self) -> None:
        """Copy the report without private data."""
        self.app.copy_to_clipboard(report(self._found))
        title, message = _("The report is in the clipboard"), _("Keys are masked, your home folder is ~.")
        self.app.notify(message, title=title, markup=False)

    def action_close(self) -> None:
        """Close the dialog."""
        self._run += 1
        self.dismiss()


def finding_rows(checks: Sequence[Check], *, only_problems: bool) -> list[Row]:
    """A row for each check; packages without problems share a row."""
    rows: list[Row] = []
    packages = [check for check in checks if check.status == "ok" and check.name.startswith(_PACKAGE)]
    for number, check in enumerate(checks):
        if check.status == "ok" and (only_problems or check in packages[1:]):
            continue
        if packages and check is packages[0]:
            detail = _("{count} are installed as they are needed", count=len(packages))
            check = Check(name=_("packages"), status="ok", detail=detail)
        rows.append(Row(str(number), partial(check_lines, check)))
    return rows


def check_lines(check: Check, width: int) -> Sequence[Content]:
    """The result of a check, and advice below it."""
    mark, _word, style = _MARKS[check.status]
    detail = one_line(made(check.detail))
    first = Content.assemble((f"{mark} ", style), (one_line(made(check.name)), "bold"), "  ", (detail, MUTED))
    lines = wrapped(first, width, indent=_INDENT)
    if check.todo:
        todo = wrapped(Content(one_line(made(check.todo))), max(8, width - _INDENT))
        lines += [Content(" " * _INDENT) + line for line in todo]
    return lines


def report(checks: Sequence[Check]) -> str:
    """The results as text with keys and the home folder masked."""
    lines = []
    for check in checks:
        mark, word, _style = _MARKS[check.status]
        lines.append(f"{mark} {word}  {one_line(made(check.name))}  {one_line(made(check.detail))}")
        if check.todo:
            lines.append(f"        {one_line(made(check.todo))}")
    return home_replacer(Path.home())(redact("\n".join(lines) + "\n"))


def _summary(checks: Sequence[Check], is_running: bool) -> str:
    counts = {status: sum(check.status == status for check in checks) for status in _MARKS}
    parts = [_("{count} well", count=counts["ok"])]
    parts += [ngettext("{count:,} warning", "{count:,} warnings", counts["warn"])] if counts["warn"] else []
    parts += [ngettext("{count:,} failure", "{count:,} failures", counts["fail"])] if counts["fail"] else []
    return " · ".join([*parts, *([_("checking …")] if is_running else [])])
