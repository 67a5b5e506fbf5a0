"""The `AnswerWriter` that asks a chat model, and believes nothing of it that no passage says (spec 003, D4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kbtui.domain.answer import Outcome, WrittenAnswer, line_label
from kbtui.domain.events import Warned
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken, Emit, WritingBrief
from kbtui.question.normalise import question_language
from kbtui.reasoning.citing import Citations, ReadsLines
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.context import assemble
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import defused, restored, safe_markdown, urls_in, without_rules
from kbtui.reasoning.llm.prompt import ROLES, Prompt, rules_of
from kbtui.reasoning.llm.stream import NOT_FOUND, AnswerStream
from kbtui.reasoning.llm.suspicion import ordering, suspicious
from kbtui.reasoning.offline.suggest import follow_ups
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checked import CheckedAnswer
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.offline.writer import OfflineWriter

RULES: Final = rules_of("write", NOT_FOUND=NOT_FOUND)

_OFFLINE_TYPES: Final = ("chitchat", "file_discovery")
"""Answered by a fixed phrase and by a list of files, which a model could only spoil."""
_SHOWN: Final = 3
_MARK: Final = re.compile(r"(?<!\w)\[(\d{1,3})\]")


class LlmWriter:
    """Writes with the model, checks every sentence against the lines it cites, and says what is not backed.

    Args:
        offline: Writes where the model does not.
        checker: Compares sentences with lines.
        source: Lines of the files as they are now, for quotes.
        context_tokens: Room for passages in the prompt.
        nonce: Of the fences of this run.
        about: A text handed in with the question, fenced; empty where there is none.
    """

    def __init__(
        self,
        client: ModelClient,
        offline: OfflineWriter,
        *,
        checker: Callable[[], AnswerChecker],
        source: ReadsLines | None,
        context_tokens: int,
        nonce: str,
        about: str = "",
    ) -> None:
        self._client = client
        self._about = about
        self._offline = offline
        self._checker = checker
        self._source = source
        self._context_tokens = context_tokens
        self._nonce = nonce

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """See `AnswerWriter`; the deltas are the model's own words, the answer is what was left of them."""
        if not brief.evidence or brief.routing.plan.query_type in _OFFLINE_TYPES:
            return self._by_offline(brief, emit, cancel)
        context = assemble(brief.evidence, budget_tokens=self._context_tokens, nonce=self._nonce)
        orders = ordering([*(item.hit for item in brief.evidence), *(hit for _, hit in context.sources)])
        tell_of_orders([hit for _, hit in context.sources], orders, emit)
        passages = f"{context.text}\n\n{self._about}" if self._about else context.text
        prompt = _prompt(brief, passages)
        allowed_urls = urls_in(hit.text for _, hit in context.sources if hit.path not in orders)
        stream = AnswerStream(emit, allowed_urls)
        try:
            reply = self._client.write(prompt, stream.feed, self._client.deadline())
        except CallFailed as failed:
            warn_of(failed, "write", emit)
            stream.break_off()
            return self._by_offline(brief, emit, cancel)
        text = without_rules(restored(stream.finish()), prompt.system)
        if stream.not_found:
            return self._offline.not_found(brief, emit)
        if not text.strip() or reply.refused:
            why = "declined to answer" if reply.refused else "gave an empty answer"
            return self._instead(why, stream, brief, emit, cancel)
        from kbtui.reasoning.checking.checked import Source

        citations = Citations(self._source)
        sources = [Source(n=n, hit=hit, is_suspect=hit.path in orders) for n, hit in context.sources]
        checked = self._checker().check(text, sources, citations, cancel, brief.query)
        if not checked.supported:
            why = "wrote nothing that a passage supports"
            return self._instead(why, stream, brief, emit, cancel)
        self._tell(checked, reply.cut, emit)
        body = safe_markdown(checked.markdown, allowed_urls).rstrip()
        if orders:
            body += f"\n\n{note_of_orders(list(orders), question_language(brief.query))}"
        missing = _missing(brief)
        outcome: Outcome = "partial" if missing or checked.unsupported or reply.cut else "answered"
        return WrittenAnswer(
            markdown=f"{body}\n\n{citations.footer()}".rstrip(),
            outcome=outcome,
            citations=citations.all,
            unsupported=(*missing, *checked.unsupported),
            suggestions=follow_ups(
                brief.query,
                brief.routing.plan.query_type,
                brief.evidence,
                citations.all,
                question_language(brief.query),
            ),
        )

    def _instead(
        self, why: str, stream: AnswerStream, brief: WritingBrief, emit: Emit, cancel: CancelToken
    ) -> WrittenAnswer:
        """The offline answer, after saying why it is not the model's."""
        model = self._client.name(ROLES["write"])
        warn_of(CallFailed(Failure(message=f"{model} {why}.")), "write", emit)
        stream.break_off()
        return self._by_offline(brief, emit, cancel)

    def _by_offline(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """The offline answer: what texts that give orders add to it is labelled, and has no links."""
        answer = self._offline.write(brief, emit, cancel)
        hits = [item.hit for item in (*brief.evidence, *brief.found)]
        orders = ordering(hits)
        quotes = [citation for citation in answer.citations if suspicious(citation.quote or "")]
        orders |= {citation.path: suspicious(citation.quote or "") for citation in quotes if citation.path}
        return _guarded(answer, orders, urls_in(hit.text for hit in hits if hit.path not in orders))

    def _tell(self, checked: CheckedAnswer, cut: bool, emit: Emit) -> None:
        if cut:
            emit(
                Warned(
                    message="The model's answer was cut off at its longest (model.max_output_tokens).", where="model"
                )
            )
        if checked.corrections:
            shown = "; ".join(one_line(each, 120) for each in checked.corrections[:_SHOWN])
            more = len(checked.corrections) - _SHOWN
            rest = f"; and {more} more" if more > 0 else ""
            emit(Warned(message=f"Citations of the model were corrected: {shown}{rest}", where="citations"))


def tell_of_orders(hits: Sequence[Hit], orders: Mapping[str, Sequence[str]], emit: Emit) -> None:
    """Say which passages speak to a model instead of their readers, if any do."""
    found = [hit for hit in hits if hit.path in orders]
    if not found:
        return
    shown = "; ".join(
        f"{one_line(line_label(hit.path, hit.start_line), 80)} ({', '.join(orders[hit.path][:2])})"
        for hit in found[:_SHOWN]
    )
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    emit(Warned(message=f"Addressed to an assistant, read as text alone: {shown}{more}", where="passages"))


def _guarded(answer: WrittenAnswer, orders: Collection[str], allowed_urls: Collection[str]) -> WrittenAnswer:
    """An offline answer beside texts that give orders: without their links, what rests on them alone labelled."""
    suspect = {citation.n for citation in answer.citations if citation.path in orders}
    if not suspect:
        return answer
    from kbtui.reasoning.checking.checker import ORDERED

    language = question_language(answer.markdown)
    body, line, footer = answer.markdown.partition("\n---\n")
    said = []
    for text in safe_markdown(body, allowed_urls).rstrip().split("\n"):
        numbers = {int(number) for number in _MARK.findall(text)}
        said.append(f"{text} {ORDERED[language == 'zh']}" if numbers and numbers <= suspect else text)
    cited = list(dict.fromkeys(citation.path for citation in answer.citations if citation.path in orders))
    note = note_of_orders([path for path in cited if path], language)
    return replace(answer, markdown="\n".join([*said, "", note, ""]) + line + footer)


def note_of_orders(paths: Sequence[str], language: str) -> str:
    """The answer's own word on texts that tried to give orders."""
    names = [one_line(defused(path), 80).replace("`", "'") for path in paths[:_SHOWN]]
    shown = ", ".join(f"`{name}`" for name in names)
    more = f" (+{len(paths) - _SHOWN})" if len(paths) > _SHOWN else ""
    if language == "zh":
        return f"*以下文本含有对助手的指令，未予执行：{shown}{more}*"
    return f"*Gives orders to an assistant, which were not followed: {shown}{more}*"


def _prompt(brief: WritingBrief, passages: str) -> Prompt:
    parts = brief.routing.plan.sub_questions
    asked = f"Question: {one_line(brief.query)}"
    if len(parts) > 1:
        asked += "\nIts parts:\n" + "\n".join(f"- {one_line(part.semantic_intent)}" for part in parts)
    # The passages first: providers that cache prompts by their beginning can use it again for the next question.
    return Prompt(stage="write", rules=RULES, turns=(("user", f"{passages}\n\n{asked}"),))


def _missing(brief: WritingBrief) -> tuple[str, ...]:
    """Parts of the question that no evidence was kept for."""
    parts = brief.routing.plan.sub_questions
    if len(parts) <= 1:
        return ()
    answered = {item.sub_question for item in brief.evidence}
    return tuple(part.semantic_intent for part in parts if part.semantic_intent not in answered)
