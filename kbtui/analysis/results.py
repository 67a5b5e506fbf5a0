"""What a step ended in, and the values of it that later steps speak of."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from kbtui.analysis.wording import Words
from kbtui.domain.analysis import Reading, Readings, ResultTable, Schema
from kbtui.domain.events import PlanStep, StepStatus
from kbtui.text.terminal import one_line

MOST_VALUES: Final = 10
"""Values that a later question speaks of; a longer list would be no question any more."""


class StepResult(Struct, frozen=True, kw_only=True):
    """How a step ended.

    Attributes:
        question: What was asked, marks filled in.
        table: What it brought, where that can be used.
        reading: How the question was understood.
        readings: The readings there were.
        unsure: Nothing was run, because no reading was likely enough.
        reason: Why it failed, was skipped or is odd.
    """

    step: PlanStep
    status: StepStatus
    question: str = ""
    table: ResultTable | None = None
    reading: Reading | None = None
    readings: Readings = field(default_factory=Readings)
    schema: Schema | None = None
    unsure: bool = False
    reason: str = ""

    @property
    def usable(self) -> bool:
        """True when later steps can build on it."""
        return self.status == "done" and (self.table is None or bool(self.table.rows))


def naming_column(table: ResultTable) -> int:
    """Position of the column that says what a row is about: the first of text, or else the first."""
    for position in range(len(table.columns)):
        cells = [row[position] for row in table.rows if row[position] is not None]
        if cells and all(isinstance(cell, str) for cell in cells):
            return position
    return 0


def found_values(result: StepResult) -> list[Any]:
    """The first different values of a result's naming column."""
    if result.table is None or not result.table.rows:
        return []
    position = naming_column(result.table)
    cells = [row[position] for row in result.table.rows if row[position] is not None]
    return list(dict.fromkeys(cells))[:MOST_VALUES]


def said_values(result: StepResult, top: bool, words: Words) -> str:
    """The values as a question would name them, or the first of them."""
    said = [_said(value, words) for value in found_values(result)[: 1 if top else None]]
    if len(said) < 2:
        return "".join(said)
    return words.list_joint.join(said[:-1]) + words.last_joint + said[-1]


def _said(value: Any, words: Words) -> str:
    return words.quote.format(one_line(value)) if isinstance(value, str) else str(value)


_MIDNIGHT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?")


def without_midnights(table: ResultTable) -> ResultTable:
    """The table with plain dates in columns whose values are all midnights: months and days, not moments."""
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
    """A result as `python_executor` takes it: a dictionary a row."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
