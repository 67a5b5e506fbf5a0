"""All keys on one page, read from the declaration of the commands."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from kbtui.ui.commands import Command, groups
from kbtui.ui.widgets.cells import wrapped
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED

_KEY_CELLS = 10


class HelpScreen(ModalScreen[None]):
    """Groups of commands; escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,f1,question_mark", "close", "Close", show=False)]

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="dialog"), VerticalScroll():
            yield LinesView(id="help-text")

    def on_mount(self) -> None:
        box = self.query_one("#help")
        box.border_title = "Keys"
        box.border_subtitle = Content.styled("esc back", MUTED)
        self.query_one(LinesView).set_lines(help_lines)
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        """Back to what was on the screen before."""
        self.dismiss()


def help_lines(width: int) -> list[Content]:
    """Every command under its heading, wrapped to ``width`` cells."""
    lines: list[Content] = []
    for group, commands in groups().items():
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(group, "bold $accent"))
        for command in commands:
            lines += _entry(command, width)
    return lines


def _entry(command: Command, width: int) -> list[Content]:
    key = f"{command.shown:<{_KEY_CELLS}}"
    text = Content.assemble(command.title, (f" · {command.help}", MUTED))
    rest = wrapped(text, max(16, width - _KEY_CELLS - 1))
    gap = " " * (_KEY_CELLS + 1)
    return [
        Content.assemble((key, "bold"), " ", part) if index == 0 else Content(gap) + part
        for index, part in enumerate(rest)
    ]
