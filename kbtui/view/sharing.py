"""A recording to be given away: the home folder said as ``~``, keys and passwords masked."""

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

Change = Callable[[str], str]


def shareable(recording: Recording, *, home: Path | None = None, secrets: bool = False) -> Recording:
    """The recording with all its texts changed; every format of export is made of the same events.

    Args:
        home: This folder becomes ``~`` wherever it stands.
        secrets: What is known for a key here, or has the shape of one, is masked; a harmless text can be, too.
    """
    changes: list[Change] = []
    if secrets:
        changes.append(redact)
    if home is not None:
        changes.append(home_folded(home))
    if not changes:
        return recording
    events = tuple(decode(json.dumps(_changed(json.loads(encode(event)), changes))) for event in recording.events)
    return replace(recording, events=events)


def home_folded(home: Path) -> Change:
    """Says a home folder as ``~`` wherever it stands; one that is the root of everything is left as it is."""
    if home == Path(home.anchor):
        return lambda text: text
    pattern = re.compile(re.escape(str(home)) + r"(?![\w.-])")
    return lambda text: pattern.sub("~", text)


def _changed(value: Any, changes: list[Change]) -> Any:
    if isinstance(value, str):
        for change in changes:
            value = change(value)
        return value
    if isinstance(value, dict):
        return {_changed(key, changes): _changed(item, changes) for key, item in value.items()}
    return [_changed(item, changes) for item in value] if isinstance(value, list) else value
