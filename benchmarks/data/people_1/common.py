"""What the builders of the databases share: dates, names and filling a table."""

import datetime
import random
import sqlite3
from collections.abc import Iterable, Sequence

_FIRST = (
    "Alice Ben Carla Dan Ella Femi Grace Hugo Isla Jon Kira Liam Maya Nils Olive Pete Rosa Sam Tess Umar "
    "Vera Will Yusuf Zoe Anna Bruno Cleo Derek Edith Frank Gina Harry Ines Jack Kate Leo Mona Nora Oscar "
    "Paula"
)
FIRST = _FIRST.split()
_LAST = (
    "Abbott Barker Cole Dawson Ellis Foster Gomez Hale Ivory Jarvis Khan Lowe Marsh Nolan Osei Patel "
    "Quinn Reed Shaw Turner Usher Vance Walsh Yates Zeller Bright Carver Doyle Ekman Finch Grant Hobbs "
    "Irwin Kerr Lamb Moss"
)
LAST = _LAST.split()
SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹"
_GIVEN = (
    "伟 芳 娜 敏 静 磊 军 洋 勇 艳 杰 涛 明 超 秀英 霞 平 刚 桂英 建国 丽华 志强 婷婷 小龙 雨桐 子轩 "
    "浩然 欣怡 梓涵 佳琪 文博 思远"
)
GIVEN = _GIVEN.split()

Row = Sequence[object]


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def between(rng: random.Random, first: str, last: str) -> datetime.date:
    """Return one day of the span, both ends included."""
    start = day(first)
    return start + datetime.timedelta(days=rng.randint(0, (day(last) - start).days))


def later(date: datetime.date, days: int) -> datetime.date:
    return date + datetime.timedelta(days=days)


def people(rng: random.Random, count: int) -> list[str]:
    """Return different English names."""
    return [f"{a} {b}" for a, b in rng.sample([(a, b) for a in FIRST for b in LAST], count)]


def chinese_people(rng: random.Random, count: int) -> list[str]:
    """Return different Chinese names."""
    return [a + b for a, b in rng.sample([(a, b) for a in SURNAMES for b in GIVEN], count)]


def pick(rng: random.Random, weighted: dict[str, int]) -> str:
    return rng.choices(list(weighted), list(weighted.values()))[0]


def months(first: str, last: str) -> list[str]:
    """Return the months of a span as 2026-03."""
    year, month = int(first[:4]), int(first[5:7])
    found = []
    while f"{year}-{month:02d}" <= last:
        found.append(f"{year}-{month:02d}")
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return found


def fill(con: sqlite3.Connection, create: str, rows: Iterable[Row]) -> None:
    """Make the table that `create` describes and put the rows in."""
    con.execute(f"CREATE TABLE {create}")
    filled = [tuple(str(cell) if isinstance(cell, datetime.date) else cell for cell in row) for row in rows]
    name = create.split("(")[0].strip()
    con.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(filled[0]))})", filled)
