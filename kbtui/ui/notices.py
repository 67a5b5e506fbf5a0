"""What is said in passing: text of others is shown on one line, never as markup."""

from __future__ import annotations

from typing import Any, Literal

from textual.app import App

from kbtui.errors import KbtuiError
from kbtui.text.terminal import one_line

_LONG_S = 10.0


def warn(app: App[Any], title: str, text: str, severity: Literal["warning", "error"] = "warning") -> None:
    app.notify(one_line(text), title=one_line(title), severity=severity, timeout=_LONG_S, markup=False)


def say_error(app: App[Any], error: KbtuiError) -> None:
    warn(app, error.message, error.hint, "error")
