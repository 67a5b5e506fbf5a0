# ruff: noqa: E501 (tables read best in long lines)
"""There is one reader of numbers: no other module holds a table of numerals or number words."""

from __future__ import annotations

import ast
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import kbtui
from kbtui.analysis.quick_path import quick_answer
from kbtui.question.reader import read
from kbtui.reasoning.checking.numerals import normal, numbers

_ROOT = Path(kbtui.__file__).parent
_ENGLISH = frozenset(
    [
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
        "twenty",
        "thirty",
        "forty",
        "hundred",
    ]
)
_HAN = frozenset("一二三四五六七八九十百千万亿两零")
_LIST = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten)(?:[\s|]+(?:one|two|three|four|five|six|seven|eight|nine|ten)){3}\b"
)


def _tables(source: str) -> list[int]:
    """Lines with a table of number words: a mapping to numbers, or a text that lists them in order."""
    if len(_ENGLISH & set(re.findall("[a-z]+", source))) < 3 and len(_HAN & set(source)) < 3:
        return []  # parsing takes its time, and a table has three of them
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            if len(keys & _ENGLISH) > 2 or len(keys & _HAN) > 2:
                found.append(node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A regex may ask whether a numeral stands there (a class of characters); only the reader says its value.
            text = re.sub(r"\[[^\]]*\]", "", node.value)
            if _LIST.search(text) or "二三四五" in text.replace("一二三四五六日", ""):
                found.append(node.lineno)
    return found


def test_no_other_module_has_a_table_of_numerals() -> None:
    elsewhere = {}
    for path in sorted(_ROOT.rglob("*.py")):
        place = path.relative_to(_ROOT).as_posix()
        if place.startswith(("text/numbers/", "demo/handbook/")):
            continue
        if lines := _tables(path.read_text(encoding="utf-8")):
            elsewhere[place] = lines
    assert elsewhere == {}


@pytest.mark.parametrize(
    "source",
    [
        "X = {'一': 1, '二': 2, '三': 3}", "X = {'one': 1, 'two': 2, 'three': 3}", "X = 'zero one two three four five'.split()",
        "X = dict(zip('零一二三四五', range(6)))", "X = re.compile('two|three|four|five')",
    ],
)  # fmt: skip
def test_a_second_table_would_be_found(source: str) -> None:
    assert _tables(source)


def test_the_reader_of_questions_over_data_and_the_one_of_sums_agree() -> None:
    for written, value in (
        ("两万五", 25000),
        ("一百二", 120),
        ("三千五", 3500),
        ("2万5千", 25000),
        ("廿五", 25),
        ("1.5万", 15000),
    ):
        summed = quick_answer(f"{written}加零等于多少", datetime(2026, 11, 22, tzinfo=UTC))
        assert summed is not None and summed.value == value
        question = read(f"金额大于{written}的订单", today=date(2026, 11, 22))
        assert [number.value for number in question.numbers] == [value]
        assert str(value) in {number.value for number in numbers(normal(written))}
