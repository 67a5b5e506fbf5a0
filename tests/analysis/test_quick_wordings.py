"""Wordings of ``quick_wordings.tsv``: question, tab, what the answer holds (any of several), ``!`` for one that says
why there is none, nothing for a question that is not the quick path's.

Asked on Sunday, 22 November 2026 at 15:30 in Shanghai.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from kbtui.analysis.quick_path import QuickAnswer, quick_answer

NOW = datetime(2026, 11, 22, 15, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
ROWS = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("quick_wordings.tsv").read_text(encoding="utf-8").splitlines()
]


def told(asked: str) -> QuickAnswer | None:
    return quick_answer(asked, NOW, NOW.tzinfo)


@pytest.mark.parametrize(("asked", "wanted"), [row for row in ROWS if row[1] not in ("", "!")])
def test_a_quick_question_is_answered(asked: str, wanted: str) -> None:
    found = told(asked)
    assert found is not None
    assert any(one in found.markdown for one in wanted.split("|")), found.markdown


@pytest.mark.parametrize("asked", [asked for asked, wanted in ROWS if wanted == "!"])
def test_what_has_no_answer_is_told_with_the_reason(asked: str) -> None:
    found = told(asked)
    assert found is not None
    assert found.value is None


@pytest.mark.parametrize("asked", [asked for asked, wanted in ROWS if not wanted])
def test_a_question_of_the_folder_or_the_data_is_left_alone(asked: str) -> None:
    assert told(asked) is None


@pytest.mark.parametrize("asked", ["一斤多少钱", "5公斤苹果多少钱", "how much is 5 kg of flour"])
def test_a_price_is_no_conversion(asked: str) -> None:
    assert told(asked) is None


@pytest.mark.parametrize(
    "asked",
    [
        "亿 " * 150,
        "亿" * 300,
        "九" * 300,
        "9" * 300,
        "1,000" * 60,
        "2026 三 " * 40,
        "-" * 299 + "1",
        "(" * 150 + "1" + ")" * 149,
        "1 and " * 50,
        "5 ft " * 60,
        "how many days until " * 15,
        "从" * 300,
        "2^" * 149 + "2",
        "9**9**9",
        "10**1000000",
        "九的九次方的九次方",
        "5 " + "k" * 1_000_000 + " in m",
    ],
)
def test_nonsense_and_monsters_are_refused_or_left_alone(asked: str) -> None:
    # Without its limits the worst of these takes minutes, or never ends.
    found = told(asked)
    assert found is None or (found.value is None and len(found.markdown) < 200)
