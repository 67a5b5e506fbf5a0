"""The backend of an engine: it answers questions about a folder, about data, and about both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, cast, get_args

from msgspec.structs import replace

from kbtui.bootstrap.backend_parts import ActiveRun, BackendParts
from kbtui.domain.analysis import Classified
from kbtui.domain.events import AnswerCompleted, RequestClassified, RequestType, ToolStarted, Warned
from kbtui.domain.ports import Emit, QueryRouter, RunSummary
from kbtui.domain.routing import Signal
from kbtui.domain.tooling import ToolOutput
from kbtui.domain.usage import Usage
from kbtui.runs.backend import RunRequest

if TYPE_CHECKING:
    from kbtui.agent.state import RecordsAnswer
    from kbtui.bootstrap.looping import LoopParts
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.search.spelling import Respelt
    from kbtui.question.followup import Condensed
    from kbtui.reasoning.llm.client import ModelClient


class KnowledgeBackend(BackendParts):
    """Answers from a folder through the agent's graph, and from data sources by analysis."""

    def answer(self, request: RunRequest) -> RunSummary:
        """Answer one question; see `kbtui.runs.backend.Backend`."""
        with ExitStack() as stack:
            stack.enter_context(self._data.sources.stopping(request.cancel))
            if self._published is not None:
                stack.enter_context(self._published.question(request.emit, request.cancel))
            summary = self._answer(self._begin(request))
        for problem in self._problems():
            request.emit(Warned(message=str(problem), where="session"))
        return summary

    def _answer(self, run: ActiveRun) -> RunSummary:
        """Answer by the quick path, from the data, from the documents, or from data and documents."""
        run = replace(run, history=self._data.follow_up_bases(run.query, run.history))
        if (reworked := self._rework_last_answer(run)) is not None:
            return reworked
        classified = self._data.structure_request(run.query, run.emit)
        condensed = None
        if classified is None:
            condensed = self._data.condense_follow_up(run.query, run.history, self._condenser(run))
        if classified is None and condensed is None:
            classified = self._data.follow_up_request(run.query, run.history)
        standalone = run.query
        if condensed is not None:
            standalone = condensed.standalone
        elif classified is None and run.history:
            standalone = self.reasoner().after(run.history).meant(run.query)
        # A follow-up is classified by its standalone form.
        classified = classified or self._data.classify(standalone, run.emit, folder=self._has_documents())
        if condensed is not None and not self._data.is_analysed(classified):
            # A follow-up to a question about data is about data, even where its own words do not show it.
            classified = Classified(request_type="data_query", confidence=classified.confidence)
        # For a question about documents, the router of the graph emits the standalone form instead.
        emits_standalone = condensed is not None or classified.quick_path or self._data.is_analysed(classified)
        run.emit(
            RequestClassified(
                request_type=classified.request_type,
                confidence=classified.confidence,
                signals=(*classified.signals, *(condensed.signals if condensed is not None else ())),
                quick_path=classified.quick_path,
                standalone=self._data.follow_up_wording(classified)
                or (standalone if emits_standalone and standalone != run.query else ""),
            )
        )
        if (quick := self._data.quick_answer(standalone, classified)) is not None:
            run.emit(quick)
            return RunSummary()
        names_folder = classified.details.get("folder") is True and self._has_documents()
        if self._data.is_analysed(classified) and not names_folder:
            if condensed is not None:
                # The condensed question needs no history.
                run = replace(run, query=standalone, history=())
            return self._answer_from_data(standalone, classified, run)
        return self._answer_from_documents(run)

    def _condenser(self, run: ActiveRun) -> Callable[[str], Condensed | None] | None:
        """A function that puts a follow-up over data in full by the model; None where no model is configured."""
        if (client := run.client) is None:
            return None

        def condense_in_pipeline(query: str) -> Condensed | None:
            from kbtui.reasoning.llm.condense import condense

            # In the tool loop the model reads the conversation itself.
            return None if self._uses_tool_loop(run) else condense(query, run.history, client, run.emit)

        return condense_in_pipeline

    def _uses_tool_loop(self, run: ActiveRun) -> bool:
        """Whether the chat model answers by calling tools in a loop."""
        if run.client is None or not self._settings.agent.use_adaptive_rag:
            return False
        return self._models.uses_tool_loop(run.client, run.emit)

    def _answer_from_data(self, standalone: str, classified: Classified, run: ActiveRun) -> RunSummary:
        """Answer from the data, and from the documents where the data give no sure answer.

        Args:
            standalone: The question for the data; ``run.query`` and ``run.history`` are for the documents.
        """
        if run.client is not None and self._uses_tool_loop(run):
            return self._answer_from_data_in_loop(standalone, classified, run, run.client)
        from kbtui.analysis.combined_answers import as_later_pass, record_calls, withhold_empty_answers

        unsure: list[AnswerCompleted] = []
        summary = self._analyse(standalone, classified, replace(run, emit=withhold_empty_answers(run.emit, unsure)))
        # The documents may answer what the data do not; a folder without an index is not indexed for that. Advice on
        # data is taken from the data alone, which are read once or not at all.
        asks_folder = self._asks_folder and classified.request_type != "consultation"
        if unsure and asks_folder and self.knowledge.file_count():
            from kbtui.analysis.execution_validator import with_unplanned_calls

            unanswered: list[AnswerCompleted] = []
            calls: list[ToolStarted] = []
            emit = record_calls(withhold_empty_answers(as_later_pass(run.emit), unanswered), calls)
            document_summary = self._answer_from_documents(replace(run, emit=emit))
            summary = replace(
                summary,
                iterations=summary.iterations + document_summary.iterations,
                usage=document_summary.usage,
                deviation=with_unplanned_calls(summary.deviation, len(calls), run.emit),
            )
            unsure = unsure if unanswered else []
        for answer in unsure:
            run.emit(answer)
        return summary

    def _analyse(self, query: str, classified: Classified, run: ActiveRun) -> RunSummary:
        """One analysis of the data, which may end in a question about the documents."""

        def ask_knowledge(question: str, emit: Emit) -> RunSummary:
            return self._answer_from_documents(replace(run, query=question, emit=emit, history=()))

        def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
            from kbtui.tools import DataContext, run_data_tool

            context = DataContext(settings=self._settings, cancel=run.cancel, data=self._data.access())
            return run_data_tool(context, name, args)

        summary = self._data.analyse(
            query,
            classified,
            run.emit,
            run.cancel,
            call_tool=call_tool,
            client=run.client,
            ask_knowledge=ask_knowledge,
        )
        return replace(summary, usage=run.client.usage if run.client else Usage())

    def _answer_from_documents(self, run: ActiveRun) -> RunSummary:
        """Bring the index up to date and run the graph, or the model's tool loop, over it."""
        from kbtui.knowledge.base import load_model_ahead

        load_model_ahead(self.knowledge, self._settings.embedding)
        with self.knowledge.reading_ahead():
            from kbtui.agent.graph import run_graph
            from kbtui.agent.state import AgentContext
            from kbtui.bootstrap.first_answer import first_answer
            from kbtui.bootstrap.records import records_lookup
            from kbtui.reasoning.spelling import SpellingRouter, TranslatingRouter, with_day_names
            from kbtui.reasoning.web_wishes import UnmetWriter, WebRouter, unmet_wish
            from kbtui.tools import offered_tools

            query, emit = run.query, run.emit
            knowledge, reasoner = self.knowledge, self.reasoner().after(run.history)
            is_question = not reasoner.is_chitchat(query)
            if is_question:
                early = partial(first_answer, knowledge, self._settings, reasoner.meant(query), emit, run.cancel)
                knowledge.ensure_fresh(emit, run.cancel, early)
        if is_question and (problems := knowledge.nothing_to_read()):
            emit(AnswerCompleted(markdown="\n\n".join(problems), outcome="not_found"))
            return RunSummary()
        run.cancel.check()
        toolbox = run.toolbox()

        offered = offered_tools(self._settings, toolbox.descriptions)
        if note := unmet_wish(query, offered):
            emit(Warned(message=note, where="tools"))
        descriptions = {name: toolbox.descriptions[name] for name in offered}
        # Chitchat is answered without the model.
        run = run if is_question else replace(run, client=None)

        declared = self._declared_tools(toolbox, offered, emit) if is_question else None

        def respelt(text: str) -> Respelt:
            return with_day_names(
                knowledge.respelt(text), (record.path for record in knowledge.file_records()), self._today()
            )

        def with_rewriting(router: QueryRouter) -> QueryRouter:
            router = WebRouter(declared.around(router) if declared is not None else router, offered)
            router = SpellingRouter(router, respelt)
            return TranslatingRouter(router, knowledge.translator.translated)

        # The records cannot answer about a text that was handed in, and only the pipeline's prompts include the text.
        records = records_lookup(knowledge, run.history, self._today) if is_question and not run.about else None
        if not run.about:
            summary = self._answer_from_documents_in_loop(run, with_rewriting(reasoner.router), records)
            if summary is not None:
                return summary
        parts = self._reasoner_for(run, reasoner, descriptions)
        context = AgentContext(
            router=with_rewriting(parts.router),
            grader=parts.grader,
            writer=UnmetWriter(parts.writer, offered),
            tool_names=offered,
            call_tool=toolbox.call if declared is None else declared.marking(toolbox.call),
            emit=self._durations.learning(emit),
            cancel=run.cancel,
            max_iterations=self._settings.agent.max_iterations,
            audit=run.audit,
            estimate_ms=self._durations.median,
            own_arguments=declared.own_arguments if declared is not None else {},
            records=records,
        )
        adaptive = self._settings.agent.use_adaptive_rag
        # The linear graph has no router, so the standalone form of a follow-up is made here.
        final = run_graph(query if adaptive else reasoner.meant(query), context, adaptive=adaptive)
        if (answer := final.get("answer")) is not None and answer.outcome == "not_found":
            # The answer may be in a file that was not indexed.
            for note in knowledge.left_out():
                emit(Warned(message=note, where="index"))
            unmet = unmet_wish(query, offered, found=False)
            if unmet and not unmet_wish(query, offered):
                emit(Warned(message=unmet, where="tools"))
        if is_question and self._warns_of_vectors and (note := knowledge.vectors_note()):
            emit(Warned(message=note, where="index"))
        return RunSummary(iterations=final.get("iteration", 1), usage=run.client.usage if run.client else Usage())

    def _answer_from_documents_in_loop(
        self, run: ActiveRun, router: QueryRouter, records: Callable[[str], RecordsAnswer | None] | None
    ) -> RunSummary | None:
        """Answer by the model's tool loop; None where the model does not call tools, or gave no answer."""
        if run.client is None or not self._uses_tool_loop(run):
            return None
        from kbtui.bootstrap.looping import run_tool_loop

        parts = self._loop_parts(run, run.client, router, self._documents())
        return run_tool_loop(run.query, replace(parts, records=records))

    def _rework_last_answer(self, run: ActiveRun) -> RunSummary | None:
        """Put the last answer in another form; None where that is not asked, or the model does not call tools."""
        if run.client is None or not run.history:
            return None
        from kbtui.question.wishes import is_wish

        if not is_wish(run.query) or not self._uses_tool_loop(run):
            return None
        from kbtui.bootstrap.looping import run_tool_loop

        last = run.history[-1]
        request_type = last.request_type if last.request_type in get_args(RequestType) else "knowledge"
        signal = Signal(name="follow-up", detail="about the last answer alone", weight=0.8)
        run.emit(RequestClassified(request_type=cast("RequestType", request_type), signals=(signal,)))
        router = self.reasoner().after(run.history).router
        return run_tool_loop(run.query, self._loop_parts(run, run.client, router, self._documents()))

    def _answer_from_data_in_loop(
        self, standalone: str, classified: Classified, run: ActiveRun, client: ModelClient
    ) -> RunSummary:
        """Analyse the question offline first, then let the model answer with the result as a second opinion."""
        from kbtui.analysis.combined_answers import as_later_pass
        from kbtui.bootstrap.looping import AnalysisObserver, data_view, run_tool_loop

        observer = AnalysisObserver(run.emit)
        summary = self._analyse(standalone, classified, replace(run, emit=observer.emit, client=None))
        view = data_view(self._data, standalone, observer)
        asks_folder = self._asks_folder and self._has_documents() and bool(self.knowledge.file_count())
        loop_summary = None
        if view is not None and observer.answer is not None:
            advises = classified.request_type == "consultation"
            knowledge = self.knowledge if asks_folder and not advises else None
            router = self.reasoner().after(run.history).router
            parts = self._loop_parts(replace(run, emit=as_later_pass(run.emit)), client, router, knowledge)
            loop_summary = run_tool_loop(run.query, replace(parts, view=view, task="consult" if advises else "data"))
        if loop_summary is None and observer.answer is not None:
            run.emit(observer.answer)
        iterations = summary.iterations + (loop_summary.iterations if loop_summary else 0)
        return replace(summary, iterations=iterations, usage=client.usage)

    def _documents(self) -> KnowledgeBase | None:
        """The knowledge base; None where the folder holds no documents."""
        return self.knowledge if self._has_documents() else None

    def _loop_parts(
        self, run: ActiveRun, client: ModelClient, router: QueryRouter, knowledge: KnowledgeBase | None
    ) -> LoopParts:
        from kbtui.bootstrap.looping import LoopParts

        return LoopParts(
            settings=self._settings,
            client=client,
            run=run,
            data=self._data,
            durations=self._durations,
            today=self._today,
            reasoner=self.reasoner().after(run.history),
            checker=self._checker,
            router=router,
            knowledge=knowledge,
        )
