"""Headers of computed columns, in the words of the question where it has any."""

from __future__ import annotations

import pytest

from kbtui.data.nl2sql.headers import headers
from kbtui.data.nl2sql.query import Expr, Query, Ref
from kbtui.text.language import Language

_ROWS = Ref("orders", "*")
_AMOUNT = Ref("orders", "unit_amount")


@pytest.mark.parametrize(
    ("expr", "language", "said"),
    [
        (Expr(_ROWS, "count"), "en", "number of orders"),
        (Expr(_AMOUNT, "sum"), "en", "total unit amount"),
        (Expr(_AMOUNT, "max"), "en", "highest unit amount"),
        (Expr(Ref("orders", "placed_on"), bucket="month"), "en", "month"),
        (Expr(Ref("orders", "kind"), "count", distinct=True), "en", "number of different kind"),
        (Expr(Ref("orders", "price").computed("-", Ref("orders", "cost"))), "en", "price less cost"),
        (Expr(Ref("orders", "placed_on"), bucket="month"), "zh", "月"),
        (Expr(_AMOUNT), "en", ""),
    ],
)
def test_a_computed_column_is_said_and_a_plain_one_keeps_its_name(expr: Expr, language: Language, said: str) -> None:
    assert headers(Query(select=(expr,)), language, {}) == [said]


def test_the_words_of_the_question_come_first() -> None:
    wording = {_ROWS: "purchases", _AMOUNT: "takings"}

    found = headers(Query(select=(Expr(_ROWS, "count"), Expr(_AMOUNT, "avg"))), "en", wording)

    assert found == ["number of purchases", "average takings"]


def test_no_two_columns_are_called_the_same() -> None:
    query = Query(select=(Expr(_AMOUNT, "sum"), Expr(Ref("lines", "unit_amount"), "sum")))

    assert headers(query, "en", {}) == ["total unit amount", ""]


def test_a_long_header_is_cut_between_characters() -> None:
    (found,) = headers(Query(select=(Expr(_AMOUNT, "sum"),)), "zh", {_AMOUNT: "金额" * 30})

    assert found and len(found.encode()) <= 60
