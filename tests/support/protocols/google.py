"""Google's ``generateContent``: an answer is candidates of parts, a stream a row of such answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.model_request import Reply, Request, arguments_of, pieces_of, tokens_of
from tests.support.protocols.wire import Line, Protocol, event

_KINDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_STOPS = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


def model(name: str) -> dict[str, Any]:
    """One row of the list of models."""
    methods = ["generateContent", "countTokens"]
    return {"name": f"models/{name}", "displayName": name.title(), "supportedGenerationMethods": methods}


def _error(reply: Reply) -> dict[str, Any]:
    """Google tells in the body, not in a header, when to come back."""
    error: dict[str, Any] = {
        "code": reply.status,
        "message": reply.content,
        "status": _KINDS.get(reply.status, "UNKNOWN"),
    }
    details: list[dict[str, Any]] = []
    if wait := reply.headers.get("retry-after"):
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait}s"})
    if reply.status == 400 and "API key" in reply.content:
        info = {"reason": "API_KEY_INVALID", "domain": "googleapis.com"}
        details.append({"@type": "type.googleapis.com/google.rpc.ErrorInfo", **info})
    return {"error": error | ({"details": details} if details else {})}


def _whole(reply: Reply, request: Request) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": reply.reasoning, "thought": True}] if reply.reasoning else []
    if reply.said:
        parts.append({"text": reply.said})
    parts += _calls(reply)
    return _answer(reply, request, parts, is_last=True)


def _stream(reply: Reply, request: Request) -> Iterator[Line]:
    for piece in reply.thoughts:
        yield False, event(_answer(reply, request, [{"text": piece, "thought": True}]))
    for piece in pieces_of(reply.said, reply.piece_chars):
        yield True, event(_answer(reply, request, [{"text": piece}]))
    for call in _calls(reply):
        yield True, event(_answer(reply, request, [call]))
    yield True, event(_answer(reply, request, [{"text": ""}], is_last=True))


def _answer(reply: Reply, request: Request, parts: list[dict[str, Any]], *, is_last: bool = False) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if is_last:
        candidate["finishReason"] = _STOPS.get(reply.finish_reason, reply.finish_reason)
    body = {"candidates": [candidate], "modelVersion": request.model, "responseId": f"{request.stage}-{request.number}"}
    if not reply.usage:
        return body
    into, out = tokens_of(reply, request)
    # What was counted so far comes with every piece, so the last one has it all.
    said = out if is_last else 1
    counted = {"promptTokenCount": into, "candidatesTokenCount": said, "totalTokenCount": into + said}
    return body | {"usageMetadata": counted}


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [{"functionCall": {"name": tool, "args": arguments_of(text)}} for tool, text in reply.tool_calls]


GOOGLE = Protocol(
    "text/event-stream",
    _error,
    _whole,
    _stream,
    lambda message: event({"error": {"code": 500, "message": message, "status": "INTERNAL"}}),
    waits_in_header=False,
)
