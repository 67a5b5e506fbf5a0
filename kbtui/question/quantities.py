"""Numbers of a question with the units beside them: ``$5``, ``10 kg``, ``3 个``, ``5万元``, ``10 am``.

The unit of a time of day is ``clock``, its value the hour from 0 to 24: ``half past`` is not read, ``10:30`` is 10.5.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from kbtui.question.model import NumberMention, Token, TokenSpan
from kbtui.question.words import Words
from kbtui.text.numbers import read_numbers, value_of
from kbtui.text.units import canonical_units

_COUNTING_BEFORE: Final = frozenset("前后第过于少多只仅近到有超足满=><")
_COUNTING_AFTER: Final = ("以上", "以下", "以内", "及以", "或")
_TIME: Final = re.compile(
    r"""(?<![\w:.])(?P<hour>\d{1,2})(?=:\d\d|\s*[ap]\.?m\b|\s*o'clock)(?::(?P<minute>\d\d)(?![\d:]))?
        \s*(?P<half>[ap]\.?m\b\.?)?(?:o'clock)?
    |(?P<part>上午|早上|中午|下午|晚上|傍晚|凌晨)?(?P<hour_zh>\d{1,2}|[一二三四五六七八九十两]{1,3})点(?:(?P<and_half>半)|钟|整)?(?![\d一二三四五六七八九零几])""",
    re.X,
)
_MAX_UNIT_TOKENS: Final = 4
_MAX_VALUE: Final = 10**30
"""Largest number that a column can hold; larger ones are not read."""
_AMBIGUOUS: Final = frozenset(
    ("in", "a", "s", "c", "f", "k", "b", "g", "l", "m", "d", "h", "w", "t", "au", "st", "li", "chi", "cup", "score")
) | frozenset(("pair", "one", "won", "item", "piece", "unit", "units", "items", "pieces", "scores", "cups", "pairs"))
"""Units that are ordinary words, or letters, unless they are glued to their number."""
_BEFORE_ONE: Final = ("than", "least", "most", "over", "under", "within")
"""Words of comparisons, behind which “a” is a number: more than *an hour*."""


def number_mentions(plain: str, tokens: Sequence[Token], words: Words) -> tuple[NumberMention, ...]:
    """The numbers of a question, in order.

    Args:
        plain: The question as `kbtui.question.tokens.fold` has it.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    mentions = [*_times(plain, starts, ends), *_articles_as_one(tokens)]
    for number in read_numbers(plain):
        first, last = bisect_right(starts, number.start) - 1, bisect_left(ends, number.end) + 1
        if any(time.span.first <= first < time.span.last for time in mentions):
            continue
        if tokens[first].kind == "word" and any(letter.isdigit() for letter in tokens[first].norm):
            # Digits inside a code.
            continue
        span, unit = TokenSpan(first, last), "%" if number.kind == "percent" else ""
        if not unit and number.kind in ("cardinal", "fraction"):
            span, unit = _with_unit(tokens, span, words)
        if abs(number.value) > _MAX_VALUE or (number.kind == "ordinal" and number.value == 1):
            # Too large for a column, or "first": an operator, or part of a name ("first name").
            continue
        if _is_article(tokens, number.text, span, unit, words):
            continue
        mentions.append(NumberMention(span=span, value=number.value, kind=number.kind, unit=unit))
    return tuple(sorted(mentions, key=lambda mention: mention.span))


def _times(plain: str, starts: Sequence[int], ends: Sequence[int]) -> Iterator[NumberMention]:
    part, end = "", 0
    for match in _TIME.finditer(plain):
        # 下午3点到5点 is all in the afternoon.
        part = match["part"] or (part if re.fullmatch(r"\s*[到至和~-]\s*", plain[end : match.start()]) else "")
        end = match.end()
        hour, minute = value_of(match["hour"] or match["hour_zh"]), int(match["minute"] or 0)
        if hour is None or hour > 24 or minute > 59:
            continue
        is_late = (match["half"] or "")[:1] == "p" or part[:1] in ("下", "晚", "傍")
        value = hour % 12 + 12 if is_late else hour % 12 if match["half"] else hour
        value += Fraction(1, 2) if match["and_half"] else Fraction(minute, 60)
        span = TokenSpan(bisect_right(starts, match.start()) - 1, bisect_left(ends, match.end()) + 1)
        yield NumberMention(span=span, value=value, unit="clock")


def _articles_as_one(tokens: Sequence[Token]) -> Iterator[NumberMention]:
    for at in range(1, len(tokens) - 1):
        if tokens[at].norm in ("a", "an") and tokens[at - 1].norm in _BEFORE_ONE:
            unit = canonical_units().get(tokens[at + 1].norm, "")
            if unit and tokens[at + 1].norm not in _AMBIGUOUS:
                yield NumberMention(span=TokenSpan(at, at + 2), value=Fraction(1), unit=unit)


def _is_article(tokens: Sequence[Token], text: str, span: TokenSpan, unit: str, words: Words) -> bool:
    """Whether 一 is an article, as in 一本书; in 前一本, 一本以上 and 只有一本 it is a number."""
    if text != "一" or unit not in words.measures:
        return False
    before = tokens[span.first - 1].norm if span.first else ""
    behind = "".join(token.norm for token in tokens[span.last : span.last + 2])
    return before not in _COUNTING_BEFORE and not behind.startswith(_COUNTING_AFTER)


def _with_unit(tokens: Sequence[Token], span: TokenSpan, words: Words) -> tuple[TokenSpan, str]:
    table = canonical_units()
    if span.first and (unit := table.get(tokens[span.first - 1].norm)) and tokens[span.first - 1].kind == "punctuation":
        return TokenSpan(span.first - 1, span.last), unit
    for length in range(min(_MAX_UNIT_TOKENS, len(tokens) - span.last), 0, -1):
        behind = tokens[span.last : span.last + length]
        is_han = behind[0].kind == "han"
        name = "".join(token.norm for token in behind) if is_han else " ".join(token.norm for token in behind)
        is_glued = behind[0].start == tokens[span.last - 1].end
        if name in words.measures:
            return TokenSpan(span.first, span.last + length), name
        if name in table and (is_han or is_glued or name not in _AMBIGUOUS):
            return TokenSpan(span.first, span.last + length), table[name]
    return span, ""
