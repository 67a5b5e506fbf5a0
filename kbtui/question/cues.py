"""Finds operators in a question, by the phrases of the word files (see `kbtui.question.phrases`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from kbtui.question.model import Cue, NumberMention, Token, TokenSpan
from kbtui.question.phrases import STEM, Condition, Entry, Words, corrected_word, phrases
from kbtui.question.words import WordFile, plain_words
from kbtui.text.inflection import root

PLAIN: Final = "plain"
"""Op of words that look like an operator and are none (``first name``, 总经理); it hides operators inside them."""

REQUIRES_ARG: Final = "needs"
"""Argument of words with little content: what a statement has to read so that these words may stay unread."""

_CONDITION_WINDOW: Final = 12
_NEAR_CERTAIN: Final = 0.9
_TYPO_WEIGHT: Final = 0.75
_EPSILON: Final = 1e-9
_NUMBERS: Final = (("#",), ("nth",))


class _Context(Struct, frozen=True):
    """The surroundings of a phrase that conditions are checked against."""

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
    """The cues in order, without those inside a longer cue of similar weight, and those that another one continues.

    Args:
        files: The word files whose operators are read.
        mends: Correct typos in the words of operators.
    """
    ignored = plain_words("en")["courtesies"].split()
    start = next((i for i, token in enumerate(tokens) if token.kind != "punctuation" and token.norm not in ignored), 0)
    end = next((i + 1 for i in range(len(tokens) - 1, -1, -1) if tokens[i].kind != "punctuation"), 0)
    kinds = [("nth" if number.kind == "ordinal" else "#", number.span) for number in numbers]
    begins = frozenset((kind, span.first) for kind, span in kinds)
    ends = frozenset((kind, span.last) for kind, span in kinds)
    context = _Context(
        tokens, [_accepted_words(token, files if mends else ()) for token in tokens], begins, ends, start, end, files
    )
    best_cues: dict[tuple[TokenSpan, str, str], Cue] = {}
    for first in range(len(tokens)):
        for last, entry, typos in _matches(context, first):
            span, weight = TokenSpan(first, last), round(entry.weight * _TYPO_WEIGHT**typos, 3)
            key = (span, entry.op, str(entry.args))
            if key not in best_cues or best_cues[key].weight < weight:
                best_cues[key] = Cue(
                    span=span, op=entry.op, args=dict(entry.args), weight=weight, is_corrected=typos > 0
                )
    cues = sorted(best_cues.values(), key=lambda cue: (cue.span.first, -cue.span.last, -cue.weight))
    cues = [cue for cue in cues if not any(_is_continued_by(other, cue) for other in cues)]
    return tuple(cue for cue in cues if not any(_covers(other, cue) for other in cues))


def _is_continued_by(later: Cue, cue: Cue) -> bool:
    """Whether the words of a comparison go on as another one: "or *higher than* 9" is not "or higher"."""
    crosses = cue.span.first < later.span.first < cue.span.last < later.span.last
    return crosses and cue.op == later.op and cue.args.get("op") != later.args.get("op")


def _covers(outer: Cue, inner: Cue) -> bool:
    if REQUIRES_ARG in inner.args and outer.op != PLAIN:
        return False  # It applies if the longer operator is not used.
    is_longer = outer.span[1] - outer.span[0] > inner.span[1] - inner.span[0]
    return is_longer and inner.span.within(outer.span) and outer.weight + _EPSILON >= inner.weight * _TYPO_WEIGHT


def _matches(context: _Context, first: int) -> Iterator[tuple[int, Entry, int]]:
    """The phrases that begin at a token: the token after each, its entry, the number of its misspelt words."""
    typos_by_end: dict[int, dict[Entry, int]] = {}
    for word in context.accepted[first]:
        for phrase in phrases(word, context.files):
            for last, typos in _phrase_ends(phrase.parts, context, first):
                if last > first and _meets_conditions(phrase.entry, context, first, last):
                    typos_by_end.setdefault(last, {}).setdefault(phrase.entry, typos)
    for last, entries in typos_by_end.items():
        for entry in _best_conditioned(list(entries)):
            yield last, entry, entries[entry]


def _phrase_ends(
    parts: Sequence[tuple[Words, ...]], context: _Context, at: int, typos: int = 0
) -> Iterator[tuple[int, int]]:
    """The possible ends of a phrase whose parts begin at a token, with the number of misspelt words."""
    if not parts:
        yield at, typos
        return
    for words in parts[0]:
        costs = [accepted.get(word) for word, accepted in zip(words, context.accepted[at:], strict=False)]
        if len(costs) == len(words) and None not in costs:
            yield from _phrase_ends(parts[1:], context, at + len(words), typos + sum(filter(None, costs)))


def _accepted_words(token: Token, files: tuple[WordFile, ...]) -> dict[str, int]:
    """The words of phrases that match a token, with the typos of each: 0 for itself, 1 for its correction."""
    own = {token.norm: 0, STEM + token.stem: 0}
    word = corrected_word(token.norm, files) if files and token.kind == "word" else ""
    return own | {word: 1, STEM + root(word): 1} if word else own


def _best_conditioned(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of the same words with the most conditions; others only if they are nearly certain."""
    most = max((len(entry.conditions) for entry in entries), default=0)
    return [
        entry
        for entry in entries
        if len(entry.conditions) == most or entry.weight >= _NEAR_CERTAIN or REQUIRES_ARG in dict(entry.args)
    ]


def _meets_conditions(entry: Entry, context: _Context, first: int, last: int) -> bool:
    return all(_meets_condition(condition, context, first, last) for condition in entry.conditions)


def _meets_condition(condition: Condition, context: _Context, first: int, last: int) -> bool:
    for words in condition.alternatives:
        if words == ("^",):
            holds = first <= context.start
        elif words == ("$",):
            holds = last >= context.end
        elif condition.is_after:
            reach = 1 if condition.is_adjacent else _CONDITION_WINDOW
            holds = any(_stands_at(words, context, at) for at in range(last, min(last + reach, len(context.tokens))))
        else:
            latest = first - (1 if words in _NUMBERS else len(words))
            reach = 1 if condition.is_adjacent else _CONDITION_WINDOW
            holds = any(
                _stands_at(words, context, at, before=True) for at in range(latest, max(-1, latest - reach), -1)
            )
        if holds:
            return True
    return False


def _stands_at(words: Sequence[str], context: _Context, at: int, *, before: bool = False) -> bool:
    if words in _NUMBERS:
        return (words[0], at + 1) in context.ends if before else (words[0], at) in context.begins
    tokens = context.tokens[at : at + len(words)] if at >= 0 else ()
    return len(tokens) == len(words) and all(
        (STEM + token.stem if word.startswith(STEM) else token.norm) == word
        for token, word in zip(tokens, words, strict=True)
    )
