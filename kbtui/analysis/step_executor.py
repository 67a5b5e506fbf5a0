"""Executes the steps of a plan in order, and checks each result before the next step (spec 004, 3).

A statement that fails or has an odd result is replaced by the next reading of the question, at most three times and
never by one that was tried. Steps that depend on a failed one are changed or skipped, and the plan says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from kbtui.analysis.analysis_planner import CONTEXT, PYTHON, fill_markers
from kbtui.analysis.calculation import calculation_code, pure_calculation, sorted_series
from kbtui.analysis.chart_requests import read_chart_request
from kbtui.analysis.context import AnalysisContext
from kbtui.analysis.execution_validator import ExecutionValidator
from kbtui.analysis.plan_adjustment import PlanAdjuster
from kbtui.analysis.result_checks import RANK, Finding, check_result, contains_values, normalise_sql, require_comparable
from kbtui.analysis.results import StepResult, as_rows, naming_values, values_as_text, without_midnights
from kbtui.analysis.step_reporter import StepReporter
from kbtui.analysis.wording import Words
from kbtui.domain.analysis import ChartKind, Reading, Readings, ResultTable, Schema
from kbtui.domain.events import ChartProduced, PlanStep, Progress, StepDecision, StepStatus, Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, KbtuiError

MAX_ATTEMPTS: Final = 3
"""Attempts at one step (spec 004, requirement 3.5)."""

STAGE: Final = "steps"
"""The stage of its `Progress`."""

_SLOW_MS: Final = 10_000.0
"""Duration of a failed call from which there is no other attempt, which would take as long."""

_RETRY_CONFIDENCE: Final = 0.5
"""Share of the minimal confidence that later readings must have."""


class _Attempts(Struct):
    """The attempts at one question."""

    failed: list[tuple[str, str]] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    best: tuple[Finding, ResultTable, Reading] | None = None
    settled: bool = False

    def better(self, finding: Finding, table: ResultTable, reading: Reading) -> None:
        if self.best is None or RANK[finding.kind] < RANK[self.best[0].kind]:
            self.best = finding, table, reading


class StepExecutor:
    """Executes the steps of one run.

    Args:
        context: The dependencies of the analysis.
        validator: Records every call.
        words: Phrases in the language of the question.
        query: The whole question.
    """

    def __init__(
        self,
        context: AnalysisContext,
        validator: ExecutionValidator,
        emit: Emit,
        cancel: CancelToken,
        words: Words,
        query: str,
    ) -> None:
        self._context = context
        self._emit = emit
        self._cancel = cancel
        self._words = words
        self._query = query
        self._reporter = StepReporter(context, validator, emit)
        self._adjuster = PlanAdjuster(emit)
        self._schema: Schema | None = None
        self._results: dict[str, StepResult] = {}
        self._pending: Sequence[PlanStep] = ()

    def execute(self, steps: Sequence[PlanStep]) -> tuple[StepResult, ...]:
        """Execute the steps; results in the order of execution.

        Raises:
            KbtuiError: The source cannot be read at all.
            Cancelled: The run was stopped.
        """
        pending, total = list(steps), len(steps)
        while pending:
            self._cancel.check()
            step = pending.pop(0)
            self._pending = pending
            result = self._execute_step(step)
            self._results[step.step_id] = result
            pending, removed = self._adjuster.adjust(result, pending)
            self._results |= {one.step.step_id: one for one in removed}
            self._emit(Progress(stage=STAGE, done=total - len(pending), total=total, message=step.purpose))
        return tuple(self._results.values())

    def _execute_step(self, step: PlanStep) -> StepResult:
        if step.tool == CONTEXT:
            return self._read_structure(step)
        if step.tool == PYTHON:
            return self._calculate(step)
        return self._ask(step)

    def _read_structure(self, step: PlanStep) -> StepResult:
        self._reporter.started(step)
        try:
            output = self._reporter.call(step, dict(step.args), kind=step.schema_level)
        except Cancelled:
            raise
        except KbtuiError as error:
            self._reporter.finished(step, "failed", "skip", error.message)
            raise
        if isinstance(output.artifact, Schema):
            self._schema = output.artifact
        self._reporter.finished(step, "done", "proceed", output.note)
        self._report_notes(output.artifact)
        return StepResult(step=step, status="done", schema=self._schema)

    def _report_notes(self, schema: object) -> None:
        """Warn of the notes of a source (omitted lines, a guessed encoding), once in a session."""
        if not isinstance(schema, Schema):
            return
        for note in schema.notes:
            if (schema.source, note) not in self._context.shown_notes:
                self._context.shown_notes.add((schema.source, note))
                self._emit(Warned(message=f"{schema.source}: {note}", where="data"))

    def _ask(self, step: PlanStep) -> StepResult:
        """Execute a question, with further readings if the first ones fail."""
        question = self._filled(str(step.args.get("question", "")))
        needed, schema = self._needed_values(step), self._read_schema()
        attempts, first = _Attempts(), Readings()
        # Writing the statement is part of the step: a chat model takes seconds for it.
        self._reporter.started(step)
        for attempt in range(1, MAX_ATTEMPTS + 1):
            self._cancel.check()
            readings = self._context.sql_writer.read(question, schema, failed=tuple(attempts.failed))
            first = readings if attempt == 1 else first
            reading = self._next_reading(readings, attempts, needed)
            sure_from = self._context.min_confidence * (1.0 if attempt == 1 else _RETRY_CONFIDENCE)
            # An unread word may matter most, whatever the confidence.
            if reading is None or reading.confidence < sure_from or reading.unlinked:
                if attempt == 1:
                    return self._uncertain_result(step, question, readings, reading)
                break
            if attempt > 1:
                self._reporter.started(step, attempt)
            finding, table = self._run(step, question, reading, attempt)
            attempts.tried.add(normalise_sql(reading.sql, schema.dialect))
            attempts.failed.append((reading.sql, finding.reason))
            if table is not None:
                attempts.better(finding, table, reading)
            retries = finding.kind != "good" and attempt < MAX_ATTEMPTS and self._is_retry_useful(step)
            usable = _is_usable(finding, step)
            attempts.settled = not retries and attempts.best is not None and attempts.best[2] is reading
            status: StepStatus = "done" if usable else "failed"
            decision: StepDecision = "modify" if retries else self._decision(step, status, finding)
            self._reporter.finished(step, status, decision, finding.reason, attempt)
            if not retries:
                break
        return self._query_result(step, question, first, attempts)

    def _uncertain_result(
        self, step: PlanStep, question: str, readings: Readings, reading: Reading | None
    ) -> StepResult:
        """The result of a question without a reading that is likely enough to be run."""
        if reading is not None and reading.unlinked:
            reason = f"nothing in the likeliest reading stands for {', '.join(reading.unlinked)}"
        elif reading is not None:
            reason = f"the likeliest reading has a confidence of {reading.confidence:.2f}"
        elif readings.readings:
            reason = "no reading of it uses what was found before"
        else:
            reason = "nothing of the source was recognised in it"
        self._reporter.finished(step, "skipped", "skip", reason)
        return StepResult(
            step=step, status="skipped", question=question, readings=readings, is_uncertain=True, reason=reason
        )

    def _query_result(self, step: PlanStep, question: str, first: Readings, attempts: _Attempts) -> StepResult:
        reason = attempts.failed[-1][1]
        result = StepResult(step=step, status="failed", question=question, readings=first, reason=reason)
        if attempts.best is not None:
            finding, table, reading = attempts.best
            result = replace(result, reading=reading, reason=finding.reason)
            if _is_usable(finding, step):
                result = replace(result, status="done", table=table)
        if not attempts.settled:
            # An earlier attempt was better than the last one.
            finding = attempts.best[0] if attempts.best is not None else Finding(kind="error")
            decision = self._decision(step, result.status, finding)
            self._reporter.finished(step, result.status, decision, result.reason, len(attempts.failed))
        if result.table is not None:
            self._reporter.produced(step, result.table)
        return result

    def _decision(self, step: PlanStep, status: StepStatus, finding: Finding) -> StepDecision:
        """How the plan continues: steps that need missing values are skipped."""
        if status != "done":
            return "skip"
        needed = any(step.step_id in later.args.get("uses", ()) for later in self._pending)
        return "skip" if finding.kind == "empty" and needed else "proceed"

    def _run(self, step: PlanStep, question: str, reading: Reading, attempt: int) -> tuple[Finding, ResultTable | None]:
        args = {"source": str(step.args.get("source", "")), "sql": reading.sql}
        try:
            output = self._reporter.call(step, args, kind=reading.query_kind, attempt=attempt, sub_question=question)
        except Cancelled:
            raise
        except KbtuiError as error:
            return Finding(kind="error", reason=error.message), None
        table = output.artifact
        if not isinstance(table, ResultTable):
            return Finding(kind="error", reason="the tool brought no table"), None
        table = replace(table, sql=table.sql or reading.sql, source=table.source or args["source"])
        table = without_midnights(table)
        return check_result(table, _expects(step), reading.sql, self._schema), table

    def _calculate(self, step: PlanStep) -> StepResult:
        """Execute a calculation over results, or over numbers of the question alone."""
        self._reporter.started(step)
        name = str(step.args.get("calculation", ""))
        used = [self._results[step_id] for step_id in step.args.get("uses", ())]
        tables = [(step_id.step.step_id, step_id.table) for step_id in used if step_id.table is not None]
        try:
            if name == "growth_series":
                tables = [(key, sorted_series(table)) for key, table in tables]
            if len(tables) > 1:
                require_comparable(name, [table for _, table in tables], self._read_schema().dialect)
            pure = None if used else pure_calculation(name)
            code = pure[1] if pure is not None else calculation_code(name, tables)
            args: dict[str, Any] = {"code": code}
            event_args: dict[str, Any] = {"code": code}
            if tables:
                args["tables"] = {key: as_rows(table) for key, table in tables}
                # The event names the tables without their rows, which are in other events.
                event_args["tables"] = [key for key, _ in tables]
            output = self._reporter.call(step, args, kind=name if pure is None else pure[0], event_args=event_args)
        except Cancelled:
            raise
        except ValueError as error:
            reason = str(error)
        except KbtuiError as error:
            reason = error.message
        else:
            table = output.artifact
            if isinstance(table, ResultTable) and table.rows:
                self._reporter.finished(step, "done", "proceed")
                self._reporter.produced(step, table)
                return StepResult(step=step, status="done", table=table, question=self._query)
            reason = "the calculation brought nothing"
        self._reporter.finished(step, "failed", "skip", reason)
        return StepResult(step=step, status="failed", reason=reason, question=self._query)

    def draw(self, *, asked: bool) -> ChartKind | None:
        """Draw the last result that has rows, as a chart of its step.

        Drawing is no step of the plan, because no tool is called for it.

        Args:
            asked: A chart was asked for. Otherwise only trends over time are drawn, and charts that suit the purpose of
                the question (a share, a distribution, a relation).

        Returns:
            The kind of chart that is worth drawing and was not asked for; None if a chart was drawn, or none is.
        """
        last = next(
            (result for result in reversed(self._results.values()) if result.table is not None and result.table.rows),
            None,
        )
        if last is None or last.table is None or (charts := self._context.charts) is None:
            return None
        wish = charts.wish(self._query, last.table.columns, last.table.rows)
        if wish is None:
            if asked:
                self._emit(Warned(message=self._words.no_chart, where="chart"))
            return None
        if not asked:
            if not charts.is_worth_drawing(wish, last.table.columns, last.table.rows):
                return None
            if wish.kind != "line" and read_chart_request(self._query).suitable_kind != wish.kind:
                return wish.kind
        chart, title = charts.build_chart(wish, last.table, language=self._words.language)
        self._emit(ChartProduced(step_id=last.step.step_id, chart=chart, title=title))
        return None

    def _next_reading(self, readings: Readings, attempts: _Attempts, needed: Sequence[object]) -> Reading | None:
        """The best reading that was not tried and that contains the needed values."""
        dialect = self._read_schema().dialect
        for reading in readings.readings:
            if contains_values(reading.sql, needed) and normalise_sql(reading.sql, dialect) not in attempts.tried:
                return reading
        return None

    def _is_retry_useful(self, step: PlanStep) -> bool:
        """Whether another statement may succeed: the source is reachable and not slow."""
        if self._reporter.call_ms > _SLOW_MS:
            return False
        try:
            self._context.schema_manager.source(str(step.args.get("source", ""))).fingerprint()
        except KbtuiError:
            return False
        return True

    def _read_schema(self) -> Schema:
        assert self._schema is not None, "a plan looks at the structure before it asks"
        return self._schema

    def _filled(self, question: str) -> str:
        """The question with markers replaced by the values of earlier steps."""

        def said(step_id: str, top: bool) -> str:
            result = self._results.get(step_id)
            return values_as_text(result, top, self._words) if result is not None else ""

        return fill_markers(question, said)

    def _needed_values(self, step: PlanStep) -> tuple[object, ...]:
        """The values of earlier steps of which a statement must contain at least one."""
        used = [self._results[step_id] for step_id in step.args.get("uses", ()) if step_id in self._results]
        return tuple(value for result in used for value in naming_values(result))


def _expects(step: PlanStep) -> str:
    return str(step.args.get("expects", "rows"))


def _is_usable(finding: Finding, step: PlanStep) -> bool:
    """Whether a result can be used; without rows only if the step expects rows, not a figure."""
    return finding.kind == "good" or (finding.kind == "empty" and _expects(step) == "rows")
