"""Encodes events as JSON lines, decodes and validates them, and gives their JSON Schema.

This is the only part of ``domain`` that imports pydantic, since here untrusted text is read.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from kbtui.domain.events import Event
from kbtui.domain.routing import RoutingPlan
from kbtui.errors import SessionError

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails


@cache
def _event_adapter() -> TypeAdapter[Event]:
    """The pydantic adapter of `Event`, created on first use because that takes longer than encoding a short run."""
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def encode(event: Event) -> str:
    """One event as one line of JSON, without the newline.

    File names may contain bytes that are not valid text; what UTF-8 cannot encode becomes U+FFFD.
    """
    try:
        return msgspec.json.encode(event).decode("utf-8")
    except (UnicodeEncodeError, OverflowError, TypeError):
        # Lone surrogates, or values that pydantic serialises and msgspec does not.
        return json.dumps(_without_surrogates(to_dict(event)), ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> Event:
    """The event of one line of JSON.

    Raises:
        SessionError: The line is not a JSON object, is of an unknown kind, or lacks a field; the message says which.
    """
    from pydantic import ValidationError

    try:
        return _event_adapter().validate_json(line, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise SessionError(f"Not a kbtui event: {_problem_text(first)}") from error


def _problem_text(error: ErrorDetails) -> str:
    """A validation error in words, without terms of pydantic for the common cases: an old, newer or foreign file."""
    if error["type"] == "union_tag_not_found":
        return "it has no kind."
    if error["type"] == "union_tag_invalid":
        return f"this version knows no kind {error['ctx']['tag']!r}."
    location = ".".join(str(part) for part in error["loc"])
    return f"{location}: {error['msg']}" if location else error["msg"]


def _without_surrogates(value: Any) -> Any:
    """``value`` with every lone surrogate replaced, since UTF-8 cannot encode it."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(inner) for key, inner in value.items()}
    return [_without_surrogates(inner) for inner in value] if isinstance(value, list) else value


def to_dict(event: Event) -> dict[str, Any]:
    """One event as JSON-safe Python values."""
    result: dict[str, Any] = _event_adapter().dump_python(event, mode="json")
    return result


def plan_to_dict(plan: RoutingPlan) -> dict[str, Any]:
    """A routing plan as the JSON object of ``AgentState.routing_plan``, without empty translations."""
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
    for part in result["sub_questions"]:
        if not part["translated"]:
            del part["translated"], part["translated_share"]
    return result


def event_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one event."""
    schema = _event_adapter().json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "kbtui event"
    schema["description"] = "One line of `kbtui ask --json`, of `kbtui replay --json` and of a session file."
    return schema


def schema_text() -> str:
    """The schema as indented JSON text."""
    return json.dumps(event_schema(), indent=2, ensure_ascii=False)
