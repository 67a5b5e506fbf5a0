"""Finds the words of operators in a question: a trie over the phrases of both word files.

Syntax of a phrase, one a line in the word files:

- English words are apart by blanks; each Chinese character is a token of its own. ``compare*`` matches by stem.
- ``(a|b c)`` is either, ``[a|b]`` the same or nothing.
- ``<x>`` must stand directly before or behind, ``{x}`` anywhere up to `_NEAR` tokens away; neither is part of the cue.
  There ``#`` is a number, ``nth`` an ordinal, ``^`` the beginning of the question and ``$`` its end.
- ``@.6`` at the end is a weight of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from kbtui.question.adjectives import adjective_phrases
from kbtui.question.model import Cue, NumberMention, Token, TokenSpan
from kbtui.question.tokens import level
from kbtui.question.words import WordFile, word_file
from kbtui.text.inflection import root
from kbtui.text.language import CJK

PLAIN: Final = "plain"
"""Op of words that look like an operator and are none (``first name``, 总经理): it hides what is inside them."""

_NEAR: Final = 12
_NEAR_CERTAIN: Final = 0.9
_TYPO_WEIGHT: Final = 0.75
_EPSILON: Final = 1e-9
_SHORTEST_TYPO: Final = 6
_ELEMENT: Final = re.compile(r"\[([^\]]*)\]|\(([^)]*)\)|<([^>]+)>|\{([^}]*)\}|([^\[\](){}<]+|<)")
_NUMBERS: Final = (("#",), ("nth",))
_SIGNS: Final = frozenset(("<", "<=", "=<", ">", ">=", "=>", "<>"))
_WORD: Final = re.compile(rf"[{CJK}]|[^\W{CJK}]+\*?|>=|<=|=>|=<|!=|<>|==|[^\w\s]")


class Condition(NamedTuple):
    """What must stand beside a cue: one of the alternatives, a tuple of words each."""

    alternatives: tuple[tuple[str, ...], ...]
    is_behind: bool
    is_next: bool


class Entry(NamedTuple):
    """What a phrase says."""

    op: str
    args: tuple[tuple[str, Any], ...]
    weight: float
    conditions: tuple[Condition, ...] = ()


@dataclass(slots=True)
class _Node:
    norms: dict[str, _Node] = field(default_factory=dict)
    stems: dict[str, _Node] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Context:
    """What conditions look at."""

    tokens: Sequence[Token]
    begins: frozenset[tuple[str, int]]
    ends: frozenset[tuple[str, int]]
    start: int
    end: int
    files: tuple[WordFile, ...]


QUESTIONS: Final[tuple[WordFile, ...]] = ("en", "zh")
FOLLOW_UPS: Final[tuple[WordFile, ...]] = ("follow_en", "follow_zh")


def read_cues(
    tokens: Sequence[Token], numbers: Sequence[NumberMention], files: tuple[WordFile, ...] = QUESTIONS
) -> tuple[Cue, ...]:
    """Every cue in order; one that lies inside a longer one of hardly less weight is left out.

    Args:
        files: The word files whose operators are read.
    """
    ignored = word_file("en")["courtesies"].split()
    start = next((i for i, token in enumerate(tokens) if token.kind != "punctuation" and token.norm not in ignored), 0)
    end = next((i + 1 for i in range(len(tokens) - 1, -1, -1) if tokens[i].kind != "punctuation"), 0)
    kinds = [("nth" if number.kind == "ordinal" else "#", number.span) for number in numbers]
    begins = frozenset((kind, span.first) for kind, span in kinds)
    ends = frozenset((kind, span.last) for kind, span in kinds)
    context = _Context(tokens, begins, ends, start, end, files)
    found: dict[tuple[TokenSpan, str, str], Cue] = {}
    for first in range(len(tokens)):
        for last, entry, typos in _matches(context, first):
            span, weight = TokenSpan(first, last), round(entry.weight * _TYPO_WEIGHT**typos, 3)
            key = (span, entry.op, str(entry.args))
            if key not in found or found[key].weight < weight:
                found[key] = Cue(span=span, op=entry.op, args=dict(entry.args), weight=weight)
    cues = sorted(found.values(), key=lambda cue: (cue.span.first, -cue.span.last, -cue.weight))
    return tuple(cue for cue in cues if not any(_covers(other, cue) for other in cues))


def _covers(outer: Cue, inner: Cue) -> bool:
    is_longer = outer.span[1] - outer.span[0] > inner.span[1] - inner.span[0]
    is_around = outer.span.first <= inner.span.first and inner.span.last <= outer.span.last
    return is_longer and is_around and outer.weight + _EPSILON >= inner.weight * _TYPO_WEIGHT


def _matches(context: _Context, first: int) -> Iterator[tuple[int, Entry, int]]:
    """Every phrase that begins at a token: the token after it, what it says, how many of its words are misspelt."""
    stack = [(_trie(context.files), first, 0)]
    while stack:
        node, at, typos = stack.pop()
        if node.entries:
            for entry in _fitting([entry for entry in node.entries if _holds(entry, context, first, at)]):
                yield at, entry, typos
        if at < len(context.tokens):
            stack += _following(node, context, at, typos)


def _fitting(entries: Sequence[Entry]) -> list[Entry]:
    """Of the readings of the same words, those that need most around them; others only where they are near certain."""
    most = max((len(entry.conditions) for entry in entries), default=0)
    return [entry for entry in entries if len(entry.conditions) == most or entry.weight >= _NEAR_CERTAIN]


def _following(node: _Node, context: _Context, at: int, typos: int) -> Iterator[tuple[_Node, int, int]]:
    token = context.tokens[at]
    children = [child for child in (node.norms.get(token.norm), node.stems.get(token.stem)) if child is not None]
    if children:
        for child in children:
            yield child, at + 1, typos
    elif token.kind == "word" and (word := _meant(token.norm, context.files)):
        for near in (node.norms.get(word), node.stems.get(root(word))):
            if near is not None:
                yield near, at + 1, typos + 1


def _holds(entry: Entry, context: _Context, first: int, last: int) -> bool:
    return all(_stands(condition, context, first, last) for condition in entry.conditions)


def _stands(condition: Condition, context: _Context, first: int, last: int) -> bool:
    for words in condition.alternatives:
        if words == ("^",):
            holds = first <= context.start
        elif words == ("$",):
            holds = last >= context.end
        elif condition.is_behind:
            reach = 1 if condition.is_next else _NEAR
            holds = any(_is_at(words, context, at) for at in range(last, min(last + reach, len(context.tokens))))
        else:
            latest = first - (1 if words in _NUMBERS else len(words))
            reach = 1 if condition.is_next else _NEAR
            holds = any(_is_at(words, context, at, before=True) for at in range(latest, max(-1, latest - reach), -1))
        if holds:
            return True
    return False


def _is_at(words: Sequence[str], context: _Context, at: int, *, before: bool = False) -> bool:
    if words in _NUMBERS:
        return (words[0], at + 1) in context.ends if before else (words[0], at) in context.begins
    tokens = context.tokens[at : at + len(words)] if at >= 0 else ()
    return len(tokens) == len(words) and all(
        token.stem == root(word[:-1]) if word.endswith("*") else token.norm == word
        for token, word in zip(tokens, words, strict=True)
    )


# The trie ---------------------------------------------------------------------------------------------------------


@cache
def _trie(files: tuple[WordFile, ...]) -> _Node:
    top = _Node()
    for file in files:
        for row in word_file(file)["cue"]:
            for line in row["phrases"].splitlines():
                if line.strip():
                    _add(top, line.strip(), row["op"], row.get("args", {}), row.get("weight", 1.0))
        for phrase, op, args, weight in adjective_phrases(file) if "adjectives" in word_file(file) else ():
            _add(top, phrase, op, args, weight)
    return top


def _add(top: _Node, line: str, op: str, args: Mapping[str, Any], weight: float) -> None:
    phrase, _, own = line.partition("@")
    parts: list[list[tuple[str, ...]]] = []
    conditions: list[Condition] = []
    elements = [("", "", "", "", phrase)] if phrase.strip() in _SIGNS else _ELEMENT.findall(phrase)
    for optional, either, beside, near, plain in elements:
        if beside or near:
            alternatives = tuple(tuple(_words(text)) for text in (beside or near).split("|"))
            conditions.append(Condition(alternatives, bool(parts), bool(beside)))
        elif optional:
            parts.append([(), *(tuple(_words(text)) for text in optional.split("|"))])
        elif words := tuple(_words(plain)) if plain else ():
            parts.append([words])
        elif either:
            parts.append([tuple(_words(text)) for text in either.split("|")])
    entry = Entry(op, tuple(args.items()), float(own) if own else weight, tuple(conditions))
    for choice in product(*parts):
        node = top
        for word in (word for words in choice for word in words):
            edges, key = (node.stems, root(word[:-1])) if word.endswith("*") else (node.norms, word)
            node = edges.setdefault(key, _Node())
        if node is not top and entry not in node.entries:
            node.entries.append(entry)


def _words(text: str) -> list[str]:
    return _WORD.findall(level(text))


@cache
def _long_words(files: tuple[WordFile, ...]) -> tuple[dict[str, None], frozenset[str]]:
    """Words of cues that may be meant by a misspelt one, and all words of cues with their stems."""
    known: dict[str, None] = {}
    stack = [_trie(files)]
    while stack:
        node = stack.pop()
        known |= dict.fromkeys(node.norms) | dict.fromkeys(node.stems)
        stack += (*node.norms.values(), *node.stems.values())
    long = {word: None for word in known if len(word) >= _SHORTEST_TYPO and word.isascii()}
    return long, frozenset(known) | frozenset(map(root, known))


@lru_cache(4096)
def _meant(norm: str, files: tuple[WordFile, ...]) -> str:
    """The word of a cue that a word which is none of them is a misspelling of; empty for none."""
    if not norm.isascii():
        return ""
    long, known = _long_words(files)
    if norm in known or root(norm) in known:
        return ""
    if len(norm) < _SHORTEST_TYPO:
        # Short words are often others that are right, but for doubled letters.
        return next((word for word in long if len(norm) > 3 and _squeezed(word) == _squeezed(norm)), "")
    from rapidfuzz.distance import OSA

    best, least = "", 3
    for word in long:
        most = 0 if len(word) <= _SHORTEST_TYPO else 1 if len(word) < 9 else 2
        if most and word[0] == norm[0] and abs(len(word) - len(norm)) <= most:
            distance = OSA.distance(norm, word, score_cutoff=most)
            if distance <= most and distance < least:
                best, least = word, distance
    return best


def _squeezed(word: str) -> str:
    """Without the second of two equal letters: ``comon`` for ``common``."""
    return "".join(letter for at, letter in enumerate(word) if not at or letter != word[at - 1])
