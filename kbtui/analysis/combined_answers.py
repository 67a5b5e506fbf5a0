"""Combines the answers from data and from documents: one question, two kinds of sources, one cited answer."""

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


def document_question(knowledge: str, data: str, value: Any) -> str:
    """The question for the documents, with the value found in the data.

    Args:
        knowledge: The part about documents; the value replaces ``{value}`` or the words of ``data``, else it is added.
        data: The part about data.
    """
    value_text = one_line(str(value))
    if _PLACE.search(knowledge):
        return _PLACE.sub(lambda _: value_text, knowledge)
    for phrase in (data, _ARTICLE.sub("", data)):
        if phrase and phrase in knowledge:
            return knowledge.replace(phrase, value_text)
    return f"{knowledge.rstrip('?？ ')} {value_text}"


def as_later_pass(emit: Emit) -> Emit:
    """``emit`` for the events of documents, as a later pass of the same run."""

    def relay(event: Event) -> None:
        match event:
            case RequestClassified():
                return
            case PlanCreated() | QueryRouted() | ToolStarted() | EvidenceGraded():
                emit(replace(event, iteration=event.iteration + 1))
            case _:
                emit(event)

    return relay


class DocumentRelay:
    """Emits the events of the documents as a later pass of the same run, and stores their answer."""

    def __init__(self, emit: Emit) -> None:
        self._emit = as_later_pass(emit)
        self.answer: AnswerCompleted | None = None

    def emit(self, event: Event) -> None:
        """Emit an event, or store it if it is the answer."""
        match event:
            case AnswerCompleted():
                self.answer = event
            case _:
                self._emit(event)


def merge_answers(data: WrittenAnswer, documents: AnswerCompleted) -> WrittenAnswer:
    """One answer, data first, with citations renumbered."""
    offset = len(data.citations)
    document_numbers = {citation.n for citation in documents.citations}
    shifted = _MARK.sub(
        lambda mark: f"[{int(mark[1]) + offset}]" if int(mark[1]) in document_numbers else mark[0], documents.markdown
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
            *(replace(citation, n=citation.n + offset) for citation in documents.citations),
        ),
        unsupported=(*data.unsupported, *documents.unsupported),
        suggestions=(*data.suggestions, *documents.suggestions),
    )


def withhold_empty_answers(emit: Emit, withheld: list[AnswerCompleted]) -> Emit:
    """``emit``, except for an answer without findings, which is appended to ``withheld``."""

    def relay(event: Event) -> None:
        if isinstance(event, AnswerCompleted) and event.outcome == "not_found":
            withheld.append(event)
        else:
            emit(event)

    return relay


def record_calls(emit: Emit, calls: list[ToolStarted]) -> Emit:
    """``emit``, which also appends every tool call to ``calls``."""

    def relay(event: Event) -> None:
        if isinstance(event, ToolStarted):
            calls.append(event)
        emit(event)

    return relay
