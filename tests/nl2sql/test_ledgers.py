"""Ledgers and other exports of Chinese programs: what was spent is no income, and rows have the name of their key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.says import says
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SHOPS = ("瑞幸咖啡", "滴滴出行", "未来科技城超市", "肯德基", "云栖科技")


def exported(name: str, columns: str, rows: Sequence[Sequence[object]]) -> Catalogue:
    """The catalogue of one exported file."""
    memory = Memory(f'CREATE TABLE "{name}" ({columns})').fill(name, rows)
    return profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of)


@pytest.fixture(scope="module")
def bill() -> Catalogue:
    columns = '"交易时间" DATE, "交易对方" TEXT, "收/支" TEXT, "金额" REAL, "备注" TEXT, "交易单号" TEXT'
    ways = ("支出", "支出", "支出", "收入", "不计收支")
    first = date(2026, 8, 1)
    rows = [(str(first + timedelta(days=n)), SHOPS[n % 5], ways[n % 5], 3.5 * n, None, f"T{n:08d}") for n in range(100)]
    return exported("某支付账单", columns, rows)


def first(question: str, catalogue: Catalogue) -> str:
    """The first candidate in words."""
    best = candidates(link(read(question, today=TODAY), catalogue))[0]
    return says(best.query, catalogue, "zh")


@pytest.mark.parametrize("question", ["一共花了多少钱", "总支出是多少钱", "how much did we spend"])
def test_money_spent_leaves_out_what_was_received(question: str, bill: Catalogue) -> None:
    assert "收支为“支出”" in first(question, bill)


def test_money_received_leaves_out_what_was_spent(bill: Catalogue) -> None:
    assert "收支为“收入”" in first("一共收到多少钱", bill)


@pytest.mark.parametrize("question", ["金额合计是多少", "收入和支出各多少钱", "花呗的金额合计是多少"])
def test_a_question_for_no_one_direction_has_no_condition_on_it(question: str, bill: Catalogue) -> None:
    scene = candidates(link(read(question, today=TODAY), bill))
    assert all("收支为“支出”的" not in says(found.query, bill, "zh") for found in scene[:3])


@pytest.mark.parametrize(
    ("question", "figure"),
    [("瑞幸咖啡占总支出的百分之几", "金额合计"), ("支出有几笔", "交易数"), ("总支出是多少", "金额合计")],
)
def test_a_direction_is_an_amount_unless_rows_are_counted(question: str, figure: str, bill: Catalogue) -> None:
    said = first(question, bill)
    assert "收支为“支出”" in said
    assert figure in said


def test_sales_are_told_from_purchases_and_returns() -> None:
    kinds = ("销售出库单", "采购入库单", "销售退货单")
    rows = [(f"D{n:05d}", kinds[n % 3], "箱" if n % 2 else "袋", n, 9.5 * n) for n in range(60)]
    stock = exported("进销存明细账", '"单据编号" TEXT, "单据类型" TEXT, "单位" TEXT, "数量" INTEGER, "金额" REAL', rows)
    assert stock.tables["进销存明细账"].words == ("单据",)
    assert "单据类型为“销售出库单”" in first("一共卖了多少钱", stock)
    units = next(c for c in stock.tables["进销存明细账"].columns if c.ref.column == "单位")
    assert units.concepts == {"unit"}


@pytest.mark.parametrize(("typed", "meant"), [("瑞辛咖啡", "瑞幸咖啡"), ("未莱科技城", "未来科技城超市")])
def test_a_value_typed_with_wrong_characters_of_the_same_sound_is_found(
    typed: str, meant: str, bill: Catalogue
) -> None:
    question = read(f"{typed}花了多少钱", today=TODAY)
    values = [m for m in link(question, bill).mentions if m.kind == "value" and question.words(m.span) == typed]
    assert [m.values for m in values] == [(meant,)]


def test_another_word_of_the_same_sound_is_no_misspelling(bill: Catalogue) -> None:
    question = read("肯得鸡花了多少钱", today=TODAY)
    assert not [m for m in link(question, bill).mentions if m.kind == "value" and question.words(m.span) == "肯得鸡"]


def test_a_denied_word_means_the_value_that_denies_it() -> None:
    rows = [(f"D{n:05d}", ("已结清", "未结算", "部分结算")[n % 3], n) for n in range(60)]
    bills = exported("单据", '"单据编号" TEXT, "结算状态" TEXT, "金额" REAL', rows)
    question = read("还没结算的有几单", today=TODAY)
    mentions = link(question, bills).mentions
    values = [m.values for m in mentions if m.kind == "value" and question.words(m.span) == "还没结算"]
    assert values == [("未结算",)]


@pytest.mark.parametrize(
    ("file", "key", "words"),
    [
        ("ExportOrderList20261119", "订单编号", "订单"),
        ("二手房源列表", "房源编号", "二手房源"),
        ("设备巡检记录", "巡检人", "设备巡检记录"),
        ("门店一览", "店长", "门店"),
        ("学生成绩查询", "姓名", "成绩记录"),
    ],
)
def test_rows_of_an_export_are_called_by_their_key_or_records(file: str, key: str, words: str) -> None:
    rows = [(f"K{n:05d}", "甲乙丙"[n % 3], n % 40) for n in range(60)]
    catalogue = exported(file, f'"{key}" TEXT, "类别" TEXT, "成绩" INTEGER', rows)
    assert catalogue.tables[file].words == (words,)


def test_people_with_several_rows_are_counted_by_name() -> None:
    rows = [(f"王{'甲乙丙丁'[n % 4]}", "研发部客服部"[3 * (n % 2) :][:3], n % 3) for n in range(80)]
    attendance = exported("考勤每日统计", '"姓名" TEXT, "部门" TEXT, "迟到次数" INTEGER', rows)
    question = read("客服部有几个员工", today=TODAY)
    people = [m for m in link(question, attendance).mentions if question.words(m.span) == "员工" and m.ref]
    assert {m.ref.column for m in people if m.ref is not None} >= {"姓名"}
    assert all(m.kind != "table" for m in people)


def test_nobody_who_handles_it_is_not_everything_that_is_not_being_handled() -> None:
    states = ("处理中", "已关闭", "待分配")
    rows = [(f"GD{n:05d}", states[n % 3], ("一组", "二组", "未分配")[n % 3]) for n in range(60)]
    tickets = exported("工单导出", '"工单编号" TEXT, "工单状态" TEXT, "受理组" TEXT', rows)
    said = first("没人处理的工单有几个", tickets)
    assert "未分配" in said or "待分配" in said


def test_what_an_order_costs_the_seller_is_not_what_was_sold() -> None:
    rows = [(f"N{n:05d}", 3.0 * (n % 5), 20.0 + n) for n in range(60)]
    orders = exported("外卖订单", '"订单号" TEXT, "商家活动支出" REAL, "商家应收" REAL', rows)
    assert orders.tables["外卖订单"].amount == ("外卖订单", "商家应收")


def test_a_column_of_reasons_is_listed_and_no_cause_is_looked_for() -> None:
    rows = [(f"N{n:05d}", f"2026-{1 + n // 6:02d}-05", ("缺货", None)[n % 2], 20.0 + n) for n in range(60)]
    memory = Memory('CREATE TABLE "外卖订单" ("订单号" TEXT, "下单日期" DATE, "取消原因" TEXT, "金额" REAL)').fill(
        "外卖订单", rows
    )
    reader = QuestionReader(lambda _, sql: memory.ask(sql), today=lambda: TODAY)
    assert reader.open_plan("取消原因有哪些", memory.schema) is None
    assert reader.open_plan("金额下降的原因是什么", memory.schema) is not None
