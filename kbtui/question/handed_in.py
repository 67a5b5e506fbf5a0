"""A text that is handed in with a question (a diff, a log, an error): which of its words tell what it is about.

Telling is what the folder knows and few of its passages hold: names of code, files and tickets before plain words, and
what the text says often before what it says once. Of a diff only what was added, taken away or renamed counts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, name_parts, tokens

MOST_CHARS: Final = 200_000
"""Of a text that are looked at."""
_MOST_WORDS: Final = 2_000
_MOST_TERMS: Final = 8
_MOST_CHARS_OF_TERM: Final = 60
_UNKNOWN: Final = 0.999
"""Rarity from which no passage of the folder holds a word."""
_COMMON: Final = 0.15
"""Rarity below which most passages do."""
_WORDS_OF_CODE: Final = (
    "async await class const def else elif error except exception export false file final for from func function "
    "import int interface let line none null package private public raise return self static str string struct "
    "throw trace traceback true try type var void warning while"
)
_OF_CODE: Final = frozenset(_WORDS_OF_CODE.split())
"""Words of any program and any log, rare as they may be in the folder."""
_NAME: Final = re.compile(r"[A-Za-z]\w*[_.\-/]\w|[a-z]\w*[A-Z]|[A-Z]{2,}-?\d|[A-Za-z]\d{2,}")
_NAME_WEIGHT: Final = 1.6
_IS_DIFF: Final = re.compile(r"^(?:diff --git |@@ -\d|--- (?:a/|/dev/null)|\+\+\+ b/)", re.MULTILINE)
_FILE_LINE: Final = re.compile(r"(?:\+\+\+|---) (?:[ab]/)?(?P<path>[^\t]+)|rename (?:from|to) (?P<renamed>.+)")
_CONTEXT: Final = re.compile(r"@@ .*? @@ ?(?P<inside>.*)")


def telling_terms(text: str, rarity: Callable[[Iterable[str]], Mapping[str, float]]) -> tuple[str, ...]:
    """The words of ``text`` that tell most about what in the folder it is about, best first; none where none does.

    Args:
        text: Anything; what stands behind `MOST_CHARS` is not looked at.
        rarity: For each token 0 (every passage holds it) to 1 (none does); empty where there are no passages.
    """
    counted: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    for line, weight in _lines(text[:MOST_CHARS]):
        for word in _words(line):
            if _is_word(word):
                counted[word.lower()] += weight
                spelt.setdefault(word.lower(), word)
    likely = [word for word, _ in counted.most_common(_MOST_WORDS)]
    parts = {word: tokens(word) for word in likely}
    rare = rarity(token for found in parts.values() for token in found)
    worth: dict[str, float] = {}
    for word in likely:
        # A name of several parts is known where the folder has it whole, which is its longest token.
        longest = max(map(len, parts[word]), default=0)
        known = min((rare.get(part, 1.0) for part in parts[word] if len(part) == longest), default=1.0)
        if _COMMON <= known < _UNKNOWN:
            named = _NAME_WEIGHT if _NAME.search(spelt[word]) else 1.0
            worth[word] = named * known * (1.0 + math.log(counted[word]))
    best = sorted(worth, key=lambda word: (-worth[word], word))
    return tuple(spelt[word] for word in best[:_MOST_TERMS])


def asked_about(question: str, terms: Iterable[str]) -> str:
    """The question with the words that tell what "this" is: ``which runbook covers this: rollback, deploy pin?``."""
    named = ", ".join(terms)
    if not named:
        return question
    stem = question.rstrip(" ?？.。!！")
    return f"{stem}：{named}？" if has_cjk(question) else f"{stem}: {named}?"


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """The lines that count, each with its weight."""
    is_diff = _IS_DIFF.search(text) is not None
    for line in text.split("\n"):
        if not is_diff:
            yield line, 1
        elif (named := _FILE_LINE.match(line)) is not None:
            yield named["path"] or named["renamed"], 2
        elif line.startswith(("+", "-")):
            yield line[1:], 2
        elif (context := _CONTEXT.match(line)) is not None:
            yield context["inside"], 1


def _words(line: str) -> Iterator[str]:
    """The words of a line, and the parts of its names, which the folder may know where it does not know the name."""
    for word in content_words(line):
        yield word
        if len(parts := name_parts(word)) > 1:
            yield from parts


def _is_word(word: str) -> bool:
    if word.lower() in _OF_CODE:
        return False
    return len(word) <= _MOST_CHARS_OF_TERM and any(c.isalpha() for c in word) and (len(word) > 2 or has_cjk(word))
