"""Edits the prompt in the user's editor and takes over what is saved, also from editors in windows of their own."""

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

_POLL_INTERVAL_S = 0.2


def write_prompt(prompt: Prompt) -> Path:
    """Write the text of the prompt to a file of this process, and return its path.

    Raises:
        StorageError: The file cannot be written.
    """
    path = paths.state_dir() / "questions" / f"{os.getpid()}.md"
    write_text(path, prompt.text + "\n")
    return path


async def follow_file(prompt: Prompt, path: Path) -> None:
    """Copy what is saved in the file into the prompt, until the prompt is edited otherwise or the question asked."""
    current = prompt.text
    while prompt.is_attached and prompt.text == current:
        try:
            saved = await asyncio.to_thread(read_text, path)
        except KbtuiError:
            return
        text = current if saved is None else saved.strip("\n")[:MAX_QUESTION_CHARS]
        if text != current and prompt.text == current:
            prompt.put(text)
            current = text
        await asyncio.sleep(_POLL_INTERVAL_S)


def save_overlong_paste(app: App[Any], text: str) -> None:
    """Save a paste that exceeds the length of a question, and tell the user the file."""
    title = _("A question holds up to {count:,} characters", count=MAX_QUESTION_CHARS)
    try:
        message = _("All that was pasted is in {path}", path=one_line(str(write_pasted_text(text))))
    except KbtuiError as error:
        message = one_line(str(error))
    warn(app, title, message)
