"""Parses JSON in replies of a chat model: in fences, between sentences, with extra commas, or truncated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

MAX_CHARS: Final = 200_000
MAX_REPAIR_CHARS: Final = 12_000
"""Most characters to repair, from the beginning: repairing hostile text takes quadratic time."""
MAX_NESTING: Final = 32
"""Deepest nesting to repair; deeper texts are hostile and slow to repair."""
_BRACKET = re.compile(r"([\[{])|[\]}]")
_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_FENCED = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n(.*?)(?:\n```|\Z)", re.S)


def read_object(text: str) -> dict[str, Any]:
    """Parse the object in ``text``; a list of objects becomes an object with that list under ``items``.

    Raises:
        ValueError: There is none.
    """
    text = _THOUGHTS.sub("", text[:MAX_CHARS]).strip()
    candidates = [text, *(match.group(1) for match in _FENCED.finditer(text))]
    # Also without the text around it: from the first bracket to the last one, or to the end.
    if (start := _first_bracket(text)) >= 0:
        candidates += [text[start : text.rfind("}") + 1], text[start:]]
    for candidate in candidates:
        if (accepted := _as_object(_read(json.loads, candidate))) is not None:
            return accepted
    from json_repair import loads

    repair = partial(loads, skip_json_loads=True)
    for candidate in dict.fromkeys(candidate[:MAX_REPAIR_CHARS] for candidate in reversed(candidates)):
        if _first_bracket(candidate) < 0 or _is_deep(candidate):
            continue
        if (accepted := _as_object(_read(repair, candidate))) is not None:
            return accepted
    raise ValueError("there is no JSON object in it")


def _first_bracket(text: str) -> int:
    """Offset of the first object or list of objects, or -1."""
    match = re.search(r"\{\s*[\"'}]|\[\s*\{|\{\s*\w+\s*:", text)
    return match.start() if match else -1


def _is_deep(text: str) -> bool:
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[1] else -1
        if depth > MAX_NESTING:
            return True
    return False


def _read(reader: Callable[[str], Any], text: str) -> Any:
    """The result of ``reader``; None if ``text`` is not JSON or too deeply nested."""
    try:
        return reader(text)
    except (ValueError, RecursionError):
        return None


def _as_object(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict) and value:
        return value
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return {"items": value}
    return None
