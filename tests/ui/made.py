"""Hand-made runs and an engine that plays them: what the screen shows depends on these alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from kbtui.domain.analysis import Column, ResultTable, Schema, Table
from kbtui.domain.answer import Citation
from kbtui.domain.document import FileRecord
from kbtui.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    Event,
    EvidenceGraded,
    EvidenceItem,
    PlanCreated,
    PlanStep,
    QueryRouted,
    RequestClassified,
    RunCompleted,
    RunStarted,
    ToolFinished,
    ToolStarted,
    stamped,
)
from kbtui.domain.holdings import HeldDocument, HeldField, HeldHeading, HeldKind, HeldSource, Holdings
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion
from kbtui.errors import DataSourceError, KnowledgeBaseError
from kbtui.text.mentions import Named, names_of_files

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

SUBS = (
    SubQuestion(semantic_intent="how does rollback work after a failed deploy", search_keywords="rollback deploy"),
    SubQuestion(semantic_intent="who announces a rollback", search_keywords="announce rollback on-call"),
)

ITEMS = tuple(
    EvidenceItem(
        evidence_id=f"e{index}",
        path=path,
        start_line=start,
        end_line=end,
        score=score,
        kept=score >= 0.3,
        tool=tool,
        sub_question=SUBS[index % 2].semantic_intent,
        preview="re-pin the last green image",
    )
    for index, (path, start, end, score, tool) in enumerate(
        [
            ("runbooks/rollback.md", 12, 18, 0.91, "hybrid_search"),
            ("adr/0007-deploys.md", 4, 4, 0.84, "hybrid_search"),
            ("runbooks/oncall/announcing-an-incident-or-rollback.md", 31, 44, 0.72, "hybrid_search"),
            ("会议记录/2025-03-发布回顾.md", 9, 15, 0.64, "hybrid_search"),
            ("tickets/PROJ-114.md", 3, 3, 0.55, "graph_related"),
            ("notes/2025-03.md", 3, 9, 0.21, "hybrid_search"),
        ]
    )
)

MARKDOWN = """**How rollback works.** A deploy is rolled back by re-pinning the last green image and running \
`deploy --pin` [1]. Migrations are forward-only [2].

- The on-call engineer announces it first in `#deploys` [3].
- 回滚后必须在二十四小时内写复盘 [4]。

```python
pin(images[1])
```

[1] runbooks/rollback.md:L12-L18
[2] adr/0007-deploys.md:L4
[3] runbooks/oncall/announcing-an-incident-or-rollback.md:L31-L44
[4] 会议记录/2025-03-发布回顾.md:L9-L15
"""

CITATIONS = tuple(
    Citation(
        n=n,
        path=item.path,
        start_line=item.start_line,
        end_line=item.end_line,
        quote="\n".join(f"line {number} of {item.path}" for number in range(item.start_line, item.end_line + 1)),
    )
    for n, item in enumerate(ITEMS[:4], start=1)
)


def placed(facts: Sequence[Event], run_id: str = "r1", step_s: float = 0.05) -> list[Event]:
    """The facts as one run, a fixed time apart."""
    return [
        stamped(fact, run_id=run_id, seq=seq, at=(START + timedelta(seconds=step_s * seq)).isoformat())
        for seq, fact in enumerate(facts)
    ]


def a_run(query: str = "How does rollback work, and who announces it?", run_id: str = "r1") -> list[Event]:
    """A whole run with a failed tool call, Chinese text, sources and suggestions."""
    plan = RoutingPlan(
        query_type="conceptual", complexity="complex", sub_questions=SUBS, suggested_tools=("hybrid_search",)
    )
    calls = [("c1", "hybrid_search", 0), ("c2", "hybrid_search", 1), ("c3", "graph_related", 1)]
    return placed(
        [
            RunStarted(query=query, kb="/kb/handbook", session_id="s1"),
            RequestClassified(request_type="knowledge", confidence=0.93),
            QueryRouted(routing_plan=plan, signals=(Signal(name="cue", detail="how does"),)),
            PlanCreated(
                steps=tuple(
                    PlanStep(step_id=f"s{call}", tool=tool, purpose=f"look for {SUBS[sub].search_keywords}")
                    for call, tool, sub in calls
                )
            ),
            *(
                ToolStarted(call_id=call, tool=tool, sub_question=SUBS[sub].semantic_intent, step_id=f"s{call}")
                for call, tool, sub in calls
            ),
            ToolFinished(call_id="c1", tool="hybrid_search", ok=True, result_count=12, duration_ms=38),
            ToolFinished(call_id="c2", tool="hybrid_search", ok=True, result_count=9, duration_ms=41, cached=True),
            ToolFinished(call_id="c3", tool="graph_related", ok=False, error="no relation of PROJ-1 is known"),
            EvidenceGraded(items=ITEMS, average=0.81, action="GENERATE"),
            *(AnswerDelta(text=MARKDOWN[start : start + 40]) for start in range(0, len(MARKDOWN), 40)),
            AnswerCompleted(
                markdown=MARKDOWN,
                outcome="answered",
                citations=CITATIONS,
                suggestions=("What is a green image?", "PROJ-114 的后续是什么？"),
            ),
            RunCompleted(duration_ms=812, iterations=1, tool_calls=3),
        ],
        run_id,
    )


@dataclass(frozen=True)
class Source:
    path: str
    text: str
    language: str = ""

    @property
    def line_count(self) -> int:
        return len(self.text.split("\n"))


@dataclass(frozen=True)
class Stale:
    never_indexed: bool = False
    added: int = 0
    changed: int = 0
    removed: int = 0
    vector_share: float = 1.0
    left_out: tuple[str, ...] = ()
    to_read: None = None
    walk: None = None


def numbered(path: str) -> Source:
    """A file of sixty lines that say which they are."""
    return Source(path, "\n".join(f"line {number} of {path}" for number in range(1, 61)))


RECORDS = tuple(
    FileRecord(path=path, kind="markdown", title=title, line_count=60)
    for path, title in (
        ("README.md", "The handbook"),
        ("adr/0007-deploys.md", "ADR-7: Deploys"),
        ("adr/0009-billing.md", "ADR-9: Billing"),
        ("runbooks/on call.md", "On-call handover"),
        ("runbooks/rollback.md", "Rolling back a deploy"),
        ("中文/值班.md", "值班与升级"),
    )
)

PARCELS = Table(
    name="parcels",
    row_estimate=4000,
    columns=(
        Column(name="id", kind="integer", is_key=True, samples=(1, 2, 3)),
        Column(name="city", kind="text", samples=("Taipei", "Oslo", "台南", "Berlin")),
        Column(name="amount", kind="number", samples=(12.5, 3, 40)),
    ),
)


@dataclass
class FakeLibrary:
    """Six documents and a database of one table; ``found`` are its suggestions, ``early`` those of the data alone."""

    found: tuple[str, ...] = ()
    early: tuple[str, ...] = ()
    wait: threading.Event | None = None
    asks: threading.Event | None = None
    told: list[str] = field(default_factory=list)

    def holdings(self) -> Holdings:
        if self.wait is not None:
            self.wait.wait()
        kinds = (HeldKind(name="decision", count=2, example=RECORDS[1].path, folder="adr/", fields=("status", "date")),)
        schema = Schema(source="harbour", dialect="sqlite", level="detailed", tables=(PARCELS,))
        return Holdings(files=RECORDS, kinds=kinds, sources=(HeldSource(title="harbour.sqlite", schema=schema),))

    def document(self, path: str) -> HeldDocument:
        self.told.append(path)
        return HeldDocument(
            path=path,
            title="ADR-7: Deploys",
            fields=(HeldField(name="status", value="accepted", line=3),),
            headings=(HeldHeading(text="Decision", level=1, line=12),),
        )

    def table(self, source: str, name: str) -> Table | None:
        self.told.append(f"{source}.{name}")
        return PARCELS

    def questions(self, language: str, stopped: Callable[[], bool], *, data_only: bool) -> Iterator[str]:
        if self.asks is not None:
            self.asks.wait()
        for question in self.early if data_only else self.found:
            if not stopped():
                yield question


@dataclass
class FakeEngine:
    """Plays hand-made runs; ``hold_after`` events it waits until cancelled, or told to go on."""

    kb: Path = Path("/kb/handbook")
    model: str = "offline"
    session_id: str = ""
    sources: tuple[str, ...] = ()
    run: Callable[[str, str], list[Event]] = a_run
    hold_after: int | None = None
    stale: Stale = Stale()
    files: dict[str, Source] | None = None
    asked: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    continued: list[str] = field(default_factory=list)
    conversations: int = 1
    refreshed: int = 0
    audits: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    library: FakeLibrary = field(default_factory=FakeLibrary)
    _goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def stream(self, query: str) -> AsyncIterator[Event]:
        self.asked.append(query)
        for index, event in enumerate(self.run(query, f"r{len(self.asked)}")):
            if index == self.hold_after:
                await self._goes_on.wait()
            yield event

    def go_on(self) -> None:
        """End every wait."""
        self._goes_on.set()

    def cancel(self, run_id: str) -> None:
        self.cancelled.append(run_id)

    def close(self) -> None:
        pass

    def continue_session(self, session_id: str) -> None:
        self.continued.append(session_id)

    def new_conversation(self) -> None:
        self.conversations += 1

    def warm(self) -> None:
        pass

    def refresh(self) -> None:
        self.refreshed += 1

    def audit(self, run_id: str) -> tuple[dict[str, Any], ...]:
        return tuple(self.audits.get(run_id, ()))

    def staleness(self) -> Stale:
        return self.stale

    def file_count(self) -> int | None:
        return 42

    def names(self) -> tuple[Named, ...]:
        files = ("runbooks/rollback.md", "runbooks/on call.md", "adr/0007-deploys.md", "中文/值班.md")
        return (*names_of_files(files), Named("parcels", "table"), Named("parcels.city", "column"))

    def refresh_schema(self) -> None:
        pass

    def rerun(self, sql: str, source: str) -> ResultTable:
        raise DataSourceError(f"There is no data source {source}.")

    def read_source(self, path: str) -> Source:
        if self.files is None:
            return numbered(path)
        if path not in self.files:
            raise KnowledgeBaseError(f"{path} is not there any more.")
        return self.files[path]
