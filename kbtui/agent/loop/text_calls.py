"""Parses tool calls that a small model writes as text, in another format than its server supports.

Only a reply that consists of calls is parsed: a model may also quote a call from a document.
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
"""Most characters beside tagged calls; a longer reply is an answer that quotes them."""
_THOUGHTS: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_TAGGED: Final = re.compile(
    r"<(tool_call|function_call|tool)>\s*(\{.*?\})\s*(?:</\1>|(?=<\1>)|\Z)|"
    r"\[TOOL_CALLS\]\s*(\[.*\]|\{.*\})\s*\Z|<\|python_tag\|>\s*(\{.*\})\s*\Z",
    re.S | re.I,
)
_FUNCTION: Final = re.compile(r"<function=(\w+)>\s*(\{.*?\})?\s*(?:</function>|\Z)", re.S)
_FENCED: Final = re.compile(r"\A```(?:json|tool_code|tool_call)?\s*\n(.*?)\n?```\s*\Z", re.S)
_FUNCTION_STYLE: Final = re.compile(r"\A(?:call\s+)?`?(\w+)\((.{0,2000})\)`?\Z", re.S)
_ARGUMENT: Final = re.compile(r"(\w+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\w.-]+)")


def parse_text_calls(text: str, tools: Collection[str]) -> tuple[ModelCall, ...]:
    """Parse a reply that consists of calls; empty if it contains anything else."""
    if len(text) > _MOST_CHARS:
        return ()
    plain = _THOUGHTS.sub("", text).strip()
    calls = _tagged_calls(plain, tools) or _json_calls(plain, tools) or _function_style_calls(plain, tools)
    return tuple(
        ModelCall(call_id=f"text_{number}", tool=tool, args=args, written=json.dumps(args, ensure_ascii=False))
        for number, (tool, args) in enumerate(calls, 1)
    )


def _tagged_calls(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    """Calls in the tags that models put around them; a few other words are ignored."""
    calls: list[tuple[str, dict[str, Any]]] = []
    if len(_FUNCTION.sub("", _TAGGED.sub("", text)).strip()) > _MOST_AROUND:
        return []
    for match in _TAGGED.finditer(text):
        calls += _calls_in_json(next(part for part in match.groups()[1:] if part), tools)
    for match in _FUNCTION.finditer(text):
        calls += _calls_in_json(json.dumps({"name": match[1], "arguments": _parse_object(match[2] or "{}")}), tools)
    return calls


def _json_calls(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    fence = _FENCED.match(text)
    inner = (fence[1] if fence else text).strip()
    return _calls_in_json(inner, tools) if inner[:1] in "{[" and inner[-1:] in "}]" else []


def _function_style_calls(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    match = _FUNCTION_STYLE.match(text)
    if match is None or match[1] not in tools:
        return []
    args: dict[str, Any] = {}
    for name, value in _ARGUMENT.findall(match[2]):
        args[name] = value[1:-1] if value[:1] in "\"'" else _scalar(value)
    return [(match[1], args)]


def _scalar(text: str) -> Any:
    try:
        return json.loads(text.lower())
    except ValueError:
        return text


def _parse_object(text: str) -> dict[str, Any]:
    try:
        return read_object(text)
    except ValueError:
        return {}


def _calls_in_json(text: str, tools: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    """Name and arguments of each call in a JSON text, with any common names of keys."""
    parsed = _parse_object(text)
    items = parsed.get("items") if isinstance(parsed.get("items"), list) else [parsed]
    calls: list[tuple[str, dict[str, Any]]] = []
    for item in items or []:
        if not isinstance(item, Mapping):
            continue
        function = item.get("function") if isinstance(item.get("function"), Mapping) else item
        assert isinstance(function, Mapping)
        name = function.get("name") or function.get("tool") or function.get("tool_name") or function.get("function")
        args: Any = next((function[key] for key in ("arguments", "parameters", "args", "input") if key in function), {})
        if isinstance(args, str):
            args = _parse_object(args)
        if isinstance(name, str) and name in tools and isinstance(args, Mapping):
            calls.append((name, dict(args)))
    return calls
