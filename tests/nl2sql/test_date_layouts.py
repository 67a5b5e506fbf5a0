"""Every way of writing a day and a time is recognised and read alike by Python, SQLite and DuckDB."""

from __future__ import annotations

import calendar
import random
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pytest
from sqlglot import exp

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.date_casts import cast_date
from kbtui.nl2sql.date_layouts import DateLayout, layout_of
from kbtui.nl2sql.query import Ref

Writer = Callable[[datetime], str]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = tuple(calendar.day_name)
SUFFIXES = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


def month(day: datetime) -> str:
    return MONTHS[day.month - 1]


def twelve(time: datetime) -> int:
    return (time.hour - 1) % 12 + 1


DAYS: dict[str, Writer] = {
    "2024-03-05": lambda d: f"{d:%Y-%m-%d}",
    "2024-3-5": lambda d: f"{d.year}-{d.month}-{d.day}",
    "2024/3/5": lambda d: f"{d.year}/{d.month}/{d.day}",
    "2024.03.05": lambda d: f"{d:%Y.%m.%d}",
    "2024年3月5日": lambda d: f"{d.year}年{d.month}月{d.day}日",
    "05.03.2024": lambda d: f"{d:%d.%m.%Y}",
    "05.03.24": lambda d: f"{d:%d.%m.%y}",
    "3/5/2024": lambda d: f"{d.month}/{d.day}/{d.year}",
    "3/5/24": lambda d: f"{d.month}/{d.day}/{d:%y}",
    "05/03/2024": lambda d: f"{d:%d/%m/%Y}",
    "05-03-2024": lambda d: f"{d:%d-%m-%Y}",
    "24-03-05": lambda d: f"{d:%y-%m-%d}",
    "5-Mar-2024": lambda d: f"{d.day}-{month(d)[:3]}-{d.year}",
    "05/Mar/24": lambda d: f"{d:%d}/{month(d)[:3]}/{d:%y}",
    "2024-Mar-05": lambda d: f"{d.year}-{month(d)[:3]}-{d:%d}",
    "5 March 2024": lambda d: f"{d.day} {month(d)} {d.year}",
    "5th March 2024": lambda d: f"{d.day}{SUFFIXES.get(d.day, 'th')} {month(d)} {d.year}",
    "Mar 5, 2024": lambda d: f"{month(d)[:3]} {d.day}, {d.year}",
    "Mar 5 2024": lambda d: f"{month(d)[:3]} {d.day} {d.year}",
}
CLOCKS: dict[str, Writer] = {
    "": lambda _: "",
    " 9:05": lambda t: f" {t.hour}:{t:%M}",
    " 09:05:30": lambda t: f" {t:%H:%M:%S}",
    "T09:05:30.123Z": lambda t: f"T{t:%H:%M:%S}.123Z",
    " 09:05:30 +0800": lambda t: f" {t:%H:%M:%S} +0800",
    " 09:05:30 UTC": lambda t: f" {t:%H:%M:%S} UTC",
    " 9:05 AM": lambda t: f" {twelve(t)}:{t:%M %p}",
    ", 9:05:30 am": lambda t: f", {twelve(t)}:{t:%M:%S} {'am' if t.hour < 12 else 'pm'}",
    " at 9:05 AM": lambda t: f" at {twelve(t)}:{t:%M %p}",
    " 9时05分": lambda t: f" {t.hour}时{t:%M}分",
}
WITH_WEEKDAY: dict[str, Callable[[str, datetime], str]] = {
    "": lambda day, _: day,
    "Tue, …": lambda day, d: f"{WEEKDAYS[d.weekday()][:3]}, {day}",
    "… 星期二": lambda day, d: f"{day} 星期{'一二三四五六日'[d.weekday()]}",
    "… (Tuesday)": lambda day, d: f"{day} ({WEEKDAYS[d.weekday()]})",
}


@pytest.mark.parametrize("weekday", WITH_WEEKDAY)
@pytest.mark.parametrize("day", DAYS)
def test_dates_are_read_as_they_were_written(day: str, weekday: str) -> None:
    duck = duckdb.connect(":memory:")
    for clock in CLOCKS:
        draw = random.Random(f"{weekday}{day}{clock}")
        times = [datetime(2024, 1, 1) + timedelta(minutes=draw.randrange(60 * 24 * 900)) for _ in range(30)]
        texts = [WITH_WEEKDAY[weekday](DAYS[day](time), time) + CLOCKS[clock](time) for time in times]
        layout = layout_of(texts, 0.9)
        assert layout is not None, texts[0]
        assert (layout.low, layout.high) == (min(times).date(), max(times).date()), texts[0]
        assert layout.has_time == bool(clock)
        expected = [str(time if clock else time.date()) for time in times]
        for engine, dialect in ((sqlite3.connect(":memory:"), "sqlite"), (duck, "duckdb")):
            assert read(engine, dialect, texts, layout, timed=bool(clock)) == expected, (dialect, texts[0], layout)


def read(engine: Any, dialect: str, texts: list[str], layout: DateLayout, *, timed: bool) -> list[str]:
    """The days, or times without seconds, that a database reads in a column."""
    known = tuple((text, 1) for text in texts[:30])
    info = ColumnInfo(
        ref=Ref("t", "x"),
        kind="date",
        words=("x",),
        own=("x",),
        encoding="date",
        date_format=layout.format,
        has_time=layout.has_time,
        values=known,
    )
    cast = cast_date(exp.column("x", quoted=True), info, dialect).sql(dialect)
    engine.execute("CREATE OR REPLACE TABLE t (x TEXT)" if dialect == "duckdb" else "CREATE TABLE t (x TEXT)")
    engine.execute(f"INSERT INTO t VALUES {', '.join(['(?)'] * len(texts))}", texts)
    form = "%Y-%m-%d %H:%M:00" if timed else "%Y-%m-%d"
    shown = f"strftime({cast}, '{form}')" if dialect == "duckdb" else f"strftime('{form}', {cast})"
    return [row[0] for row in engine.execute(f"SELECT {shown} FROM t").fetchall()]
