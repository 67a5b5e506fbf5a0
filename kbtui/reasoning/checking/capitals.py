"""Finds runs of capitalised words, which names consist of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.text.language import CJK
from kbtui.text.patterns import Patterns

WORD = re.compile(rf"(?!(?<=\d)[A-Z](?![^\W\d_]))[^\W\d_{CJK}][^\W_{CJK}]*(?:['’.&-][^\W_{CJK}]+)*\.?")
JOINING_WORDS: Final = frozenset(
    {"of", "the", "de", "la", "van", "von", "and", "for", "&", "in", "on", "du", "der", "del"}
)

_RE: Final = Patterns(__package__, "facts.toml")
_FINITE: Final = re.compile(
    r"(?:is|was|has|had|did|does|will|would|can|could|may|might|must|became|began|said|made|won|wrote)"
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


def likely_name(word: str, following: str) -> float:
    """Probability that the first word of a sentence is a name: high for “Berlin was”, low for “Deploys are”."""
    if word.lower().endswith("'s") or not word.isascii():
        return 1.0
    if _RE.common_ending.search(word):
        return 0.2
    if following and (following[0].isupper() or _FINITE.fullmatch(following.lower())):
        return 0.9
    return 0.5
