"""Answers at once what needs nothing but the clock and arithmetic: no plan, no model, no source (spec 004, 1.4).

Four readers look at a question in turn: clock and calendar, sums, units, rates. Each knows whole questions only. A
question with one word more than that is about something, and is left to the folder and the sources.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.analysis.arithmetic import Number, SumRefused, evaluate, shown
from kbtui.analysis.dates import told_date
from kbtui.analysis.days import NoSuchDay
from kbtui.analysis.units import conversion, is_about_rates
from kbtui.question.normalise import clean, question_language, strip_courtesies
from kbtui.text.calendar import BeyondCalendar
from kbtui.text.language import simplified
from kbtui.text.numbers import HAN, english_words

if TYPE_CHECKING:
    from kbtui.analysis.spoken_sums import Spoken

QuickKind = Literal["time", "date", "arithmetic", "units", "rates"]

_LONGEST: Final = 300
_MOST_SHOWN: Final = 60
_MOST_RATE_WORDS: Final = 14
_SIGNS: Final = re.compile(r"[\d\s.,+\-*/^()%!]+")
_EXACT_BITS: Final = 53
_NUMBER: Final = re.compile(rf"\d|[{HAN}]|\b(?:{english_words()}|pi)\b|π")

_REFUSED_ZH: Final = {
    "too_large": "这个数太大，无法计算{detail}。",
    "division_by_zero": "除数不能为零。",
    "too_long": "这个算式太长或嵌套太深。",
    "undefined": "这在实数范围内没有值。",
}


class QuickAnswer(Struct, frozen=True, kw_only=True):
    """An answer that was worked out at once.

    Attributes:
        markdown: In the language of the question.
        value: ISO 8601, a number, a name or a yes; None where there is none (refused, or a rate).
        kind: ``rates`` only says that the web is needed.
    """

    markdown: str
    value: int | float | str | bool | None
    kind: QuickKind


def as_read(query: str) -> str:
    """``query`` as the readers want it: lower case, simplified Chinese, courtesies gone."""
    text = clean(query[: _LONGEST * 4])
    return re.sub(r"[’`´]", "'", simplified(strip_courtesies(text) or text).lower()).strip()


def answer(query: str, now: datetime, tz: tzinfo | None = None) -> QuickAnswer | None:
    """The answer to a question about clock, calendar, sums or units; None for every other question.

    Args:
        now: The moment it is asked; a naive one is taken to be in ``tz``.
        tz: The asker's zone; that of ``now`` where it is left out, else that of this machine.
    """
    here = now.replace(tzinfo=tz) if now.tzinfo is None else now
    here = here.astimezone(tz) if tz is not None else here if here.tzinfo is not None else here.astimezone()
    text = as_read(query)
    is_chinese = question_language(text) == "zh"
    if len(text) > _LONGEST:
        return _refused(SumRefused("too_long"), is_chinese) if _SIGNS.fullmatch(text) else None
    try:
        told = told_date(text, here)
    except BeyondCalendar:
        said = BeyondCalendar.said("zh" if is_chinese else "en")
        return QuickAnswer(markdown=said, value=None, kind="date")
    except NoSuchDay as missing:
        said = f"日历上没有这一天：{missing}。" if is_chinese else f"The calendar has no such day: {missing}."
        return QuickAnswer(markdown=said, value=None, kind="date")
    if told is not None:
        return QuickAnswer(markdown=told.zh if is_chinese else told.en, value=told.value, kind=told.kind)
    return _sum(text, is_chinese) or _units(text, is_chinese) or _rates(text, is_chinese)


def kind_of(query: str, now: datetime | None = None) -> QuickKind | None:
    """Which reader answers ``query``; None where none does. The moment does not matter."""
    found = answer(query, now or datetime.fromisoformat("2001-01-01T12:00:00+00:00"))
    return found.kind if found else None


def _sum(text: str, is_chinese: bool) -> QuickAnswer | None:
    if not _NUMBER.search(text):
        return None
    # Its wordings take a tenth of a cold start to compile, and most questions hold no number.
    from kbtui.analysis.spoken_sums import spoken_sum

    spoken = spoken_sum(text)
    if spoken is None:
        return None
    try:
        value = evaluate(spoken.expression)
        more = [(f"{zh if is_chinese else en} {_money(evaluate(also), spoken.sign)}") for en, zh, also in spoken.also]
    except SumRefused as refusal:
        return None if refusal.why == "no_sum" else _refused(refusal, is_chinese)
    return _told_sum(spoken, value, more)


def _told_sum(spoken: Spoken, value: Number, more: list[str]) -> QuickAnswer:
    if spoken.is_percentage:
        written, exact = shown(value * 100)
        result = f"{written}%"
    else:
        written, exact = shown(value)
        result = f"{spoken.sign}{written}"
    pretty = _pretty(spoken.expression)
    equation = f"{pretty} {'=' if exact else '≈'} **{result}**" if len(pretty) <= _MOST_SHOWN else f"**{result}**"
    markdown = f"{equation} ({', '.join(more)})" if more else equation
    return QuickAnswer(markdown=markdown, value=_plain(value), kind="arithmetic")


def _money(value: Number, sign: str) -> str:
    return f"{sign}{shown(value)[0]}"


def _pretty(expression: str) -> str:
    """As a reader writes it; nothing in it may be taken for Markdown."""
    text = re.sub(r"\(\((\d[\d.,]*)\)\)", r"(\1)", expression)
    text = text.replace("**", "^").replace("//", " div ").replace("<<", " shl ").replace(">>", " shr ")
    text = re.sub(r"\s*([*/])\s*", lambda sign: " × " if sign[1] == "*" else " ÷ ", text)
    text = re.sub(r"(?<=[\d)%!])\s*([+-])\s*", r" \1 ", text)
    text = re.sub(r"(?<=e) \+ (?=\d)", "+", text)
    text = text.removeprefix("(").removesuffix(")") if re.fullmatch(r"\([^()]*\)", text) else text
    return re.sub(r"\s+", " ", text).replace(" - ", " − ").strip()


def _plain(value: Number) -> int | float | str:
    """JSON-safe: whole numbers as they are, those beyond a float as text."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return value.numerator if value.numerator.bit_length() <= _EXACT_BITS else str(value.numerator)
        try:
            return float(value)
        except OverflowError:
            return shown(value)[0]
    return value


def _refused(refusal: SumRefused, is_chinese: bool) -> QuickAnswer:
    if is_chinese:
        digits = re.search(r"about ([\d,]+) digits", refusal.detail)
        detail = f"（约 {digits[1]} 位数字）" if digits else ""
        said = _REFUSED_ZH[refusal.why].format(detail=detail)
    else:
        said = refusal.message
    return QuickAnswer(markdown=said, value=None, kind="arithmetic")


def _units(text: str, is_chinese: bool) -> QuickAnswer | None:
    found = conversion(text)
    if found is None:
        return None
    note = found.note[1 if is_chinese else 0]
    if found.amount is None:
        return QuickAnswer(markdown=note, value=None, kind="units")
    written, exact = shown(found.amount)
    sign = "=" if exact and not found.is_rounded else "≈"
    suffix = f"（{note}）" if note and is_chinese else f" ({note})" if note else ""
    return QuickAnswer(
        markdown=f"{found.given} {sign} **{written} {found.symbol}**{suffix}", value=_plain(found.amount), kind="units"
    )


def _rates(text: str, is_chinese: bool) -> QuickAnswer | None:
    if len(text.split()) > _MOST_RATE_WORDS or not is_about_rates(text):
        return None
    said = (
        "汇率随时变动，需要联网查询，这里不做估算。"
        if is_chinese
        else "Exchange rates change by the minute: they need the web and are not guessed here."
    )
    return QuickAnswer(markdown=said, value=None, kind="rates")
