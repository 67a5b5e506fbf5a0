"""The JSON Schema that a server declares for the arguments of a tool, reduced to what is known to be harmless.

What is kept has no patterns (a regular expression may take exponential time) and no references (they may go in circles,
or to an address): local ones are put in, as far as the limits of depth and size go. Texts are cleaned and cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kbtui.text.hidden import visible
from kbtui.text.terminal import one_line

MAX_PARTS: Final = 300
MAX_DEPTH: Final = 6
MAX_CHARS: Final = 12_000
MAX_TEXT_CHARS: Final = 300
_MAX_NAMES: Final = 60
_MAX_NUMBER: Final = 1e15
_BOUNDS: Final = "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems multipleOf"
_NUMBERS: Final = frozenset(_BOUNDS.split())
_TYPES: Final = frozenset(["string", "number", "integer", "boolean", "object", "array", "null"])
_CHOICES: Final = ("anyOf", "oneOf", "allOf")


class SchemaError(ValueError):
    """A schema that cannot be used; the message is the reason."""


def safe_schema(declared: Any) -> dict[str, Any]:
    """The schema of an object of arguments.

    Raises:
        SchemaError: It is none, or is larger than a chat model is given.
    """
    if not isinstance(declared, Mapping) or declared.get("type", "object") != "object":
        raise SchemaError("its arguments are no object")
    definitions = {
        f"#/{place}/{name}": part
        for place in ("$defs", "definitions")
        for name, part in _mapping(declared.get(place)).items()
    }
    reduced = _Reducer(definitions).reduce(declared, 0)
    reduced["type"] = "object"
    if len(json.dumps(reduced)) > MAX_CHARS:
        raise SchemaError("its arguments are described at too great a length")
    return reduced


def short_text(value: str, most: int = MAX_TEXT_CHARS) -> str:
    """A text of a server on one line, without hidden characters, cut."""
    return one_line(visible(value[: 20 * most]), most)


def texts_of(schema: Any) -> Iterator[str]:
    """Every text in a schema or in arguments: names, descriptions, choices, values; numbers as text."""
    if isinstance(schema, Mapping):
        for name, part in schema.items():
            yield str(name)
            yield from texts_of(part)
    elif isinstance(schema, (list, tuple)):
        for part in schema:
            yield from texts_of(part)
    elif isinstance(schema, (str, int, float)) and not isinstance(schema, bool):
        yield str(schema)


def problem_with(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """What is wrong with arguments by a schema of `safe_schema`; empty where nothing is."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    # The empty registry prevents any fetch of referenced schemas.
    error = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(dict(arguments)))
    if error is None:
        return ""
    place = ".".join(str(part) for part in error.absolute_path)
    return one_line(f"{place}: {error.message}" if place else error.message, MAX_TEXT_CHARS)


class _Reducer:
    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._parts = 0

    def reduce(self, declared: Any, depth: int) -> dict[str, Any]:
        """A part of a schema with what is known; anything goes where it stands too deep."""
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise SchemaError("its arguments have too many parts")
        if depth > MAX_DEPTH or not isinstance(declared, Mapping):
            return {}
        reference = declared.get("$ref")
        if isinstance(reference, str):
            return self.reduce(self._definitions.get(reference), depth + 1)
        kept = self._kept_values(declared)
        properties = _mapping(declared.get("properties"))
        if len(properties) > _MAX_NAMES:
            raise SchemaError("it takes too many arguments")
        if properties:
            kept["properties"] = {
                name: self.reduce(part, depth + 1)
                for name, part in properties.items()
                if isinstance(name, str) and 0 < len(name) <= 64 and name.isprintable()
            }
            required = declared.get("required")
            if isinstance(required, list):
                kept["required"] = [name for name in kept["properties"] if name in required]
        for key in _CHOICES:
            choices = declared.get(key)
            if isinstance(choices, list) and choices:
                kept[key] = [self.reduce(choice, depth + 1) for choice in choices]
        if isinstance(declared.get("items"), Mapping):
            kept["items"] = self.reduce(declared["items"], depth + 1)
        more = declared.get("additionalProperties")
        if isinstance(more, bool):
            kept["additionalProperties"] = more
        elif isinstance(more, Mapping):
            kept["additionalProperties"] = self.reduce(more, depth + 1)
        return kept

    def _kept_values(self, declared: Mapping[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        types = declared.get("type")
        names = [types] if isinstance(types, str) else types if isinstance(types, list) else []
        known = [name for name in names if isinstance(name, str) and name in _TYPES]
        if known:
            kept["type"] = known[0] if len(known) == 1 else known
        if isinstance(declared.get("description"), str):
            kept["description"] = short_text(declared["description"])
        for key in _NUMBERS:
            value = declared.get(key)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > _MAX_NUMBER:
                continue
            if key != "multipleOf" or value > 0:
                kept[key] = value
        choices = declared.get("enum")
        if isinstance(choices, list) and choices:
            self._parts += len(choices)
            kept["enum"] = [choice for choice in choices if isinstance(choice, (str, int, float, bool, type(None)))]
        if isinstance(declared.get("const"), (str, int, float, bool)):
            kept["const"] = declared["const"]
        return kept


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
