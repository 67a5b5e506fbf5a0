"""Tool definitions for a chat model: name, description and a compact JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.tools.base import ToolSpec

_LEFT_OUT: Final = frozenset({"title", "additionalProperties", "default", "minimum", "maximum"})


def tool_definitions(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Each tool as ``{"name", "description", "parameters"}``."""
    return [
        {
            "name": spec.name,
            "description": spec.description,
            "parameters": parameters,
        }
        for spec in specs
        if (parameters := _parameters(spec)) is not None
    ]


def _parameters(spec: ToolSpec) -> Mapping[str, Any] | None:
    if spec.foreign is not None:
        return spec.foreign.parameters
    return _compact_schema(spec.args.model_json_schema()) if spec.args is not None else None


def _compact_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without parts that do not help a model: titles, defaults, and bounds, which descriptions state."""
    compact: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT:
            continue
        if key == "properties":
            compact[key] = {name: _compact_schema(property_schema) for name, property_schema in value.items()}
        else:
            compact[key] = _compact_schema(value) if isinstance(value, dict) else value
    return compact
