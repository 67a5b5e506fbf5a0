"""Functions through which the agent's graph asks the records of a folder: what its documents state in fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from kbtui.agent.state import RecordsAnswer
from kbtui.domain.conversation import Turn

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.records.asking import Found, RecordsReader
    from kbtui.records.relating import Checked, Related


def records_lookup(
    knowledge: KnowledgeBase, history: Sequence[Turn], today: Callable[[], date]
) -> Callable[[str], RecordsAnswer | None]:
    """A function that answers a question, or a follow-up to ``history``, from the records; None where they do not."""

    def ask(query: str) -> RecordsAnswer | None:
        from kbtui.records.opened import reader_of

        reader = reader_of(knowledge, today)
        if history and (follow_up_result := _follow_up_result(reader, query, history[-1])) is not None:
            return _answer(follow_up_result, knowledge, query, standalone=follow_up_result.reading.says)
        if history and reader.points_back(query):
            return None
        result = reader.read(query)
        return None if result is None else _answer(result, knowledge, query)

    return ask


def part_reader(
    knowledge: KnowledgeBase, today: Callable[[], date]
) -> Callable[[str, Sequence[str], Sequence[str]], Found | Related | Checked | None]:
    """A function that answers one part of a question from the records; None where they do not.

    It takes the part, the paths of documents that were retrieved for it, and the paths that earlier parts cite.
    """

    def read(part: str, paths: Sequence[str], cited_paths: Sequence[str]) -> Found | Related | Checked | None:
        from kbtui.question.asking import asks_relation
        from kbtui.records.opened import reader_of

        reader = reader_of(knowledge, today)
        return reader.read(part, loosely=asks_relation(part)) or reader.read_of(part, paths, cited_paths)

    return read


def _follow_up_result(reader: RecordsReader, query: str, turn: Turn) -> Found | None:
    """The result of a follow-up to the statement of the last answer, or else to the documents that it cites."""
    if turn.source or turn.outcome not in ("answered", "partial"):
        return None
    before = turn.sql or reader.statement_of(turn.paths)
    return reader.follow(query, before, turn.says, turn.standalone) if before else None


def _answer(
    result: Found | Related | Checked, knowledge: KnowledgeBase, query: str, standalone: str = ""
) -> RecordsAnswer:
    from kbtui.reasoning.recorded import asked_in_words, told
    from kbtui.records.asking import Found
    from kbtui.records.collection import SOURCE
    from kbtui.records.lines import stating

    answer = RecordsAnswer(
        answer=told(result, knowledge.source, query),
        hits=stating(result, knowledge.source),
        says=asked_in_words(result),
        standalone=standalone,
    )
    if not isinstance(result, Found):
        return answer
    return replace(answer, sql=result.reading.sql, confidence=result.reading.confidence, source=SOURCE)
