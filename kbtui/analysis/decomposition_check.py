"""Whether a request can be decomposed into the steps that its wording suggests.

Each step is a question of its own: "min and max price" split at "and" would be a question and a leftover. The offline
reader, which answers the steps, decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.analysis.analysis_planner import STEP_MARKER, request_parts
from kbtui.analysis.context import AnalysisContext
from kbtui.domain.analysis import Readings, Schema
from kbtui.domain.events import RequestType


def can_decompose(
    query: str, kind: RequestType, source: str, table_names: Sequence[str], context: AnalysisContext
) -> bool:
    """Whether each step of `request_parts` can be answered alone, and no single statement answers the whole request.

    A step with a marker of an earlier step is not checked: its question is known only when that step has run. A request
    with such a step is always a sequence.

    Raises:
        DataSourceError: The source cannot be reached.
    """
    parts = request_parts(query, kind)
    if len(parts) < 2 or not source:
        return True
    schema = context.schema_manager.peek(source, "detailed", table_names)
    is_sequence = kind == "multi_step_analysis" or any(map(STEP_MARKER.search, parts))
    if not is_sequence and is_certain(_read(query, schema, context), context.min_confidence):
        return False
    questions = [part for part in parts if not STEP_MARKER.search(part)]
    return all(is_likely(_read(question, schema, context), context.min_confidence) for question in questions)


def is_certain(readings: Readings, sure_from: float) -> bool:
    """Whether the best reading would be run, and reads every word of the question."""
    best = readings.best
    return best is not None and best.confidence >= sure_from and not (best.unlinked or readings.unlinked)


def is_likely(readings: Readings, sure_from: float) -> bool:
    """Whether the best reading would be run."""
    return readings.best is not None and readings.best.confidence >= sure_from


def _read(question: str, schema: Schema, context: AnalysisContext) -> Readings:
    # The offline reader if there is one: a chat model would cost money for a question that may not be asked.
    return (context.reader or context.sql_writer).read(question, schema)
