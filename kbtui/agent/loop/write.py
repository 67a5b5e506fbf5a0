"""From the model's draft to the answer: every statement is compared with its lines, once sent back, then marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kbtui.agent.loop import facts
from kbtui.agent.loop.budget import may_ask_again
from kbtui.agent.loop.ids import in_ids, named
from kbtui.agent.loop.prompts import prompt_text
from kbtui.agent.loop.rework import asks_rework
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext, LoopFailed, LoopState, Written
from kbtui.domain.answer import Outcome, WrittenAnswer
from kbtui.domain.events import AnswerCompleted, ReadingChosen, Warned
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import WritingBrief
from kbtui.question.normalise import question_language
from kbtui.reasoning.checking.passages import terms_of
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Said
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fencing import safe_markdown, without_rules
from kbtui.reasoning.llm.stream import NOT_FOUND
from kbtui.reasoning.llm.writer import note_of_orders, tell_of_orders
from kbtui.reasoning.offline.phrases import phrase
from kbtui.reasoning.offline.suggest import follow_ups
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt

_MOST_SENT: Final = 8
"""Statements that are sent back."""
_LINE_CHARS: Final = 240
_SHOWN: Final = 3
_BY_MODEL: Final = 0.75
"""Confidence of a statement that only the model came to."""
_MARK: Final = re.compile(r"\[(\d{1,4})\](?!\()")
_CODE: Final = re.compile(r"`([^`\n]{1,120})`")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][\w]*(?:\.[\w]+)*")
_SAMPLES: Final = re.compile(r" text \(([^()\n]*)\)")
_UNSUPPORTED: Final = "[?]"


def write(state: LoopState, context: LoopContext) -> LoopState:
    """Check the draft; what lacks support goes back to the model once, and is marked after that.

    Raises:
        LoopFailed: Nothing in the answer is supported.
        Cancelled: The run was stopped.
    """
    draft, first = state["draft"], state.get("first")
    if draft == NOT_FOUND and first is None:
        return _ended(state, context, _nothing(state, context), "nothing found")
    written = first if not draft or draft == NOT_FOUND else _written(state, context)
    assert written is not None, "there is a draft, or the one before it"
    if first is None and written.doubts and not state["cut"] and may_ask_again(state, context):
        objection = _objection(written.doubts, state["shelf"])
        talk = state["talk"]
        said = Said(speaker="assistant", text=in_ids(draft, {number: number for number in state["shelf"].given}))
        return {
            "talk": talk.then(said, Said(speaker="user", text=objection)),
            "sent_back": True,
            "first": written,
            "first_draft": draft,
            "draft": "",
            "audit": [_entry(state, f"{len(written.doubts)} sent back")],
        }
    if first is not None and len(first.doubts) < len(written.doubts):
        written = first
    # What cites something is shown with its marks; what cites nothing at all is of no use.
    rests = bool(_MARK.search(draft or state.get("first_draft", "")))
    if written.claims and not written.supported and not rests and not _is_rework(state, context):
        name = context.client.name("large")
        raise LoopFailed(Failure(message=f"{name} wrote nothing that a passage supports."))
    _tell(written, context)
    tell_of_orders(state["shelf"].lines(), state["shelf"].orders(), context.emit)
    return _ended(state, context, written.answer, f"{len(written.doubts)} marked")


def _nothing(state: LoopState, context: LoopContext) -> WrittenAnswer:
    """That nothing answers the question; of data there is no folder to speak of, and nothing that was searched for."""
    if context.task == "documents" or context.card:
        return context.writer.not_found(_brief(state), context.emit)
    said = phrase("not_found_data", question_language(state["query"]))
    return WrittenAnswer(markdown=said, outcome="not_found", unsupported=(one_line(state["query"]),))


def _written(state: LoopState, context: LoopContext) -> Written:
    """The draft as an answer."""
    shelf, talk = state["shelf"], state["talk"]
    citations = Citations(context.source, shelf.stated)
    orders = shelf.orders()
    checked = _checked(without_rules(state["draft"], talk.system), state, context, citations)
    body = safe_markdown(checked.markdown, shelf.urls()).rstrip()
    if orders:
        body += f"\n\n{note_of_orders(list(orders), question_language(state['query']))}"
    outcome: Outcome = "answered"
    if checked.unsupported or state["cut"]:
        outcome = "partial"
    elif not checked.claims and not citations.all and context.task == "documents" and not _is_rework(state, context):
        outcome = "not_found"
    plan = state["routing"].plan
    answer = WrittenAnswer(
        markdown=f"{body}\n\n{citations.footer()}".rstrip(),
        outcome=outcome,
        citations=citations.all,
        unsupported=checked.unsupported,
        suggestions=follow_ups(
            state["query"], plan.query_type, state["evidence"], citations.all, question_language(state["query"])
        ),
    )
    return Written(
        answer=answer,
        doubts=checked.doubts,
        corrections=checked.corrections,
        supported=checked.supported,
        claims=checked.claims,
        cut=state["cut"],
    )


def _checked(text: str, state: LoopState, context: LoopContext, citations: Citations) -> CheckedAnswer:
    from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt, Source

    if context.task == "consult":
        markdown, invented = _with_names_checked(text, state, context)
        return CheckedAnswer(markdown=markdown, doubts=tuple(Doubt(text=name) for name in invented))
    shelf = state["shelf"]
    orders = shelf.orders()
    sources = [
        Source(n=number, hit=_with_note(hit), is_suspect=hit.path in orders, rows=shelf.rows.get(number))
        for number, hit in shelf.given.items()
    ]
    # A wish about the last answer names nothing: what that was asked is still what is answered.
    asked = [state["query"]] + ([context.history[-1].standalone] if _is_rework(state, context) else [])
    return context.checker().check(text, sources, citations, context.cancel, "\n".join(asked), _values(context))


def _values(context: LoopContext) -> str:
    """The sample values of the columns on the card of the data."""
    return " ".join(_SAMPLES.findall(context.data.card)) if context.data is not None else ""


def _with_note(hit: Hit) -> Hit:
    """A line that states a relation, with what it states in full names around it: ``Requires: 3107`` names no PEP."""
    return replace(hit, heading_path=(*hit.heading_path, hit.note)) if hit.note else hit


def _with_names_checked(text: str, state: LoopState, context: LoopContext) -> tuple[str, tuple[str, ...]]:
    """Advice with a mark behind every table or column that there is none of; what is proposed is no statement."""
    card = context.data.card if context.data is not None else ""
    known = {word.casefold() for one in (card, *(hit.text for hit in state["shelf"].given.values())) for word in
             re.findall(r"\w+", one)}  # fmt: skip
    invented: dict[str, None] = {}

    def marked(match: re.Match[str]) -> str:
        name = match[1]
        if not _IDENTIFIER.fullmatch(name) or all(part.casefold() in known for part in name.split(".")):
            return match[0]
        invented.setdefault(name)
        return f"{match[0]} {_UNSUPPORTED}"

    # Ids rest on what is known already; advice cites nothing.
    return _CODE.sub(marked, re.sub(r" ?\[\d{1,4}\](?!\()", "", text)), tuple(invented)


def _objection(doubts: Sequence[Doubt], shelf: Shelf) -> str:
    """What lacks support: which of its words and numbers, and what the lines or rows behind it say."""
    rows = []
    for doubt in doubts[:_MOST_SENT]:
        numbers = [number for number in doubt.cited if number in shelf.given][:_SHOWN]
        said = [f"[{named(n)}] says: «{_nearest(doubt.text, shelf.text_of(n))}»" for n in numbers]
        if doubt.lacking:
            lacking = ", ".join(f"“{one_line(word, 40)}”" for word in doubt.lacking[:_SHOWN])
            said.insert(0, f"not borne out: {lacking}")
        elif not numbers:
            said.append("it cites nothing")
        rows.append(f"- {one_line(doubt.text, _LINE_CHARS)}\n  ({'; '.join(said)})")
    if len(doubts) > _MOST_SENT:
        rows.append(f"- and {len(doubts) - _MOST_SENT} more")
    return prompt_text("send_back").text.replace("<CLAIMS>", "\n".join(rows))


def _nearest(claim: str, text: str) -> str:
    """The line, or the row under its columns, that has most words and numbers of a statement."""
    wanted = terms_of(claim)
    head, *lines = [line.strip() for line in text.split("\n") if line.strip()] or [""]
    best = max((head, *lines), key=lambda line: len(wanted & terms_of(line)))
    # A row says little without its columns.
    return one_line(best if best == head or " | " not in head else f"{head}» «{best}", _LINE_CHARS)


def _tell(written: Written, context: LoopContext) -> None:
    if written.cut:
        message = "The model's answer was cut off at its longest (model.max_output_tokens)."
        context.emit(Warned(message=message, where="model"))
    if written.corrections:
        shown = "; ".join(one_line(each, 120) for each in written.corrections[:_SHOWN])
        more = len(written.corrections) - _SHOWN
        rest = f"; and {more} more" if more > 0 else ""
        context.emit(Warned(message=f"Citations of the model were corrected: {shown}{rest}", where="citations"))


def _tell_readings(answer: WrittenAnswer, context: LoopContext) -> None:
    """State which statements of the model's own the answer rests on: what follows up on it changes the last of them."""
    view = context.data
    if view is None:
        return
    known = {reading.sql for reading in view.readings}
    for citation in answer.citations:
        source, sql = citation.source or "", citation.sql or ""
        if citation.kind == "sql" and sql and source in view.titles and sql not in known:
            said = view.says(source, sql)
            context.emit(ReadingChosen(source=source, says=said, sql=sql, confidence=_BY_MODEL))


def _ended(state: LoopState, context: LoopContext, answer: WrittenAnswer, decision: str) -> LoopState:
    context.cancel.check()
    evidence = facts.with_use(facts.given(state["evidence"], state["shelf"]), answer.citations)
    if evidence:
        facts.told(evidence, "GENERATE", max(1, state["round"]), context)
    _tell_readings(answer, context)
    context.emit(AnswerCompleted.of(answer))
    tokens_given = sum(estimate_tokens(hit.text) for hit in state["shelf"].given.values())
    return {
        "answer": answer,
        "evidence": evidence,
        "audit": [_entry(state, decision) | {"outcome": answer.outcome, "given_tokens": tokens_given}],
    }


def _brief(state: LoopState) -> WritingBrief:
    return WritingBrief(query=state["query"], routing=state["routing"], found=state["evidence"])


def _is_rework(state: LoopState, context: LoopContext) -> bool:
    return bool(context.history) and asks_rework(state["query"])


def _entry(state: LoopState, decision: str) -> dict[str, object]:
    return {"node": "write", "iteration": state["round"], "decision": decision}
