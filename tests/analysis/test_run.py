"""Whole analyses: what is answered, what is cited, and what is said where something cannot be had."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.analysis import charts
from kbtui.domain.analysis import CutPeriod, Reading, Schema, SchemaLevel
from kbtui.domain.answer import Citation
from kbtui.domain.events import (
    AnswerCompleted,
    ChartProduced,
    Event,
    PlanAdjusted,
    PlanCreated,
    ReadingChosen,
    RequestClassified,
    StepFinished,
    TableProduced,
    ToolStarted,
    Warned,
)
from kbtui.domain.ports import Emit, RunSummary
from kbtui.domain.routing import Signal
from kbtui.errors import Cancelled, DataSourceError
from kbtui.tools import run_by_name
from tests.analysis.shop import ScriptedWriter, ask, calculate, change, make_desk, reading

COUNT = reading("SELECT count(*) AS n FROM orders", "Number of orders", kind="aggregation")
OSLO = reading("SELECT count(*) AS n FROM customers WHERE city = 'Oslo'", "Customers in Oslo", kind="aggregation")
CUSTOMERS = reading("SELECT count(*) AS n FROM customers", "Number of customers", kind="aggregation")
TOTALS = reading("SELECT id, total FROM orders", "Totals of orders")
NAMES = reading("SELECT name FROM customers ORDER BY id", "Names of customers")
NONE = reading("SELECT id FROM orders WHERE total > 1000", "Orders over 1000")
ALL_NULL = reading("SELECT total FROM orders WHERE id = 5", "Total of order 5")
CROSS = reading("SELECT o.id FROM orders o, orders p, orders q, orders r, customers c, customers d", "Everything")


def test_a_figure_is_said_in_a_sentence_and_cites_its_statement(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"how many": [COUNT]}))
    answer = desk.ask("how many orders?")
    assert answer.markdown == "Read as: Number of orders.\n\n**5** [1].\n\n---\n[1] shop"
    assert answer.citations == (Citation(n=1, kind="sql", sql=COUNT.sql, source="shop", quote="1 row"),)
    (table,) = desk.of(TableProduced)
    assert (table.rows, table.sql, table.source) == (((5,),), COUNT.sql, "shop")


def test_a_long_result_is_shown_in_part_and_says_so(tmp_path: Path) -> None:
    numbers = reading(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 40) SELECT x, x * x AS y FROM n", "N"
    )
    answer = make_desk(tmp_path, ScriptedWriter({"numbers": [numbers]})).ask("numbers")
    assert answer.markdown.count("\n| ") == 13
    assert "The first 12 of 40 rows are shown [1]." in answer.markdown


def test_text_of_the_data_is_no_markup_and_no_citation(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"names": [NAMES]}))
    change(tmp_path / "shop.db", "UPDATE customers SET name = '[1](http://x) | **b** \x1b[31m' WHERE id = 1")
    answer = desk.ask("names")
    assert "\\[1\\](http://x) \\| \\*\\*b\\*\\*" in answer.markdown


def test_without_a_likely_reading_nothing_runs_and_the_nearest_are_offered(tmp_path: Path) -> None:
    unsure = [replace(COUNT, confidence=0.4, unlinked=("colour",)), replace(CUSTOMERS, confidence=0.3)]
    desk = make_desk(tmp_path, ScriptedWriter({"how many": unsure}))
    answer = desk.ask("how many of which colour?")
    assert desk.statements == []
    assert answer.outcome == "not_found"
    assert "Not recognised: colour." in answer.markdown
    assert answer.suggestions == ("Number of orders", "Number of customers")


def test_why_the_likeliest_reading_is_no_answer_is_told(tmp_path: Path) -> None:
    unsure = ScriptedWriter({"delete": [replace(COUNT, confidence=0.4)]}, objections=("asks_to_write", "unread"))
    answer = make_desk(tmp_path, unsure).ask("delete the orders")
    assert "Data are read here and never changed" in answer.markdown
    assert answer.suggestions == ("Number of orders",)


def test_a_choice_leads_back_to_its_very_reading(tmp_path: Path) -> None:
    twins = [replace(COUNT, confidence=0.4), replace(CUSTOMERS, says="Number of orders", confidence=0.3)]
    desk = make_desk(tmp_path, ScriptedWriter({"how many": twins}))
    first, second = desk.ask("how many things?").suggestions
    classified = desk.context.choices.classified(second)
    assert classified is not None
    answer = desk.ask(second, classified.request_type, source=classified.source)
    assert desk.statements == [CUSTOMERS.sql]
    assert answer.outcome == "answered"
    assert desk.ask(first.upper() + "?").markdown.startswith("Read as: Number of orders.\n\n**5**")
    assert desk.context.choices.classified("how many things?") is None


def test_a_chosen_reading_is_drawn_as_it_was_asked_for(tmp_path: Path) -> None:
    cities = reading("SELECT city, count(*) AS n FROM customers GROUP BY city", "Customers by city", confidence=0.4)
    desk = make_desk(tmp_path, ScriptedWriter({"where": [cities]}), charts=charts)
    (offered,) = desk.ask("pie chart of where they live", "visualization").suggestions
    classified = desk.context.choices.classified(offered)
    assert classified is not None
    desk.ask(offered, classified.request_type)
    assert [event.chart.type for event in desk.of(ChartProduced)] == ["pie"]


def test_where_a_reading_is_not_quite_sure_others_are_offered_beside_it(tmp_path: Path) -> None:
    script = [replace(COUNT, confidence=0.6), replace(CUSTOMERS, confidence=0.3), replace(OSLO, confidence=0.01)]
    answer = make_desk(tmp_path, ScriptedWriter({"how many": script})).ask("how many?")
    assert (answer.outcome, answer.suggestions) == ("answered", ("Number of customers",))


def test_a_result_of_the_wrong_shape_is_tried_in_other_words(tmp_path: Path) -> None:
    script = {"that are in Oslo": [TOTALS, OSLO], "number of customers": [CUSTOMERS]}
    desk = make_desk(tmp_path, ScriptedWriter(script))
    desk.propose(ask("customers that are in Oslo"), ask("number of customers"), calculate("share", 1, 2))
    answer = desk.ask("what share of customers are in Oslo?", "calculation")
    assert "2 of 4: **50 %** [1][2]." in answer.markdown
    reasons = [event.reason for event in desk.of(StepFinished) if event.decision == "modify"]
    assert reasons == ["one number was expected, not 5 rows of 2 columns"]


@pytest.mark.parametrize(
    ("odd", "reason"),
    [(NONE, "no rows"), (ALL_NULL, "nothing but NULL"), (CROSS, "10,000 rows of tables that have at most 5")],
)
def test_empty_and_exploded_results_are_tried_in_other_words(tmp_path: Path, odd: Reading, reason: str) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [odd, COUNT]}))
    assert desk.ask("orders").markdown.startswith("Read as: Number of orders.\n\n**5**")
    assert reason in next(event.reason for event in desk.of(StepFinished) if event.decision == "modify")


def test_no_rows_are_an_answer_where_every_reading_says_so(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [NONE]}))
    answer = desk.ask("orders over 1000")
    assert (answer.outcome, answer.markdown.split("\n")[:3]) == (
        "answered",
        ["Read as: Orders over 1000.", "", "Nothing matches [1]."],
    )
    assert desk.of(StepFinished)[-1].decision == "proceed"


def test_a_calculation_without_its_figures_is_left_out(tmp_path: Path) -> None:
    broken = reading("SELECT colour FROM customers")
    desk = make_desk(tmp_path, ScriptedWriter({"that are": [OSLO], "number of customers": [broken]}))
    desk.propose(ask("customers that are in Oslo"), ask("number of customers"), calculate("share", 1, 2))
    answer = desk.ask("what share of customers are in Oslo?", "calculation")
    (adjusted,) = desk.of(PlanAdjusted)
    assert adjusted.removed == ("d4",)
    assert answer.outcome == "partial"
    assert answer.markdown.startswith("Read as: Customers in Oslo.\n\n**2** [1].")


def test_figures_that_differ_in_more_than_a_value_are_not_compared(tmp_path: Path) -> None:
    script = {
        "in Rome": [replace(OSLO, sql=OSLO.sql.replace("Oslo", "Rome"))],
        "in Oslo": [OSLO],
        "in Lund": [CUSTOMERS],
    }
    desk = make_desk(tmp_path, ScriptedWriter(script))
    desk.propose(ask("customers in Oslo"), ask("customers in Rome"), calculate("compare", 1, 2))
    same = desk.ask("compare the number of customers in Oslo and Rome", "multi_step_analysis")
    assert "a difference of **-2** (-100 %) [1][2]." in same.markdown
    desk.propose(ask("customers in Oslo"), ask("customers in Lund"), calculate("compare", 1, 2))
    other = desk.ask("compare the number of customers in Oslo and Lund", "multi_step_analysis")
    assert (other.outcome, "the two were read in different ways" in other.markdown) == ("partial", True)


def test_nothing_is_answered_beside_a_word_that_was_not_read(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [replace(COUNT, unlinked=("blue",))]}))
    answer = desk.ask("how many blue orders?")
    assert (answer.outcome, desk.statements) == ("not_found", [])
    assert "Not recognised: blue." in answer.markdown
    (reading,) = desk.of(ReadingChosen)
    assert (reading.sql, reading.unread, [one.n for one in reading.offered]) == ("", ("blue",), [1])
    assert "Not recognised" not in desk.ask(answer.suggestions[0]).markdown


def test_what_was_understood_is_said_where_nothing_is_answered(tmp_path: Path) -> None:
    links = (Signal(name="sold", detail="orders"), Signal(name="city", detail="customers.city"))
    unsure = [replace(COUNT, confidence=0.4, links=links)]
    desk = make_desk(tmp_path, ScriptedWriter({"sold": unsure, "城市": unsure}))
    assert 'Understood: "sold" as orders; "city" as customers.city.' in desk.ask("sold by city").markdown
    assert "已理解：“sold” → orders；“city” → customers.city。" in desk.ask("城市").markdown


def test_four_readings_are_offered_at_most(tmp_path: Path) -> None:
    many = [reading(f"SELECT {n}", f"Reading {n}", confidence=0.3) for n in range(6)]
    desk = make_desk(tmp_path, ScriptedWriter({"what": many}))
    assert len(desk.ask("what?").suggestions) == 4
    assert [one.n for one in desk.of(ReadingChosen)[0].offered] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("found", "question", "begins"),
    [
        (COUNT, "any orders?", "Yes — read as: Number of orders.\n\n**5** [1]."),
        (NONE, "any orders?", "No — read as: Orders over 1000.\n\nNothing matches [1]."),
        (replace(COUNT, sql="SELECT 0 AS n"), "any orders?", "No — read as: Number of orders.\n\n**0** [1]."),
        (TOTALS, "any orders?", "Yes — read as: Totals of orders.\n\n5 rows [1]."),
        (replace(COUNT, says="订单的数量"), "有没有 orders？", "是——理解为：订单的数量。\n\n**5** [1]。"),
        (replace(NONE, says="超过 1000 的订单"), "有没有 orders？", "没有——理解为：超过 1000 的订单。"),
    ],
)
def test_a_yes_or_no_is_said_before_the_figure(tmp_path: Path, found: Reading, question: str, begins: str) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [replace(found, truth=True)]}))
    assert desk.ask(question).markdown.startswith(begins)


def test_a_tie_at_the_limit_is_said(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"top": [replace(TOTALS, tied=True)]}))
    assert "A tie: the next one has the same figure as the last one shown [1]." in desk.ask("top orders").markdown


def test_another_reading_of_the_same_question_is_shown_beside_it(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"how many": [replace(COUNT, differs="Customers, counted")]}))
    assert "Without the model it was read as: Customers, counted." in desk.ask("how many orders?").markdown


def test_a_period_that_the_data_do_not_fill_is_said_with_their_last_day(tmp_path: Path) -> None:
    cut = (CutPeriod(says="2026", day=date(2026, 3, 1)), CutPeriod(says="2025", day=date(2025, 1, 3), ends=False))
    desk = make_desk(tmp_path, ScriptedWriter({"how many": [replace(COUNT, cut=cut)]}))
    markdown = desk.ask("how many orders?").markdown
    assert "2026 so far: the data end 2026-03-01 [1]." in markdown
    assert "2025 in part: the data begin 2025-01-03 [1]." in markdown


def test_days_and_months_have_no_time_of_day(tmp_path: Path) -> None:
    days = "SELECT placed_on || 'T00:00:00' AS day, placed_on || 'T00:0' || (id - 1) || ':00' AS moment FROM orders"
    desk = make_desk(tmp_path, ScriptedWriter({"days": [reading(days, "Days")]}))
    markdown = desk.ask("days").markdown
    assert "| 2025-01-03 | 2025-01-03T00:00:00 |" in markdown
    (table,) = desk.of(TableProduced)
    assert [row[0] for row in table.rows][:2] == ["2025-01-03", "2025-02-04"]


def test_a_thing_is_not_compared_with_itself(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"number of orders": [COUNT]}))
    desk.propose(ask("number of orders in Oslo"), ask("number of orders in Rome"), calculate("compare", 1, 2))
    answer = desk.ask("compare the number of orders in Oslo and Rome", "multi_step_analysis")
    assert "both were read as the same statement" in answer.markdown
    assert (answer.outcome, [event.tool for event in desk.of(ToolStarted)][-1]) == ("partial", "execute_sql")


def test_a_statistic_is_calculated_over_what_a_statement_lists(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"list order totals": [TOTALS]}))
    desk.propose(ask("list order totals"), calculate("median", 1))
    answer = desk.ask("what is the median of the order totals?", "calculation")
    assert "Median (Totals of orders): median **22.5**; values **4** [1]." in answer.markdown
    (call,) = [event for event in desk.of(ToolStarted) if event.tool == "python_executor"]
    assert call.args["tables"] == ["d2"]


def test_a_calculation_of_numbers_alone_asks_no_source(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({}))
    answer = desk.ask("monthly payment on a loan of 200,000 at 4% over 30 years", "calculation")
    assert "monthly payment **954.83**" in answer.markdown
    assert [event.tool for event in desk.of(ToolStarted)] == ["python_executor"]


def test_a_tool_that_is_not_installed_is_named(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({}))
    desk.context = replace(desk.context, call_tool=partial(run_by_name, {}))
    answer = desk.ask("monthly payment on a loan of 200,000 at 4% over 30 years", "calculation")
    assert (answer.outcome, "There is no tool python\\_executor" in answer.markdown) == ("not_found", True)


def test_what_does_not_exist_is_not_looked_into(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"find": [NONE], "names of": [NAMES]}))
    answer = desk.ask("first find orders over 1000, then the names of those orders", "multi_step_analysis")
    assert [event.removed for event in desk.of(PlanAdjusted)] == [("d3",)]
    assert desk.statements == [NONE.sql]
    assert answer.outcome == "partial"


def test_a_later_statement_must_use_what_was_found(tmp_path: Path) -> None:
    top = reading("SELECT name FROM customers WHERE id = 1", "First customer")
    hers = reading("SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE name = 'Ada')", "Hers")
    desk = make_desk(tmp_path, ScriptedWriter({"find": [top], "orders of": [TOTALS, hers]}))
    desk.ask("find the first customer, then list the orders of that customer", "multi_step_analysis")
    assert desk.statements == [top.sql, hers.sql]


def test_of_several_sources_the_right_one_is_asked(tmp_path: Path) -> None:
    desk = make_desk(
        tmp_path, ScriptedWriter({"refunds": [replace(COUNT, sql="SELECT count(*) FROM refunds")]}), "shop", "depot"
    )
    change(tmp_path / "depot.db", "CREATE TABLE refunds (id INTEGER, amount REAL)")
    assert desk.ask("how many refunds are there?").citations[0].source == "depot"
    (tmp_path / "shop.db").unlink()
    assert desk.ask("how many refunds are there?").citations[0].source == "depot"
    assert "shop was left out" in desk.of(Warned)[0].message
    with pytest.raises(DataSourceError, match="no file"):
        desk.ask("how many refunds are there?", source="shop")


def test_sources_alike_are_told_apart_by_how_the_question_reads_there(tmp_path: Path) -> None:
    class Writer(ScriptedWriter):
        def read(self, question, schema, *, failed=()):  # type: ignore[no-untyped-def]
            found = super().read(question, schema, failed=failed)
            sure = 0.9 if schema.source == "depot" else 0.2
            return replace(found, readings=tuple(replace(one, confidence=sure) for one in found.readings))

    desk = make_desk(tmp_path, Writer({"orders": [COUNT]}), "shop", "depot")
    assert desk.ask("how many orders?").citations[0].source == "depot"


def test_a_consultation_looks_at_the_source_that_is_named_and_names_the_others(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({}), "shop", "depot")
    answer = desk.ask("what could be analysed in the depot?", "consultation")
    assert answer.markdown.startswith("**depot** holds")
    assert answer.markdown.endswith("Other sources: shop. Name one to look there.")
    assert desk.sources["shop"].schema_calls == []


def test_what_is_no_question_about_data_is_declined(tmp_path: Path) -> None:
    assert make_desk(tmp_path, ScriptedWriter({})).ask("hello", "simple").outcome == "declined"


def test_without_a_source_it_is_said_how_to_give_one(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({}))
    desk.context.schema_manager._sources = {}  # type: ignore[assignment]
    answer = desk.ask("有多少订单？")
    assert (answer.outcome, desk.of(PlanCreated)) == ("not_found", [])
    assert "--data" in answer.markdown


def test_a_cancelled_analysis_stops_between_steps_and_inside_of_them(tmp_path: Path) -> None:
    endless = reading(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS n FROM n",
        kind="aggregation",
    )
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [endless]}))
    timer = threading.Timer(0.2, desk.cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        desk.ask("orders")
    timer.join()
    with pytest.raises(Cancelled):
        desk.ask("orders")
    assert desk.events == []


def test_a_source_that_goes_away_is_not_asked_three_times(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [COUNT, CUSTOMERS]}))
    inner = desk.context.call_tool

    def call_tool(name: str, args: object) -> object:
        if name == "execute_sql":
            (tmp_path / "shop.db").unlink(missing_ok=True)
        return inner(name, args)  # type: ignore[arg-type]

    desk.context = replace(desk.context, call_tool=call_tool)  # type: ignore[arg-type]
    answer = desk.ask("how many orders?")
    assert len([event for event in desk.of(ToolStarted) if event.tool == "execute_sql"]) == 1
    assert "There is no file" in answer.markdown


def test_rows_are_logged_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"names": [reading("SELECT colour FROM customers"), NAMES]}))
    with caplog.at_level("DEBUG"):
        desk.ask("names")
        desk.ask("names")
    assert caplog.messages
    assert not any(name in caplog.text for name in ("Ada", "张伟"))


def test_a_chinese_question_is_answered_in_chinese(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"订单": [replace(COUNT, says="订单的数量")]}), charts=charts)
    assert desk.ask("一共有多少订单？").markdown.startswith("理解为：订单的数量。\n\n**5** [1]。")


class Documents:
    """What the graph over documents does, in short."""

    def __init__(self, outcome: str = "answered") -> None:
        self.asked: list[str] = []
        self.outcome = outcome

    def __call__(self, question: str, emit: Emit) -> RunSummary:
        self.asked.append(question)
        emit(RequestClassified(request_type="knowledge"))
        emit(PlanCreated(iteration=1))
        cited = Citation(n=1, path="runbooks/ada.md", start_line=3, end_line=4, quote="q")
        markdown = "Ada is called first [1], see [1](x).\n\n---\n[1] runbooks/ada.md:L3-L4"
        emit(AnswerCompleted(markdown=markdown, outcome=self.outcome, citations=(cited,)))  # type: ignore[arg-type]
        return RunSummary(iterations=1)


MIXED = {"data": "the first customer", "knowledge": "which runbook is about {value}?"}


def test_what_the_data_say_is_asked_of_the_documents(tmp_path: Path) -> None:
    documents = Documents()
    desk = make_desk(tmp_path, ScriptedWriter({"first customer": [NAMES]}))
    desk.context = replace(desk.context, ask_knowledge=documents)
    answer = desk.ask("which runbook is about the first customer?", "multi_step_analysis", **MIXED)
    assert documents.asked == ["which runbook is about Ada?"]
    assert "Ada is called first [2], see [1](x)." in answer.markdown
    assert answer.markdown.endswith("---\n[1] shop\n[2] runbooks/ada.md:L3-L4")
    assert [(one.n, one.kind) for one in answer.citations] == [(1, "sql"), (2, "file")]
    assert [event.iteration for event in desk.of(PlanCreated)] == [1, 2]
    assert desk.of(RequestClassified) == []
    assert (desk.summary.iterations, desk.summary.deviation.planned) == (2, 2)


@pytest.mark.parametrize(
    ("knowledge", "asked"),
    [
        ("which runbook covers the first customer", "which runbook covers Ada"),
        ("who is on call for first customer?", "who is on call for Ada?"),
        ("which runbook?", "which runbook Ada"),
    ],
)
def test_a_value_takes_the_place_of_its_words(tmp_path: Path, knowledge: str, asked: str) -> None:
    documents = Documents()
    desk = make_desk(tmp_path, ScriptedWriter({"first customer": [NAMES]}))
    desk.context = replace(desk.context, ask_knowledge=documents)
    desk.ask("q", "multi_step_analysis", data="the first customer", knowledge=knowledge)
    assert documents.asked == [asked]


def test_where_the_data_say_nothing_the_documents_are_asked_as_the_user_did(tmp_path: Path) -> None:
    documents = Documents()
    desk = make_desk(tmp_path, ScriptedWriter({}))
    desk.context = replace(desk.context, ask_knowledge=documents)
    answer = desk.ask("which runbook is about the first customer?", "multi_step_analysis", **MIXED)
    assert documents.asked == ["which runbook is about the first customer?"]
    assert answer.outcome == "partial"


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def test_the_events_of_a_run_come_in_the_order_of_the_contract(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"how many": [COUNT]}))
    desk.ask("how many orders?")
    assert kinds(desk.events) == [
        "plan_created",
        *("step_started", "tool_started", "tool_finished", "step_finished", "progress"),
        *("step_started", "tool_started", "tool_finished", "step_finished", "table_produced", "progress"),
        *("reading_chosen", "answer_completed"),
    ]


def test_of_a_thousand_tables_only_those_that_matter_are_read(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"how many": [COUNT]}))
    many = "".join(f"CREATE TABLE archive_{n} (id INTEGER, note TEXT);" for n in range(1000))
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript(f"BEGIN; {many} COMMIT;")
    connection.close()
    desk.ask("how many orders are there?")
    # And what their keys refer to, which a question between two tables need not name.
    assert desk.sources["shop"].schema_calls == [
        ("basic", None),
        ("detailed", ("orders",)),
        ("detailed", ("customers",)),
    ]
    desk.ask("how many orders did customers place?")
    assert len(desk.sources["shop"].schema_calls) == 3


def test_importing_the_analysis_loads_nothing_heavy() -> None:
    heavy = "{'sqlglot', 'duckdb', 'sqlalchemy', 'langchain_core', 'lancedb', 'plotext', 'pydantic_monty'}"
    code = f"import sys, kbtui.analysis.run; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


BY_MONTH = reading(
    "SELECT strftime('%Y-%m', placed_on) AS month, sum(total) AS total FROM orders GROUP BY 1 HAVING total > 0",
    "Total by month",
    kind="group",
)
BY_CUSTOMER = reading(
    "SELECT c.name, sum(o.total) AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1", "Totals"
)


def test_a_trend_is_drawn_though_no_chart_was_asked_for(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"month": [BY_MONTH], "who": [BY_CUSTOMER]}), charts=charts)
    desk.ask("how did the total develop by month?")
    assert [event.chart.type for event in desk.of(ChartProduced)] == ["line"]
    desk.ask("who ordered for how much?")
    assert desk.of(ChartProduced) == []
    assert desk.of(Warned) == []


def test_a_share_is_drawn_as_one(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"who": [BY_CUSTOMER]}), charts=charts)
    desk.ask("proportion of the total by who ordered")
    assert [event.chart.type for event in desk.of(ChartProduced)] == ["pie"]


def test_what_was_noticed_while_a_source_was_opened_is_told_once(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [COUNT]}))
    source = desk.sources["shop"]
    read = source._inner.schema

    def noted(level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        return replace(read(level, table_names), notes=("2 lines could not be read and are left out: lines 3, 7.",))

    source._inner.schema = noted  # type: ignore[method-assign]
    desk.ask("orders")
    assert [event.message for event in desk.of(Warned)] == [
        "shop: 2 lines could not be read and are left out: lines 3, 7."
    ]
    desk.ask("orders")
    assert desk.of(Warned) == []


def test_amounts_have_thousands_and_years_have_none(tmp_path: Path) -> None:
    amount = reading("SELECT 1234 AS amount, 2024 AS year, 4321 AS order_id", "One")
    most = reading('SELECT MAX(2024) AS "MAX(year)"', "The latest year")
    desk = make_desk(tmp_path, ScriptedWriter({"one": [amount], "year": [most]}))
    assert "amount **1,234**; year **2024**; order\\_id **4321**" in desk.ask("one").markdown
    assert desk.ask("year").markdown.startswith("Read as: The latest year.\n\n**2024** [1].")


def test_what_a_later_question_says_of_an_earlier_is_a_step_of_its_own_whatever_its_type(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"most orders": [NAMES], "live": [OSLO]}))
    desk.ask("which customers have most orders, and where do those customers live?")
    (plan,) = desk.of(PlanCreated)
    assert [step.tool for step in plan.steps] == ["get_data_source_context", "execute_sql", "execute_sql"]


def test_a_request_is_not_cut_where_a_part_does_not_stand_alone(tmp_path: Path) -> None:
    query = "which customers have most orders, and where do those customers live and what do they like?"
    writer = ScriptedWriter({"customers have most orders, and": [NAMES]})
    desk = make_desk(tmp_path, writer)
    desk.ask(query)
    (plan,) = desk.of(PlanCreated)
    assert [step.tool for step in plan.steps] == ["get_data_source_context", "execute_sql"]
    assert writer.asked[-1] == query


def test_a_request_that_one_statement_surely_answers_is_not_cut(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"min": [OSLO], "max": [CUSTOMERS]}))
    desk.ask("what is the min price and what is the max price", "calculation")
    (plan,) = desk.of(PlanCreated)
    assert [step.tool for step in plan.steps] == ["get_data_source_context", "execute_sql"]
