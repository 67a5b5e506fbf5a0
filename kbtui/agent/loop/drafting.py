"""Streams the reply of a model in the loop: answers are shown at once, text before a tool call is not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from kbtui.agent.loop.ids import complete_length, ids_to_numbers
from kbtui.agent.loop.wrapping import may_be_wrapped, unwrapped
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.stream import AnswerStream

_MIN_ANSWER_CHARS: Final = 160
"""Characters from which a text counts as an answer; text before a tool call is shorter."""


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
