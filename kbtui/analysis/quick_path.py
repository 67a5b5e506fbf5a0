"""The quick path: answers from the clock and arithmetic alone, without plan, model or source (spec 004, 1.4).

Four parsers try a question in turn: clock and calendar, sums, units, rates. Each matches whole questions only; a
question with any other word is left to the folder and the sources.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.analysis.arithmetic import Number, SumRefused, evaluate, format_number
from kbtui.analysis.dates import answer_date_question
from kbtui.analysis.days import NoSuchDay
from kbtui.analysis.units import conversion, is_about_rates
from kbtui.question.normalise import clean, question_language, strip_courtesies
from kbtui.text.calendar import BeyondCalendar
from kbtui.text.language import simplified
from kbtui.text.numbers import HAN, english_words

if TYPE_CHECKING:
    from kbtui.analysis.spoken_sums import SpokenSum

QuickKind = Literal["time", "date", "arithmetic", "units", "rates"]

_MAX_LENGTH: Final = 300
_MAX_SHOWN: Final = 60
_MAX_RATE_WORDS: Final = 14
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
    """An answer of the quick path.

    Attributes:
        markdown: Text in the language of the question.
        value: ISO 8601, a number, a name or a boolean; None if there is no value (refused, or a rate).
        kind: The parser; ``rates`` says that the web is needed.
    """

    markdown: str
    value: int | float | str | bool | None
    kind: QuickKind


def normalise_query(query: str) -> str:
    """``query`` in lower case and simplified Chinese, without courtesies."""
    text = clean(query[: _MAX_LENGTH * 4])
    return re.sub(r"[’`´]", "'", simplified(strip_courtesies(text) or text).lower()).strip()


def quick_answer(query: str, now: datetime, tz: tzinfo | None = None) -> QuickAnswer | None:
    """The answer to a question about clock, calendar, sums or units; None for every other question.

    Args:
        now: The current time; a naive one is in ``tz``.
        tz: The asker's zone; that of ``now`` if None, else that of this machine.
    """
    local_now = now.replace(tzinfo=tz) if now.tzinfo is None else now
    if tz is not None or local_now.tzinfo is None:
        local_now = local_now.astimezone(tz)
    text = normalise_query(query)
    is_chinese = question_language(text) == "zh"
    if len(text) > _MAX_LENGTH:
        return _refusal(SumRefused("too_long"), is_chinese) if _SIGNS.fullmatch(text) else None
    try:
        date_answer = answer_date_question(text, local_now)
    except BeyondCalendar:
        message = BeyondCalendar.said("zh" if is_chinese else "en")
        return QuickAnswer(markdown=message, value=None, kind="date")
    except NoSuchDay as missing:
        message = f"日历上没有这一天：{missing}。" if is_chinese else f"The calendar has no such day: {missing}."
        return QuickAnswer(markdown=message, value=None, kind="date")
    if date_answer is not None:
        return QuickAnswer(
            markdown=date_answer.zh if is_chinese else date_answer.en, value=date_answer.value, kind=date_answer.kind
        )
    return _answer_sum(text, is_chinese) or _answer_conversion(text, is_chinese) or _answer_rates(text, is_chinese)


def quick_kind(query: str) -> QuickKind | None:
    """The kind of the quick answer to ``query``; None if there is none. The time does not matter."""
    result = quick_answer(query, datetime(2001, 1, 1, 12, tzinfo=UTC))
    return result.kind if result else None


def _answer_sum(text: str, is_chinese: bool) -> QuickAnswer | None:
    if not _NUMBER.search(text):
        return None
    # Imported late: its patterns take a tenth of a cold start, and most questions have no number.
    from kbtui.analysis.spoken_sums import spoken_sum

    spoken = spoken_sum(text)
    if spoken is None:
        return None
    try:
        value = evaluate(spoken.expression)
        more = [(f"{zh if is_chinese else en} {_money(evaluate(also), spoken.sign)}") for en, zh, also in spoken.also]
    except SumRefused as refusal:
        return None if refusal.reason == "no_sum" else _refusal(refusal, is_chinese)
    return _sum_answer(spoken, value, more)


def _sum_answer(spoken: SpokenSum, value: Number, more: list[str]) -> QuickAnswer:
    if spoken.is_percentage:
        written, exact = format_number(value * 100)
        result = f"{written}%"
    else:
        written, exact = format_number(value)
        result = f"{spoken.sign}{written}"
    pretty = _readable(spoken.expression)
    equation = f"{pretty} {'=' if exact else '≈'} **{result}**" if len(pretty) <= _MAX_SHOWN else f"**{result}**"
    markdown = f"{equation} ({', '.join(more)})" if more else equation
    return QuickAnswer(markdown=markdown, value=_json_value(value), kind="arithmetic")


def _money(value: Number, sign: str) -> str:
    return f"{sign}{format_number(value)[0]}"


def _readable(expression: str) -> str:
    """An expression in mathematical notation, without characters that are Markdown."""
    text = re.sub(r"\(\((\d[\d.,]*)\)\)", r"(\1)", expression)
    text = text.replace("**", "^").replace("//", " div ").replace("<<", " shl ").replace(">>", " shr ")
    text = re.sub(r"\s*([*/])\s*", lambda sign: " × " if sign[1] == "*" else " ÷ ", text)
    text = re.sub(r"(?<=[\d)%!])\s*([+-])\s*", r" \1 ", text)
    text = re.sub(r"(?<=e) \+ (?=\d)", "+", text)
    text = text.removeprefix("(").removesuffix(")") if re.fullmatch(r"\([^()]*\)", text) else text
    return re.sub(r"\s+", " ", text).replace(" - ", " − ").strip()


def _json_value(value: Number) -> int | float | str:
    """The value for JSON: integers unchanged, numbers beyond a float as text."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return value.numerator if value.numerator.bit_length() <= _EXACT_BITS else str(value.numerator)
        try:
            return float(value)
        except OverflowError:
            return format_number(value)[0]
    return value


def _refusal(refusal: SumRefused, is_chinese: bool) -> QuickAnswer:
    if is_chinese:
        digits = re.search(r"about ([\d,]+) digits", refusal.detail)
        detail = f"（约 {digits[1]} 位数字）" if digits else ""
        message = _REFUSED_ZH[refusal.reason].format(detail=detail)
    else:
        message = refusal.message
    return QuickAnswer(markdown=message, value=None, kind="arithmetic")


def _answer_conversion(text: str, is_chinese: bool) -> QuickAnswer | None:
    result = conversion(text)
    if result is None:
        return None
    note = result.note[1 if is_chinese else 0]
    if result.amount is None:
        return QuickAnswer(markdown=note, value=None, kind="units")
    written, exact = format_number(result.amount)
    sign = "=" if exact and not result.is_rounded else "≈"
    suffix = f"（{note}）" if note and is_chinese else f" ({note})" if note else ""
    return QuickAnswer(
        markdown=f"{result.given} {sign} **{written} {result.symbol}**{suffix}",
        value=_json_value(result.amount),
        kind="units",
    )


def _answer_rates(text: str, is_chinese: bool) -> QuickAnswer | None:
    if len(text.split()) > _MAX_RATE_WORDS or not is_about_rates(text):
        return None
    message = (
        "汇率随时变动，需要联网查询，这里不做估算。"
        if is_chinese
        else "Exchange rates change by the minute: they need the web and are not guessed here."
    )
    return QuickAnswer(markdown=message, value=None, kind="rates")
