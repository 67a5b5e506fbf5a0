# ruff: noqa: E501 (tables read best in long lines)
"""Writes numbers in every form that people use; the tables are the tests' own, so that they check those of the reader."""

from __future__ import annotations

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NTHS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_PLAIN = "零一二三四五六七八九十百千万亿"
_FORMAL = "零壹贰叁肆伍陆柒捌玖拾佰仟万亿"
_TRADITIONAL = "零一二三四五六七八九十百千萬億"


def english(number: int, *, with_and: bool, comma: bool = False, hyphen: bool = True) -> str:
    """``two thousand and five``."""
    if number < 0:
        return "minus " + english(-number, with_and=with_and, comma=comma, hyphen=hyphen)
    groups = []
    for scale, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= scale:
            groups.append(f"{_below_thousand(number // scale, with_and, hyphen)} {word}")
            number %= scale
    joint = ", " if comma else " "
    if number or not groups:
        last = _below_thousand(number, with_and, hyphen)
        if groups and number < 100 and with_and:
            return f"{joint.join(groups)} and {last}"
        groups.append(last)
    return joint.join(groups)


def _below_thousand(number: int, with_and: bool, hyphen: bool) -> str:
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (("-" if hyphen else " ") + _ONES[number % 10] if number % 10 else "")
    rest = number % 100
    said = f"{_ONES[number // 100]} hundred"
    return said + ((" and " if with_and else " ") + _below_thousand(rest, with_and, hyphen) if rest else "")


def ordinal(number: int) -> str:
    """``two hundred and first``."""
    head, sep, last = english(number, with_and=True).rpartition("-" if number % 100 > 20 and number % 10 else " ")
    nth = _NTHS.get(last) or (f"{last[:-1]}ieth" if last.endswith("ty") else f"{last}th")
    return head + sep + nth


def chinese(number: int, numerals: str = _PLAIN) -> str:
    """两万零五, without 两 and elisions: 二万零五."""
    if number < 0:
        return "负" + chinese(-number, numerals)
    if number == 0:
        return numerals[0]
    high, rest = divmod(number, 10**8)
    said = chinese(high, numerals) + numerals[14] if high else ""
    middle, low = divmod(rest, 10**4)
    for amount, unit, before in ((middle, numerals[13], high), (low, "", high or middle)):
        if amount:
            # A nought stands for the places that are left out, in the middle of a number.
            gap = numerals[0] if before and (amount < 1000 or (unit == "" and not middle)) else ""
            said += gap + _thousands(amount, numerals) + unit
    return said


def _thousands(number: int, numerals: str) -> str:
    said, is_gap = "", False
    for place, power in ((12, 1000), (11, 100), (10, 10), (0, 1)):
        digit = number // power % 10
        if digit:
            said += (numerals[0] if is_gap and said else "") + numerals[digit] + (numerals[place] if place else "")
            is_gap = False
        else:
            is_gap = True
    return said


def chinese_forms(number: int) -> list[str]:
    """Every way to write a whole number from 0 on in Chinese."""
    plain = chinese(number)
    forms = [plain, chinese(number, _TRADITIONAL), plain.replace("零", "〇")]
    if number >= 10:
        forms.append(chinese(number, _FORMAL))
    if plain.startswith("一十"):
        forms.append(plain[1:])
    for unit in "百千万亿":
        forms += [form.replace("二" + unit, "两" + unit) for form in (plain,) if form.startswith("二" + unit)]
    digits = str(number)
    significant = digits.rstrip("0")
    if len(digits) > 2 and len(significant) == 2 and len(digits) in (3, 4, 5, 9):
        # 一百二, 三千五, 两万五, 三亿五: the last unit is not said.
        forms.append(plain[:-2] if len(digits) == 9 else plain[:-1])
    if number >= 10**4 and number % 10**4 == 0 and number < 10**8:
        forms += [f"{number // 10**4}万", f"{number // 10**4:,}万", f"{number // 10**4}萬"]
    if number >= 10**4 and number % 10**3 == 0 and number < 10**8:
        forms.append(f"{number / 10**4:g}万" if number < 10**9 else plain)
    if number % 10**4 == 0 and 10**8 <= number < 10**12 and number % 10**8:
        forms.append(f"{number // 10**8}亿{number % 10**8 // 10**4}万")
    return forms


def english_forms(number: int) -> list[str]:
    """Every way to write a whole number from 0 on in English."""
    forms = [
        english(number, with_and=with_and, comma=comma, hyphen=hyphen)
        for with_and in (True, False)
        for comma in (True, False)
        for hyphen in (True, False)
    ]
    forms.append(forms[0].capitalize())
    forms.append(forms[0].upper())
    if 1100 <= number < 10000 and number % 100 == 0 and number % 1000:
        forms.append(f"{english(number // 100, with_and=False)} hundred")
    for scale, word in ((10**6, "million"), (1000, "thousand"), (10**9, "billion")):
        if number and number % (scale // 100) == 0 and scale <= number < scale * 1000:
            forms += [f"{number / scale:.15g} {word}"]
        if number and number % scale == scale // 2 and number < scale * 1000:
            whole = number // scale
            forms.append(f"{english(whole, with_and=True)} and a half {word}" if whole else f"half a {word}")
    for head in ("one hundred", "one thousand", "one million"):
        if forms[0].startswith(head):
            forms.append("a" + forms[0].removeprefix("one"))
    return forms


def digit_forms(number: int) -> list[str]:
    """Every way to write a whole number from 0 on in digits."""
    forms = [str(number), f"{number:,}", f"{number:_}", f"{number:,}".replace(",", "\u202f"), f"+{number}"]
    forms.append(str(number).translate(str.maketrans("0123456789", "０１２３４５６７８９")))
    if number >= 10**6:
        forms.append(f"{number:,}".replace(",", " "))
    for scale, letter in ((1000, "k"), (10**6, "M"), (10**9, "bn")):
        if number and number % (scale // 10) == 0 and scale <= number < scale * 1000:
            forms.append(f"{number / scale:.15g}{letter}")
    mantissa = str(number).rstrip("0")
    if number:
        forms.append(f"{mantissa}e{len(str(number)) - len(mantissa)}")
    return forms
