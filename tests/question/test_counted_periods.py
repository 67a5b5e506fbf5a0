"""Numbers of periods that are ranked are numbers of groups; every other one stays a length of time."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.question.reader import read

TODAY = date(2026, 11, 20)


def counted(text: str) -> list[tuple[str, str]]:
    """The numbers without a unit, each with the unit that the question groups by."""
    question = read(text, today=TODAY)
    units = [str(cue.args["unit"]) for cue in question.cues if cue.op == "bucket"]
    return [(str(number.value), units[0] if units else "") for number in question.numbers if not number.unit]


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("销售额最高的三个月", "3", "month"),
        ("销售额最高的5个月份", "5", "month"),
        ("卖得最好的两个季度", "2", "quarter"),
        ("哪两周订单最多", "2", "week"),
        ("最热的五天", "5", "day"),
        ("the three months with the highest sales", "3", "month"),
        ("which two days had the most orders", "2", "day"),
        ("top 3 weeks by revenue", "3", "week"),
        ("best 3 quarters by revenue", "3", "quarter"),
        ("three busiest months", "3", "month"),
    ],
)
def test_a_number_of_periods_beside_a_superlative_counts_groups(text: str, number: str, unit: str) -> None:
    assert counted(text) == [(number, unit)]
    assert not read(text, today=TODAY).periods


@pytest.mark.parametrize(
    "text",
    [
        "三个月内销售额最高的产品",
        "who waited over three days most often",
        "the product with the most sales in two weeks",
        "jobs that took 3 days",
        "takes 6 months",
    ],
)
def test_a_length_of_time_stays_one(text: str) -> None:
    question = read(text, today=TODAY)
    assert [number.unit in ("day", "week", "month") for number in question.numbers] == [True]
    assert not [cue for cue in question.cues if cue.op == "bucket"]


def test_the_last_months_stay_a_period() -> None:
    assert len(read("最近三个月销售额最高的产品", today=TODAY).periods) == 1
    assert counted("best product of the last three months") == []


def test_a_number_of_other_things_keeps_its_unit() -> None:
    assert [number.unit for number in read("the 3 highest parcels over 10 kg", today=TODAY).numbers] == ["", "kg"]
