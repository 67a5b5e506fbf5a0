# ruff: noqa: E501 (tables read best in long lines)
"""How people write numbers, and the words that are none: better silent than wrong."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from kbtui.text.numbers import read_numbers, value_of, with_digits


def _found(text: str) -> list[tuple[str, F, str]]:
    return [(span.text, span.value, span.kind) for span in read_numbers(text)]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("两万五", 25_000), ("一百二", 120), ("一百零二", 102), ("两千零五", 2005), ("三千五", 3500), ("一万零五百", 10_500),
        ("一万五百", 10_500), ("二十五万", 250_000), ("1.5万", 15_000), ("3亿5000万", 350_000_000), ("2万5", 25_000),
        ("一亿二千万", 120_000_000), ("2万5千", 25_000), ("3万500", 30_500), ("廿五", 25), ("卅", 30), ("十", 10),
        ("二〇二四", 2024), ("一九九九", 1999), ("五萬", 50_000), ("三億", 3 * 10**8), ("兩千", 2000), ("一万亿", 10**12),
        ("壹佰贰拾叁", 123), ("壹万贰仟", 12_000), ("两个半", F(5, 2)), ("一百十五", 115), ("百万", 10**6),
        ("三成五", F(7, 20)), ("七折", F(7, 10)), ("八五折", F(17, 20)), ("二分之一", F(1, 2)), ("三又二分之一", F(7, 2)),
        ("百分之百", 1), ("百分之35", F(7, 20)), ("千分之三", F(3, 1000)), ("负三", -3), ("零点五", F(1, 2)),
        ("一点五亿", 150_000_000), ("三倍", 3), ("１２３４", 1234), ("１，２３４．５", F("1234.5")),
        ("1,234,567", 1234567), ("1 234 567", 1234567), ("12_000", 12000), ("1.234,56", F("1234.56")), ("-3", -3),
        ("−3.5", F("-3.5")), ("6.02e23", 602 * 10**21), ("1e-3", F(1, 1000)), ("1e308", 10**308), ("35%", F(7, 20)),
        ("35 percent", F(7, 20)), ("2.5k", 2500), ("3M", 3_000_000), ("1.2bn", 1_200_000_000), ("22nd", 22), ("½", F(1, 2)),
        ("3½", F(7, 2)), ("two hundred and five", 205), ("fifteen hundred", 1500), ("one and a half million", 1_500_000),
        ("a dozen", 12), ("two dozen", 24), ("half a dozen", 6), ("half a million", 500_000), ("a hundred", 100),
        ("a million and a half", 1_500_000), ("3 hundred thousand", 300_000), ("two and a half", F(5, 2)),
        ("three point one four", F("3.14")), ("two thirds", F(2, 3)), ("one third", F(1, 3)), ("fourty-two", 42),
        ("twice", 2), ("thousand", 1000), ("million two", 1_000_002), ("hundred", 100), ("one hundred and first", 101),
    ],
)  # fmt: skip
def test_a_number_is_worth_what_people_mean(written: str, value: F | int) -> None:
    assert value_of(written) == value


@pytest.mark.parametrize(
    "text",
    [
        "万一下雨", "一起去吧", "一些文件", "十分重要", "千万别删", "统一格式", "唯一的办法", "三明治店", "零食", "张三和李四",
        "一直一样", "七上八下", "数百万", "几十个", "几千人", "三四百", "二三十人", "三百五六", "五一", "双十一", "一带一路", "四舍五入",
        "负责", "百分点", "万", "两", "几两", "两等于多少克", "成千上万", "半天", "一半", "大陆", "收拾",
        "one of them", "the newest one", "no one", "this one", "one's own", "once it is done", "wait a second", "per second",
        "nineteen ninety-nine", "twenty twenty-four", "first name", "at first", "hundreds of files", "dozens", "v2", "A100",
        "3.11.2", "2024-01-05", "10:30", "1/2", "192.168.0.1", "1e99999", "someone", "tent", "often", "weight", "per thousand",
        "9" * 1001,
    ],
)  # fmt: skip
def test_words_that_are_no_number_are_none(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("十分钟", [10]), ("一百二十一起", [121]), ("最近四周", [4]), ("一千万元", [10**7]), ("胜负三场", [3]), ("一点五", [F(3, 2)]),
        ("下午三点五十", [3, 50]), ("三点五分", [3, 5]), ("三斤二两", [3, 2]), ("至少两条", [2]), ("周三", [3]), ("2024年5月", [2024, 5]),
        ("twelve and twelve", [12, 12]), ("one plus one", [1, 1]), ("more than one", [1]), ("at least once", [1]),
        ("one second", [1]), ("the second row", [2]), ("a thirty-second limit", [30]), ("the thirty-second row", [32]),
        ("1,2,3", [1, 2, 3]), ("5km", [5]), ("100ms", [100]), ("$2m", [2_000_000]), ("2m", [2]), ("10-12", [10, 12]),
        ("top 5 of 10", [5, 10]), ("one hundred two three", [102, 3]), ("5 - 3", [5, 3]), ("a third of 90", [F(1, 3), 90]),
    ],
)  # fmt: skip
def test_numbers_among_other_words_are_read_alone(text: str, values: list[F | int]) -> None:
    assert [value for _, value, _ in _found(text)] == values


@pytest.mark.parametrize(
    "text", ["三十多人", "十几个", "一百来个", "大约300", "近三百人", "about 300", "100+", "300 or so", "三百人左右"]
)
def test_approximate_numbers_say_so(text: str) -> None:
    (span,) = read_numbers(text)
    assert span.approximate


@pytest.mark.parametrize("text", ["最近3天", "附近3家", "300", "some 3.5k"[5:], "at least 300"])
def test_exact_numbers_are_not_approximate(text: str) -> None:
    (span,) = read_numbers(text)
    assert not span.approximate


def test_years_in_words_are_neither_one_number_nor_two() -> None:
    assert _found("in nineteen ninety-nine") == _found("twenty twenty-four") == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("第三名的2倍", ["ordinal", "multiplier"]), ("35% of 3", ["percent", "cardinal"]), ("二分之一", ["fraction"]),
        ("the 3rd", ["ordinal"]), ("twice", ["multiplier"]), ("half of them", ["fraction"]), ("五折", ["percent"]),
    ],
)  # fmt: skip
def test_the_kind_is_told(text: str, kinds: list[str]) -> None:
    assert [kind for _, _, kind in _found(text)] == kinds


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("sixty times thirty", "60 times 30"), ("两万五千元", "25000元"), ("八五折", "85折"), ("打7.5折", "打7.5折"),
        ("百分之五", "5%"), ("三分之二", "(2/3)"), ("第三步", "第3步"), ("三十多人", "30多人"), ("the third", "the third"),
        ("300K", "300K"), ("3 million", "3000000"), ("一下", "一下"), ("no numbers", "no numbers"),
    ],
)  # fmt: skip
def test_numbers_in_words_become_digits_and_nothing_else_changes(words: str, digits: str) -> None:
    assert with_digits(words) == digits


def test_long_runs_of_numerals_take_no_time() -> None:
    for piece in ("一百", "九", "1,", "1.", "two ", "two-", "hundred ", "万", "1 234 ", "第", "百分之", "(", "-"):
        read_numbers(piece * 5000)
