"""Numbers of a question with the units beside them: ``$5``, ``10 kg``, ``3 个``, ``5万元``."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from kbtui.question.model import NumberMention, Token, TokenSpan
from kbtui.question.words import Words
from kbtui.text.numbers import read_numbers
from kbtui.text.units import canonical_units

_COUNTS_BEFORE: Final = frozenset("前后第过于少多只仅近到有超足满=><")
_COUNTS_BEHIND: Final = ("以上", "以下", "以内", "及以", "或")
_LONGEST_UNIT: Final = 4
_AMBIGUOUS: Final = frozenset(
    ("in", "a", "s", "c", "f", "k", "b", "g", "l", "m", "d", "h", "w", "t", "au", "st", "li", "chi", "cup", "score")
) | frozenset(("pair", "one", "won", "item", "piece", "unit", "units", "items", "pieces", "scores", "cups", "pairs"))
"""Units that are ordinary words, or letters, unless they are glued to their number."""


def number_mentions(plain: str, tokens: Sequence[Token], words: Words) -> tuple[NumberMention, ...]:
    """The numbers of a question, in order.

    Args:
        plain: The question as `kbtui.question.tokens.level` has it.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    found = []
    for number in read_numbers(plain):
        first, last = bisect_right(starts, number.start) - 1, bisect_left(ends, number.end) + 1
        if tokens[first].kind == "word" and any(letter.isdigit() for letter in tokens[first].norm):
            # Digits inside of a code.
            continue
        span, unit = TokenSpan(first, last), "%" if number.kind == "percent" else ""
        if not unit and number.kind in ("cardinal", "fraction"):
            span, unit = _with_unit(tokens, span, words)
        if _is_article(tokens, number.text, span, unit, words):
            continue
        found.append(NumberMention(span=span, value=number.value, kind=number.kind, unit=unit))
    return tuple(found)


def _is_article(tokens: Sequence[Token], text: str, span: TokenSpan, unit: str, words: Words) -> bool:
    """一本书 is a book; 前一本, 一本以上 and 只有一本 are one."""
    if text != "一" or unit not in words.measures:
        return False
    before = tokens[span.first - 1].norm if span.first else ""
    behind = "".join(token.norm for token in tokens[span.last : span.last + 2])
    return before not in _COUNTS_BEFORE and not behind.startswith(_COUNTS_BEHIND)


def _with_unit(tokens: Sequence[Token], span: TokenSpan, words: Words) -> tuple[TokenSpan, str]:
    table = canonical_units()
    if span.first and (unit := table.get(tokens[span.first - 1].norm)) and tokens[span.first - 1].kind == "punctuation":
        return TokenSpan(span.first - 1, span.last), unit
    for length in range(min(_LONGEST_UNIT, len(tokens) - span.last), 0, -1):
        behind = tokens[span.last : span.last + length]
        is_han = behind[0].kind == "han"
        name = "".join(token.norm for token in behind) if is_han else " ".join(token.norm for token in behind)
        is_glued = behind[0].start == tokens[span.last - 1].end
        if name in words.measures:
            return TokenSpan(span.first, span.last + length), name
        if name in table and (is_han or is_glued or name not in _AMBIGUOUS):
            return TokenSpan(span.first, span.last + length), table[name]
    return span, ""
