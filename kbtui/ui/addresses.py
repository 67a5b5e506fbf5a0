"""What can be done with the address of a page: it came from a document or a search service, so it is copied for
somebody to look at, and no browser is started."""

from __future__ import annotations

from typing import Any

from textual.app import App

from kbtui.text.terminal import one_line


def copy_address(app: App[Any], url: str) -> None:
    """Put ``url`` into the clipboard and say so."""
    shown = one_line(url)
    app.copy_to_clipboard(shown)
    app.notify(shown, title="Address copied", markup=False)
