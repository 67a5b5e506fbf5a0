"""Hand-made runs over data: tables, charts, planned steps, citations of statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kbtui.domain.analysis import ResultTable
from kbtui.domain.answer import Citation
from kbtui.domain.events import (
    AnswerCompleted,
    Chart,
    ChartProduced,
    Event,
    PlanAdjusted,
    PlanCreated,
    PlanStep,
    RequestClassified,
    RunCompleted,
    RunStarted,
    StepFinished,
    StepStarted,
    TableProduced,
    ToolFinished,
    ToolStarted,
)
from kbtui.domain.routing import Signal
from kbtui.errors import DataSourceError
from tests.ui.made import FakeEngine, placed

SQL = (
    "SELECT s.city, COUNT(*) AS parcels, SUM(c.amount) AS revenue\nFROM parcels AS p\n"
    "JOIN lockers AS l ON l.locker_id = p.locker_id\nJOIN sites AS s ON s.site_id = l.site_id\n"
    "JOIN charges AS c ON c.parcel_id = p.parcel_id\nGROUP BY s.city ORDER BY parcels DESC"
)
ROWS = (
    ("Taipei 台北", 1032, 4120.5),
    ("Malmö", 655, 2811.25),
    ("Gothenburg", 512, 2207.0),
    ("哥本哈根 Copenhagen", 498, 1990.75),
    ("Aarhus", 431, None),
    ("Oslo", 377, 1502.0),
)
TABLE = TableProduced(
    step_id="s2", columns=("city", "parcels", "revenue"), rows=ROWS, row_count=6, sql=SQL, source="sample.sqlite"
)
CHART = ChartProduced(
    step_id="s3",
    chart=Chart(
        type="bar",
        x=tuple(row[0] for row in ROWS),
        x_name="city",
        y="parcels",
        series={"parcels": tuple(float(row[1]) for row in ROWS)},
    ),
    title="parcels by city · summed",
)
LINES = ChartProduced(
    step_id="s3",
    chart=Chart(
        type="line",
        x=tuple(f"2025-{month:02}" for month in range(1, 13)),
        x_name="month",
        y="parcels",
        series={
            "Malmö": (40, 44, 51, None, 62, 58, 70, 77, 72, 69, 80, 91),
            "台北": (90, 84, 88, 92, 81, 79, 85, 99, 104, 120, 115, 131),
        },
    ),
    title="parcels by month and city",
)
MARKDOWN = """**Taipei 台北** has the most parcels: 1,032 [1], followed by Malmö with 655 [1].

| city | parcels | revenue |
|---|---:|---:|
| Taipei 台北 | 1032 | 4120.5 |
| Malmö | 655 | 2811.25 |

[1] sample.sqlite
"""
CITATION = Citation(n=1, kind="sql", sql=SQL, source="sample.sqlite", quote="6 rows, not truncated")
STEPS = (
    PlanStep(
        step_id="s1",
        tool="get_data_source_context",
        purpose="Read the tables and their columns",
        estimated_ms=20,
        schema_level="detailed",
    ),
    PlanStep(
        step_id="s2",
        tool="execute_sql",
        purpose="Count parcels by city",
        estimated_ms=40,
        query_type="aggregation",
        checkpoint=True,
    ),
    PlanStep(
        step_id="s3",
        tool="python_executor",
        purpose="各城市的增长率",
        estimated_ms=120,
        estimate_note="a guess",
    ),
    PlanStep(step_id="s4", tool="execute_sql", purpose="Refunds of the largest city", query_type="filter"),
)


def a_data_run(query: str = "Which city has the most parcels?", run_id: str = "r1") -> list[Event]:
    """A run of several steps: one retried, one removed, one added, one skipped."""
    added = PlanStep(step_id="s5", tool="execute_sql", purpose="Charges of Taipei by kind", query_type="top_n")
    return placed(
        [
            RunStarted(query=query, kb="/kb/handbook", session_id="s1", sources=("sample.sqlite",)),
            RequestClassified(
                request_type="multi_step_analysis",
                confidence=0.91,
                signals=(Signal(name="cue", detail="which … most"),),
            ),
            PlanCreated(steps=STEPS),
            StepStarted(step_id="s1"),
            ToolStarted(call_id="c1", tool="get_data_source_context", step_id="s1"),
            ToolFinished(
                call_id="c1",
                tool="get_data_source_context",
                ok=True,
                result_count=6,
                duration_ms=3,
                cached=True,
                note="[Using cached schema]",
            ),
            StepFinished(step_id="s1", duration_ms=3),
            StepStarted(step_id="s2"),
            ToolStarted(call_id="c2", tool="execute_sql", step_id="s2"),
            ToolFinished(call_id="c2", tool="execute_sql", ok=False, duration_ms=12, error="no such column: parcel"),
            StepStarted(step_id="s2", attempt=2),
            ToolStarted(call_id="c3", tool="execute_sql", step_id="s2"),
            ToolFinished(call_id="c3", tool="execute_sql", ok=True, result_count=6, duration_ms=35),
            TABLE,
            StepFinished(
                step_id="s2",
                attempt=2,
                duration_ms=47,
                decision="proceed",
                reason="6 rows, as expected of a count by city",
            ),
            PlanAdjusted(removed=("s4",), added=(added,), reason="Taipei has no refunds"),
            StepStarted(step_id="s3"),
            StepFinished(step_id="s3", status="skipped", decision="skip", reason="one period only"),
            StepStarted(step_id="s5"),
            CHART,
            StepFinished(step_id="s5", duration_ms=9),
            AnswerCompleted(markdown=MARKDOWN, outcome="answered", citations=(CITATION,)),
            RunCompleted(duration_ms=132, iterations=1, tool_calls=3),
        ],
        run_id,
    )


@dataclass
class DataEngine(FakeEngine):
    """Runs statements again, as the engine does, from a table; or refuses."""

    run: Any = a_data_run
    reruns: list[tuple[str, str]] = field(default_factory=list)
    refreshed_schemas: int = 0
    refuses: str = ""

    def rerun(self, sql: str, source: str) -> ResultTable:
        self.reruns.append((sql, source))
        if self.refuses:
            raise DataSourceError(self.refuses, "Ask for what it reads instead.")
        return ResultTable(columns=("city", "parcels"), rows=(("台北", 1033),), row_count=1, sql=sql, source=source)

    def refresh_schema(self) -> None:
        self.refreshed_schemas += 1
