"""What a chat model writes, made safe while it comes: what a broken-off run leaves is as safe as an answer.

`safe_markdown` sees a whole text; here it sees the paragraph that is being written, as far as what follows can no
longer change its meaning: half a link is held back until it is clear what it is. A paragraph is done with once it has
ended outside of a block of code. Whatever is passed on was read by the parser of answers before, together with what it
continues.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kbtui.reasoning.llm.safe_markdown import open_fence, safe_markdown

_LINK_CHARS: Final = 700
"""How much of what may become a link is held back."""
_CODE_CHARS: Final = 200
"""How much of what may become a span of code is held back."""
_LAST_SPACE = re.compile(r"\s(?=\S*\Z)")
_BLANK = re.compile(r"\n[ \t]*\n")
_BEGUN_LINK = re.compile(rf"!?\[[^\]\n]{{0,{_LINK_CHARS}}}(?:\]?\([^)\n]{{0,{_LINK_CHARS}}})?\Z")
_TICKS = re.compile(r"(?<!\\)`+")


class SafeStream:
    """Passes on what may be shown of a text that comes in pieces.

    Args:
        allowed_urls: Addresses that links may have, as in `safe_markdown`.
    """

    def __init__(self, allowed_urls: Collection[str] = ()) -> None:
        self._allowed_urls = allowed_urls
        self._paragraph = ""
        self._looked_at = 0
        self._shown = ""
        self._fence = ""

    @property
    def fence(self) -> str:
        """What closes the block of code in which the shown text ends; empty where it ends in none."""
        return self._fence

    def feed(self, piece: str) -> str:
        """What can be shown now that ``piece`` has come."""
        self._paragraph += piece
        shown = []
        while (end := self._paragraph_end()) > 0:
            shown.append(self._made(self._paragraph[:end], is_whole=True))
            self._paragraph, self._shown, self._looked_at = self._paragraph[end:], "", 0
        settled = _settled(self._paragraph)
        if settled > self._looked_at:
            self._looked_at = settled
            shown.append(self._made(self._paragraph[:settled]))
        return "".join(shown)

    def finish(self) -> str:
        rest = self._made(self._paragraph, is_whole=True)
        self._paragraph, self._shown = "", ""
        return rest

    def _paragraph_end(self) -> int:
        """Where the paragraph ends, past its blank line; 0 while it does not."""
        for blank in _BLANK.finditer(self._paragraph):
            if not open_fence(self._paragraph[: blank.start()]):
                return blank.end()
        return 0

    def _made(self, text: str, *, is_whole: bool = False) -> str:
        """What ``text``, the beginning of the paragraph, adds to what was shown of it.

        Where it takes back what was shown, as an escape does that a later piece makes necessary, nothing more of this
        paragraph is shown: the answer that comes at the end has it.
        """
        bare = text.rstrip("\n")
        safe = safe_markdown(bare, self._allowed_urls) + text[len(bare) :] if bare else text
        if not safe.startswith(self._shown):
            return self._cut_short() if is_whole else ""
        new, self._shown = safe[len(self._shown) :], safe
        self._fence = open_fence(text)
        return new

    def _cut_short(self) -> str:
        """What ends a paragraph that is not shown to its end, so that the next one is no part of it."""
        fence, self._fence = open_fence(self._shown), ""
        return f"\n{fence}\n\n" if fence else "\n\n"


def _settled(text: str) -> int:
    """Length of the beginning of ``text`` that what follows will not change: whole words, outside of half a link."""
    last = _LAST_SPACE.search(text)
    if last is None:
        return 0
    end = last.end()
    line = text.rfind("\n") + 1
    for begun in _BEGUN_LINK.finditer(text, max(line, len(text) - 2 * _LINK_CHARS)):
        end = min(end, begun.start())
    if (span := _begun_span(text)) >= 0 and len(text) - span <= _CODE_CHARS:
        end = min(end, span)
    return end


def _begun_span(text: str) -> int:
    """Where a run of backticks begins that none has closed yet; -1 where there is none, or it is a fence."""
    if open_fence(text):
        return -1
    runs = list(_TICKS.finditer(text))
    while runs:
        first, *rest = runs
        closing = next((at for at, run in enumerate(rest) if run[0] == first[0]), None)
        if closing is None:
            return first.start()
        runs = rest[closing + 1 :]
    return -1
