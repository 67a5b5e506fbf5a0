"""Filters a streamed answer: passes text for the reader on, and drops reasoning in tags.

A run can be interrupted at any piece and the shown text stays on the screen, so it is sanitised (`safe_stream`).
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
"""The reply that the prompt demands if the passages contain no answer."""
_REASONING_TAGS: Final = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"))
_OPENINGS: Final = (*(opening for opening, _ in _REASONING_TAGS), NOT_FOUND)


class AnswerStream:
    """Passes text on as it arrives, without reasoning in tags and without a leading `NOT_FOUND`.

    Pieces may end anywhere, so text that may still become a tag is held back.

    Args:
        emit: Receives the sanitised text.
        allowed_urls: URLs that links may have: those in the sources.
    """

    def __init__(self, emit: Emit, allowed_urls: Collection[str] = ()) -> None:
        self._emit = emit
        self._safe = SafeStream(allowed_urls)
        self._buffer = ""
        self._closing_tag = ""
        self._passed: list[str] = []
        self._has_shown = False

    @property
    def text(self) -> str:
        """The raw text for the reader: to be checked, never to be shown as it is."""
        return "".join(self._passed)

    def feed(self, piece: str) -> None:
        """Add the next piece."""
        self._buffer += piece
        while self._buffer:
            if self._closing_tag:
                end = self._buffer.find(self._closing_tag)
                if end < 0:
                    # Keep enough to recognise a closing tag that is split between pieces.
                    self._buffer = self._buffer[-len(self._closing_tag) :]
                    return
                self._buffer, self._closing_tag = self._buffer[end + len(self._closing_tag) :], ""
                continue
            if self._passed:
                self._pass_on(self._stable_length())
                return
            self._buffer = self._buffer.lstrip()
            opening = next(((o, c) for o, c in _REASONING_TAGS if self._buffer.startswith(o)), None)
            if opening is not None:
                self._buffer, self._closing_tag = self._buffer[len(opening[0]) :], opening[1]
                continue
            if self._is_undecided():
                return
            self._pass_on(self._stable_length())
            return

    def finish(self) -> str:
        """Pass on the rest, except for a `NOT_FOUND`, and return the whole text."""
        if not self._closing_tag and not self.not_found:
            self._pass_on(len(self._buffer))
            self._show(self._safe.finish())
        return self.text

    @property
    def not_found(self) -> bool:
        """Whether the model only replied that the passages contain no answer."""
        return not self._passed and self._buffer.strip(" .\n`*\"'").startswith(NOT_FOUND)

    def break_off(self) -> None:
        """Separate the shown text from another one that follows."""
        if self._has_shown:
            closing = f"\n{self._safe.fence}" if self._safe.fence else ""
            self._emit(AnswerDelta(text=f"{closing}\n\n---\n\n"))

    def _is_undecided(self) -> bool:
        """Whether the buffer may still be the beginning of text that is not shown."""
        buffer = self._buffer
        return buffer.startswith(NOT_FOUND) or any(opening.startswith(buffer) for opening in _OPENINGS)

    def _stable_length(self) -> int:
        """Number of characters in the buffer that later text cannot change."""
        # A server knows the API key, so its model could repeat it.
        self._buffer = without_known_secrets(self._buffer)
        return min(unfinished(self._buffer), len(self._buffer) - partial_secret_length(self._buffer))

    def _pass_on(self, length: int) -> None:
        text, self._buffer = without_known_secrets(clean(self._buffer[:length])), self._buffer[length:]
        if text:
            self._passed.append(text)
            self._show(self._safe.feed(text))

    def _show(self, text: str) -> None:
        if text:
            self._has_shown = True
            self._emit(AnswerDelta(text=text))
