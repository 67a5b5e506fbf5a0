"""An answer as it streams in: what is meant for the reader goes on to the screen, the rest stays here.

A run can break off at any piece, and what was shown stays on the screen: it is as safe as an answer (`safe_stream`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from kbtui.domain.events import AnswerDelta
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.safe_stream import SafeStream
from kbtui.settings.secrets import partial_secret_length, without_known_secrets
from kbtui.text.terminal import clean, unfinished

NOT_FOUND: Final = "NOT_FOUND"
"""What the model is told to write, alone, where the passages hold no answer."""
_THOUGHTS: Final = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"))
_OPENINGS: Final = (*(opening for opening, _ in _THOUGHTS), NOT_FOUND)


class AnswerStream:
    """Passes on text as it comes, without thoughts in tags and without a `NOT_FOUND` at its beginning.

    Pieces may end anywhere, so what could still become a tag is held back until it is clear.

    Args:
        emit: Given what is shown, in which nothing reaches out.
        allowed_urls: Addresses that links may have: those that the sources have.
    """

    def __init__(self, emit: Emit, allowed_urls: Collection[str] = ()) -> None:
        self._emit = emit
        self._safe = SafeStream(allowed_urls)
        self._held = ""
        self._closing = ""
        self._said: list[str] = []
        self._has_shown = False

    @property
    def text(self) -> str:
        """What the model said to the reader, in its own words: for checking, and never to be shown as it is."""
        return "".join(self._said)

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        self._held += piece
        while self._held:
            if self._closing:
                end = self._held.find(self._closing)
                if end < 0:
                    # Enough to see a closing tag that is cut in two.
                    self._held = self._held[-len(self._closing) :]
                    return
                self._held, self._closing = self._held[end + len(self._closing) :], ""
                continue
            if self._said:
                self._pass_on(self._ready())
                return
            self._held = self._held.lstrip()
            opening = next(((o, c) for o, c in _THOUGHTS if self._held.startswith(o)), None)
            if opening is not None:
                self._held, self._closing = self._held[len(opening[0]) :], opening[1]
                continue
            if self._undecided():
                return
            self._pass_on(self._ready())
            return

    def finish(self) -> str:
        """The answer, complete; what was held back is passed on, except for a `NOT_FOUND`."""
        if not self._closing and not self.not_found:
            self._pass_on(len(self._held))
            self._show(self._safe.finish())
        return self.text

    @property
    def not_found(self) -> bool:
        """True when the model said that the passages hold no answer, and nothing else."""
        return not self._said and self._held.strip(" .\n`*\"'").startswith(NOT_FOUND)

    def break_off(self) -> None:
        """Set what was shown apart from what follows: another text, by another writer."""
        if self._has_shown:
            closing = f"\n{self._safe.fence}" if self._safe.fence else ""
            self._emit(AnswerDelta(text=f"{closing}\n\n---\n\n"))

    def _undecided(self) -> bool:
        """True while what is held may still be the beginning of something that is not shown."""
        held = self._held
        return held.startswith(NOT_FOUND) or any(opening.startswith(held) for opening in _OPENINGS)

    def _ready(self) -> int:
        """Characters of what is held that nothing to come can change the meaning of."""
        # A server knows the key it was sent, so its model can repeat it.
        self._held = without_known_secrets(self._held)
        return min(unfinished(self._held), len(self._held) - partial_secret_length(self._held))

    def _pass_on(self, length: int) -> None:
        text, self._held = without_known_secrets(clean(self._held[:length])), self._held[length:]
        if text:
            self._said.append(text)
            self._show(self._safe.feed(text))

    def _show(self, text: str) -> None:
        if text:
            self._has_shown = True
            self._emit(AnswerDelta(text=text))
