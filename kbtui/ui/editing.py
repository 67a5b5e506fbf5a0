"""Opens a source, a statement or the prompt in the user's editor.

In a browser (`kbtui serve`) there is no terminal for an editor, and a window would open on the server's machine, so the
location is copied instead and the proof shows its lines.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from kbtui.editors import launch
from kbtui.editors.viewers import viewer_argv
from kbtui.errors import EditorError, KbtuiError
from kbtui.i18n import _
from kbtui.settings.joined import file_in, is_within
from kbtui.settings.published import url_of
from kbtui.text.file_formats import format_of
from kbtui.text.terminal import one_line
from kbtui.ui.messages import Spot
from kbtui.ui.notices import show_error, warn
from kbtui.view.user_files import page_of, write_extracted, write_statement

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.ui.requests import RequestsApp
    from kbtui.ui.widgets.prompt import Prompt

    ReadSource = Callable[[str], SourceText]


def edit(app: RequestsApp, spot: Spot) -> None:
    """Open a statement or a file of the folder."""
    (_edit_statement if spot.sql else _edit_source)(app, spot)


def _edit_source(app: RequestsApp, spot: Spot) -> None:
    """Open a file of the shown folder; a replay may show another folder than the open one."""
    kb: Path = next((screen.kb for screen in reversed(app.screen_stack) if hasattr(screen, "kb")), app.kb)
    path = file_in(kb, spot.path)
    if not is_within(kb, spot.path):
        _report_failure(app, path, spot, _("That path leaves the folder."), _("It is not opened."))
        return
    url = url_of(kb)
    if url and not app.is_web:
        warn(
            app,
            _("This is a read-only copy of {url}.", url=one_line(url)),
            _("What is changed in it is not published."),
        )
    if app.is_web or (file_format := format_of(spot.path, app.settings.index.commands)) is None or file_format.in_place:
        _open(app, path, spot)
    elif url or not _view_page(app, path, spot):
        read: ReadSource | None = next(
            (screen.read_source for screen in reversed(app.screen_stack) if hasattr(screen, "read_source")), None
        )
        if read is None:
            _open(app, path, spot)
        else:
            app.run_worker(_open_text(app, read, path, spot), exit_on_error=False)


def _view_page(app: RequestsApp, path: Path, spot: Spot) -> bool:
    """Show a page of a PDF in a viewer; returns False if the spot has no page or there is no viewer."""
    page = page_of(spot.path, spot.locator)
    if page is None:
        return False
    try:
        argv = viewer_argv(app.settings.editor, path, page)
    except EditorError as error:
        _report_failure(app, path, spot, error.message, error.hint)
        return True
    if argv is not None:
        app.run_worker(_open_detached(app, argv, path, spot), exit_on_error=False)
    return argv is not None


async def _open_text(app: RequestsApp, read: ReadSource, path: Path, spot: Spot) -> None:
    """Open the text extracted from a file, or the file itself if it is plain text."""
    try:
        source = await asyncio.to_thread(read, spot.path)
        extracted = await asyncio.to_thread(write_extracted, spot.path, source.text) if source.is_extracted else path
    except KbtuiError as error:
        show_error(app, error)
    else:
        _open(app, extracted, spot)


def edit_settings(app: RequestsApp, path: Path, line: int) -> None:
    """Open the user's settings file."""
    _open(app, path, Spot(path=str(path), start_line=line))


def _edit_statement(app: RequestsApp, spot: Spot) -> None:
    """Open a statement as a file in the state folder, never in the user's folder."""
    if app.is_web:
        warn(app, _("A browser has no editor to open."), _("The proof shows the statement."))
        return
    try:
        path = write_statement(spot.sql, spot.source)
    except KbtuiError as error:
        show_error(app, error)
    else:
        _open(app, path, spot)


def edit_prompt(app: RequestsApp, prompt: Prompt, line: int) -> None:
    """Open the text of the prompt; what is saved in the editor becomes the prompt's text."""
    from kbtui.ui.prompt_editing import follow_file, write_prompt

    if app.is_web:
        warn(app, _("A browser has no editor to open."), _("ctrl+j begins a new line in the prompt."))
        return
    try:
        path = write_prompt(prompt)
    except KbtuiError as error:
        show_error(app, error)
        return
    _open(app, path, Spot(path=str(path), start_line=line))
    app.run_worker(follow_file(prompt, path), group="prompt", exclusive=True, exit_on_error=False)


def _open(app: RequestsApp, path: Path, spot: Spot) -> None:
    if app.is_web:
        _report_failure(app, path, spot, _("A browser has no editor to open."), _("The proof shows the lines."))
        return
    try:
        editor = launch.resolve(app.settings.editor)
        argv = editor.argv(path, spot.start_line)
        if not editor.terminal:
            app.run_worker(_open_detached(app, argv, path, spot), exit_on_error=False)
            return
        with app.suspend():
            launch.run_in_terminal(argv)
    except EditorError as error:
        _report_failure(app, path, spot, error.message, error.hint)
    except SuspendNotSupported:
        _report_failure(app, path, spot, _("This terminal cannot make room for an editor."), "")
    else:
        app.refresh(layout=True)


async def _open_detached(app: RequestsApp, argv: Sequence[str], path: Path, spot: Spot) -> None:
    try:
        await asyncio.to_thread(launch.open_detached, argv)
    except EditorError as error:
        _report_failure(app, path, spot, error.message, error.hint)


def _report_failure(app: RequestsApp, path: Path, spot: Spot, message: str, hint: str) -> None:
    """Warn that the location was not opened, and copy it to the clipboard."""
    place = f"{path}:{spot.start_line}"
    app.copy_to_clipboard(place)
    copied = _("Copied: {place}", place=one_line(place))
    warn(app, message, " ".join(part for part in (one_line(hint), copied) if part))
