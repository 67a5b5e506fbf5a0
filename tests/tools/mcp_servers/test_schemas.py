"""What a server declares of its arguments, reduced to what is harmless."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from kbtui.tools.mcp_servers.schemas import MAX_CHARS, SchemaError, problem_with, safe_schema

BOMB: dict[str, Any] = {
    "type": "object",
    "$defs": {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 10} for n in range(10)},
    "properties": {"a": {"$ref": "#/$defs/d0"}},
}


def test_what_is_known_stays_and_the_rest_goes() -> None:
    declared = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": "Berth",
        "properties": {
            "name": {"type": "string", "pattern": "(a+)+$", "description": "A\x1b[31m name\u202e " + "x" * 999},
            "kind": {"enum": ["small", {"odd": 1}, "large"], "default": "small"},
            "place": {"$ref": "#/$defs/place"},
            "remote": {"$ref": "http://127.0.0.1:9/schema"},
            "many": {"type": ["array", "null", "monster"], "items": {"type": "integer", "minimum": 1}, "maxItems": 3},
        },
        "required": ["name", "missing"],
        "additionalProperties": False,
        "$defs": {"place": {"type": "object", "properties": {"x": {"type": "number"}}}},
    }
    reduced = safe_schema(declared)
    assert "pattern" not in json.dumps(reduced)
    assert "$ref" not in json.dumps(reduced)
    name = reduced["properties"]["name"]
    assert name["description"].startswith("A name xxx")
    assert len(name["description"]) <= 300
    assert reduced["properties"]["kind"] == {"enum": ["small", "large"]}
    assert reduced["properties"]["place"] == {"type": "object", "properties": {"x": {"type": "number"}}}
    assert reduced["properties"]["remote"] == {}
    numbers = {"type": "integer", "minimum": 1}
    assert reduced["properties"]["many"] == {"type": ["array", "null"], "items": numbers, "maxItems": 3}
    assert reduced["required"] == ["name"]
    assert problem_with(reduced, {"name": "a" * 40 + "!"}) == ""
    assert "additional" in problem_with(reduced, {"name": "a", "odd": 1}).lower()


@pytest.mark.parametrize(
    "declared",
    [
        None,
        [],
        "object",
        {"type": "array"},
        BOMB,
        {"type": "object", "properties": {f"a{n}": {} for n in range(100)}},
        {"type": "object", "properties": {f"a{n}": {"description": "x" * 300} for n in range(59)}},
        {"type": "object", "properties": {"a": {"enum": list(range(10_000))}}},
    ],
)
def test_a_schema_that_is_none_or_too_large_is_refused(declared: Any) -> None:
    began = time.monotonic()
    with pytest.raises(SchemaError):
        safe_schema(declared)
    assert time.monotonic() - began < 5


def test_references_in_a_circle_end() -> None:
    declared = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert safe_schema(declared) == {"type": "object", "properties": {"a": {}}}
    nested: dict[str, Any] = {"type": "object"}
    for _ in range(500):
        nested = {"type": "object", "properties": {"a": nested}}
    assert len(json.dumps(safe_schema(nested))) < MAX_CHARS
