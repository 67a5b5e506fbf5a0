"""Opening a place in the user's editor: a source, a statement, what is typed in the prompt.

A page in a browser (`kbtui serve`) has no terminal to give to an editor, and a window would open where the server is:
there the place is said, and copied, and the proof shows its lines.
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
from kbtui.ui.notices import say_error, warn
from kbtui.view.extracted_text import page_of, write_extracted

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.ui.requests import RequestsApp
    from kbtui.ui.widgets.prompt import Prompt

    ReadSource = Callable[[str], SourceText]


def edit(app: RequestsApp, spot: Spot) -> None:
    """Open a statement, or a file of the folder."""
    (_edit_statement if spot.sql else _edit_source)(app, spot)


def _edit_source(app: RequestsApp, spot: Spot) -> None:
    """Open a file of the folder that is shown: a replay may be of another one than that which is open."""
    kb: Path = next((screen.kb for screen in reversed(app.screen_stack) if hasattr(screen, "kb")), app.kb)
    path = file_in(kb, spot.path)
    if not is_within(kb, spot.path):
        _not_opened(app, path, spot, _("That path leaves the folder."), _("It is not opened."))
        return
    url = url_of(kb)
    if url and not app.is_web:
        warn(
            app,
            _("This is a read-only copy of {url}.", url=one_line(url)),
            _("What is changed in it is not published."),
        )
    if app.is_web or (form := format_of(spot.path, app.settings.index.commands)) is None or form.in_place:
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
    """Show a page of a PDF in a viewer; False where there is no page or no viewer."""
    page = page_of(spot.path, spot.locator)
    if page is None:
        return False
    try:
        argv = viewer_argv(app.settings.editor, path, page)
    except EditorError as error:
        _not_opened(app, path, spot, error.message, error.hint)
        return True
    if argv is not None:
        app.run_worker(_open_detached(app, argv, path, spot), exit_on_error=False)
    return argv is not None


async def _open_text(app: RequestsApp, read: ReadSource, path: Path, spot: Spot) -> None:
    """Open the text that was taken out of a file; the file itself where its lines are the text."""
    try:
        source = await asyncio.to_thread(read, spot.path)
        written = await asyncio.to_thread(write_extracted, spot.path, source.text) if source.is_extracted else path
    except KbtuiError as error:
        say_error(app, error)
    else:
        _open(app, written, spot)


def edit_settings(app: RequestsApp, path: Path, line: int) -> None:
    """Open the user's settings file."""
    _open(app, path, Spot(path=str(path), start_line=line))


def _edit_statement(app: RequestsApp, spot: Spot) -> None:
    """Open a statement, as a file beside the logs: never one of the folder's."""
    from kbtui.view.statements import write_statement

    if app.is_web:
        warn(app, _("A browser has no editor to open."), _("The proof shows the statement."))
        return
    try:
        path = write_statement(spot.sql, spot.source)
    except KbtuiError as error:
        say_error(app, error)
    else:
        _open(app, path, spot)


def edit_prompt(app: RequestsApp, prompt: Prompt, line: int) -> None:
    """Open what is typed; what is saved there is typed."""
    from kbtui.ui.prompt_editing import follow_file, write_prompt

    if app.is_web:
        warn(app, _("A browser has no editor to open."), _("ctrl+j begins a new line in the prompt."))
        return
    try:
        path = write_prompt(prompt)
    except KbtuiError as error:
        say_error(app, error)
        return
    _open(app, path, Spot(path=str(path), start_line=line))
    app.run_worker(follow_file(prompt, path), group="prompt", exclusive=True, exit_on_error=False)


def _open(app: RequestsApp, path: Path, spot: Spot) -> None:
    if app.is_web:
        _not_opened(app, path, spot, _("A browser has no editor to open."), _("The proof shows the lines."))
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
        _not_opened(app, path, spot, error.message, error.hint)
    except SuspendNotSupported:
        _not_opened(app, path, spot, _("This terminal cannot make room for an editor."), "")
    else:
        app.refresh(layout=True)


async def _open_detached(app: RequestsApp, argv: Sequence[str], path: Path, spot: Spot) -> None:
    try:
        await asyncio.to_thread(launch.open_detached, argv)
    except EditorError as error:
        _not_opened(app, path, spot, error.message, error.hint)


def _not_opened(app: RequestsApp, path: Path, spot: Spot, message: str, hint: str) -> None:
    """Say why, and leave the place in the clipboard."""
    place = f"{path}:{spot.start_line}"
    app.copy_to_clipboard(place)
    copied = _("Copied: {place}", place=one_line(place))
    warn(app, message, " ".join(part for part in (one_line(hint), copied) if part))
