"""One question about data, from its type to its cited answer.

`run_analysis` plans, validates the plan against the request type, executes the steps and writes the answer. If no
reading of the question is likely enough, the answer says what was not recognised and offers the nearest readings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from kbtui.analysis.analysis_planner import SQL, AnalysisPlanner
from kbtui.analysis.answering import Answerer
from kbtui.analysis.chart_requests import CHART_NAMES, read_chart_request
from kbtui.analysis.combined_answers import DocumentRelay, document_question, merge_answers
from kbtui.analysis.consultation import advise
from kbtui.analysis.context import AnalysisContext, KnownWriter
from kbtui.analysis.decomposition_check import can_decompose, is_certain
from kbtui.analysis.execution_validator import ExecutionValidator
from kbtui.analysis.markdown import escape
from kbtui.analysis.open_answers import OpenAnswerer, purposes
from kbtui.analysis.proposed_plan import CALCULATIONS, is_worth_proposing, merge_proposed_plan
from kbtui.analysis.results import StepResult, naming_values
from kbtui.analysis.source_choice import choose_source
from kbtui.analysis.step_executor import StepExecutor
from kbtui.analysis.structure import StructureRequest, describe_structure
from kbtui.analysis.structure_statements import structure_reading
from kbtui.analysis.wording import words_of
from kbtui.domain.analysis import ChartKind, Classified, FollowUp, PlanWriter, Readings, SqlWriter
from kbtui.domain.answer import Outcome, WrittenAnswer
from kbtui.domain.events import AnswerCompleted, Deviation, PlanCreated, PlanStep, RequestType, Warned
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.nl2sql.open_plans import OpenPlan
from kbtui.text.language import answered_in


def run_analysis(
    query: str, classified: Classified, context: AnalysisContext, emit: Emit, cancel: CancelToken
) -> RunSummary:
    """Answer a question about data; emits all events except the first, the classification and the last.

    Args:
        classified: The type of the request; with ``data`` and ``knowledge`` in its details it is a hybrid question,
            and the value found in the data goes into the question for the documents.

    Raises:
        DataSourceError: The source cannot be reached or read.
        Cancelled: ``cancel`` was set.
    """
    cancel.check()
    data, knowledge = classified.details.get("data"), classified.details.get("knowledge")
    if isinstance(data, str) and isinstance(knowledge, str) and data and context.ask_knowledge is not None:
        return _answer_hybrid(query, data, knowledge, classified, context, emit, cancel)
    run = _Run(query, classified, context, emit, cancel)
    emit(AnswerCompleted.of(run.answer()))
    return RunSummary(iterations=1, deviation=run.deviation)


def _answer_hybrid(
    query: str,
    data: str,
    knowledge: str,
    classified: Classified,
    context: AnalysisContext,
    emit: Emit,
    cancel: CancelToken,
) -> RunSummary:
    """Answer a hybrid question: the data first, then the documents."""
    assert context.ask_knowledge is not None
    run = _Run(data, replace(classified, request_type="data_query", details={}), context, emit, cancel)
    answer = run.answer()
    values = [value for result in run.results if result.table is not None for value in naming_values(result)]
    # Without a value the documents get the question of the user.
    question = document_question(knowledge, data, values[0]) if values else query
    relay = DocumentRelay(emit)
    summary = context.ask_knowledge(question, relay.emit)
    cancel.check()
    emit(AnswerCompleted.of(answer if relay.answer is None else merge_answers(answer, relay.answer)))
    return replace(summary, iterations=summary.iterations + 1, deviation=run.deviation)


class _Run:
    """One question over one source: its plan, the results of its steps, the deviation from the plan."""

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
        self.undrawn: ChartKind | None = None

    def answer(self) -> WrittenAnswer:
        """Plan, execute the steps, and write the answer."""
        details, source = self.classified.details, self.classified.source
        if isinstance(request := details.get("structure"), StructureRequest):
            answer = self._answer_structure(request, source)
        elif isinstance(plan := details.get("open"), OpenPlan):
            answer = self._answer_open_request(plan, source)
        else:
            answer = self._analyse()
        if self.results:
            self.deviation = self.validator.finish(self.emit)
        return answer

    def _execute(
        self,
        plan: Sequence[PlanStep],
        writer: SqlWriter | None,
        *,
        flags: Sequence[str] = (),
        chart_question: str = "",
        draws: bool = True,
        wants_chart: bool = False,
    ) -> Sequence[StepResult]:
        """Execute the steps of a plan.

        Args:
            writer: Writes the statements; None if there are none.
            flags: Problems of the plan.
            chart_question: The text that a chart is chosen by; the question if empty.
            draws: Draw a chart if it is worth it, or if it is asked for (``wants_chart``).
        """
        self.emit(PlanCreated(steps=tuple(plan)))
        for flag in flags:
            kind = self.classified.request_type
            self.emit(Warned(message=f"The plan did not fit a {kind}: {flag}.", where="plan"))
        context = self.context if writer is None else replace(self.context, sql_writer=writer)
        executor = StepExecutor(
            context, self.validator, self.emit, self.cancel, self.words, chart_question or self.query
        )
        self.results = executor.execute(plan)
        if draws:
            self.undrawn = executor.draw(asked=wants_chart)
        self.cancel.check()
        return self.results

    def _analyse(self) -> WrittenAnswer:
        query, context, words, kind = self.query, self.context, self.words, self.classified.request_type
        choice = context.choices.chosen(query)
        follow_up = self.classified.details.get("follow_up")
        follow_up = follow_up if isinstance(follow_up, FollowUp) else None
        source = choice.source if choice is not None else choose_source(query, self.classified, context, self.emit)
        # The tables of a follow-up are those of the statement that it changes.
        table_text = query if follow_up is None else f"{follow_up.before.question} {follow_up.says} {query}"
        # A consultation reads the structure once, in its only step.
        names: Sequence[str] = ()
        if source and kind != "consultation":
            names = self.manager.tables_for_question(source, table_text, context.terms(query))
        # The plan of a chat model is checked step by step.
        is_single = (
            choice is not None
            or follow_up is not None
            or (context.plan_writer is None and not can_decompose(query, kind, source, names, context))
        )
        plan = self.planner.plan(
            query, self.classified, source=source, table_names=names, language=words.language, is_single=is_single
        )
        plan, flags = self._validated_plan(kind, source, plan, context.plan_writer if follow_up is None else None)
        if not source and any(step.args.get("source") is not None for step in plan):
            return WrittenAnswer(markdown=words.no_source, outcome="not_found")
        if not plan:
            return WrittenAnswer(markdown=words.no_question, outcome="declined")
        # The chart request stays the same when a reading is chosen, or the statement is changed.
        chart_question = query if choice is None else choice.query
        # A follow-up was read when it was recognised.
        writer = KnownWriter(context.choices.readings, context.sql_writer)
        if follow_up is not None:
            readings = follow_up.readings
            writer = KnownWriter(lambda _question, _schema: readings)
            if read_chart_request(query).kind is None:
                chart_question = CHART_NAMES.get(follow_up.chart, query)
        self._execute(plan, writer, flags=flags, chart_question=chart_question, wants_chart=kind == "visualization")
        return self._advice(source) if kind == "consultation" else self._write_answer(kind, source)

    def _validated_plan(
        self, kind: RequestType, source: str, plan: tuple[PlanStep, ...], plan_writer: PlanWriter | None
    ) -> tuple[tuple[PlanStep, ...], tuple[str, ...]]:
        """The plan to follow: that of the chat model if it is feasible, else that of the rules."""
        if plan_writer is not None and source and is_worth_proposing(plan, kind):
            tables = self.manager.peek(source, "basic")
            proposed = plan_writer.propose(self.query, kind, tables, plan, CALCULATIONS)
            other = merge_proposed_plan(proposed, plan, checkpoint=kind == "multi_step_analysis")
            followed, flags = self.validator.validate(self.planner.estimated(other), kind)
            if any(step.tool == SQL for step in followed):
                return followed, flags
            if proposed:
                self.emit(Warned(message=_NO_PLAN, where="plan"))
        return self.validator.validate(plan, kind)

    def _answer_structure(self, request: StructureRequest, source: str) -> WrittenAnswer:
        """Answer a structure request, from the structure or by one statement."""
        language = self.words.language
        reading = None
        if request.needs_statement and source:
            reading = structure_reading(request, self.manager.peek(source, "detailed", request.tables), language)
        sources = (source,) if source else self.manager.names
        description = reading.says if reading is not None else ""
        plan = self.planner.plan_of_structure(sources, request.about, request.tables, language, description)
        plan, _ = self.validator.validate(plan, "data_query", structure=True)
        if reading is None:
            results = self._execute(plan, None, draws=False)
            schemas = [result.schema for result in results if result.schema is not None]
            whole = partial(self.manager.peek, level="detailed")
            return WrittenAnswer(markdown=describe_structure(request, schemas, language, whole), outcome="answered")
        readings = Readings(readings=(reading,))
        self._execute(plan, KnownWriter(lambda _question, _schema: readings), draws=False)
        return self._write_answer("data_query", source)

    def _answer_open_request(self, open_plan: OpenPlan, source: str) -> WrittenAnswer:
        """Answer an open request by the statements of its plan."""
        language = self.words.language
        names = self.manager.tables_for_question(source, self.query, self.context.terms(self.query))
        plan = self.planner.plan_of_statements(source, purposes(open_plan, language), names, language)
        plan, _ = self.validator.validate(plan, "multi_step_analysis")
        readings = {step.reading.says: Readings(readings=(step.reading,)) for step in open_plan.steps}
        self._execute(plan, KnownWriter(lambda question, _schema: readings.get(question)))
        statements = [step.step_id for step in plan if step.tool == SQL]
        steps = dict(zip(statements, open_plan.steps, strict=True))
        return self._write_answer("multi_step_analysis", source, partial(OpenAnswerer, plan=open_plan, steps=steps))

    def _write_answer(
        self, kind: RequestType, source: str, answerer: Callable[..., Answerer] = Answerer
    ) -> WrittenAnswer:
        """The answer to the results; emits the chosen readings."""
        writes = answerer(
            words=self.words,
            choices=self.context.choices,
            query=self.query,
            request_type=kind,
            source=source,
            title=self.manager.title(source),
            undrawn=self.undrawn,
        )
        answer = writes.write(self.results)
        for reading in writes.readings:
            self.emit(reading)
        return answer

    def _advice(self, source: str) -> WrittenAnswer:
        words, manager, context = self.words, self.manager, self.context
        schema = next((result.schema for result in self.results if result.schema is not None), None)
        if schema is None:
            return WrittenAnswer(markdown=words.no_source, outcome="not_found")
        detailed = manager.cached_detail(schema)
        if detailed is None and len(schema.tables) == 1:
            # The name of a single table says little, and its columns are few.
            detailed = manager.peek(schema.source, "detailed")
        reader, read_over = context.reader or context.sql_writer, detailed or schema

        def answers(query: str) -> bool:
            return is_certain(reader.read(query, read_over), context.min_confidence)

        markdown, suggested = advise(read_over if len(schema.tables) == 1 else schema, words.language, answers)
        if others := [name for name in manager.names if name != source]:
            markdown += "\n\n" + words.others.format(names=words.list_joint.join(map(escape, others)))
        outcome: Outcome = "answered" if schema.tables else "not_found"
        return WrittenAnswer(markdown=markdown, outcome=outcome, suggestions=suggested.queries[:3])


_NO_PLAN: Final = "Nothing in the model's plan could be done; the steps were planned offline."
