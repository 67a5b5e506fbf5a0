"""What a model puts around its answer: a code fence, a JSON object, a `NOT_FOUND` before what it did find."""

from __future__ import annotations

import re
from typing import Final

from kbtui.reasoning.llm.loose_json import read_object
from kbtui.reasoning.llm.stream import NOT_FOUND

_MOST_CHARS: Final = 40_000
_OPENINGS: Final = ("{", "```", NOT_FOUND)
_FENCE: Final = re.compile(r"\A```(?P<language>[\w-]*)[ \t]*\n(?P<text>(?:(?!```).)*?)\n?(?:```)?\s*\Z", re.DOTALL)
_TEXT_LANGUAGES: Final = frozenset({"markdown", "md", "text", "txt", "json"})
_ID: Final = re.compile(r"[\[【(]\s?p?\d{1,4}\b", re.IGNORECASE)
_KEYS: Final = ("answer", "final_answer", "response", "markdown", "text", "content", "output")


def may_be_wrapped(beginning: str) -> bool:
    """Whether a reply that begins like this is to be read as a whole before any of it is shown."""
    return beginning.lstrip().startswith(_OPENINGS)


def unwrapped(text: str) -> str:
    """The answer without what is around it; a code block that is the answer itself stays one."""
    plain = text.strip()[:_MOST_CHARS]
    if (fence := _FENCE.match(plain)) is not None:
        is_text = fence["language"].lower() in _TEXT_LANGUAGES or _ID.search(fence["text"])
        plain = fence["text"].strip() if is_text else plain
    if plain.startswith("{") and plain.endswith("}"):
        try:
            read = read_object(plain)
        except ValueError:
            return text
        answer = next((read[key] for key in _KEYS if isinstance(read.get(key), str)), "")
        return answer or text
    if plain.startswith(NOT_FOUND) and _ID.search(rest := plain.removeprefix(NOT_FOUND).lstrip(" .:,*`\n—-")):
        return rest
    return plain if fence is not None else text
