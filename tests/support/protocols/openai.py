"""OpenAI's chat completions, which most local servers speak too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.model_request import Reply, Request, pieces_of, tokens_of
from tests.support.protocols.wire import Line, Protocol, event


def model(name: str) -> dict[str, Any]:
    """One row of the list of models."""
    return {"id": name, "object": "model", "created": 0, "owned_by": "scripted"}


def _error(reply: Reply) -> dict[str, Any]:
    return {"error": {"message": reply.content, "type": "error", "param": None, "code": str(reply.status)}}


def _whole(reply: Reply, request: Request) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.tool_calls:
        message |= {"content": reply.said or None, "tool_calls": _calls(reply)}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    choice = {"index": 0, "message": message, "finish_reason": _finished(reply), "logprobs": None}
    body = _head(request, "chat.completion") | {"choices": [choice]}
    return body | ({"usage": _usage(reply, request)} if reply.usage else {})


def _stream(reply: Reply, request: Request) -> Iterator[Line]:
    head = _head(request, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return event(head | {"choices": [choice]})

    yield False, chunk({"role": "assistant", "content": ""})
    for piece in reply.thoughts:
        yield False, chunk({"reasoning_content": piece})
    for piece in pieces_of(reply.said, reply.piece_chars):
        yield True, chunk({"content": piece})
    for index, (tool, arguments) in enumerate(reply.tool_calls):
        yield False, chunk({"tool_calls": [_call(tool, "", index + 1) | {"index": index}]})
        for piece in pieces_of(arguments, reply.piece_chars):
            yield True, chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield True, chunk({}, _finished(reply))
    if reply.usage and (request.body.get("stream_options") or {}).get("include_usage"):
        yield False, event(head | {"choices": [], "usage": _usage(reply, request)})
    yield False, b"data: [DONE]\n\n"


def _head(request: Request, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{request.stage}-{request.number}", "object": kind, "created": 0, "model": request.model}


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [_call(tool, arguments, number) for number, (tool, arguments) in enumerate(reply.tool_calls, 1)]


def _call(tool: str, arguments: str, number: int) -> dict[str, Any]:
    return {"id": f"call_{number}", "type": "function", "function": {"name": tool, "arguments": arguments}}


def _finished(reply: Reply) -> str:
    return "tool_calls" if reply.tool_calls and reply.finish_reason == "stop" else reply.finish_reason


def _usage(reply: Reply, request: Request) -> dict[str, int]:
    into, out = tokens_of(reply, request)
    return {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}


OPENAI = Protocol(
    "text/event-stream",
    _error,
    _whole,
    _stream,
    lambda message: event({"error": {"message": message, "code": 500}}),
)
