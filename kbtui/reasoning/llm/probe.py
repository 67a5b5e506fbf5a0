"""Whether a model calls tools: found out once by a call of a few tokens, and remembered.

What a provider says of its models is no proof of what a server with one of them does, so it is tried.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, Literal

from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.conversation import Conversation, Said
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings
from kbtui.settings.private import private_folder
from kbtui.whole_file import write_whole

Mode = Literal["loop", "pipeline"]

MODES_FILE: Final = "model_modes.json"
"""In the cache folder."""
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
_ASKED: Final = Conversation(
    stage="probe",
    rules="You call tools. Say nothing else.",
    turns=(Said(speaker="user", text=f"Call the tool note_word with the word {WORD}."),),
)
_MOST_KEPT: Final = 200


class KnownModes:
    """What was found out of models, kept on disk.

    A file that cannot be read or written knows nothing, and the next run finds out again.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, settings: ModelSettings) -> Mode | None:
        """How the model of these settings works; None where nobody tried."""
        found = self._read().get(_key(settings))
        return found if found in ("loop", "pipeline") else None

    def put(self, settings: ModelSettings, mode: Mode) -> None:
        """Remember how it works."""
        known = {**self._read(), _key(settings): mode}
        kept = dict(list(known.items())[-_MOST_KEPT:])
        try:
            private_folder(self._path.parent)
            write_whole(self._path, json.dumps(kept, indent=1).encode())
        except OSError:
            return

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def known_modes() -> KnownModes:
    """What was found out so far."""
    return KnownModes(paths.cache_dir() / MODES_FILE)


def probed(client: ModelClient) -> Mode:
    """How the model works, by one call.

    Raises:
        CallFailed: For another reason than that tools were offered.
        Cancelled: The run was stopped.
    """
    try:
        reply = client.write(_ASKED, lambda _piece: None, client.deadline("probe"), tools=[_TOOL])
    except CallFailed as failed:
        if failed.failure.refused_format:
            return "pipeline"
        raise
    called = any(call.tool == _TOOL["name"] and WORD in str((call.args or {}).get("word", "")) for call in reply.calls)
    return "loop" if called else "pipeline"


def _key(settings: ModelSettings) -> str:
    return hashlib.sha256(f"{settings.name.strip()} {settings.base_url.strip()}".encode()).hexdigest()[:24]
