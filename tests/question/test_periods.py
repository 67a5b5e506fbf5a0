"""Dates and periods of questions, counted from Friday 20 November 2026."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.question.reader import read

_TODAY = date(2026, 11, 20)


def _read(text: str) -> list[str]:
    return [f"{period.first or ''}..{period.last or ''}" for period in read(text, today=_TODAY).periods]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("sales in march", "2026-03-01..2026-03-31"),
        ("双十一卖了多少钱", "2026-11-11..2026-11-11"),
        ("国庆有多少订单", "2026-10-01..2026-10-01"),
        ("sales in december", "2025-12-01..2025-12-31"),
        ("sales in nov", "2026-11-01..2026-11-30"),
        ("sales last month", "2026-10-01..2026-10-31"),
        ("visits this year", "2026-01-01..2026-12-31"),
        ("visits so far in 2026", "2026-01-01..2026-11-20"),
        ("visits this year so far", "2026-01-01..2026-11-20"),
        ("revenue ytd", "2026-01-01..2026-11-20"),
        ("visits in the last 6 months", "2026-05-20..2026-11-20"),
        ("visits of the past thirty days", "2026-10-21..2026-11-20"),
        ("visits last week", "2026-11-09..2026-11-15"),
        ("refunds since april", "2026-04-01.."),
        ("hired before 2024", "..2023-12-31"),
        ("built before 1950", "..1949-12-31"),
        ("due on or after 2026-05-01", "2026-05-01.."),
        ("takings last ytd", "2025-01-01..2025-11-20"),
        ("hired after 2024", "2025-01-01.."),
        ("hired from 2024 onwards", "2024-01-01.."),
        ("hired in 2024 or later", "2024-01-01.."),
        ("orders from 2024", "2024-01-01..2024-12-31"),
        ("open until march", "..2026-03-31"),
        ("calls between jan and march", "2026-01-01..2026-03-31"),
        ("calls from november to february", "2025-11-01..2026-02-28"),
        ("calls from 3 May to 9 June", "2026-05-03..2026-06-09"),
        ("calls 2019-2021", "2019-01-01..2021-12-31"),
        ("calls jan to march 2025", "2025-01-01..2025-03-31"),
        ("calls on May 3rd, 2025", "2025-05-03..2025-05-03"),
        ("calls on 2025-05-03", "2025-05-03..2025-05-03"),
        ("calls on 13/5/2025", "2025-05-13..2025-05-13"),
        ("calls may 3-9", "2026-05-03..2026-05-09"),
        ("takings in q3", "2026-07-01..2026-09-30"),
        ("takings in q4", "2026-10-01..2026-12-31"),
        ("takings in the 2nd quarter of 2025", "2025-04-01..2025-06-30"),
        ("takings in the last quarter of 2025", "2025-10-01..2025-12-31"),
        ("takings last quarter", "2026-07-01..2026-09-30"),
        ("takings in h1", "2026-01-01..2026-06-30"),
        ("takings in the second half of 2025", "2025-07-01..2025-12-31"),
        ("calls yesterday", "2026-11-19..2026-11-19"),
        ("calls in the week of 3 march", "2026-03-02..2026-03-08"),
        ("rain in summer 2025", "2025-06-01..2025-08-31"),
        ("films of the 1990s", "1990-01-01..1999-12-31"),
        ("idle for more than 90 days, seen 3 years ago", "2023-01-01..2023-12-31"),
        ("last seen more than 90 days ago", "..2026-08-22"),
        ("joined last friday", "2026-11-13..2026-11-13"),
        ("signed in february of last year", "2025-02-01..2025-02-28"),
        ("去年卖了多少", "2025-01-01..2025-12-31"),
        ("上个季度的订单", "2026-07-01..2026-09-30"),
        ("今年3月的订单", "2026-03-01..2026-03-31"),
        ("近30天的订单", "2026-10-21..2026-11-20"),
        ("最近三个月的订单", "2026-08-20..2026-11-20"),
        ("近两年的订单", "2024-11-20..2026-11-20"),
        ("2月29日的订单", "2024-02-29..2024-02-29"),
        ("3月份的订单", "2026-03-01..2026-03-31"),
        ("十二月的订单", "2025-12-01..2025-12-31"),
        ("2025年以来的订单", "2025-01-01.."),
        ("2020年以前出生", "..2019-12-31"),
        ("2020年之后入职", "2021-01-01.."),
        ("上半年的订单", "2026-01-01..2026-06-30"),
        ("去年下半年的订单", "2025-07-01..2025-12-31"),
        ("2025年第二季度", "2025-04-01..2025-06-30"),
        ("3月5号到9号的订单", "2026-03-05..2026-03-09"),
        ("2025年3月到6月", "2025-03-01..2025-06-30"),
        ("今年以来的订单", "2026-01-01..2026-11-20"),
        ("上周五的订单", "2026-11-13..2026-11-13"),
        ("昨天的订单", "2026-11-19..2026-11-19"),
        ("due by the end of the month", "..2026-11-30"),
        ("since the start of september", "2026-09-01.."),
        ("joined before '1989-04-24 23:51:54'", "..1989-04-23"),
        ("月底前到期", "..2026-11-30"),
        ("三季度", "2026-07-01..2026-09-30"),
        ("munich turnover this year", "2026-01-01..2026-12-31"),
        ("去年双11当天多少单", "2025-11-11..2025-11-11"),
        ("orders on christmas day 2024", "2024-12-25..2024-12-25"),
        ("近半年的訂單", "2026-05-20..2026-11-20"),
        ("２０２５年的订单", "2025-01-01..2025-12-31"),
    ],
)
def test_a_period_is_read_as_its_days(text: str, days: str) -> None:
    assert _read(text) == [days]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2024 vs 2025", ["2024-01-01..2024-12-31", "2025-01-01..2025-12-31"]),
        ("march and april 2025", ["2025-03-01..2025-03-31", "2025-04-01..2025-04-30"]),
        ("五月和六月", ["2026-05-01..2026-05-31", "2026-06-01..2026-06-30"]),
        ("去年5月和6月", ["2025-05-01..2025-05-31", "2025-06-01..2025-06-30"]),
        ("q3 vs q3 last year", ["2026-07-01..2026-09-30", "2025-07-01..2025-09-30"]),
        ("growth from 2024 to 2025", ["2024-01-01..2024-12-31", "2025-01-01..2025-12-31"]),
        ("compare 2024 to 2025", ["2024-01-01..2024-12-31", "2025-01-01..2025-12-31"]),
        ("march 2024 vs 2025", ["2024-03-01..2024-03-31", "2025-03-01..2025-03-31"]),
        (
            "jan vs july heating in 2025",
            ["2025-01-01..2025-01-31", "2025-07-01..2025-07-31", "2025-01-01..2025-12-31"],
        ),
        ("hires this summer vs last summer", ["2026-06-01..2026-08-31", "2025-06-01..2025-08-31"]),
        ("hours this october compared to last october", ["2026-10-01..2026-10-31", "2025-10-01..2025-10-31"]),
        ("jan-jun 2026 compared to jan-jun 2025", ["2026-01-01..2026-06-30", "2025-01-01..2025-06-30"]),
        ("growth in orders, jan-jun 2026 over jan-jun 2025", ["2026-01-01..2026-06-30", "2025-01-01..2025-06-30"]),
        ("did grants grow from 2024 to 2025, by how much", ["2024-01-01..2024-12-31", "2025-01-01..2025-12-31"]),
        ("bookings feb to march, up or down", ["2026-02-01..2026-02-28", "2026-03-01..2026-03-31"]),
        ("二季度到三季度销售额变化", ["2026-04-01..2026-06-30", "2026-07-01..2026-09-30"]),
        ("sales jan-oct up or down on last year", ["2026-01-01..2026-10-31", "2025-01-01..2025-12-31"]),
        ("q3 vs last year", ["2026-07-01..2026-09-30", "2025-01-01..2025-12-31"]),
        ("jan vs july 2025", ["2025-01-01..2025-01-31", "2025-07-01..2025-07-31"]),
    ],
)
def test_two_periods_stay_two(text: str, days: list[str]) -> None:
    assert _read(text) == days


@pytest.mark.parametrize(
    "text",
    [
        "which customers may cancel", "more than 2000 orders", "orders over 2010 kg", "invoice INV-2024-17",
        "30 february",
        "每月三个人", "3个月", "takes 6 months", "sales per month", "top 2000 customers",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_period_is_none(text: str) -> None:
    assert _read(text) == []


def test_the_span_has_the_preposition_and_the_words_as_typed() -> None:
    question = read("Sales Since April, please", today=_TODAY)
    assert question.periods[0].words == "Since April"
    assert question.words(question.periods[0].span) == "Since April"


def test_a_bare_year_stays_a_number_and_others_do_not() -> None:
    assert [number.value for number in read("hired before 2024", today=_TODAY).numbers] == [2024]
    assert read("hired in march 2024", today=_TODAY).numbers == ()
