"""Checks the draft of the model: unsupported claims are sent back once for revision, then marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.agent.loop import facts
from kbtui.agent.loop.budget import may_ask_again
from kbtui.agent.loop.ids import format_id, numbers_to_ids
from kbtui.agent.loop.prompts import prompt_text
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import CheckedDraft, LoopContext, LoopFailed, LoopState
from kbtui.domain.answer import Outcome, WrittenAnswer
from kbtui.domain.events import AnswerCompleted, ReadingChosen, Warned
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import WritingBrief
from kbtui.question.normalise import question_language
from kbtui.question.wishes import is_wish
from kbtui.reasoning.checking.passages import terms_of
from kbtui.reasoning.checking.trust import Outcome as DraftOutcome
from kbtui.reasoning.checking.trust import Record
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Message
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.remembered import keep_record, record_of
from kbtui.reasoning.llm.safe_markdown import safe_markdown, without_rules
from kbtui.reasoning.llm.stream import NOT_FOUND
from kbtui.reasoning.llm.writer import instructions_note, warn_of_instructions, warn_of_record
from kbtui.reasoning.offline.phrases import phrase
from kbtui.reasoning.offline.suggest import follow_ups
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt

_MAX_SENT_BACK: Final = 80
"""Most claims that are sent back; an answer has seldom more."""
_MAX_QUOTED: Final = 12
"""Most claims that are sent back with the line that is nearest to them."""
_LINE_CHARS: Final = 240
_MAX_LISTED: Final = 3
_MODEL_CONFIDENCE: Final = 0.75
"""Confidence of a statement that only the model wrote."""
_MARK: Final = re.compile(r"\[(\d{1,4})\](?!\()")
_CODE: Final = re.compile(r"`([^`\n]{1,120})`")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][\w]*(?:\.[\w]+)*")
_SAMPLES: Final = re.compile(r" text \(([^()\n]*)\)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_UNSUPPORTED: Final = "[?]"


def write(state: LoopState, context: LoopContext) -> LoopState:
    """Check the draft; unsupported claims go back to the model once, and are marked after that.

    Raises:
        LoopFailed: No claim of the answer is supported, and it cites nothing.
        Cancelled: The run was stopped.
    """
    draft, first = state["draft"], state.get("first")
    if draft == NOT_FOUND and first is None:
        return _finish(state, context, _not_found(state, context), "nothing found")
    record = record_of(context.settings)
    checked_draft = first if not draft or draft == NOT_FOUND else _check_draft(draft, state, context, record)
    assert checked_draft is not None, "there is a draft, or the one before it"
    if first is not None and first.supported and not checked_draft.supported:
        checked_draft = first
    if checked_draft is not first and context.task != "consult":
        record = record.after(checked_draft.outcome, was_sent_back=first is not None)
        keep_record(context.settings, record)
    if first is None and checked_draft.doubts and not state["cut"] and may_ask_again(state, context):
        objection = _objection(checked_draft.doubts, state["shelf"])
        talk = state["talk"]
        message = Message(
            speaker="assistant", text=numbers_to_ids(draft, {number: number for number in state["shelf"].given})
        )
        return {
            "talk": talk.with_messages(message, Message(speaker="user", text=objection)),
            "sent_back": True,
            "first": checked_draft,
            "draft": "",
            "audit": [_entry(state, f"{len(checked_draft.doubts)} sent back")],
        }
    # An unsupported answer with citations is shown with marks; one without any is useless.
    cites_anything = bool(_MARK.search(draft) or checked_draft.answer.citations)
    if checked_draft.claims and not checked_draft.supported and not cites_anything and not _is_rework(state, context):
        name = context.client.name("large")
        raise LoopFailed(Failure(message=f"{name} wrote nothing that a passage supports."))
    _warn(checked_draft, context)
    warn_of_record(record, context.client.name("large"), context.emit)
    warn_of_instructions(state["shelf"].others_texts(), state["shelf"].orders(), context.emit)
    return _finish(state, context, checked_draft.answer, f"{len(checked_draft.doubts)} marked")


def _not_found(state: LoopState, context: LoopContext) -> WrittenAnswer:
    """The answer that nothing was found; a run over data alone has no folder and no search to mention."""
    if context.task == "documents" or context.card:
        brief = WritingBrief(query=state["query"], routing=state["routing"], found=state["evidence"])
        return context.writer.not_found(brief, context.emit)
    text = phrase("not_found_data", question_language(state["query"]))
    return WrittenAnswer(markdown=text, outcome="not_found", unsupported=(one_line(state["query"]),))


def _check_draft(draft: str, state: LoopState, context: LoopContext, record: Record) -> CheckedDraft:
    """Check a draft and build the answer from it.

    Args:
        record: What earlier drafts of the model showed.
    """
    shelf, talk = state["shelf"], state["talk"]
    citations = Citations(context.source, shelf.stated)
    orders = shelf.orders()

    def chance(outcome: DraftOutcome | None) -> float:
        return record.after(outcome, was_sent_back="first" in state).chance(has_orders=bool(orders))

    result = _check_citations(without_rules(draft, talk.system), state, context, citations, chance)
    body = safe_markdown(result.markdown, shelf.urls()).rstrip()
    if orders:
        body += f"\n\n{instructions_note(list(orders), question_language(state['query']))}"
    plan = state["routing"].plan
    answer = WrittenAnswer(
        markdown=f"{body}\n\n{citations.footer()}".rstrip(),
        outcome=_outcome(result, citations, state, context),
        citations=citations.all,
        unsupported=result.unsupported,
        suggestions=follow_ups(
            state["query"], plan.query_type, state["evidence"], citations.all, question_language(state["query"])
        ),
    )
    return CheckedDraft(
        answer=answer,
        doubts=result.doubts,
        outcome=result.outcome,
        corrections=result.corrections,
        supported=result.supported,
        claims=result.claims,
        cut=state["cut"],
    )


def _outcome(result: CheckedAnswer, citations: Citations, state: LoopState, context: LoopContext) -> Outcome:
    """How far the question is answered: a sentence that says of something that it was not found leaves a part open."""
    from kbtui.reasoning.checking.claims import is_gap

    says_gap = any(is_gap(text) for text in _SENTENCE_END.split(result.markdown) if not _MARK.search(text))
    is_bare = not citations.all and not result.supported and (says_gap or not result.claims)
    if is_bare and context.task == "documents" and not _is_rework(state, context):
        return "not_found"
    return "partial" if result.unsupported or state["cut"] or says_gap else "answered"


def _check_citations(
    text: str,
    state: LoopState,
    context: LoopContext,
    citations: Citations,
    chance: Callable[[DraftOutcome | None], float],
) -> CheckedAnswer:
    from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt, Source

    if context.task == "consult":
        markdown, invented = _mark_unknown_names(text, state, context)
        return CheckedAnswer(markdown=markdown, doubts=tuple(Doubt(text=name) for name in invented))
    shelf = state["shelf"]
    orders = shelf.orders()
    sources = [
        Source(n=number, hit=_with_note(hit), is_suspect=hit.path in orders, rows=shelf.rows.get(number))
        for number, hit in shelf.given.items()
    ]
    # A wish about the last answer names nothing: what that was asked is still what is answered.
    asked = [state["query"]] + ([context.history[-1].standalone] if _is_rework(state, context) else [])
    return context.checker().check(text, sources, citations, context.cancel, "\n".join(asked), _values(context), chance)


def _values(context: LoopContext) -> str:
    """The sample values of the columns on the card of the data."""
    return " ".join(_SAMPLES.findall(context.data.card)) if context.data is not None else ""


def _with_note(hit: Hit) -> Hit:
    """The hit with its note as a heading, because a line such as ``Requires: 3107`` does not contain the full names."""
    return replace(hit, heading_path=(*hit.heading_path, hit.note)) if hit.note else hit


def _mark_unknown_names(text: str, state: LoopState, context: LoopContext) -> tuple[str, tuple[str, ...]]:
    """Mark every table or column in advice that does not exist; also return their names."""
    card = context.data.card if context.data is not None else ""
    known_words = {word.casefold() for each in (card, *(hit.text for hit in state["shelf"].given.values())) for word in
             re.findall(r"\w+", each)}  # fmt: skip
    invented: dict[str, None] = {}

    def mark_if_unknown(match: re.Match[str]) -> str:
        name = match[1]
        if not _IDENTIFIER.fullmatch(name) or all(part.casefold() in known_words for part in name.split(".")):
            return match[0]
        invented.setdefault(name)
        return f"{match[0]} {_UNSUPPORTED}"

    # Advice cites nothing, so numbered marks are removed.
    return _CODE.sub(mark_if_unknown, re.sub(r" ?\[\d{1,4}\](?!\()", "", text)), tuple(invented)


def _objection(doubts: Sequence[Doubt], shelf: Shelf) -> str:
    """The message that lists all unsupported claims, each with the reason and the nearest line or row it cites."""
    rows = []
    for index, doubt in enumerate(doubts[:_MAX_SENT_BACK]):
        numbers = [number for number in doubt.cited if number in shelf.given][:_MAX_LISTED]
        if doubt.lacking:
            lacking = ", ".join(f"“{one_line(word, 80)}”" for word in doubt.lacking[:_MAX_LISTED])
            notes = [f"not borne out: {lacking}"]
        else:
            notes = [_reason_of(doubt, is_cited=bool(numbers))]
        for number in numbers if index < _MAX_QUOTED else ():
            if line := _most_similar_line(doubt.text, shelf.text_of(number)):
                notes.append(f"[{format_id(number)}] says: «{line}»")
        rows.append(f"- {one_line(doubt.text, _LINE_CHARS)}\n  ({'; '.join(notes)})")
    if len(doubts) > _MAX_SENT_BACK:
        rows.append(f"- and {len(doubts) - _MAX_SENT_BACK} more")
    return prompt_text("send_back").text.replace("<CLAIMS>", "\n".join(rows))


def _most_similar_line(claim: str, text: str) -> str:
    """The line that shares most words and numbers with a claim; empty if no line of a text does."""
    terms = terms_of(claim)
    head, *lines = [line.strip() for line in text.split("\n") if line.strip()] or [""]
    is_table = " | " in head
    best = max(lines if is_table else (head, *lines), key=lambda line: len(terms & terms_of(line)), default="")
    if not is_table and not terms & terms_of(best):
        return ""
    return one_line(_named_cells(head, best) if is_table else best, _LINE_CHARS)


def _named_cells(head: str, row: str) -> str:
    """A row with the name of its column before each cell: a row says little without its columns."""
    names, values = ([cell.strip() for cell in line.strip("| ").split(" | ")] for line in (head, row))
    return "; ".join(map(": ".join, zip(names, values, strict=True))) if len(names) == len(values) else row


def _reason_of(doubt: Doubt, *, is_cited: bool) -> str:
    if not is_cited:
        return "it cites nothing"
    if doubt.is_loose:
        return "say it in the words of the lines, without what they do not say"
    return "the lines say otherwise" if doubt.is_refuted else "the lines do not say this"


def _warn(draft: CheckedDraft, context: LoopContext) -> None:
    if draft.cut:
        message = "The model's answer was cut off at its longest (model.max_output_tokens)."
        context.emit(Warned(message=message, where="model"))
    if draft.corrections:
        listed = "; ".join(one_line(each, 200) for each in draft.corrections[:_MAX_LISTED])
        omitted = len(draft.corrections) - _MAX_LISTED
        rest = f"; and {omitted} more" if omitted > 0 else ""
        context.emit(Warned(message=f"Citations of the model were corrected: {listed}{rest}", where="citations"))


def _emit_readings(answer: WrittenAnswer, context: LoopContext) -> None:
    """Emit the statements of the model that the answer cites; a follow-up edits the last of them."""
    view = context.data
    if view is None:
        return
    known_statements = {reading.sql for reading in view.readings}
    for citation in answer.citations:
        source, sql = citation.source or "", citation.sql or ""
        if citation.kind == "sql" and sql and source in view.titles and sql not in known_statements:
            paraphrase = view.says(source, sql)
            context.emit(ReadingChosen(source=source, says=paraphrase, sql=sql, confidence=_MODEL_CONFIDENCE))


def _finish(state: LoopState, context: LoopContext, answer: WrittenAnswer, decision: str) -> LoopState:
    context.cancel.check()
    evidence = facts.mark_cited(facts.mark_given(state["evidence"], state["shelf"]), answer.citations)
    if evidence:
        facts.emit_evidence(evidence, "GENERATE", max(1, state["round"]), context)
    _emit_readings(answer, context)
    context.emit(AnswerCompleted.of(answer))
    tokens_given = sum(estimate_tokens(hit.text) for hit in state["shelf"].given.values())
    return {
        "answer": answer,
        "evidence": evidence,
        "audit": [_entry(state, decision) | {"outcome": answer.outcome, "given_tokens": tokens_given}],
    }


def _is_rework(state: LoopState, context: LoopContext) -> bool:
    return bool(context.history) and is_wish(state["query"])


def _entry(state: LoopState, decision: str) -> dict[str, object]:
    return {"node": "write", "iteration": state["round"], "decision": decision}
