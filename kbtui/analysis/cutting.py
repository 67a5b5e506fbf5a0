"""Whether a request may be cut into the steps that its wording suggests.

Each step is asked by itself, so each has to make sense by itself: "min and max price" cut at "and" is a question and a
leftover. The offline reader decides, which is what answers the steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.analysis.analysis_planner import STEP_MARK, parts_of
from kbtui.analysis.context import AnalysisContext
from kbtui.domain.analysis import Readings, Schema
from kbtui.domain.events import RequestType


def may_be_cut(
    query: str, kind: RequestType, source: str, table_names: Sequence[str], context: AnalysisContext
) -> bool:
    """True where the steps of `parts_of` each stand alone, and no single statement surely answers the request.

    A step that speaks of what an earlier one finds is not judged: its question is only known once that has run. Where
    there is one, the request is a sequence whatever a statement could make of it.

    Raises:
        DataSourceError: The source cannot be reached.
    """
    parts = parts_of(query, kind)
    if len(parts) < 2 or not source:
        return True
    schema = context.schema_manager.peek(source, "detailed", table_names)
    is_sequence = kind == "multi_step_analysis" or any(map(STEP_MARK.search, parts))
    if not is_sequence and is_sure(_read(query, schema, context), context.sure_from):
        return False
    questions = [part for part in parts if not STEP_MARK.search(part)]
    return all(is_likely(_read(question, schema, context), context.sure_from) for question in questions)


def is_sure(readings: Readings, sure_from: float) -> bool:
    """True where the best reading would be run, and leaves no word of the question unread."""
    best = readings.best
    return best is not None and best.confidence >= sure_from and not (best.unlinked or readings.unlinked)


def is_likely(readings: Readings, sure_from: float) -> bool:
    """True where the best reading would be run."""
    return readings.best is not None and readings.best.confidence >= sure_from


def _read(question: str, schema: Schema, context: AnalysisContext) -> Readings:
    # A chat model would be asked, and paid, for a question that is not asked in the end.
    return (context.reader or context.sql_writer).read(question, schema)
