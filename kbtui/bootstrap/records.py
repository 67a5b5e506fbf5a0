"""The tables of a folder as the graph of the agent asks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from kbtui.agent.state import RecordsAnswer
from kbtui.domain.conversation import Turn

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.records.asking import Found, RecordsReader
    from kbtui.records.relating import Checked, Related


def asks_records(
    knowledge: KnowledgeBase, history: Sequence[Turn], today: Callable[[], date]
) -> Callable[[str], RecordsAnswer | None]:
    """Given a question, what the records of the folder answer, as a follow-up where it is one."""

    def ask(query: str) -> RecordsAnswer | None:
        from kbtui.records.opened import reader_of
        from kbtui.records.relating import asks_of_documents, checked, related

        reader = reader_of(knowledge, today)
        if history and (found := _followed(reader, query, history[-1])) is not None:
            return _of_tables(found, knowledge, query, standalone=found.reading.says)
        if history and reader.points_back(query):
            return None
        named = reader.words.by_name(query)
        if (check := checked(knowledge.graph, reader.collection, named)) is not None:
            return _of_check(check, knowledge, query)
        one = related(knowledge.graph, named)
        if one is not None and not one.of_value:
            return _of_relations(one, knowledge, query)
        if not asks_of_documents(knowledge.graph, named) and (found := reader.answer(query)) is not None:
            return _of_tables(found, knowledge, query)
        return None if one is None else _of_relations(one, knowledge, query)

    return ask


def _followed(reader: RecordsReader, query: str, turn: Turn) -> Found | None:
    """What a follow-up makes of the last answer: of its statement, else of the things it cites."""
    if turn.source or turn.outcome not in ("answered", "partial"):
        return None
    before = turn.sql or reader.statement_of(turn.paths)
    return reader.follow(query, before, turn.says, turn.standalone) if before else None


def _of_tables(found: Found, knowledge: KnowledgeBase, query: str, standalone: str = "") -> RecordsAnswer:
    from kbtui.reasoning.recorded import told
    from kbtui.records.collection import SOURCE
    from kbtui.records.lines import stating

    return RecordsAnswer(
        answer=told(found, knowledge.source, query),
        hits=stating(found, knowledge.source),
        says=found.reading.says,
        sql=found.reading.sql,
        confidence=found.reading.confidence,
        source=SOURCE,
        standalone=standalone,
    )


def _of_relations(found: Related, knowledge: KnowledgeBase, query: str) -> RecordsAnswer:
    from kbtui.reasoning.recorded import told_relations

    answer, says = told_relations(found, knowledge.source, query)
    hits = {(step.item.hit.path, step.item.hit.start_line): step.item.hit for step in found.steps}
    return RecordsAnswer(answer=answer, hits=tuple(hits.values()), says=says)


def _of_check(found: Checked, knowledge: KnowledgeBase, query: str) -> RecordsAnswer:
    from kbtui.reasoning.recorded import told_check
    from kbtui.records.lines import line_of

    answer, says = told_check(found, knowledge.source, query)
    return RecordsAnswer(answer=answer, hits=(line_of(found.thing, found.fact, knowledge.source),), says=says)
