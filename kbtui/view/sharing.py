"""Prepares recordings for sharing: replaces the home folder by ``~``, masks keys and passwords."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kbtui.domain.codec import decode, encode
from kbtui.sessions.recording import Recording
from kbtui.settings.secrets import redact

TextChange = Callable[[str], str]


def shareable(recording: Recording, *, home: Path | None = None, secrets: bool = False) -> Recording:
    """The recording with all texts of its events rewritten; every export format is made from these events.

    Args:
        home: Folder that is replaced by ``~``.
        secrets: Whether to mask known keys and texts that look like keys, which may mask harmless text too.
    """
    changes: list[TextChange] = []
    if secrets:
        changes.append(redact)
    if home is not None:
        changes.append(home_replacer(home))
    if not changes:
        return recording
    events = tuple(decode(json.dumps(_map_strings(json.loads(encode(event)), changes))) for event in recording.events)
    return replace(recording, events=events)


def home_replacer(home: Path) -> TextChange:
    """A function that replaces the path of a home folder in text by ``~``; the root folder is never replaced."""
    if home == Path(home.anchor):
        return lambda text: text
    pattern = re.compile(re.escape(str(home)) + r"(?![\w.-])")
    return lambda text: pattern.sub("~", text)


def _map_strings(value: Any, changes: list[TextChange]) -> Any:
    if isinstance(value, str):
        for change in changes:
            value = change(value)
        return value
    if isinstance(value, dict):
        return {_map_strings(key, changes): _map_strings(item, changes) for key, item in value.items()}
    return [_map_strings(item, changes) for item in value] if isinstance(value, list) else value
