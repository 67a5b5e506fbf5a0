"""What follow-ups over data mean, read by the real offline reader over a small database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace

import pytest

from kbtui.analysis.follow_up import in_full, may_follow
from kbtui.data.nl2sql.writer import OfflineSqlWriter
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, Readings
from kbtui.domain.conversation import Turn
from kbtui.domain.ports import CancelToken
from kbtui.settings.sources import DataSource

Read = Callable[[str], Readings]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    path = tmp_path_factory.mktemp("data") / "shop.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE stores (id INTEGER PRIMARY KEY, name TEXT, city TEXT, opened_on DATE);
        CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, store_id INT REFERENCES stores, price REAL);
        INSERT INTO stores VALUES (1, 'North', 'Oslo', '2023-05-01'), (2, 'South', 'Oslo', '2024-02-01'),
            (3, 'Quay', 'Bergen', '2023-08-09');
        INSERT INTO products VALUES (1, 'Falcon', 1, 10), (2, 'Heron', 2, 20), (3, 'Swift', 3, 30);
        """
    )
    connection.close()
    source = open_source(DataSource(name="shop", location=str(path)))
    schema = source.schema("detailed")
    writer = OfflineSqlWriter(lambda: None, ask=lambda _name, sql: source.run(sql, Limits(), CancelToken()).rows)
    return lambda question: writer.read(question, schema)


def turn(question: str, request_type: str = "data_query") -> Turn:
    return Turn(query=question, standalone=question, answer="…", request_type=request_type, source="shop")


def meant(query: str, question: str, read: Read) -> str | None:
    found = in_full(query, (turn(question),), read)
    return None if found is None else found.standalone


@pytest.mark.parametrize(
    ("question", "query", "full"),
    [
        ("How many stores are there?", "what about products?", "How many products are there?"),
        ("How many stores are in Oslo?", "and in Bergen?", "How many stores are in Bergen?"),
        ("How many stores are in Oslo?", "Bergen?", "How many stores are in Bergen?"),
        ("How many stores are there per city?", "only Bergen", "How many stores are there per city in Bergen?"),
        ("How many stores are in Oslo?", "list them", "Which stores are in Oslo?"),
        ("list stores in Oslo", "how many are there?", "How many stores in Oslo"),
        ("What is the average price of products?", "and the highest?", "What is the highest price of products?"),
        ("What was sold in 2023?", "and for 2024?", "What was sold in 2024?"),
        ("What was sold?", "since 2024", "What was sold since 2024?"),
        (
            "How many stores are there per city?",
            "as a pie chart",
            "How many stores are there per city as a pie chart?",
        ),
        ("Stores per city as a pie chart", "make it a bar chart", "Stores per city as a bar chart"),
        ("Stores per city as a pie chart", "by name instead", "Stores per name as a pie chart"),
        ("Top 5 products by price", "top 10", "top 10 products by price"),
        ("Top 5 products by price", "and the bottom 3?", "bottom 3 products by price"),
        ("Show products with a price above 10", "above 20?", "Show products with a price above 20"),
        ("How many products are there?", "per city", "How many products are there per city?"),
        (
            "How many stores were opened per city in 2024?",
            "only Oslo",
            "How many stores were opened per city in 2024 in Oslo?",
        ),
        ("How many stores are there per city?", "top 3", "top 3 cities by number of stores?"),
        ("How many stores are there in Oslo?", "list their names", "List the names of stores in Oslo?"),
        ("list stores in Oslo", "show their city", "list stores in Oslo with their city"),
        ("Top 10 products by price", "only the top 5", "top 5 products by price"),
        ("list products", "sort by price", "list products, sorted by price"),
        ("How many stores are there per city?", "画成饼图", "How many stores are there per city as a pie chart?"),
        ("What was sold in 2023?", "2024年呢", "What was sold in 2024?"),
    ],
)
def test_a_follow_up_is_put_in_full(question: str, query: str, full: str, read: Read) -> None:
    assert meant(query, question, read) == full


@pytest.mark.parametrize(
    ("question", "query", "full"),
    [
        ("有多少个门店？", "那产品呢", "有多少个产品？"),
        ("Oslo有多少个门店？", "Bergen呢", "Bergen有多少个门店？"),
        ("2023年的销售额是多少？", "2024年呢？", "2024年的销售额是多少？"),
        ("2023年的销售额是多少？", "按月呢", "2023年每月的销售额是多少？"),
        ("有多少个门店？", "按城市呢", "每个城市有多少个门店？"),
        ("2023年每个城市有多少门店？", "只看Oslo", "2023年每个城市有多少门店，只看Oslo？"),
        ("每个城市有多少门店？", "画成饼图", "每个城市有多少门店，画饼图？"),
        ("每个城市有多少门店，画饼图？", "用柱状图", "每个城市有多少门店，画柱状图？"),
        ("每个城市有多少门店？", "按名称呢", "每个名称有多少门店？"),
        ("价格最高的前5个产品", "前10个呢", "价格最高的前10个产品"),
        ("平均价格是多少？", "最高呢", "最高价格是多少？"),
        ("价格最高的产品是哪个？", "最低的呢", "价格最低的产品是哪个？"),
        ("列出Oslo的门店", "一共有多少", "Oslo的门店有多少"),
        ("Oslo有多少个门店？", "列出来", "Oslo有哪些门店？"),
        ("每个城市有多少门店？", "按数量降序", "每个城市有多少门店，按数量降序？"),
    ],
)
def test_a_chinese_follow_up_is_put_in_full(question: str, query: str, full: str, read: Read) -> None:
    assert meant(query, question, read) == full


def test_a_value_narrows_down_what_is_grouped_and_takes_no_groups_place(read: Read) -> None:
    # Both say the same; which of them reads better is the reader's to say.
    assert meant("只看Oslo", "每个城市有多少门店？", read) in (
        "每个城市有多少门店，只看Oslo？",
        "Oslo的每个城市有多少门店？",
    )


def test_only_narrows_down_also_what_the_data_do_not_know(read: Read) -> None:
    assert meant("only Atlantis", "How many stores are there?", read) == "How many stores are there in Atlantis?"


def test_a_request_of_its_own_steps_is_no_follow_up(read: Read) -> None:
    assert meant("哪个城市的门店最多，然后列出他们的名称", "有多少个产品？", read) is None


@pytest.mark.parametrize(
    "query",
    [
        "thanks",
        "How many products leave from the station in Bergen every day?",
        "what about the on-call policy?",
        "谢谢",
        "值班制度是怎么规定的？",
    ],
)
def test_what_stands_alone_or_is_not_in_the_data_is_left_alone(query: str, read: Read) -> None:
    assert meant(query, "How many stores are there?", read) is None


def test_what_points_at_the_rows_before_becomes_a_second_step(read: Read) -> None:
    assert meant("how many products do they have?", "list stores in Oslo", read) == (
        "list stores in Oslo, then how many products do they have"
    )


def test_only_the_last_question_counts_and_only_where_the_data_answered_it(read: Read) -> None:
    data = turn("How many stores are in Oslo?")
    documents = turn("How is a deploy rolled back?", "knowledge")
    assert in_full("and in Bergen?", (data, documents), read) is None
    assert in_full("and in Bergen?", (documents, data), read) is not None
    assert in_full("and in Bergen?", (replace(data, paths=("stores.md",)),), read) is None
    assert in_full("and in Bergen?", (), read) is None


def test_what_was_put_in_place_of_what_is_told(read: Read) -> None:
    found = in_full("and in Bergen?", (turn("How many stores are in Oslo?"),), read)
    assert found is not None
    assert [(signal.name, signal.detail) for signal in found.signals] == [("follow-up", "Oslo → in Bergen")]


def test_long_questions_are_not_looked_at_twice() -> None:
    assert not may_follow("Which of our customers bought more than three things in the last quarter of the year 2024?")
    assert may_follow("and for 2024?")
    assert may_follow("按月呢")
