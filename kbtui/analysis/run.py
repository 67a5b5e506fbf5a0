"""One question about data, from its type to its cited answer.

`run_analysis` plans, holds the plan against the type, does the steps and writes what they found. Where no reading of
the question is likely enough it says what it did not recognise and offers the nearest ones, instead of guessing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

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
from kbtui.analysis.plan_checks import CALCULATIONS
from kbtui.analysis.proposed_plan import plan_of, worth_proposing
from kbtui.analysis.results import StepResult, found_values
from kbtui.analysis.step_executor import StepExecutor
from kbtui.analysis.structure import StructureRequest, described, reading_of
from kbtui.analysis.wording import Words, language_of, words_of
from kbtui.domain.analysis import Classified, FollowUp, Readings, SqlWriter
from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import AnswerCompleted, Deviation, PlanCreated, PlanStep, RequestType, Warned
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.nl2sql.open_plans import OpenPlan


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
    answer, deviation, _ = _analysed(query, classified, context, emit, cancel)
    emit(_completed(answer))
    return RunSummary(iterations=1, deviation=deviation)


def _analysed(
    query: str, classified: Classified, context: AnalysisContext, emit: Emit, cancel: CancelToken
) -> tuple[WrittenAnswer, Deviation, tuple[StepResult, ...]]:
    if isinstance(request := classified.details.get("structure"), StructureRequest):
        return _structure(query, request, classified.source, context, emit, cancel)
    if isinstance(plan := classified.details.get("open"), OpenPlan):
        return _open(query, plan, classified.source, context, emit, cancel)
    choice = context.choices.chosen(query)
    follow_up = _follow_up(classified)
    words = words_of(context.language or language_of(query))
    validator = ExecutionValidator()
    planner = AnalysisPlanner(context.schema_manager.get_schema_level, context.durations)
    kind = classified.request_type
    source = choice.source if choice is not None else choose_source(query, classified, context, emit)
    # What it asks for is in the statement it changes, and so are the tables.
    said = query if follow_up is None else f"{follow_up.before.question} {follow_up.says} {query}"
    # A consultation looks at the source once, in its only step.
    names: Sequence[str] = ()
    if source and kind != "consultation":
        names = context.schema_manager.for_question(source, said, context.terms(query))
    # A chat model's plan is checked step by step as it is made.
    whole = (
        choice is not None
        or follow_up is not None
        or (context.plan_writer is None and not may_be_cut(query, kind, source, names, context))
    )
    plan = planner.plan(query, classified, source=source, table_names=names, language=words.language, whole=whole)
    proposing = context if follow_up is None else replace(context, plan_writer=None)
    plan, flags = _validated(query, kind, source, plan, planner, validator, proposing, emit)
    if not source and any(step.args.get("source") is not None for step in plan):
        return WrittenAnswer(markdown=words.no_source, outcome="not_found"), Deviation(), ()
    if not plan:
        return WrittenAnswer(markdown=words.no_question, outcome="declined"), Deviation(), ()
    emit(PlanCreated(steps=plan))
    for flag in flags:
        emit(Warned(message=f"The plan did not fit a {kind}: {flag.message}.", where="plan"))
    writer = _writer(context, follow_up)
    # A chart that was asked for is still that chart when its reading is chosen, or its statement changed.
    asked = query if choice is None else choice.query
    if follow_up is not None and named(query).kind is None:
        asked = CHART_NAMES.get(follow_up.chart, query)
    executor = StepExecutor(replace(context, sql_writer=writer), validator, emit, cancel, words, asked)
    results = executor.execute(plan)
    executor.draw(asked=kind == "visualization")
    cancel.check()
    if kind == "consultation":
        answer = _advice(results, words, context, [name for name in context.schema_manager.names if name != source])
    else:
        answer = _written(results, words, context, query, kind, source, emit)
    return answer, validator.finish(emit), results


def _follow_up(classified: Classified) -> FollowUp | None:
    found = classified.details.get("follow_up")
    return found if isinstance(found, FollowUp) else None


def _writer(context: AnalysisContext, follow_up: FollowUp | None) -> SqlWriter:
    """Reads the question; a follow-up was read when it was recognised."""
    if follow_up is not None:
        return KnownWriter(lambda _question, _schema: follow_up.readings)
    return KnownWriter(context.choices.readings, context.sql_writer)


def _structure(
    query: str, request: StructureRequest, source: str, context: AnalysisContext, emit: Emit, cancel: CancelToken
) -> tuple[WrittenAnswer, Deviation, tuple[StepResult, ...]]:
    """A question about the structure: answered from it, or by one statement that needs no reading of the question."""
    words, manager = words_of(context.language or language_of(query)), context.schema_manager
    sources = (source,) if source else manager.names
    reading = None
    if request.needs_statement and source:
        reading = reading_of(request, manager.peek(source, "detailed", request.tables), words.language)
    planner = AnalysisPlanner(manager.get_schema_level, context.durations)
    says = reading.says if reading is not None else ""
    plan = planner.plan_of_structure(sources, request.about, request.tables, words.language, says)
    validator = ExecutionValidator()
    plan, _ = validator.validate(plan, "data_query", structure=True)
    emit(PlanCreated(steps=plan))
    if reading is not None:
        found = Readings(readings=(reading,))
        context = replace(context, sql_writer=KnownWriter(lambda _question, _schema: found))
    results = StepExecutor(context, validator, emit, cancel, words, query).execute(plan)
    cancel.check()
    if reading is not None:
        return _written(results, words, context, query, "data_query", source, emit), validator.finish(emit), results
    schemas = [one.schema for one in results if one.schema is not None]
    answer = WrittenAnswer(markdown=described(request, schemas, words.language), outcome="answered")
    return answer, validator.finish(emit), results


def _open(
    query: str, asked: OpenPlan, source: str, context: AnalysisContext, emit: Emit, cancel: CancelToken
) -> tuple[WrittenAnswer, Deviation, tuple[StepResult, ...]]:
    """An open request: the statements of its plan, one after the other, and what they say together."""
    words, manager = words_of(context.language or language_of(query)), context.schema_manager
    readings = {step.reading.says: Readings(readings=(step.reading,)) for step in asked.steps}
    planner = AnalysisPlanner(manager.get_schema_level, context.durations)
    names = manager.for_question(source, query, context.terms(query))
    validator = ExecutionValidator()
    plan, _ = validator.validate(
        planner.plan_of_statements(source, purposes(asked, words.language), names, words.language),
        "multi_step_analysis",
    )
    emit(PlanCreated(steps=plan))
    context = replace(context, sql_writer=KnownWriter(lambda question, _schema: readings.get(question)))
    executor = StepExecutor(context, validator, emit, cancel, words, query)
    results = executor.execute(plan)
    executor.draw(asked=False)
    cancel.check()
    statements = [step.step_id for step in plan if step.tool == SQL]
    answerer = OpenAnswerer(
        words=words,
        choices=context.choices,
        query=query,
        request_type="multi_step_analysis",
        source=source,
        title=manager.title(source),
        plan=asked,
        steps=dict(zip(statements, asked.steps, strict=True)),
    )
    return _told(answerer, results, emit), validator.finish(emit), results


def _written(
    results: Sequence[StepResult],
    words: Words,
    context: AnalysisContext,
    query: str,
    kind: RequestType,
    source: str,
    emit: Emit,
) -> WrittenAnswer:
    """The answer to what was computed; how each question was read is stated."""
    title = context.schema_manager.title(source)
    answerer = Answerer(
        words=words, choices=context.choices, query=query, request_type=kind, source=source, title=title
    )
    return _told(answerer, results, emit)


def _told(answerer: Answerer, results: Sequence[StepResult], emit: Emit) -> WrittenAnswer:
    answer = answerer.write(results)
    for reading in answerer.readings:
        emit(reading)
    return answer


def _validated(
    query: str,
    kind: RequestType,
    source: str,
    plan: tuple[PlanStep, ...],
    planner: AnalysisPlanner,
    validator: ExecutionValidator,
    context: AnalysisContext,
    emit: Emit,
) -> tuple[tuple[PlanStep, ...], tuple[Flag, ...]]:
    """The plan that is followed: somebody else's where one proposes what can be done, or the rules'."""
    if context.plan_writer is not None and source and worth_proposing(plan, kind):
        tables = context.schema_manager.peek(source, "basic")
        proposed = context.plan_writer.propose(query, kind, tables, plan, CALCULATIONS)
        other = plan_of(proposed, plan, checkpoint=kind == "multi_step_analysis")
        followed, flags = validator.validate(planner.estimated(other), kind)
        if any(step.tool == SQL for step in followed):
            return followed, flags
        if proposed:
            emit(Warned(message=_NO_PLAN, where="plan"))
    return validator.validate(plan, kind)


_NO_PLAN: Final = "Nothing in the model's plan could be done; the steps were planned offline."


def _advice(
    results: Sequence[StepResult], words: Words, context: AnalysisContext, others: Sequence[str]
) -> WrittenAnswer:
    schema = next((one.schema for one in results if one.schema is not None), None)
    if schema is None:
        return WrittenAnswer(markdown=words.no_source, outcome="not_found")
    known = context.schema_manager.known_whole(schema)
    if known is None and len(schema.tables) == 1:
        # The name of the only table says little; its columns are few.
        known = context.schema_manager.peek(schema.source, "detailed")
    reader, read_over = context.reader or context.sql_writer, known or schema

    def answers(query: str) -> bool:
        return is_sure(reader.read(query, read_over), context.sure_from)

    markdown, found = advise(read_over if len(schema.tables) == 1 else schema, words.language, answers)
    if others:
        markdown += "\n\n" + words.others.format(names=words.list_joint.join(map(escaped, others)))
    return WrittenAnswer(
        markdown=markdown,
        outcome="answered" if schema.tables else "not_found",
        suggestions=found.queries[:3],
    )


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
    asked = replace(classified, request_type="data_query", details={})
    answer, deviation, results = _analysed(data, asked, context, emit, cancel)
    values = [value for one in results if one.table is not None for value in found_values(one)]
    # Without a value the documents are asked as the user did, so that they may still know.
    question = knowledge_question(knowledge, data, values[0]) if values else query
    relay = Relay(emit)
    summary = context.ask_knowledge(question, relay.emit)
    cancel.check()
    if relay.answer is None:
        emit(_completed(answer))
    else:
        emit(_completed(merged_answer(answer, relay.answer)))
    return replace(summary, iterations=summary.iterations + 1, deviation=deviation)


def _completed(answer: WrittenAnswer) -> AnswerCompleted:
    return AnswerCompleted(
        markdown=answer.markdown,
        outcome=answer.outcome,
        citations=answer.citations,
        unsupported=answer.unsupported,
        suggestions=answer.suggestions,
    )
