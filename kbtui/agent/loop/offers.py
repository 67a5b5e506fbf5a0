"""Tools as they are offered to a chat model: name, what they are for, and a JSON Schema of few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbtui.tools.base import ToolSpec


def offered(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Each tool as ``{"name", "description", "parameters"}``."""
    return [
        {"name": spec.name, "description": spec.description, "parameters": _plain(spec.args.model_json_schema())}
        for spec in specs
        if spec.args is not None
    ]


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what tells a model nothing: titles, and defaults that mean *left out*."""
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "additionalProperties") or (key == "default" and not value):
            continue
        if key == "properties":
            found[key] = {name: _plain(one) for name, one in value.items()}
        else:
            found[key] = _plain(value) if isinstance(value, dict) else value
    return found
