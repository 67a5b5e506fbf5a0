from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from kbtui.analysis.quick_path import quick_answer

NOW = datetime(2026, 11, 21, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "markdown"),
    [
        ("What's 2 + 2?", "2 + 2 = **4**"),
        ("0.1+0.2", "0.1 + 0.2 = **0.3**"),
        ("what is 25% of $54,788", "25% × 54,788 = **$13,697**"),
        ("20% tip on 85 split 3 ways", "(85 + 20%) ÷ 3 = **34** (tip 17, total 102)"),
        ("100元 20%小费", "100 × 20% = **20** (合计 120)"),
        ("what percent of 80 is 20?", "20 ÷ 80 = **25%**"),
        ("10 / 3", "10 ÷ 3 ≈ **3.333333333**"),
        ("请问 5 斤是多少克？", "5 斤 = **2,500 g**"),
        ("how many cups in a gallon", "1 gal = **16 cup** (US measures)"),
        ("1 GB 等于多少 MB", "1 GB = **1,000 MB**（按 1000 进制）"),
        ("9**9**9", "That number would be too large to work out (about 369,693,100 digits)."),
        ("五除以零", "除数不能为零。"),
        ("100 dollars in euros", "Exchange rates change by the minute: they need the web and are not guessed here."),
    ],
)
def test_a_quick_answer_is_written_in_the_language_of_the_question(asked: str, markdown: str) -> None:
    found = quick_answer(asked, NOW)
    assert found is not None
    assert found.markdown == markdown


def test_the_clock_is_that_of_the_asker() -> None:
    here = quick_answer("what time is it?", NOW, ZoneInfo("Asia/Tokyo"))
    naive = quick_answer("现在几点", NOW.replace(tzinfo=None), ZoneInfo("Asia/Tokyo"))
    assert here is not None and here.value == "2026-11-21T18:05+09:00"
    assert naive is not None and naive.value == "2026-11-21T09:05+09:00"
    assert "09:05" in naive.markdown and "现在" in naive.markdown


def test_what_is_refused_has_a_reason_and_no_value() -> None:
    for asked in ("10**10**10", "factorial(10**9)", "1e999", "1/0", "999999999999 days from now", "1+" * 400 + "1"):
        found = quick_answer(asked, NOW)
        assert found is not None and found.value is None and found.markdown, asked


@pytest.mark.parametrize(
    "asked",
    [
        "what does PEP 8 say about 79 characters?",
        "when was ADR-7 written?",
        "what is 3.11?",
        "how long is the timeout?",
        "convert the config to TOML",
        "how many orders were placed in 2023?",
        "total sales by month",
        "2024 年的销售额是多少",
        "what changed between 3.10 and 3.11",
        "difference between 301 and 302",
        "how many days of annual leave do I have?",
        "",
        "%%%",
        "hello",
    ],
)
def test_a_question_about_the_folder_or_the_data_is_not_taken(asked: str) -> None:
    assert quick_answer(asked, NOW) is None
