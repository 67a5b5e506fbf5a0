"""The prompt in the user's editor: what is saved there comes back, from an editor in the terminal and from a window."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from textual.app import App

from kbtui.domain.conversation import MAX_QUESTION_CHARS
from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.settings import paths
from kbtui.text.terminal import one_line
from kbtui.ui.notices import warn
from kbtui.ui.widgets.prompt import Prompt
from kbtui.view.user_files import read_text, write_pasted_text, write_text

_LOOK_EVERY_S = 0.2


def write_prompt(prompt: Prompt) -> Path:
    """What is typed, as a file of this process.

    Raises:
        StorageError: It cannot be written.
    """
    path = paths.state_dir() / "questions" / f"{os.getpid()}.md"
    write_text(path, prompt.text + "\n")
    return path


async def follow_file(prompt: Prompt, path: Path) -> None:
    """Type what is saved in the file, until something else is typed or what was typed is asked."""
    shown = prompt.text
    while prompt.is_attached and prompt.text == shown:
        try:
            saved = await asyncio.to_thread(read_text, path)
        except KbtuiError:
            return
        text = shown if saved is None else saved.strip("\n")[:MAX_QUESTION_CHARS]
        if text != shown and prompt.text == shown:
            prompt.put(text)
            shown = text
        await asyncio.sleep(_LOOK_EVERY_S)


def keep_overlong(app: App[Any], text: str) -> None:
    """Keep all of what was pasted beside the cut question, and say where."""
    title = _("A question holds up to {count:,} characters", count=MAX_QUESTION_CHARS)
    try:
        kept = _("All that was pasted is in {path}", path=one_line(str(write_pasted_text(text))))
    except KbtuiError as error:
        kept = one_line(str(error))
    warn(app, title, kept)
