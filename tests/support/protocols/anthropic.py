"""Anthropic's messages: an answer is a list of blocks, a stream says when each begins and ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.model_request import Reply, Request, arguments_of, pieces_of, tokens_of
from tests.support.protocols.wire import Line, Protocol, event

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def model(name: str) -> dict[str, Any]:
    """One row of the list of models."""
    return {"type": "model", "id": name, "display_name": name.title(), "created_at": "2025-01-01T00:00:00Z"}


def _error(reply: Reply) -> dict[str, Any]:
    kind = _KINDS.get(reply.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": reply.content}, "request_id": "req_1"}


def _whole(reply: Reply, request: Request) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    if reply.reasoning:
        blocks.append({"type": "thinking", "thinking": reply.reasoning, "signature": "c2lnbmVk"})
    if reply.said:
        blocks.append({"type": "text", "text": reply.said})
    blocks += [_call(tool, arguments_of(text), number) for number, (tool, text) in enumerate(reply.tool_calls, 1)]
    into, out = _usage(reply, request)
    usage = {"input_tokens": into, "output_tokens": out}
    return _head(request) | {"content": blocks, "stop_reason": _stopped(reply), "stop_sequence": None, "usage": usage}


def _stream(reply: Reply, request: Request) -> Iterator[Line]:
    into, out = _usage(reply, request)
    started = {"content": [], "stop_reason": None, "stop_sequence": None}
    usage = {"input_tokens": into, "output_tokens": min(1, out)}
    yield False, _event("message_start", message=_head(request) | started | {"usage": usage})
    index = 0
    if reply.reasoning:
        yield False, _event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""})
        for piece in reply.thoughts:
            yield False, _delta(0, "thinking_delta", thinking=piece)
        yield False, _delta(0, "signature_delta", signature="c2lnbmVk")
        yield False, _event("content_block_stop", index=0)
        index = 1
    if reply.said or not reply.tool_calls:
        yield False, _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
        yield False, _event("ping")
        for piece in pieces_of(reply.said, reply.piece_chars):
            yield True, _delta(index, "text_delta", text=piece)
        yield False, _event("content_block_stop", index=index)
        index += 1
    for number, (tool, arguments) in enumerate(reply.tool_calls, 1):
        yield False, _event("content_block_start", index=index, content_block=_call(tool, {}, number))
        yield False, _event("ping")
        for piece in pieces_of(arguments, reply.piece_chars):
            yield True, _delta(index, "input_json_delta", partial_json=piece)
        yield False, _event("content_block_stop", index=index)
        index += 1
    ended = {"stop_reason": _stopped(reply), "stop_sequence": None}
    yield True, _event("message_delta", delta=ended, usage={"input_tokens": into, "output_tokens": out})
    yield False, _event("message_stop")


def _head(request: Request) -> dict[str, Any]:
    return {
        "id": f"msg_{request.stage}_{request.number}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
    }


def _call(tool: str, arguments: dict[str, Any], number: int) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": arguments}


def _stopped(reply: Reply) -> str:
    if reply.tool_calls and reply.finish_reason == "stop":
        return "tool_use"
    return _STOPS.get(reply.finish_reason, reply.finish_reason)


def _usage(reply: Reply, request: Request) -> tuple[int, int]:
    """The figures may not be missing here; a server that counts nothing says so with zeros."""
    return tokens_of(reply, request) if reply.usage else (0, 0)


def _delta(index: int, kind: str, **said: str) -> bytes:
    return _event("content_block_delta", index=index, delta={"type": kind, **said})


def _event(kind: str, **fields: Any) -> bytes:
    return event({"type": kind, **fields}, kind)


ANTHROPIC = Protocol(
    "text/event-stream",
    _error,
    _whole,
    _stream,
    lambda message: _event("error", error={"type": "api_error", "message": message}),
)
