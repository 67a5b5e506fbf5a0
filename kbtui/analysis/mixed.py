"""Joins what the data say with what the documents say: one question, two sources, one cited answer."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import (
    AnswerCompleted,
    Event,
    EvidenceGraded,
    PlanCreated,
    QueryRouted,
    RequestClassified,
    ToolStarted,
)
from kbtui.domain.ports import Emit
from kbtui.text.terminal import one_line

_PLACE: Final = re.compile(r"\{(?:data|value|result|answer)?\}|⟦\w*⟧")
_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+", re.I)
_MARK: Final = re.compile(r"\[(\d{1,3})\](?!\()")
_FOOTER: Final = "\n---\n"


def knowledge_question(knowledge: str, data: str, value: Any) -> str:
    """The question for the documents, with what the data said in it.

    Args:
        knowledge: As it was asked; ``{value}``, or the words of ``data``, stand for what is found, else it is added.
        data: The question of the data.
    """
    said = one_line(str(value))
    if _PLACE.search(knowledge):
        return _PLACE.sub(lambda _: said, knowledge)
    for phrase in (data, _ARTICLE.sub("", data)):
        if phrase and phrase in knowledge:
            return knowledge.replace(phrase, said)
    return f"{knowledge.rstrip('?？ ')} {said}"


def later_pass(emit: Emit) -> Emit:
    """``emit`` for what is asked of the documents after the data: a later pass of the same run."""

    def tell(event: Event) -> None:
        match event:
            case RequestClassified():
                return
            case PlanCreated() | QueryRouted() | ToolStarted() | EvidenceGraded():
                emit(replace(event, iteration=event.iteration + 1))
            case _:
                emit(event)

    return tell


class Relay:
    """Hands the events of the documents on as a later pass of the same run, and keeps their answer back."""

    def __init__(self, emit: Emit) -> None:
        self._emit = later_pass(emit)
        self.answer: AnswerCompleted | None = None

    def emit(self, event: Event) -> None:
        """State one fact of the documents' part."""
        match event:
            case AnswerCompleted():
                self.answer = event
            case _:
                self._emit(event)


def merged_answer(data: WrittenAnswer, documents: AnswerCompleted) -> WrittenAnswer:
    """One answer: what the data say first, numbers of citations in one row."""
    before = len(data.citations)
    known = {citation.n for citation in documents.citations}
    shifted = _MARK.sub(
        lambda mark: f"[{int(mark[1]) + before}]" if int(mark[1]) in known else mark[0], documents.markdown
    )
    first, _, sources = data.markdown.partition(_FOOTER)
    second, _, more = shifted.partition(_FOOTER)
    footer = "\n".join(part.strip("\n") for part in (sources, more) if part.strip())
    markdown = f"{first.rstrip()}\n\n{second.rstrip()}" + (f"\n{_FOOTER}{footer}" if footer else "")
    outcome = documents.outcome
    if (data.outcome == "not_found" and outcome == "answered") or (
        data.outcome != "not_found" and outcome == "not_found"
    ):
        outcome = "partial"
    return WrittenAnswer(
        markdown=markdown,
        outcome=outcome,
        citations=(
            *data.citations,
            *(replace(citation, n=citation.n + before) for citation in documents.citations),
        ),
        unsupported=(*data.unsupported, *documents.unsupported),
        suggestions=(*data.suggestions, *documents.suggestions),
    )


def holding_back(emit: Emit, held: list[AnswerCompleted]) -> Emit:
    """``emit``, except for an answer that found nothing, which goes into ``held``."""

    def tell(event: Event) -> None:
        if isinstance(event, AnswerCompleted) and event.outcome == "not_found":
            held.append(event)
        else:
            emit(event)

    return tell


def noting_calls(emit: Emit, calls: list[ToolStarted]) -> Emit:
    """``emit``, with every call of a tool put into ``calls`` too."""

    def tell(event: Event) -> None:
        if isinstance(event, ToolStarted):
            calls.append(event)
        emit(event)

    return tell
