"""Text that stands for dates, read by two engines."""

from __future__ import annotations

from typing import Any

import pytest

from kbtui.nl2sql.query import Col, Part, Query, Unit
from tests.nl2sql.text_columns import REF, read


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["2024/3/5", "2023/12/10"], "%Y/%m/%d"),
        (["2024/03/05", "2023/12/10"], "%Y/%m/%d"),
        (["2024.3.5", "2023.12.10"], "%Y.%m.%d"),
        (["2024-3-5", "2023-12-10"], "%Y-%m-%d"),
        (["5.3.2024", "10.12.2023"], "%d.%m.%Y"),
        (["05.03.2024", "10.12.2023"], "%d.%m.%Y"),
        (["3/5/2024", "12/10/2023"], "%m/%d/%Y"),
        (["3/5/24", "12/10/23"], "%m/%d/%y"),
        (["03/05/24", "12/10/23"], "%m/%d/%y"),
        (["20240305", "20231210"], "%Y%m%d"),
        ([20240305, 20231210], "%Y%m%d"),
        (["2024年3月5日", "2023年12月10日"], "%Y年%m月%d日"),
        (["5-Mar-2024", "10-Dec-2023"], "%d-%b-%Y"),
        (["05-Mar-2024", "10-Dec-2023"], "%d-%b-%Y"),
        (["5 March 2024", "10 Dec 2023"], "%d %b %Y"),
        (["Mar 5, 2024", "December 10, 2023"], "%b %d, %Y"),
        (["2024/3/5 9:05", "2023/12/10 10:30"], "%Y/%m/%d %H:%M"),
        (["2024/3/5 9:05", "2023/12/10"], "%Y/%m/%d %H:%M"),
        (["2024/03/05 09:05:00", "2023/12/10 10:30:59"], "%Y/%m/%d %H:%M:%S"),
        (["5.3.2024 9:05", "10.12.2023 10:30"], "%d.%m.%Y %H:%M"),
        (["3/5/2024 9:05 PM", "12/10/2023 12:30 AM"], "%m/%d/%Y %I:%M %p"),
        (["05/Mar/24 9:05 PM", "10/Dec/23 12:30 AM"], "%d/%b/%y %I:%M %p"),
        (["05-Mar-24", "10-Dec-23"], "%d-%b-%y"),
        (["Mar 5, 2024, 9:05:00 AM", "Dec 10, 2023, 11:15:37 PM"], "%b %d, %Y, %I:%M:%S %p"),
        (["5 March 2024 at 9:05 AM", "10 December 2023 at 10:30 PM"], "%d %b %Y at %I:%M %p"),
        (["5th March 2024", "10th December 2023"], "%d%o %b %Y"),
        (["Tue, 5 Mar 2024 09:05:00 +0000", "Sun, 10 Dec 2023 10:30:00 +0000"], "%a, %d %b %Y %H:%M:%S%Z"),
        (["24-03-05 星期二", "23-12-10 星期日"], "%y-%m-%d %a"),
        (["2024-03-05 (Tue)", "2023-12-10 (Sun)"], "%Y-%m-%d (%a)"),
        (["2024-03-05T23:05:00+08:00", "2023-12-10T01:30:00+08:00"], "%Y-%m-%dT%H:%M:%S%Z"),
        (["2024-03-05 09:05:00 UTC", "2023-12-10 10:30:00 UTC"], "%Y-%m-%d %H:%M:%S%Z"),
        (["2024年3月5日 9时05分", "2023年12月10日 10时30分"], "%Y年%m月%d日 %H时%M分"),
        (["05/03/2024", "2023-12-10"], "%d/%m/%Y|%Y-%m-%d"),
        (["2024-03-05", "10 Dec 2023"], "%d %b %Y|%Y-%m-%d"),
        (["2024-03-05", "2023-12-10"], ""),
        (["2024-03-05 10:00:00", "2023-12-10"], ""),
    ],
)
def test_dates_are_read_however_they_are_written(dialect: str, values: list[Any], form: str) -> None:
    query = Query(select=(Part("day", Col(REF)),))
    assert read(dialect, [*values, None], "date", form, query) == ["2024-03-05", "2023-12-10", None]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("value", "form", "unit", "expected"),
    [
        ("2024年3月", "%Y年%m月", "month", "2024-03"),
        ("2024-03", "%Y-%m", "month", "2024-03"),
        ("3月5日", "%m月%d日", "month_of_year", 3),
        ("2024/3/5 9:05", "%Y/%m/%d %H:%M", "hour", 9),
        ("2024/3/5 19:05", "%Y/%m/%d %H:%M", "hour", 19),
        ("2024/3/5", "%Y/%m/%d", "weekday", "Tuesday"),
    ],
)
def test_parts_of_dates_in_text(dialect: str, value: str, form: str, unit: Unit, expected: Any) -> None:
    assert read(dialect, [value], "date", form, Query(select=(Part(unit, Col(REF)),))) == [expected]
