"""Structures to JSON and back, checked by pydantic, which is loaded when the first one comes from disk."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from kbtui.domain.analysis import Schema


@cache
def _adapter() -> TypeAdapter[Schema]:
    return TypeAdapter(Schema)


def schema_to_json(schema: Schema) -> Any:
    """``schema`` as JSON-safe values."""
    return _adapter().dump_python(schema, mode="json")


def schema_from_json(value: Any) -> Schema:
    """What `schema_to_json` made.

    Raises:
        pydantic.ValidationError: It is something else.
    """
    return _adapter().validate_python(value)
