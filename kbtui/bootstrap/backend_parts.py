"""The parts that a backend answers with: the folder, the data sources, the reasoner, the models and the tools."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import asdict

from kbtui.bootstrap.data import DataSide
from kbtui.bootstrap.models import ChatModels
from kbtui.domain.analysis import ResultTable
from kbtui.domain.events import Warned
from kbtui.domain.ports import Emit
from kbtui.errors import KbtuiError
from kbtui.knowledge.joined.source import open_source
from kbtui.knowledge.reading.source import SourceText
from kbtui.runs.backend import RunRequest
from kbtui.runs.durations import DURATIONS_FILE, Durations
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.providers import OFFLINE
from kbtui.settings.published import url_of

if TYPE_CHECKING:
    from kbtui.bootstrap.published import PublishedSide
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.search.background import Background
    from kbtui.knowledge.store.freshness import Staleness
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.declared import DeclaredTools
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.llm.reasoner import LlmReasoner
    from kbtui.reasoning.offline import OfflineReasoner
    from kbtui.tools import Toolbox


_MAX_ENTRIES: Final = 5_000
"""A folder with more entries than this is assumed to hold documents."""


class ActiveRun(RunRequest, frozen=True, kw_only=True):
    """One question while it is answered: the request, and what this run answers it with.

    Attributes:
        client: The calls of the chat model in this run; None where no model is configured.
        toolbox: Returns the tools of the run, which are made by the first call.
    """

    client: ModelClient | None
    toolbox: Callable[[], Toolbox]


class BackendParts:
    """The parts of a backend, each opened when it is first needed.

    Args:
        root: The folder.
        settings: Settings in effect.
        sources: Data sources, as given.
        problems: Returns the problems outside the run, such as of recording, that its user is warned of.
        vectors_follow: Missing vectors are being computed elsewhere, so no answer warns of them.
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
        self._warns_of_vectors = not vectors_follow
        self._source = open_source(root, settings.index)
        self._today = today
        self._asks_folder = True
        self._lock = threading.Lock()
        self._knowledge: KnowledgeBase | None = None
        self._published: PublishedSide | None = None
        if url := url_of(root):
            from kbtui.bootstrap.published import PublishedSide

            self._published = PublishedSide(url, settings, today)
        self._reasoner: OfflineReasoner | None = None
        self._models = ChatModels(settings.model)
        self._answer_checker: AnswerChecker | None = None
        self._durations = Durations(paths.cache_dir() / DURATIONS_FILE)
        self._data = DataSide(sources, durations=self._durations, today=today)

    @property
    def knowledge(self) -> KnowledgeBase:
        """The knowledge base, opened on first use; of a published collection, the generation that is asked."""
        with self._lock:
            if self._published is not None:
                base = self._published.base()
                if base is not self._knowledge:
                    # Parts made from another generation of a collection refer to its lines.
                    self._knowledge, self._reasoner, self._answer_checker = base, None, None
                return base
            if self._knowledge is None:
                from kbtui.knowledge.joined.base import open_knowledge_base

                self._knowledge = open_knowledge_base(self._root, self._settings)
            return self._knowledge

    def _has_documents(self) -> bool:
        """Whether questions may be asked of the folder; always true where there is no data source to ask instead."""
        if not self._asks_folder:
            return False
        if not self._data.sources.entries:
            return True
        if self._published is not None:
            return True
        return has_documents(self._root, self._data.sources.files)

    def _begin(self, request: RunRequest) -> ActiveRun:
        """A run of this backend for ``request``."""

        @cache
        def toolbox() -> Toolbox:
            from kbtui.tools import Toolbox, ToolContext

            context = ToolContext(
                knowledge=self.knowledge, settings=self._settings, cancel=request.cancel, data=self._data.access()
            )
            return Toolbox(context, warn=lambda message: request.emit(Warned(message=message, where="tools")))

        client = self._models.client(request.emit, request.cancel, request.audit)
        return ActiveRun(**{**asdict(request), "client": client, "toolbox": toolbox})

    def _declared_tools(self, toolbox: Toolbox, offered: Collection[str], emit: Emit) -> DeclaredTools | None:
        """The offered tools of other packages that say what they answer; None where there are none."""
        answers = {name: declared for name, declared in toolbox.answers.items() if name in offered}
        if not answers:
            return None
        from kbtui.reasoning.declared import DeclaredTools

        def warn(message: str) -> None:
            emit(Warned(message=message, where="tools"))

        return DeclaredTools(answers, lambda: self.knowledge.embedder, self._today, warn)

    def _reasoner_for(
        self, run: ActiveRun, offline: OfflineReasoner, tools: Mapping[str, str]
    ) -> OfflineReasoner | LlmReasoner:
        """The router, grader and writer of one run: of the chat model where there is one, else ``offline``.

        Args:
            tools: Descriptions of the tools that the router may plan with, by name.
        """
        if run.client is None:
            return offline
        from kbtui.reasoning.llm.reasoner import llm_reasoner

        return llm_reasoner(
            run.client,
            offline,
            offline.router,
            settings=self._settings.model,
            tools=tools,
            history=run.history,
            checker=self._checker,
            source=self.knowledge.source,
            emit=run.emit,
            about=run.about,
        )

    def _checker(self) -> AnswerChecker:
        """The checker that compares a model's sentences with the lines they cite."""
        knowledge = self.knowledge
        with self._lock:
            if self._answer_checker is None:
                from kbtui.reasoning.checking.checker import AnswerChecker

                # The checker caches the vectors of lines, so all runs share one.
                self._answer_checker = AnswerChecker(lambda: knowledge.embedder, knowledge.index.rarity)
            return self._answer_checker

    def _background(self) -> Background:
        """What search makes of questions that the folder does not answer."""
        from kbtui.knowledge.search.background import Background

        knowledge = self.knowledge
        return Background(knowledge.index, lambda: knowledge.hybrid)

    def reasoner(self) -> OfflineReasoner:
        """The router, grader and writer that need no model."""
        knowledge = self.knowledge
        if self._reasoner is None:
            from kbtui.bootstrap.records import part_reader
            from kbtui.reasoning.offline import offline_reasoner

            self._reasoner = offline_reasoner(
                embedder=lambda: knowledge.embedder,
                source=knowledge.source,
                files=lambda: knowledge.index.files(),
                rarity=lambda terms: knowledge.index.rarity(terms),
                records=part_reader(knowledge, self._today),
                near=knowledge.near_places,
                background=self._background().score,
            )
        return self._reasoner

    def warm(self) -> None:
        """Import the graph, open the index and load the models, so that the first question does not wait for them."""
        from kbtui.agent.graph import compiled_graph

        compiled_graph(self._settings.agent.use_adaptive_rag)
        self.reasoner()
        self.knowledge.warm()
        if self.knowledge.index.exists:
            from kbtui.records.opened import reader_of

            reader_of(self.knowledge, self._today).warm()
            self._background().score()
        if self._settings.model.name != OFFLINE:
            # A model that cannot be opened is reported by the first question that calls it.
            with suppress(KbtuiError):
                self._models.open("large")

    def refresh(self) -> None:
        if self._published is not None:
            self._published.look()
        self.knowledge.refresh()

    def refresh_schema(self) -> None:
        self._data.refresh_schema()

    def rerun(self, sql: str, source: str) -> ResultTable:
        return self._data.rerun(sql, source)

    def staleness(self) -> Staleness:
        return self.knowledge.staleness()

    def read_source(self, path: str) -> SourceText:
        # A replay shows what is on this machine, and opens no collection for it.
        source = self._knowledge.source if self._published is not None and self._knowledge else self._source
        return source.text(path)

    def file_count(self) -> int | None:
        return self.knowledge.file_count()


def has_documents(root: Path, sources: Collection[str] = ()) -> bool:
    """Whether a file under ``root`` is neither hidden nor one of ``sources``, which are absolute paths.

    A folder that cannot be listed has none.
    """
    remaining, folders = _MAX_ENTRIES, deque([str(root)])
    while folders:
        try:
            with os.scandir(folders.popleft()) as entries:
                for entry in entries:
                    remaining -= 1
                    if remaining < 0:
                        return True
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif os.path.realpath(entry.path) not in sources:
                        return True
        except OSError:
            continue
    return False
