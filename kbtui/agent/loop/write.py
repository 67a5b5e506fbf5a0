"""From the model's draft to the answer: every statement is compared with its lines, once sent back, then marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kbtui.agent.loop import facts
from kbtui.agent.loop.budget import may_ask_again
from kbtui.agent.loop.ids import in_ids
from kbtui.agent.loop.prompts import prompt_text
from kbtui.agent.loop.rework import asks_rework
from kbtui.agent.loop.state import LoopContext, LoopFailed, LoopState, Written
from kbtui.domain.answer import Outcome, WrittenAnswer
from kbtui.domain.events import AnswerCompleted, ReadingChosen, Warned
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import WritingBrief
from kbtui.question.normalise import question_language
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Said
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fencing import safe_markdown, without_rules
from kbtui.reasoning.llm.stream import NOT_FOUND
from kbtui.reasoning.llm.writer import note_of_orders, tell_of_orders
from kbtui.reasoning.offline.suggest import follow_ups
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checker import CheckedAnswer

_MOST_SENT: Final = 8
"""Statements that are sent back."""
_LINE_CHARS: Final = 240
_SHOWN: Final = 3
_BY_MODEL: Final = 0.75
"""Confidence of a statement that only the model came to."""
_MARK: Final = re.compile(r"\[(\d{1,4})\](?!\()")
_CODE: Final = re.compile(r"`([^`\n]{1,120})`")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][\w]*(?:\.[\w]+)*")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_UNSUPPORTED: Final = "[?]"


def write(state: LoopState, context: LoopContext) -> LoopState:
    """Check the draft; what lacks support goes back to the model once, and is marked after that.

    Raises:
        LoopFailed: Nothing in the answer is supported.
        Cancelled: The run was stopped.
    """
    draft, first = state["draft"], state.get("first")
    if draft == NOT_FOUND and first is None:
        return _ended(state, context, context.writer.not_found(_brief(state), context.emit), "nothing found")
    written = first if not draft or draft == NOT_FOUND else _written(state, context)
    assert written is not None, "there is a draft, or the one before it"
    if first is None and written.unsupported and not state["cut"] and may_ask_again(state, context):
        objection = _objection(written.unsupported, draft, state)
        talk = state["talk"]
        said = Said(speaker="assistant", text=in_ids(draft, {number: number for number in state["shelf"].given}))
        return {
            "talk": talk.then(said, Said(speaker="user", text=objection)),
            "sent_back": True,
            "first": written,
            "first_draft": draft,
            "draft": "",
            "audit": [_entry(state, f"{len(written.unsupported)} sent back")],
        }
    if first is not None and len(first.unsupported) < len(written.unsupported):
        written = first
    # What cites something is shown with its marks; what cites nothing at all is of no use.
    rests = bool(_MARK.search(draft or state.get("first_draft", "")))
    if written.claims and not written.supported and not rests and not _is_rework(state, context):
        name = context.client.name("large")
        raise LoopFailed(Failure(message=f"{name} wrote nothing that a passage supports."))
    _tell(written, context)
    tell_of_orders(state["shelf"].lines(), state["shelf"].orders(), context.emit)
    return _ended(state, context, written.answer, f"{len(written.unsupported)} marked")


def _written(state: LoopState, context: LoopContext) -> Written:
    """The draft as an answer."""
    shelf, talk = state["shelf"], state["talk"]
    citations = Citations(context.source, shelf.stated)
    orders = shelf.orders()
    checked = _checked(without_rules(state["draft"], talk.system), state, context, citations)
    body = safe_markdown(checked.markdown, shelf.urls()).rstrip()
    if orders:
        body += f"\n\n{note_of_orders(list(orders), question_language(state['query']))}"
    plan = state["routing"].plan
    answer = WrittenAnswer(
        markdown=f"{body}\n\n{citations.footer()}".rstrip(),
        outcome=_outcome(checked, citations, state, context),
        citations=citations.all,
        unsupported=checked.unsupported,
        suggestions=follow_ups(
            state["query"], plan.query_type, state["evidence"], citations.all, question_language(state["query"])
        ),
    )
    return Written(
        answer=answer,
        unsupported=checked.unsupported,
        corrections=checked.corrections,
        supported=checked.supported,
        claims=checked.claims,
        cut=state["cut"],
    )


def _outcome(checked: CheckedAnswer, citations: Citations, state: LoopState, context: LoopContext) -> Outcome:
    """How far the question is answered: a sentence that says of something that it was not found leaves a part open."""
    from kbtui.reasoning.checking.claims import is_gap

    says_gap = any(is_gap(text) for text in _SENTENCE_END.split(checked.markdown) if not _MARK.search(text))
    is_bare = not citations.all and not checked.supported and (says_gap or not checked.claims)
    if is_bare and context.task == "documents" and not _is_rework(state, context):
        return "not_found"
    return "partial" if checked.unsupported or state["cut"] or says_gap else "answered"


def _checked(text: str, state: LoopState, context: LoopContext, citations: Citations) -> CheckedAnswer:
    from kbtui.reasoning.checking.checker import CheckedAnswer, Source

    if context.task == "consult":
        markdown, invented = _with_names_checked(text, state, context)
        return CheckedAnswer(markdown=markdown, unsupported=invented)
    orders = state["shelf"].orders()
    sources = [
        Source(n=number, hit=_with_note(hit), is_suspect=hit.path in orders)
        for number, hit in state["shelf"].given.items()
    ]
    return context.checker().check(text, sources, citations, context.cancel, state["query"])


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


def _objection(unsupported: Sequence[str], draft: str, state: LoopState) -> str:
    """What lacks support, and what the lines behind it say."""
    rows = []
    for claim in unsupported[:_MOST_SENT]:
        numbers = _marks_of(claim, draft)
        given = state["shelf"].given
        lines = [_nearest(claim, given[number]) for number in numbers if number in given]
        said = "; ".join(f"[p{n}] says: «{line}»" for n, line in zip(numbers, lines, strict=False) if line)
        cited = "" if numbers else "it cites nothing"
        rows.append(f"- {one_line(claim, _LINE_CHARS)}\n  ({said or cited or 'what it cites says nothing of it'})")
    if len(unsupported) > _MOST_SENT:
        rows.append(f"- and {len(unsupported) - _MOST_SENT} more")
    return prompt_text("send_back").text.replace("<CLAIMS>", "\n".join(rows))


def _marks_of(claim: str, draft: str) -> list[int]:
    """The numbers that stand behind a statement in the draft."""
    words = claim.split()
    at = next((at for size in (8, 5, 3) if (at := draft.find(" ".join(words[:size]))) >= 0), -1)
    if at < 0:
        return []
    end = draft.find("\n", at + len(claim) // 2)
    around = draft[at : end if end >= 0 else len(draft)]
    behind = _MARK.search(around, max(0, len(claim) - 40))
    if behind is None:
        return []
    found = [int(behind[1])]
    while (more := _MARK.match(around, behind.end())) is not None:
        found.append(int(more[1]))
        behind = more
    return list(dict.fromkeys(found))[:_SHOWN]


def _nearest(claim: str, hit: Hit) -> str:
    """The line of a passage that has most words of a statement."""
    wanted = set(tokens(claim))
    lines = [line.strip() for line in hit.text.split("\n") if line.strip()]
    best = max(lines, key=lambda line: len(wanted & set(tokens(line))), default="")
    return one_line(best, _LINE_CHARS)


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
