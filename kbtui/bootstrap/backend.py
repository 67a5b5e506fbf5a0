"""What an engine drives: questions about a folder, about data, and about both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from msgspec.structs import replace

from kbtui.bootstrap.backend_parts import BackendParts
from kbtui.bootstrap.models import condenser
from kbtui.domain.analysis import Classified
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, RequestClassified, RequestType, ToolFinished, ToolStarted, Warned
from kbtui.domain.ports import CancelToken, Emit, QueryRouter, RunSummary
from kbtui.domain.routing import Signal
from kbtui.domain.tooling import ToolOutput
from kbtui.domain.usage import Usage
from kbtui.runs.audit import Audit

if TYPE_CHECKING:
    from kbtui.agent.state import RecordsAnswer
    from kbtui.bootstrap.looping import LoopParts
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.reading.walked import Walk
    from kbtui.question.followup import Condensed
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.tools import Toolbox


class KnowledgeBackend(BackendParts):
    """Answers from a folder through the agent's graph, and from data sources by analysis."""

    def answer(
        self, query: str, emit: Emit, cancel: CancelToken, history: tuple[Turn, ...] = (), *, audit: Audit
    ) -> RunSummary:
        """One run: of the quick path, over the data, of the graph over an index that is up to date, or of several."""
        with self._data.opened.stopping(cancel):
            return self._answered(query, emit, cancel, history, audit)

    def _answered(
        self, query: str, emit: Emit, cancel: CancelToken, history: tuple[Turn, ...], audit: Audit
    ) -> RunSummary:
        return self._answered_with(self._models.client(emit, cancel, audit), query, emit, cancel, history, audit)

    def _answered_with(
        self,
        client: ModelClient | None,
        query: str,
        emit: Emit,
        cancel: CancelToken,
        history: tuple[Turn, ...],
        audit: Audit,
    ) -> RunSummary:
        history = self._data.bases(query, history)
        if client is not None and (reworked := self._reworked(query, emit, cancel, history, client, audit)) is not None:
            return reworked
        known = self._data.structure_asked(query, emit)
        in_full = None
        if known is None:
            in_full = self._data.in_full(query, history, self._condenser(client, history, emit))
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
            # What is in full already is no follow-up.
            asked = (meant, ()) if in_full is not None else (query, history)
            return self._of_data(meant, classified, *asked, emit, cancel, client, audit, tools)
        return self._asked(query, emit, cancel, history, client, audit, tools)

    def _condenser(
        self, client: ModelClient | None, history: tuple[Turn, ...], emit: Emit
    ) -> Callable[[str], Condensed | None] | None:
        """What puts a follow-up over data in full; None where rules alone do."""
        condense = condenser(client, history, emit)

        def in_pipeline(query: str) -> Condensed | None:
            # In the loop the model reads the conversation itself.
            return None if condense is None or self._loops(client, emit) else condense(query)

        return in_pipeline if condense is not None else None

    def _loops(self, client: ModelClient | None, emit: Emit) -> bool:
        """Whether the model calls tools in a loop."""
        if client is None or not self._settings.agent.use_adaptive_rag:
            return False
        return self._models.loops(client, emit)

    def _of_data(
        self,
        meant: str,
        classified: Classified,
        query: str,
        history: tuple[Turn, ...],
        emit: Emit,
        cancel: CancelToken,
        client: ModelClient | None,
        audit: Audit,
        tools: Callable[[], Toolbox],
    ) -> RunSummary:
        """An answer from the data, and from the documents where the data do not say."""
        if client is not None and self._loops(client, emit):
            return self._data_looped(meant, classified, query, history, emit, cancel, client, audit, tools)
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
            from kbtui.bootstrap.records import asks_records
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

        def read_by(router: QueryRouter) -> QueryRouter:
            router = SpellingRouter(WebRouter(router, offered), knowledge.respelt)
            return TranslatingRouter(router, knowledge.translator.translated)

        # No table holds what a text that was handed in is about, and the pipeline's prompts have a place for it.
        records = asks_records(knowledge, history, self._today) if is_asked and not self._about else None
        if not self._about:
            looped = self._looped(query, emit, cancel, history, client, audit, read_by(reasoner.router), records)
            if looped is not None:
                return looped
        thinkers = self._thinkers(client, reasoner, descriptions, history, emit)
        context = AgentContext(
            router=read_by(thinkers.router),
            grader=thinkers.grader,
            writer=UnmetWriter(thinkers.writer, offered),
            tool_names=offered,
            call_tool=toolbox.call,
            emit=emit_and_learn,
            cancel=cancel,
            max_iterations=self._settings.agent.max_iterations,
            audit=audit,
            estimate_ms=self._durations.median,
            records=records,
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

    def _looped(
        self,
        query: str,
        emit: Emit,
        cancel: CancelToken,
        history: tuple[Turn, ...],
        client: ModelClient | None,
        audit: Audit,
        router: QueryRouter,
        records: Callable[[str], RecordsAnswer | None] | None,
    ) -> RunSummary | None:
        """One run in which the model calls tools; None where it does not, or gave no answer."""
        if client is None or not self._loops(client, emit):
            return None
        from kbtui.bootstrap.looping import looped

        knowledge = self.knowledge if self._has_documents() else None
        parts = self._loop_parts(client, emit, cancel, audit, history, knowledge, router, records)
        summary = looped(query, parts)
        if summary is not None:
            self._tell_session_problems(emit)
        return summary

    def _reworked(
        self,
        query: str,
        emit: Emit,
        cancel: CancelToken,
        history: tuple[Turn, ...],
        client: ModelClient,
        audit: Audit,
    ) -> RunSummary | None:
        """The last answer in another form; None where that is not what is asked, or the model does not loop."""
        from kbtui.agent.loop.rework import asks_rework

        if not history or not asks_rework(query) or not self._loops(client, emit):
            return None
        from kbtui.bootstrap.looping import looped

        before = Classified(request_type="knowledge")
        if history[-1].request_type in get_args(RequestType):
            before = replace(before, request_type=history[-1].request_type)
        signal = Signal(name="follow-up", detail="about the last answer alone", weight=0.8)
        emit(RequestClassified(request_type=before.request_type, signals=(signal,)))
        knowledge = self.knowledge if self._has_documents() else None
        router = self.reasoner().after(history).router
        summary = looped(query, self._loop_parts(client, emit, cancel, audit, history, knowledge, router, None))
        if summary is not None:
            self._tell_session_problems(emit)
        return summary

    def _data_looped(
        self,
        meant: str,
        classified: Classified,
        query: str,
        history: tuple[Turn, ...],
        emit: Emit,
        cancel: CancelToken,
        client: ModelClient,
        audit: Audit,
        tools: Callable[[], Toolbox],
    ) -> RunSummary:
        """The program's own reading of a question about data first, and the model's answer in knowledge of it."""
        from kbtui.analysis.mixed import later_pass
        from kbtui.bootstrap.looping import Watched, data_view, looped

        watched = Watched(emit)
        summary = self._analysed(meant, classified, watched.emit, cancel, None, audit, tools)
        view = data_view(self._data, meant, watched)
        asks_folder = self._asks_folder and self._has_documents() and bool(self.knowledge.file_count())
        made = None
        if view is not None and watched.answer is not None:
            advises = classified.request_type == "consultation"
            knowledge = self.knowledge if asks_folder and not advises else None
            router = self.reasoner().after(history).router
            parts = self._loop_parts(client, later_pass(emit), cancel, audit, history, knowledge, router, None)
            made = looped(query, replace(parts, view=view, task="consult" if advises else "data"))
        if made is None and watched.answer is not None:
            emit(watched.answer)
        return replace(summary, iterations=summary.iterations + (made.iterations if made else 0), usage=client.usage)

    def _loop_parts(
        self,
        client: ModelClient,
        emit: Emit,
        cancel: CancelToken,
        audit: Audit,
        history: tuple[Turn, ...],
        knowledge: KnowledgeBase | None,
        router: QueryRouter,
        records: Callable[[str], RecordsAnswer | None] | None,
    ) -> LoopParts:
        from kbtui.bootstrap.looping import LoopParts

        return LoopParts(
            settings=self._settings,
            client=client,
            emit=emit,
            cancel=cancel,
            audit=audit,
            history=history,
            data=self._data,
            durations=self._durations,
            today=self._today,
            reasoner=self.reasoner().after(history),
            checker=self._checker,
            router=router,
            knowledge=knowledge,
            records=records,
        )

    def _early(self, query: str, emit: Emit, cancel: CancelToken, walk: Walk) -> None:
        """A first answer before ``walk`` is read."""
        from kbtui.bootstrap.first_answer import first_answer

        first_answer(self.knowledge, self._settings, walk, query, emit, cancel)
