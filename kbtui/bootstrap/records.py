"""The tables of a folder as the graph of the agent asks them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from kbtui.agent.state import RecordsAnswer
from kbtui.domain.analysis import AnsweredStatement
from kbtui.domain.conversation import Turn
from kbtui.records.collection import SOURCE

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.records.asking import RecordsReader, TableAnswer
    from kbtui.records.relating import RelationAnswer, ValueCheck

_TIES: Final = re.compile(r" IN \(SELECT .+ LIMIT \d+\)")
"""What `kbtui.records.statements.with_ties` makes of a limit."""


def asks_records(
    knowledge: KnowledgeBase, history: Sequence[Turn], today: Callable[[], date]
) -> Callable[[str], RecordsAnswer | None]:
    """Given a question, what the records of the folder answer, as a follow-up where it is one."""

    def ask(query: str) -> RecordsAnswer | None:
        from kbtui.records.follow_ups import points_back
        from kbtui.records.opened import reader_of

        reader = reader_of(knowledge, today)
        if history and (followed := _followed(reader, query, history[-1])) is not None:
            return _answer(followed, knowledge, query, standalone=followed.reading.says)
        if history and points_back(reader, query):
            return None
        found = reader.read(query)
        return None if found is None else _answer(found, knowledge, query)

    return ask


def reads_parts(
    knowledge: KnowledgeBase, today: Callable[[], date]
) -> Callable[[str, Sequence[str], Sequence[str]], TableAnswer | RelationAnswer | ValueCheck | None]:
    """Given a part of a question, documents found for it and those that parts before cite, what records state of it."""

    def read(
        part: str, paths: Sequence[str], cited_paths: Sequence[str]
    ) -> TableAnswer | RelationAnswer | ValueCheck | None:
        from kbtui.question.asking import asks_relation
        from kbtui.records.opened import reader_of

        reader = reader_of(knowledge, today)
        return reader.read(part, loosely=asks_relation(part)) or reader.read_fields_of(part, paths, cited_paths)

    return read


def _followed(reader: RecordsReader, query: str, turn: Turn) -> TableAnswer | None:
    """What a follow-up makes of the last answer: of its statement, else of the things it cites."""
    if turn.source or turn.outcome not in ("answered", "partial"):
        return None
    from kbtui.records.follow_ups import follow, statement_of

    sql = turn.sql or statement_of(reader, turn.paths)
    if not sql:
        return None
    before = AnsweredStatement(source=SOURCE, sql=sql, says=turn.says, question=turn.standalone)
    return follow(reader, query, before)


def _answer(
    found: TableAnswer | RelationAnswer | ValueCheck, knowledge: KnowledgeBase, query: str, standalone: str = ""
) -> RecordsAnswer:
    from kbtui.reasoning.recorded import asked_in_words, told
    from kbtui.records.asking import TableAnswer
    from kbtui.records.collection import SOURCE
    from kbtui.records.lines import hits_of_answer

    made = RecordsAnswer(
        answer=told(found, knowledge.source, query),
        hits=hits_of_answer(found, knowledge.source),
        says=asked_in_words(found),
        standalone=standalone,
    )
    if not isinstance(found, TableAnswer):
        return made
    return replace(
        made,
        sql=found.reading.sql,
        confidence=found.reading.confidence,
        source=SOURCE,
        has_ties=bool(_TIES.search(found.reading.sql)),
        is_count=found.result.is_figure,
    )
