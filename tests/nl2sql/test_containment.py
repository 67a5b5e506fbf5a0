from __future__ import annotations

from typing import Any

import pytest

from kbtui.nl2sql.containment import wider_answers
from kbtui.nl2sql.pool import Entry
from kbtui.nl2sql.query import Agg, Col, Expr, Order, Query, Ref
from kbtui.nl2sql.ranker import answers_of
from tests.nl2sql.garden import candidate

NAME, BED, COUNT = Col(Ref("plants", "name")), Col(Ref("plants", "bed")), Agg("count", Col(Ref("plants", "*")))


def entry(rows: list[tuple[Any, ...]], *select: Expr, order: tuple[Order, ...] = (), truth: bool = False) -> Entry:
    return Entry(candidate(Query(select, order=order, truth=truth)), repr(select), rows)


NARROW = entry([("fern",), ("rose",)], NAME)
WIDE = entry([("rose", "north"), ("fern", "south")], NAME, BED)


def test_rows_with_further_columns_contain_those_without_in_whatever_order() -> None:
    assert wider_answers([NARROW, WIDE]) == {NARROW.answer: (WIDE.answer,)}


@pytest.mark.parametrize(
    "narrow",
    [
        entry([("fern",), ("rose",), ("sage",)], NAME),
        entry([("fern",), ("lily",)], NAME),
        entry([("fern",), ("rose",)], NAME, order=(Order(NAME),)),
        entry([("fern",), ("rose",)], NAME, truth=True),
    ],
    ids=["other number of rows", "other cells", "in an order", "yes or no"],
)
def test_other_rows_are_not_contained(narrow: Entry) -> None:
    assert wider_answers([narrow, WIDE]) == {}


def test_of_a_single_row_the_expressions_have_to_agree_too() -> None:
    two, bed = entry([(2,)], COUNT), entry([(2, "north")], NAME, BED)
    assert wider_answers([two, bed]) == {}
    both = entry([(2, "north")], COUNT, BED)
    assert wider_answers([two, both]) == {two.answer: (both.answer,)}


def test_an_answer_is_part_of_a_likely_one_that_contains_it() -> None:
    rows, wider = [NARROW.answer, WIDE.answer, "other"], {NARROW.answer: (WIDE.answer,)}
    assert [answer.members for answer in answers_of([3.0, 2.0, 2.5], rows, wider)] == [(1, 0), (2,)]
    assert [answer.members for answer in answers_of([9.0, 2.0, 2.5], rows, wider)] == [(0,), (2,), (1,)]
