"""An answer as it streams in: what is meant for the reader goes on to the screen, the rest stays here."""

from __future__ import annotations

from typing import Final

from kbtui.domain.events import AnswerDelta
from kbtui.domain.ports import Emit
from kbtui.settings.secrets import begun_secret, without_known_secrets
from kbtui.text.terminal import clean, unfinished

NOT_FOUND: Final = "NOT_FOUND"
"""What the model is told to write, alone, where the passages hold no answer."""
_THOUGHTS: Final = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"))
_OPENINGS: Final = (*(opening for opening, _ in _THOUGHTS), NOT_FOUND)


class AnswerStream:
    """Passes on text as it comes, without thoughts in tags and without a `NOT_FOUND` at its beginning.

    Pieces may end anywhere, so what could still become a tag is held back until it is clear.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._held = ""
        self._closing = ""
        self._said: list[str] = []

    @property
    def text(self) -> str:
        """What was passed on."""
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
        return self.text

    @property
    def not_found(self) -> bool:
        """True when the model said that the passages hold no answer, and nothing else."""
        return not self._said and self._held.strip(" .\n`*\"'").startswith(NOT_FOUND)

    def break_off(self) -> None:
        """Set what was shown apart from what follows: another text, by another writer."""
        if self._said:
            self._emit(AnswerDelta(text="\n\n---\n\n"))

    def _undecided(self) -> bool:
        """True while what is held may still be the beginning of something that is not shown."""
        held = self._held
        return held.startswith(NOT_FOUND) or any(opening.startswith(held) for opening in _OPENINGS)

    def _ready(self) -> int:
        """Characters of what is held that nothing to come can change the meaning of."""
        # A server knows the key it was sent, so its model can repeat it.
        self._held = without_known_secrets(self._held)
        return min(unfinished(self._held), len(self._held) - begun_secret(self._held))

    def _pass_on(self, length: int) -> None:
        text, self._held = without_known_secrets(clean(self._held[:length])), self._held[length:]
        if text:
            self._said.append(text)
            self._emit(AnswerDelta(text=text))
