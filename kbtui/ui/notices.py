"""Notifications: their text is untrusted, so it is shown on one line and never as markup.

They appear in the last rows of the screen, over the line of keys, where they cover neither the conversation nor the
prompt. Longer ones appear above the prompt.
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

_WARNING_TIMEOUT_S = 10.0
_KEY_ROWS = 2
"""Rows of the line of keys and the border of the prompt above it."""
_NOTICE_MARGIN = 4
"""Cells of a notice beside its text."""


def warn(app: App[Any], title: str, text: str, severity: Literal["warning", "error"] = "warning") -> None:
    app.notify(
        one_line(made(text)), title=one_line(made(title)), severity=severity, timeout=_WARNING_TIMEOUT_S, markup=False
    )


def show_error(app: App[Any], error: KbtuiError) -> None:
    warn(app, error.message, error.hint, "error")


def report_problems(app: App[Any], themes: ThemeSet, theme: str, keys: Sequence[KeyProblem]) -> None:
    """Notify about settings that could not be applied: theme files, the configured theme, keys."""
    for failed_theme in themes.failed:
        title = _("Theme skipped: {name}", name=one_line(failed_theme.path.name))
        app.notify(one_line(failed_theme.reason), title=title, markup=False)
    for problem in keys:
        warn(app, problem.message, problem.hint)
    if theme:
        app.notify(one_line(theme), severity="warning", markup=False)


def position_notices(app: App[Any], notices: Sequence[Notification]) -> None:
    """Position the notices where they cover neither the conversation nor the prompt."""
    width = max(1, app.size.width - _NOTICE_MARGIN)
    rows = sum(
        bool(notice.title) + sum(-(-cell_len(line) // width) or 1 for line in notice.message.split("\n"))
        for notice in notices
    )
    panels = app.screen.query("#prompt-panel")
    bottom = panels.first().size.height + 1 if rows > _KEY_ROWS and panels else 0
    for rack in app.screen.query("ToastRack"):
        rack.styles.margin = (0, 0, bottom, 0)
