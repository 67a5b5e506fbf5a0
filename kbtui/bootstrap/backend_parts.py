"""What questions are answered with: the folder, the sources of data, whoever thinks, and the tools."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kbtui.bootstrap.data import DataSide
from kbtui.bootstrap.models import ModelSide
from kbtui.domain.analysis import ResultTable
from kbtui.domain.conversation import Turn
from kbtui.domain.events import Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import KbtuiError
from kbtui.knowledge.reading.source import SourceReader, SourceText
from kbtui.knowledge.reading.texts import TextStore
from kbtui.runs.durations import Durations
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.providers import OFFLINE

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.store.freshness import Staleness
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.llm.reasoner import LlmReasoner
    from kbtui.reasoning.offline import OfflineReasoner
    from kbtui.tools import Toolbox


class BackendParts:
    """The parts of a backend, each opened when it is first needed.

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
        self._source = SourceReader(root, texts=TextStore(paths.index_dir(root)))
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
