"""Reads a short follow-up question over data as an edit of the previous statement."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

import sqlglot
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from kbtui.domain.analysis import AnsweredStatement, FollowUp, Reading, Readings, Schema
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.edits import edits
from kbtui.nl2sql.follow_up_detection import MIN_PROBABILITY, features, may_follow, probability
from kbtui.nl2sql.gate import THRESHOLD, objections
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.pool import Entry, features_of
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.reader import QuestionReader, unread_words
from kbtui.nl2sql.reading_order import without_reading_order
from kbtui.nl2sql.shape import nested

_MAX_READINGS: Final = 5
"""Readings that are returned, at most."""
_MAX_TRIED: Final = 10
"""Edits whose rows are fetched, at most."""
_MIN_LEAD: Final = 0.12
"""By how much the prior of the first edit must exceed that of the next with other rows."""
_MAX_REFERENCES: Final = 2
_OFFERED_SHARE: Final = 0.9
"""Share of the threshold that a confidence gets if a rule objects."""
_RULES: Final = frozenset(("unread", "unread_numbers", "unread_periods", "unread_quoted", "literal_absent"))
"""Rules of the gate that apply to edits; the rest of the statement was answered before."""


def follow_up(reader: QuestionReader, question: str, schema: Schema, before: AnsweredStatement) -> FollowUp | None:
    """The readings of a question as a follow-up; None if it stands alone.

    Args:
        before: The previous statement.

    Raises:
        DataSourceError: The source cannot be read.
    """
    parsed = reader.question(question)
    if not may_follow(parsed):
        return None
    lattice = reader.lattice(parsed, schema)
    previous = query_of(before.sql, lattice.catalogue)
    edited = edits(without_reading_order(previous), lattice) if previous is not None else []
    if not edited:
        return None
    follow_up_probability = probability(features(lattice.question, edited, reader.candidates(lattice)))
    if follow_up_probability < MIN_PROBABILITY:
        return None
    entries = reader.entries(edited[:_MAX_TRIED], lattice, schema)
    assert previous is not None, "there are edits"
    near = _tables_near(previous, lattice.catalogue)
    readings = _readings(reader, entries, lattice, follow_up_probability, near)
    if not readings:
        return None
    unread = unread_words(lattice.question, entries[0].candidate.unread)
    result = Readings(readings=readings, unlinked=unread)
    return FollowUp(before=before, readings=result, chart=_chart(lattice) or before.chart)


def tables_in(sql: str, dialect: str) -> tuple[str, ...]:
    """Names of the tables that a statement reads, with schemas as written; empty if it cannot be parsed."""
    try:
        tables = sqlglot.parse_one(sql, read=dialect).find_all(exp.Table)
    except (SqlglotError, RecursionError):
        return ()
    return tuple(dict.fromkeys(".".join(part.name for part in table.parts) for table in tables))


def _tables_near(query: Query, catalogue: Catalogue) -> Set[str]:
    """The tables of a statement, those next to them, and those that their rows refer to over one table in between.

    A condition further away is hardly about the rows of the statement.
    """
    tables, neighbours = _tables_of(query), catalogue.neighbours()
    ancestors = (
        name
        for table in tables
        for name, references in catalogue.ancestors(catalogue.without_role(table)).items()
        if references <= _MAX_REFERENCES
    )
    return tables.union(*(neighbours.get(table, ()) for table in tables), ancestors)


def _tables_of(query: Query) -> frozenset[str]:
    """The tables of a statement and of those nested in it."""
    return frozenset(table for part in nested(query) for table in part.used_tables())


def _readings(
    reader: QuestionReader,
    entries: Sequence[Entry],
    lattice: Lattice,
    follow_up_probability: float,
    near: Set[str],
) -> tuple[Reading, ...]:
    """One reading for each distinct answer, in the order of the edits.

    Args:
        near: See `_tables_near`.
    """
    distinct: list[Entry] = []
    for entry in entries:
        if all(entry.answer != other.answer for other in distinct):
            distinct.append(entry)
    confidences = _confidences(distinct, lattice, follow_up_probability, near)
    readings = []
    for entry, confidence in zip(distinct[:_MAX_READINGS], confidences, strict=False):
        reading = reader.reading(entry.candidate, lattice)
        if reading is not None:
            readings.append(replace(reading, confidence=round(confidence, 4)))
    return tuple(readings)


def _confidences(
    entries: Sequence[Entry], lattice: Lattice, follow_up_probability: float, near: Set[str]
) -> list[float]:
    """Confidences of the entries in order; lowered for the first if a rule objects or a rival is close."""
    if not entries:
        return []
    confidence = THRESHOLD + (1 - THRESHOLD) * follow_up_probability
    lead = entries[0].candidate.prior - entries[1].candidate.prior if len(entries) > 1 else 1.0
    objecting = _RULES.intersection(objections(features_of(entries, lattice)[0]))
    is_far = not _tables_of(entries[0].candidate.query) <= near
    if lead < _MIN_LEAD or objecting or is_far or _is_guess(entries[0].candidate):
        confidence = _OFFERED_SHARE * THRESHOLD
    return [confidence, *(min(confidence, _OFFERED_SHARE * THRESHOLD) / (rank + 1) for rank in range(1, len(entries)))]


def _is_guess(candidate: Candidate) -> bool:
    """Whether the candidate uses a default column or leaves an operator unused."""
    return any(name.startswith("default_") for name in candidate.traits) or candidate.traits["idle_cues"] > 0


def _chart(lattice: Lattice) -> str:
    charts = (str(cue.args["chart"]) for cue in lattice.question.cues if "chart" in cue.args)
    return next(charts, "")
