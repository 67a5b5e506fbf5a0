"""What can be done with the address of a page: it came from a document or a search service, so it is copied for
somebody to look at, and no browser is started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App

from kbtui.i18n import _
from kbtui.text.terminal import one_line


def copy_address(app: App[Any], url: str) -> None:
    """Put ``url`` into the clipboard and say so."""
    shown = one_line(url)
    app.copy_to_clipboard(shown)
    app.notify(shown, title=_("Address copied"), markup=False)


def below_home(path: Path) -> str:
    """A path as people write it: ``~/notes``."""
    home = Path.home()
    return str(Path("~", path.relative_to(home))) if path.is_relative_to(home) else str(path)
