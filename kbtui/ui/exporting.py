"""Exports a session to a file, for any screen."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from kbtui.errors import KbtuiError
from kbtui.i18n import N_, _
from kbtui.text.terminal import one_line
from kbtui.ui.notices import show_error, warn
from kbtui.ui.screens.choice import ChoiceScreen

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine
    from kbtui.sessions.recording import Recording

_FORMATS = {
    "md": N_("Markdown, to read and edit"),
    "html": N_("A web page, to look at and step through"),
    "html.shared": N_("A web page to give away: home folder and keys masked"),
    "jsonl": N_("Its events, to replay elsewhere"),
}


async def export_current_session(app: App[Any], engine: Engine | None, *, has_questions: bool) -> None:
    """Export the recording of the current session to the working directory."""
    from kbtui.sessions.recording import read
    from kbtui.sessions.store import SessionStore

    try:
        if engine is None or not engine.session_id or not has_questions:
            raise KbtuiError(_("Nothing is recorded yet."), _("Ask something first."))
        recording = await asyncio.to_thread(read, SessionStore().path_of(engine.session_id))
    except KbtuiError as error:
        warn(app, error.message, error.hint)
    else:
        export(app, recording, Path.cwd())


def export(app: App[Any], recording: Recording, folder: Path) -> None:
    """Ask for the format and export the recording to ``folder``."""

    def export_chosen(format_: str | None) -> None:
        if format_ is not None:
            app.run_worker(_write(app, recording, format_, folder), exit_on_error=False)

    title, about = _("Export {name}", name=recording.path.stem), _("Into {folder}", folder=folder)
    formats = {format_: _(text) for format_, text in _FORMATS.items()}
    app.push_screen(ChoiceScreen(title, about, formats, word=_("write")), export_chosen)


async def _write(app: App[Any], recording: Recording, format_: str, folder: Path) -> None:
    from kbtui.view.export import write_export

    try:
        path = await asyncio.to_thread(write_export, recording, format_, folder)
    except KbtuiError as error:
        show_error(app, error)
    else:
        app.notify(one_line(str(path)), title=_("Exported"), timeout=8, markup=False)
