"""Each acceptance criterion of spec 004 ("Agent analysis flow"), by its number, over a real SQLite database."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from kbtui.analysis import charts, step_reporter
from kbtui.analysis.analysis_planner import DATA_TOOLS, AnalysisPlanner
from kbtui.analysis.execution_validator import ExecutionValidator, with_unplanned_calls
from kbtui.analysis.request_classifier import RequestClassifier
from kbtui.analysis.schema_manager import SchemaManager
from kbtui.domain.analysis import Classified, Reading, Readings, Schema
from kbtui.domain.events import (
    ChartProduced,
    Deviation,
    Event,
    PlanAdjusted,
    PlanCreated,
    PlanStep,
    Progress,
    StepFinished,
    StepStarted,
    TableProduced,
    ToolFinished,
    ToolStarted,
    Warned,
)
from tests.analysis.shop import Desk, Recorded, ScriptedWriter, ask, calculate, change, make_desk, reading

COUNT = reading("SELECT count(*) AS orders FROM orders", "Number of orders", kind="aggregation")
PER_CITY = reading(
    "SELECT c.city, count(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city",
    "Number of orders per city",
    kind="group",
)
TOP = reading(
    "SELECT c.name, sum(o.total) AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name "
    "ORDER BY total DESC LIMIT 2",
    "Top 2 customers by total",
    kind="top_n",
)
THEIRS = reading(
    "SELECT o.id, o.total FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.name IN ('张伟', 'Ada')",
    "Orders of 张伟 or Ada",
    kind="filter",
)
IN_2025 = reading("SELECT count(*) AS n FROM orders WHERE placed_on LIKE '2025%'", "Orders in 2025", kind="aggregation")
IN_2026 = reading("SELECT count(*) AS n FROM orders WHERE placed_on LIKE '2026%'", "Orders in 2026", kind="aggregation")
BROKEN = reading("SELECT colour FROM orders", "Colours")
EMPTY = reading("SELECT id FROM orders WHERE total > 1000", "Orders over 1000")

CLASSIFIER = RequestClassifier(("shop",), {"shop": frozenset({"orders", "customers", "city", "total"})})
STEPS = "First find the top 2 customers by total, then list their orders"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    script: dict[str, list[Reading]] = {
        "how many orders": [COUNT],
        "per city": [PER_CITY],
        "find the top 2": [TOP],
        "orders of ": [THEIRS],
        "in 2025": [IN_2025],
        "in 2026": [IN_2026],
    }
    return make_desk(tmp_path, ScriptedWriter(script), charts=charts)


def plan_of(desk: Desk) -> tuple[PlanStep, ...]:
    (created,) = desk.of(PlanCreated)
    return created.steps


def tools_of(desk: Desk) -> list[str]:
    return [event.tool for event in desk.of(ToolStarted)]


# Requirement 1: classification. What a type is recognised by is tested with the classifier.


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("what is 12 * 12?", "trivial"),
        ("hello!", "simple"),
        ("how many orders are there per customer?", "data_query"),
        ("draw a bar chart of the orders per city", "visualization"),
        ("calculate the median total of the orders", "calculation"),
        ("search the web for the price of copper", "web_search"),
        ("对本数据源提出一些分析建议", "consultation"),
        ("first find the top 2 customers by total, then list their orders", "multi_step_analysis"),
    ],
)
def test_1_1_a_request_is_of_one_of_eight_types(query: str, kind: str) -> None:
    assert CLASSIFIER.classify(query).request_type == kind


@pytest.mark.parametrize("query", ["几点了？", "what is 15% of 240?", "convert 3 miles to km", "三斤等于多少公斤？"])
def test_1_4_a_quick_request_is_told_by_its_pattern(query: str) -> None:
    classified = CLASSIFIER.classify(query)
    assert classified.quick_path
    assert classified.request_type in ("trivial", "simple")


@pytest.mark.parametrize("keyword", ["建议", "分析方向", "可以做什么分析"])
def test_1_5_its_keywords_make_a_consultation(keyword: str) -> None:
    assert CLASSIFIER.classify(f"这些订单有什么{keyword}").request_type == "consultation"


@pytest.mark.parametrize("query", ["对部署流程有什么建议", "TICKET-204 的改进建议是什么", "对本数据源提出一些分析建议"])
@pytest.mark.parametrize("sources", [(), ("shop",)])
def test_1_5_its_keywords_make_a_consultation_without_a_source_and_beside_a_ticket(
    sources: tuple[str, ...], query: str
) -> None:
    assert RequestClassifier(sources).classify(query).request_type == "consultation"


def test_1_2_a_consultation_is_planned_without_execute_sql(desk: Desk) -> None:
    desk.ask("对本数据源提出一些分析建议", "consultation")
    assert [step.tool for step in plan_of(desk)] == ["get_data_source_context"]
    assert desk.statements == []


def test_1_3_a_multi_step_analysis_is_planned_with_checkpoints(desk: Desk) -> None:
    desk.ask(STEPS, "multi_step_analysis")
    assert [(step.tool, step.checkpoint) for step in plan_of(desk)] == [
        ("get_data_source_context", False),
        ("execute_sql", True),
        ("execute_sql", True),
    ]


@pytest.mark.parametrize("kind", ["trivial", "simple"])
def test_1_4_a_quick_request_has_no_plan(desk: Desk, kind: str) -> None:
    planner = AnalysisPlanner(desk.context.schema_manager.get_schema_level)
    assert planner.plan("what time is it?", Classified(request_type=kind)) == ()  # type: ignore[arg-type]


# Requirement 2: no more of the structure than is needed.


def test_2_1_a_consultation_reads_names_of_tables_and_no_columns(desk: Desk) -> None:
    desk.ask("what could I analyse here?", "consultation")
    assert desk.sources["shop"].schema_calls == [("basic", None)]


@pytest.mark.parametrize("kind", ["data_query", "visualization"])
def test_2_2_a_query_reads_columns_types_and_samples(desk: Desk, kind: str) -> None:
    desk.ask("how many orders are there?", kind)
    assert ("detailed", ("customers", "orders")) in desk.sources["shop"].schema_calls
    schema = desk.context.schema_manager.get("shop", "detailed")
    column = schema.tables[0].columns[1]
    assert (column.name, column.type, "Ada" in column.samples) == ("name", "TEXT", True)


def test_2_3_a_kept_structure_is_not_read_again(desk: Desk) -> None:
    for _ in range(10):
        desk.ask("how many orders are there?")
    assert [level for level, _ in desk.sources["shop"].schema_calls] == ["basic", "detailed"]


def test_2_4_the_level_follows_from_the_type(desk: Desk) -> None:
    manager = desk.context.schema_manager
    assert manager.getSchemaLevel("consultation") == "basic"
    assert manager.getSchemaLevel("data_query") == "detailed"


def test_2_5_all_tables_that_matter_are_read_in_one_call(desk: Desk) -> None:
    desk.ask("how many orders are there?")
    (started,) = [event for event in desk.of(ToolStarted) if event.tool == "get_data_source_context"]
    assert started.args["table_names"] == ["customers", "orders"]


# Requirement 3: step by step.


def test_3_1_steps_are_done_one_after_the_other_and_each_result_is_looked_at(desk: Desk) -> None:
    desk.ask(STEPS, "multi_step_analysis")
    order = [(type(event), event.step_id) for event in desk.events if isinstance(event, (StepStarted, StepFinished))]
    assert order == [(kind, step) for step in ("d1", "d2", "d3") for kind in (StepStarted, StepFinished)]
    assert [event.decision for event in desk.of(StepFinished)] == ["proceed", "proceed", "proceed"]
    later = [event for event in desk.of(ToolStarted) if event.step_id == "d3"]
    assert '"张伟" or "Ada"' in later[0].sub_question


@pytest.mark.parametrize(
    ("readings", "decisions"),
    [
        ([COUNT], ["proceed"]),
        ([BROKEN, COUNT], ["modify", "proceed"]),
        ([BROKEN], ["modify", "skip"]),
    ],
)
def test_3_2_after_each_step_it_is_decided_how_to_go_on(
    tmp_path: Path, readings: list[Reading], decisions: list[str]
) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": readings}))
    desk.ask("how many orders?")
    assert [event.decision for event in desk.of(StepFinished) if event.step_id == "d2"] == decisions


@pytest.mark.parametrize(
    ("first", "decisions"),
    [
        ([BROKEN], ["modify", "skip"]),
        ([reading("SELECT name FROM customers WHERE city = 'Rome'", "Customers in Rome")], ["modify", "skip"]),
    ],
)
def test_3_2_what_failed_or_found_nothing_changes_what_follows(
    tmp_path: Path, first: list[Reading], decisions: list[str]
) -> None:
    desk = make_desk(
        tmp_path, ScriptedWriter({"city": first, "orders in": [reading("SELECT id FROM orders", "Orders")]})
    )
    desk.ask("which city has the most customers, then list the largest orders there", "multi_step_analysis")
    finished = [event for event in desk.of(StepFinished) if event.step_id == "d2"]
    assert [event.decision for event in finished] == decisions
    (adjusted,) = desk.of(PlanAdjusted)
    assert adjusted.removed == ("d3",) or [step.step_id for step in adjusted.changed] == ["d3"]
    assert "SELECT id FROM orders" not in desk.statements


def test_3_2_a_step_that_speaks_of_what_was_found_there_runs_only_with_it(tmp_path: Path) -> None:
    city = reading("SELECT city FROM customers WHERE city = 'Oslo' LIMIT 1", "The city with the most customers")
    anywhere = reading("SELECT id FROM orders ORDER BY total DESC LIMIT 2", "The largest orders")
    desk = make_desk(tmp_path, ScriptedWriter({"most customers": [city], "largest orders": [anywhere]}))
    desk.ask("which city has the most customers, then list the 2 largest orders there", "multi_step_analysis")
    (plan,) = desk.of(PlanCreated)
    assert (plan.steps[2].args["question"], plan.steps[2].args["uses"]) == (
        "list the 2 largest orders in ‹d2.top›",
        ["d2"],
    )
    assert anywhere.sql not in desk.statements
    assert [event.decision for event in desk.of(StepFinished) if event.step_id == "d3"] == ["skip"]


def test_3_3_progress_is_told_after_each_step(desk: Desk) -> None:
    desk.ask(STEPS, "multi_step_analysis")
    assert [(event.done, event.total) for event in desk.of(Progress)] == [(1, 3), (2, 3), (3, 3)]
    for progress, finished in zip(desk.of(Progress), desk.of(StepFinished), strict=True):
        assert desk.events.index(progress) == desk.events.index(finished) + 1 + isinstance(
            desk.events[desk.events.index(finished) + 1], TableProduced
        )


def test_3_4_what_failed_changes_the_steps_that_needed_it(tmp_path: Path) -> None:
    writer = ScriptedWriter({"find the top": [BROKEN], "orders of ": [THEIRS]})
    desk = make_desk(tmp_path, writer)
    answer = desk.ask(STEPS, "multi_step_analysis")
    (adjusted,) = desk.of(PlanAdjusted)
    assert [step.step_id for step in adjusted.changed] == ["d3"]
    assert "no such column" in adjusted.reason
    assert writer.asked[-1] == "list orders of top 2 customers by total"
    assert answer.outcome == "partial"


def test_3_5_a_step_has_three_attempts_and_no_statement_twice(tmp_path: Path) -> None:
    again = reading("select  colour\nfrom orders -- once more")
    others = [BROKEN, again, reading("SELECT size FROM orders"), reading("SELECT weight FROM orders"), COUNT]
    desk = make_desk(tmp_path, ScriptedWriter({"orders": others}, offers_failed=True))
    answer = desk.ask("how many orders?")
    assert [event.attempt for event in desk.of(StepStarted) if event.step_id == "d2"] == [1, 2, 3]
    assert desk.statements == [BROKEN.sql, others[2].sql, others[3].sql]
    assert desk.of(StepFinished)[-1].status == "failed"
    assert answer.outcome == "not_found"


# Requirement 4: the plan against the request, and what was done against the plan.


def test_4_1_a_plan_is_held_against_the_type() -> None:
    plan = [PlanStep(step_id="d1", tool="get_data_source_context", schema_level="detailed")]
    _, flags = ExecutionValidator().validate(plan, "data_query")
    assert list(flags) == ["a data_query without execute_sql"]


def test_4_1_a_basic_structure_where_columns_are_needed_is_flagged() -> None:
    plan = [
        PlanStep(step_id="d1", tool="get_data_source_context", args={"level": "basic"}, schema_level="basic"),
        PlanStep(step_id="d2", tool="execute_sql", args={"question": "how many?"}, query_type="aggregation"),
    ]
    followed, flags = ExecutionValidator().validate(plan, "data_query")
    assert list(flags) == ["execute_sql needs columns, and get_data_source_context was to read none"]
    assert (followed[0].schema_level, followed[0].args["level"]) == ("detailed", "detailed")


def test_4_2_execute_sql_is_taken_out_of_a_consultation() -> None:
    plan = [
        PlanStep(step_id="d1", tool="get_data_source_context", schema_level="basic"),
        PlanStep(step_id="d2", tool="execute_sql", query_type="detail"),
    ]
    kept, flags = ExecutionValidator().validate(plan, "consultation")
    assert [step.tool for step in kept] == ["get_data_source_context"]
    assert flags == ("a consultation does not need execute_sql; the step was removed",)


def test_4_3_calls_are_compared_with_the_planned_steps(desk: Desk) -> None:
    desk.ask(STEPS, "multi_step_analysis")
    assert (desk.summary.deviation.planned, desk.summary.deviation.actual, desk.summary.deviation.ratio) == (3, 3, 0)


def test_4_3_calls_beside_the_plan_count_in_the_deviation() -> None:
    planned = Deviation(planned=2, actual=1, ratio=0.5)
    warnings: list[Event] = []
    found = with_unplanned_calls(planned, 3, warnings.append)
    assert (found.planned, found.actual, found.ratio, found.warned) == (2, 4, 2.0, True)
    assert [type(one) for one in warnings] == [Warned]
    assert with_unplanned_calls(planned, 0, warnings.append) is planned


def test_4_4_the_deviation_is_recorded(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"orders": [BROKEN, COUNT]}))
    desk.ask("how many orders?")
    assert (desk.summary.deviation.planned, desk.summary.deviation.actual) == (2, 3)
    assert desk.summary.deviation.ratio == 0.5
    validator = ExecutionValidator()
    validator.validate([PlanStep(step_id=f"d{n}", tool="python_executor") for n in (1, 2, 3)], "calculation")
    for step in ("d2", "d1", "d3"):
        validator.record_call(step, "python_executor")
    assert validator.deviation().order_changes == 1


def test_4_5_more_than_half_off_the_plan_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    desk = make_desk(
        tmp_path, ScriptedWriter({"orders": [BROKEN, reading("SELECT size FROM orders"), COUNT]}), charts=charts
    )
    with caplog.at_level(logging.WARNING, "kbtui.analysis"):
        desk.ask("how many orders?")
    assert desk.summary.deviation.warned
    assert [event.where for event in desk.of(Warned)] == ["deviation"]
    assert "100% off the plan" in caplog.text


# Requirement 5: consultations.


def test_5_1_a_consultation_looks_at_the_basic_structure_and_answers(desk: Desk) -> None:
    answer = desk.ask("what can be analysed here?", "consultation")
    assert [(step.tool, step.schema_level) for step in plan_of(desk)] == [("get_data_source_context", "basic")]
    assert answer.outcome == "answered"


def test_5_2_suggestions_come_from_names_and_relations_without_any_statement(desk: Desk) -> None:
    answer = desk.ask("what can be analysed here?", "consultation")
    assert "orders by customers" in answer.markdown
    assert desk.statements == []
    assert all(level == "basic" for level, _ in desk.sources["shop"].schema_calls)


@pytest.mark.parametrize(
    ("query", "headings"),
    [
        ("any suggestions?", ("Dimensions to analyse", "Charts that suit them", "Questions to ask")),
        ("有什么分析建议？", ("可分析的维度", "适合的图表", "可以这样提问")),
    ],
)
def test_5_3_it_names_dimensions_charts_and_questions(desk: Desk, query: str, headings: tuple[str, ...]) -> None:
    answer = desk.ask(query, "consultation")
    assert all(f"**{heading}**\n\n- " in answer.markdown for heading in headings)


def test_5_2_keys_and_relationships_are_named_at_the_basic_level_by_one_call(desk: Desk) -> None:
    answer = desk.ask("what could I analyse here?", "consultation")
    assert "`orders` (`customer_id`) refers to `customers` (`id`)" in answer.markdown
    assert (tools_of(desk), desk.sources["shop"].schema_calls) == (["get_data_source_context"], [("basic", None)])


def test_5_3_only_questions_that_are_surely_read_are_suggested(tmp_path: Path) -> None:
    script = {"per month": [COUNT], "most": [reading("SELECT 1", confidence=0.4)], "no orders": [COUNT]}
    answer = make_desk(tmp_path, ScriptedWriter(script)).ask("what could I analyse here?", "consultation")
    assert answer.suggestions == ("How many orders are there per month?", "Which customers have no orders?")


def test_a_consultation_looks_at_the_columns_of_an_only_table(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({"total": [COUNT]}))
    change(tmp_path / "shop.db", "DROP TABLE customers")
    change(tmp_path / "shop.db", "ALTER TABLE orders ADD COLUMN channel TEXT")
    change(tmp_path / "shop.db", "UPDATE orders SET channel = 'web'")
    answer = desk.ask("what could I analyse here?", "consultation")
    assert "total total by channel" in answer.markdown
    assert (tools_of(desk), desk.statements) == (["get_data_source_context"], [])


def test_5_4_a_consultation_is_one_call_at_most(desk: Desk) -> None:
    desk.ask("any suggestions?", "consultation")
    assert tools_of(desk) == ["get_data_source_context"]


# Requirement 6: what a plan says.


def test_6_1_tools_are_named_as_they_are_called(desk: Desk) -> None:
    desk.propose(ask("how many orders in 2025"), ask("how many orders in 2026"), calculate("compare", 1, 2))
    desk.ask("compare the number of orders in 2025 and in 2026", "multi_step_analysis")
    assert {step.tool for step in plan_of(desk)} == DATA_TOOLS
    plan = [PlanStep(step_id="d1", tool="get_schema"), PlanStep(step_id="d2", tool="sql_executor")]
    kept, _ = ExecutionValidator().validate(plan, "data_query")
    assert [step.tool for step in kept] == ["get_data_source_context", "execute_sql"]


@pytest.mark.parametrize(("kind", "level"), [("consultation", "basic"), ("data_query", "detailed")])
def test_6_2_a_look_at_the_structure_says_how_deep(desk: Desk, kind: str, level: str) -> None:
    desk.ask("how many orders?", kind)
    assert [step.schema_level for step in plan_of(desk) if step.tool == "get_data_source_context"] == [level]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("how many orders are there?", "aggregation"),
        ("number of orders per city", "group"),
        ("top 3 customers by total", "top_n"),
        ("orders over 100", "filter"),
        ("customers who spend more than the average", "nested"),
        ("show customers with their orders", "join"),
        ("list the customers", "detail"),
        ("每个城市有多少订单？", "group"),
        ("花费最高的3个客户", "top_n"),
        ("一共有多少订单？", "aggregation"),
    ],
)
def test_6_3_a_statement_says_what_kind_it_will_be(desk: Desk, query: str, kind: str) -> None:
    planner = AnalysisPlanner(desk.context.schema_manager.get_schema_level)
    plan = planner.plan(
        query, Classified(request_type="data_query"), source="shop", table_names=("customers", "orders"), is_single=True
    )
    assert [step.query_type for step in plan if step.tool == "execute_sql"] == [kind]


def test_6_4_a_step_says_about_how_long_it_takes_from_what_was_recorded(desk: Desk) -> None:
    desk.ask("how many orders are there?")
    assert [step.estimate_note for step in plan_of(desk)] == ["a guess", "a guess"]
    desk.durations.values["execute_sql|shop|aggregation"] = [10.0, 30.0, 20.0]
    desk.ask("how many orders are there?")
    step = plan_of(desk)[1]
    assert (step.estimated_ms, step.estimate_note) == (20.0, "median of execute_sql shop aggregation")


def test_what_is_recorded_is_kept_by_tool_source_and_kind_and_a_known_structure_is_none(desk: Desk) -> None:
    desk.ask("how many orders are there?")
    desk.ask("how many orders are there?")
    counts = {key: len(values) for key, values in desk.durations.values.items()}
    assert counts == {
        "get_data_source_context|shop|detailed": 1,
        "get_data_source_context|shop": 1,
        "get_data_source_context": 1,
        "execute_sql|shop|aggregation": 2,
        "execute_sql|shop": 2,
        "execute_sql": 2,
    }


# Requirement 7: what was read is kept.


def test_7_1_a_structure_is_kept_for_thirty_minutes(desk: Desk) -> None:
    desk.ask("how many orders are there?")
    desk.clock.move(minutes=29)
    desk.ask("how many orders are there?")
    assert len(desk.sources["shop"].schema_calls) == 2
    desk.clock.move(minutes=2)
    desk.ask("how many orders are there?")
    assert len(desk.sources["shop"].schema_calls) == 4


def test_7_2_what_was_kept_says_so(desk: Desk) -> None:
    desk.ask("how many orders are there?")
    desk.ask("how many orders are there?")
    (finished,) = [event for event in desk.of(ToolFinished) if event.tool == "get_data_source_context"]
    assert finished.cached
    assert finished.note == "[Using cached schema] shop: 2 tables, detailed"


def test_7_2_the_first_look_ever_is_not_a_cached_one_and_a_hit_is_a_fetch(desk: Desk) -> None:
    schemas = desk.context.schema_manager
    desk.ask("how many orders?")
    (first,) = [event for event in desk.of(ToolFinished) if event.call_id.startswith("d1")]
    assert (first.cached, "[Using cached schema]" in first.note, schemas.hits) == (False, False, 0)
    desk.ask("how many orders?")
    (second,) = [event for event in desk.of(ToolFinished) if event.call_id.startswith("d1")]
    assert (second.cached, "[Using cached schema]" in second.note, schemas.hits) == (True, True, 1)


def test_7_3_a_changed_structure_is_read_again(desk: Desk, tmp_path: Path) -> None:
    desk.ask("how many orders are there?")
    change(tmp_path / "shop.db", "CREATE TABLE refunds (id INTEGER)")
    desk.ask("how many orders are there?")
    (started,) = [event for event in desk.of(ToolStarted) if event.tool == "get_data_source_context"]
    assert started.args["table_names"] == ["customers", "orders", "refunds"]


def test_7_4_both_levels_are_kept_apart(desk: Desk) -> None:
    desk.ask("how many orders are there?")
    calls = list(desk.sources["shop"].schema_calls)
    desk.ask("any suggestions?", "consultation")
    desk.ask("how many orders are there?")
    assert desk.sources["shop"].schema_calls == calls
    assert not desk.context.schema_manager.get("shop", "basic").tables[0].columns


def test_7_5_a_hit_is_logged(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    desk.ask("how many orders are there?")
    with caplog.at_level(logging.INFO, "kbtui.schema"):
        desk.ask("how many orders are there?")
    assert any("schema cache hit: source=shop level=detailed" in message for message in caplog.messages)


def test_a_visualization_ends_in_a_chart_and_its_plan_names_tools_alone(desk: Desk) -> None:
    desk.ask("bar chart of the number of orders per city", "visualization")
    assert [step.tool for step in plan_of(desk)] == ["get_data_source_context", "execute_sql"]
    (drawn,) = desk.of(ChartProduced)
    assert drawn.chart.x
    assert drawn.step_id == plan_of(desk)[1].step_id


def test_a_result_that_suits_no_chart_is_said_to_suit_none(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "wish", lambda *_: None)
    answer = desk.ask("bar chart of the number of orders per city", "visualization")
    assert answer.outcome == "answered"
    assert not desk.of(ChartProduced)
    assert [event.message for event in desk.of(Warned) if event.where == "chart"] == [
        "No chart was drawn: the result has nothing that a chart could show."
    ]


def test_a_step_has_begun_while_its_statement_is_thought_of(tmp_path: Path) -> None:
    class Watching(ScriptedWriter):
        began: list[bool]

        def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
            self.began.append(any(event.step_id == "d2" for event in desk.of(StepStarted)))
            return super().read(question, schema, failed=failed)

    writer = Watching({"how many orders": [COUNT]})
    writer.began = []
    desk = make_desk(tmp_path, writer, "shop")
    desk.ask("how many orders are there?")
    assert writer.began == [True]


def test_6_4_what_is_foretold_of_a_step_is_how_long_it_takes_with_the_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(step_reporter.time, "perf_counter", lambda: now[0])

    class Slow(ScriptedWriter):
        def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
            now[0] += 5.0
            return super().read(question, schema, failed=failed)

    desk = make_desk(tmp_path, Slow({"how many orders": [COUNT]}), "shop")
    desk.ask("how many orders are there?")
    assert desk.durations.values["execute_sql|shop|aggregation"] == [5000.0]
    (done,) = [event for event in desk.of(StepFinished) if event.step_id == "d2"]
    assert done.duration_ms == 5000.0
    (called,) = [event for event in desk.of(ToolFinished) if event.tool == "execute_sql"]
    assert called.duration_ms == 0.0


def test_plans_are_kept_apart_from_what_was_recorded_of_other_sources(tmp_path: Path) -> None:
    durations = Recorded({"execute_sql|depot|detail": [500.0], "execute_sql": [7.0]})
    manager = SchemaManager({}, tmp_path, make_desk(tmp_path, ScriptedWriter({})).clock)
    planner = AnalysisPlanner(manager.get_schema_level, durations)
    plan = planner.plan("list the customers", Classified(request_type="data_query"), source="shop")
    assert (plan[1].estimated_ms, plan[1].estimate_note) == (7.0, "median of execute_sql")
