"""What is said in passing: text of others is shown on one line, never as markup.

It stands in the last rows of the screen, over the line of keys: there it covers neither what is read nor what is typed.
What is too long for that stands above the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from rich.cells import cell_len
from textual.app import App
from textual.notifications import Notification

from kbtui.errors import KbtuiError
from kbtui.i18n import _, made
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.ui.commands.keymap import KeyProblem
    from kbtui.ui.theming import ThemeSet

_LONG_S = 10.0
_ROWS_OF_KEYS = 2
"""The line of keys, and the border of the prompt above it."""
_EDGE_CELLS = 4
"""Of a notice, beside its text."""


def warn(app: App[Any], title: str, text: str, severity: Literal["warning", "error"] = "warning") -> None:
    app.notify(one_line(made(text)), title=one_line(made(title)), severity=severity, timeout=_LONG_S, markup=False)


def say_error(app: App[Any], error: KbtuiError) -> None:
    warn(app, error.message, error.hint, "error")


def say_problems(app: App[Any], themes: ThemeSet, theme: str, keys: Sequence[KeyProblem]) -> None:
    """What of the settings is not as it was wanted: theme files, the theme that was chosen, keys."""
    for failed in themes.failed:
        title = _("Theme skipped: {name}", name=one_line(failed.path.name))
        app.notify(one_line(failed.reason), title=title, markup=False)
    for problem in keys:
        warn(app, problem.message, problem.hint)
    if theme:
        app.notify(one_line(theme), severity="warning", markup=False)


def place_notices(app: App[Any], notices: Sequence[Notification]) -> None:
    """Put what is said where it covers nothing that is read or typed."""
    width = max(1, app.size.width - _EDGE_CELLS)
    rows = sum(
        bool(one.title) + sum(-(-cell_len(line) // width) or 1 for line in one.message.split("\n")) for one in notices
    )
    panels = app.screen.query("#prompt-panel")
    lift = panels.first().size.height + 1 if rows > _ROWS_OF_KEYS and panels else 0
    for rack in app.screen.query("ToastRack"):
        rack.styles.margin = (0, 0, lift, 0)
