"""Assembles the reply of a chat model from a message or from streamed pieces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kbtui.reasoning.llm.loose_json import read_object

OnText = Callable[[str], None]

MAX_ANSWER_CHARS: Final = 60_000
"""Most characters of a reply; a model that repeats itself would never stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A tool call of the model.

    Attributes:
        call_id: Id of the provider, which the result refers to.
        tool: Name of the tool.
        args: The parsed arguments; None if they are not an object and cannot be repaired.
        written: The arguments as the model wrote them.
    """

    call_id: str
    tool: str
    args: Mapping[str, Any] | None
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply of the model.

    Attributes:
        text: Its text.
        calls: Its tool calls, in order.
        extras: Data that the provider requires back with the calls, such as Google's thought signatures.
        data: Structured output, from a tool call or parsed JSON; None without one.
        cut: It was truncated by a limit.
        refused: The provider's filter ended it, or the model declined.
    """

    text: str
    data: Mapping[str, Any] | None = None
    cut: bool = False
    refused: bool = False
    calls: tuple[ModelCall, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _PartialCall:
    """A tool call during streaming; ``index`` is None for a complete call."""

    index: object
    call_id: str
    tool: str
    written: str

    def whole(self, number: int) -> ModelCall:
        return ModelCall(
            call_id=self.call_id or f"call_{number}",
            tool=self.tool,
            args=_parse_args(self.written),
            written=self.written,
        )


@dataclass(slots=True)
class ReplyBuilder:
    """A reply during streaming."""

    text: list[str] = field(default_factory=list)
    chars: int = 0
    usage: Mapping[str, Any] | None = None
    finish: str = ""
    refusal: str = ""
    tool_args: Mapping[str, Any] | None = None
    calls: list[_PartialCall] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)

    def take(self, message: Any, on_text: OnText | None = None) -> None:
        piece = str(message.text)
        if piece:
            self.text.append(piece)
            self.chars += len(piece)
            if on_text is not None:
                on_text(piece)
        if token_usage := getattr(message, "usage_metadata", None):
            previous = self.usage or {}
            self.usage = {key: int(previous.get(key, 0)) + int(token_usage.get(key, 0) or 0) for key in TOKEN_KEYS}
        metadata = getattr(message, "response_metadata", None) or {}
        self.finish = str(next((metadata[key] for key in _FINISH_KEYS if metadata.get(key)), self.finish))
        blocked = metadata.get("prompt_feedback") or {}
        refusal = (getattr(message, "additional_kwargs", None) or {}).get("refusal") or blocked.get("block_reason")
        self.refusal = str(refusal or self.refusal)
        for call in getattr(message, "tool_calls", None) or ():
            self.tool_args = call.get("args") or self.tool_args
        self._take_calls(message)

    def _take_calls(self, message: Any) -> None:
        """Add tool calls, complete or in pieces; pieces of one call have the same index."""
        provider_data = getattr(message, "additional_kwargs", None) or {}
        self.extras |= {name: value for name, value in provider_data.items() if "signature" in name}
        pieces = getattr(message, "tool_call_chunks", None)
        if pieces is None:
            pieces = [
                *(getattr(message, "tool_calls", None) or ()),
                *(getattr(message, "invalid_tool_calls", None) or ()),
            ]
        for piece in pieces:
            args = piece.get("args")
            written = args if isinstance(args, str) else json.dumps(args or {}, ensure_ascii=False)
            self.chars += len(written)
            index = piece.get("index")
            partial_call = self._find_partial(index) if index is not None else None
            if partial_call is None or (
                piece.get("id") and partial_call.call_id and piece["id"] != partial_call.call_id
            ):
                self.calls.append(
                    _PartialCall(index, str(piece.get("id") or ""), str(piece.get("name") or ""), written)
                )
                continue
            partial_call.written += written if args else ""
            partial_call.tool += str(piece.get("name") or "") if not partial_call.tool else ""
            partial_call.call_id = partial_call.call_id or str(piece.get("id") or "")

    def _find_partial(self, index: object) -> _PartialCall | None:
        return next((call for call in reversed(self.calls) if call.index == index), None)

    def reply(self, data: Mapping[str, Any] | None = None) -> Reply:
        finish = self.finish.lower()
        return Reply(
            text="".join(self.text)[:MAX_ANSWER_CHARS],
            data=data or self.tool_args,
            cut=finish in _CUT_REASONS or self.chars > MAX_ANSWER_CHARS,
            refused=bool(self.refusal) or finish in _REFUSAL_REASONS,
            calls=tuple(call.whole(number) for number, call in enumerate(self.calls, 1)),
            extras=self.extras,
        )


def calls_from(cached: Iterable[Mapping[str, Any]]) -> tuple[ModelCall, ...]:
    """Restore calls from a cached reply (`calls_as_dicts`)."""
    return tuple(
        ModelCall(
            call_id=str(call["id"]),
            tool=str(call["name"]),
            args=_parse_args(str(call["args"])),
            written=str(call["args"]),
        )
        for call in cached
    )


def calls_as_dicts(calls: Iterable[ModelCall]) -> list[dict[str, str]]:
    """Convert calls to JSON objects ``{"id", "name", "args"}``, with arguments as written."""
    return [{"id": call.call_id, "name": call.tool, "args": call.written} for call in calls]


def _parse_args(written: str) -> Mapping[str, Any] | None:
    """Parse arguments; None if they are not an object."""
    if not written.strip():
        return {}
    try:
        return read_object(written) if written.strip() != "{}" else {}
    except ValueError:
        return None


_FINISH_KEYS: Final = ("finish_reason", "stop_reason", "done_reason")
"""Keys of the finish reason in the metadata of providers."""
_CUT_REASONS: Final = ("length", "max_tokens", "model_context_window_exceeded")
_REFUSAL_REASONS: Final = (
    "content_filter",
    "refusal",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
)
TOKEN_KEYS: Final = ("input_tokens", "output_tokens")
