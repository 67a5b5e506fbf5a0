"""Parses a question over data into a `Question`, once for all that follows."""

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
from kbtui.question.tokens import bracketed_spans, fold, quoted_spans, tokenise
from kbtui.question.words import words
from kbtui.text.language import language

_MIN_IGNORE_WEIGHT: Final = 0.7
_DATE: Final = re.compile(r"\d{4}-\d\d?-\d\d?(?:[ t]\d\d?:\d\d(?::\d\d)?)?", re.I)


@lru_cache(maxsize=32)
def read(text: str, *, today: date) -> Question:
    """The parsed question; the last results are cached, because the request classifier parses it too.

    Args:
        today: The day that ``last month`` and a month without a year are relative to.
    """
    plain, vocabulary = fold(text), words()
    tokens = tokenise(text, vocabulary)
    asides, examples = bracketed_spans(plain, tokens, vocabulary)
    for span in examples:
        start, end = tokens[span.first].start, tokens[span.last - 1].end
        plain = plain[:start] + " " * (end - start) + plain[end:]
    example_tokens = frozenset(at for span in examples for at in range(*span))
    tokens = tuple(_without_content(token) if at in example_tokens else token for at, token in enumerate(tokens))
    quoted = quoted_spans(text, tokens)
    dates = [quote for quote in quoted if _DATE.fullmatch(quote.text)]
    literal_tokens = frozenset(at for quote in quoted if quote not in dates for at in range(*quote.span))
    for quote in dates:
        # Without quotation marks, which would separate a date from its preposition.
        marks = tokens[quote.span.first].start, tokens[quote.span.last - 1].start
        plain = "".join(" " if at in marks else letter for at, letter in enumerate(plain))
    periods, bare_years = read_periods(plain, tokens, today)
    periods = tuple(p for p in periods if p.span.first not in literal_tokens)
    numbers = tuple(
        number
        for number in number_mentions(plain, tokens, vocabulary)
        if number.span.first in bare_years
        or not literal_tokens.union(*(range(*p.span) for p in periods)) & {number.span.first}
    )
    # Words of a period are no operators, except those of a bare year, which may be a value too.
    period_spans = [p.span for p in periods if not bare_years.intersection(range(*p.span))]
    numbers, all_cues = counted_periods(tokens, numbers, read_cues(tokens, numbers))
    occupied = (*period_spans, *(number.span for number in numbers), *(quote.span for quote in quoted))
    cues = tuple(c for c in all_cues if c.op != PLAIN and not any(c.span.within(span) for span in occupied))
    numbers = tuple(number for number in numbers if not any(_contains_number(cue, number.span) for cue in cues))
    return Question(
        text=text,
        language=language(text),
        tokens=_with_content_flags(tokens, all_cues),
        numbers=numbers,
        periods=tuple(
            replace(p, words=text[tokens[p.span.first].start : tokens[p.span.last - 1].end]) for p in periods
        ),
        quoted=quoted,
        cues=_with_sort_direction(cues),
        asides=asides,
        today=today,
    )


def _without_content(token: Token) -> Token:
    """A token without content, so that no statement has to read it (used for examples)."""
    return replace(token, norm="", stem="", kind="punctuation", content=False)


def _with_sort_direction(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """The cues, with the direction of a later ``in descending order`` on ``sorted by``; ascending without one."""
    direction = next((cue.args["direction"] for cue in cues if cue.op == "order" and "direction" in cue.args), "asc")
    return tuple(
        replace(cue, args={"direction": direction}) if cue.op == "order" and not cue.args else cue for cue in cues
    )


def _contains_number(cue: Cue, number: TokenSpan) -> bool:
    """Whether a number is one of the words of an operator: ``biggest first``, ``the 90th percentile``, 周一."""
    return cue.weight >= _MIN_IGNORE_WEIGHT and cue.span != number and number.within(cue.span)


def _with_content_flags(tokens: tuple[Token, ...], cues: tuple[Cue, ...]) -> tuple[Token, ...]:
    """The tokens with content flags: false for ignored words, true for all characters of a Chinese compound (请假)."""
    ignored = {at for cue in cues if cue.op == "ignore" and cue.weight >= _MIN_IGNORE_WEIGHT for at in range(*cue.span)}
    chinese_words = {at for cue in cues if cue.op == PLAIN for at in range(*cue.span) if tokens[at].kind == "han"}
    return tuple(
        replace(token, content=(token.content or at in chinese_words) and at not in ignored)
        for at, token in enumerate(tokens)
    )
