"""Addresses on the screen: copies those of web pages, abbreviates those of files.

The address of a page comes from a document or a search service, so it is only copied and never opened in a browser.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App

from kbtui.i18n import _
from kbtui.text.terminal import one_line


def copy_address(app: App[Any], url: str) -> None:
    """Copy ``url`` to the clipboard and notify the user."""
    text = one_line(url)
    app.copy_to_clipboard(text)
    app.notify(text, title=_("Address copied"), markup=False)


def home_relative(path: Path) -> str:
    """A path with the home folder as ``~``, such as ``~/notes``."""
    home = Path.home()
    return str(Path("~", path.relative_to(home))) if path.is_relative_to(home) else str(path)
