"""The only place where real parts are joined: settings in, a working engine out.

Heavy parts (LanceDB, LangGraph, the embedding model) are imported when the first question needs them, in whatever
thread asks; `Engine.warm` does it ahead of time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbtui.controller.audit import AuditLog
from kbtui.controller.durations import Durations
from kbtui.controller.engine import Engine as ControllerEngine
from kbtui.controller.engine import FolderState, SourceView
from kbtui.controller.run import Clock, utc_now
from kbtui.domain.events import AnswerCompleted, RequestClassified, ToolFinished, Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.domain.routing import Signal
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import FolderNotFound, KbtuiError
from kbtui.knowledge.source import SourceReader
from kbtui.settings import paths
from kbtui.settings.model import Settings

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.reasoning.offline import OfflineReasoner
    from kbtui.sessions.recorder import SessionRecorder

OFFLINE = "offline"


class Engine(ControllerEngine):
    """An engine over a folder, with the real parts behind it.

    Args:
        settings: Settings in effect; read from files and environment when not given.
        kb: The folder; the current one when not given.
        sources: Data sources beside it.
        record: False records no session, whatever the settings say.
        deadline_s: Longest time for a run, indexing included; ``agent.timeout_s`` leaves indexing out.
        vectors_follow: Something else makes the vectors of new files meanwhile; else answers say that they are missing.
        clock: Time of events and session ids.

    Raises:
        FolderNotFound: There is no such folder.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        kb: Path | str | None = None,
        *,
        sources: Sequence[str] = (),
        record: bool = True,
        deadline_s: float | None = None,
        vectors_follow: bool = False,
        clock: Clock = utc_now,
    ) -> None:
        root = checked_folder(Path(kb) if kb is not None else Path.cwd())
        if settings is None:
            from kbtui.settings.load import load_settings

            settings = load_settings(root).settings
        self._problems: list[KbtuiError] = []
        recorder = self._recorder(clock) if record and settings.sessions.record else None
        super().__init__(
            KnowledgeBackend(root, settings, tuple(sources), self._unreported, vectors_follow),
            kb=root,
            model=OFFLINE,
            sources=tuple(sources),
            session_id=recorder.session_id if recorder else "",
            record=recorder.record if recorder else None,
            timeout_s=settings.agent.timeout_s,
            deadline_s=deadline_s,
            clock=clock,
        )

    def continue_session(self, session_id: str) -> None:
        """Record the runs to come behind those of an earlier session.

        Raises:
            SessionError: That cannot be the name of a session.
        """
        if self._record is not None:
            recorder = self._recorder(self._clock, session_id)
            self.session_id, self._record = recorder.session_id, recorder.record

    def _recorder(self, clock: Clock, session_id: str | None = None) -> SessionRecorder:
        """A recorder; what it cannot write is told once, with the next run that answers."""
        from kbtui.sessions.recorder import SessionRecorder
        from kbtui.sessions.store import SessionStore

        return SessionRecorder(SessionStore(), session_id, clock, on_problem=self._problems.append)

    def _unreported(self) -> list[KbtuiError]:
        """Problems met while recording that nobody has been told of yet."""
        problems, self._problems[:] = list(self._problems), []
        return problems


class KnowledgeBackend:
    """Answers from a folder through the agent's graph, with the offline reasoner.

    Args:
        root: The folder.
        settings: Settings in effect.
        sources: Data sources, as given.
        problems: Gives what went wrong around the run and should be told with it.
        vectors_follow: Nobody need be told that vectors are missing.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        sources: tuple[str, ...] = (),
        problems: Callable[[], list[KbtuiError]] = list,
        vectors_follow: bool = False,
    ) -> None:
        self._root = root
        self._settings = settings
        self._sources = sources
        self._problems = problems
        self._tells_of_vectors = not vectors_follow
        self._source = SourceReader(root)
        self._lock = threading.Lock()
        self._knowledge: KnowledgeBase | None = None
        self._reasoner: OfflineReasoner | None = None
        self._audit = AuditLog(paths.state_dir() / "audit.jsonl")
        self._durations = Durations(paths.cache_dir() / "durations")

    @property
    def knowledge(self) -> KnowledgeBase:
        """The knowledge base, opened on first use."""
        with self._lock:
            if self._knowledge is None:
                from kbtui.knowledge.base import KnowledgeBase

                self._knowledge = KnowledgeBase(self._root, self._settings)
            return self._knowledge

    def answer(self, query: str, emit: Emit, cancel: CancelToken) -> int:
        """One run of the graph over an index that is up to date."""
        from kbtui.knowledge.ahead import load_model_ahead

        load_model_ahead(self.knowledge, self._settings.embedding)
        from kbtui.agent.graph import run_graph
        from kbtui.agent.state import AgentContext
        from kbtui.tools import ToolContext, build_tools, run_tool

        for message, where in self._shortfalls():
            emit(Warned(message=message, where=where))
        emit(
            RequestClassified(
                request_type="knowledge",
                signals=(Signal(name="source", detail="a folder of documents, no data source"),),
            )
        )
        knowledge, reasoner = self.knowledge, self.reasoner()
        is_asked = not reasoner.is_chitchat(query)
        if is_asked:
            knowledge.ensure_fresh(emit, cancel)
            if empty := knowledge.nothing_to_read():
                emit(AnswerCompleted(markdown="\n\n".join(empty), outcome="not_found"))
                self._tell_problems(emit)
                return 0
        cancel.check()
        tools = build_tools(
            ToolContext(knowledge=knowledge, settings=self._settings, cancel=cancel),
            warn=lambda message: emit(Warned(message=message, where="tools")),
        )

        def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
            return run_tool(tools[name], args)

        def emit_and_learn(event: Any) -> None:
            if isinstance(event, ToolFinished) and event.ok and not event.cached:
                self._durations.add(event.tool, event.duration_ms)
            emit(event)

        context = AgentContext(
            router=reasoner.router,
            grader=reasoner.grader,
            writer=reasoner.writer,
            tool_names=tuple(tools),
            call_tool=call_tool,
            emit=emit_and_learn,
            cancel=cancel,
            max_iterations=self._settings.agent.max_iterations,
            audit=self._audit.write,
            estimate_ms=self._durations.median,
        )
        final = run_graph(query, context, adaptive=self._settings.agent.use_adaptive_rag)
        if (answer := final.get("answer")) is not None and answer.outcome == "not_found":
            # It may be in what was not indexed.
            for note in knowledge.left_out():
                emit(Warned(message=note, where="index"))
        self._tell_problems(emit)
        if is_asked and self._tells_of_vectors and (note := knowledge.vectors_note()):
            emit(Warned(message=note, where="index"))
        return final.get("iteration", 1)

    def _tell_problems(self, emit: Emit) -> None:
        """What went less well around the run than it should."""
        for problem in self._problems():
            emit(Warned(message=str(problem), where="session"))
        if problem_of_model := self.knowledge.problem():
            emit(Warned(message=problem_of_model, where="model"))

    def _shortfalls(self) -> Iterator[tuple[str, str]]:
        """What was asked for that this version does not do, so that nobody takes the answer for more than it is."""
        if self._sources or self._settings.data_sources:
            yield "Data sources are not asked yet; the answer is from the folder alone.", "data"
        if (name := self._settings.model.name) != OFFLINE:
            yield f"Chat models are not used yet; {name} was not asked, and the answer is made offline.", "model"

    def reasoner(self) -> OfflineReasoner:
        """Who thinks when no model is configured."""
        if self._reasoner is None:
            from kbtui.reasoning.offline import offline_reasoner

            knowledge = self.knowledge
            self._reasoner = offline_reasoner(
                embedder=lambda: knowledge.embedder,
                source=knowledge.source,
                files=lambda: knowledge.index.files(),
                rarity=lambda terms: knowledge.index.rarity(terms),
            )
        return self._reasoner

    def warm(self) -> None:
        """Import the graph, open the index and load the model, so that the first question waits for none of it."""
        from kbtui.agent.graph import compiled_graph

        compiled_graph(self._settings.agent.use_adaptive_rag)
        self.reasoner()
        self.knowledge.warm()

    def refresh(self) -> None:
        self.knowledge.refresh()

    def staleness(self) -> FolderState:
        """Compare the folder with its index, by size and modification time."""
        found = self.knowledge.staleness()
        return FolderState(
            never_indexed=found.never_indexed,
            added=found.added,
            changed=found.changed,
            removed=found.removed,
            vector_share=found.vector_share,
        )

    def read_source(self, path: str) -> SourceView:
        source = self._source.text(path)
        return SourceView(path=source.path, text=source.text, language=source.language, line_count=source.line_count)

    def file_count(self) -> int | None:
        return self.knowledge.file_count()


def checked_folder(path: Path) -> Path:
    """The folder as an absolute path.

    Raises:
        FolderNotFound: There is none, it is a file, or it may not be read.
    """
    path = path.expanduser()
    try:
        is_dir = path.is_dir()
    except OSError as error:
        raise FolderNotFound(f"The folder {path} cannot be opened: {error.strerror}.", "Check the path.") from error
    if not is_dir:
        what = "is a file, not a folder" if path.exists() else "does not exist"
        parent = path.parent if path.parent.is_dir() else Path.cwd()
        raise FolderNotFound(f"The folder {path} {what}.", f"Give a folder to ask, for example: kbtui {parent}")
    if not os.access(path, os.R_OK | os.X_OK):
        raise FolderNotFound(f"The folder {path} may not be read.", "Check its permissions.")
    return path.resolve()
