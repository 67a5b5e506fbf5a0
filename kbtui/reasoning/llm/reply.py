"""What a chat model answered, put together from the messages or pieces in which it comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

OnText = Callable[[str], None]

MAX_ANSWER_CHARS: Final = 60_000
"""Where an answer is cut off: no question about a folder needs more, and a model that repeats itself never stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model answered.

    Attributes:
        text: Its words.
        data: What it sent as a tool call or as parsed JSON, where it was asked for that.
        cut: It was ended by a limit, not by the model.
        refused: It was ended by the provider's filter, or the model declined.
    """

    text: str
    data: Mapping[str, Any] | None = None
    cut: bool = False
    refused: bool = False


@dataclass(slots=True)
class Collected:
    """An answer as it comes in."""

    text: list[str] = field(default_factory=list)
    chars: int = 0
    usage: Mapping[str, Any] | None = None
    finish: str = ""
    refusal: str = ""
    tool_args: Mapping[str, Any] | None = None

    def take(self, message: Any, on_text: OnText | None = None) -> None:
        piece = str(message.text)
        if piece:
            self.text.append(piece)
            self.chars += len(piece)
            if on_text is not None:
                on_text(piece)
        if said := getattr(message, "usage_metadata", None):
            known = self.usage or {}
            self.usage = {key: int(known.get(key, 0)) + int(said.get(key, 0) or 0) for key in COUNTED}
        metadata = getattr(message, "response_metadata", None) or {}
        self.finish = str(next((metadata[key] for key in _ENDINGS if metadata.get(key)), self.finish))
        blocked = metadata.get("prompt_feedback") or {}
        refusal = (getattr(message, "additional_kwargs", None) or {}).get("refusal") or blocked.get("block_reason")
        self.refusal = str(refusal or self.refusal)
        for call in getattr(message, "tool_calls", None) or ():
            self.tool_args = call.get("args") or self.tool_args

    def reply(self, data: Mapping[str, Any] | None = None) -> Reply:
        finish = self.finish.lower()
        return Reply(
            text="".join(self.text)[:MAX_ANSWER_CHARS],
            data=data or self.tool_args,
            cut=finish in _CUT or self.chars > MAX_ANSWER_CHARS,
            refused=bool(self.refusal) or finish in _REFUSED,
        )


_ENDINGS: Final = ("finish_reason", "stop_reason", "done_reason")
"""What providers call the reason why an answer ended."""
_CUT: Final = ("length", "max_tokens", "model_context_window_exceeded")
_REFUSED: Final = ("content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii")
COUNTED: Final = ("input_tokens", "output_tokens")
