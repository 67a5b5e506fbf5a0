"""Parses sums in words: ``18 percent tip on 20 dollars``, ``320除以4``, ``square root of 104``.

Each wording is a pattern with its replacement by signs; after all replacements the whole text must be an expression. A
question with any other word is therefore no sum, and is left to the folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from kbtui.analysis.arithmetic import FUNCTION_NAMES
from kbtui.text.numbers import with_digits
from kbtui.text.patterns import Patterns, needle_pattern, unframed
from kbtui.text.word_lists import filled, toml_in

_MAX_LENGTH: Final = 300
_N: Final = r"(\([^()]*\)|(?<![\d.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?%?)"
_LIST: Final = r"(?P<list>[\d.,%\s()*/^+-]+(?:(?:、|\band\b|和|与|跟|及)[\d.,%\s()*/^+-]+)*)"
_TABLES: Final = toml_in(__package__, "spoken_sums.toml")


class SpokenSum(Struct, frozen=True, kw_only=True):
    """A sum as an expression.

    Attributes:
        expression: As `arithmetic.evaluate` reads it.
        sign: The sign of its currency; empty for plain numbers.
        is_percentage: The result is a share, shown in per cent.
        also: Further expressions of the answer, each with its name in English and in Chinese.
    """

    expression: str
    sign: str = ""
    is_percentage: bool = False
    also: tuple[tuple[str, str, str], ...] = ()


_RE: Final = Patterns(__package__, "spoken_sums.toml", N=_N)
_BEFORE: Final = (_RE.frame_before, _RE.frame_before_zh)
_AFTER: Final = (_RE.frame_after, _RE.frame_after_zh)
_Replacement = str | Callable[[re.Match[str]], str]


def _list_call(match: re.Match[str], function: str) -> str:
    parts = [part.strip(" ,") for part in re.split(r",(?!\d{3}(?!\d))|、|\band\b|和|与|跟|及", match["list"])]
    return f"{function}({', '.join(part for part in parts if part)})"


def _list_rule(name: str, function: str) -> tuple[re.Pattern[str], _Replacement]:
    chinese = not name.isascii()
    english = rf"(?:the )?{name}(?: value)? (?:of|between|from) (?:the numbers )?{_LIST}$"
    written = rf"{_LIST}的{name}" if chinese else english
    return needle_pattern(written), lambda match: _list_call(match, function)


def _patterns(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((needle_pattern(filled(text, {"N": _N})), replacement) for text, replacement in _TABLES[name])


RULES: Final[tuple[tuple[re.Pattern[str], _Replacement], ...]] = (
    *(_list_rule(name, function) for function, names in _TABLES["functions"].items() for name in names),
    *_patterns("rules"),
)
PERCENTAGES: Final = _patterns("percentages")


def spoken_sum(text: str) -> SpokenSum | None:
    """The sum that ``text`` asks for and nothing else; None when it asks for anything but a sum.

    Args:
        text: Lower case, simplified Chinese, without courtesies.
    """
    bare = unframed(text, _BEFORE, _AFTER)
    framed = len(bare) < len(text.strip(" ?？=.。"))
    sign = next((match[1] for match in _RE.money_sign.finditer(bare)), "")
    bare = _RE.money_sign.sub("", with_digits(bare))
    if len(bare) > _MAX_LENGTH or (_RE.endless.search(bare) and not _RE.bare.fullmatch(bare)):
        return None
    bare = _RE.money_word.sub("", bare)
    plain = re.sub(r"\s*(?:percent|per cent)(?![a-z])", "%", bare) if re.search(r"\d\s*per ?cent", bare) else bare
    if shared := _tip_or_split(unframed(plain, _BEFORE, _AFTER), sign):
        return shared
    for wording, replacement in PERCENTAGES:
        if _RE.asks_share.search(with_digits(text)) and (match := wording.fullmatch(unframed(bare, _BEFORE, _AFTER))):
            return SpokenSum(expression=match.expand(replacement).removesuffix("/()"), is_percentage=True)
    if _RE.no_sum.fullmatch(bare) and (
        not framed or re.fullmatch(r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?/\d\d?/\d{2,4}|0\d.*", bare)
    ):
        return None
    expression = _in_signs(bare)
    return SpokenSum(expression=expression, sign=sign) if _is_sum(expression, framed=framed) else None


def _in_signs(text: str) -> str:
    if _RE.bare.fullmatch(text):
        return re.sub(r"\s+", " ", text).strip()
    before = ""
    rounds = 0
    while text != before and rounds < 12:
        before, rounds = text, rounds + 1
        for wording, replacement in RULES:
            text = wording.sub(replacement, text)
        text = unframed(text, _BEFORE, _AFTER)
    return re.sub(r"\s+", " ", text).strip()


def _is_sum(expression: str, *, framed: bool) -> bool:
    if not expression or (not expression.isascii() and not re.fullmatch(r"[\x00-\x7fπ√]+", expression)):
        return False
    names = set(re.findall(r"[a-z][a-z0-9]*", re.sub(r"\d[\d,.]*e[+-]?\d+", "1", expression)))
    if not _RE.signs_only.fullmatch(expression) or names - FUNCTION_NAMES - {"pi", "e", "mod", "tau"}:
        return False
    if re.fullmatch(r"\d[\d.]*e[+-]?\d+", expression):
        return framed or len(expression.rpartition("e")[2]) > 2
    one_is_enough = re.search(r"[!√]|\b(?:" + "|".join(FUNCTION_NAMES) + r")\s*\(", expression)
    return bool(one_is_enough) or (
        len(_RE.operands.findall(expression)) > 1 and bool(re.search(r"[-+*/^%<>]|mod", expression))
    )


def _tip_or_split(text: str, sign: str) -> SpokenSum | None:
    """The sum for a tip, or for a bill that is split."""
    tipped = None
    if match := _RE.tip.fullmatch(text):
        tipped = (match[2] or match[3] or match[6], match[1] or match[4] or match[5], match[7])
    elif match := _RE.tip_zh.fullmatch(text):
        tipped = (match[1], match[2], match[3])
    if tipped:
        bill, rate, people = tipped
        tip, total = f"{bill}*{rate}%", f"{bill} + {rate}%"
        if people:
            also = (("tip", "小费", tip), ("total", "合计", total))
            return SpokenSum(expression=f"({total})/{people}", sign=sign, also=also)
        return SpokenSum(expression=tip, sign=sign, also=(("total", "合计", total),))
    if match := _RE.split.fullmatch(text):
        shared, heads = match[1] or match[3] or match[5], match[2] or match[4] or match[6]
        return SpokenSum(expression=f"{shared}/{heads}", sign=sign)
    return None
