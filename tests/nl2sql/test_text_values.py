"""Numbers and dates that sit in text."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.nl2sql.text_values import form_of, number_of, unix_form


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$1,234.50", 1234.5, "USD"),
        ("12 %", 12.0, "%"),
        ("1,200元", 1200.0, "CNY"),
        ("¥88", 88.0, "CNY"),
        ("1.234,50 €", 1234.5, "EUR"),
        ("(12.00)", -12.0, ""),
        ("-$5.00", -5.0, "USD"),
        ("7.5 hrs", 7.5, "hour"),
        ("80kg", 80.0, "kg"),
        ("2 sqft", 2.0, "ft²"),
        ("54 m²", 54.0, "m²"),
        ("35岁", 35.0, "year"),
        ("23,358元/平", 23358.0, "CNY"),
        ("2017年建", 2017.0, ""),
        ("3 500", 3500.0, ""),
        ("1\u202f234,50 €", 1234.5, "EUR"),
        ("Rs. 7,463.92", 7463.92, "INR"),
        ("1.2K", 1200.0, ""),
        ("$3.4M", 3_400_000.0, "USD"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, unit: str) -> None:
    number = number_of(text)
    assert number is not None
    assert (number.value, number.unit) == (value, unit)


@pytest.mark.parametrize("text", ["A12", "12-34", "2.4.1", "Room 5", "", "10/12", "1st"])
def test_other_text_is_no_number(text: str) -> None:
    assert number_of(text) is None


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["2026-03-05", "2026-11-30"], ""),
        (["2026-3-5", "2026-11-30"], "%Y-%m-%d"),
        (["2024/3/5", "2024/12/31"], "%Y/%m/%d"),
        (["05.03.2026", "31.12.2026"], "%d.%m.%Y"),
        (["3月5日", "12月31日"], "%m月%d日"),
        (["2026年3月5日"], "%Y年%m月%d日"),
        (["20260305", "20261231"], "%Y%m%d"),
        (["20260305142530"], "%Y%m%d%H%M%S"),
        (["2026-03", "2026-12"], "%Y-%m"),
        (["5 Mar 2026", "31 Dec 2026"], "%d %b %Y"),
        (["5 March 2026", "31 December 2026"], "%d %b %Y"),
        (["Mar 5, 2026", "Dec 31, 2026"], "%b %d, %Y"),
        (["21 May", "11 July"], "%d %b"),
        (["2024/3/5 14:30", "2024/3/6 09:00"], "%Y/%m/%d %H:%M"),
        (["2026-03-05T12:33:00Z"], ""),
        (["2026-03-05 12:33:00 +0000"], "%Y-%m-%d %H:%M:%S%Z"),
        (["2026-03-05 1:05 PM"], "%Y-%m-%d %I:%M %p"),
        (["3/25/2026 3:41 PM", "4/1/2026 11:05 AM"], "%m/%d/%Y %I:%M %p"),
        (["3/25/2026, 3:41:09pm"], "%m/%d/%Y, %I:%M:%S%p"),
        (["Sep 2, 2024, 12:15:37 PM", "Oct 12, 2024, 6:26:24 AM"], "%b %d, %Y, %I:%M:%S %p"),
        (["26-09-01 星期二", "26-09-12 星期六"], "%y-%m-%d %a"),
        (["Sat, 28 Nov 2026 10:00:00 GMT"], "%a, %d %b %Y %H:%M:%S%Z"),
        (["1st May 2026", "22nd June 2026"], "%d%o %b %Y"),
        (["Mar-24", "Apr-24"], "%b-%y"),
        (["03/2026", "04/2026"], "%m/%Y"),
        (["2026-Mar-08"], "%Y-%b-%d"),
        (["05-Mar-26", "31-Dec-26"], "%d-%b-%y"),
        (["25/03/2026", "2026-03-26", "27/03/2026"], "%d/%m/%Y|%Y-%m-%d"),
        (["05/Mar/26 3:41 PM"], "%d/%b/%y %I:%M %p"),
    ],
)
def test_dates_in_text_have_the_format_that_parses_them(values: list[str], form: str) -> None:
    found = form_of(values)
    assert found is not None
    assert (found.encoding, found.date_format) == ("date", form)


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["03/25/2026", "04/01/2026"], "%m/%d/%Y"),
        (["25/03/2026", "01/04/2026"], "%d/%m/%Y"),
        (["01/02/2026", "02/02/2026", "03/02/2026"], "%d/%m/%Y"),
        (["02/01/2026", "02/02/2026", "02/03/2026"], "%m/%d/%Y"),
    ],
)
def test_the_figure_that_can_only_be_a_day_or_varies_more_is_the_day(values: list[str], form: str) -> None:
    found = form_of(values)
    assert found is not None
    assert found.date_format == form


def test_extremes_are_days_and_midnight_is_no_time() -> None:
    found = form_of(["2026-03-05 00:00:00", "2025-01-02 00:00:00"])
    assert found is not None
    assert (found.low, found.high, found.has_time) == (date(2025, 1, 2), date(2026, 3, 5), False)
    timed = form_of(["2026-03-05 10:20:00", "2025-01-02 00:00:00"])
    assert timed is not None and timed.has_time


@pytest.mark.parametrize(
    "values",
    [
        ["North", "South"],
        ["0123", "0456"],
        ["07231741489", "07589555816"],
        ["2.4.1", "2.3.7"],
        ["99/99/2026"],
        ["1.2.3"],
        ["20-40-17"],
        ["Room 5 Mar"],
        ["(555) 123-4567"],
        ["10:30"],
        ["Jan 5 - Feb 7"],
        ["2024年3月至4月"],
    ],
)
def test_names_codes_and_versions_are_just_text(values: list[str]) -> None:
    assert form_of(values) is None


def test_a_few_slips_do_not_hide_what_a_column_is() -> None:
    found = form_of([f"${n}.00" for n in range(1, 20)] + ["n/a", ""])
    assert found is not None
    assert (found.encoding, found.unit, found.low, found.high) == ("number", "USD", 1.0, 19.0)


def test_seconds_since_1970_are_dates_and_small_numbers_are_none() -> None:
    found = unix_form([1_764_547_200, 1_772_668_800])
    assert found is not None
    assert (found.date_format, found.low) == ("unix", date(2025, 12, 1))
    assert unix_form([12, 15]) is None


def test_long_numbers_of_different_length_are_amounts_and_those_of_one_length_codes() -> None:
    assert form_of(["9500000", "12500000", "120000000"]) is not None
    assert form_of(["9500000", "1250000", "1200000"]) is None
    assert form_of(["09500000", "012500000"]) is None


def test_numbers_of_things_and_durations_are_quantities() -> None:
    points = form_of(["37 pts", "1 pt", "12 pts"])
    assert points is not None
    assert (points.encoding, points.low, points.high) == ("number", 1.0, 37.0)
    calls = form_of(["0:08:25", "26:17:00"])
    assert calls is not None
    assert (calls.date_format, calls.unit, calls.high) == ("%H:%M:%S", "second", 94620.0)
    assert form_of(["12 Oak Street", "5 Mill Street"]) is None
