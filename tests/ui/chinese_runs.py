"""Hand-made runs whose questions, documents and data are Chinese: whatever is Latin on the screen, the program says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.domain.answer import Citation
from kbtui.domain.document import FileRecord
from kbtui.domain.events import (
    AnswerCompleted,
    Chart,
    ChartProduced,
    Event,
    EvidenceGraded,
    EvidenceItem,
    OfferedReading,
    PlanAdjusted,
    PlanCreated,
    PlanStep,
    QueryRouted,
    ReadingChosen,
    RequestClassified,
    RunCompleted,
    RunStarted,
    StepFinished,
    StepStarted,
    TableProduced,
    ToolFinished,
    ToolStarted,
)
from kbtui.domain.holdings import HeldDocument, HeldField, HeldHeading, HeldKind, HeldSource, Holdings
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion
from kbtui.text.mentions import Named, names_of_files
from tests.ui.made import FakeEngine, FakeLibrary, Source, placed

KB = Path("/库/手册")
SUGGESTIONS = ("发布怎么回滚？", "谁负责值班？")
QUESTION = "发布怎么回滚，由谁通知？"
FILES = ("值班/升级.md", "值班/交接.md", "发布/回滚.md", "会议/发布回顾.md")
SUBS = (
    SubQuestion(semantic_intent="发布失败后怎么回滚", search_keywords="回滚 发布"),
    SubQuestion(semantic_intent="由谁通知回滚", search_keywords="通知 值班"),
)
SIGNALS = {
    "rank_vector": 2.0,
    "weight_vector": 0.5,
    "part_vector": 0.2,
    "cosine": 0.61,
    "feature_coverage": 0.8,
    "coefficient_coverage": 1.7,
    "coefficient_intercept": -2.0,
    "probability": 0.91,
}
ITEMS = tuple(
    EvidenceItem(
        evidence_id=f"e{n}",
        path=path,
        start_line=start,
        end_line=start + 4,
        score=score,
        kept=score >= 0.3,
        tool="hybrid_search",
        sub_question=SUBS[n % 2].semantic_intent,
        preview="重新固定上一个绿色镜像",
        signals=SIGNALS,
    )
    for n, (path, start, score) in enumerate(zip(reversed(FILES), (12, 4, 31, 9), (0.91, 0.84, 0.6, 0.2), strict=True))
)
CITATIONS = tuple(
    Citation(
        n=n,
        path=item.path,
        start_line=item.start_line,
        end_line=item.end_line,
        quote="\n".join(f"{item.path} 的第 {number} 行" for number in range(item.start_line, item.end_line + 1)),
        stale=n == 2,
    )
    for n, item in enumerate(ITEMS[:3], start=1)
)
MARKDOWN = """回滚时重新固定上一个绿色镜像，然后观察错误率十分钟 [1]。迁移只能向前 [2]。

- 值班工程师先在频道里通知 [3]。
- 回滚后必须在二十四小时内写复盘。
"""


def a_run(query: str = QUESTION, run_id: str = "r1") -> list[Event]:
    """A run over documents with a failed call, a source that has changed, and further questions."""
    plan = RoutingPlan(
        query_type="conceptual", complexity="complex", sub_questions=SUBS, suggested_tools=("hybrid_search",)
    )
    calls = [("c1", "hybrid_search", 0), ("c2", "hybrid_search", 1), ("c3", "graph_related", 1)]
    return placed(
        [
            RunStarted(query=query, kb=str(KB), session_id="s1"),
            RequestClassified(request_type="knowledge", confidence=0.93),
            QueryRouted(
                routing_plan=plan, signals=(Signal(name="how to", detail="怎么"),), standalone="回滚由谁通知？"
            ),
            PlanCreated(steps=tuple(PlanStep(step_id=f"s{c}", tool=tool, purpose="查找") for c, tool, _ in calls)),
            *(
                ToolStarted(call_id=c, tool=tool, sub_question=SUBS[sub].semantic_intent, step_id=f"s{c}")
                for c, tool, sub in calls
            ),
            ToolFinished(call_id="c1", tool="hybrid_search", ok=True, result_count=12, duration_ms=38),
            ToolFinished(call_id="c2", tool="hybrid_search", ok=True, result_count=9, duration_ms=41, cached=True),
            ToolFinished(call_id="c3", tool="graph_related", ok=False, error="没有关系"),
            EvidenceGraded(items=ITEMS, average=0.81, action="GENERATE"),
            AnswerCompleted(
                markdown=MARKDOWN,
                outcome="partial",
                citations=CITATIONS,
                unsupported=("镜像保留多久",),
                suggestions=("什么是绿色镜像？", "复盘写在哪里？"),
            ),
            RunCompleted(duration_ms=812, iterations=2, tool_calls=3),
        ],
        run_id,
    )


TABLE = TableProduced(
    step_id="s2",
    columns=("城市", "包裹数"),
    rows=(("台北", 1032), ("台南", 655), ("高雄", 512)),
    row_count=3,
    sql="SELECT 城市, COUNT(*) AS 包裹数 FROM 包裹 GROUP BY 城市",
    source="港口",
)
CHART = ChartProduced(
    step_id="s3",
    chart=Chart(
        type="bar", x=("台北", "台南", "高雄"), x_name="城市", y="包裹数", series={"包裹数": (1032.0, 655.0, 512.0)}
    ),
    title="各城市的包裹数 · 合计",
)


def a_data_run(query: str = "哪个城市的包裹最多？", run_id: str = "r1") -> list[Event]:
    """A run of several steps over data: one retried, one removed, one added, one skipped."""
    steps = (
        PlanStep(
            step_id="s1", tool="get_data_source_context", purpose="读取表和列", estimated_ms=20, schema_level="detailed"
        ),
        PlanStep(step_id="s2", tool="execute_sql", purpose="各城市包裹数", query_type="aggregation", checkpoint=True),
        PlanStep(step_id="s3", tool="python_executor", purpose="增长率", estimated_ms=120, estimate_note="a guess"),
        PlanStep(step_id="s4", tool="execute_sql", purpose="退款", query_type="filter"),
    )
    added = PlanStep(step_id="s5", tool="execute_sql", purpose="台北的费用", query_type="top_n")
    return placed(
        [
            RunStarted(query=query, kb=str(KB), session_id="s1", sources=("港口",)),
            RequestClassified(
                request_type="multi_step_analysis",
                confidence=0.91,
                signals=(Signal(name="superlative", detail="最多"),),
            ),
            PlanCreated(steps=steps),
            StepStarted(step_id="s1"),
            ToolStarted(call_id="c1", tool="get_data_source_context", step_id="s1"),
            ToolFinished(call_id="c1", tool="get_data_source_context", ok=True, result_count=6, duration_ms=3),
            StepFinished(step_id="s1", duration_ms=3),
            StepStarted(step_id="s2", attempt=2),
            ToolStarted(call_id="c3", tool="execute_sql", step_id="s2"),
            ToolFinished(call_id="c3", tool="execute_sql", ok=True, result_count=3, duration_ms=35),
            TABLE,
            StepFinished(step_id="s2", attempt=2, duration_ms=47, decision="proceed", reason="三行，符合预期"),
            PlanAdjusted(removed=("s4",), added=(added,), reason="台北没有退款"),
            StepStarted(step_id="s3"),
            StepFinished(step_id="s3", status="skipped", decision="skip", reason="只有一个时期"),
            CHART,
            AnswerCompleted(
                markdown="台北的包裹最多：1032 件 [1]。",
                outcome="answered",
                citations=(Citation(n=1, kind="sql", sql=TABLE.sql, source="港口", quote="三行"),),
            ),
            RunCompleted(duration_ms=132, iterations=1, tool_calls=3),
        ],
        run_id,
    )


def not_understood(query: str = "各城市包裹的平均胖瘦", run_id: str = "r1") -> list[Event]:
    """A question over data of which a word was not understood."""
    readings = ("各城市，包裹数", "各城市，包裹的平均金额")
    return placed(
        [
            RunStarted(query=query, kb=str(KB), session_id="s1", sources=("港口",)),
            RequestClassified(request_type="data_query", confidence=0.8),
            ReadingChosen(
                source="港口",
                unread=("胖瘦",),
                offered=tuple(OfferedReading(n=n, says=says) for n, says in enumerate(readings, 1)),
                understood=(Signal(name="城市", detail="站点.城市"),),
            ),
            AnswerCompleted(markdown="没有执行计算。", outcome="not_found", suggestions=readings),
            RunCompleted(duration_ms=80),
        ],
        run_id,
    )


PARCELS = Table(
    name="包裹",
    row_estimate=4000,
    columns=(
        Column(name="编号", kind="integer", is_key=True, samples=(1, 2, 3)),
        Column(name="城市", kind="text", samples=("台北", "台南")),
        Column(name="金额", kind="number", samples=(12.5, 3)),
        Column(name="寄出", kind="datetime", samples=("2025-01-02",)),
    ),
)
RECORDS = tuple(
    FileRecord(path=path, kind="markdown", title=f"关于{Path(path).stem}", line_count=60) for path in sorted(FILES)
)


@dataclass
class ChineseLibrary(FakeLibrary):
    """Four documents and a database of one table."""

    def holdings(self) -> Holdings:
        kinds = (HeldKind(name="手册", count=2, example=FILES[0], folder="值班/", fields=("状态", "日期")),)
        schema = Schema(source="港口", dialect="sqlite", level="detailed", tables=(PARCELS,))
        return Holdings(files=RECORDS, kinds=kinds, sources=(HeldSource(title="港口", schema=schema),))

    def document(self, path: str) -> HeldDocument:
        fields = (HeldField(name="状态", value="已采纳", line=3),) if path == FILES[0] else ()
        headings = (HeldHeading(text="决定", level=1, line=12),) if path == FILES[0] else ()
        return HeldDocument(path=path, title="升级", fields=fields, headings=headings)

    def table(self, source: str, name: str) -> Table | None:
        return PARCELS

    def questions(self, language: str, stopped: Callable[[], bool], *, data_only: bool) -> Iterator[str]:
        assert language == "zh", "the language of the user"
        yield "有哪些表？"


@dataclass
class ChineseEngine(FakeEngine):
    """Plays these runs over these documents."""

    kb: Path = KB
    run: Any = a_run
    library: ChineseLibrary = field(default_factory=ChineseLibrary)

    def names(self) -> tuple[Named, ...]:
        return (*names_of_files(FILES), Named("包裹", "table"), Named("包裹.城市", "column"))

    def read_source(self, path: str) -> Source:
        return Source(path, "\n".join(f"{path} 的第 {number} 行" for number in range(1, 61)))
