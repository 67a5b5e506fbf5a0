"""A run in which the chat model calls tools: the parts of its loop, and what happens where it gives no answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kbtui.domain.events import AnswerCompleted, Event, ReadingChosen, TableProduced, Warned
from kbtui.domain.ports import Emit, RunSummary
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import DataSourceError, ToolError
from kbtui.settings.model import Settings

if TYPE_CHECKING:
    from kbtui.agent.loop.state import DataView, Task
    from kbtui.agent.state import RecordsAnswer
    from kbtui.bootstrap.backend_parts import ActiveRun
    from kbtui.bootstrap.data import DataSide
    from kbtui.domain.analysis import Schema
    from kbtui.domain.ports import QueryRouter
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.offline import OfflineReasoner
    from kbtui.runs.durations import Durations
    from kbtui.tools.base import ToolSpec


class LoopParts(Struct, frozen=True, kw_only=True):
    """What a tool loop works with.

    Attributes:
        knowledge: The folder; None where there are no documents to ask.
        router: Routes the question before the first call of the model.
        records: Answers a question from the records of the folder.
        view: The result of the offline analysis of a question about data; None for a question about documents.
    """

    settings: Settings
    client: ModelClient
    run: ActiveRun
    data: DataSide
    durations: Durations
    today: Callable[[], date]
    reasoner: OfflineReasoner
    checker: Callable[[], AnswerChecker]
    router: QueryRouter
    knowledge: KnowledgeBase | None = None
    records: Callable[[str], RecordsAnswer | None] | None = None
    view: DataView | None = None
    task: Task = "documents"


class AnalysisObserver:
    """Passes on the events of an analysis, except for its answer, which is kept as a second opinion."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.tables: list[TableProduced] = []
        self.readings: list[ReadingChosen] = []
        self.answer: AnswerCompleted | None = None

    def emit(self, event: Event) -> None:
        """Receive one event of the analysis."""
        match event:
            case AnswerCompleted():
                self.answer = event
                return
            case TableProduced():
                self.tables.append(event)
            case ReadingChosen():
                self.readings.append(event)
            case _:
                pass
        self._emit(event)


def run_tool_loop(query: str, parts: LoopParts) -> RunSummary | None:
    """Run the loop once; None where the model gave no answer, of which the user was warned.

    Raises:
        Cancelled: The run was stopped.
    """
    from kbtui.agent.loop.graph import run_loop
    from kbtui.agent.loop.state import LoopFailed
    from kbtui.reasoning.llm.client import CallFailed
    from kbtui.reasoning.llm.fallback import warn_of

    try:
        final = run_loop(query, _context(query, parts))
    except LoopFailed as error:
        warn_of(CallFailed(error.failure, told=error.told), "loop", parts.run.emit)
        # The run continues without the model.
        parts.client.give_up(error.failure)
        return None
    return RunSummary(iterations=max(1, final["round"]), usage=parts.client.usage)


def data_view(data: DataSide, query: str, analysis: AnalysisObserver | None = None) -> DataView | None:
    """The sources with their tables and columns, and the results of an analysis; None without a readable source."""
    from kbtui.agent.loop.card import data_card
    from kbtui.agent.loop.state import DataView

    schemas = list(_schemas(data))
    if not schemas:
        return None
    manager = data.sources.manager()
    titles = {schema.source: manager.title(schema.source) for schema in schemas}
    by_name = {schema.source: schema for schema in schemas}

    def says(source: str, sql: str) -> str:
        return data.statement_in_words(sql, query, by_name[source]) if source in by_name else ""

    if analysis is None:
        return DataView(card=data_card(schemas), titles=titles, says=says)
    return DataView(
        card=data_card(schemas),
        says=says,
        tables=tuple(analysis.tables),
        readings=tuple(analysis.readings),
        answer=analysis.answer,
        titles=titles,
    )


def _context(query: str, parts: LoopParts) -> Any:
    from kbtui.agent.loop.card import folder_card
    from kbtui.agent.loop.state import LoopContext
    from kbtui.reasoning.llm.fencing import new_nonce
    from kbtui.records.opened import reader_of
    from kbtui.records.walking import relation_lookup
    from kbtui.tools import DataContext, ToolContext, load_spec, loop_specs, run_spec

    knowledge, settings, cancel = parts.knowledge, parts.settings, parts.run.cancel
    access = parts.data.access()
    specs = loop_specs(settings, documents=knowledge is not None, data=access is not None)
    if parts.task != "consult" and settings.mcp.servers:
        specs = (*specs, *_foreign_specs(settings, {spec.name for spec in specs}, parts))
    if parts.task == "consult":
        # Advice is given without running a statement (spec 004).
        specs = tuple(spec for spec in specs if spec.name in ("schema", "finish"))
    context: DataContext = DataContext(settings=settings, cancel=cancel, data=access)
    if knowledge is not None:
        context = ToolContext(knowledge=knowledge, settings=settings, cancel=cancel, data=access)
    offered = {spec.name: spec for spec in specs}

    def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
        return run_spec(offered.get(name) or load_spec(name), context, args)

    card, stated = "", None
    if knowledge is not None:
        collection = reader_of(knowledge, parts.today).collection
        card, stated = folder_card(collection, parts.today()), relation_lookup(collection)
    view = parts.view if parts.view is not None else data_view(parts.data, query)
    if view is not None and not card:
        view = replace(view, card=f"Today is {parts.today().isoformat()}.\n{view.card}")
    return LoopContext(
        client=parts.client,
        router=parts.router,
        grader=parts.reasoner.grader,
        writer=parts.reasoner.writer,
        tools=specs,
        call_tool=call_tool,
        emit=parts.durations.learning(parts.run.emit),
        cancel=cancel,
        settings=settings.model,
        checker=parts.checker,
        source=knowledge.source if knowledge is not None else None,
        nonce=new_nonce(),
        task=parts.task,
        card=card,
        history=parts.run.history,
        records=parts.records,
        stated=stated or (lambda _query: ()),
        data=view,
        audit=parts.run.audit,
        estimate_ms=parts.durations.median,
    )


def _foreign_specs(settings: Settings, names: Collection[str], parts: LoopParts) -> Iterator[ToolSpec]:
    """The tools of MCP servers that may be offered; those that give orders to a model are named and left out."""
    from importlib.util import find_spec

    from kbtui.reasoning.llm.suspicion import injection_signs

    def warn(name: str, error: ToolError) -> None:
        parts.run.emit(Warned(message=f"Without the tools of {name}: {error}", where="tools"))

    if find_spec("mcp") is None:
        parts.run.emit(Warned(message="The MCP servers of the settings need: pip install 'kbtui[mcp]'", where="tools"))
        return
    from kbtui.tools.mcp_servers import server_tools

    for listed in server_tools(settings, parts.run.cancel, warn):
        if signs := [sign for text in listed.texts for sign in injection_signs(text)]:
            parts.run.emit(
                Warned(
                    message=f"The tool {listed.name} was left out: its description addresses an assistant ({signs[0]})",
                    where="tools",
                )
            )
        elif listed.spec is not None and listed.spec.name not in names:
            yield listed.spec


def _schemas(data: DataSide) -> Sequence[Schema]:
    """The structures of the readable sources, with columns for a source of few tables."""
    if not data.sources.entries:
        return []
    data.sources.open_missing()
    schemas: list[Schema] = []
    for name in data.sources.manager().names:
        with suppress(DataSourceError):
            schemas.append(data.sources.structure(name))
    return schemas
