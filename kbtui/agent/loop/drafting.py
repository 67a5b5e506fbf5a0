"""Streams the reply of a model in the loop: answers are shown at once, text before a tool call is not.

What a model puts around its answer is taken off: a code fence, a JSON object, a `NOT_FOUND` before what it did find.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kbtui.agent.loop.ids import complete_length, ids_to_numbers
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.loose_json import read_object
from kbtui.reasoning.llm.stream import NOT_FOUND, AnswerStream

_MIN_ANSWER_CHARS: Final = 160
"""Characters from which a text counts as an answer; text before a tool call is shorter."""
_MOST_CHARS: Final = 40_000
_OPENINGS: Final = ("{", "```", NOT_FOUND)
_FENCE: Final = re.compile(r"\A```(?P<language>[\w-]*)[ \t]*\n(?P<text>(?:(?!```).)*?)\n?(?:```)?\s*\Z", re.DOTALL)
_TEXT_LANGUAGES: Final = frozenset({"markdown", "md", "text", "txt", "json"})
_ID: Final = re.compile(r"[\[【(]\s?p?\d{1,4}\b", re.IGNORECASE)
_KEYS: Final = ("answer", "final_answer", "response", "markdown", "text", "content", "output")


class Draft:
    """One streamed reply; ids in it are shown as numbers.

    Args:
        emit: Receives the shown text.
        allowed_urls: URLs that links may have.
    """

    def __init__(self, emit: Emit, allowed_urls: Collection[str] = ()) -> None:
        self._stream = AnswerStream(emit, allowed_urls)
        self._buffer = ""
        self._is_answer = False
        self._is_wrapped: bool | None = None

    def feed(self, piece: str) -> None:
        """Add the next piece of the reply."""
        self._buffer += piece
        if not self._is_answer and len(self._buffer) < _MIN_ANSWER_CHARS:
            return
        self._is_answer = True
        if self._is_wrapped is None:
            self._is_wrapped = may_be_wrapped(self._buffer)
        if self._is_wrapped:
            return
        ready = complete_length(self._buffer)
        self._stream.feed(ids_to_numbers(self._buffer[:ready]))
        self._buffer = self._buffer[ready:]

    def drop(self) -> None:
        """Discard text before a tool call; if it has been shown, end its paragraph."""
        self._buffer = ""
        if self._is_answer:
            self._stream.finish()
            self._stream.break_off()

    def break_off(self) -> None:
        """End the paragraph of the shown text."""
        self._stream.break_off()

    def finish(self) -> str:
        """Show the rest and return the whole answer, with ids as numbers."""
        is_wrapped = may_be_wrapped(self._buffer) if self._is_wrapped is None else self._is_wrapped
        self._stream.feed(ids_to_numbers(unwrapped(self._buffer) if is_wrapped else self._buffer))
        self._buffer = ""
        return self._stream.finish()

    @property
    def not_found(self) -> bool:
        """Whether the model only said that it found no answer."""
        return self._stream.not_found


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
