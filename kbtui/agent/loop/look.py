"""The first step, without a call of the model: routes the question, asks the records and searches.

The results go into the first message, so that an easy question needs one call.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.agent.calling import TABLES, call_in_parallel, emit_lookup, emit_plan
from kbtui.agent.loop import facts
from kbtui.agent.loop.prompts import rules
from kbtui.agent.loop.shelf import Shelf, over_files
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.agent.loop.talk import history_part
from kbtui.agent.state import RecordsAnswer
from kbtui.domain.answer import Citation
from kbtui.domain.codec import plan_to_dict
from kbtui.domain.events import QueryRouted, TableProduced
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.routing import RetrievalHint, Routing, Signal, SubQuestion
from kbtui.domain.tooling import ToolCall
from kbtui.question.wishes import is_wish
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.llm.conversation import Conversation, Message
from kbtui.reasoning.llm.fencing import fenced, unescaped
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.tools.execute_sql import row_lines

SEARCH: Final = "hybrid_search"
MAX_PASSAGES: Final = 6
_MAX_PASSAGES_BESIDE_FACTS: Final = 4
"""Most passages if the records answer a part of the question, or state fields of things it mentions."""
PASSAGE_TOKENS: Final = 2_200
"""Tokens for the passages of the first message, unless `model.context_tokens` is less."""
_MIN_PASSAGES: Final = 3
"""Number of passages that are given whatever their score."""
_MIN_RELATIVE_SCORE: Final = 0.25
"""Smallest score of further passages relative to the best."""
_MAX_PARTS: Final = 3
_FACT_TOKENS: Final = 2_000
_MAX_FACTS: Final = 40
_MAX_COUNTED_FACTS: Final = 8
"""Most lines beside a count: the question asks for the count, and its result has an id."""
_MAX_PART_FACTS: Final = 8
"""Most lines for the answer to one of several parts."""
_MENTION_TOKENS: Final = 500
"""Tokens for the fields and relations of things that the question mentions."""
_ANSWER_CHARS: Final = 2_500
_TABLE_ROWS: Final = 30
"""Backslashes that keep names of documents from being read as Markdown; in a prompt they only change the names."""
_FOOTER: Final = "\n---\n"
_STATEMENT_CHARS: Final = 4_000
"""Most characters of a statement, which is useless without its end."""
_MAX_ALTERNATIVES: Final = 2
"""Most alternative readings of a question about data that are shown."""


def look(state: LoopState, context: LoopContext) -> LoopState:
    """Route the question, search for it, and compose the first message."""
    query, shelf = state["query"], Shelf(nonce=context.nonce)
    routing = context.router.route(query, RetrievalHint())
    standalone = routing.standalone or query
    first_question = (
        routing.plan.sub_questions[0] if routing.plan.sub_questions else SubQuestion(semantic_intent=standalone)
    )
    signals = (*routing.signals, Signal(name="model", detail=context.client.name("large")))
    context.emit(QueryRouted(routing_plan=routing.plan, reasoner="llm", signals=signals, standalone=routing.standalone))
    cards = filter(None, (context.card, context.data.card if context.data else ""))
    parts = [fenced(text, attributes={"about": "what there is"}, nonce=shelf.nonce) for text in cards]
    parts.append(history_part(shelf, context))
    evidence: tuple[Evidence, ...] = ()
    made = 0
    is_rework = bool(context.history) and is_wish(query)
    if not is_rework:
        if context.data is not None and context.data.answer is not None:
            parts.append(_format_offline_reading(shelf, context))
        elif context.card and context.task == "documents":
            records_answer = _ask_records(query, routing, context)
            if records_answer is not None:
                text, evidence, made = _use_records_answer(records_answer, standalone, shelf, context)
            else:
                text, evidence, made = _first_search(routing, standalone, first_question, shelf, context)
            parts.append(text)
    part_list = _format_parts(query, routing)
    meaning = f"\nIt seems to mean: {one_line(standalone)}" if standalone != query and not is_rework else ""
    parts.append(f"Question: {one_line(query)}{meaning}{part_list}")
    more = {"documents": (), "data": ("data",), "consult": ("consult",)}[context.task]
    message = Message(speaker="user", text="\n\n".join(part for part in parts if part))
    return {
        "began": time.monotonic(),
        "routing": routing,
        "question": SubQuestion(semantic_intent=standalone, search_keywords=first_question.search_keywords),
        "shelf": shelf,
        "talk": Conversation(
            stage="loop", rules=rules(*more, tools=frozenset(spec.name for spec in context.tools)), turns=(message,)
        ),
        "round": 0,
        "made": made,
        "tried": {},
        "repeats": 0,
        "evidence": evidence,
        "audit": [{"node": "look", "iteration": 1, "plan": plan_to_dict(routing.plan), "given": len(shelf.given)}],
    }


def _ask_records(query: str, routing: Routing, context: LoopContext) -> RecordsAnswer | None:
    """The answer of the records; a question with misspelt words that has none is asked again with the words meant."""
    if context.records is None:
        return None
    records_answer = context.records(query)
    if records_answer is None and routing.read_as and len(routing.plan.sub_questions) == 1:
        records_answer = context.records(routing.plan.sub_questions[0].semantic_intent)
    context.cancel.check()
    return records_answer


def _format_parts(query: str, routing: Routing) -> str:
    """List the parts of a question if each is in its own words: a part put in full may not be what was meant."""
    parts = [one_line(part.semantic_intent) for part in routing.plan.sub_questions]
    question = one_line(query).casefold()
    if len(parts) < 2 or not all(part.rstrip("?.？。").casefold() in question for part in parts):
        return ""
    return "\nIts parts:\n" + "\n".join(f"- {part}" for part in parts)


# Documents ------------------------------------------------------------------------------------------------------------


def _first_search(
    routing: Routing, meant: str, asked: SubQuestion, shelf: Shelf, context: LoopContext
) -> tuple[str, tuple[Evidence, ...], int]:
    """Search for the question, or for each of its parts if there are several."""
    questions = [*routing.plan.sub_questions[:_MAX_PARTS]] or [asked]
    blocks, evidence = _facts_from_records(meant, questions, shelf, context)
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
    emit_plan(calls, 1, context)
    results = call_in_parallel(calls, context)
    passages: list[Evidence] = []
    for question, call in zip(questions, calls, strict=True):
        hits = next(result.output.hits for result in results if result.call is call)
        passages += facts.grade_hits(hits, question, len(evidence) + len(passages), context)
    text, omitted = _format_best_passages(
        passages, shelf, context, _MAX_PASSAGES_BESIDE_FACTS if blocks else MAX_PASSAGES
    )
    given_evidence = facts.mark_given([*evidence, *passages], shelf)
    facts.emit_evidence(given_evidence, "REFINE", 1, context)
    if not text:
        blocks.append(f"A first search for {one_line(meant)!r} found nothing.")
        return "\n\n".join(blocks), given_evidence, len(calls)
    note = f"\n{omitted} further passages were left out; search finds them." if omitted else ""
    return "\n\n".join([*blocks, f"A first search found:\n{text}{note}"]), given_evidence, len(calls)


def _facts_from_records(
    meant: str, questions: Sequence[SubQuestion], shelf: Shelf, context: LoopContext
) -> tuple[list[str], list[Evidence]]:
    """Answers of the records to parts of the question, and the fields and relations of things that it mentions."""
    blocks: list[str] = []
    evidence: list[Evidence] = []
    for question in questions if len(questions) > 1 and context.records is not None else ():
        assert context.records is not None
        records_answer = context.records(question.semantic_intent)
        context.cancel.check()
        if records_answer is not None:
            text, new_hits = _format_records_answer(records_answer, shelf, _MAX_PART_FACTS)
            blocks.append(f"Over all files the tables of the folder say:\n{text}")
            evidence += facts.grade_hits(new_hits, question, len(evidence), context)
    hits = context.stated(meant)
    lines, new_hits, _ = shelf.passages(hits, _MENTION_TOKENS) if hits else ("", [], 0)
    if lines:
        blocks.append(f"Of what the question names the documents state:\n{lines}")
        evidence += facts.grade_hits(new_hits, questions[0], len(evidence), context)
    return blocks, evidence


def _format_best_passages(
    evidence: Sequence[Evidence], shelf: Shelf, context: LoopContext, most: int
) -> tuple[str, int]:
    """Format the best passages, at most ``most``; also return how many were left out."""
    ranked = sorted(evidence, key=lambda item: -item.score)
    hits: dict[tuple[str, int, int], Hit] = {}
    for item in ranked:
        if len(hits) < _MIN_PASSAGES or item.score >= _MIN_RELATIVE_SCORE * ranked[0].score:
            hits.setdefault((item.hit.path, item.hit.start_line, item.hit.end_line), item.hit)
    best = list(hits.values())[:most]
    passage_tokens = min(context.settings.context_tokens, PASSAGE_TOKENS)
    text, _, omitted = shelf.passages(best, passage_tokens, context.source)
    return text, omitted + len(hits) - len(best)


def _use_records_answer(
    records_answer: RecordsAnswer, meant: str, shelf: Shelf, context: LoopContext
) -> tuple[str, tuple[Evidence, ...], int]:
    """Format the answer of the records with its lines, and emit its events."""
    emit_lookup(meant, records_answer, context)
    text, new_hits = _format_records_answer(records_answer, shelf, _MAX_FACTS)
    given_evidence = facts.mark_given(facts.grade_hits(new_hits, SubQuestion(semantic_intent=meant), 0, context), shelf)
    facts.emit_evidence(given_evidence, "REFINE", 1, context)
    return f"The tables of the folder say, over all its files:\n{text}", given_evidence, 1


def _format_records_answer(records_answer: RecordsAnswer, shelf: Shelf, most: int) -> tuple[str, list[Hit]]:
    """Format an answer of the records; also return the lines that are shown, at most ``most``."""
    body = records_answer.answer.markdown.partition(_FOOTER)[0].strip()
    body = unescaped(_without_marks(body))[:_ANSWER_CHARS]
    if records_answer.has_ties:
        body += "\n\nRows that are equal to the last of them are included: nothing else ties with them."
    citation = over_files(records_answer.sql) if records_answer.sql else None
    number = shelf.put_text(body, citation, TABLES, records_answer.says, records_answer.hits)
    text_block = shelf.block_of_text(number, f"the folder's tables, asked: {records_answer.says}")
    hits = records_answer.hits[: min(most, _MAX_COUNTED_FACTS) if records_answer.is_count else most]
    lines, new_hits, omitted = shelf.passages(hits, _FACT_TOKENS)
    omitted += len(records_answer.hits) - len(hits)
    note = f"\n{omitted} further lines are counted in it and not shown; list_documents gives them." if omitted else ""
    return f"{text_block}\n\n{lines}{note}", new_hits


def _without_marks(markdown: str) -> str:
    return re.sub(r" ?\[\d{1,3}\](?!\()", "", markdown)


# Data -----------------------------------------------------------------------------------------------------------------


def _format_offline_reading(shelf: Shelf, context: LoopContext) -> str:
    """Format the offline reading of a question about data: paraphrase, statement and rows."""
    view = context.data
    assert view is not None
    assert view.answer is not None
    blocks: list[str] = []
    for reading in view.readings:
        if reading.says:
            sql = f"\nStatement: {one_line(reading.sql, _STATEMENT_CHARS)}" if reading.sql else ""
            unread = f"\nWords it did not read: {', '.join(reading.unread)}" if reading.unread else ""
            blocks.append(f"Read as: {one_line(reading.says)} (confidence {reading.confidence:.2f}){sql}{unread}")
        blocks += [
            f"Or: {one_line(other.says)}\nStatement: {one_line(other.sql, _STATEMENT_CHARS)}"
            for other in reading.offered[:_MAX_ALTERNATIVES]
        ]
    blocks = [fenced("\n".join(blocks), attributes={"about": "reading"}, nonce=shelf.nonce)] if blocks else []
    for table in view.tables:
        says = next((reading.says for reading in view.readings if reading.sql == table.sql), "")
        behind = f"{says} {table.sql}".strip()
        rows = rows_of(table.columns, table.rows, behind, table.row_count)
        number = shelf.put_text(rows_as_text(table), statement_citation(table, view.titles), "sql", behind, rows=rows)
        blocks.append(shelf.block_of_text(number, "rows"))
    if not view.tables:
        body = unescaped(_without_marks(view.answer.markdown.partition(_FOOTER)[0].strip()))[:_ANSWER_CHARS]
        blocks.append(fenced(body, attributes={"about": "its own answer"}, nonce=shelf.nonce))
    return "The program read the question by itself, as a second opinion:\n" + "\n\n".join(blocks)


def rows_as_text(table: TableProduced) -> str:
    """Format a table: a line of columns, then one line per row."""
    lines = row_lines(table.columns, table.rows, _TABLE_ROWS)
    count = max(table.row_count, len(table.rows))
    return "\n".join([*lines, f"{counted(count, 'row')}{', cut off' if table.truncated else ''}"])


def statement_citation(table: TableProduced, titles: Mapping[str, str]) -> Citation:
    """A citation of the statement of a table."""
    return Citation(n=0, kind="sql", sql=table.sql, source=table.source, title=titles.get(table.source))
