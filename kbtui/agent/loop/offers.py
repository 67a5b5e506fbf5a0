"""Tools as they are offered to a chat model: name, what they are for, and a JSON Schema of few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.tools.base import ToolSpec

_LEFT_OUT: Final = frozenset({"title", "additionalProperties", "default", "minimum", "maximum"})


def offered(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Each tool as ``{"name", "description", "parameters"}``."""
    return [
        {"name": spec.name, "description": spec.description, "parameters": _plain(spec.args.model_json_schema())}
        for spec in specs
        if spec.args is not None
    ]


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what a model does not need: titles, defaults, and bounds, of which descriptions tell."""
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT:
            continue
        if key == "properties":
            found[key] = {name: _plain(one) for name, one in value.items()}
        else:
            found[key] = _plain(value) if isinstance(value, dict) else value
    return found
