"""The help: all keys on one page, from the declarations of the commands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content

from kbtui.i18n import _
from kbtui.ui.commands import COMMANDS, Command, bindings, commands_of, groups
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import padded, wrapped
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED

_KEY_CELLS = 10


class HelpScreen(Dialog[None]):
    """Groups of commands, those of the focused widget first, then those of the screen below."""

    SCOPE = "help"
    BINDINGS: ClassVar[list[BindingType]] = bindings("help")

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="dialog"), VerticalScroll():
            yield LinesView(id="help-text")

    def on_mount(self) -> None:
        box = self.query_one("#help")
        box.border_title = _("Keys")
        box.border_subtitle = Content.styled(_("esc back"), MUTED)
        commands, scopes = commands_of(self.app), self._scopes()
        distances: dict[str, int] = {}
        for command in commands:
            place = scopes.index(command.scope) if command.scope in scopes else len(scopes)
            distances[command.group] = min(place, distances.get(command.group, place))
        ordered = sorted(commands, key=lambda command: distances[command.group])
        self.query_one(LinesView).set_lines(partial(help_lines, commands=ordered))
        self.query_one(VerticalScroll).focus()

    def _scopes(self) -> list[str]:
        """The scopes of the screen below, from the focused widget outwards."""
        screen = self.app.screen_stack[-2]
        ancestors = screen.focused.ancestors_with_self if screen.focused is not None else []
        names = [name for node in ancestors for name in sorted(node.classes) if name.startswith("scope-")]
        return [*(name.removeprefix("scope-") for name in names), getattr(screen, "SCOPE", "")]


def help_lines(width: int, commands: Sequence[Command] = COMMANDS) -> list[Content]:
    """The commands under their headings, wrapped to ``width`` cells."""
    lines: list[Content] = []
    for group, members in groups(commands).items():
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(group, "bold $accent"))
        for command in members:
            lines += _entry(command, width)
    return lines


def _entry(command: Command, width: int) -> list[Content]:
    key = padded(command.shown, _KEY_CELLS)
    text = Content.assemble(command.title, (f" · {command.help}", MUTED))
    lines = wrapped(text, max(16, width - _KEY_CELLS - 1))
    gap = " " * (_KEY_CELLS + 1)
    return [
        Content.assemble((key, "bold"), " ", part) if index == 0 else Content(gap) + part
        for index, part in enumerate(lines)
    ]
