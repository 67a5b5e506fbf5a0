from __future__ import annotations

from datetime import date

from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Order, Over, Part, Query, Ref
from kbtui.nl2sql.shape import literals_of, plain_ref, shape_of

HEIGHT, PLANTED, BED = Col(Ref("plants", "height")), Col(Ref("plants", "planted")), Col(Ref("plants", "bed"))
ROWS = Agg("count", Col(Ref("plants", "*")))


def test_a_ranked_group_has_its_operators() -> None:
    query = Query((BED, ROWS), group=(BED,), order=(Order(ROWS, desc=True),), limit=3)
    assert {"count", "group", "superlative"} <= shape_of(query).operators
    assert "list" not in shape_of(query).operators


def test_a_plain_list_is_one() -> None:
    assert {"list"} <= shape_of(Query((BED,))).operators


def test_a_condition_over_days_is_a_period_and_not_a_comparison() -> None:
    shape = shape_of(Query((BED,), where=(Cond(PLANTED, ">=", date(2026, 1, 1)),)))
    assert "period" in shape.operators
    assert "compare" not in shape.operators
    assert shape.numbers == ()


def test_numbers_of_nested_statements_are_collected() -> None:
    inner = Query((Agg("avg", HEIGHT),), where=(Cond(HEIGHT, "<", 700),))
    shape = shape_of(Query((BED,), where=(Cond(HEIGHT, ">", inner), Cond(HEIGHT, "between", (1, 2)))))
    assert shape.depth == 2
    assert sorted(shape.numbers) == [1.0, 2.0, 700.0]
    assert {"nested", "than avg", "compare"} <= shape.operators


def test_parts_windows_and_sums_inside_expressions_count() -> None:
    share = Over("share", Agg("sum", HEIGHT, where=(Cond(BED, "=", "north"),)))
    query = Query((Part("month", PLANTED), share, Arith("-", PLANTED, PLANTED)), group=(Part("month", PLANTED),))
    assert {"bucket", "share", "sum", "conditional", "difference"} <= shape_of(query).operators


def test_an_anti_join_is_a_never() -> None:
    inner = Query((Col(Ref("plants", "gardener_id")),))
    assert "never" in shape_of(Query((BED,), where=(Cond(BED, "not in", inner),))).operators


def test_literals_are_told_from_columns_and_queries() -> None:
    assert literals_of(Cond(BED, "in", ("a", "b"))) == ("a", "b")
    assert literals_of(Cond(BED, "=", HEIGHT)) == ()
    assert literals_of(Cond(BED, "null")) == ()
    assert plain_ref(Agg("sum", HEIGHT)) == Ref("plants", "height")
