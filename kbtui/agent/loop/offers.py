"""Tool definitions for a chat model: name, description and a compact JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbtui.tools.base import ToolSpec


def tool_definitions(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Each tool as ``{"name", "description", "parameters"}``."""
    return [
        {
            "name": spec.name,
            "description": spec.description,
            "parameters": _compact_schema(spec.args.model_json_schema()),
        }
        for spec in specs
        if spec.args is not None
    ]


def _compact_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without parts that do not help a model: titles and empty defaults."""
    compact: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "additionalProperties") or (key == "default" and not value):
            continue
        if key == "properties":
            compact[key] = {name: _compact_schema(property_schema) for name, property_schema in value.items()}
        else:
            compact[key] = _compact_schema(value) if isinstance(value, dict) else value
    return compact
