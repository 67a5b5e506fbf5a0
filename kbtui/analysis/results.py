"""Results of steps, and their values that later steps refer to."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from kbtui.analysis.wording import Words
from kbtui.domain.analysis import Reading, Readings, ResultTable, Schema
from kbtui.domain.events import PlanStep, StepStatus
from kbtui.text.terminal import one_line

MAX_VALUES: Final = 10
"""Values that are put into a later question, at most."""


class StepResult(Struct, frozen=True, kw_only=True):
    """How a step ended.

    Attributes:
        question: The question, with markers replaced by values.
        table: Its result, if that can be used.
        reading: The reading that was run.
        readings: All readings of the question.
        is_uncertain: Nothing was run, because no reading was likely enough.
        reason: Why it failed, was skipped or is odd.
    """

    step: PlanStep
    status: StepStatus
    question: str = ""
    table: ResultTable | None = None
    reading: Reading | None = None
    readings: Readings = field(default_factory=Readings)
    schema: Schema | None = None
    is_uncertain: bool = False
    reason: str = ""

    @property
    def is_usable(self) -> bool:
        """Whether later steps can use it."""
        return self.status == "done" and (self.table is None or bool(self.table.rows))


def naming_column(table: ResultTable) -> int:
    """Index of the column that names the rows: the first text column, else the first column."""
    for position in range(len(table.columns)):
        cells = [row[position] for row in table.rows if row[position] is not None]
        if cells and all(isinstance(cell, str) for cell in cells):
            return position
    return 0


def naming_values(result: StepResult) -> list[Any]:
    """The first distinct values of the naming column of a result."""
    if result.table is None or not result.table.rows:
        return []
    position = naming_column(result.table)
    cells = [row[position] for row in result.table.rows if row[position] is not None]
    return list(dict.fromkeys(cells))[:MAX_VALUES]


def values_as_text(result: StepResult, top: bool, words: Words) -> str:
    """The values as text of a question, or the first of them."""
    texts = [_value_as_text(value, words) for value in naming_values(result)[: 1 if top else None]]
    if len(texts) < 2:
        return "".join(texts)
    return words.list_joint.join(texts[:-1]) + words.last_joint + texts[-1]


def _value_as_text(value: Any, words: Words) -> str:
    return words.quote.format(one_line(value)) if isinstance(value, str) else str(value)


_MIDNIGHT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?")


def without_midnights(table: ResultTable) -> ResultTable:
    """The table with dates in place of times in columns whose values are all midnights."""
    days = [
        position
        for position in range(len(table.columns))
        if (cells := [row[position] for row in table.rows if row[position] is not None])
        and all(isinstance(cell, str) and _MIDNIGHT.fullmatch(cell) for cell in cells)
    ]
    if not days:
        return table
    rows = tuple(
        tuple(cell[:10] if position in days and cell else cell for position, cell in enumerate(row))
        for row in table.rows
    )
    return replace(table, rows=rows)


def as_rows(table: ResultTable) -> list[dict[str, Any]]:
    """A result as input of `python_executor`: a dictionary for each row."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
