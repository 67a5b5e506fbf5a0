"""Reads a question over data: once, for everything behind it."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from kbtui.question.counted_periods import counted_periods
from kbtui.question.cues import PLAIN, read_cues
from kbtui.question.model import Cue, Question, Token, TokenSpan
from kbtui.question.periods import read_periods
from kbtui.question.quantities import number_mentions
from kbtui.question.tokens import asides, level, quoted_spans, tokenise
from kbtui.question.words import words
from kbtui.text.language import language

_FREE_FROM: Final = 0.7
_DATE: Final = re.compile(r"\d{4}-\d\d?-\d\d?(?:[ t]\d\d?:\d\d(?::\d\d)?)?", re.I)


@lru_cache(maxsize=32)
def read(text: str, *, today: date) -> Question:
    """The question, read; those read last are kept, because what decides who answers reads it too.

    Args:
        today: What ``last month`` and a month without a year are counted from.
    """
    plain, known = level(text), words()
    tokens = tokenise(text, known)
    said, examples = asides(plain, tokens, known)
    for span in examples:
        start, end = tokens[span.first].start, tokens[span.last - 1].end
        plain = plain[:start] + " " * (end - start) + plain[end:]
    unsaid = frozenset(at for span in examples for at in range(*span))
    tokens = tuple(_silenced(token) if at in unsaid else token for at, token in enumerate(tokens))
    quoted = quoted_spans(text, tokens)
    dates = [quote for quote in quoted if _DATE.fullmatch(quote.text)]
    literal = frozenset(at for quote in quoted if quote not in dates for at in range(*quote.span))
    for quote in dates:
        # Without its marks, which would stand between a date and its preposition.
        marks = tokens[quote.span.first].start, tokens[quote.span.last - 1].start
        plain = "".join(" " if at in marks else letter for at, letter in enumerate(plain))
    periods, bare = read_periods(plain, tokens, today)
    periods = tuple(p for p in periods if p.span.first not in literal)
    numbers = tuple(
        number
        for number in number_mentions(plain, tokens, known)
        if number.span.first in bare or not literal.union(*(range(*p.span) for p in periods)) & {number.span.first}
    )
    # Words of a period are no operators; beside a year that may be a value as well they are.
    dated = [p.span for p in periods if not bare.intersection(range(*p.span))]
    numbers, found = counted_periods(tokens, numbers, read_cues(tokens, numbers))
    taken = (*dated, *(number.span for number in numbers), *(quote.span for quote in quoted))
    cues = tuple(c for c in found if c.op != PLAIN and not any(c.span.within(span) for span in taken))
    numbers = tuple(number for number in numbers if not any(_swallows(cue, number.span) for cue in cues))
    return Question(
        text=text,
        language=language(text),
        tokens=_with_content(tokens, found),
        numbers=numbers,
        periods=tuple(
            replace(p, words=text[tokens[p.span.first].start : tokens[p.span.last - 1].end]) for p in periods
        ),
        quoted=quoted,
        cues=_directed(cues),
        asides=said,
        today=today,
    )


def _silenced(token: Token) -> Token:
    """A token that nothing reads: one of an example."""
    return replace(token, norm="", stem="", kind="punctuation", content=False)


def _directed(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """``sorted by`` takes the direction of ``in descending order`` further on; else it is ascending."""
    direction = next((cue.args["direction"] for cue in cues if cue.op == "order" and "direction" in cue.args), "asc")
    return tuple(
        replace(cue, args={"direction": direction}) if cue.op == "order" and not cue.args else cue for cue in cues
    )


def _swallows(cue: Cue, number: TokenSpan) -> bool:
    """Whether a number is one of the words of an operator: ``biggest first``, ``the 90th percentile``, 周一."""
    return cue.weight >= _FREE_FROM and cue.span != number and number.within(cue.span)


def _with_content(tokens: tuple[Token, ...], cues: tuple[Cue, ...]) -> tuple[Token, ...]:
    """Words that ask for nothing need no account; every character of a Chinese word does (请假)."""
    free = {at for cue in cues if cue.op == "ignore" and cue.weight >= _FREE_FROM for at in range(*cue.span)}
    whole = {at for cue in cues if cue.op == PLAIN for at in range(*cue.span) if tokens[at].kind == "han"}
    return tuple(
        replace(token, content=(token.content or at in whole) and at not in free) for at, token in enumerate(tokens)
    )
