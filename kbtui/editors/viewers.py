"""Which viewer shows a page of a PDF, and the command that opens it there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kbtui.editors.launch import Which, command_words, has_display
from kbtui.editors.templates import VIEWERS
from kbtui.errors import EditorError
from kbtui.late_patterns import pattern
from kbtui.settings.model import EditorSettings

_BLANK: Final = pattern(r"\{(?:path|page|url)\}")


def viewer_argv(
    settings: EditorSettings,
    path: Path,
    page: int,
    environ: Mapping[str, str] | None = None,
    which: Which = shutil.which,
) -> list[str] | None:
    """The command that shows ``page`` (from 1) of a PDF, by ``editor.viewer``, else by what is installed.

    Returns:
        None where there is no viewer, or no display that it could open a window on.

    Raises:
        EditorError: ``editor.viewer`` cannot be read as a command, or names no program; or the file is gone.
    """
    environ = os.environ if environ is None else environ
    if not path.is_file():
        raise EditorError(f"{path} is not there any more.", "Index the folder again: kbtui index")
    words = _words(settings, environ, which)
    if words is None:
        return None
    absolute = str(path.absolute())
    values = {"{path}": absolute, "{page}": str(max(1, page)), "{url}": quote(absolute)}
    return [_filled(word, values) for word in words]


def _words(settings: EditorSettings, environ: Mapping[str, str], which: Which) -> list[str] | None:
    if value := settings.viewer.strip():
        words = command_words(value, "editor.viewer", which)
        if which(words[0]) is None:
            raise EditorError(
                f"editor.viewer says {value}, and there is no program {words[0]}.",
                'Name one with its page: viewer = "zathura --page={page} {path}".',
            )
        if any("{path}" in word or "{url}" in word for word in words):
            return words
        row = next((row for row in VIEWERS if row.program == Path(words[0]).name), None)
        return [*words, *(row.args if row is not None else ("{path}",))]
    if not has_display(environ):
        return None
    for row in VIEWERS:
        if which(row.program) and (not row.app or Path(row.app).exists()):
            return [row.program, *row.args]
    return None


def _filled(word: str, values: Mapping[str, str]) -> str:
    return _BLANK.sub(lambda match: values[match[0]], word)
