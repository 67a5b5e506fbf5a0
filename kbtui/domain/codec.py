"""Events to JSON lines and back, checked by pydantic; and their JSON Schema.

This is the only part of ``domain`` that needs pydantic: text and files come in here.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from kbtui.domain.events import Event
from kbtui.domain.routing import RoutingPlan
from kbtui.errors import SessionError

_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
_PLAN: TypeAdapter[RoutingPlan] = TypeAdapter(RoutingPlan)


def encode(event: Event) -> str:
    """One event as one line of JSON, without the newline."""
    return _EVENT.dump_json(event, by_alias=True).decode("utf-8")


def decode(line: str) -> Event:
    """One line of JSON as an event.

    Raises:
        SessionError: The line is no JSON object, no known kind, or lacks a field; the message says which.
    """
    try:
        return _EVENT.validate_json(line, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "line"
        raise SessionError(f"Not a kbtui event: {where}: {first['msg']}") from error


def to_dict(event: Event) -> dict[str, Any]:
    """One event as JSON-safe Python values."""
    result: dict[str, Any] = _EVENT.dump_python(event, mode="json")
    return result


def plan_to_dict(plan: RoutingPlan) -> dict[str, Any]:
    """A routing plan as the JSON object that ``AgentState.routing_plan`` holds."""
    result: dict[str, Any] = _PLAN.dump_python(plan, mode="json")
    return result


def event_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one event."""
    schema = _EVENT.json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "kbtui event"
    schema["description"] = "One line of `kbtui ask --json`, of `kbtui replay --json` and of a session file."
    return schema


def schema_text() -> str:
    """The schema as indented JSON text."""
    return json.dumps(event_schema(), indent=2, ensure_ascii=False)
