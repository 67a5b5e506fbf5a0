"""Events to JSON lines and back, checked by pydantic; and their JSON Schema.

This is the only part of ``domain`` that needs more than Python: text and files come in here.
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
def _events() -> TypeAdapter[Event]:
    """Made late: it takes longer than all else that a short run does with its events."""
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def encode(event: Event) -> str:
    """One event as one line of JSON, without the newline.

    Names of files and folders may hold bytes that are no text; what UTF-8 cannot say of them becomes U+FFFD.
    """
    try:
        return msgspec.json.encode(event).decode("utf-8")
    except (UnicodeEncodeError, OverflowError, TypeError):
        # Text that is none, and values that pydantic knows beside those of JSON.
        return json.dumps(_sayable(to_dict(event)), ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> Event:
    """One line of JSON as an event.

    Raises:
        SessionError: The line is no JSON object, no known kind, or lacks a field; the message says which.
    """
    from pydantic import ValidationError

    try:
        return _events().validate_json(line, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise SessionError(f"Not a kbtui event: {_said(first)}") from error


def _said(error: ErrorDetails) -> str:
    """What pydantic found, without its terms where people meet them: an old, new or foreign file."""
    if error["type"] == "union_tag_not_found":
        return "it has no kind."
    if error["type"] == "union_tag_invalid":
        return f"this version knows no kind {error['ctx']['tag']!r}."
    where = ".".join(str(part) for part in error["loc"])
    return f"{where}: {error['msg']}" if where else error["msg"]


def _sayable(value: Any) -> Any:
    """``value`` with every half surrogate replaced, which no UTF-8 can hold."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_sayable(key): _sayable(inner) for key, inner in value.items()}
    return [_sayable(inner) for inner in value] if isinstance(value, list) else value


def to_dict(event: Event) -> dict[str, Any]:
    """One event as JSON-safe Python values."""
    result: dict[str, Any] = _events().dump_python(event, mode="json")
    return result


def plan_to_dict(plan: RoutingPlan) -> dict[str, Any]:
    """A routing plan as the JSON object that ``AgentState.routing_plan`` holds; translations where there are any."""
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
    for part in result["sub_questions"]:
        if not part["translated"]:
            del part["translated"], part["translated_share"]
    return result


def event_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one event."""
    schema = _events().json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "kbtui event"
    schema["description"] = "One line of `kbtui ask --json`, of `kbtui replay --json` and of a session file."
    return schema


def schema_text() -> str:
    """The schema as indented JSON text."""
    return json.dumps(event_schema(), indent=2, ensure_ascii=False)
