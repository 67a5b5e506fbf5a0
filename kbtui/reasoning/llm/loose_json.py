"""The JSON that a chat model meant: inside fences, between sentences, with a comma too many, cut off in the middle."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

MAX_CHARS: Final = 200_000
MEND_CHARS: Final = 12_000
"""What is mended at most, from the beginning: mending takes time that grows with the square of a hostile text."""
MOST_NESTED: Final = 32
"""Brackets open at once past which nothing is mended: nobody means that, and each one makes mending slower."""
_BRACKET = re.compile(r"([\[{])|[\]}]")
_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_FENCED = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n(.*?)(?:\n```|\Z)", re.S)


def read_object(text: str) -> dict[str, Any]:
    """The object in ``text``; a list of objects is an object with that list under ``items``.

    Raises:
        ValueError: There is none.
    """
    text = _THOUGHTS.sub("", text[:MAX_CHARS]).strip()
    candidates = [text, *(match.group(1) for match in _FENCED.finditer(text))]
    # Without what stands around it: from the first bracket on, and to the last one.
    if (start := _first_bracket(text)) >= 0:
        candidates += [text[start : text.rfind("}") + 1], text[start:]]
    for candidate in candidates:
        if (accepted := _object(_read(json.loads, candidate))) is not None:
            return accepted
    from json_repair import loads

    mended = partial(loads, skip_json_loads=True)
    for candidate in dict.fromkeys(candidate[:MEND_CHARS] for candidate in reversed(candidates)):
        if _first_bracket(candidate) < 0 or _is_deep(candidate):
            continue
        if (accepted := _object(_read(mended, candidate))) is not None:
            return accepted
    raise ValueError("there is no JSON object in it")


def _first_bracket(text: str) -> int:
    """Where an object or a list of objects begins, or -1."""
    match = re.search(r"\{\s*[\"'}]|\[\s*\{|\{\s*\w+\s*:", text)
    return match.start() if match else -1


def _is_deep(text: str) -> bool:
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[1] else -1
        if depth > MOST_NESTED:
            return True
    return False


def _read(reader: Callable[[str], Any], text: str) -> Any:
    """What ``reader`` makes of ``text``; None where it is no JSON, or nested deeper than anybody means."""
    try:
        return reader(text)
    except (ValueError, RecursionError):
        return None


def _object(found: Any) -> dict[str, Any] | None:
    if isinstance(found, dict) and found:
        return found
    if isinstance(found, list) and found and all(isinstance(item, dict) for item in found):
        return {"items": found}
    return None
