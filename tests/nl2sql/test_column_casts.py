"""Text that stands for numbers, read by two engines."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.durations import duration_in
from kbtui.nl2sql.query import Agg, Col, Query
from tests.nl2sql.text_columns import REF, read


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("values", "total"),
    [
        (["$1,234.50", "$5", "n/a", ""], 1239.5),
        (["1.234,50 €", "5,5 €"], 1240.0),
        (["12 %", "8.5%"], 20.5),
        (["(1,200.00)", "200.00"], -1000.0),
        (["-3", "−4", "10"], 3.0),
        (["50 m2", "12.5 m2"], 62.5),
        (["1,200元", "300元"], 1500.0),
        (["1'200.50", "1'000.00"], 2200.5),
        (["7", "8"], 15.0),
        (["Rs. 1,200.50", "Rs. 10"], 1210.5),
        (["1\u202f234,50 €", "5,50 €"], 1240.0),
        (["1.5K", "$2M", "250"], 2_001_750.0),
        (["37 pts", "1 pt"], 38.0),
    ],
)
def test_numbers_are_read_however_they_are_written(dialect: str, values: list[str], total: float) -> None:
    assert read(dialect, values, "number", "", Query(select=(Agg("sum", Col(REF)),))) == [total]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("values", "form", "seconds"),
    [
        (["0:08:25", "26:17:00", ""], "%H:%M:%S", 505 + 94620),
        (["1h 30m", "45m", "2h"], "%Hh%Mm", 5400 + 2700 + 7200),
        (["2小时15分", "40分钟"], "%H小时%M分", 8100 + 2400),
    ],
)
def test_durations_are_seconds(dialect: str, values: list[str], form: str, seconds: float) -> None:
    assert duration_in([value for value in values if value]) is not None
    assert read(dialect, values, "number", form, Query(select=(Agg("sum", Col(REF)),))) == [seconds]
