"""Encodes events as JSON lines, decodes and validates them, and gives their JSON Schema."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Final

import msgspec

from kbtui.domain.events import Event
from kbtui.domain.routing import RoutingPlan
from kbtui.errors import SessionError

_UNKNOWN_KIND: Final = re.compile(r"Invalid value (.*) - at `\$\.kind`")


@cache
def _decoder() -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(Event, strict=False)


def encode(event: Event) -> str:
    """One event as one line of JSON, without the newline.

    File names may contain bytes that are not valid text; what UTF-8 cannot encode becomes U+FFFD.
    """
    try:
        return msgspec.json.encode(event).decode("utf-8")
    except (UnicodeEncodeError, OverflowError):
        # Lone surrogates, or integers of more than 64 bits.
        return json.dumps(_without_surrogates(msgspec.to_builtins(event)), ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> Event:
    """The event of one line of JSON.

    Raises:
        SessionError: The line is not a JSON object, is of an unknown kind, or lacks a field; the message says which.
    """
    try:
        return _decoder().decode(line)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise SessionError(f"Not a kbtui event: {_problem_text(str(error))}") from error


def _problem_text(message: str) -> str:
    """A validation error in words, without terms of the decoder for an old, newer or foreign file."""
    if "required field `kind`" in message:
        return "it has no kind."
    if unknown := _UNKNOWN_KIND.search(message):
        return f"this version knows no kind {unknown[1]}."
    return f"{message}."


def _without_surrogates(value: Any) -> Any:
    """``value`` with every lone surrogate replaced, since UTF-8 cannot encode it."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(inner) for key, inner in value.items()}
    return [_without_surrogates(inner) for inner in value] if isinstance(value, list | tuple) else value


def plan_to_dict(plan: RoutingPlan) -> dict[str, Any]:
    """A routing plan as the JSON object of ``AgentState.routing_plan``, without empty translations."""
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
    for part in result["sub_questions"]:
        if not part["translated"]:
            del part["translated"], part["translated_share"]
    return result


def event_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one event."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kbtui event",
        "description": "One line of `kbtui ask --json`, of `kbtui replay --json` and of a session file.",
        **msgspec.json.schema(Event),
    }


def schema_text() -> str:
    """The schema as indented JSON text."""
    return json.dumps(event_schema(), indent=2, ensure_ascii=False)
