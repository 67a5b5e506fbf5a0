"""Chinese questions over a small shop, each for one rule of how Chinese asks."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.nl2sql.chinese import Cutter
from kbtui.data.nl2sql.chinese_dates import with_chinese_spans
from kbtui.data.nl2sql.writer import THRESHOLD, OfflineSqlWriter
from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError

_SCRIPT = """
create table customers (
    customer_id integer primary key, first_name text, last_name text, city text, country text, phone text, level text
);
create table products (
    product_id integer primary key, product_name text, category text, unit_price numeric, released_on date,
    seconds integer
);
create table orders (
    order_id integer primary key, customer_id integer references customers(customer_id),
    product_id integer references products(product_id), placed_on date, delivered_on date, amount numeric,
    quantity integer, status text
);
create table reviews (review_id integer primary key, product_id integer references products(product_id), stars integer);
insert into customers values
  (1,'Ada','Berg','Oslo','Norway','11','VIP'),(2,'Bo','Dahl','Malmö','Sweden','22','VIP'),
  (3,'Cy','Ek','Oslo','Norway',null,'Basic'),(4,'Di','Holm','Lund','Sweden','44','Basic');
insert into products values
  (1,'Lamp','Home',40,'2023-01-05',90),(2,'Chair','Home',120,'2024-02-05',300),(3,'Pen','Office',3,'2022-03-05',200);
insert into orders values
  (1,1,1,'2024-12-30','2025-01-02',40,1,'paid'),(2,1,3,'2025-03-02',null,30,10,'open'),
  (3,2,2,'2025-03-20','2025-03-22',240,2,'paid'),(4,1,3,'2025-05-05','2025-05-09',15,5,'paid'),
  (5,3,1,'2025-10-05',null,80,2,'open');
insert into reviews values (1,1,3),(2,1,4),(3,2,5),(4,2,1),(5,1,4);
"""


class Shop:
    """A file and how to ask it."""

    def __init__(self, path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.executescript(_SCRIPT)
        connection.close()
        self._path = path
        self.schema: Schema = SqliteSource("shop", path).schema("detailed")
        self.writer = OfflineSqlWriter(ask=self.ask, today=lambda: date(2025, 11, 15))

    def ask(self, _name: str, sql: str) -> Sequence[Sequence[Any]]:
        """Rows of a statement."""
        connection = sqlite3.connect(self._path)
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise DataSourceError(str(error)) from error
        finally:
            connection.close()

    def answer(self, question: str) -> list[Any]:
        """Rows of the best reading, in the order they come."""
        best = self.writer.read(question, self.schema).best
        assert best is not None, question
        return list(self.ask("shop", best.sql))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("shop") / "shop.sqlite")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # Counting, with measure words and with none.
        ("多少客户", [(4,)]),
        ("一共有几张订单", [(5,)]),
        ("客户来自几个国家", [(2,)]),
        # What is asked is the month, not the day of the largest order.
        ("哪个月的金额最高", [("2025-03",)]),
        ("哪一年的订单最多", [("2025",)]),
        ("订单总数", [(5,)]),
        ("VIP客户数", [(2,)]),
        # Groups: 各, 每, 按, 分别.
        ("各城市客户数", [("Lund", 1), ("Malmö", 1), ("Oslo", 2)]),
        ("按类别统计商品数量", [("Home", 2), ("Office", 1)]),
        ("每种类别的平均单价", [("Home", 80), ("Office", 3)]),
        ("paid和open的订单各多少", [("open", 2), ("paid", 3)]),
        ("挪威和瑞典的客户分别有几个", [("Norway", 2), ("Sweden", 2)]),
        # A measure of many rows is summed, unless it is a price or a rating.
        ("各国家的订单金额", [("Norway", 165), ("Sweden", 240)]),
        ("去年的订单金额", [(40,)]),
        # The first by something: one row's, a sum's, how many there are, an adjective's.
        ("最贵的商品叫什么", [("Chair",)]),
        ("单价最低的两个商品", [("Pen",), ("Lamp",)]),
        ("销量前2的商品", [("Pen",), ("Lamp",)]),
        ("订单最多的客户", [("Ada", "Berg")]),
        ("哪个城市订单最多", [("Oslo",)]),
        ("评分最高的商品", [("Lamp",)]),
        ("最近一笔订单的金额", [(80,)]),
        # Several figures at once, and the largest figure itself.
        ("最大、最小和平均订单金额", [(240, 15, 81)]),
        ("商品最高单价", [(120,)]),
        # Comparing, between, at least, in time, with units.
        ("单价超过30的商品", [("Chair",), ("Lamp",)]),
        ("单价3到50之间的商品", [("Lamp",), ("Pen",)]),
        ("金额在30以上的订单有多少", [(4,)]),
        ("至少2张订单的客户", [("Ada", "Berg")]),
        ("下单两次以上的客户", [("Ada", "Berg")]),
        ("单价高于平均单价的商品数", [(1,)]),
        ("4分钟以上的商品", [("Chair",)]),
        ("2025年3月以后的订单数", [(2,)]),
        ("2025年3月到5月的订单有多少", [(3,)]),
        # What is not there.
        ("没有订单的客户", [("Di", "Holm")]),
        ("没下过单的客户有多少", [(1,)]),
        ("没填电话的客户", [("Cy", "Ek")]),
        ("不是Home类别的商品", [("Pen",)]),
        ("没有评价的商品有几个", [(1,)]),
        ("2025年送达的订单数", [(3,)]),
        ("客户总共几人", [(4,)]),
        ("住在Oslo的人", [("Ada", "Berg"), ("Cy", "Ek")]),
        ("4星以上的评价有几条", [(3,)]),
        # Values, alone, of a column, several, part of a text.
        ("挪威的客户姓名和电话", [("Ada", "Berg", "11"), ("Cy", "Ek", None)]),
        ("商品名带am的商品", [("Lamp",)]),
        ("状态是open的订单数", [(2,)]),
        ("有哪些城市", [("Lund",), ("Malmö",), ("Oslo",)]),
        # Times.
        ("每年订单数", [("2024", 1), ("2025", 4)]),
        ("2025年每月的订单金额", [("2025-03", 270), ("2025-05", 15), ("2025-10", 80)]),
        # A group beside the others.
        ("各类别商品数占比", [("Home", 2, 200 / 3), ("Office", 1, 100 / 3)]),
        ("每年订单数环比", [("2024", 1, None), ("2025", 4, 300)]),
        # 繁體.
        ("每個國家的客戶數", [("Norway", 2), ("Sweden", 2)]),
        ("訂單總金額", [(405,)]),
    ],
)  # fmt: skip
def test_a_question_brings_the_rows_it_asks_for(shop: Shop, question: str, rows: list[Any]) -> None:
    got, wanted = _alike(shop.answer(question)), _alike(rows)

    assert got == wanted if "前" in question or "最" in question else sorted(got) == sorted(wanted)


def _alike(rows: list[Any]) -> list[str]:
    return [repr([float(cell) if isinstance(cell, int) else cell for cell in row]) for row in rows]


def test_an_order_is_kept(shop: Shop) -> None:
    assert shop.answer("各城市客户数，从多到少")[0] == ("Oslo", 2)


def test_what_is_understood_is_answered_and_what_is_not_is_asked_about(shop: Shop) -> None:
    sure = shop.writer.read("各城市客户数", shop.schema).best
    unsure = shop.writer.read("宇航员昨天飞了多少光年", shop.schema).best

    assert sure is not None and sure.confidence >= THRESHOLD
    assert unsure is None or unsure.confidence < THRESHOLD


def test_what_was_taken_for_nothing_is_named_as_it_was_asked(shop: Shop) -> None:
    readings = shop.writer.read("魁梧的客户有多少", shop.schema)

    assert readings.unlinked == ("魁梧",)


def test_a_figure_that_cannot_be_computed_is_said_to_be_missing(shop: Shop) -> None:
    assert "同比" in shop.writer.read("每月订单金额同比", shop.schema).unlinked


@pytest.mark.parametrize(
    ("question", "header"),
    [
        ("各城市客户数", "客户数量"),
        ("各类别平均单价", "平均单价"),
        ("各类别商品数占比", "占比（%）"),
        ("每月订单数", "月"),
    ],
)
def test_computed_columns_are_called_as_the_question_calls_them(shop: Shop, question: str, header: str) -> None:
    best = shop.writer.read(question, shop.schema).best

    assert best is not None and f'AS "{header}"' in best.sql


def test_links_are_shown_in_the_words_of_the_question(shop: Shop) -> None:
    best = shop.writer.read("各城市客户数", shop.schema).best

    assert best is not None
    assert [link.name for link in best.links] == ["城市", "客户"]


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("2025年6月到8月", "@2025-06-01..2025-08-31"),
        ("去年12月", "@2024-12-01..2024-12-31"),
        ("去年下半年", "@2024-07-01..2024-12-31"),
        ("今年第二季度", "@2025-04-01..2025-06-30"),
        ("2024年Q3", "@2024-07-01..2024-09-30"),
        ("前年", "@2023-01-01..2023-12-31"),
        ("上上个月", "@2025-09-01..2025-09-30"),
        ("最近7天", "@2025-11-09..2025-11-15"),
        ("近三个月", "@2025-08-16..2025-11-15"),
        ("近半年", "@2025-05-16..2025-11-15"),
        ("昨天", "@2025-11-14..2025-11-14"),
        ("上周", "@2025-11-03..2025-11-09"),
        ("2022到2024年", "@2022-01-01..2024-12-31"),
        ("2025/3/7", "2025-03-07"),
    ],
)
def test_times_are_spans_of_days(said: str, span: str) -> None:
    assert with_chinese_spans(f"{said}的订单", lambda: date(2025, 11, 15)).replace("的订单", "").strip() == span


def test_an_english_question_keeps_its_dates() -> None:
    assert with_chinese_spans("orders on 2025/3/7", lambda: date(2025, 11, 15)) == "orders on 2025/3/7"


def test_a_word_is_put_into_the_english_that_the_schema_knows(shop: Shop) -> None:
    model = shop.writer.model(shop.schema)
    cutter = Cutter({"货品": ["goods", "product"], "快件": ["parcel"]}, model)

    assert [word.text for word in cutter.words("货品")] == ["product"]


def test_of_two_cuts_the_one_that_leaves_nothing_over_is_taken(shop: Shop) -> None:
    model = shop.writer.model(shop.schema)
    cutter = Cutter({"客户": ["customer"], "国家": ["country"], "国": ["country"]}, model)

    assert [word.source for word in cutter.words("各国客户")] == ["各", "国", "客户"]
    assert [word.source for word in cutter.words("各国家客户")] == ["各", "国家", "客户"]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("各地区销售额", [("华东", 570.5), ("华南", 2900)]),
        ("销售额最高的客户", [("乙公司",)]),
        ("华东有几单", [(2,)]),
        ("甲公司的销售额", [(570.5,)]),
    ],
)
def test_a_chinese_schema_is_asked_in_other_words_than_its_own(tmp_path: Path, question: str, rows: list[Any]) -> None:
    path = tmp_path / "sales.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(
        "create table sales (订单编号 integer primary key, 下单日期 date, 客户名称 text, 地区 text, 销售金额 numeric);"
        "insert into sales values (1,'2025-01-03','甲公司','华东',120.5),(2,'2025-01-15','乙公司','华南',2900),"
        "(3,'2025-02-03','甲公司','华东',450);"
    )

    def ask(_name: str, sql: str) -> Sequence[Sequence[Any]]:
        return connection.execute(sql).fetchall()

    best = OfflineSqlWriter(ask=ask).read(question, SqliteSource("sales", path).schema("detailed")).best

    assert best is not None
    assert _alike(sorted(ask("", best.sql))) == _alike(rows)
    connection.close()
