"""What a model says in the loop while it comes: its answer is shown, what it says before a call is not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from kbtui.agent.loop.ids import numbered, settled
from kbtui.agent.loop.wrapping import may_be_wrapped, unwrapped
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.stream import AnswerStream

_BEFORE_A_CALL: Final = 160
"""Characters after which words are taken for an answer: what models say before a call is shorter."""


class Draft:
    """One reply; ids in it are shown as numbers.

    Args:
        emit: Given what is shown.
        allowed_urls: Addresses that links may have.
    """

    def __init__(self, emit: Emit, allowed_urls: Collection[str] = ()) -> None:
        self._stream = AnswerStream(emit, allowed_urls)
        self._held = ""
        self._is_answer = False
        self._is_wrapped: bool | None = None

    def feed(self, piece: str) -> None:
        """Take the next piece of what the model says."""
        self._held += piece
        if not self._is_answer and len(self._held) < _BEFORE_A_CALL:
            return
        self._is_answer = True
        if self._is_wrapped is None:
            self._is_wrapped = may_be_wrapped(self._held)
        if self._is_wrapped:
            return
        ready = settled(self._held)
        self._stream.feed(numbered(self._held[:ready]))
        self._held = self._held[ready:]

    def drop(self) -> None:
        """Forget what was said before a call; where it was shown already, set it apart."""
        self._held = ""
        if self._is_answer:
            self._stream.finish()
            self._stream.break_off()

    def break_off(self) -> None:
        """Set what was shown apart from what follows."""
        self._stream.break_off()

    def finish(self) -> str:
        """The answer, its ids as numbers; complete."""
        whole = may_be_wrapped(self._held) if self._is_wrapped is None else self._is_wrapped
        self._stream.feed(numbered(unwrapped(self._held) if whole else self._held))
        self._held = ""
        return self._stream.finish()

    @property
    def not_found(self) -> bool:
        """True when the model said that nothing answers the question, and nothing else."""
        return self._stream.not_found
