"""Calls of tools that a small model writes as text, because it was trained on another form than its server speaks.

Only a reply that is nothing but calls is taken for calls: what a document showed and a model quotes is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from kbtui.reasoning.llm.loose_json import read_object
from kbtui.reasoning.llm.reply import ModelCall

_MOST_CHARS: Final = 20_000
_MOST_AROUND: Final = 200
"""Characters beside tagged calls: more is an answer in which they are shown."""
_THOUGHTS: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_TAGGED: Final = re.compile(
    r"<(tool_call|function_call|tool)>\s*(\{.*?\})\s*(?:</\1>|(?=<\1>)|\Z)|"
    r"\[TOOL_CALLS\]\s*(\[.*\]|\{.*\})\s*\Z|<\|python_tag\|>\s*(\{.*\})\s*\Z",
    re.S | re.I,
)
_FUNCTION: Final = re.compile(r"<function=(\w+)>\s*(\{.*?\})?\s*(?:</function>|\Z)", re.S)
_FENCED: Final = re.compile(r"\A```(?:json|tool_code|tool_call)?\s*\n(.*?)\n?```\s*\Z", re.S)
_SPOKEN: Final = re.compile(r"\A(?:call\s+)?`?(\w+)\((.{0,2000})\)`?\Z", re.S)
_ARGUMENT: Final = re.compile(r"(\w+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\w.-]+)")


def calls_in(text: str, tools: Collection[str]) -> tuple[ModelCall, ...]:
    """The calls that a reply consists of; none where it says anything else besides."""
    if len(text) > _MOST_CHARS:
        return ()
    plain = _THOUGHTS.sub("", text).strip()
    found = _tagged(plain, tools) or _whole(plain, tools) or _spoken(plain, tools)
    return tuple(
        ModelCall(call_id=f"text_{number}", tool=tool, args=args, written=json.dumps(args, ensure_ascii=False))
        for number, (tool, args) in enumerate(found, 1)
    )


def _tagged(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    """Calls in the tags that models put around them; a few words beside them are let pass."""
    found: list[tuple[str, dict[str, Any]]] = []
    if len(_FUNCTION.sub("", _TAGGED.sub("", text)).strip()) > _MOST_AROUND:
        return []
    for match in _TAGGED.finditer(text):
        found += _objects(next(part for part in match.groups()[1:] if part), tools)
    for match in _FUNCTION.finditer(text):
        found += _objects(json.dumps({"name": match[1], "arguments": _object(match[2] or "{}")}), tools)
    return found


def _whole(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    fence = _FENCED.match(text)
    inner = (fence[1] if fence else text).strip()
    return _objects(inner, tools) if inner[:1] in "{[" and inner[-1:] in "}]" else []


def _spoken(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    match = _SPOKEN.match(text)
    if match is None or match[1] not in tools:
        return []
    args: dict[str, Any] = {}
    for name, value in _ARGUMENT.findall(match[2]):
        args[name] = value[1:-1] if value[:1] in "\"'" else _scalar(value)
    return [(match[1], args)]


def _scalar(written: str) -> Any:
    try:
        return json.loads(written.lower())
    except ValueError:
        return written


def _object(text: str) -> dict[str, Any]:
    try:
        return read_object(text)
    except ValueError:
        return {}


def _objects(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    """Name and arguments of each call in a JSON text, however the keys are called."""
    read = _object(text)
    items = read.get("items") if isinstance(read.get("items"), list) else [read]
    found: list[tuple[str, dict[str, Any]]] = []
    for item in items or []:
        if not isinstance(item, Mapping):
            continue
        inner = item.get("function") if isinstance(item.get("function"), Mapping) else item
        assert isinstance(inner, Mapping)
        name = inner.get("name") or inner.get("tool") or inner.get("tool_name") or inner.get("function")
        args: Any = next((inner[key] for key in ("arguments", "parameters", "args", "input") if key in inner), {})
        if isinstance(args, str):
            args = _object(args)
        if isinstance(name, str) and name in tools and isinstance(args, Mapping):
            found.append((name, dict(args)))
    return found
