"""What is said in passing: text of others is shown on one line, never as markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from textual.app import App

from kbtui.errors import KbtuiError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.ui.commands.keymap import KeyProblem
    from kbtui.ui.theming import ThemeSet

_LONG_S = 10.0


def warn(app: App[Any], title: str, text: str, severity: Literal["warning", "error"] = "warning") -> None:
    app.notify(one_line(text), title=one_line(title), severity=severity, timeout=_LONG_S, markup=False)


def say_error(app: App[Any], error: KbtuiError) -> None:
    warn(app, error.message, error.hint, "error")


def say_problems(app: App[Any], themes: ThemeSet, theme: str, keys: Sequence[KeyProblem]) -> None:
    """What of the settings is not as it was wanted: theme files, the theme that was chosen, keys."""
    for failed in themes.failed:
        app.notify(one_line(failed.reason), title=f"Theme skipped: {one_line(failed.path.name)}", markup=False)
    for problem in keys:
        warn(app, problem.message, problem.hint)
    if theme:
        app.notify(one_line(theme), severity="warning", markup=False)
