"""Finds runs of capitalised words, which names consist of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.text.language import CJK

WORD = re.compile(rf"(?!(?<=\d)[A-Z](?![^\W\d_]))[^\W\d_{CJK}][^\W_{CJK}]*(?:['’.&-][^\W_{CJK}]+)*\.?")
JOINING_WORDS: Final = frozenset(
    {"of", "the", "de", "la", "van", "von", "and", "for", "&", "in", "on", "du", "der", "del"}
)


def capital_runs(text: str) -> Iterator[list[str]]:
    """Yield runs of capitalised words, including joining words such as *of* between them."""
    run: list[str] = []
    last = 0
    for match in WORD.finditer(text):
        word, gap = match[0], text[last : match.start()].strip()
        if run and (gap or not (word[0].isupper() or word in JOINING_WORDS)):
            yield run
            run = []
        if word[0].isupper() or (run and word in JOINING_WORDS):
            run.append(word)
        last = match.end()
    if run:
        yield run
