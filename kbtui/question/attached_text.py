"""The distinctive terms of a text that is attached to a question (a diff, a log, an error).

A term is distinctive if few passages of the folder hold it, but some do: names of code, files and tickets rank above
plain words, frequent terms above rare ones. Of a diff only added, removed and renamed lines count.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, name_parts, tokens

MAX_CHARS: Final = 200_000
"""Characters of a text that are read."""
_MAX_WORDS: Final = 2_000
_MAX_TERMS: Final = 8
_MAX_TERM_CHARS: Final = 60
_UNKNOWN_RARITY: Final = 0.999
"""Rarity of words that no passage holds."""
_COMMON_RARITY: Final = 0.15
"""Rarity below which most passages hold a word."""
_CODE_WORD_LIST: Final = (
    "async await class const def else elif error except exception export false file final for from func function "
    "import int interface let line none null package private public raise return self static str string struct "
    "throw trace traceback true try type var void warning while"
)
_CODE_WORDS: Final = frozenset(_CODE_WORD_LIST.split())
"""Words of any program or log, never distinctive."""
_NAME: Final = re.compile(r"[A-Za-z]\w*[_.\-/]\w|[a-z]\w*[A-Z]|[A-Z]{2,}-?\d|[A-Za-z]\d{2,}")
_NAME_WEIGHT: Final = 1.6
_IS_DIFF: Final = re.compile(r"^(?:diff --git |@@ -\d|--- (?:a/|/dev/null)|\+\+\+ b/)", re.MULTILINE)
_FILE_LINE: Final = re.compile(r"(?:\+\+\+|---) (?:[ab]/)?(?P<path>[^\t]+)|rename (?:from|to) (?P<renamed>.+)")
_CONTEXT: Final = re.compile(r"@@ .*? @@ ?(?P<inside>.*)")


def distinctive_terms(text: str, rarity: Callable[[Iterable[str]], Mapping[str, float]]) -> tuple[str, ...]:
    """The most distinctive terms of ``text``, best first; empty if it has none.

    Args:
        text: Any text; characters after `MAX_CHARS` are ignored.
        rarity: For each token 0 (every passage holds it) to 1 (none does); empty where there are no passages.
    """
    counts: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    for line, weight in _weighted_lines(text[:MAX_CHARS]):
        for word in _words(line):
            if _is_word(word):
                counts[word.lower()] += weight
                spellings.setdefault(word.lower(), word)
    candidates = [word for word, _ in counts.most_common(_MAX_WORDS)]
    parts = {word: tokens(word) for word in candidates}
    rarities = rarity(token for part_tokens in parts.values() for token in part_tokens)
    scores: dict[str, float] = {}
    for word in candidates:
        # A name of several parts is rated by the whole name, which is its longest token.
        longest = max(map(len, parts[word]), default=0)
        lowest_rarity = min((rarities.get(part, 1.0) for part in parts[word] if len(part) == longest), default=1.0)
        if _COMMON_RARITY <= lowest_rarity < _UNKNOWN_RARITY:
            name_factor = _NAME_WEIGHT if _NAME.search(spellings[word]) else 1.0
            scores[word] = name_factor * lowest_rarity * (1.0 + math.log(counts[word]))
    best = sorted(scores, key=lambda word: (-scores[word], word))
    return tuple(spellings[word] for word in best[:_MAX_TERMS])


def with_terms(question: str, terms: Iterable[str]) -> str:
    """The question with the terms that "this" stands for: ``which runbook covers this: rollback, deploy pin?``."""
    term_list = ", ".join(terms)
    if not term_list:
        return question
    question_stem = question.rstrip(" ?？.。!！")
    return f"{question_stem}：{term_list}？" if has_cjk(question) else f"{question_stem}: {term_list}?"


def _weighted_lines(text: str) -> Iterator[tuple[str, int]]:
    """The relevant lines with their weights."""
    is_diff = _IS_DIFF.search(text) is not None
    for line in text.split("\n"):
        if not is_diff:
            yield line, 1
        elif (file_line := _FILE_LINE.match(line)) is not None:
            yield file_line["path"] or file_line["renamed"], 2
        elif line.startswith(("+", "-")):
            yield line[1:], 2
        elif (context := _CONTEXT.match(line)) is not None:
            yield context["inside"], 1


def _words(line: str) -> Iterator[str]:
    """The words of a line and the parts of its names; the folder may hold a part and not the name."""
    for word in content_words(line):
        yield word
        if len(parts := name_parts(word)) > 1:
            yield from parts


def _is_word(word: str) -> bool:
    if word.lower() in _CODE_WORDS:
        return False
    return len(word) <= _MAX_TERM_CHARS and any(c.isalpha() for c in word) and (len(word) > 2 or has_cjk(word))
