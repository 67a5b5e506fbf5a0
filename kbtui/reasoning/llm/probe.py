"""Tests with a short call whether a model supports tool calls.

The profile of a provider does not tell how a particular server behaves, so it is tested.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.conversation import question_to_model

Mode = Literal["loop", "pipeline"]

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
_PROBE: Final = question_to_model(
    "probe", "You call tools. Say nothing else.", f"Call the tool note_word with the word {WORD}."
)


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
