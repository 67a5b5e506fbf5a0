"""Functions through which the agent's graph asks the records of a folder: what its documents state in fields."""

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
    from kbtui.records.missing import MissingThings
    from kbtui.records.relating import RelationAnswer, ValueCheck

_TIES: Final = re.compile(r" IN \(SELECT .+ LIMIT \d+\)")
"""What `kbtui.records.statements.with_ties` makes of a limit."""


def records_lookup(
    knowledge: KnowledgeBase, history: Sequence[Turn], today: Callable[[], date]
) -> Callable[[str], RecordsAnswer | None]:
    """A function that answers a question, or a follow-up to ``history``, from the records; None where they do not."""

    def ask(query: str) -> RecordsAnswer | None:
        from kbtui.records.follow_ups import refers_back
        from kbtui.records.opened import reader_of

        reader = reader_of(knowledge, today)
        if history and (follow_up_result := _follow_up_result(reader, query, history[-1])) is not None:
            return _answer(follow_up_result, knowledge, query, standalone=follow_up_result.reading.says)
        if history and refers_back(reader, query):
            return None
        result = reader.read(query)
        if result is None:
            return _history_answer(reader, knowledge, query, today)
        return _answer(result, knowledge, query)

    return ask


def part_reader(
    knowledge: KnowledgeBase, today: Callable[[], date]
) -> Callable[[str, Sequence[str], Sequence[str]], TableAnswer | RelationAnswer | ValueCheck | MissingThings | None]:
    """A function that answers one part of a question from the records; None where they do not.

    It takes the part, the paths of documents that were retrieved for it, and the paths that earlier parts cite.
    """

    def read(
        part: str, paths: Sequence[str], cited_paths: Sequence[str]
    ) -> TableAnswer | RelationAnswer | ValueCheck | MissingThings | None:
        from kbtui.question.understanding import asks_relation
        from kbtui.records.opened import reader_of

        reader = reader_of(knowledge, today)
        stated = reader.read(part, loosely=asks_relation(part)) or reader.words.missing(part)
        return stated or reader.read_fields_of(part, paths, cited_paths)

    return read


def _follow_up_result(reader: RecordsReader, query: str, turn: Turn) -> TableAnswer | None:
    """The result of a follow-up to the statement of the last answer, or else to the documents that it cites."""
    if turn.source or turn.outcome not in ("answered", "partial"):
        return None
    from kbtui.records.follow_ups import follow, statement_of

    sql = turn.sql or statement_of(reader, turn.paths)
    if not sql:
        return None
    before = AnsweredStatement(source=SOURCE, sql=sql, says=turn.says, question=turn.standalone)
    return follow(reader, query, before)


def _history_answer(
    reader: RecordsReader, knowledge: KnowledgeBase, query: str, today: Callable[[], date]
) -> RecordsAnswer | None:
    """The answer from the Git history of the files; None where the question is about none."""
    from kbtui.knowledge.history.log import history_of
    from kbtui.records.history import HistoryReader

    def headings(path: str) -> list[tuple[str, int, int]]:
        from kbtui.knowledge.reading.loaders.prose import parse_prose

        kind = reader.collection.links.records[path].kind
        if kind not in ("markdown", "rst", "text"):
            return []
        parsed = parse_prose("\n".join(knowledge.source.lines(path)), kind)
        return [(heading.text, heading.level, heading.line) for heading in parsed.headings]

    reading = HistoryReader(
        reader.collection, knowledge.root, lambda: history_of(knowledge), knowledge.source.lines, headings, today
    ).read(query)
    if reading is None:
        return None
    from kbtui.reasoning.history_told import TOOL, told_history

    answer, hits, says = told_history(reading, knowledge.source, query)
    return RecordsAnswer(answer=answer, hits=hits, says=says, tool=TOOL)


def _answer(
    result: TableAnswer | RelationAnswer | ValueCheck, knowledge: KnowledgeBase, query: str, standalone: str = ""
) -> RecordsAnswer:
    from kbtui.reasoning.recorded import asked_in_words, told
    from kbtui.records.asking import TableAnswer
    from kbtui.records.collection import SOURCE
    from kbtui.records.lines import hits_of_answer

    answer = RecordsAnswer(
        answer=told(result, knowledge.source, query),
        hits=hits_of_answer(result, knowledge.source),
        says=asked_in_words(result),
        standalone=standalone,
    )
    if not isinstance(result, TableAnswer):
        return answer
    return replace(
        answer,
        sql=result.reading.sql,
        confidence=result.reading.confidence,
        source=SOURCE,
        has_ties=bool(_TIES.search(result.reading.sql)),
        is_count=result.result.is_figure,
    )
