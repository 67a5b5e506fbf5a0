"""Does the steps of a plan one after the other, and looks at what each brought before the next (spec 004, 3).

A statement that fails or brings something odd is replaced by the next reading of the question, at most three times and
never by one that was tried. What cannot be had changes the steps that needed it: they are asked without it, drawn from
something else, or left out, and the plan says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from kbtui.analysis.adjusting import Adjuster
from kbtui.analysis.analysis_planner import CONTEXT, PYTHON, filled
from kbtui.analysis.calculation import code_for, in_order, pure_calculation
from kbtui.analysis.chart_words import named
from kbtui.analysis.context import AnalysisContext
from kbtui.analysis.execution_validator import ExecutionValidator
from kbtui.analysis.result_checks import RANK, Finding, checked, mentions, must_compare, normalised
from kbtui.analysis.results import StepResult, as_rows, found_values, said_values, without_midnights
from kbtui.analysis.telling import Teller
from kbtui.analysis.wording import Words
from kbtui.domain.analysis import Reading, Readings, ResultTable, Schema
from kbtui.domain.events import ChartProduced, PlanStep, Progress, StepDecision, StepStatus, Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, KbtuiError

MOST_ATTEMPTS: Final = 3
"""Attempts at one step (spec 004, requirement 3.5)."""

STAGE: Final = "steps"
"""The stage of its `Progress`."""

_SLOW_MS: Final = 10_000.0
"""What failed after so long is not tried in other words: it would take as long again."""

_LIKELY: Final = 0.5
"""Share of the needed confidence that a second reading must have, once the first has been tried."""


class _Attempts(Struct):
    """What has been tried for one question."""

    failed: list[tuple[str, str]] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    best: tuple[Finding, ResultTable, Reading] | None = None
    settled: bool = False

    def better(self, finding: Finding, table: ResultTable, reading: Reading) -> None:
        if self.best is None or RANK[finding.kind] < RANK[self.best[0].kind]:
            self.best = finding, table, reading


class StepExecutor:
    """Does the steps of one run.

    Args:
        context: What the analysis was given.
        validator: Told of every call.
        words: In the language of the question.
        query: The question as a whole.
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
        self._tell = Teller(context, validator, emit)
        self._adjuster = Adjuster(emit)
        self._schema: Schema | None = None
        self._results: dict[str, StepResult] = {}
        self._pending: Sequence[PlanStep] = ()

    def execute(self, steps: Sequence[PlanStep]) -> tuple[StepResult, ...]:
        """Do the steps; results in the order they came.

        Raises:
            KbtuiError: The source cannot be read at all.
            Cancelled: The run was stopped.
        """
        pending, total = list(steps), len(steps)
        while pending:
            self._cancel.check()
            step = pending.pop(0)
            self._pending = pending
            result = self._done(step)
            self._results[step.step_id] = result
            pending, removed = self._adjuster.after(result, pending)
            self._results |= {one.step.step_id: one for one in removed}
            self._emit(Progress(stage=STAGE, done=total - len(pending), total=total, message=step.purpose))
        return tuple(self._results.values())

    def _done(self, step: PlanStep) -> StepResult:
        if step.tool == CONTEXT:
            return self._look(step)
        if step.tool == PYTHON:
            return self._calculate(step)
        return self._ask(step)

    def _look(self, step: PlanStep) -> StepResult:
        self._tell.started(step)
        try:
            output = self._tell.call(step, dict(step.args), kind=step.schema_level)
        except Cancelled:
            raise
        except KbtuiError as error:
            self._tell.finished(step, "failed", "skip", error.message)
            raise
        if isinstance(output.artifact, Schema):
            self._schema = output.artifact
        self._tell.finished(step, "done", "proceed", output.note)
        self._tell_notes(output.artifact)
        return StepResult(step=step, status="done", schema=self._schema)

    def _tell_notes(self, schema: object) -> None:
        """What was noticed while a source was opened (lines left out, an encoding guessed), once in a sitting."""
        if not isinstance(schema, Schema):
            return
        for note in schema.notes:
            if (schema.source, note) not in self._context.told:
                self._context.told.add((schema.source, note))
                self._emit(Warned(message=f"{schema.source}: {note}", where="data"))

    def _ask(self, step: PlanStep) -> StepResult:
        """A question, by as many readings as it takes."""
        question = self._filled(str(step.args.get("question", "")))
        needed, schema = self._needed(step), self._read_schema()
        attempts, first = _Attempts(), Readings()
        # Finding the statement is part of the step: a chat model takes seconds for it.
        self._tell.started(step)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            self._cancel.check()
            found = self._context.sql_writer.read(question, schema, failed=tuple(attempts.failed))
            first = found if attempt == 1 else first
            reading = self._next(found, attempts, needed)
            sure_from = self._context.sure_from * (1.0 if attempt == 1 else _LIKELY)
            # Whatever its confidence: a word that nothing reads may be what matters most.
            if reading is None or reading.confidence < sure_from or reading.unlinked:
                if attempt == 1:
                    return self._unsure(step, question, found, reading)
                break
            if attempt > 1:
                self._tell.started(step, attempt)
            finding, table = self._run(step, question, reading, attempt)
            attempts.tried.add(normalised(reading.sql, schema.dialect))
            attempts.failed.append((reading.sql, finding.reason))
            if table is not None:
                attempts.better(finding, table, reading)
            again = finding.kind != "good" and attempt < MOST_ATTEMPTS and self._worth_more(step)
            usable = _usable(finding, step)
            attempts.settled = not again and attempts.best is not None and attempts.best[2] is reading
            status: StepStatus = "done" if usable else "failed"
            decision: StepDecision = "modify" if again else self._decided(step, status, finding)
            self._tell.finished(step, status, decision, finding.reason, attempt)
            if not again:
                break
        return self._asked(step, question, first, attempts)

    def _unsure(self, step: PlanStep, question: str, found: Readings, reading: Reading | None) -> StepResult:
        """No reading is likely enough to be run: it is not guessed."""
        if reading is not None and reading.unlinked:
            reason = f"nothing in the likeliest reading stands for {', '.join(reading.unlinked)}"
        elif reading is not None:
            reason = f"the likeliest reading has a confidence of {reading.confidence:.2f}"
        elif found.readings:
            reason = "no reading of it uses what was found before"
        else:
            reason = "nothing of the source was recognised in it"
        self._tell.finished(step, "skipped", "skip", reason)
        return StepResult(step=step, status="skipped", question=question, readings=found, unsure=True, reason=reason)

    def _asked(self, step: PlanStep, question: str, first: Readings, attempts: _Attempts) -> StepResult:
        reason = attempts.failed[-1][1]
        result = StepResult(step=step, status="failed", question=question, readings=first, reason=reason)
        if attempts.best is not None:
            finding, table, reading = attempts.best
            result = replace(result, reading=reading, reason=finding.reason)
            if _usable(finding, step):
                result = replace(result, status="done", table=table)
        if not attempts.settled:
            # How a step ended is not how its last attempt did, where an earlier one was better.
            finding = attempts.best[0] if attempts.best is not None else Finding(kind="error")
            decision = self._decided(step, result.status, finding)
            self._tell.finished(step, result.status, decision, result.reason, len(attempts.failed))
        if result.table is not None:
            self._tell.produced(step, result.table)
        return result

    def _decided(self, step: PlanStep, status: StepStatus, finding: Finding) -> StepDecision:
        """How to go on: steps that need what was not found are left out."""
        if status != "done":
            return "skip"
        needed = any(step.step_id in later.args.get("uses", ()) for later in self._pending)
        return "skip" if finding.kind == "empty" and needed else "proceed"

    def _run(self, step: PlanStep, question: str, reading: Reading, attempt: int) -> tuple[Finding, ResultTable | None]:
        args = {"source": str(step.args.get("source", "")), "sql": reading.sql}
        try:
            output = self._tell.call(step, args, kind=reading.query_kind, attempt=attempt, sub_question=question)
        except Cancelled:
            raise
        except KbtuiError as error:
            return Finding(kind="error", reason=error.message), None
        table = output.artifact
        if not isinstance(table, ResultTable):
            return Finding(kind="error", reason="the tool brought no table"), None
        table = replace(table, sql=table.sql or reading.sql, source=table.source or args["source"])
        table = without_midnights(table)
        return checked(table, _expects(step), reading.sql, self._schema), table

    def _calculate(self, step: PlanStep) -> StepResult:
        """A calculation, over the results it uses or over numbers of the question alone."""
        self._tell.started(step)
        name = str(step.args.get("calculation", ""))
        used = [self._results[one] for one in step.args.get("uses", ())]
        tables = [(one.step.step_id, one.table) for one in used if one.table is not None]
        try:
            if name == "growth_series":
                tables = [(key, in_order(table)) for key, table in tables]
            if len(tables) > 1:
                must_compare(name, [table for _, table in tables], self._read_schema().dialect)
            pure = None if used else pure_calculation(name)
            code = pure[1] if pure is not None else code_for(name, tables)
            args: dict[str, Any] = {"code": code}
            told: dict[str, Any] = {"code": code}
            if tables:
                args["tables"] = {key: as_rows(table) for key, table in tables}
                # Rows belong to the table that was shown, not to the call.
                told["tables"] = [key for key, _ in tables]
            output = self._tell.call(step, args, kind=name if pure is None else pure[0], told=told)
        except Cancelled:
            raise
        except ValueError as error:
            reason = str(error)
        except KbtuiError as error:
            reason = error.message
        else:
            table = output.artifact
            if isinstance(table, ResultTable) and table.rows:
                self._tell.finished(step, "done", "proceed")
                self._tell.produced(step, table)
                return StepResult(step=step, status="done", table=table, question=self._query)
            reason = "the calculation brought nothing"
        self._tell.finished(step, "failed", "skip", reason)
        return StepResult(step=step, status="failed", reason=reason, question=self._query)

    def draw(self, *, asked: bool) -> None:
        """Draw the last result that has rows; its chart belongs to the step that found it.

        Drawing is no step of the plan: a plan names tools, and nothing is called for a picture.

        Args:
            asked: A chart was asked for. Else only what is told by a picture is drawn: how something went over time,
                and what the question is for (a share, a distribution, a relation).
        """
        last = next((one for one in reversed(self._results.values()) if one.table is not None and one.table.rows), None)
        if last is None or last.table is None or (charts := self._context.charts) is None:
            return
        wish = charts.wish(self._query, last.table.columns, last.table.rows)
        if wish is None:
            if asked:
                self._emit(Warned(message=self._words.no_chart, where="chart"))
            return
        if not asked:
            told = wish.kind == "line" or named(self._query).aim == wish.kind
            if not told or not charts.worth(wish, last.table.columns, last.table.rows):
                return
        chart, title = charts.build(wish, last.table, language=self._words.language)
        self._emit(ChartProduced(step_id=last.step.step_id, chart=chart, title=title))

    def _next(self, found: Readings, attempts: _Attempts, needed: Sequence[object]) -> Reading | None:
        """The best reading that was not tried and that uses what it must."""
        dialect = self._read_schema().dialect
        for reading in found.readings:
            if mentions(reading.sql, needed) and normalised(reading.sql, dialect) not in attempts.tried:
                return reading
        return None

    def _worth_more(self, step: PlanStep) -> bool:
        """False when another statement would fail like this one: a slow source, or one that is gone."""
        if self._tell.called_ms > _SLOW_MS:
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
        """The question with what earlier steps found in place of its marks."""

        def said(step_id: str, top: bool) -> str:
            result = self._results.get(step_id)
            return said_values(result, top, self._words) if result is not None else ""

        return filled(question, said)

    def _needed(self, step: PlanStep) -> tuple[object, ...]:
        """The values of earlier steps that a statement must hold, of which one is enough."""
        used = [self._results[one] for one in step.args.get("uses", ()) if one in self._results]
        return tuple(value for result in used for value in found_values(result))


def _expects(step: PlanStep) -> str:
    return str(step.args.get("expects", "rows"))


def _usable(finding: Finding, step: PlanStep) -> bool:
    """No rows are an answer too, where rows were asked for and not a figure."""
    return finding.kind == "good" or (finding.kind == "empty" and _expects(step) == "rows")
