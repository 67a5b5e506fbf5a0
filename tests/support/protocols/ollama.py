"""Ollama's chat, a line of JSON for each piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.model_request import Reply, Request, arguments_of, pieces_of, tokens_of
from tests.support.protocols.wire import Line, Protocol, as_json


def _error(reply: Reply) -> dict[str, Any]:
    return {"error": reply.content}


def _whole(reply: Reply, request: Request) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.tool_calls:
        message |= {"content": reply.said, "tool_calls": _calls(reply)}
    if reply.reasoning:
        message["thinking"] = reply.reasoning
    return _head(request) | {"message": message} | _end(reply, request)


def _stream(reply: Reply, request: Request) -> Iterator[Line]:
    head = _head(request)

    def line(message: dict[str, Any]) -> bytes:
        return as_json(head | {"message": {"role": "assistant", "content": ""} | message, "done": False}) + b"\n"

    for piece in reply.thoughts:
        yield False, line({"thinking": piece})
    for piece in pieces_of(reply.said, reply.piece_chars):
        yield True, line({"content": piece})
    for call in _calls(reply):
        yield True, line({"tool_calls": [call]})
    end = head | {"message": {"role": "assistant", "content": ""}} | _end(reply, request)
    yield True, as_json(end) + b"\n"


def _head(request: Request) -> dict[str, Any]:
    return {"model": request.model, "created_at": "2024-01-01T00:00:00Z"}


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [{"function": {"name": tool, "arguments": arguments_of(text)}} for tool, text in reply.tool_calls]


def _end(reply: Reply, request: Request) -> dict[str, Any]:
    end: dict[str, Any] = {"done": True, "done_reason": reply.finish_reason}
    if reply.usage:
        into, out = tokens_of(reply, request)
        end |= {"prompt_eval_count": into, "eval_count": out}
    return end


OLLAMA = Protocol("application/x-ndjson", _error, _whole, _stream, lambda message: as_json({"error": message}) + b"\n")
