"""The one reader of numbers, in digits and in words, English and Chinese.

It finds where numbers stand and what they are worth, exactly; what they count (元, hours, rows) and whether 三点 is a
time is left to its callers. It never guesses: a word that may be no number (``one`` of them, 一起, 三四百) is none.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from msgspec.structs import replace

from kbtui.text.numbers.chinese import chinese, level_numerals
from kbtui.text.numbers.english import english
from kbtui.text.numbers.figures import figures
from kbtui.text.numbers.span import HAN, Kind, NumberSpan, decimal, english_words, vocabulary

__all__ = ["HAN", "Kind", "NumberSpan", "decimal", "english_words", "read_numbers", "value_of", "with_digits"]

_KEPT: Final = 2048
_FULL_WIDTH: Final = str.maketrans("０１２３４５６７８９．，％－＋：／　", "0123456789.,%-+:/ ")


@lru_cache(maxsize=_KEPT)
def read_numbers(text: str) -> tuple[NumberSpan, ...]:
    """The numbers of ``text`` in order; no two overlap. ``nineteen ninety-nine`` is none."""
    level = text.translate(_FULL_WIDTH)
    if not text.isascii():
        level = level_numerals(level)
    lower = _lower(level)
    spans = [*figures(level, text), *english(lower, text)]
    if not text.isascii():
        spans += chinese(level, text)
    kept: list[NumberSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(_marked(span, lower))
        elif span.end > kept[-1].end:
            kept[-1] = _marked(span, lower)
    return tuple(kept)


def value_of(text: str) -> Fraction | None:
    """The value of a text that is one number from its first character to its last; None for every other text."""
    # In a sentence 两 alone may be the weight.
    bare = "二" if (bare := text.strip()) in ("两", "兩") else bare
    spans = read_numbers(bare)
    return spans[0].value if len(spans) == 1 and len(spans[0].text) == len(bare) else None


def with_digits(text: str) -> str:
    """``text`` with its numbers in words written in digits: ``two hundred`` is 200, 第三 is 第3, 八五折 is 85折.

    Other ordinals and multipliers in words stay: ``the third`` and ``twice``. So does what is no decimal in the end:
    二分之一 becomes (1/2).
    """
    pieces, at = [], 0
    for span in read_numbers(text):
        if span.in_words and (digits := _digits(span)) is not None:
            pieces += [text[at : span.start], digits]
            at = span.end
    return "".join((*pieces, text[at:])) if pieces else text


def _digits(span: NumberSpan) -> str | None:
    first, last = span.text[0], span.text[-1]
    number = f"{span.value.numerator}/{span.value.denominator}" if decimal(span.value) is None else decimal(span.value)
    match span.kind:
        case "ordinal":
            return f"第{number}" if first == "第" else None
        case "multiplier":
            return f"{number}倍" if last == "倍" else None
        case "fraction":
            return f"({span.value.numerator}/{span.value.denominator})" if not span.text.isascii() else None
        case "percent" if last == "折":
            if first.isdigit():
                return None
            return f"{decimal(span.value).replace('0.', '')}折"  # type: ignore[union-attr]  # tenths and hundredths end
        case "percent":
            return f"{decimal(span.value * 100) or number}%"
        case _:
            return f"{number}{last if last in '多余餘几幾来來' else ''}"


def _lower(text: str) -> str:
    """``text`` in lower case, of the same length."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@cache
def _neighbour_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What makes the number behind it approximate, what only looks like it, and what makes the number before it so."""
    english_words, chinese_words = vocabulary("en"), vocabulary("zh")
    before = "|".join(english_words["approximate"].split())
    han = "|".join(chinese_words["approximate"].split())
    return (
        re.compile(rf"(?:\b(?:{before})\.?|[~≈]|{han})[ ]?[$€£¥￥]?$"),
        re.compile(rf"(?:{'|'.join(chinese_words['not_approximate'].split())})$"),
        re.compile(
            rf"[ -]?(?:{'|'.join(english_words['approximate_after'].split())})\b|[^\s，。,.]{{0,2}}(?:左右|上下)"
        ),
    )


def _marked(span: NumberSpan, text: str) -> NumberSpan:
    if span.approximate or span.kind == "ordinal":
        return span
    before, not_before, after = _neighbour_patterns()
    preceding = text[max(0, span.start - 16) : span.start]
    if (before.search(preceding) and not not_before.search(preceding)) or after.match(text, span.end):
        return replace(span, approximate=True)
    return span
