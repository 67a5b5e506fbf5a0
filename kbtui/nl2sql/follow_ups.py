"""Follow-ups over data: a short second question read as a change of the statement that was answered before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.domain.analysis import AnsweredStatement, FollowUp, Reading, Readings, Schema
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.edits import edits
from kbtui.nl2sql.follow_up_detection import FOLLOWS_FROM, features, may_follow, probability
from kbtui.nl2sql.gate import THRESHOLD, objections
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.pool import Entry, features_of
from kbtui.nl2sql.reader import QuestionReader, unread_words
from kbtui.nl2sql.reading_order import without_reading_order

_MOST: Final = 5
"""Readings that are handed on."""
_TRIED: Final = 10
"""Edits whose rows are looked at."""
_CLEAR: Final = 0.12
"""How far the first edit must lead the next that brings other rows, to be given instead of offered."""
_BELOW: Final = 0.9
"""Of the threshold, what is left of a confidence that a rule speaks against."""
_RULES: Final = frozenset(("unread", "unread_numbers", "unread_periods", "unread_quoted", "literal_absent"))
"""Of the gate's rules those that hold for edits too: the rest of the statement was answered once."""


def follow_up(reader: QuestionReader, question: str, schema: Schema, before: AnsweredStatement) -> FollowUp | None:
    """What a question makes of the statement before it; None where it stands alone.

    Raises:
        DataSourceError: The source cannot be read.
    """
    asked = reader.question(question)
    if not may_follow(asked):
        return None
    lattice = reader.lattice(asked, schema)
    previous = query_of(before.sql, lattice.catalogue)
    edited = edits(without_reading_order(previous), lattice) if previous is not None else []
    if not edited:
        return None
    chance = probability(features(lattice.question, edited, reader.candidates(lattice)))
    if chance < FOLLOWS_FROM:
        return None
    entries = reader.entries(edited[:_TRIED], lattice, schema)
    readings = _readings(reader, entries, lattice, chance)
    if not readings:
        return None
    unread = unread_words(lattice.question, entries[0].candidate.unread)
    found = Readings(readings=readings, unlinked=unread)
    return FollowUp(before=before, readings=found, chart=_chart(lattice) or before.chart)


def tables_in(sql: str, dialect: str) -> tuple[str, ...]:
    """Names of the tables that a statement reads, with their schemas where it gives them; none of a broken one."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        found = sqlglot.parse_one(sql, read=dialect).find_all(exp.Table)
    except (SqlglotError, RecursionError):
        return ()
    return tuple(dict.fromkeys(".".join(part.name for part in table.parts) for table in found))


def _readings(reader: QuestionReader, entries: Sequence[Entry], lattice: Lattice, chance: float) -> tuple[Reading, ...]:
    """One reading for each answer, in the order of their edits."""
    distinct: list[Entry] = []
    for entry in entries:
        if all(entry.answer != known.answer for known in distinct):
            distinct.append(entry)
    confidences = _confidences(distinct, lattice, chance)
    readings = []
    for entry, confidence in zip(distinct[:_MOST], confidences, strict=False):
        reading = reader.reading(entry.candidate, lattice)
        if reading is not None:
            readings.append(replace(reading, confidence=round(confidence, 4)))
    return tuple(readings)


def _confidences(entries: Sequence[Entry], lattice: Lattice, chance: float) -> list[float]:
    """Of the first what stands against it, of the others that they come after it."""
    if not entries:
        return []
    sure = THRESHOLD + (1 - THRESHOLD) * chance
    rival = next((entry for entry in entries[1:] if not _same_figures(entries[0], entry)), None)
    lead = 1.0 if rival is None else entries[0].candidate.prior - rival.candidate.prior
    spoken_against = _RULES.intersection(objections(features_of(entries, lattice)[0]))
    if lead < _CLEAR or spoken_against or _guesses(entries[0].candidate):
        sure = _BELOW * THRESHOLD
    return [sure, *(min(sure, _BELOW * THRESHOLD) / (place + 1) for place in range(1, len(entries)))]


def _same_figures(one: Entry, other: Entry) -> bool:
    """Whether they differ only in how groups are called: by a name or by a code."""
    if not one.rows or not other.rows or not (one.candidate.query.group and other.candidate.query.group):
        return False
    return sorted(str(row[-1]) for row in one.rows) == sorted(str(row[-1]) for row in other.rows)


def _guesses(candidate: Candidate) -> bool:
    """Whether it had to choose a column that nothing names, or leaves an operator without effect."""
    return any(name.startswith("default_") for name in candidate.traits) or candidate.traits["idle_cues"] > 0


def _chart(lattice: Lattice) -> str:
    charts = (str(cue.args["chart"]) for cue in lattice.question.cues if "chart" in cue.args)
    return next(charts, "")
