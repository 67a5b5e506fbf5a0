"""Follow-ups of an answer from the tables: edits of its statement, and conditions on the things that it cites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kbtui.domain.analysis import AnsweredStatement
from kbtui.errors import DataSourceError

if TYPE_CHECKING:
    from kbtui.records.asking import RecordsReader, TableAnswer

_MIN_THINGS: Final = 2
"""Fewest things that a follow-up may refer to together."""


def refers_back(reader: RecordsReader, question: str) -> bool:
    """Whether a question refers to the previous answer: *them*, *those*."""
    from kbtui.nl2sql.follow_up_detection import refers_back

    return refers_back(reader.statement_reader.question(question))


def follow(reader: RecordsReader, question: str, statement: AnsweredStatement) -> TableAnswer | None:
    """Answer a follow-up that edits a statement over the tables; None where it cannot be read as one."""
    from kbtui.nl2sql.follow_ups import follow_up
    from kbtui.records.table_questions import MIN_CONFIDENCE

    rewritten = reader.words.in_own_words(reader.words.derived.with_fields(question))
    try:
        general = reader.collection.general
        is_general = general is not None and f'"{general.name}"' in statement.sql
        schema = reader.tables.general if is_general else reader.tables.schema
        edit = follow_up(reader.statement_reader, rewritten, schema, statement)
    except DataSourceError:
        return None
    best = edit.readings.best if edit is not None else None
    if best is None or best.unlinked or best.confidence < MIN_CONFIDENCE:
        return None
    return reader.run(rewritten, best)


def statement_of(reader: RecordsReader, paths: Sequence[str]) -> str:
    """A statement that selects the things these files belong to; empty where they are of several kinds."""
    from kbtui.records.statements import select_things

    collection = reader.collection
    things = [thing for path in dict.fromkeys(paths) if (thing := collection.thing_at(path)) is not None]
    return select_things(collection.kinds, things) if len(things) >= _MIN_THINGS else ""
