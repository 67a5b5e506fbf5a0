"""What a protocol is to the server that plays it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.model_request import Reply, Request

Line = tuple[bool, bytes]
"""What a stream sends next, and whether it counts as a piece of the answer."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """How one API says the same things.

    Attributes:
        stream_type: Content type of its streams.
        error: The body of a refusal.
        whole: The body of an answer in one piece.
        stream: The lines of an answer that comes in pieces.
        mid_stream_error: The bytes by which a stream that has begun says that it failed.
        waits_in_header: When to come back stands in ``retry-after``, and not in the body of the refusal.
    """

    stream_type: str
    error: Callable[[Reply], dict[str, Any]]
    whole: Callable[[Reply, Request], dict[str, Any]]
    stream: Callable[[Reply, Request], Iterator[Line]]
    mid_stream_error: Callable[[str], bytes]
    waits_in_header: bool = True


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def event(value: Any, name: str = "") -> bytes:
    """One event of a stream of server-sent events."""
    return (f"event: {name}\n".encode() if name else b"") + b"data: " + as_json(value) + b"\n\n"
