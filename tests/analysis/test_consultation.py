"""Consultations: in the user's language, from names alone, without a statement, in one call at most. Always."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from kbtui.analysis.consultation import advise, kind_of_table, suggestions
from kbtui.domain.analysis import ForeignKey, Schema, Table
from kbtui.domain.events import PlanCreated, ToolStarted
from kbtui.text.language import has_cjk
from tests.analysis.shop import ScriptedWriter, make_desk

ENGLISH = product(
    ("what", "which analyses", "what kinds of analysis", "what questions", "what reports"),
    ("could I", "can we", "should one", "would you"),
    ("do with this data", "run on {s}", "start with here", "try first", "look into in this database"),
)
CHINESE = product(
    ("对本数据源", "针对这些数据", "关于 {s}", "就这个数据库", "基于现有的表"),
    ("提出", "给我", "给出", "能不能给"),
    ("一些分析建议", "几个分析方向", "可以做什么分析的建议", "值得关注的指标建议", "图表建议"),
)
REQUESTS = [" ".join(parts) + "?" for parts in ENGLISH] + ["".join(parts) for parts in CHINESE]


def basic(*tables: Table) -> Schema:
    return Schema(source="shop", dialect="sqlite", level="basic", tables=tables)


def test_two_hundred_requests_run_no_statement_and_make_one_call(tmp_path: Path) -> None:
    assert len(REQUESTS) == len(set(REQUESTS)) == 200
    desk = make_desk(tmp_path, ScriptedWriter({}))
    for request in REQUESTS:
        answer = desk.ask(request.format(s="shop"), "consultation")
        assert [event.tool for event in desk.of(ToolStarted)] == ["get_data_source_context"], request
        assert [len(event.steps) for event in desk.of(PlanCreated)] == [1], request
        assert answer.outcome == "answered", request
        assert ("可分析的维度" in answer.markdown) == has_cjk(request), request
        assert answer.suggestions, request
    assert desk.statements == []
    assert desk.sources["shop"].schema_calls == [("basic", None)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("orders", "event"),
        ("tblOrderLines", "event"),
        ("Customer", "person"),
        ("store_locations", "place"),
        ("categories", "thing"),
        ("门店", "place"),
        ("销售订单", "event"),
        ("客户信息表", "person"),
        ("x17", "other"),
    ],
)
def test_a_table_is_known_by_its_name(name: str, kind: str) -> None:
    assert kind_of_table(Table(name=name)) == kind


def test_a_comment_names_a_table_whose_name_says_nothing() -> None:
    found = suggestions(basic(Table(name="t_0017", comment="客户订单", row_estimate=3)), "zh")
    assert found.queries[0] == "每个月有多少 客户订单？"


def test_keys_tell_which_tables_go_together() -> None:
    key = ForeignKey(columns=("b",), referred_table="stars", referred_columns=("id",))
    found = suggestions(basic(Table(name="planets", foreign_keys=(key,)), Table(name="stars")), "en")
    assert "Which stars have the most planets?" in found.queries


def test_names_alone_are_enough_for_other_tables_too() -> None:
    found = suggestions(basic(Table(name="star_planets"), Table(name="stars"), Table(name="comets")), "en")
    assert "Which stars have no star planets?" in found.queries


def test_of_many_tables_the_largest_are_spoken_of() -> None:
    tables = [Table(name=f"orders_{n}x", row_estimate=n + 1) for n in range(500)]
    markdown, found = advise(basic(*tables), "en")
    assert "orders_499x" in markdown
    assert "and 494 more tables" in markdown
    assert len(found.queries) <= 6


@pytest.mark.parametrize(("language", "says"), [("en", "has no tables"), ("zh", "没有任何表")])
def test_an_empty_source_is_told_as_such(language: str, says: str) -> None:
    assert says in advise(basic(), language)[0]


def test_names_are_no_markup() -> None:
    markdown, _ = advise(basic(Table(name="a`b", row_estimate=1), Table(name="orders[1]*", row_estimate=1)), "en")
    assert "a`b" not in markdown
    assert "[1]" not in markdown.replace("`orders[1]*`", "")
