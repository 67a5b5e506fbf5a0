"""Plans held against requests, and what was done against plans."""

from __future__ import annotations

import pytest

from kbtui.analysis.execution_validator import WARN_ABOVE, ExecutionValidator
from kbtui.domain.events import Event, PlanStep, RequestType

LOOK = PlanStep(step_id="d1", tool="get_data_source_context", schema_level="detailed", args={"source": "s"})
ASK = PlanStep(step_id="d2", tool="execute_sql", query_type="detail")
SUM = PlanStep(step_id="d3", tool="python_executor")


@pytest.mark.parametrize(
    ("plan", "kind", "tools", "says"),
    [
        ([LOOK, ASK], "data_query", ["get_data_source_context", "execute_sql"], []),
        ([LOOK, LOOK], "consultation", ["get_data_source_context"], ["needs no columns", "looks once"]),
        ([LOOK, ASK, SUM], "consultation", ["get_data_source_context"], ["no columns", "need execute_sql", "python"]),
        ([ASK], "trivial", [], ["a trivial request needs no execute_sql"]),
        ([LOOK, ASK], "visualization", ["get_data_source_context", "execute_sql"], []),
        ([LOOK, PlanStep(step_id="x", tool="chart")], "visualization", [LOOK.tool], ["no tool", "without"]),
        ([PlanStep(step_id="x", tool="hybrid_search")], "calculation", [], ["no tool for data"]),
    ],
)
def test_what_does_not_fit_is_flagged_and_mended(
    plan: list[PlanStep], kind: RequestType, tools: list[str], says: list[str]
) -> None:
    kept, flags = ExecutionValidator().validate(plan, kind)
    assert [step.tool for step in kept] == tools
    assert len(flags) == len(says)
    assert all(part in flag for part, flag in zip(says, flags, strict=True))


def test_a_step_that_lacks_its_level_kind_or_checkpoint_gets_one() -> None:
    plan = [PlanStep(step_id="d1", tool="get_data_source_context"), PlanStep(step_id="d2", tool="execute_sql")]
    (look, ask), flags = ExecutionValidator().validate(plan, "multi_step_analysis")
    assert (look.schema_level, look.args["level"], ask.query_type, ask.checkpoint) == (
        "detailed",
        "detailed",
        "detail",
        True,
    )
    assert len(flags) == 3


@pytest.mark.parametrize(
    ("calls", "actual", "moved", "ratio"),
    [
        (["d1", "d2", "d3"], 3, 0, 0.0),
        (["d1", "d2"], 2, 0, 0.3333),
        (["d1", "d2", "d2", "d3"], 4, 0, 0.3333),
        (["d1", "d3", "d2"], 3, 1, 0.3333),
        (["d1", "d2", "d2", "d2"], 4, 0, 1.0),
        (["d1", "d9"], 2, 0, 1.0),
        ([], 0, 0, 1.0),
    ],
)
def test_the_ratio_counts_what_is_missing_more_or_moved(
    calls: list[str], actual: int, moved: int, ratio: float
) -> None:
    validator = ExecutionValidator()
    plan, _ = validator.validate([LOOK, ASK, SUM], "calculation")
    tools = {step.step_id: step.tool for step in plan}
    for call in calls:
        validator.record_call(call, tools.get(call, "execute_sql"))
    found = validator.deviation()
    assert (found.planned, found.actual, found.order_changes, found.ratio) == (3, actual, moved, ratio)
    assert found.warned == (ratio > WARN_ABOVE)


def test_half_off_the_plan_is_no_warning_yet(caplog: pytest.LogCaptureFixture) -> None:
    validator, events = ExecutionValidator(), list[Event]()
    validator.validate([LOOK, ASK], "data_query")
    validator.record_call("d1", LOOK.tool)
    assert validator.finish(events.append).ratio == 0.5
    assert (events, caplog.messages) == ([], [])
