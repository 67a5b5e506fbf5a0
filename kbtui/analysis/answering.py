"""Writes what was computed: a sentence, a table, and behind every number the statement it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from kbtui import late_patterns
from kbtui.analysis.analysis_planner import CONTEXT, PYTHON
from kbtui.analysis.calculation import number_columns
from kbtui.analysis.context import Choice, Choices
from kbtui.analysis.markdown import (
    MOST_ROWS,
    as_markdown,
    cells_of,
    escaped,
    grouped_columns,
    percent_sign,
    shown,
    signed,
)
from kbtui.analysis.results import StepResult, naming_column
from kbtui.analysis.wording import Words
from kbtui.domain.analysis import Reading, ResultTable
from kbtui.domain.answer import Citation, Outcome, WrittenAnswer
from kbtui.domain.events import OfferedReading, ReadingChosen, RequestType
from kbtui.domain.routing import Signal
from kbtui.text.language import has_cjk
from kbtui.text.terminal import one_line

MOST_OFFERED: Final = 4
"""Readings that are offered, over all parts of a question."""
_MOST_LINKS: Final = 6
_SURE: Final = 0.8
"""Confidence from which no other reading is offered beside an answer."""
_WORTH_OFFERING: Final = 0.1
_LIMITED: Final = late_patterns.pattern(r"(?i)\b(?:limit\s+\d+|fetch\s+first\s+\d+\s+rows?\s+only)\s*$")
"""A statement that brings only its first rows."""


_PAIRS: Final = {
    "compare": ("compared", "second", "first", "difference", "change %"),
    "growth": ("grown", "from", "to", "change", "growth %"),
    "share": ("shared", "part", "whole", "", "share %"),
}
"""Calculations over two figures: the phrase, and the columns of the figures, their difference and the percentage."""


class Answerer(Struct):
    """Makes the answer of one run.

    Args:
        choices: Told of the readings that are offered.
        title: What the source is called to a reader.
    """

    words: Words
    choices: Choices
    query: str
    request_type: RequestType
    source: str
    title: str
    _citations: list[Citation] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _readings: list[ReadingChosen] = field(default_factory=list)

    @property
    def readings(self) -> tuple[ReadingChosen, ...]:
        """How each question to the source was read, and what else was offered; known once the answer is written."""
        return tuple(self._readings)

    def write(self, results: Sequence[StepResult]) -> WrittenAnswer:
        """The answer to all that was asked, also of what could not be had."""
        told = [one for one in results if one.step.tool != CONTEXT]
        by_id = {one.step.step_id: one for one in results}
        several = len(told) > 1
        # What was listed only to be calculated with is behind the calculation, not before it.
        behind = {
            used
            for one in told
            if one.step.tool == PYTHON and one.table is not None
            for used in one.step.args.get("uses", ())
        }
        blocks = [self.opening(told)]
        blocks += [
            self.block(one, by_id, several)
            for one in told
            # A calculation that was left out had nothing to calculate with, which is said where that is missing.
            if not (one.step.tool == PYTHON and one.status == "skipped")
            and (one.step.step_id not in behind or one.step.args.get("expects") == "figure")
        ]
        self._readings = self._read(told)
        offered = [reading.says for one in self._readings for reading in one.offered]
        if any(one.unsure for one in told) and offered:
            blocks.append(self.words.choose)
        if self._citations:
            lines = "\n".join(f"[{c.n}] {one_line(c.label)}" for c in self._citations)
            blocks.append(f"---\n{lines}")
        return WrittenAnswer(
            markdown="\n\n".join(block for block in blocks if block),
            outcome=_outcome(told),
            citations=tuple(self._citations),
            suggestions=tuple(offered),
        )

    def opening(self, _told: Sequence[StepResult]) -> str:
        """What is said before the parts; nothing where each speaks for itself."""
        return ""

    def block(self, result: StepResult, by_id: Mapping[str, StepResult], several: bool) -> str:
        """What one step found, or why it found nothing."""
        words = self.words
        if result.unsure:
            template = words.unsure_part if several else words.unsure
            text = template.format(source=escaped(self.title), question=escaped(result.question))
            if links := _links(result):
                said = (words.link.format(word=escaped(word), target=escaped(target)) for word, target in links)
                text += words.gap + words.understood.format(links=words.link_joint.join(said))
            if unlinked := _unlinked(result):
                text += words.gap + words.unlinked.format(words=words.list_joint.join(map(escaped, unlinked)))
            known = words.listing("objections")
            reasons = [known[name] for name in result.readings.objections if name in known]
            return words.gap.join((text, *reasons))
        if result.table is None:
            question = escaped(result.question or result.step.purpose)
            return words.failed.format(question=question, reason=escaped(result.reason))
        if result.step.tool == PYTHON:
            return self._calculated(result, result.table, by_id)
        return f"{self._read_as(result, result.table)}\n\n{self._found(result, result.table)}"

    def _read_as(self, result: StepResult, table: ResultTable) -> str:
        """The line above the rows: how the question was read, and yes or no where that is asked."""
        words = self.words
        if result.reading is None or not result.reading.truth:
            return words.read_as.format(says=_says(result))
        return (words.yes if _holds(table) else words.no).format(says=_says(result))

    def _found(self, result: StepResult, table: ResultTable) -> str:
        words, mark = self.words, self.mark(table)
        count = max(table.row_count, len(table.rows))
        if not table.rows or all(cell is None for row in table.rows for cell in row):
            return words.no_rows.format(mark=mark)
        lines = []
        if len(table.rows) == 1 and not table.truncated:
            is_figure = len(table.columns) == 1
            what = f"**{next(cells_of(table, 1))[0]}{percent_sign(table)}**" if is_figure else self.row(table)
            lines.append(f"{what} {mark}".rstrip() + words.stop)
        else:
            counted = f"{words.counted(count)} {mark}".rstrip() + words.stop
            lines += [self._extremes(table, mark) or counted, as_markdown(table)]
        if result.reading is not None:
            if result.reading.differs:
                lines.append(words.differs.format(says=escaped(result.reading.differs)))
            lines += [words.tied.format(mark=mark)] * result.reading.tied
            lines += [words.cut_period(cut).format(mark=mark) for cut in result.reading.cut]
        if count > MOST_ROWS:
            lines.append(words.shown_rows.format(shown=min(MOST_ROWS, len(table.rows)), count=f"{count:,}", mark=mark))
        if table.truncated:
            lines.append(words.cut_rows.format(count=f"{len(table.rows):,}", mark=mark))
        return "\n\n".join(lines)

    def row(self, table: ResultTable) -> str:
        """The first row, each cell with the name of its column."""
        cells = zip(table.columns, next(cells_of(table, 1)), strict=True)
        return "; ".join(f"{escaped(name)} **{cell}**" for name, cell in cells)

    def _extremes(self, table: ResultTable, mark: str) -> str | None:
        """How many rows of a name and a figure there are, and where the figure is highest and lowest."""
        numbers = number_columns(table)
        if len(table.columns) != 2 or len(numbers) != 1 or table.truncated or len(table.rows) < 3:
            return None
        if _LIMITED.search(table.sql):
            return None  # The last of the top three is the lowest of nothing that a reader would think of.
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
            top=shown(high[name]),
            high=shown(high[value], grouped[value]),
            bottom=shown(low[name]),
            low=shown(low[value], grouped[value]),
            mark=mark,
        )

    def _calculated(self, result: StepResult, table: ResultTable, by_id: Mapping[str, StepResult]) -> str:
        words = self.words
        name = str(result.step.args.get("calculation", ""))
        used = [by_id[one] for one in result.step.args.get("uses", ()) if one in by_id]
        marks = "".join(dict.fromkeys(self.mark(one.table) for one in used if one.table is not None))
        row = dict(zip(table.columns, table.rows[0], strict=True))
        if name in _PAIRS:
            phrase, one, other, difference, percent = _PAIRS[name]
            a, b = (shown(row.get(column), grouped=True) for column in (one, other))
            if name == "compare":
                # How each was read stands above; here the words of the question are shorter.
                a, b = (
                    f"{escaped(side[0].question) if side else ''}{words.aside(said)}"
                    for side, said in ((used[1:], a), (used[:1], b))
                )
            share = row.get(percent)
            line = str(getattr(words, phrase)).format(
                a=a,
                b=b,
                difference=signed(row.get(difference)),
                percent=_percent(share, words) if difference else "—" if share is None else f"{shown(share)} %",
                mark=marks,
            )
        else:
            # What was calculated, and over what: the list itself is not shown.
            says = words.calculation(name) + words.aside(_says(used[0])) if used else escaped(result.question)
            what = self.row(table) if len(table.rows) == 1 else words.counted(len(table.rows))
            line = words.found.format(says=says, what=what, mark=marks).rstrip() + words.stop
            if len(table.rows) > 1:
                line += "\n\n" + as_markdown(table)
        cut = [one.table for one in used if one.table is not None and one.table.truncated]
        if cut:
            line += "\n\n" + words.cut_rows.format(count=f"{len(cut[0].rows):,}", mark=self.mark(cut[0]))
        return line

    def mark(self, table: ResultTable) -> str:
        """The number of the statement behind a table, in brackets; nothing where there is none."""
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

    def _read(self, told: Sequence[StepResult]) -> list[ReadingChosen]:
        """How each result was read; what is offered is numbered over all of them, and each reading offered once."""
        found: list[ReadingChosen] = []
        known: set[str] = set()
        for one in told:
            if one.reading is None and not one.unsure:
                continue
            offered = []
            for reading, says in self._offered(one):
                if says not in known and len(known) < MOST_OFFERED:
                    known.add(says)
                    offered.append(
                        OfferedReading(n=len(known), says=says, sql=reading.sql, confidence=reading.confidence)
                    )
            ran = None if one.unsure else one.reading
            found.append(
                ReadingChosen(
                    source=self.source,
                    says=ran.says if ran is not None else "",
                    sql=ran.sql if ran is not None else "",
                    confidence=ran.confidence if ran is not None else 0.0,
                    unread=_unlinked(one) if ran is None else ran.unlinked,
                    offered=tuple(offered),
                    understood=tuple(Signal(name=word, detail=taken) for word, taken in _links(one))
                    if ran is None
                    else (),
                )
            )
        return found

    def _offered(self, result: StepResult) -> list[tuple[Reading, str]]:
        """Other readings to choose from: of what was not understood, and of what was, but not surely."""
        ran = result.reading
        if not result.unsure and (ran is None or ran.confidence >= _SURE):
            return []
        least = 0.0 if result.unsure else _WORTH_OFFERING
        others = (one for one in result.readings.readings if ran is None or one.sql != ran.sql)
        worth = [one for one in others if one.confidence >= least][:MOST_OFFERED]
        return [(reading, self._offer(reading)) for reading in worth]

    def _offer(self, reading: Reading) -> str:
        return self.choices.offer(
            Choice(reading=reading, source=self.source, request_type=self._offered_type(), query=self.query)
        )

    def _offered_type(self) -> RequestType:
        return "visualization" if self.request_type == "visualization" else "data_query"


def _percent(value: Any, words: Words) -> str:
    if value is None:
        return ""
    return words.aside(f"{signed(value)} %")


def _says(result: StepResult) -> str:
    says = result.reading.says if result.reading is not None and result.reading.says else result.question
    said = says.strip().rstrip(".。?？")
    # In Chinese a name of the source may come first, and stays as it is.
    return escaped(said if has_cjk(said) else said[:1].upper() + said[1:])


def _unlinked(result: StepResult) -> tuple[str, ...]:
    best = result.readings.best
    return (best.unlinked if best is not None else ()) or result.readings.unlinked


def _links(result: StepResult) -> list[tuple[str, str]]:
    """The words that were understood, each with what it was taken for."""
    best = result.readings.best
    found = dict.fromkeys((link.name, link.detail) for link in best.links if link.name) if best is not None else {}
    return list(found)[:_MOST_LINKS]


def _holds(table: ResultTable) -> bool:
    """Whether a table means yes: a figure other than 0, or rows."""
    if len(table.rows) == 1 and len(table.columns) == 1:
        return bool(table.rows[0][0])
    return any(cell is not None for row in table.rows for cell in row)


def _outcome(told: Sequence[StepResult]) -> Outcome:
    done = [one for one in told if one.status == "done"]
    if not done:
        return "not_found"
    return "answered" if len(done) == len(told) else "partial"
