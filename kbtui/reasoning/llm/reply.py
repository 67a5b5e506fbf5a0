"""What a chat model answered, put together from the messages or pieces in which it comes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kbtui.reasoning.llm.loose_json import read_object

OnText = Callable[[str], None]

MAX_ANSWER_CHARS: Final = 60_000
"""Where an answer is cut off: no question about a folder needs more, and a model that repeats itself never stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A tool that the model asked to be called.

    Attributes:
        call_id: As the provider numbers it; the result is sent back under it.
        args: As they were parsed; None where they are no object, whatever was done to mend them.
        written: The arguments as the model wrote them.
    """

    call_id: str
    tool: str
    args: Mapping[str, Any] | None
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model answered.

    Attributes:
        text: Its words.
        calls: Tools that it asked to be called, in its order.
        extras: What a provider wants back with its calls, such as Google's signatures of thoughts.
        data: What it sent as a tool call or as parsed JSON, where it was asked for that.
        cut: It was ended by a limit, not by the model.
        refused: It was ended by the provider's filter, or the model declined.
    """

    text: str
    data: Mapping[str, Any] | None = None
    cut: bool = False
    refused: bool = False
    calls: tuple[ModelCall, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Begun:
    """A call of a tool as it comes in; ``index`` is None where it came whole."""

    index: object
    call_id: str
    tool: str
    written: str

    def whole(self, number: int) -> ModelCall:
        return ModelCall(
            call_id=self.call_id or f"call_{number}", tool=self.tool, args=_read(self.written), written=self.written
        )


@dataclass(slots=True)
class Collected:
    """An answer as it comes in."""

    text: list[str] = field(default_factory=list)
    chars: int = 0
    usage: Mapping[str, Any] | None = None
    finish: str = ""
    refusal: str = ""
    tool_args: Mapping[str, Any] | None = None
    calls: list[_Begun] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)

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
        self._take_calls(message)

    def _take_calls(self, message: Any) -> None:
        """Calls of tools, whole or in pieces; pieces of one have one index."""
        more = getattr(message, "additional_kwargs", None) or {}
        self.extras |= {name: value for name, value in more.items() if "signature" in name}
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
            known = self._begun(index) if index is not None else None
            if known is None or (piece.get("id") and known.call_id and piece["id"] != known.call_id):
                self.calls.append(_Begun(index, str(piece.get("id") or ""), str(piece.get("name") or ""), written))
                continue
            known.written += written if args else ""
            known.tool += str(piece.get("name") or "") if not known.tool else ""
            known.call_id = known.call_id or str(piece.get("id") or "")

    def _begun(self, index: object) -> _Begun | None:
        return next((call for call in reversed(self.calls) if call.index == index), None)

    def reply(self, data: Mapping[str, Any] | None = None) -> Reply:
        finish = self.finish.lower()
        return Reply(
            text="".join(self.text)[:MAX_ANSWER_CHARS],
            data=data or self.tool_args,
            cut=finish in _CUT or self.chars > MAX_ANSWER_CHARS,
            refused=bool(self.refusal) or finish in _REFUSED,
            calls=tuple(call.whole(number) for number, call in enumerate(self.calls, 1)),
            extras=self.extras,
        )


def calls_from(kept: Iterable[Mapping[str, Any]]) -> tuple[ModelCall, ...]:
    """Calls as a cache of answers keeps them (`calls_as_dicts`)."""
    return tuple(
        ModelCall(call_id=str(one["id"]), tool=str(one["name"]), args=_read(str(one["args"])), written=str(one["args"]))
        for one in kept
    )


def calls_as_dicts(calls: Iterable[ModelCall]) -> list[dict[str, str]]:
    """Calls as JSON: ``{"id", "name", "args"}``, the arguments as they were written."""
    return [{"id": call.call_id, "name": call.tool, "args": call.written} for call in calls]


def _read(written: str) -> Mapping[str, Any] | None:
    """Arguments as an object; None where they are none."""
    if not written.strip():
        return {}
    try:
        return read_object(written) if written.strip() != "{}" else {}
    except ValueError:
        return None


_ENDINGS: Final = ("finish_reason", "stop_reason", "done_reason")
"""What providers call the reason why an answer ended."""
_CUT: Final = ("length", "max_tokens", "model_context_window_exceeded")
_REFUSED: Final = ("content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii")
COUNTED: Final = ("input_tokens", "output_tokens")
