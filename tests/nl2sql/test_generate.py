"""Candidates: the statement that a question means is among them, and near the top, over a small shop."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Limits
from kbtui.domain.ports import CancelToken
from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Arith, Col, Part, Ref
from kbtui.question.reader import read

TODAY = date(2026, 11, 20)
TABLES = """
CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, branch_name TEXT, town TEXT);
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, full_name TEXT, email TEXT, born DATE);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, branch_id INTEGER REFERENCES branches,
    ordered_on DATE, delivered_on DATE, status TEXT, amount REAL, quantity INTEGER
);
INSERT INTO branches VALUES (1, 'Harbour', 'Porto'), (2, 'Hill', 'Lyon'), (3, 'Mill', 'Lyon');
INSERT INTO clients VALUES
    (1, 'Ana Ruiz', 'ana@x.example', '1980-02-03'), (2, 'Bo Berg', NULL, '1971-05-06'),
    (3, 'Cleo Diaz', 'cleo@x.example', '1999-01-01'), (4, 'Dan Eder', NULL, '1990-09-09');
INSERT INTO orders VALUES
    (1, 1, 1, '2026-03-02', '2026-03-04', 'paid', 120.5, 2), (2, 1, 2, '2026-03-20', '2026-03-29', 'open', 80, 1),
    (3, 2, 2, '2026-04-11', '2026-04-12', 'paid', 310, 5), (4, 3, 3, '2025-03-05', '2025-03-06', 'paid', 55, 1),
    (5, 1, 1, '2025-11-30', '2025-12-04', 'open', 60.25, 3), (6, 2, 1, '2026-10-02', '2026-10-03', 'paid', 99, 1);
"""


class Shop:
    """The source, its catalogue and the candidates of questions over it."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(TABLES)
        self._source = SqliteSource("shop", path)
        schema = self._source.schema("detailed")
        self.catalogue: Catalogue = profile(schema, self.rows, today=TODAY, concepts_of=concepts_of)

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        return self._source.run(sql, Limits(), CancelToken()).rows

    def read(self, question: str) -> list[Candidate]:
        return candidates(link(read(question, today=TODAY), self.catalogue))

    def results(self, question: str) -> Iterator[set[tuple[str, ...]]]:
        for candidate in self.read(question)[:60]:
            yield {tuple(map(str, row)) for row in self.rows(sql_of(candidate.query, self.catalogue))}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("shop") / "shop.sqlite")


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("total amount", ("724.75",)),
        ("amount in march", ("200.5",)),
        ("how many orders in 2025", ("2",)),
        ("average amount by branch", ("Hill", "195.0")),
        ("number of orders per month", ("2026-03", "2")),
        ("which branch has the most orders", ("Harbour", "3")),
        ("clients who never ordered", ("Dan Eder",)),
        ("clients with more than 2 orders", ("Ana Ruiz", "3")),
        ("how many clients have no email", ("2",)),
        ("how many different clients ordered", ("3",)),
        ("number of clients who came in march 2026", ("1",)),
        ("clients over 300", ("Bo Berg", "409.0")),
        ("average days from order to delivery", ("3.0",)),
        ("amount in 2025 vs 2026", ("115.25", "609.5")),
        ("average number of orders per client", ("2.0",)),
        ("median number of orders per client", ("2.0",)),
        ("average amount per order", ("120.79166666666667",)),
        ("how many orders are above the average amount for each branch", ("Hill", "1")),
        ("how many orders are above the average amount of their branch", ("3",)),
        ("clients by number of orders, biggest spenders first", ("Ana Ruiz", "3")),
        ("number and average amount of orders", ("6", "120.79166666666667")),
        ("average, minimum and maximum number of quantity", ("2.1666666666666665", "1", "5")),
        ("total orders by town", ("Lyon", "445.0")),
        ("what is the id of Bo Berg", ("2",)),
        ("growth by branch", ("Hill", "1")),
        ("orders per branch compared to last year", ("Hill", "1")),
        ("amount in march 2026 vs the same month in 2025", ("200.5",)),
        ("三月的总金额", ("200.5",)),
        ("每个分店有多少订单", ("Harbour", "3")),
    ],
)
def test_what_is_meant_is_among_the_candidates(shop: Shop, question: str, row: tuple[str, ...]) -> None:
    assert any(any(set(row) <= set(each) for each in rows) for rows in shop.results(question))


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("total amount", ("724.75",)),
        ("how many orders in 2025", ("2",)),
        ("clients who never ordered", ("Dan Eder",)),
        ("average amount by branch", ("Hill", "195.0")),
        ("which branches had no orders at all in 2025", ("Hill",)),
        ("are there clients who never ordered", ("1",)),
        ("who has ordered the most", ("Ana Ruiz", "3")),
        ("latest 3 orders", ("2026-10-02",)),
        ("different towns of branches in alphabetical order", ("Lyon",)),
    ],
)
def test_a_plain_question_is_read_first_as_it_stands(shop: Shop, question: str, row: tuple[str, ...]) -> None:
    first = next(shop.results(question))
    assert any(set(row) <= set(each) for each in first)


@pytest.mark.parametrize(
    ("question", "desc"),
    [
        ("which branch grew the most", True),
        ("which branch had the biggest drop in amount", False),
        ("which branch declined most", False),
        ("哪个分店增长最快", True),
        ("哪个分店下降最多", False),
    ],
)
def test_growth_is_ranked_in_the_direction_of_its_verb(shop: Shop, question: str, desc: bool) -> None:
    ranked = [c.query for c in shop.read(question)[:60] if c.query.limit == 1]
    assert any(isinstance(query.order[0].expr, Arith) and query.order[0].desc is desc for query in ranked)


def test_growth_from_month_to_month_is_a_series(shop: Shop) -> None:
    queries = [c.query for c in shop.read("month over month growth in 2026")[:10]]
    assert any(query.group and isinstance(query.group[0], Part) and query.group[0].unit == "month" for query in queries)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("clients born before 1990 who never ordered", set()),
        ("clients born after 1985 who never ordered", {"Dan Eder"}),
        ("clients not served by the Harbour branch", {"Cleo Diaz", "Dan Eder"}),
        ("clients with orders at both Harbour and Hill", {"Ana Ruiz", "Bo Berg"}),
        ("clients with only 1 order", {"Cleo Diaz"}),
    ],
)
def test_things_are_told_by_the_rows_that_refer_to_them(shop: Shop, question: str, names: set[str]) -> None:
    assert any({row[0] for row in rows} == names for rows in shop.results(question))


def test_a_table_that_is_named_and_not_looked_at_stays_unread(shop: Shop) -> None:
    question = read("names of the clients and branches", today=TODAY)
    alone = [c for c in shop.read("names of the clients and branches") if c.query.used_tables() == ("clients",)]
    assert alone
    assert all("branches" in {question.tokens[at].text for at in candidate.unread} for candidate in alone)


@pytest.mark.parametrize("question", ["average amount across all branches", "total amount across all the branches"])
def test_all_groups_together_are_none(shop: Shop, question: str) -> None:
    assert not shop.read(question)[0].query.group


def test_things_that_occur_in_other_rows_are_counted_once(shop: Shop) -> None:
    statements = [sql_of(candidate.query, shop.catalogue) for candidate in shop.read("how many clients have an order")]
    assert any('"client_id" IN (SELECT "client_id" FROM "orders"' in statement for statement in statements)


def test_further_columns_of_a_thing_stand_beside_its_figure(shop: Shop) -> None:
    wanted = {("Ana Ruiz", "ana@x.example", "3")}
    assert wanted in list(shop.results("name and email of clients with more than 2 orders"))


def test_a_row_is_not_counted_for_itself(shop: Shop) -> None:
    for candidate in shop.read("number of clients for each order"):
        assert candidate.query.group != (Col(Ref("orders", "order_id")),)


def test_a_size_is_no_number_of_rows(shop: Shop) -> None:
    assert not any(candidate.query.having for candidate in shop.read("clients over 30 kg"))


def test_a_list_is_no_number_for_each_name(shop: Shop) -> None:
    assert not any(candidate.query.group for candidate in shop.read("list the names and towns of branches"))


def test_a_share_divides_the_filtered_rows_by_all(shop: Shop) -> None:
    assert any(rows == {("66.66666666666666",)} for rows in shop.results("what share of orders is paid"))


def test_words_that_nothing_reads_are_reported(shop: Shop) -> None:
    first = shop.read("total amount of purple umbrellas")[0]
    question = read("total amount of purple umbrellas", today=TODAY)
    assert {"purple", "umbrellas"} <= {question.tokens[at].norm for at in first.unread}


def test_no_two_candidates_are_the_same_statement(shop: Shop) -> None:
    found = [candidate.query for candidate in shop.read("orders by status and branch in 2026")]
    assert len(found) == len(set(found)) > 20


def test_mentions_of_a_candidate_do_not_overlap(shop: Shop) -> None:
    for candidate in shop.read("top 2 clients by amount in lyon since march"):
        spans = sorted(use.mention.span for use in candidate.uses)
        assert all(first.last <= second.first for first, second in itertools.pairwise(spans))


def test_priors_fall(shop: Shop) -> None:
    priors = [candidate.prior for candidate in shop.read("amount by branch")]
    assert priors == sorted(priors, reverse=True)


def test_a_light_verb_is_no_unread_word_where_its_event_is_read(shop: Shop) -> None:
    best = shop.read("which clients placed most orders")[0]
    assert best.unread == ()
    silent = [each for each in shop.read("clients that yodelled most orders") if not each.unread]
    assert not silent


def test_a_word_of_another_thing_stays_unread(shop: Shop) -> None:
    assert all(each.unread for each in shop.read("average amount of platinum clients"))


def test_fewer_candidates_are_the_best_of_many(shop: Shop) -> None:
    lattice = link(read("top 2 clients by amount in lyon since march", today=TODAY), shop.catalogue)
    few, many = candidates(lattice, most=5), candidates(lattice, most=1000)
    assert [each.prior for each in few] == [each.prior for each in many[:5]]
    assert len(many) > 120


def test_a_question_of_many_readings_ends_with_the_cover_in_which_its_work_is_used_up(shop: Shop) -> None:
    lattice = link(read("top 2 clients by amount in lyon since march", today=TODAY), shop.catalogue)
    first = candidates(lattice, most=1000, work=1)
    assert 0 < len(first) < len(candidates(lattice, most=1000))
    assert len({each.traits["cover"] for each in first}) == 1


def test_no_hour_is_taken_from_dates_without_a_time(shop: Shop) -> None:
    for question in ("at what hour of the day do orders peak?", "orders by hour of the day"):
        assert all("%H" not in sql_of(one.query, shop.catalogue) for one in shop.read(question))
