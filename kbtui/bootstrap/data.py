"""The data sources of an engine: opened when first asked about, guarded, described, and analysed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kbtui.bootstrap.sources import OpenedSources
from kbtui.domain.analysis import Classified, FollowUp, Limits, ResultTable, Schema
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, Warned
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.routing import Signal
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import DataSourceError
from kbtui.text.mentions import Named
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.analysis.classifier_cache import ClassifierCache
    from kbtui.analysis.context import AnalysisContext, ManagedData
    from kbtui.analysis.structure import TableMention
    from kbtui.domain.analysis import PlanWriter, SqlWriter
    from kbtui.nl2sql.catalogue import Catalogue
    from kbtui.nl2sql.reader import QuestionReader
    from kbtui.question.followup import Condensed
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.runs.durations import Durations

ANALYSED: Final = frozenset({"data_query", "visualization", "calculation", "consultation", "multi_step_analysis"})
"""Request types that an analysis answers."""

_SIGNAL_CHARS: Final = 80
_MIN_MENTION_SCORE: Final = 0.55
"""Least score of a link between words of a question and a table or column."""

CallTool = Callable[[str, Mapping[str, Any]], ToolOutput]


class DataSide:
    """Classifies and answers questions about the data sources of an engine.

    Args:
        entries: Files, URLs or ``NAME=LOCATION``.
        durations: Durations of earlier calls, for estimates.
        today: The day that "last month" is counted from.
    """

    def __init__(self, entries: Sequence[str], *, durations: Durations, today: Callable[[], date] = date.today) -> None:
        self.sources = OpenedSources(entries)
        self._entries = self.sources.entries
        self._today = today
        self._durations = durations
        self._lock = threading.RLock()
        self._writer: QuestionReader | None = None
        self._choices: Any = None
        self._announced: set[tuple[str, str]] = set()
        self._classifiers: ClassifierCache | None = None

    def follow_up_bases(self, query: str, history: Sequence[Turn]) -> tuple[Turn, ...]:
        """The turns that a question can be a follow-up to; a question about data that was refused is left out.

        Empty for a question in the words of a reading that was offered.
        """
        if not history or (self._choices is not None and self._choices.chosen(query) is not None):
            return ()
        from kbtui.question.followup import base_turns
        from kbtui.question.refused_followups import points_back

        last = history[-1]
        if _is_about_data(last) and last.outcome not in ("answered", "partial") and points_back(query):
            return ()  # “They” are what was not found, not what an earlier answer was about.
        turns = base_turns(query, history, lambda turn, earlier: _is_about_data(turn) == _is_about_data(earlier))
        return tuple(turn for turn in turns if turn.outcome in ("answered", "partial") or not _is_about_data(turn))

    def condense_follow_up(
        self, query: str, history: Sequence[Turn], condense: Callable[[str], Condensed | None] | None
    ) -> Condensed | None:
        """The standalone form that a chat model gives a follow-up over data; None for any other question.

        Args:
            condense: Puts a possible follow-up in standalone form; None where there is no model.
        """
        if condense is None or not self._entries or not history or not _is_about_data(history[-1]):
            return None
        from kbtui.nl2sql.follow_up_detection import may_depend_on_previous
        from kbtui.question.reader import read

        return condense(query) if may_depend_on_previous(read(query, today=self._today())) else None

    def follow_up_request(self, query: str, history: Sequence[Turn]) -> Classified | None:
        """The request for a question that changes the last answered statement; None for a standalone question."""
        before = history[-1].statement if history and _is_about_data(history[-1]) else None
        if before is None or not self._entries:
            return None
        from kbtui.nl2sql.follow_ups import follow_up, tables_in

        self.sources.open_missing()
        manager = self.sources.manager()
        if before.source not in manager.names:
            return None
        try:
            # The tables of both questions are loaded, so that one catalogue serves where the question is standalone.
            named_tables = tables_in(before.sql, manager.source(before.source).dialect)
            tables = manager.tables_for_question(
                before.source, query, also=named_tables, otherwise=f"{before.question} {before.says}"
            )
            schema = manager.peek(before.source, "detailed", tables)
            change = follow_up(self._offline_writer(), query, schema, before)
        except DataSourceError:
            return None
        if change is None:
            return None
        return Classified(
            request_type="visualization" if change.chart else "data_query",
            source=before.source,
            signals=(Signal(name="follow-up", detail=one_line(before.says, _SIGNAL_CHARS), weight=0.8),),
            details={"follow_up": change},
        )

    @staticmethod
    def follow_up_wording(classified: Classified) -> str:
        """The changed statement of a follow-up in words; empty for any other request."""
        change = classified.details.get("follow_up")
        return change.says if isinstance(change, FollowUp) else ""

    def classify(self, query: str, emit: Emit, *, folder: bool = True) -> Classified:
        """The type of a request; warns once of a source that cannot be opened or read.

        Args:
            folder: Whether there are documents to ask as well.
        """
        if self._choices is not None and (choice := self._choices.classified(query)) is not None:
            return choice  # type: ignore[no-any-return]
        self.sources.open_or_warn(emit)
        with self._lock:
            if self._classifiers is None:
                from kbtui.analysis.classifier_cache import ClassifierCache

                self._classifiers = ClassifierCache()
        from kbtui.analysis.request_classifier import asks_web

        classifier = self._classifiers.get(
            self.sources.manager() if self._entries else None,
            lambda error: emit(Warned(message=str(error), where="data")),
        )
        classified = classifier.classify(query, folder=folder)
        if (planned := self._open_request(query, classified)) is not None:
            return planned
        looked_up = classified.request_type in ("knowledge", "web_search") and not asks_web(classified)
        # Without cue words for data, a table name or a value in the question may still show that it is about data.
        if self._entries and looked_up and (source := self._source_of_sure_reading(query)) is not None:
            return replace(classifier.classify(query, folder=False, web=False), source=source)
        if classified.request_type == "knowledge" and not classified.signals:
            reason = "no data source" if not self._entries else "nothing in it asks for data"
            return Classified(
                request_type="knowledge",
                confidence=classified.confidence,
                signals=(Signal(name="source", detail=f"the folder's documents; {reason}"),),
            )
        return classified

    def _open_request(self, query: str, classified: Classified) -> Classified | None:
        """The request with a plan of statements; None where it is no open question, or not about the data.

        Where its wording may as well be about documents, the type of the request decides.
        """
        from kbtui.question.open_requests import find_open_request
        from kbtui.question.reader import read

        if not self._entries or classified.request_type in ("consultation", "visualization", "web_search"):
            return None
        question = find_open_request(read(query, today=self._today()))
        if (
            question is None
            or not (question.is_unambiguous or self.is_analysed(classified))
            or "knowledge" in classified.details
        ):
            return None
        manager = self.sources.manager()
        names = [classified.source] if classified.source in manager.names else manager.names
        for name, schema in self._structures(query, names):
            if (plan := self._offline_writer().open_plan(query, schema)) is not None:
                return replace(
                    classified,
                    request_type="multi_step_analysis",
                    source=name,
                    quick_path=False,
                    details={"open": plan},
                )
        return None

    def names(self) -> list[Named]:
        """The tables and columns of the sources that can be read."""
        if not self._entries:
            return []
        self.sources.open_missing()
        names: dict[str, Named] = {}
        for _, schema in self._structures("", self.sources.manager().names):
            for table in schema.tables:
                names[table.name] = Named(table.name, "table")
                column_names = (f"{table.name}.{column.name}" for column in table.columns)
                names.update({name: Named(name, "column") for name in column_names})
        return list(names.values())

    def _structures(self, query: str, names: Iterable[str]) -> Iterator[tuple[str, Schema]]:
        """The sources that can be read, each with the tables that a question may be about."""
        manager = self.sources.manager()
        for name in names:
            with suppress(DataSourceError):
                yield name, manager.peek(name, "detailed", manager.tables_for_question(name, query))

    def catalogue(self, schema: Schema) -> Catalogue:
        """The tables and columns of a source with their words and values, for which the source is queried."""
        return self._offline_writer().catalogue(schema)

    def structure_request(self, query: str, emit: Emit) -> Classified | None:
        """The request for a question about the structure of the sources; None for any other."""
        if not self._entries:
            return None
        from kbtui.analysis.source_choice import find_structure_request
        from kbtui.analysis.structure import may_ask_structure

        if not may_ask_structure(query):
            return None
        self.sources.open_or_warn(emit)
        return find_structure_request(query, self.sources.manager(), self._mentions)

    def _mentions(self, query: str, schema: Schema) -> Iterator[TableMention]:
        """The tables and columns of a source that a question mentions, with the positions of the words."""
        from kbtui.analysis.structure import TableMention

        writer = self._offline_writer()
        lattice = writer.lattice(writer.question(query), schema)
        tokens, tables = lattice.question.tokens, lattice.catalogue.tables
        for mention in lattice.mentions:
            if mention.kind not in ("table", "column") or mention.ref is None or mention.score < _MIN_MENTION_SCORE:
                continue
            (first, last), (table, column) = mention.span, mention.ref
            name = tables[table].role_of or table
            yield TableMention(tokens[first].start, tokens[last - 1].end, name, column.removeprefix("*"), mention.score)

    def _source_of_sure_reading(self, query: str) -> str | None:
        """The source over which every word of ``query`` is understood with confidence; None where there is none."""
        from kbtui.analysis.decomposition_check import is_certain
        from kbtui.nl2sql.gate import THRESHOLD

        best = (0.0, "")
        for name, schema in self._structures(query, self.sources.manager().names):
            readings = self._offline_writer().read(query, schema)
            if is_certain(readings, THRESHOLD) and readings.best is not None:
                best = max(best, (readings.best.confidence, name))
        return best[1] or None

    def quick_answer(self, query: str, classified: Classified) -> AnswerCompleted | None:
        """The answer to a question about the time or a calculation; None for any other question."""
        if not classified.quick_path:
            return None
        from kbtui.analysis.quick_path import quick_answer

        now = datetime.now().astimezone()
        quick = quick_answer(query, now, now.tzinfo)
        return None if quick is None else AnswerCompleted(markdown=quick.markdown, outcome="answered")

    def statement_in_words(self, sql: str, query: str, schema: Schema) -> str:
        """A statement in words, in the language of ``query``; empty where the words cannot be generated."""
        from kbtui.nl2sql.for_models import ForModels

        with suppress(DataSourceError):
            return ForModels(self._offline_writer()).says(sql, query, schema)[0]
        return ""

    def is_analysed(self, classified: Classified) -> bool:
        """Whether a request is answered by an analysis; without a source, that answer says that there is none."""
        return classified.request_type in ANALYSED

    def access(self) -> ManagedData | None:
        """The sources for the tools; None where there are none."""
        if not self._entries:
            return None
        from kbtui.analysis.context import ManagedData

        return ManagedData(self.sources.manager())

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
        """Drop the cached structure of the sources."""
        if self._entries:
            self.sources.manager().refresh()

    def rerun(self, sql: str, source: str) -> ResultTable:
        """The result of running a statement of an answer again.

        Raises:
            DataSourceError: It was refused or failed, or there is no such source.
        """
        if not self._entries:
            raise DataSourceError("There is no data source to run it over.", "Start kbtui with --data SRC.")
        self.sources.open_missing()
        return self.sources.manager().source(source).run(sql, Limits(), CancelToken())

    def _context(
        self,
        emit: Emit,
        call_tool: CallTool,
        client: ModelClient | None,
        ask_knowledge: Callable[[str, Emit], RunSummary],
    ) -> AnalysisContext:
        from kbtui.analysis import charts
        from kbtui.analysis.context import AnalysisContext, CachingWriter, Choices
        from kbtui.nl2sql.gate import THRESHOLD

        with self._lock:
            if self._choices is None:
                self._choices = Choices()
        reader = CachingWriter(self._offline_writer())
        return AnalysisContext(
            schema_manager=self.sources.manager(),
            sql_writer=reader if client is None else self._sql_writer(client, emit),
            call_tool=call_tool,
            charts=charts,
            durations=self._durations,
            choices=self._choices,
            shown_notes=self._announced,
            ask_knowledge=ask_knowledge,
            min_confidence=THRESHOLD,
            reader=reader,
            plan_writer=self._plan_writer(client, emit),
        )

    @staticmethod
    def _plan_writer(client: ModelClient | None, emit: Emit) -> PlanWriter | None:
        """The plan writer of the chat model; None where no model is configured."""
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

                self._writer = QuestionReader(self.sources.ask, self._today, shipped_stages, self.sources.ask_each)
            return self._writer

    def _sql_writer(self, client: ModelClient, emit: Emit) -> SqlWriter:
        """The chat model's statement writer, which falls back on the offline writer."""
        from kbtui.nl2sql.for_models import ForModels
        from kbtui.reasoning.llm.fencing import new_nonce
        from kbtui.reasoning.llm.sql import LlmSqlWriter

        offline = self._offline_writer()
        return LlmSqlWriter(
            client,
            offline,
            words=ForModels(offline),
            accept=self.sources.accept,
            context_tokens=client.settings.context_tokens,
            nonce=new_nonce(),
            emit=emit,
        )


def _is_about_data(turn: Turn) -> bool:
    """Whether a turn was answered from the data, not from documents in their place."""
    return turn.request_type in ANALYSED and not turn.paths
