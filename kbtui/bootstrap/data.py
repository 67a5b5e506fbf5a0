"""The data sources of an engine: opened when first asked about, guarded, described, and analysed."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kbtui.domain.analysis import Classified, FollowUp, Limits, QuerySource, ResultTable, Schema
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, Progress, Warned
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.routing import Signal
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import DataSourceError, KbtuiError, SqlRefused
from kbtui.settings import paths
from kbtui.settings.secrets import masked_text
from kbtui.settings.sources import DataSource, parse_entry
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.analysis.classifying import Classifiers
    from kbtui.analysis.context import AnalysisContext, ManagedData
    from kbtui.analysis.schema_manager import SchemaManager
    from kbtui.controller.durations import Durations
    from kbtui.domain.analysis import PlanWriter, SqlWriter
    from kbtui.nl2sql.reader import QuestionReader
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.offline.followup import Condensed

ANALYSED: Final = frozenset({"data_query", "visualization", "calculation", "consultation", "multi_step_analysis"})
"""Requests that an analysis answers, where there is a source to analyse."""

_SIGNAL_CHARS: Final = 80

_QUICK_BYTES: Final = 20_000_000
"""A file of this size is open before anybody wonders."""

_GLANCE: Final = Limits(rows=2_000, seconds=0.25)
"""What looking up values may take of a source."""

CallTool = Callable[[str, Mapping[str, Any]], ToolOutput]


class DataSide:
    """All that has to do with data, behind one door.

    Args:
        entries: Files, URLs or ``NAME=LOCATION``.
        durations: What calls took before.
        today: The day that "last month" is counted from.
    """

    def __init__(self, entries: Sequence[str], *, durations: Durations, today: Callable[[], date] = date.today) -> None:
        self._entries = _told_apart(tuple(map(parse_entry, entries)))
        self._today = today
        self._durations = durations
        self._lock = threading.RLock()
        self._manager: SchemaManager | None = None
        self._writer: QuestionReader | None = None
        self._choices: Any = None
        self._told: set[tuple[str, str]] = set()
        self._classifiers: Classifiers | None = None
        self._sources: dict[str, QuerySource] = {}

    def bases(self, query: str, history: Sequence[Turn]) -> tuple[Turn, ...]:
        """The turns that a question can be a follow-up to; what was refused over data is none.

        None for a question in the words of a reading that was offered.
        """
        if not history or (self._choices is not None and self._choices.chosen(query) is not None):
            return ()
        from kbtui.reasoning.offline.followup.bases import bases

        found = bases(query, history, lambda one, other: _is_of_data(one) == _is_of_data(other))
        return tuple(turn for turn in found if turn.outcome in ("answered", "partial") or not _is_of_data(turn))

    def in_full(
        self, query: str, history: Sequence[Turn], condense: Callable[[str], Condensed | None] | None
    ) -> Condensed | None:
        """A follow-up to a question about data in full, as a chat model has it; None for everything else.

        Args:
            condense: Puts a question in full that may be a follow-up; None where there is no model.
        """
        if condense is None or not self._entries or not history or not _is_of_data(history[-1]):
            return None
        from kbtui.nl2sql.following import leans
        from kbtui.question.reader import read

        return condense(query) if leans(read(query, today=self._today())) else None

    def follow_up_asked(self, query: str, history: Sequence[Turn]) -> Classified | None:
        """A question that changes the last answered statement; None for one that stands alone."""
        before = history[-1].statement if history and _is_of_data(history[-1]) else None
        if before is None or not self._entries:
            return None
        from kbtui.nl2sql.follow_ups import follow_up

        self._open_missing()
        manager = self._manager_of()
        if before.source not in manager.names:
            return None
        try:
            tables = manager.for_question(before.source, f"{before.question} {before.says} {query}")
            schema = manager.peek(before.source, "detailed", tables)
            found = follow_up(self._offline_writer(), query, schema, before)
        except DataSourceError:
            return None
        if found is None:
            return None
        return Classified(
            request_type="visualization" if found.chart else "data_query",
            source=before.source,
            signals=(Signal(name="follow-up", detail=one_line(before.says, _SIGNAL_CHARS), weight=0.8),),
            details={"follow_up": found},
        )

    @staticmethod
    def says(classified: Classified) -> str:
        """The statement that a follow-up makes of the one before, in words; empty for everything else."""
        found = classified.details.get("follow_up")
        return found.says if isinstance(found, FollowUp) else ""

    @property
    def has_sources(self) -> bool:
        """Sources are configured, whether or not they can be opened."""
        return bool(self._entries)

    @property
    def files(self) -> frozenset[str]:
        """Absolute paths of the sources that are files."""
        locations = (Path(entry.location).expanduser() for entry in self._entries if not entry.is_url)
        return frozenset(map(os.path.realpath, locations))

    def classify(self, query: str, emit: Emit, *, folder: bool = True) -> Classified:
        """What kind of request it is; a source that cannot be opened or read is told, once.

        Args:
            folder: There are documents to ask as well.
        """
        if self._choices is not None and (choice := self._choices.classified(query)) is not None:
            return choice  # type: ignore[no-any-return]
        for problem in self._open_missing(emit):
            emit(Warned(message=str(problem), where="data"))
        with self._lock:
            if self._classifiers is None:
                from kbtui.analysis.classifying import Classifiers

                self._classifiers = Classifiers()
        from kbtui.analysis.request_classifier import asks_web

        classifier = self._classifiers.now(
            self._manager_of() if self._entries else None,
            lambda error: emit(Warned(message=str(error), where="data")),
        )
        classified = classifier.classify(query, folder=folder)
        if (planned := self._open_request(query, classified)) is not None:
            return planned
        looked_up = classified.request_type in ("knowledge", "web_search") and not asks_web(classified)
        # The wording says nothing for the data, but a name or a value in it may.
        if self._entries and looked_up and (source := self._surely_read(query)) is not None:
            return replace(classifier.classify(query, folder=False, web=False), source=source)
        if classified.request_type == "knowledge" and not classified.signals:
            what = "no data source" if not self._entries else "nothing in it asks for data"
            return Classified(
                request_type="knowledge",
                confidence=classified.confidence,
                signals=(Signal(name="source", detail=f"the folder's documents; {what}"),),
            )
        return classified

    def _open_request(self, query: str, classified: Classified) -> Classified | None:
        """The request as one that a plan of statements answers; None where it is no open one, or not of the data.

        In words that may as well be about documents, it is of the data where its type says so.
        """
        from kbtui.question.open_words import open_question
        from kbtui.question.reader import read

        if not self._entries or classified.request_type in ("consultation", "visualization", "web_search"):
            return None
        asked = open_question(read(query, today=self._today()))
        if asked is None or not (asked.strong or self.answers(classified)) or "knowledge" in classified.details:
            return None
        manager = self._manager_of()
        names = [classified.source] if classified.source in manager.names else manager.names
        for name in names:
            try:
                schema = manager.peek(name, "detailed", manager.for_question(name, query))
            except DataSourceError:
                continue
            if (plan := self._offline_writer().open_plan(query, schema)) is not None:
                return replace(
                    classified,
                    request_type="multi_step_analysis",
                    source=name,
                    quick_path=False,
                    details={"open": plan},
                )
        return None

    def structure_asked(self, query: str, emit: Emit) -> Classified | None:
        """The request for a question about the structure of the sources; None for any other."""
        from kbtui.analysis.choosing_source import structure_asked
        from kbtui.analysis.structure import may_ask_structure

        if not self._entries or not may_ask_structure(query):
            return None
        for problem in self._open_missing(emit):
            emit(Warned(message=str(problem), where="data"))
        return structure_asked(query, self._manager_of())

    def _surely_read(self, query: str) -> str | None:
        """The source over which every word of ``query`` is read, and surely; None where there is none."""
        from kbtui.analysis.cutting import is_sure
        from kbtui.nl2sql.gate import THRESHOLD

        manager, best = self._manager_of(), (0.0, "")
        for name in manager.names:
            try:
                schema = manager.peek(name, "detailed", manager.for_question(name, query))
            except DataSourceError:
                continue
            readings = self._offline_writer().read(query, schema)
            if is_sure(readings, THRESHOLD) and readings.best is not None:
                best = max(best, (readings.best.confidence, name))
        return best[1] or None

    def quick_answer(self, query: str, classified: Classified) -> AnswerCompleted | None:
        """What clock and arithmetic alone answer; None for everything else."""
        if not classified.quick_path:
            return None
        from kbtui.analysis.quick_path import answer

        now = datetime.now().astimezone()
        found = answer(query, now, now.tzinfo)
        return None if found is None else AnswerCompleted(markdown=found.markdown, outcome="answered")

    @contextmanager
    def stopping(self, cancel: CancelToken) -> Iterator[None]:
        """Stops loading files of data when ``cancel`` is set while the block runs; the next question loads anew."""
        if not self._entries:
            yield
            return
        from kbtui.data.watch import Watch

        # Once: what the next question opens while this run winds down is that question's.
        with Watch(cache(self._stop_loading), math.inf, cancel):
            yield

    def _stop_loading(self) -> None:
        """Close the files of data: what loads them, in whatever thread, comes to an end."""
        from kbtui.data.isolated import IsolatedSource

        # Without the lock: whoever loads may hold it.
        for name, source in list(self._sources.items()):
            if isinstance(source, IsolatedSource) and source.is_loaded:
                source.close()
                self._sources.pop(name, None)

    def answers(self, classified: Classified) -> bool:
        """Whether an analysis answers it; without a source it says that there is none, or needs none."""
        return classified.request_type in ANALYSED

    def access(self) -> ManagedData | None:
        """The sources as tools may use them; None where there are none."""
        if not self._entries:
            return None
        from kbtui.analysis.context import ManagedData

        # Each source was opened with the guard, which no other way to it can leave out.
        return ManagedData(self._manager_of(), guard=None)

    def analyse(
        self,
        query: str,
        classified: Classified,
        emit: Emit,
        cancel: CancelToken,
        *,
        call_tool: CallTool,
        client: ModelClient | None,
        ask_knowledge: Callable[[str, Emit], RunSummary],
    ) -> RunSummary:
        """One analysis; see `kbtui.analysis.run.run_analysis`."""
        from kbtui.analysis.run import run_analysis

        context = self._context(emit, call_tool, client, ask_knowledge)
        return run_analysis(query, classified, context, emit, cancel)

    def refresh_schema(self) -> None:
        """Forget what is known of the structure of the sources."""
        if self._entries:
            self._manager_of().refresh()

    def rerun(self, sql: str, source: str) -> ResultTable:
        """A statement of an answer once more.

        Raises:
            DataSourceError: It was refused or failed, or there is no such source.
        """
        self._open_missing()
        return self._manager_of().source(source).run(sql, Limits(), CancelToken())

    def _context(
        self,
        emit: Emit,
        call_tool: CallTool,
        client: ModelClient | None,
        ask_knowledge: Callable[[str, Emit], RunSummary],
    ) -> AnalysisContext:
        from kbtui.analysis import charts
        from kbtui.analysis.context import AnalysisContext, Choices
        from kbtui.nl2sql.gate import THRESHOLD

        with self._lock:
            if self._choices is None:
                self._choices = Choices()
        return AnalysisContext(
            schema_manager=self._manager_of(),
            sql_writer=self._sql_writer(client, emit),
            call_tool=call_tool,
            charts=charts,
            durations=self._durations,
            choices=self._choices,
            told=self._told,
            ask_knowledge=ask_knowledge,
            sure_from=THRESHOLD,
            reader=self._offline_writer(),
            plan_writer=self._plan_writer(client, emit),
        )

    @staticmethod
    def _plan_writer(client: ModelClient | None, emit: Emit) -> PlanWriter | None:
        """The model as it plans; None without one."""
        if client is None:
            return None
        from kbtui.reasoning.llm.analysis_plan import LlmPlanWriter
        from kbtui.reasoning.llm.fencing import new_nonce

        return LlmPlanWriter(client, context_tokens=client.settings.context_tokens, nonce=new_nonce(), emit=emit)

    def _offline_writer(self) -> QuestionReader:
        with self._lock:
            if self._writer is None:
                from kbtui.nl2sql.reader import QuestionReader
                from kbtui.nl2sql.stages import shipped_stages

                self._writer = QuestionReader(self._ask, self._today, shipped_stages, self._ask_each)
            return self._writer

    def _sql_writer(self, client: ModelClient | None, emit: Emit) -> SqlWriter:
        """The offline writer, with the model in front of it where there is one."""
        offline = self._offline_writer()
        if client is None:
            return offline
        from kbtui.nl2sql.for_models import ForModels
        from kbtui.reasoning.llm.fencing import new_nonce
        from kbtui.reasoning.llm.sql import LlmSqlWriter

        return LlmSqlWriter(
            client,
            offline,
            words=ForModels(offline),
            accept=self._accept,
            context_tokens=client.settings.context_tokens,
            nonce=new_nonce(),
            emit=emit,
        )

    def _ask(self, source: str, sql: str) -> Sequence[Sequence[Any]]:
        """Values of a source, for linking words to them; within a moment, or not at all."""
        return self._manager_of().source(source).run(sql, _GLANCE, CancelToken()).rows

    def _ask_each(
        self, source: str, statements: Sequence[str], seconds: float, enough: int
    ) -> list[Sequence[Sequence[Any]] | None]:
        """The same for several statements at one go."""
        opened = self._manager_of().source(source)
        tables = opened.run_each(statements, _GLANCE, seconds=seconds, enough=enough)
        return [None if table is None else table.rows for table in tables]

    def _guard_of(self, source: str) -> Callable[[str, str], str]:
        """The parser's layer, which every statement passes before the engine's: only the source's tables are read."""

        def guarded(sql: str, dialect: str) -> str:
            from kbtui.data.guard import check

            manager = self._manager_of()
            known = manager.last_seen(source)
            if known is not None:
                # The source is asked anew only for a statement that does not pass: it may have a table by now.
                with suppress(SqlRefused):
                    return check(sql, dialect, known).sql
            return check(sql, dialect, manager.peek(source, "basic")).sql

        return guarded

    def _accept(self, sql: str, schema: Schema) -> str:
        """A model's statement as it may run over a source: guarded, and planned by the engine."""
        from kbtui.data.guard import check

        sql = check(sql, schema.dialect, schema).sql
        self._manager_of().source(schema.source).explain(sql)
        return sql

    def _manager_of(self) -> SchemaManager:
        with self._lock:
            if self._manager is None:
                from kbtui.analysis.schema_manager import SchemaManager

                self._manager = SchemaManager(
                    self._sources,
                    paths.cache_dir() / "schemas",
                    lambda: datetime.now(UTC),
                    locations={entry.name: masked_text(entry.location) for entry in self._entries},
                )
            return self._manager

    def _open_missing(self, emit: Emit | None = None) -> list[KbtuiError]:
        """Open the sources that are not open yet, such as one that is back; what is wrong with the others.

        Args:
            emit: Told of each that may take a while: a large file is read whole, a server may be far.
        """
        problems: list[KbtuiError] = []
        with self._lock:
            missing = [entry for entry in self._entries if entry.name not in self._sources]
            if not missing:
                return problems
            from kbtui.data.sources import open_source

            for done, entry in enumerate(missing):
                if emit is not None and _takes_a_while(entry):
                    emit(Progress(stage="open", done=done, total=len(missing), message=entry.name))
                try:
                    self._sources[entry.name] = open_source(entry, guard=self._guard_of(entry.name))
                except KbtuiError as error:
                    problems.append(error)
        return problems


def _is_of_data(turn: Turn) -> bool:
    """True where a question was asked of the data, and the documents did not answer it instead."""
    return turn.request_type in ANALYSED and not turn.paths


def _takes_a_while(entry: DataSource) -> bool:
    if entry.is_url:
        return True
    try:
        return Path(entry.location).expanduser().stat().st_size > _QUICK_BYTES
    except OSError:
        return False


def _told_apart(entries: Sequence[DataSource]) -> tuple[DataSource, ...]:
    """The sources, those of one name numbered."""
    found: dict[str, DataSource] = {}
    for entry in entries:
        name, number = entry.name, 2
        while name in found:
            name, number = f"{entry.name}_{number}", number + 1
        found[name] = replace(entry, name=name)
    return tuple(found.values())
