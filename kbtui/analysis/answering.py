"""Writes the answer of an analysis: a sentence and a table for each result, every number cited with its statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from kbtui import late_patterns
from kbtui.analysis.analysis_planner import CONTEXT, PYTHON
from kbtui.analysis.calculation import number_columns
from kbtui.analysis.chart_requests import CHART_NAMES
from kbtui.analysis.context import Choice, Choices
from kbtui.analysis.markdown import (
    MAX_ROWS,
    escape,
    format_cell,
    format_signed,
    format_table,
    formatted_rows,
    grouped_columns,
    percent_sign,
)
from kbtui.analysis.results import StepResult, naming_column
from kbtui.analysis.wording import Words
from kbtui.domain.analysis import ChartKind, Reading, ResultTable
from kbtui.domain.answer import Citation, Outcome, WrittenAnswer
from kbtui.domain.events import OfferedReading, ReadingChosen, RequestType
from kbtui.domain.routing import Signal
from kbtui.text.language import has_cjk
from kbtui.text.terminal import one_line

MAX_OFFERED: Final = 4
"""Readings that are offered for all parts of a question, at most."""
_MAX_LINKS: Final = 6
_CERTAIN_CONFIDENCE: Final = 0.8
"""Confidence of an answer from which no other reading is offered."""
_MIN_OFFERED_CONFIDENCE: Final = 0.1
_LIMITED: Final = late_patterns.pattern(r"(?i)\b(?:limit\s+\d+|fetch\s+first\s+\d+\s+rows?\s+only)\s*$")
"""The end of a statement that returns only its first rows."""


_TWO_FIGURE_PHRASES: Final = {
    "compare": ("compared", "second", "first", "difference", "change %"),
    "growth": ("grown", "from", "to", "change", "growth %"),
    "share": ("shared", "part", "whole", "", "share %"),
}
"""Calculations over two figures: the phrase, and the columns of the figures, their difference and the percentage."""


class Answerer(Struct):
    """Writes the answer of one run.

    Args:
        choices: Records the readings that are offered.
        title: Title of the source.
        undrawn: The kind of chart that is offered, because it was not asked for.
    """

    words: Words
    choices: Choices
    query: str
    request_type: RequestType
    source: str
    title: str
    undrawn: ChartKind | None = None
    _citations: list[Citation] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _readings: list[ReadingChosen] = field(default_factory=list)

    @property
    def readings(self) -> tuple[ReadingChosen, ...]:
        """The chosen and offered readings of each question; complete once the answer is written."""
        return tuple(self._readings)

    def write(self, results: Sequence[StepResult]) -> WrittenAnswer:
        """The answer to all questions, failed ones included."""
        shown_results = [result for result in results if result.step.tool != CONTEXT]
        by_id = {result.step.step_id: result for result in results}
        several = len(shown_results) > 1
        # Results that are only inputs of a calculation are not shown.
        inputs = {
            used
            for result in shown_results
            if result.step.tool == PYTHON and result.table is not None
            for used in result.step.args.get("uses", ())
        }
        blocks = [self.opening(shown_results)]
        blocks += [
            self.block(result, by_id, several)
            for result in shown_results
            # A skipped calculation has no inputs, and the block of these says why.
            if not (result.step.tool == PYTHON and result.status == "skipped")
            and (result.step.step_id not in inputs or result.step.args.get("expects") == "figure")
        ]
        self._readings = self._chosen_readings(shown_results)
        offered = [reading.says for result in self._readings for reading in result.offered]
        if any(result.is_uncertain for result in shown_results) and offered:
            blocks.append(self.words.choose)
        if self._citations:
            lines = "\n".join(f"[{c.n}] {one_line(c.label)}" for c in self._citations)
            blocks.append(f"---\n{lines}")
        return WrittenAnswer(
            markdown="\n\n".join(block for block in blocks if block),
            outcome=_outcome(shown_results),
            citations=tuple(self._citations),
            suggestions=(*offered, *self._charts_to_offer(shown_results)),
        )

    def opening(self, _told: Sequence[StepResult]) -> str:
        """The text before the blocks of steps; empty by default."""
        return ""

    def block(self, result: StepResult, by_id: Mapping[str, StepResult], several: bool) -> str:
        """The text of one step: its result, or why it has none."""
        words = self.words
        if result.is_uncertain:
            template = words.unsure_part if several else words.unsure
            text = template.format(source=escape(self.title), question=escape(result.question))
            if links := _links(result):
                said = (words.link.format(word=escape(word), target=escape(target)) for word, target in links)
                text += words.gap + words.understood.format(links=words.link_joint.join(said))
            if unlinked := _unlinked(result):
                text += words.gap + words.unlinked.format(words=words.list_joint.join(map(escape, unlinked)))
            objections = words.listing("objections")
            reasons = [objections[name] for name in result.readings.objections if name in objections]
            return words.gap.join((text, *reasons))
        if result.table is None:
            question = escape(result.question or result.step.purpose)
            return words.failed.format(question=question, reason=escape(result.reason))
        if result.step.tool == PYTHON:
            return self._calculation_text(result, result.table, by_id)
        return f"{self._reading_line(result, result.table)}\n\n{self._result_text(result, result.table)}"

    def _reading_line(self, result: StepResult, table: ResultTable) -> str:
        """The line above the rows: the reading of the question, with yes or no if it asks for that."""
        words = self.words
        if result.reading is None or not result.reading.truth:
            return words.read_as.format(says=_reading_text(result))
        return (words.yes if _is_true(table) else words.no).format(says=_reading_text(result))

    def _result_text(self, result: StepResult, table: ResultTable) -> str:
        words, mark = self.words, self.mark(table)
        count = max(table.row_count, len(table.rows))
        if not table.rows or all(cell is None for row in table.rows for cell in row):
            return words.no_rows.format(mark=mark)
        lines = []
        if len(table.rows) == 1 and not table.truncated:
            is_figure = len(table.columns) == 1
            what = f"**{next(formatted_rows(table, 1))[0]}{percent_sign(table)}**" if is_figure else self.row(table)
            lines.append(f"{what} {mark}".rstrip() + words.stop)
        else:
            counted = f"{words.counted(count)} {mark}".rstrip() + words.stop
            lines += [self._extremes(table, mark) or counted, format_table(table)]
        if result.reading is not None:
            if result.reading.differs:
                lines.append(words.differs.format(says=escape(result.reading.differs)))
            lines += [words.tied.format(mark=mark)] * result.reading.tied
            lines += [words.cut_period(cut).format(mark=mark) for cut in result.reading.cut]
        if count > MAX_ROWS:
            lines.append(words.shown_rows.format(shown=min(MAX_ROWS, len(table.rows)), count=f"{count:,}", mark=mark))
        if table.truncated:
            lines.append(words.cut_rows.format(count=f"{len(table.rows):,}", mark=mark))
        return "\n\n".join(lines)

    def row(self, table: ResultTable) -> str:
        """The first row, each cell with the name of its column."""
        cells = zip(table.columns, next(formatted_rows(table, 1)), strict=True)
        return "; ".join(f"{escape(name)} **{cell}**" for name, cell in cells)

    def _extremes(self, table: ResultTable, mark: str) -> str | None:
        """The number of rows with a name and a figure, and the highest and lowest figure."""
        numbers = number_columns(table)
        if len(table.columns) != 2 or len(numbers) != 1 or table.truncated or len(table.rows) < 3:
            return None
        if _LIMITED.search(table.sql):
            return None  # With a limit the last row is not the lowest of all.
        value = table.columns.index(numbers[0])
        name = naming_column(table)
        if name == value:
            return None
        rows = [row for row in table.rows if row[value] is not None and row[name] is not None]
        if len(rows) < 3:
            return None
        high, low = max(rows, key=lambda row: row[value]), min(rows, key=lambda row: row[value])
        if high[value] == low[value]:
            return None
        grouped = grouped_columns(table)
        return self.words.extremes.format(
            rows=self.words.counted(len(table.rows)),
            top=format_cell(high[name]),
            high=format_cell(high[value], grouped[value]),
            bottom=format_cell(low[name]),
            low=format_cell(low[value], grouped[value]),
            mark=mark,
        )

    def _calculation_text(self, result: StepResult, table: ResultTable, by_id: Mapping[str, StepResult]) -> str:
        words = self.words
        name = str(result.step.args.get("calculation", ""))
        used = [by_id[step_id] for step_id in result.step.args.get("uses", ()) if step_id in by_id]
        marks = "".join(dict.fromkeys(self.mark(step_id.table) for step_id in used if step_id.table is not None))
        row = dict(zip(table.columns, table.rows[0], strict=True))
        if name in _TWO_FIGURE_PHRASES:
            phrase, step_id, second_column, difference, percent = _TWO_FIGURE_PHRASES[name]
            a, b = (format_cell(row.get(column), grouped=True) for column in (step_id, second_column))
            if name == "compare":
                # The readings stand above; the questions are shorter.
                a, b = (
                    f"{escape(side[0].question) if side else ''}{words.aside(said)}"
                    for side, said in ((used[1:], a), (used[:1], b))
                )
            share = row.get(percent)
            line = str(getattr(words, phrase)).format(
                a=a,
                b=b,
                difference=format_signed(row.get(difference)),
                percent=_percent(share, words) if difference else "—" if share is None else f"{format_cell(share)} %",
                mark=marks,
            )
        else:
            # The calculation with the reading of its input; the input itself is not shown.
            description = (
                words.calculation(name) + words.aside(_reading_text(used[0])) if used else escape(result.question)
            )
            what = self.row(table) if len(table.rows) == 1 else words.counted(len(table.rows))
            line = words.found.format(says=description, what=what, mark=marks).rstrip() + words.stop
            if len(table.rows) > 1:
                line += "\n\n" + format_table(table)
        cut = [step_id.table for step_id in used if step_id.table is not None and step_id.table.truncated]
        if cut:
            line += "\n\n" + words.cut_rows.format(count=f"{len(cut[0].rows):,}", mark=self.mark(cut[0]))
        return line

    def mark(self, table: ResultTable) -> str:
        """The citation mark of the statement of a table; empty if it has none."""
        if not table.sql:
            return ""
        if table.sql not in self._numbers:
            number = len(self._citations) + 1
            self._numbers[table.sql] = number
            rows = self.words.counted(max(table.row_count, len(table.rows)))
            self._citations.append(
                Citation(
                    n=number,
                    kind="sql",
                    sql=table.sql,
                    source=table.source,
                    title=self.title if self.title != table.source else None,
                    quote=self.words.cut.format(rows=rows) if table.truncated else rows,
                )
            )
        return f"[{self._numbers[table.sql]}]"

    def _chosen_readings(self, results: Sequence[StepResult]) -> list[ReadingChosen]:
        """The chosen readings of results; offered readings are numbered over all results, each offered once."""
        chosen: list[ReadingChosen] = []
        offered_texts: set[str] = set()
        for result in results:
            if result.reading is None and not result.is_uncertain:
                continue
            offered = []
            for reading, text in self._readings_to_offer(result):
                if text not in offered_texts and len(offered_texts) < MAX_OFFERED:
                    offered_texts.add(text)
                    offered.append(
                        OfferedReading(n=len(offered_texts), says=text, sql=reading.sql, confidence=reading.confidence)
                    )
            ran = None if result.is_uncertain else result.reading
            chosen.append(
                ReadingChosen(
                    source=self.source,
                    says=ran.says if ran is not None else "",
                    sql=ran.sql if ran is not None else "",
                    confidence=ran.confidence if ran is not None else 0.0,
                    unread=_unlinked(result) if ran is None else ran.unlinked,
                    offered=tuple(offered),
                    understood=tuple(Signal(name=word, detail=meaning) for word, meaning in _links(result))
                    if ran is None
                    else (),
                )
            )
        return chosen

    def _readings_to_offer(self, result: StepResult) -> list[tuple[Reading, str]]:
        """The readings to offer: of a question that was not understood, or not with certainty."""
        ran = result.reading
        if not result.is_uncertain and (ran is None or ran.confidence >= _CERTAIN_CONFIDENCE):
            return []
        min_confidence = 0.0 if result.is_uncertain else _MIN_OFFERED_CONFIDENCE
        others = (one for one in result.readings.readings if ran is None or one.sql != ran.sql)
        likely = [one for one in others if one.confidence >= min_confidence][:MAX_OFFERED]
        return [(reading, self._offer(reading)) for reading in likely]

    def _charts_to_offer(self, results: Sequence[StepResult]) -> Iterator[str]:
        """The chart of a single result, under a text that draws it."""
        reading = results[0].reading if len(results) == 1 else None
        if (name := self.words.listing("charts").get(self.undrawn or "")) and reading is not None:
            yield self.choices.offer(
                Choice(
                    reading=reading,
                    source=self.source,
                    request_type="visualization",
                    query=CHART_NAMES[self.undrawn or ""],
                    text=self.words.as_chart.format(chart=name, says=reading.says),
                )
            )

    def _offer(self, reading: Reading) -> str:
        offered: RequestType = "visualization" if self.request_type == "visualization" else "data_query"
        return self.choices.offer(Choice(reading=reading, source=self.source, request_type=offered, query=self.query))


def _percent(value: Any, words: Words) -> str:
    if value is None:
        return ""
    return words.aside(f"{format_signed(value)} %")


def _reading_text(result: StepResult) -> str:
    text = result.reading.says if result.reading is not None and result.reading.says else result.question
    without_mark = text.strip().rstrip(".。?？")
    # A Chinese text may begin with a name of the source, whose case is kept.
    return escape(without_mark if has_cjk(without_mark) else without_mark[:1].upper() + without_mark[1:])


def _unlinked(result: StepResult) -> tuple[str, ...]:
    best = result.readings.best
    return (best.unlinked if best is not None else ()) or result.readings.unlinked


def _links(result: StepResult) -> list[tuple[str, str]]:
    """The words that were recognised, each with its meaning."""
    best = result.readings.best
    links = dict.fromkeys((link.name, link.detail) for link in best.links if link.name) if best is not None else {}
    return list(links)[:_MAX_LINKS]


def _is_true(table: ResultTable) -> bool:
    """Whether a table is the answer yes: a figure other than 0, or rows."""
    if len(table.rows) == 1 and len(table.columns) == 1:
        return bool(table.rows[0][0])
    return any(cell is not None for row in table.rows for cell in row)


def _outcome(results: Sequence[StepResult]) -> Outcome:
    done = [result for result in results if result.status == "done"]
    if not done:
        return "not_found"
    return "answered" if len(done) == len(results) else "partial"
