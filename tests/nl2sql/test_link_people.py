from __future__ import annotations

import pytest

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.link_people import people_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Agg, Col, Query, Ref
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, full_name TEXT, joined_on TEXT, left_on TEXT);
CREATE TABLE bookings (
    booking_no INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), booked_on TEXT, coach TEXT
);
INSERT INTO customers VALUES (1, 'Ada Nilsen', '2024-01-05', NULL), (2, 'Bo Lund', '2024-03-01', '2026-02-03'),
    (3, 'Cy Berg', '2026-01-10', NULL), (4, 'Di Holm', '2025-05-06', '2025-12-01');
INSERT INTO bookings VALUES (1, 1, '2026-01-02', 'Finn'), (2, 1, '2026-02-02', 'Gro'), (3, 3, '2026-02-05', 'Finn'),
    (4, 4, '2025-11-30', 'Gro'), (5, 1, '2026-03-02', 'Finn');
"""
WHO = Ref("bookings", "customer_id")


@pytest.fixture(scope="module")
def club() -> Catalogue:
    source = Memory(SCRIPT)
    return profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


def first(club: Catalogue, text: str) -> Query:
    return candidates(link(read(text, today=TODAY), club))[0].query


def test_people_of_an_event_are_its_references_to_people_and_columns_that_name_one(club: Catalogue) -> None:
    assert set(people_of(club, "bookings")) == {WHO, Ref("bookings", "coach")}


@pytest.mark.parametrize("text", ["who booked most often", "biggest bookers", "谁预订得最多"])
def test_who_did_it_is_a_column_of_the_event(club: Catalogue, text: str) -> None:
    mentions = link(read(text, today=TODAY), club).mentions
    assert WHO in {mention.ref for mention in mentions}


def test_an_ordinary_word_in_er_names_nobody(club: Catalogue) -> None:
    mentions = link(read("bookings in october or later, over dinner", today=TODAY), club).mentions
    assert WHO not in {mention.ref for mention in mentions}


def test_a_period_is_about_what_happened(club: Catalogue) -> None:
    query = first(club, "customers who left this year")
    assert {cond.left for cond in query.conditions()} == {Col(Ref("customers", "left_on"))}


def test_who_did_it_most_often_is_people_with_a_count_of_the_event(club: Catalogue) -> None:
    queries = [each.query for each in candidates(link(read("who booked the most", today=TODAY), club))[:3]]
    assert all(any(isinstance(expr, Agg) and expr.fn == "count" for expr in query.select) for query in queries)
    assert any(Col(Ref("customers", "full_name")) in query.select for query in queries)
