"""One question about data, from its type to its cited answer.

`run_analysis` plans, holds the plan against the type, does the steps and writes what they found. Where no reading of
the question is likely enough it says what it did not recognise and offers the nearest ones, instead of guessing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import SQL, AnalysisPlanner
from kbtui.analysis.answering import Answerer
from kbtui.analysis.chart_words import CHART_NAMES, named
from kbtui.analysis.choosing_source import choose_source
from kbtui.analysis.consultation import advise
from kbtui.analysis.context import AnalysisContext, KnownWriter
from kbtui.analysis.cutting import is_sure, may_be_cut
from kbtui.analysis.execution_validator import ExecutionValidator, Flag
from kbtui.analysis.markdown import escaped
from kbtui.analysis.mixed import Relay, knowledge_question, merged_answer
from kbtui.analysis.open_answers import OpenAnswerer, purposes
from kbtui.analysis.proposed_plan import CALCULATIONS, plan_of, worth_proposing
from kbtui.analysis.results import StepResult, found_values
from kbtui.analysis.step_executor import StepExecutor
from kbtui.analysis.structure import StructureRequest, described
from kbtui.analysis.structure_statements import reading_of
from kbtui.analysis.wording import words_of
from kbtui.domain.analysis import Classified, FollowUp, PlanWriter, Readings, SqlWriter
from kbtui.domain.answer import Outcome, WrittenAnswer
from kbtui.domain.events import AnswerCompleted, Deviation, PlanCreated, PlanStep, RequestType, Warned
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.nl2sql.open_plans import OpenPlan
from kbtui.text.language import answered_in


def run_analysis(
    query: str, classified: Classified, context: AnalysisContext, emit: Emit, cancel: CancelToken
) -> RunSummary:
    """Answer a question about data, stating every fact but the first, the classification and the last.

    Args:
        classified: What kind of request it is; with ``data`` and ``knowledge`` among its details, what is found in the
            data is asked of the documents.

    Raises:
        DataSourceError: The source cannot be reached or read.
        Cancelled: ``cancel`` was set.
    """
    cancel.check()
    data, knowledge = classified.details.get("data"), classified.details.get("knowledge")
    if isinstance(data, str) and isinstance(knowledge, str) and data and context.ask_knowledge is not None:
        return _mixed(query, data, knowledge, classified, context, emit, cancel)
    run = _Run(query, classified, context, emit, cancel)
    emit(AnswerCompleted.of(run.answer()))
    return RunSummary(iterations=1, deviation=run.deviation)


def _mixed(
    query: str,
    data: str,
    knowledge: str,
    classified: Classified,
    context: AnalysisContext,
    emit: Emit,
    cancel: CancelToken,
) -> RunSummary:
    """A question of the data whose answer is asked of the documents."""
    assert context.ask_knowledge is not None
    run = _Run(data, replace(classified, request_type="data_query", details={}), context, emit, cancel)
    answer = run.answer()
    values = [value for one in run.results if one.table is not None for value in found_values(one)]
    # Without a value the documents are asked as the user did, so that they may still know.
    question = knowledge_question(knowledge, data, values[0]) if values else query
    relay = Relay(emit)
    summary = context.ask_knowledge(question, relay.emit)
    cancel.check()
    emit(AnswerCompleted.of(answer if relay.answer is None else merged_answer(answer, relay.answer)))
    return replace(summary, iterations=summary.iterations + 1, deviation=run.deviation)


class _Run:
    """One question over one source: its plan, what its steps brought, how far that was from the plan."""

    def __init__(
        self, query: str, classified: Classified, context: AnalysisContext, emit: Emit, cancel: CancelToken
    ) -> None:
        self.query = query
        self.classified = classified
        self.context = context
        self.emit = emit
        self.cancel = cancel
        self.words = words_of(context.language or answered_in(query))
        self.manager = context.schema_manager
        self.planner = AnalysisPlanner(self.manager.get_schema_level, context.durations)
        self.validator = ExecutionValidator()
        self.results: tuple[StepResult, ...] = ()
        self.deviation = Deviation()

    def answer(self) -> WrittenAnswer:
        """Plan, do the steps, and write what they found."""
        details, source = self.classified.details, self.classified.source
        if isinstance(request := details.get("structure"), StructureRequest):
            answer = self._structure(request, source)
        elif isinstance(plan := details.get("open"), OpenPlan):
            answer = self._open(plan, source)
        else:
            answer = self._analysed()
        if self.results:
            self.deviation = self.validator.finish(self.emit)
        return answer

    def _done(
        self,
        plan: Sequence[PlanStep],
        writer: SqlWriter | None,
        *,
        flags: Sequence[Flag] = (),
        asked: str = "",
        draws: bool = True,
        wants_chart: bool = False,
    ) -> Sequence[StepResult]:
        """Do the steps of a plan.

        Args:
            writer: Writes the statements; None where there are none.
            flags: What was wrong with the plan.
            asked: What a chart is chosen by; the question where it is empty.
            draws: A chart is drawn where there is something to be seen, or where it is asked for (``wants_chart``).
        """
        self.emit(PlanCreated(steps=tuple(plan)))
        for flag in flags:
            kind = self.classified.request_type
            self.emit(Warned(message=f"The plan did not fit a {kind}: {flag.message}.", where="plan"))
        context = self.context if writer is None else replace(self.context, sql_writer=writer)
        executor = StepExecutor(context, self.validator, self.emit, self.cancel, self.words, asked or self.query)
        self.results = executor.execute(plan)
        if draws:
            executor.draw(asked=wants_chart)
        self.cancel.check()
        return self.results

    def _analysed(self) -> WrittenAnswer:
        query, context, words, kind = self.query, self.context, self.words, self.classified.request_type
        choice = context.choices.chosen(query)
        follow_up = self.classified.details.get("follow_up")
        follow_up = follow_up if isinstance(follow_up, FollowUp) else None
        source = choice.source if choice is not None else choose_source(query, self.classified, context, self.emit)
        # What it asks for is in the statement it changes, and so are the tables.
        said = query if follow_up is None else f"{follow_up.before.question} {follow_up.says} {query}"
        # A consultation looks at the source once, in its only step.
        names: Sequence[str] = ()
        if source and kind != "consultation":
            names = self.manager.for_question(source, said, context.terms(query))
        # A chat model's plan is checked step by step as it is made.
        whole = (
            choice is not None
            or follow_up is not None
            or (context.plan_writer is None and not may_be_cut(query, kind, source, names, context))
        )
        plan = self.planner.plan(
            query, self.classified, source=source, table_names=names, language=words.language, whole=whole
        )
        plan, flags = self._validated(kind, source, plan, context.plan_writer if follow_up is None else None)
        if not source and any(step.args.get("source") is not None for step in plan):
            return WrittenAnswer(markdown=words.no_source, outcome="not_found")
        if not plan:
            return WrittenAnswer(markdown=words.no_question, outcome="declined")
        # A chart that was asked for is still that chart when its reading is chosen, or its statement changed.
        asked = query if choice is None else choice.query
        # A follow-up was read when it was recognised.
        writer = KnownWriter(context.choices.readings, context.sql_writer)
        if follow_up is not None:
            readings = follow_up.readings
            writer = KnownWriter(lambda _question, _schema: readings)
            if named(query).kind is None:
                asked = CHART_NAMES.get(follow_up.chart, query)
        self._done(plan, writer, flags=flags, asked=asked, wants_chart=kind == "visualization")
        return self._advice(source) if kind == "consultation" else self._written(kind, source)

    def _validated(
        self, kind: RequestType, source: str, plan: tuple[PlanStep, ...], plan_writer: PlanWriter | None
    ) -> tuple[tuple[PlanStep, ...], tuple[Flag, ...]]:
        """The plan that is followed: somebody else's where one proposes what can be done, or the rules'."""
        if plan_writer is not None and source and worth_proposing(plan, kind):
            tables = self.manager.peek(source, "basic")
            proposed = plan_writer.propose(self.query, kind, tables, plan, CALCULATIONS)
            other = plan_of(proposed, plan, checkpoint=kind == "multi_step_analysis")
            followed, flags = self.validator.validate(self.planner.estimated(other), kind)
            if any(step.tool == SQL for step in followed):
                return followed, flags
            if proposed:
                self.emit(Warned(message=_NO_PLAN, where="plan"))
        return self.validator.validate(plan, kind)

    def _structure(self, request: StructureRequest, source: str) -> WrittenAnswer:
        """A question about the structure: answered from it, or by one statement that needs no reading of it."""
        language = self.words.language
        reading = None
        if request.needs_statement and source:
            reading = reading_of(request, self.manager.peek(source, "detailed", request.tables), language)
        sources = (source,) if source else self.manager.names
        says = reading.says if reading is not None else ""
        plan = self.planner.plan_of_structure(sources, request.about, request.tables, language, says)
        plan, _ = self.validator.validate(plan, "data_query", structure=True)
        if reading is None:
            results = self._done(plan, None, draws=False)
            schemas = [one.schema for one in results if one.schema is not None]
            whole = partial(self.manager.peek, level="detailed")
            return WrittenAnswer(markdown=described(request, schemas, language, whole), outcome="answered")
        found = Readings(readings=(reading,))
        self._done(plan, KnownWriter(lambda _question, _schema: found), draws=False)
        return self._written("data_query", source)

    def _open(self, asked: OpenPlan, source: str) -> WrittenAnswer:
        """An open request: the statements of its plan, one after the other, and what they say together."""
        language = self.words.language
        names = self.manager.for_question(source, self.query, self.context.terms(self.query))
        plan = self.planner.plan_of_statements(source, purposes(asked, language), names, language)
        plan, _ = self.validator.validate(plan, "multi_step_analysis")
        readings = {step.reading.says: Readings(readings=(step.reading,)) for step in asked.steps}
        self._done(plan, KnownWriter(lambda question, _schema: readings.get(question)))
        statements = [step.step_id for step in plan if step.tool == SQL]
        steps = dict(zip(statements, asked.steps, strict=True))
        return self._written("multi_step_analysis", source, partial(OpenAnswerer, plan=asked, steps=steps))

    def _written(self, kind: RequestType, source: str, answerer: Callable[..., Answerer] = Answerer) -> WrittenAnswer:
        """The answer to what was computed; how each question was read is stated."""
        writes = answerer(
            words=self.words,
            choices=self.context.choices,
            query=self.query,
            request_type=kind,
            source=source,
            title=self.manager.title(source),
        )
        answer = writes.write(self.results)
        for reading in writes.readings:
            self.emit(reading)
        return answer

    def _advice(self, source: str) -> WrittenAnswer:
        words, manager, context = self.words, self.manager, self.context
        schema = next((one.schema for one in self.results if one.schema is not None), None)
        if schema is None:
            return WrittenAnswer(markdown=words.no_source, outcome="not_found")
        known = manager.known_whole(schema)
        if known is None and len(schema.tables) == 1:
            # The name of the only table says little; its columns are few.
            known = manager.peek(schema.source, "detailed")
        reader, read_over = context.reader or context.sql_writer, known or schema

        def answers(query: str) -> bool:
            return is_sure(reader.read(query, read_over), context.sure_from)

        markdown, found = advise(read_over if len(schema.tables) == 1 else schema, words.language, answers)
        if others := [name for name in manager.names if name != source]:
            markdown += "\n\n" + words.others.format(names=words.list_joint.join(map(escaped, others)))
        outcome: Outcome = "answered" if schema.tables else "not_found"
        return WrittenAnswer(markdown=markdown, outcome=outcome, suggestions=found.queries[:3])


_NO_PLAN: Final = "Nothing in the model's plan could be done; the steps were planned offline."
