"""Text that stands for numbers and dates, read by two engines."""

from __future__ import annotations

import sqlite3
from typing import Any

import duckdb
import pytest

from kbtui.data.guard import check
from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Encoding, Kind, TableInfo
from kbtui.nl2sql.query import Agg, Col, Part, Query, Ref, Unit

REF = Ref("t", "x")


def read(dialect: str, values: list[Any], encoding: Encoding, form: str, query: Query) -> list[Any]:
    """The rows of a query over one column of text."""
    kind: Kind = "date" if encoding == "date" else "measure"
    known = tuple((value, 1) for value in values if value is not None)
    info = ColumnInfo(
        ref=REF, kind=kind, words=("x",), own=("x",), encoding=encoding, date_format=form, values=known, complete=True
    )
    tables = {"t": TableInfo(name="t", words=("t",), columns=(info,))}
    sql = check(sql_of(query, Catalogue(source="s", dialect=dialect, tables=tables)), dialect)
    engine: Any = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect(":memory:")
    engine.execute(f"CREATE TABLE t (x {'BIGINT' if isinstance(values[0], int) else 'TEXT'})")
    engine.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
    return [row[0] for row in engine.execute(sql).fetchall()]


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
        (["5 March 2024", "10 Dec 2023"], "%d-%b-%Y"),
        (["Mar 5, 2024", "December 10, 2023"], "%b %d, %Y"),
        (["2024/3/5 9:05", "2023/12/10 10:30"], "%Y/%m/%d %H:%M"),
        (["2024/3/5 9:05", "2023/12/10"], "%Y/%m/%d %H:%M"),
        (["2024/03/05 09:05:00", "2023/12/10 10:30:59"], "%Y/%m/%d %H:%M:%S"),
        (["5.3.2024 9:05", "10.12.2023 10:30"], "%d.%m.%Y %H:%M"),
        (["3/5/2024 9:05 PM", "12/10/2023 12:30 AM"], "%m/%d/%Y %I:%M %p"),
        (["05/Mar/24 9:05 PM", "10/Dec/23 12:30 AM"], "%d/%b/%y %I:%M %p"),
        (["05-Mar-24", "10-Dec-23"], "%d-%b-%y"),
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
def test_numbers_are_read_however_they_are_written(dialect: str, values: list[Any], total: float) -> None:
    assert read(dialect, values, "number", "", Query(select=(Agg("sum", Col(REF)),))) == [total]
