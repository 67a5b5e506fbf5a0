"""Sanitises streamed Markdown, so that the text of an interrupted run is as safe as a complete answer.

`safe_markdown` needs a whole text. Here it is applied to the current paragraph, up to the point where later text can no
longer change its meaning: an incomplete link is held back. A paragraph is complete when it ends outside a block of
code. All output has been checked by the parser of answers together with the text it continues.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kbtui.reasoning.llm.safe_markdown import open_fence, safe_markdown

_LINK_CHARS: Final = 700
"""Most characters of a possible link that are held back."""
_CODE_CHARS: Final = 200
"""Most characters of a possible code span that are held back."""
_LAST_SPACE = re.compile(r"\s(?=\S*\Z)")
_BLANK = re.compile(r"\n[ \t]*\n")
_INCOMPLETE_LINK = re.compile(rf"!?\[[^\]\n]{{0,{_LINK_CHARS}}}(?:\]?\([^)\n]{{0,{_LINK_CHARS}}})?\Z")
_TICKS = re.compile(r"(?<!\\)`+")


class SafeStream:
    """Sanitises a text that arrives in pieces.

    Args:
        allowed_urls: URLs that links may have, as in `safe_markdown`.
    """

    def __init__(self, allowed_urls: Collection[str] = ()) -> None:
        self._allowed_urls = allowed_urls
        self._paragraph = ""
        self._checked_length = 0
        self._shown = ""
        self._fence = ""

    @property
    def fence(self) -> str:
        """The fence that closes the block of code in which the shown text ends; empty if it ends outside of any."""
        return self._fence

    def feed(self, piece: str) -> str:
        """Add ``piece`` and return the text that can be shown now."""
        self._paragraph += piece
        ready_parts = []
        while (end := self._paragraph_end()) > 0:
            ready_parts.append(self._sanitise(self._paragraph[:end], is_whole=True))
            self._paragraph, self._shown, self._checked_length = self._paragraph[end:], "", 0
        stable_length = _stable_length(self._paragraph)
        if stable_length > self._checked_length:
            self._checked_length = stable_length
            ready_parts.append(self._sanitise(self._paragraph[:stable_length]))
        return "".join(ready_parts)

    def finish(self) -> str:
        rest = self._sanitise(self._paragraph, is_whole=True)
        self._paragraph, self._shown = "", ""
        return rest

    def _paragraph_end(self) -> int:
        """Offset after the blank line that ends the paragraph; 0 if it has not ended."""
        for blank in _BLANK.finditer(self._paragraph):
            if not open_fence(self._paragraph[: blank.start()]):
                return blank.end()
        return 0

    def _sanitise(self, text: str, *, is_whole: bool = False) -> str:
        """Sanitise ``text``, the beginning of the paragraph, and return the part that was not shown yet.

        If a later piece changes text that was shown, by an escape for example, nothing more of this paragraph is shown;
        the final answer contains it.
        """
        bare = text.rstrip("\n")
        safe = safe_markdown(bare, self._allowed_urls) + text[len(bare) :] if bare else text
        if not safe.startswith(self._shown):
            return self._end_partial_paragraph() if is_whole else ""
        new, self._shown = safe[len(self._shown) :], safe
        self._fence = open_fence(text)
        return new

    def _end_partial_paragraph(self) -> str:
        """The text that ends a partly shown paragraph, so that the next one is separate."""
        fence, self._fence = open_fence(self._shown), ""
        return f"\n{fence}\n\n" if fence else "\n\n"


def _stable_length(text: str) -> int:
    """Length of the part of ``text`` that later text cannot change: whole words outside an incomplete link."""
    last = _LAST_SPACE.search(text)
    if last is None:
        return 0
    end = last.end()
    line = text.rfind("\n") + 1
    for incomplete_link in _INCOMPLETE_LINK.finditer(text, max(line, len(text) - 2 * _LINK_CHARS)):
        end = min(end, incomplete_link.start())
    if (code_start := _open_code_span(text)) >= 0 and len(text) - code_start <= _CODE_CHARS:
        end = min(end, code_start)
    return end


def _open_code_span(text: str) -> int:
    """Offset of an unclosed run of backticks; -1 if there is none or it is a fence."""
    if open_fence(text):
        return -1
    runs = list(_TICKS.finditer(text))
    while runs:
        first, *rest = runs
        closing = next((index for index, run in enumerate(rest) if run[0] == first[0]), None)
        if closing is None:
            return first.start()
        runs = rest[closing + 1 :]
    return -1
