from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.analysis.clock import zone_of
from kbtui.analysis.dates import answer_date_question
from kbtui.analysis.days import NoSuchDay, read_day
from kbtui.text.calendar import BeyondCalendar, add_months, shifted

NOW = datetime(2026, 11, 21, 17, 5, tzinfo=ZoneInfo("Asia/Shanghai"))
TODAY = NOW.date()


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("what time is it", "2026-11-21T17:05+08:00"),
        ("what time is it in london", "2026-11-21T09:05+00:00"),
        ("东京现在几点", "2026-11-21T18:05+09:00"),
        ("what timezone is japan in", "Asia/Tokyo"),
        ("3pm est in beijing time", "2026-11-22T04:00+08:00"),
        ("北京下午三点是纽约几点", "2026-11-21T02:00-05:00"),
        ("北京和纽约的时差", -780),
        ("what day is it", "2026-11-21"),
        ("今天星期几", "Saturday"),
        ("is today monday", False),
        ("今天是周六吗", True),
        ("what is the date in 5 days", "2026-11-26"),
        ("i need to know the date it will be 4 days from now", "2026-11-25"),
        ("100天后是几号", "2027-03-01"),
        ("三天前是星期几", "2026-11-18"),
        ("下周三是几号", "2026-11-25"),
        ("what day of the week was july 20, 1969", "1969-07-20"),
        ("2026年国庆节是星期几", "2026-10-01"),
        ("how many days until christmas", 34),
        ("距离元旦还有多少天", 41),
        ("days between 2026-01-01 and 2026-03-05", 63),
        ("从2026年1月1日到2026年3月5日有多少天", 63),
        ("how many working days between 2026-11-01 and 2026-11-30", 21),
        ("2026-01-31 + 1 month", "2026-02-28"),
        ("is 2028 a leap year", True),
        ("1900年是闰年吗", False),
        ("how many days in february 2028", 29),
        ("二月有多少天", 28),
        ("what week is it", 47),
        ("今天是今年的第几天", 325),
        ("how old is someone born on 1990-05-17", 36),
        ("unix timestamp 1700000000", "2023-11-14T22:13:20Z"),
        ("从9点到17点半有多久", 510),
        ("what day is thanksgiving", "2026-11-26"),
    ],
)
def test_clock_and_calendar_are_told(asked: str, value: object) -> None:
    told = answer_date_question(asked, NOW)
    assert told is not None
    assert told.value == value


@pytest.mark.parametrize(
    "asked",
    [
        "when was adr-7 written",
        "when is the release",
        "how many days until the release",
        "what is the date of the meeting",
        "how long is the timeout",
        "what time zone does the scheduler use",
        "what happened on 2024-01-15",
        "meeting time in london",
        "会议时间",
        "项目启动是什么时候",
        "这个项目还有几天",
        "开会时间是几点",
        "which days are holidays",
        "how many hours does the backup take",
        "time",
    ],
)
def test_what_is_about_the_folder_is_left_to_it(asked: str) -> None:
    assert answer_date_question(asked, NOW) is None


def test_an_unknown_place_is_said_instead_of_guessed() -> None:
    told = answer_date_question("what time is it in zzyzx", NOW)
    assert told is not None and told.value is None
    assert "Zzyzx" in told.en


def test_a_day_beyond_the_calendar_is_refused() -> None:
    with pytest.raises(BeyondCalendar):
        answer_date_question("999999999999 days from now", NOW)


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(-3000, 3000))
@settings(deadline=None)
def test_days_from_a_day_and_back_are_the_same_day(day: date, days: int) -> None:
    assert shifted(shifted(day, days, "day"), -days, "day") == day
    assert read_day(f"{abs(days)} days from now", day) == day + timedelta(days=abs(days))
    assert read_day(f"{abs(days)}天前", day) == day - timedelta(days=abs(days))


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(-200, 200))
@settings(deadline=None)
def test_months_keep_the_day_where_it_exists(day: date, months: int) -> None:
    moved = add_months(day, months)
    assert (moved.year * 12 + moved.month) - (day.year * 12 + day.month) == months
    assert moved.day == day.day or (moved + timedelta(days=1)).day == 1


@given(st.text(max_size=30))
@settings(deadline=None, max_examples=60)
def test_any_text_is_read_or_not_and_never_breaks(text: str) -> None:
    answer_date_question(text.lower(), datetime(2026, 11, 21, tzinfo=UTC))


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("tokyo", "Asia/Tokyo"),
        ("houston, tx", "America/Chicago"),
        ("the pacific standard timezone", "America/Los_Angeles"),
        ("utc+5:30", "UTC+05:30"),
        ("纽约", "America/New_York"),
        ("nowhere", ""),
    ],
)
def test_places_have_zones(place: str, key: str) -> None:
    assert zone_of(place) == key


def test_a_day_that_does_not_exist_is_not_some_other_day() -> None:
    for phrase in (
        "2026-02-30",
        "feb 29 2023",
        "2023年2月29日",
        "2026-02-30 + 1 day",
        "september 31",
        "fifth monday of may 2026",
    ):
        with pytest.raises(NoSuchDay):
            read_day(phrase, NOW.date())


def test_the_weekday_of_a_month_is_counted_from_either_end() -> None:
    today = date(2026, 11, 22)
    assert read_day("first monday of december 2026", today) == date(2026, 12, 7)
    assert read_day("last friday of february 2028", today) == date(2028, 2, 25)


def test_a_leap_day_a_year_later_is_the_last_of_february() -> None:
    assert read_day("a year after 2024-02-29", NOW.date()) == date(2025, 2, 28)


@pytest.mark.parametrize(
    ("asked", "now", "minutes"),
    [
        # In Berlin the clocks go forward on 29 March and back on 25 October 2026: nights of 23 and 25 hours.
        ("how long until noon", datetime(2026, 3, 28, 13, 0, tzinfo=ZoneInfo("Europe/Berlin")), 22 * 60),
        ("how long until noon", datetime(2026, 10, 24, 13, 0, tzinfo=ZoneInfo("Europe/Berlin")), 24 * 60),
        ("how long until noon", datetime(2026, 7, 1, 13, 0, tzinfo=ZoneInfo("Europe/Berlin")), 23 * 60),
    ],
)
def test_the_time_until_a_clock_counts_the_hours_that_pass(asked: str, now: datetime, minutes: int) -> None:
    told = answer_date_question(asked, now)
    assert told is not None
    assert told.value == minutes


def test_hours_are_added_across_a_change_of_the_clocks() -> None:
    told = answer_date_question(
        "what time will it be in 2 hours", datetime(2026, 3, 29, 1, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    )
    assert told is not None
    assert "04:30" in told.en
