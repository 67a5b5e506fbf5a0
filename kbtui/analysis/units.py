"""Converts between units, English and Chinese ones: ``5 feet 11 in cm``, ``三斤二两是多少克``, ``100°F``.

The usual units are in `kbtui.text.units` with exact sizes, so that a conversion costs no import and no rounding; pint
knows the rest (slugs, furlongs, fortnights…) and is loaded only for a question that names two units it knows. Money is
not converted: rates change by the minute and are on the web.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from kbtui import late_patterns
from kbtui.text.numbers import english_words, with_digits
from kbtui.text.patterns import Patterns, unframed
from kbtui.text.units import Unit, units
from kbtui.text.word_lists import filled, toml_in

_MAX_LENGTH: Final = 120
_MAX_KEPT: Final = 256
_KELVIN_AT_ZERO: Final = {"°C": Fraction("273.15"), "°F": Fraction("459.67") * Fraction(5, 9), "K": Fraction(0)}


class Conversion(Struct, frozen=True, kw_only=True):
    """One amount in two units.

    Attributes:
        given: The converted amount as text: ``5 ft 11 in``.
        amount: In the target unit; None if it cannot be converted, and ``note`` says why.
        symbol: The target unit.
        is_rounded: The sizes of the units are themselves rounded.
        note: English and Chinese; may be empty.
    """

    given: str
    amount: Fraction | None
    symbol: str
    is_rounded: bool = False
    note: tuple[str, str] = ("", "")


_AMOUNT = r"(?:\d[\d,]*(?:\.\d+)?(?:\s?/\s?\d+)?|\.\d+)"


def _names_of(text: str) -> tuple[str, ...]:
    """The names of units that ``text`` holds, longest first: patterns of all of them take half a second to compile."""
    return tuple(sorted((name for name in units() if name in text), key=lambda name: (-len(name), name)))


@lru_cache(_MAX_KEPT)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    unit = rf"(?:{'|'.join(map(re.escape, names))})(?![a-z°²³])"
    return late_patterns.pattern(rf"\s*(?:and|又|零)?\s*(-?{_AMOUNT})\s*[-]?\s*({unit})"), late_patterns.pattern(
        rf"({unit})"
    )


_TABLES: Final = toml_in(__package__, "units.toml")
_RE: Final = Patterns(__package__, "units.toml", NUMBER_WORDS=english_words(), AMOUNT=_AMOUNT)
_BEFORE: Final = (_RE.frame_before, _RE.frame_before_zh)
_AFTER: Final = (_RE.frame_after, _RE.frame_after_zh)


@lru_cache(_MAX_KEPT)
def _questions(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Whole questions with groups ``given`` (amounts or a unit) and ``wanted`` (a unit)."""
    parts = {"AMOUNT": _AMOUNT, "UNIT": _patterns(names)[1].pattern[1:-1]}
    for name, part in _TABLES["question_parts"].items():
        parts[name.upper()] = filled(part, parts)
    return tuple(late_patterns.pattern(filled(pattern, parts)) for pattern in _TABLES["questions"])


def _mismatch(given: str, source: Unit, target: Unit) -> Conversion:
    kinds = f"{_TABLES['dimensions_zh'][source.dimension]}与{_TABLES['dimensions_zh'][target.dimension]}"
    zh = f"{source.symbol} 与 {target.symbol} 量的不是同一种东西（{kinds}）"
    en = f"{source.symbol} and {target.symbol} measure different things ({source.dimension} and {target.dimension})"
    return Conversion(given=given, amount=None, symbol=target.symbol, note=(f"{en}.", f"{zh}，无法换算。"))


def is_about_rates(text: str) -> bool:
    """Whether a question asks for an exchange rate, which needs the web."""
    return bool(_RE.rates.search(text)) and bool(_RE.amount_of_money.search(text))


def conversion(text: str) -> Conversion | None:
    """The conversion that ``text`` asks for and nothing else.

    Args:
        text: Lower case, simplified Chinese, without courtesies.
    """
    bare = unframed(with_digits(_with_decimal_halves(text)), _BEFORE, _AFTER)
    # 多少钱 asks for a price, not for the weight 钱.
    if len(bare) > _MAX_LENGTH or "多少钱" in text:
        return None
    is_outright = _RE.outright.search(text) is not None
    names = _names_of(bare)
    for pattern in _questions(names) if _has_comparable_units(bare) or (is_outright and len(names) > 1) else ():
        if match := pattern.fullmatch(bare):
            return _convert(match["given"], match["wanted"], names, tells_mismatch=is_outright)
    return _by_pint(bare) if _has_rare_unit(bare) else None


def _has_comparable_units(text: str) -> bool:
    """Whether a text names two units of the same dimension; a cheap test before the patterns."""
    table = units()
    words = re.findall(r"[a-zµ°][a-z°²³]*(?:/[a-z]+)?|[a-z]+[23]\b", text)
    names = {*words, *map(" ".join, pairwise(words))}
    named_units = {table[name] for name in names if name in table}
    if not text.isascii():
        named_units |= {unit for name, unit in table.items() if not name.isascii() and name in text}
    # An ounce is also a volume, and a name may be that of two units (磅, 度).
    dimensions = Counter(unit.dimension for unit in named_units)
    return any(count > 1 for count in dimensions.values()) or {"mass", "volume"} <= set(dimensions)


def _with_decimal_halves(text: str) -> str:
    """``半斤`` is 0.5斤, ``half a mile`` 0.5 mile; ``三斤半`` is left to the amounts."""
    text = re.sub(r"零下\s*(?=[\d一二三四五六七八九十])|\b(?:minus|negative) (?=\d)", "-", text)
    text = re.sub(
        r"(\d)\s*(?:'|ft|feet|foot)\s*(\d+)(?:\s*\"|(?:\s+in(?=\s+(?:in|to|as|into)\b))?(?=\s+(?:in|to|as|into)\b))",
        r"\1 ft \2 inches",
        text,
    )
    text = re.sub(r"\b(?:half (?:of )?an?|a half|half)\s+(?=[a-z])", "0.5 ", text)
    text = re.sub(r"\b(?:a )?quarter (?:of )?an?\s+(?=[a-z])", "0.25 ", text)
    text = re.sub(r"(?<![\w一二两三四五六七八九十百千万\d个年天])半(?=个?[斤里亩尺公小升吨英年天加])个?", "0.5", text)
    return (
        re.sub(r"([一二两三四五六七八九十百\d]+)个?半(?=小时|钟头|月)", r"\1.5", with_digits(text))
        if "半" in text
        else text
    )


def _convert(given: str, wanted: str, names: tuple[str, ...], *, tells_mismatch: bool) -> Conversion | None:
    table = units()
    target = table[wanted]
    has_half = given.rstrip().endswith("半")
    parts = [(amount, table[name]) for amount, name in _patterns(names)[0].findall(given)]
    if not parts:
        name = _patterns(names)[1].search(given)
        if name is None:
            return None
        parts = [("1", table[name[1]])]
    kitchen_dimensions = {"volume", "mass"}
    if {parts[0][1].dimension, target.dimension} == kitchen_dimensions:
        target = _as_fluid(target)
        parts = [(amount, _as_fluid(unit)) for amount, unit in parts]
    if parts[0][1] == target:
        return None
    if other := next((unit for _, unit in parts if unit.dimension != target.dimension), None):
        tells_mismatch &= given[:1].isdigit() and "count" not in (other.dimension, target.dimension)
        return _mismatch(given, other, target) if tells_mismatch else None
    amounts = [_fraction(amount) for amount, _ in parts]
    if has_half:
        amounts[-1] += Fraction(1, 2)
    shown = " ".join(
        f"{_format_fraction(amount)} {unit.symbol}" for amount, (_, unit) in zip(amounts, parts, strict=True)
    )
    if target.dimension == "temperature":
        kelvin = amounts[0] * parts[0][1].size + _KELVIN_AT_ZERO[parts[0][1].symbol]
        if kelvin < 0:
            note = ("That is below absolute zero (−273.15 °C).", "这低于绝对零度（−273.15 °C）。")
            return Conversion(given=shown, amount=None, symbol=target.symbol, note=note)
        return Conversion(
            given=shown, amount=(kelvin - _KELVIN_AT_ZERO[target.symbol]) / target.size, symbol=target.symbol
        )
    sign = -1 if amounts[0] < 0 else 1
    total = sum((abs(amount) * unit.size for amount, (_, unit) in zip(amounts, parts, strict=True)), Fraction(0))
    return Conversion(
        given=shown,
        amount=sign * total / target.size,
        symbol=target.symbol,
        is_rounded=target.dimension == "angle",
        note=_note({unit.symbol for _, unit in parts} | {target.symbol}),
    )


def _as_fluid(unit: Unit) -> Unit:
    """The unit as one of volume: an ounce beside a cup is a fluid ounce."""
    return units()["fl oz"] if unit.symbol == "oz" else unit


def _note(symbols: set[str]) -> tuple[str, str]:
    if symbols & {"gal", "qt", "pt", "cup", "fl oz", "tbsp", "tsp"}:
        return "US measures", "按美制"
    if symbols & {"month", "yr", "decade", "century"}:
        return "a mean year of 365.2425 days", "按平均每年 365.2425 天"
    if symbols & {"kB", "MB", "GB", "TB", "PB"} and not symbols & {"KiB", "MiB", "GiB", "TiB"}:
        return "powers of 1000", "按 1000 进制"
    return "", ""


def _fraction(text: str) -> Fraction:
    return Fraction(re.sub(r"[\s,]", "", text))


def _format_fraction(amount: Fraction) -> str:
    if amount.denominator == 1:
        return f"{amount.numerator:,}"
    return (
        f"{float(amount):,.10f}".rstrip("0")
        if 10**6 % amount.denominator == 0
        else f"{amount.numerator}/{amount.denominator}"
    )


_RARE_UNITS: Final = frozenset(_TABLES["rare"].split())


def _has_rare_unit(text: str) -> bool:
    words = re.findall(r"[a-z]+", text)
    return any(word in _RARE_UNITS or word.removesuffix("s") in _RARE_UNITS for word in words)


def _by_pint(text: str) -> Conversion | None:
    """The conversion of rare units by pint, which is imported only here."""
    match = _RE.two_units.fullmatch(text)
    if match is None:
        return None
    given, target = match["given"].strip(), (match["wanted"] or match["many"] or "").strip()
    if not given or not target:
        return None
    from pint import UnitRegistry
    from pint.errors import PintError

    amount = _fraction(match["amount"]) if match["amount"] and match["amount"][0] in ".0123456789" else Fraction(1)
    global _registry
    _registry = _registry or UnitRegistry()
    try:
        quantity = _registry.Quantity(float(amount), _pint_name(given)).to(_pint_name(target))
    except (PintError, ValueError, AttributeError, TypeError, ArithmeticError, AssertionError):
        # pint raises many kinds of errors for words that are no units.
        return None
    shown = f"{_format_fraction(amount)} {given}"
    return Conversion(
        given=shown, amount=Fraction(quantity.magnitude), symbol=f"{quantity.units:~}" or target, is_rounded=True
    )


_registry: Any = None


def _pint_name(words: str) -> str:
    return "_".join(words.split())
