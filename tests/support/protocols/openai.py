"""OpenAI's chat completions, which most local servers speak too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.model_request import Reply, Request, tokens_of
from tests.support.protocols.wire import Line, Protocol, event


def model(name: str) -> dict[str, Any]:
    """One row of the list of models."""
    return {"id": name, "object": "model", "created": 0, "owned_by": "scripted"}


def _error(reply: Reply) -> dict[str, Any]:
    return {"error": {"message": reply.content, "type": "error", "param": None, "code": str(reply.status)}}


def _whole(reply: Reply, request: Request) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.as_tool_call is not None:
        message |= {"content": None, "tool_calls": [_call(reply.as_tool_call, reply.content)]}
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
    if reply.as_tool_call is not None:
        yield False, chunk({"tool_calls": [_call(reply.as_tool_call, "") | {"index": 0}]})
        for piece in reply.pieces:
            yield True, chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    else:
        for piece in reply.pieces:
            yield True, chunk({"content": piece})
    yield True, chunk({}, _finished(reply))
    if reply.usage and (request.body.get("stream_options") or {}).get("include_usage"):
        yield False, event(head | {"choices": [], "usage": _usage(reply, request)})
    yield False, b"data: [DONE]\n\n"


def _head(request: Request, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{request.stage}-{request.number}", "object": kind, "created": 0, "model": request.model}


def _call(tool: str, arguments: str) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": tool, "arguments": arguments}}


def _finished(reply: Reply) -> str:
    return "tool_calls" if reply.as_tool_call is not None and reply.finish_reason == "stop" else reply.finish_reason


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
