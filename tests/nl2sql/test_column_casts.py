"""Text that stands for numbers, read by two engines."""

from __future__ import annotations

import pytest

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
    ],
)
def test_numbers_are_read_however_they_are_written(dialect: str, values: list[str], total: float) -> None:
    assert read(dialect, values, "number", "", Query(select=(Agg("sum", Col(REF)),))) == [total]
