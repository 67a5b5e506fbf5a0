"""Generated numbers, written in all their forms, read back as themselves: exactly, as one span, in a sentence too."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from kbtui.text.numbers import decimal, read_numbers, value_of, with_digits
from tests.text.numbers import spelling

_EACH_WAY = 2000


def _numbers(seed: int) -> Iterator[int]:
    """Numbers of 1 to 12 digits, round ones and neighbours of round ones among them."""
    chance = random.Random(seed)
    yield from range(130)
    for _ in range(_EACH_WAY - 130):
        number = chance.randrange(10 ** chance.randrange(1, 13))
        nought = 10 ** chance.choice((0, 0, 1, 2, 3, 4, 6, 8))
        yield number // nought * nought + chance.choice((0, 0, 0, 1, 5, nought // 2))


def test_two_thousand_numbers_in_chinese_read_back_in_every_form() -> None:
    for number in _numbers(1):
        for form in spelling.chinese_forms(number):
            assert value_of(form) == number or (len(form) == 1 and form in "壹贰叁肆伍陆柒捌玖"), (form, number)


def test_two_thousand_numbers_in_english_read_back_in_every_form() -> None:
    for number in _numbers(2):
        for form in spelling.english_forms(number):
            assert value_of(form) == number, (form, number)


def test_two_thousand_numbers_in_digits_read_back_in_every_form() -> None:
    for number in _numbers(3):
        for form in spelling.digit_forms(number):
            assert value_of(form) == number, (form, number)


def test_ordinals_read_back() -> None:
    for number in [*range(1, 1300), *(number for number in _numbers(4) if number)]:
        for form in (spelling.ordinal(number), f"第{spelling.chinese(number)}", f"第{number}"):
            spans = read_numbers(f"the {form}" if form.isascii() else form)
            assert [(span.value, span.kind) for span in spans] == [(number, "ordinal")], (form, number)


def test_decimals_and_shares_read_back_exactly() -> None:
    chance = random.Random(5)
    digits = "零一二三四五六七八九"
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    for _ in range(_EACH_WAY):
        whole, places = chance.randrange(1000), chance.randrange(1, 9)
        part = f"{chance.randrange(10**places):0{places}d}"
        value = Fraction(f"{whole}.{part}")
        han = f"{spelling.chinese(whole)}点{''.join(digits[int(digit)] for digit in part)}"
        said = f"{spelling.english(whole, with_and=True)} point {' '.join(words[int(digit)] for digit in part)}"
        assert value_of(han) == value_of(said) == value_of(f"{whole}.{part}") == value, (han, said)
        assert value_of(f"百分之{han}") == value_of(f"{whole}.{part}%") == value_of(f"{said} percent") == value / 100
        below = chance.randrange(2, 500)
        assert value_of(f"{spelling.chinese(below)}分之{spelling.chinese(whole)}") == Fraction(whole, below)


@pytest.mark.parametrize("frame", ["find {} rows", "大于{}的订单", "({})", "是{}，", "more than {}.", "“{}”"])
def test_a_number_in_a_sentence_is_the_number_alone(frame: str) -> None:
    for number in (7, 20, 105, 2005, 25_000, 120_000, 10**6, 35_000_000, 10**8 + 5):
        for form in (*spelling.chinese_forms(number), *spelling.english_forms(number), *spelling.digit_forms(number)):
            if form.startswith("+") or (len(form) == 1 and not form.isascii()):
                continue
            text = frame.format(form)
            (span,) = read_numbers(text)
            assert (span.text, span.value) == (form, number), text
            assert text[span.start : span.end] == span.text


def test_what_is_put_in_digits_reads_back_as_the_same_numbers() -> None:
    for number in _numbers(6):
        for form in (
            spelling.chinese(number),
            spelling.english(number, with_and=True),
            f"百分之{spelling.chinese(number)}",
        ):
            value = value_of(form)
            assert value is not None and value_of(with_digits(form)) == value, form


def test_decimals_are_exact_where_they_end() -> None:
    chance = random.Random(7)
    for _ in range(_EACH_WAY):
        value = Fraction(chance.randrange(-(10**9), 10**9), 10 ** chance.randrange(0, 25))
        written = decimal(value)
        assert written is not None and Fraction(written) == value
    assert decimal(Fraction(1, 3)) is None
