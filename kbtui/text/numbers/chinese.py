"""Numbers in Chinese: 两万五, 3亿5000万, 二〇二四, 三点五, 百分之三十五, 二分之一, 七折, 三成五, 第三, 壹万贰仟."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from kbtui.text.numbers.figures import LITERAL
from kbtui.text.numbers.span import HAN, Kind, NumberSpan, vocabulary

_MAX_CHARACTERS: Final = 60
_WHOLE: Final = 100
_NUMERALS: Final = HAN + "廿卅卌"
_RUN: Final = rf"(?>(?:{LITERAL}(?:[ ](?=[万亿]))?|[{_NUMERALS}])+)"
_DIGITS: Final = "[零〇一二三四五六七八九]"
_PIECE: Final = re.compile(rf"{LITERAL}|[{_NUMERALS}]")


class _Numerals(Struct, frozen=True):
    digits: dict[str, int]
    places: dict[str, int]
    groups: dict[str, int]
    tens: dict[str, int]
    idioms: re.Pattern[str]
    numbers_before: dict[str, re.Pattern[str]]
    numbers_after: dict[str, re.Pattern[str]]


@cache
def _numerals() -> _Numerals:
    table = vocabulary("zh")
    idioms = sorted(set(table["idioms"].split()), key=len, reverse=True)
    return _Numerals(
        {character: value for value, character in enumerate(table["digits"])} | table["also"],
        {character: 10**power for character, power in table["places"].items()},
        {character: 10**power for character, power in table["groups"].items()},
        table["tens"],
        # Idioms may overlap, so they are searched for at every position.
        re.compile(rf"(?=({'|'.join(idioms)}))"),
        {word: re.compile(pattern) for word, pattern in table["numbers_before"].items()},
        {word: re.compile(f"{pattern}的?$") for word, pattern in table["numbers_after"].items()},
    )


@cache
def _pattern() -> re.Pattern[str]:
    table = vocabulary("zh")
    decimals = rf"(?:点{_DIGITS}+)?"
    return re.compile(
        rf"""(?P<sign>(?<![{table["no_sign_after"]}])负)?(?:
            (?P<per>[百千万])分之(?P<rate>{_RUN}{decimals})
          |(?:(?P<whole>{_RUN})又)?(?P<below>{_RUN})分之(?P<above>{_RUN}{decimals})
          |(?P<tenths>[一二两三四五六七八九1-9])成(?P<half>半|[一二三四五六七八九1-9](?![{_NUMERALS}0-9]))?(?![{table["no_tenths_before"]}])
          |(?<![0-9.{_NUMERALS}])(?P<price>[1-9](?:\.[0-9])?|[1-9]{{2}}|[一二三四五六七八九](?:点?[一二三四五六七八九])?)折(?![{table["no_discount_before"]}])
          |第[ ]?(?P<nth>{_RUN})
          |(?P<run>{_RUN})(?:点(?P<point>{_DIGITS}+)(?P<scale>[十百千万亿]{{0,2}}))?(?P<and_half>个半)?(?P<more>[多余来几])?(?P<again>[万亿])?(?P<times>倍)?
        )""",
        re.X,
    )


@cache
def _day_part() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(vocabulary('zh')['day_parts'].split())})$")


@cache
def _formal_numeral() -> re.Pattern[str]:
    table = vocabulary("zh")
    digits = table["formal"][1:] + "".join(table["formal_also"])
    places = "".join(table["formal_places"])
    return re.compile(rf"(?:[{digits}][{places}万亿]{{1,2}}零?)+[{digits}]?|[{digits}]?[{places}][万亿]")


@cache
def _from_formal() -> dict[int, int]:
    table = vocabulary("zh")
    digits = dict(zip(table["formal"], table["digits"], strict=True))
    digits |= {character: table["digits"][value] for character, value in table["formal_also"].items()}
    places = {power: character for character, power in table["places"].items()}
    return str.maketrans(digits | {character: places[power] for character, power in table["formal_places"].items()})


def level_numerals(text: str) -> str:
    """``text`` with the numerals of cheques, of traditional Chinese and 〇 in their plain forms, of the same length."""
    text = text.translate(_LEVELLED)
    return _formal_numeral().sub(lambda match: match[0].translate(_from_formal()), text)


_LEVELLED: Final = str.maketrans("萬億兩○負點餘來幾個", "万亿两〇负点余来几个")


def chinese(text: str, original: str) -> Iterator[NumberSpan]:
    """The numbers of ``text`` (see `level_numerals`) that hold a Chinese numeral, with their words in ``original``."""
    idiom_spans = list(_idioms(text))
    at = 0
    while match := _pattern().search(text, at):
        at = match.end()
        read = _read_match(match, idiom_spans)
        if read is None:
            continue
        value, kind, end = read
        at = max(end, match.start() + 1)
        written = original[match.start() : end]
        yield NumberSpan(
            start=match.start(),
            end=end,
            text=written,
            value=-value if match["sign"] else value,
            kind=kind,
            in_words=re.search(rf"[{_NUMERALS}分成折第]", text[match.start() : end]) is not None,
            approximate=bool(match["run"] and match["more"]),
        )


def _idioms(text: str) -> Iterator[tuple[int, int]]:
    numerals = _numerals()
    for match in numerals.idioms.finditer(text):
        word, start, end = match[1], match.start(), match.end(1)
        before, after = numerals.numbers_after.get(word), numerals.numbers_before.get(word)
        if (after and after.match(text, end)) or (before and before.search(text[max(0, start - 6) : start])):
            continue
        yield start, end


_Result = tuple[Fraction, Kind, int]


def _read_match(match: re.Match[str], idiom_spans: list[tuple[int, int]]) -> _Result | None:
    """Value, kind and end of the number of a match; None if it is no number."""
    for group, rule in _RULES.items():
        if match[group]:
            return None if _is_in_idiom(match, group, idiom_spans) else rule(match)
    return None


def _is_in_idiom(match: re.Match[str], group: str, idiom_spans: list[tuple[int, int]]) -> bool:
    if group not in ("run", "nth"):
        return False
    start, end = match.span(group)
    return any(first <= start and end <= last for first, last in idiom_spans)


def _percent(match: re.Match[str]) -> _Result | None:
    value = Fraction(_WHOLE) if match["rate"] == "百" else run_value(match["rate"])
    below = _numerals().places.get(match["per"]) or _numerals().groups[match["per"]]
    return None if value is None else (value / below, "percent" if below == _WHOLE else "fraction", match.end())


def _fraction(match: re.Match[str]) -> _Result | None:
    above, below = run_value(match["above"]), run_value(match["below"])
    whole = run_value(match["whole"]) if match["whole"] else Fraction(0)
    if above is None or whole is None or not below:
        return None
    return whole + above / below, "fraction", match.end()


def _tenths(match: re.Match[str]) -> _Result | None:
    half = match["half"]
    more = Fraction(1, 2) if half == "半" else Fraction(_digit(half)) if half else Fraction(0)
    return _digit(match["tenths"]) / Fraction(10) + more / (10 if half == "半" else _WHOLE), "percent", match.end()


def _discount(match: re.Match[str]) -> _Result | None:
    digits = "".join(str(_digit(character)) for character in match["price"] if character not in "点.")
    return Fraction(int(digits), 10 ** len(digits)), "percent", match.end()


def _digit(character: str) -> int:
    return int(character) if character.isascii() else _numerals().digits[character]


def _nth(match: re.Match[str]) -> _Result | None:
    value = run_value(match["nth"])
    return None if value is None else (value, "ordinal", match.end())


def _plain(match: re.Match[str]) -> _Result | None:
    run = match["run"]
    end = match.end("run")
    if (run == "两" and not _is_two(match)) or _is_vague(match):
        return None
    if len(run) > 1 and run.endswith("两"):
        # 两 is the unit of weight here: 三两.
        run, end = run[:-1], end - 1
        value = run_value(run)
        return None if value is None or run.isascii() else (value, "cardinal", end)
    is_decimal = bool(match["point"]) and not _is_time(match)
    if not is_decimal and match["point"]:
        value = run_value(run)
        return None if value is None or run.isascii() else (value, "cardinal", end)
    value = run_value(f"{run}点{match['point']}" if is_decimal else run)
    if value is None:
        return None
    if is_decimal:
        end = match.end("scale")
        for character in match["scale"]:
            value *= _numerals().places.get(character) or _numerals().groups[character]
    if match["and_half"] and end == match.start("and_half"):
        value, end = value + Fraction(1, 2), match.end("and_half")
    if match["more"] and _is_approximate_count(match):
        end = match.end("more")
        if match["again"]:
            value, end = value * _numerals().groups[match["again"]], match.end("again")
    if match["times"] and end == match.start("times"):
        return value, "multiplier", match.end("times")
    # Digits alone are read by `figures`.
    return None if match.string[match.start("run") : end].isascii() else (value, "cardinal", end)


_RULES: Final[dict[str, Callable[[re.Match[str]], _Result | None]]] = {
    "per": _percent, "below": _fraction, "tenths": _tenths, "price": _discount, "nth": _nth, "run": _plain,
}  # fmt: skip


def _is_two(match: re.Match[str]) -> bool:
    """两 counts what follows it; behind 几 and before a verb it is the weight (几两, 两等于多少克)."""
    text = match.string
    before, after = text[: match.start()], text[match.end("run") :][:1]
    return not before.endswith(("几", "多少", "斤")) and bool(after) and after not in "是等有换为多合相=?，。、, "


def _is_vague(match: re.Match[str]) -> bool:
    """数百万 and 几千 are no number, though 百万 is one."""
    leads = match["run"][0] in _numerals().groups or match["run"][0] in _numerals().places
    return leads and match.string[: match.start()][-1:] in tuple("数几上成")


def _is_time(match: re.Match[str]) -> bool:
    """三点五分 and 下午三点五十 are times, 三点五 is a number."""
    after = match.string[match.end("point") :][:1]
    minutes = after in ("分", "刻", "十") and match["scale"][:1] in ("", "十")
    return minutes or _day_part().search(match.string[max(0, match.start() - 4) : match.start()]) is not None


def _is_approximate_count(match: re.Match[str]) -> bool:
    """三十多, 一百来个, 十几; 多 behind a small number asks how many (三多)."""
    value = run_value(match["run"])
    if value is None or value < 10:
        return False
    return match["more"] != "来" or match.string.startswith(tuple("个人天年元块岁次"), match.end("more"))


def run_value(run: str) -> Fraction | None:
    """The value of numerals with nothing but 点 between them; None where they make no one number."""
    whole, point, decimals = run.partition("点")
    if len(run) > _MAX_CHARACTERS:
        return None
    pieces = _PIECE.findall(whole)
    value = _digit_string(whole) if len(pieces) > 1 else None
    if value is None:
        value = _places(pieces)
    if value is None or not point:
        return value
    digits = "".join(str(_numerals().digits[character]) for character in decimals)
    return value + Fraction(int(digits), 10 ** len(digits))


def _digit_string(run: str) -> Fraction | None:
    """A year or a number told digit by digit (二〇二四); 三四 and 五六七 are guesses at a number, not one."""
    digits = [_numerals().digits.get(character, -1) for character in run]
    if min(digits) < 0 or "两" in run or (len(digits) == 2 and 0 not in digits):
        return None
    if all(later - earlier == 1 for earlier, later in pairwise(digits)):
        return None
    return Fraction(int("".join(map(str, digits))))


class _Sum(Struct):
    """What has been read of a numeral: ``total`` in 万 and 亿, ``section`` below the next of them, then a ``digit``."""

    total: Fraction = Fraction(0)
    section: Fraction = Fraction(0)
    digit: Fraction | None = None
    digit_written: str = ""
    unit: int = 0
    group: int = 0
    place: int = 10**4
    is_zero: bool = False
    has_pieces: bool = False

    def value(self) -> Fraction | None:
        """The value; a last digit without a unit counts tenths of the unit before it (两万五)."""
        if self.digit is None:
            return None if self.is_zero and self.has_pieces else self.total + self.section
        elided = self.unit > 10 and not self.is_zero and len(self.digit_written) == 1
        if elided and self.digit_written == "两":
            return None
        if self.unit and not elided and self.digit >= self.unit:
            return None
        return self.total + self.section + self.digit * (self.unit // 10 if elided else 1)


def _places(pieces: list[str]) -> Fraction | None:
    numerals = _numerals()
    number = _Sum()
    if pieces in (["零"], ["〇"]):
        return Fraction(0)
    for at, piece in enumerate(pieces):
        if piece in numerals.places:
            fits = _add_place(number, numerals.places[piece], pieces[at + 1 :])
        elif piece in numerals.groups:
            fits = _add_group(number, numerals.groups[piece])
        else:
            fits = _add_digit(number, piece)
        if not fits:
            return None
        number.has_pieces = True
    return number.value() if number.has_pieces else None


def _add_digit(number: _Sum, piece: str) -> bool:
    numerals = _numerals()
    if number.digit is not None:
        return False
    if piece in ("零", "〇"):
        number.is_zero = True
        return number.has_pieces
    if piece in numerals.tens:
        number.section, number.unit, number.place = number.section + numerals.tens[piece], 10, 10
        number.is_zero = False
        return number.place <= 10 and not number.digit
    number.digit = (
        Fraction(piece.replace(",", "")) if piece[0].isdigit() and piece.isascii() else Fraction(numerals.digits[piece])
    )
    number.digit_written = piece
    return True


def _add_place(number: _Sum, place: int, rest: list[str]) -> bool:
    digit = number.digit
    if digit is None:
        # 十五, 一百十五 and 百万 leave out 一.
        leads = place == 10 or (not number.has_pieces and bool(rest) and rest[0] in _numerals().groups)
        if not leads:
            return False
        digit = Fraction(1)
    if place >= number.place or (place == 10 and number.digit_written == "两" and number.digit is not None):
        return False
    number.section += digit * place
    number.digit, number.digit_written, number.place, number.unit, number.is_zero = None, "", place, place, False
    return True


def _add_group(number: _Sum, group: int) -> bool:
    amount = number.section + (number.digit or 0)
    if amount == 0:
        # 一万亿 multiplies; 万 alone counts nothing.
        if not number.total or number.is_zero or number.group >= group:
            return False
        number.total *= group
    elif number.group and group > number.group:
        number.total = (number.total + amount) * group
    elif group == number.group:
        return False
    else:
        number.total += amount * group
    number.section, number.digit, number.digit_written = Fraction(0), None, ""
    number.place, number.unit, number.group, number.is_zero = 10**4, group, group, False
    return True
