"""Finds the words of operators in a question, by the phrases of the word files (see `kbtui.question.phrases`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from kbtui.question.model import Cue, NumberMention, Token, TokenSpan
from kbtui.question.phrases import STEM, Condition, Entry, Words, meant, phrases
from kbtui.question.words import WordFile, plain_words
from kbtui.text.inflection import root

PLAIN: Final = "plain"
"""Op of words that look like an operator and are none (``first name``, 总经理): it hides what is inside them."""

LIGHT: Final = "needs"
"""Argument of words that say little: what a statement has to read for them to need no account."""

_NEAR: Final = 12
_NEAR_CERTAIN: Final = 0.9
_TYPO_WEIGHT: Final = 0.75
_EPSILON: Final = 1e-9
_NUMBERS: Final = (("#",), ("nth",))


class _Context(Struct, frozen=True):
    """What conditions look at."""

    tokens: Sequence[Token]
    accepted: Sequence[Mapping[str, int]]
    begins: frozenset[tuple[str, int]]
    ends: frozenset[tuple[str, int]]
    start: int
    end: int
    files: tuple[WordFile, ...]


QUESTIONS: Final[tuple[WordFile, ...]] = ("en", "zh")
FOLLOW_UPS: Final[tuple[WordFile, ...]] = ("follow_en", "follow_zh")
OPEN_REQUESTS: Final[tuple[WordFile, ...]] = ("open_en", "open_zh")
ASKING: Final[tuple[WordFile, ...]] = ("asking_en", "asking_zh")


def read_cues(
    tokens: Sequence[Token],
    numbers: Sequence[NumberMention],
    files: tuple[WordFile, ...] = QUESTIONS,
    *,
    mends: bool = True,
) -> tuple[Cue, ...]:
    """Every cue in order; one inside a longer one of hardly less weight is left out, and one that goes on as another.

    Args:
        files: The word files whose operators are read.
        mends: A word may be a misspelling of one of theirs.
    """
    ignored = plain_words("en")["courtesies"].split()
    start = next((i for i, token in enumerate(tokens) if token.kind != "punctuation" and token.norm not in ignored), 0)
    end = next((i + 1 for i in range(len(tokens) - 1, -1, -1) if tokens[i].kind != "punctuation"), 0)
    kinds = [("nth" if number.kind == "ordinal" else "#", number.span) for number in numbers]
    begins = frozenset((kind, span.first) for kind, span in kinds)
    ends = frozenset((kind, span.last) for kind, span in kinds)
    context = _Context(
        tokens, [_accepted(token, files if mends else ()) for token in tokens], begins, ends, start, end, files
    )
    found: dict[tuple[TokenSpan, str, str], Cue] = {}
    for first in range(len(tokens)):
        for last, entry, typos in _matches(context, first):
            span, weight = TokenSpan(first, last), round(entry.weight * _TYPO_WEIGHT**typos, 3)
            key = (span, entry.op, str(entry.args))
            if key not in found or found[key].weight < weight:
                found[key] = Cue(span=span, op=entry.op, args=dict(entry.args), weight=weight)
    cues = sorted(found.values(), key=lambda cue: (cue.span.first, -cue.span.last, -cue.weight))
    cues = [cue for cue in cues if not any(_takes_over(other, cue) for other in cues)]
    return tuple(cue for cue in cues if not any(_covers(other, cue) for other in cues))


def _takes_over(later: Cue, cue: Cue) -> bool:
    """Whether the words of a comparison go on as another one: "or *higher than* 9" is not "or higher"."""
    crosses = cue.span.first < later.span.first < cue.span.last < later.span.last
    return crosses and cue.op == later.op and cue.args.get("op") != later.args.get("op")


def _covers(outer: Cue, inner: Cue) -> bool:
    if LIGHT in inner.args and outer.op != PLAIN:
        return False  # It says what its words come to where the longer one is not meant.
    is_longer = outer.span[1] - outer.span[0] > inner.span[1] - inner.span[0]
    return is_longer and inner.span.within(outer.span) and outer.weight + _EPSILON >= inner.weight * _TYPO_WEIGHT


def _matches(context: _Context, first: int) -> Iterator[tuple[int, Entry, int]]:
    """Every phrase that begins at a token: the token after it, what it says, how many of its words are misspelt."""
    found: dict[int, dict[Entry, int]] = {}
    for word in context.accepted[first]:
        for phrase in phrases(word, context.files):
            for last, typos in _ends(phrase.parts, context, first):
                if last > first and _holds(phrase.entry, context, first, last):
                    found.setdefault(last, {}).setdefault(phrase.entry, typos)
    for last, entries in found.items():
        for entry in _fitting(list(entries)):
            yield last, entry, entries[entry]


def _ends(parts: Sequence[tuple[Words, ...]], context: _Context, at: int, typos: int = 0) -> Iterator[tuple[int, int]]:
    """Where a phrase whose parts begin at a token may end, and how many of its words are misspelt."""
    if not parts:
        yield at, typos
        return
    for words in parts[0]:
        costs = [accepted.get(word) for word, accepted in zip(words, context.accepted[at:], strict=False)]
        if len(costs) == len(words) and None not in costs:
            yield from _ends(parts[1:], context, at + len(words), typos + sum(filter(None, costs)))


def _accepted(token: Token, files: tuple[WordFile, ...]) -> dict[str, int]:
    """The words of phrases that a token stands for: 0 for itself, 1 for the one that it is a misspelling of."""
    own = {token.norm: 0, STEM + token.stem: 0}
    word = meant(token.norm, files) if files and token.kind == "word" else ""
    return own | {word: 1, STEM + root(word): 1} if word else own


def _fitting(entries: Sequence[Entry]) -> list[Entry]:
    """Of the readings of the same words, those that need most around them; others only where they are near certain."""
    most = max((len(entry.conditions) for entry in entries), default=0)
    return [
        entry
        for entry in entries
        if len(entry.conditions) == most or entry.weight >= _NEAR_CERTAIN or LIGHT in dict(entry.args)
    ]


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
        (STEM + token.stem if word.startswith(STEM) else token.norm) == word
        for token, word in zip(tokens, words, strict=True)
    )
