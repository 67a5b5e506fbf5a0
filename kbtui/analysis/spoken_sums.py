"""Sums as people ask for them: ``18 percent tip on 20 dollars``, ``320除以4``, ``square root of 104``.

Each wording is a pattern and what it becomes in signs; what is left when none fits any more must be a sum from its
first character to its last. A question with one word too many is therefore no sum, and is asked of the folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kbtui.analysis.arithmetic import FUNCTION_NAMES
from kbtui.analysis.frames import unframed
from kbtui.text.numbers import with_digits
from kbtui.text.word_lists import filled, toml_in

_LONGEST: Final = 300
_N: Final = r"(\([^()]*\)|(?<![\d.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?%?)"
_LIST: Final = r"(?P<list>[\d.,%\s()*/^+-]+(?:(?:、|\band\b|和|与|跟|及)[\d.,%\s()*/^+-]+)*)"
_TABLES: Final = toml_in(__package__, "spoken_sums.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A sum in signs.

    Attributes:
        expression: As `arithmetic.evaluate` reads it.
        sign: Of the money it is about; empty for plain numbers.
        is_percentage: The result is a share and shown in per cent.
        also: More sums that belong to the answer, each with its name in English and in Chinese.
        framed: Words asked for it; a bare ``10-12`` may be something else.
    """

    expression: str
    sign: str = ""
    is_percentage: bool = False
    also: tuple[tuple[str, str, str], ...] = ()
    framed: bool = False


_FRAME_BEFORE = re.compile(
    r"""(?:what(?:'s|s|\ is|\ are|\ does|\ do|\ would|\ will)?(?:\ (?:be|you\ get\ (?:when|if)\ you))?
    |how\ much(?:\ (?:is|are|does|would|will))?(?:\ be)?
    |provide|calculate|compute|work\ out|evaluate|solve|find(?:\ out)?|figure\ out|tell\ me|give\ me
    |show\ me|do|get|please|quick(?:ly)?
    |(?:can|could|would)\ (?:you|u)|(?:i\ )?(?:need|want|would\ like|wanna|gotta|have)(?:\ to)?(?:\ know
    |\ find|\ see)?
    |(?:help\ me|let's|let\ me)(?:\ (?:with|to))?|(?:what\ )?(?:the\ )?(?:answer|solution|result|value
    |outcome)(?:\ (?:to|of|for|is))*
    |if|an?|the|of|so|and|hey|ok(?:ay)?|is|math|something|someone|:|=)(?=[\s\d(:=$€£¥√]|$)[\s,:=]*""",
    re.X,
)
_FRAME_AFTER = re.compile(
    r"""[\s,]*(?:\?|=|\.(?!\d)|!(?<=\s!)|please|pls|plz|for\ me|thanks?|thank\ you|equals?(?:\ (?:to|what))?|(?:is
    |are)(?:\ (?:what|equal(?:\ to)?|it))*
    |makes?|come\ to|give|how\ much(?:\ is\ (?:it|that)|\ (?:do|would|will)\ (?:i|we)\ (?:pay|owe))?
    |what\ is\ (?:it|that)|(?:as|in|to)\ (?:an?\ )?decimals?|be|in\ total|total|altogether|approximately|exactly)$""",
    re.X,
)
_FRAME_BEFORE_ZH = re.compile(
    r"(?:请问|请|麻烦|帮忙|帮我|给我|我想知道|我想|你知道|计算|算算|算出|算|求|一下|下|那么|那"
    r"|如果|问|看看|结果|多少是|原价|把|的|：|:|,|，|\s)+"
)
_FRAME_AFTER_ZH = re.compile(
    r"(?:\s|[=?？。吗呢呀啊,，、]|等于|是|得|为|得到|结果|的结果|多少钱|多少|几元|几|什么|一共"
    r"|总共|合计|后|之后|应付|要付|要|每人|各付|现在|卖|的值|一下|[化写换]成小数)+$"
)
_BEFORE: Final = (_FRAME_BEFORE, _FRAME_BEFORE_ZH)
_AFTER: Final = (_FRAME_AFTER, _FRAME_AFTER_ZH)
_MONEY_SIGN = re.compile(r"(?:us|ca|au|hk|nz)?([$€£¥￥])\s?(?=\d)")
_MONEY_WORD = re.compile(
    r"(?<=\d)\s?(?:dollars?|bucks?|usd|euros?|eur|pounds?\ sterling|gbp|rmb|cny|yuan|rupees?|元"
    r"|块钱|块|圆|欧元|美元|美金|人民币)(?![a-z])"
)
_NO_SUM = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}/\d{1,2}/\d{2,4}|\d{1,4}-\d{1,4}(?:-\d+)*|\d+x\d+|0\d+.*")
_SIGNS_ONLY = re.compile(r"[\d\s.,+\-*/^()%!√<>πa-z]+")
_ENDLESS = re.compile(r"[\d,.]{60}")
"""No number that somebody says; the wordings take long to find their way through it."""
_BARE = re.compile(r"[\d\s.,+\-*/^%!]+")
_OPERANDS = re.compile(r"\d[\d,.]*(?:e[+-]?\d+)?|\bpi\b|π|\be(?=\s*\^)")
_Made = str | Callable[[re.Match[str]], str]


def _listed(match: re.Match[str], function: str) -> str:
    parts = [part.strip(" ,") for part in re.split(r",(?!\d{3}(?!\d))|、|\band\b|和|与|跟|及", match["list"])]
    return f"{function}({', '.join(part for part in parts if part)})"


def _list_rule(name: str, function: str) -> tuple[re.Pattern[str], _Made]:
    chinese = not name.isascii()
    english = rf"(?:the )?{name}(?: value)? (?:of|between|from) (?:the numbers )?{_LIST}$"
    written = rf"{_LIST}的{name}" if chinese else english
    return re.compile(written), lambda match: _listed(match, function)


def _patterns(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(filled(pattern, {"N": _N})), made) for pattern, made in _TABLES[name])


_RULES: Final[tuple[tuple[re.Pattern[str], _Made], ...]] = (
    *(_list_rule(name, function) for function, names in _TABLES["functions"].items() for name in names),
    *_patterns("rules"),
)
_PERCENTAGES: Final = _patterns("percentages")
_ASKS_SHARE = re.compile(r"(?:百|100)分[之比数]|%|percent|per cent|share|增长率|涨幅|跌幅|降幅|变化率")
_TIP = re.compile(
    rf"(?:(\d[\d.]*)%\s*(?:tip|gratuity)(?: (?:on|for|of|to))?(?: an?| the)?(?: bill)?(?: of)?\s+{_N}"
    rf"|{_N},?\s*(?:with|plus|and)?\s*(?:an? )?(\d[\d.]*)%\s*(?:tip|gratuity)|(?:tip"
    rf"|gratuity)\s+(\d[\d.]*)%\s+on\s+{_N})"
    r"(?:\s*,?\s*(?:and )?(?:split|divided|shared)\s*(?:it )?(?:between|among|by|into|in)?\s*(?:the )?(\d+)?"
    r"\s*(?:ways?|people|persons?|of us|friends)?)?"
)
_TIP_ZH = re.compile(
    rf"{_N}(?:的账单)?,?\s*(?:加|付|给|的)?\s*(\d[\d.]*)%的?小费(?:,?\s*(\d+)\s*个?人\s*(?:平分"
    rf"|均分|平摊|分摊|aa制?|分))?"
)
_SPLIT = re.compile(
    rf"(?:split|share|divide)\s+(?:a (?:bill|check) of )?{_N}\s*(?:between|among|by|into"
    rf"|in)?\s*(\d+)\s*(?:ways?|people|persons?|of us|friends)"
    rf"|{_N},?\s*(?:split|shared|divided)\s*(?:between|among|by|into|in)?\s*(\d+)\s*(?:ways?|people"
    rf"|persons?|of us|friends)"
    rf"|{_N},?\s*(\d+)\s*个?人\s*(?:平分|均分|平摊|分摊|aa制?|分)"
)
_BMI = re.compile(r"(?<![a-z])bmi(?![a-z])|体重指数|身体质量指数|体质指数")
_KILOGRAMS = re.compile(r"(\d+(?:\.\d+)?)\s*(?:kg|kgs|kilos?|kilograms?|公斤|千克)|体重\s*(\d+(?:\.\d+)?)(?!\s*斤)")
_CENTIMETRES = re.compile(r"(\d+(?:\.\d+)?)\s*(?:cm|centimet(?:er|re)s?|厘米|公分)|身高\s*(\d{3})(?!\d)")
_METRES = re.compile(r"(\d(?:\.\d+)?)\s*(?:m|met(?:er|re)s?|米)(?![a-z])|身高\s*(\d\.\d+)")


def spoken_sum(text: str) -> Spoken | None:
    """The sum that ``text`` asks for and nothing else; None when it asks for anything but a sum.

    Args:
        text: Lower case, simplified Chinese, without courtesies.
    """
    if bmi := _bmi(text):
        return bmi
    bare = unframed(text, _BEFORE, _AFTER)
    framed = len(bare) < len(text.strip(" ?？=.。"))
    sign = next((match[1] for match in _MONEY_SIGN.finditer(bare)), "")
    bare = _MONEY_SIGN.sub("", with_digits(bare))
    if len(bare) > _LONGEST or (_ENDLESS.search(bare) and not _BARE.fullmatch(bare)):
        return None
    bare = _MONEY_WORD.sub("", bare)
    plain = re.sub(r"\s*(?:percent|per cent)(?![a-z])", "%", bare) if re.search(r"\d\s*per ?cent", bare) else bare
    if found := _shared(unframed(plain, _BEFORE, _AFTER), sign):
        return found
    for pattern, made in _PERCENTAGES:
        if _ASKS_SHARE.search(with_digits(text)) and (match := pattern.fullmatch(unframed(bare, _BEFORE, _AFTER))):
            return Spoken(expression=match.expand(made).removesuffix("/()"), is_percentage=True, framed=True)
    if _NO_SUM.fullmatch(bare) and (
        not framed or re.fullmatch(r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?/\d\d?/\d{2,4}|0\d.*", bare)
    ):
        return None
    expression = _in_signs(bare)
    return Spoken(expression=expression, sign=sign, framed=framed) if _is_sum(expression, framed=framed) else None


def _in_signs(text: str) -> str:
    if _BARE.fullmatch(text):
        return re.sub(r"\s+", " ", text).strip()
    before = ""
    rounds = 0
    while text != before and rounds < 12:
        before, rounds = text, rounds + 1
        for pattern, made in _RULES:
            text = pattern.sub(made, text)
        text = unframed(text, _BEFORE, _AFTER)
    return re.sub(r"\s+", " ", text).strip()


def _is_sum(expression: str, *, framed: bool) -> bool:
    if not expression or (not expression.isascii() and not re.fullmatch(r"[\x00-\x7fπ√]+", expression)):
        return False
    names = set(re.findall(r"[a-z][a-z0-9]*", re.sub(r"\d[\d,.]*e[+-]?\d+", "1", expression)))
    if not _SIGNS_ONLY.fullmatch(expression) or names - FUNCTION_NAMES - {"pi", "e", "mod", "tau"}:
        return False
    if re.fullmatch(r"\d[\d.]*e[+-]?\d+", expression):
        return framed or len(expression.rpartition("e")[2]) > 2
    one_is_enough = re.search(r"[!√]|\b(?:" + "|".join(FUNCTION_NAMES) + r")\s*\(", expression)
    return bool(one_is_enough) or (
        len(_OPERANDS.findall(expression)) > 1 and bool(re.search(r"[-+*/^%<>]|mod", expression))
    )


def _shared(text: str, sign: str) -> Spoken | None:
    """Tips, and bills that are split."""
    tipped = None
    if match := _TIP.fullmatch(text):
        tipped = (match[2] or match[3] or match[6], match[1] or match[4] or match[5], match[7])
    elif match := _TIP_ZH.fullmatch(text):
        tipped = (match[1], match[2], match[3])
    if tipped:
        bill, rate, people = tipped
        tip, total = f"{bill}*{rate}%", f"{bill} + {rate}%"
        if people:
            also = (("tip", "小费", tip), ("total", "合计", total))
            return Spoken(expression=f"({total})/{people}", sign=sign, also=also, framed=True)
        return Spoken(expression=tip, sign=sign, also=(("total", "合计", total),), framed=True)
    if match := _SPLIT.fullmatch(text):
        shared, heads = match[1] or match[3] or match[5], match[2] or match[4] or match[6]
        return Spoken(expression=f"{shared}/{heads}", sign=sign, framed=True)
    return None


def _bmi(text: str) -> Spoken | None:
    if not _BMI.search(text):
        return None
    written = with_digits(text)
    weight, height = _KILOGRAMS.search(written), _CENTIMETRES.search(written)
    metres = None if height else _METRES.search(written)
    if weight is None or (height is None and metres is None):
        return None
    tall = f"({height[1] or height[2]}/100)" if height else f"{metres[1] or metres[2]}" if metres else ""
    return Spoken(expression=f"{weight[1] or weight[2]}/{tall}^2", framed=True)
