"""What an engine drives: questions about a folder, about data, and about both."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kbtui.bootstrap.data import DataSide
from kbtui.bootstrap.models import ModelSide, condenser
from kbtui.domain.analysis import Classified, ResultTable
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, RequestClassified, ToolFinished, ToolStarted, Warned
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.tooling import ToolOutput
from kbtui.domain.usage import Usage
from kbtui.errors import KbtuiError
from kbtui.knowledge.reading.source import SourceReader, SourceText
from kbtui.runs.audit import Audit
from kbtui.runs.durations import Durations
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.providers import OFFLINE

if TYPE_CHECKING:
    from kbtui.agent.state import RecordsAnswer
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.reading.walked import Walk
    from kbtui.knowledge.store.freshness import Staleness
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.llm.reasoner import LlmReasoner
    from kbtui.reasoning.offline import OfflineReasoner
    from kbtui.tools import Toolbox


class KnowledgeBackend:
    """Answers from a folder through the agent's graph, and from data sources by analysis.

    Args:
        root: The folder.
        settings: Settings in effect.
        sources: Data sources, as given.
        problems: Gives what went wrong around the run and should be told with it.
        vectors_follow: Nobody need be told that vectors are missing.
        today: The day that "last month" is counted from.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        sources: tuple[str, ...] = (),
        problems: Callable[[], list[KbtuiError]] = list,
        vectors_follow: bool = False,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._root = root
        self._settings = settings
        self._problems = problems
        self._tells_of_vectors = not vectors_follow
        self._source = SourceReader(root)
        self._today = today
        self._asks_folder = True
        self._about = ""
        self._lock = threading.Lock()
        self._knowledge: KnowledgeBase | None = None
        self._reasoner: OfflineReasoner | None = None
        self._models = ModelSide(settings.model)
        self._answer_checker: AnswerChecker | None = None
        self._durations = Durations(paths.cache_dir() / "durations")
        self._data = DataSide(sources, durations=self._durations, today=today)

    @property
    def knowledge(self) -> KnowledgeBase:
        """The knowledge base, opened on first use."""
        with self._lock:
            if self._knowledge is None:
                from kbtui.knowledge.base import KnowledgeBase

                self._knowledge = KnowledgeBase(self._root, self._settings)
            return self._knowledge

    def answer(
        self, query: str, emit: Emit, cancel: CancelToken, history: tuple[Turn, ...] = (), *, audit: Audit
    ) -> RunSummary:
        """One run: of the quick path, over the data, of the graph over an index that is up to date, or of several."""
        with self._data.opened.stopping(cancel):
            return self._answered(query, emit, cancel, history, audit)

    def _answered(
        self, query: str, emit: Emit, cancel: CancelToken, history: tuple[Turn, ...], audit: Audit
    ) -> RunSummary:
        client = self._models.client(emit, cancel, audit)
        history = self._data.bases(query, history)
        known = self._data.structure_asked(query, emit)
        in_full = None
        if known is None:
            in_full = self._data.in_full(query, history, condenser(client, history, emit))
        if known is None and in_full is None:
            known = self._data.follow_up_asked(query, history)
        meant = query
        if in_full is not None:
            meant = in_full.standalone
        elif known is None and history:
            meant = self.reasoner().after(history).meant(query)
        # A follow-up is of the kind of what it means.
        classified = known or self._data.classify(meant, emit, folder=self._has_documents())
        if in_full is not None and not self._data.answers(classified):
            # It was asked of the data, which says more than its words.
            classified = Classified(request_type="data_query", confidence=classified.confidence)
        told = in_full is not None or classified.quick_path or self._data.answers(classified)
        emit(
            RequestClassified(
                request_type=classified.request_type,
                confidence=classified.confidence,
                signals=(*classified.signals, *(in_full.signals if in_full is not None else ())),
                quick_path=classified.quick_path,
                # What is asked of the documents is told when it is routed.
                standalone=self._data.says(classified) or (meant if told and meant != query else ""),
            )
        )
        if (quick := self._data.quick_answer(meant, classified)) is not None:
            emit(quick)
            self._tell_session_problems(emit)
            return RunSummary()
        tools = self._toolbox(emit, cancel)
        of_folder = classified.details.get("folder") is True and self._has_documents()
        if self._data.answers(classified) and not of_folder:
            from kbtui.analysis.mixed import holding_back, later_pass, noting_calls

            unsure: list[AnswerCompleted] = []
            summary = self._analysed(meant, classified, holding_back(emit, unsure), cancel, client, audit, tools)
            # The folder may say what the data do not; one that was never read is not read for that. Advice on data is
            # asked of the data alone: one look at them, or none.
            asks_folder = self._asks_folder and classified.request_type != "consultation"
            if unsure and asks_folder and self.knowledge.file_count():
                from kbtui.analysis.execution_validator import with_unplanned

                unsaid: list[AnswerCompleted] = []
                calls: list[ToolStarted] = []
                later = noting_calls(holding_back(later_pass(emit), unsaid), calls)
                if in_full is not None:
                    # It is in full already.
                    query, history = meant, ()
                asked = self._asked(query, later, cancel, history, client, audit, tools)
                summary = replace(
                    summary,
                    iterations=summary.iterations + asked.iterations,
                    usage=asked.usage,
                    deviation=with_unplanned(summary.deviation, len(calls), emit),
                )
                unsure = unsure if unsaid else []
            for answer in unsure:
                emit(answer)
            return summary
        return self._asked(query, emit, cancel, history, client, audit, tools)

    def _has_documents(self) -> bool:
        """Whether the folder can be asked; without a source of data nothing else could be."""
        if not self._asks_folder:
            return False
        if not self._data.opened.entries:
            return True
        from kbtui.bootstrap.folder import has_documents

        return has_documents(self._root, self._data.opened.files)

    def _toolbox(self, emit: Emit, cancel: CancelToken) -> Callable[[], Toolbox]:
        """The tools of one run, made when the first is needed."""

        @cache
        def built() -> Toolbox:
            from kbtui.tools import Toolbox, ToolContext

            context = ToolContext(
                knowledge=self.knowledge, settings=self._settings, cancel=cancel, data=self._data.access()
            )
            return Toolbox(context, warn=lambda message: emit(Warned(message=message, where="tools")))

        return built

    def _analysed(
        self,
        query: str,
        classified: Classified,
        emit: Emit,
        cancel: CancelToken,
        client: ModelClient | None,
        audit: Audit,
        tools: Callable[[], Toolbox],
    ) -> RunSummary:
        """One analysis of the data, which may end in a question about the documents."""

        def ask_knowledge(question: str, tell: Emit) -> RunSummary:
            return self._asked(question, tell, cancel, (), client, audit, tools)

        def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
            from kbtui.tools import DataContext, run_data_tool

            return run_data_tool(
                DataContext(settings=self._settings, cancel=cancel, data=self._data.access()), name, args
            )

        summary = self._data.analyse(
            query,
            classified,
            emit,
            cancel,
            call_tool=call_tool,
            client=client,
            ask_knowledge=ask_knowledge,
        )
        self._tell_session_problems(emit)
        return replace(summary, usage=client.usage if client else Usage())

    def _asked(
        self,
        query: str,
        emit: Emit,
        cancel: CancelToken,
        history: tuple[Turn, ...],
        client: ModelClient | None,
        audit: Audit,
        tools: Callable[[], Toolbox],
    ) -> RunSummary:
        """One run of the graph over an index that is up to date."""
        from kbtui.knowledge.base import load_model_ahead

        load_model_ahead(self.knowledge, self._settings.embedding)
        with self.knowledge.reading_ahead():
            from kbtui.agent.graph import run_graph
            from kbtui.agent.state import AgentContext
            from kbtui.reasoning.spelling import SpellingRouter
            from kbtui.reasoning.translating import TranslatingRouter
            from kbtui.reasoning.web_wishes import UnmetWriter, WebRouter, unmet_wish
            from kbtui.tools import offered_tools

            knowledge, reasoner = self.knowledge, self.reasoner().after(history)
            is_asked = not reasoner.is_chitchat(query)
            if is_asked:
                knowledge.ensure_fresh(emit, cancel, partial(self._early, reasoner.meant(query), emit, cancel))
        if is_asked and (empty := knowledge.nothing_to_read()):
            emit(AnswerCompleted(markdown="\n\n".join(empty), outcome="not_found"))
            self._tell_session_problems(emit)
            return RunSummary()
        cancel.check()
        toolbox = tools()

        def emit_and_learn(event: Any) -> None:
            if isinstance(event, ToolFinished) and event.ok and not event.cached:
                self._durations.add(event.tool, event.duration_ms)
            emit(event)

        offered = offered_tools(self._settings, toolbox.descriptions)
        if note := unmet_wish(query, offered):
            emit(Warned(message=note, where="tools"))
        descriptions = {name: toolbox.descriptions[name] for name in offered}
        client = client if is_asked else None
        thinkers = self._thinkers(client, reasoner, descriptions, history, emit)
        context = AgentContext(
            router=TranslatingRouter(
                SpellingRouter(WebRouter(thinkers.router, offered), knowledge.respelt), knowledge.translator.translated
            ),
            grader=thinkers.grader,
            writer=UnmetWriter(thinkers.writer, offered),
            tool_names=offered,
            call_tool=toolbox.call,
            emit=emit_and_learn,
            cancel=cancel,
            max_iterations=self._settings.agent.max_iterations,
            audit=audit,
            estimate_ms=self._durations.median,
            records=self._records_asker(history) if is_asked else None,
        )
        adaptive = self._settings.agent.use_adaptive_rag
        # The linear graph has no router that would put a follow-up in full.
        final = run_graph(query if adaptive else reasoner.meant(query), context, adaptive=adaptive)
        if (answer := final.get("answer")) is not None and answer.outcome == "not_found":
            # It may be in what was not indexed.
            for note in knowledge.left_out():
                emit(Warned(message=note, where="index"))
            unmet = unmet_wish(query, offered, found=False)
            if unmet and not unmet_wish(query, offered):
                emit(Warned(message=unmet, where="tools"))
        self._tell_session_problems(emit)
        if is_asked and self._tells_of_vectors and (note := knowledge.vectors_note()):
            emit(Warned(message=note, where="index"))
        return RunSummary(iterations=final.get("iteration", 1), usage=client.usage if client else Usage())

    def _records_asker(self, history: tuple[Turn, ...]) -> Callable[[str], RecordsAnswer | None] | None:
        """What asks the tables of the folder; None for a question about a text, which no table holds."""
        from kbtui.bootstrap.records import asks_records

        return None if self._about else asks_records(self.knowledge, history, self._today)

    def _early(self, query: str, emit: Emit, cancel: CancelToken, walk: Walk) -> None:
        """A first answer before ``walk`` is read."""
        from kbtui.bootstrap.first_answer import first_answer

        first_answer(self.knowledge, self._settings, walk, query, emit, cancel)

    def _tell_session_problems(self, emit: Emit) -> None:
        for problem in self._problems():
            emit(Warned(message=str(problem), where="session"))

    def _thinkers(
        self,
        client: ModelClient | None,
        offline: OfflineReasoner,
        tools: Mapping[str, str],
        history: tuple[Turn, ...],
        emit: Emit,
    ) -> OfflineReasoner | LlmReasoner:
        """Who routes, grades and writes in one run."""
        if client is None:
            return offline
        from kbtui.reasoning.llm.reasoner import llm_reasoner

        return llm_reasoner(
            client,
            offline,
            offline.router,
            settings=self._settings.model,
            tools=tools,
            history=history,
            checker=self._checker,
            source=self.knowledge.source,
            emit=emit,
            about=self._about,
        )

    def _checker(self) -> AnswerChecker:
        """What compares a model's sentences with the lines they cite."""
        knowledge = self.knowledge
        with self._lock:
            if self._answer_checker is None:
                from kbtui.reasoning.checking.checker import AnswerChecker

                # It keeps the vectors of lines it has seen, so one serves all runs.
                self._answer_checker = AnswerChecker(lambda: knowledge.embedder, knowledge.index.rarity)
            return self._answer_checker

    def reasoner(self) -> OfflineReasoner:
        """Who thinks when no model is configured."""
        if self._reasoner is None:
            from kbtui.bootstrap.records import reads_parts
            from kbtui.reasoning.offline import offline_reasoner

            knowledge = self.knowledge
            self._reasoner = offline_reasoner(
                embedder=lambda: knowledge.embedder,
                source=knowledge.source,
                files=lambda: knowledge.index.files(),
                rarity=lambda terms: knowledge.index.rarity(terms),
                records=reads_parts(knowledge, self._today),
                near=knowledge.near_places,
            )
        return self._reasoner

    def warm(self) -> None:
        """Import the graph, open the index and load the model, so that the first question waits for none of it."""
        from kbtui.agent.graph import compiled_graph

        compiled_graph(self._settings.agent.use_adaptive_rag)
        self.reasoner()
        self.knowledge.warm()
        if self.knowledge.index.exists:
            from kbtui.records.opened import reader_of

            reader_of(self.knowledge, self._today).warm()
        if self._settings.model.name != OFFLINE:
            # What is wrong with the model is said when it is asked.
            with suppress(KbtuiError):
                self._models.opened("large")

    def refresh(self) -> None:
        self.knowledge.refresh()

    def refresh_schema(self) -> None:
        self._data.refresh_schema()

    def rerun(self, sql: str, source: str) -> ResultTable:
        return self._data.rerun(sql, source)

    def staleness(self) -> Staleness:
        return self.knowledge.staleness()

    def read_source(self, path: str) -> SourceText:
        return self._source.text(path)

    def file_count(self) -> int | None:
        return self.knowledge.file_count()
