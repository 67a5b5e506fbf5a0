"""Tests with a short call whether a model supports tool calls, and caches the result.

The profile of a provider does not tell how a particular server behaves, so it is tested.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, Literal

from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.conversation import Conversation, Message
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings
from kbtui.settings.private import private_folder
from kbtui.whole_file import write_whole

Mode = Literal["loop", "pipeline"]

MODES_FILE: Final = "model_modes.json"
"""Name of the file in the cache folder."""
WORD: Final = "orange"
_TOOL: Final[dict[str, Any]] = {
    "name": "note_word",
    "description": "Notes one word.",
    "parameters": {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "The word to note."}},
        "required": ["word"],
    },
}
_PROBE: Final = Conversation(
    stage="probe",
    rules="You call tools. Say nothing else.",
    turns=(Message(speaker="user", text=f"Call the tool note_word with the word {WORD}."),),
)
_MAX_ENTRIES: Final = 200


class KnownModes:
    """Modes of models, cached on disk.

    A file that cannot be read or written counts as empty, so the next run tests again.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, settings: ModelSettings) -> Mode | None:
        """The mode of the model of these settings; None if not tested yet."""
        mode = self._read().get(_key(settings))
        return mode if mode in ("loop", "pipeline") else None

    def put(self, settings: ModelSettings, mode: Mode) -> None:
        """Store the mode."""
        modes = {**self._read(), _key(settings): mode}
        newest = dict(list(modes.items())[-_MAX_ENTRIES:])
        try:
            private_folder(self._path.parent)
            write_whole(self._path, json.dumps(newest, indent=1).encode())
        except OSError:
            return

    def _read(self) -> dict[str, Any]:
        try:
            modes = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return modes if isinstance(modes, dict) else {}


def known_modes() -> KnownModes:
    """The cached modes of this user."""
    return KnownModes(paths.cache_dir() / MODES_FILE)


def probe_mode(client: ModelClient) -> Mode:
    """Test the mode of a model with one call.

    Raises:
        CallFailed: The call failed for another reason than the tools.
        Cancelled: The run was stopped.
    """
    try:
        reply = client.write(_PROBE, lambda _piece: None, client.deadline("probe"), tools=[_TOOL])
    except CallFailed as failed:
        if failed.failure.refused_format:
            return "pipeline"
        raise
    has_called_tool = any(
        call.tool == _TOOL["name"] and WORD in str((call.args or {}).get("word", "")) for call in reply.calls
    )
    return "loop" if has_called_tool else "pipeline"


def _key(settings: ModelSettings) -> str:
    return hashlib.sha256(f"{settings.name.strip()} {settings.base_url.strip()}".encode()).hexdigest()[:24]
