"""The first look, without a call of the model: what the question is, what the folder's tables and a search say of it.

What it finds goes into the first message, so that an easy question needs one call.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.agent.calling import called_side_by_side
from kbtui.agent.loop import facts
from kbtui.agent.loop.prompts import rules
from kbtui.agent.loop.rework import asks_rework
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.agent.loop.talk import history_part
from kbtui.agent.state import RecordsAnswer
from kbtui.domain.answer import Citation
from kbtui.domain.codec import plan_to_dict
from kbtui.domain.events import QueryRouted, ReadingChosen, TableProduced, ToolFinished, ToolStarted
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.routing import RetrievalHint, Routing, Signal, SubQuestion
from kbtui.domain.tooling import ToolCall
from kbtui.reasoning.llm.conversation import Conversation, Said
from kbtui.reasoning.llm.fencing import fenced
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line

SEARCH: Final = "hybrid_search"
TABLES, RELATIONS = "query_records", "graph_related"
MOST_PASSAGES: Final = 6
_BESIDE_FACTS: Final = 4
"""The same where the tables of the folder answer a part of the question, or documents state what it names."""
PASSAGE_TOKENS: Final = 2_200
"""Room for the passages of the first look, where `model.context_tokens` leaves as much."""
_SURE: Final = 3
"""Passages that are given whatever they are worth."""
_LEAST_SHARE: Final = 0.25
"""What the others must be worth by the offline grader, as a share of the best."""
_MOST_PARTS: Final = 3
_FACT_TOKENS: Final = 2_000
_MOST_FACTS: Final = 40
_COUNTED_FACTS: Final = 8
"""Lines beside a count: the count is what is asked for, and its result has an id."""
_PART_FACTS: Final = 8
"""Lines that state the answer to one part of several."""
_NAMED_TOKENS: Final = 500
"""Room for what is stated of things that the question names."""
_ANSWER_CHARS: Final = 2_500
_TABLE_ROWS: Final = 30
_ESCAPES: Final = re.compile(r"\\([\\`*_\[\]<|])")
"""Backslashes that keep names of documents from being read as Markdown; in a prompt they only change the names."""
_FOOTER: Final = "\n---\n"
_OFFERED: Final = 2
"""Further readings of a question about data that are shown."""


def look(state: LoopState, context: LoopContext) -> LoopState:
    """Read the question, look where it can be answered, and put the first message together."""
    query, shelf = state["query"], Shelf(nonce=context.nonce)
    routing = context.router.route(query, RetrievalHint())
    meant = routing.standalone or query
    asked = routing.plan.sub_questions[0] if routing.plan.sub_questions else SubQuestion(semantic_intent=meant)
    signals = (*routing.signals, Signal(name="model", detail=context.client.name("large")))
    context.emit(QueryRouted(routing_plan=routing.plan, reasoner="llm", signals=signals, standalone=routing.standalone))
    parts = [fenced(text, attributes={"about": "what there is"}, nonce=shelf.nonce) for text in _cards(context)]
    parts.append(history_part(context.history, shelf, context.source))
    evidence: tuple[Evidence, ...] = ()
    made = 0
    reworks = bool(context.history) and asks_rework(query)
    if not reworks:
        if context.data is not None and context.data.answer is not None:
            parts.append(_second_opinion(shelf, context))
        elif context.card and context.task == "documents":
            stated = _asked_of_tables(query, routing, context)
            if stated is not None:
                text, evidence, made = _of_tables(stated, meant, shelf, context)
            else:
                text, evidence, made = _searched(routing, meant, asked, shelf, context)
            parts.append(text)
    listed = _parts(query, routing)
    seems = f"\nIt seems to mean: {one_line(meant)}" if meant != query and not reworks else ""
    parts.append(f"Question: {one_line(query)}{seems}{listed}")
    more = {"documents": (), "data": ("data",), "consult": ("consult",)}[context.task]
    said = Said(speaker="user", text="\n\n".join(part for part in parts if part))
    return {
        "began": time.monotonic(),
        "routing": routing,
        "question": SubQuestion(semantic_intent=meant, search_keywords=asked.search_keywords),
        "shelf": shelf,
        "talk": Conversation(stage="loop", rules=rules(*more), turns=(said,)),
        "round": 0,
        "made": made,
        "tried": {},
        "repeats": 0,
        "evidence": evidence,
        "audit": [{"node": "look", "iteration": 1, "plan": plan_to_dict(routing.plan), "given": len(shelf.given)}],
    }


def _asked_of_tables(query: str, routing: Routing, context: LoopContext) -> RecordsAnswer | None:
    """What the tables of the folder answer; a question with misspelt words is asked again with the words meant."""
    if context.records is None:
        return None
    stated = context.records(query)
    if stated is None and routing.read_as and len(routing.plan.sub_questions) == 1:
        stated = context.records(routing.plan.sub_questions[0].semantic_intent)
    context.cancel.check()
    return stated


def _parts(query: str, routing: Routing) -> str:
    """The parts of a question, where each is said in its own words: what was put in full may not be what was meant."""
    parts, asked = [one_line(one.semantic_intent) for one in routing.plan.sub_questions], one_line(query).casefold()
    if len(parts) < 2 or not all(part.rstrip("?.？。").casefold() in asked for part in parts):
        return ""
    return "\nIts parts:\n" + "\n".join(f"- {part}" for part in parts)


def _cards(context: LoopContext) -> list[str]:
    return [card for card in (context.card, context.data.card if context.data else "") if card]


# Documents ------------------------------------------------------------------------------------------------------------


def _searched(
    routing: Routing, meant: str, asked: SubQuestion, shelf: Shelf, context: LoopContext
) -> tuple[str, tuple[Evidence, ...], int]:
    """The first search: the question, and each of its parts where there are several."""
    questions = [*routing.plan.sub_questions[:_MOST_PARTS]] or [asked]
    told, evidence = _of_named(meant, questions, shelf, context)
    calls = [
        ToolCall(
            call_id=f"c{number}",
            step_id=f"s{number}",
            tool=SEARCH,
            args={
                "semantic_query": question.semantic_intent,
                "exact_keywords": question.search_keywords or question.semantic_intent,
            },
            sub_question=question.semantic_intent,
        )
        for number, question in enumerate(questions, 1)
    ]
    facts.planned(calls, 1, context)
    results = called_side_by_side(calls, context)
    passages: list[Evidence] = []
    for question, call in zip(questions, calls, strict=True):
        hits = next(result.output.hits for result in results if result.call is call)
        passages += facts.graded(hits, question, len(evidence) + len(passages), context)
    text, left = _passages(passages, shelf, context, _BESIDE_FACTS if told else MOST_PASSAGES)
    found = facts.given([*evidence, *passages], shelf)
    facts.told(found, "REFINE", 1, context)
    if not text:
        told.append(f"A first search for {one_line(meant)!r} found nothing.")
        return "\n\n".join(told), found, len(calls)
    note = f"\n{left} further passages were left out; search finds them." if left else ""
    return "\n\n".join([*told, f"A first search found:\n{text}{note}"]), found, len(calls)


def _of_named(
    meant: str, questions: Sequence[SubQuestion], shelf: Shelf, context: LoopContext
) -> tuple[list[str], list[Evidence]]:
    """What the tables of the folder say to parts of the question, and what documents state of things it names."""
    told: list[str] = []
    evidence: list[Evidence] = []
    for question in questions if len(questions) > 1 and context.records is not None else ():
        assert context.records is not None
        stated = context.records(question.semantic_intent)
        context.cancel.check()
        if stated is not None:
            text, shown = _stated(stated, shelf, _PART_FACTS)
            told.append(f"Over all files the tables of the folder say:\n{text}")
            evidence += facts.graded(shown, question, len(evidence), context)
    hits = context.stated(meant)
    lines, shown, _ = shelf.passages(hits, _NAMED_TOKENS) if hits else ("", [], 0)
    if lines:
        told.append(f"Of what the question names the documents state:\n{lines}")
        evidence += facts.graded(shown, questions[0], len(evidence), context)
    return told, evidence


def _passages(evidence: Sequence[Evidence], shelf: Shelf, context: LoopContext, most: int) -> tuple[str, int]:
    """The best passages as text, ``most`` of them, and how many were left out."""
    ranked = sorted(evidence, key=lambda item: -item.score)
    hits: dict[tuple[str, int, int], Hit] = {}
    for item in ranked:
        if len(hits) < _SURE or item.score >= _LEAST_SHARE * ranked[0].score:
            hits.setdefault((item.hit.path, item.hit.start_line, item.hit.end_line), item.hit)
    best = list(hits.values())[:most]
    room = min(context.settings.context_tokens, PASSAGE_TOKENS)
    text, _, left = shelf.passages(best, room, context.source)
    return text, left + len(hits) - len(best)


def _of_tables(
    stated: RecordsAnswer, meant: str, shelf: Shelf, context: LoopContext
) -> tuple[str, tuple[Evidence, ...], int]:
    """What the tables of the folder answer, with the lines that state it."""
    tool = TABLES if stated.sql else RELATIONS
    call = ToolCall(call_id="c1", step_id="s1", tool=tool, args={"query": meant}, sub_question=meant)
    facts.planned([call], 1, context)
    context.emit(ToolStarted(call_id="c1", tool=tool, args=dict(call.args), sub_question=meant, step_id="s1"))
    context.emit(ToolFinished(call_id="c1", tool=tool, ok=True, result_count=len(stated.hits), note=stated.says))
    if stated.sql:
        context.emit(
            ReadingChosen(source=stated.source, says=stated.says, sql=stated.sql, confidence=stated.confidence)
        )
    text, shown = _stated(stated, shelf, _MOST_FACTS)
    found = facts.given(facts.graded(shown, SubQuestion(semantic_intent=meant), 0, context), shelf)
    facts.told(found, "REFINE", 1, context)
    return f"The tables of the folder say, over all its files:\n{text}", found, 1


def _stated(stated: RecordsAnswer, shelf: Shelf, most: int) -> tuple[str, list[Hit]]:
    """An answer of the tables as text, and the lines that it shows, ``most`` of them."""
    body = stated.answer.markdown.partition(_FOOTER)[0].strip()
    body = _ESCAPES.sub(r"\1", _without_marks(body))[:_ANSWER_CHARS]
    if stated.has_ties:
        body += "\n\nRows that are equal to the last of them are included: nothing else ties with them."
    number = shelf.put_text(body, None, TABLES, stated.says, stated.hits)
    said = shelf.block_of_text(number, f"the folder's tables, asked: {stated.says}")
    hits = stated.hits[: min(most, _COUNTED_FACTS) if stated.is_count else most]
    lines, shown, left = shelf.passages(hits, _FACT_TOKENS)
    left += len(stated.hits) - len(hits)
    note = f"\n{left} further lines are counted in it and not shown; list_documents gives them." if left else ""
    return f"{said}\n\n{lines}{note}", shown


def _without_marks(markdown: str) -> str:
    return re.sub(r" ?\[\d{1,3}\](?!\()", "", markdown)


# Data -----------------------------------------------------------------------------------------------------------------


def _second_opinion(shelf: Shelf, context: LoopContext) -> str:
    """How the program read the question, the statement, and its rows."""
    view = context.data
    assert view is not None
    assert view.answer is not None
    blocks: list[str] = []
    for reading in view.readings:
        if reading.says:
            sql = f"\nStatement: {one_line(reading.sql, 600)}" if reading.sql else ""
            unread = f"\nWords it did not read: {', '.join(reading.unread)}" if reading.unread else ""
            blocks.append(f"Read as: {one_line(reading.says)} (confidence {reading.confidence:.2f}){sql}{unread}")
        blocks += [
            f"Or: {one_line(one.says)}\nStatement: {one_line(one.sql, 600)}" for one in reading.offered[:_OFFERED]
        ]
    blocks = [fenced("\n".join(blocks), attributes={"about": "reading"}, nonce=shelf.nonce)] if blocks else []
    for table in view.tables:
        says = next((one.says for one in view.readings if one.sql == table.sql), "")
        number = shelf.put_text(rows_as_text(table), cited(table, view.titles), "sql", f"{says} {table.sql}".strip())
        blocks.append(shelf.block_of_text(number, "rows"))
    if not view.tables:
        body = _without_marks(view.answer.markdown.partition(_FOOTER)[0].strip())[:_ANSWER_CHARS]
        blocks.append(fenced(body, attributes={"about": "its own answer"}, nonce=shelf.nonce))
    return "The program read the question by itself, as a second opinion:\n" + "\n\n".join(blocks)


def rows_as_text(table: TableProduced) -> str:
    """A result as text: its columns, then a line a row."""
    lines = [" | ".join(map(one_line, table.columns))]
    lines += [" | ".join("" if cell is None else one_line(str(cell), 80) for cell in row) for row in table.rows]
    if len(lines) > _TABLE_ROWS + 1:
        lines = [*lines[: _TABLE_ROWS + 1], f"and {len(lines) - _TABLE_ROWS - 1} more rows"]
    count = max(table.row_count, len(table.rows))
    return "\n".join([*lines, f"{counted(count, 'row')}{', cut off' if table.truncated else ''}"])


def cited(table: TableProduced, titles: Mapping[str, str]) -> Citation:
    """What stands behind the rows: their statement."""
    return Citation(n=0, kind="sql", sql=table.sql, source=table.source, title=titles.get(table.source))
