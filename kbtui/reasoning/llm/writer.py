"""The `AnswerWriter` that uses a chat model and checks its answer against the passages (spec 003, D4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.domain.answer import Outcome, WrittenAnswer, line_label
from kbtui.domain.events import Warned
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken, Emit, WritingBrief
from kbtui.question.normalise import question_language
from kbtui.reasoning.citing import Citations, ReadsLines
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.context import assemble
from kbtui.reasoning.llm.conversation import Conversation, question_to_model
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import neutralise, remove_backslashes
from kbtui.reasoning.llm.prompt import ROLES, rules_of
from kbtui.reasoning.llm.remembered import keep_record, record_of
from kbtui.reasoning.llm.safe_markdown import safe_markdown, urls_in, without_rules
from kbtui.reasoning.llm.stream import NOT_FOUND, AnswerStream
from kbtui.reasoning.llm.suspicion import injection_signs, signs_by_file
from kbtui.reasoning.offline.suggest import follow_ups
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checked import CheckedAnswer
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.checking.trust import Record
    from kbtui.reasoning.offline.writer import OfflineWriter

RULES: Final = rules_of("write", NOT_FOUND=NOT_FOUND)

_OFFLINE_QUERY_TYPES: Final = ("chitchat", "file_discovery")
"""Query types answered offline, by a fixed phrase or a list of files."""
_MAX_LISTED: Final = 3
_MARK: Final = re.compile(r"(?<!\w)\[(\d{1,3})\]")


class LlmWriter:
    """Writes with the model, checks every sentence against the lines it cites, and marks unsupported ones.

    Args:
        client: Client of the chat model.
        offline: Writer for the fallback.
        checker: Returns the checker of citations.
        source: Reads the current lines of files, for quotes.
        context_tokens: Tokens for passages in the prompt.
        nonce: Key of the fences of this run.
        about: Text passed with the question, fenced; empty without one.
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
        """See `AnswerWriter`; the deltas are the raw text of the model, the answer is the checked text."""
        if not brief.evidence or brief.routing.plan.query_type in _OFFLINE_QUERY_TYPES:
            return self._write_offline(brief, emit, cancel)
        context = assemble(brief.evidence, budget_tokens=self._context_tokens, nonce=self._nonce)
        suspicious_paths = signs_by_file([*(item.hit for item in brief.evidence), *(hit for _, hit in context.sources)])
        warn_of_instructions([hit for _, hit in context.sources], suspicious_paths, emit)
        passages = f"{context.text}\n\n{self._about}" if self._about else context.text
        prompt = _prompt(brief, passages)
        allowed_urls = urls_in(hit.text for _, hit in context.sources if hit.path not in suspicious_paths)
        stream = AnswerStream(emit, allowed_urls)
        try:
            reply = self._client.write(prompt, stream.feed, self._client.deadline())
        except CallFailed as failed:
            warn_of(failed, "write", emit)
            stream.break_off()
            return self._write_offline(brief, emit, cancel)
        text = without_rules(remove_backslashes(stream.finish()), prompt.system)
        if stream.not_found:
            return self._offline.not_found(brief, emit)
        if not text.strip() or reply.refused:
            why = "declined to answer" if reply.refused else "gave an empty answer"
            return self._fall_back(why, stream, brief, emit, cancel)
        from kbtui.reasoning.checking.checked import Source

        citations = Citations(self._source)
        sources = [Source(n=n, hit=hit, is_suspect=hit.path in suspicious_paths) for n, hit in context.sources]
        record = record_of(self._client.settings)
        checked = self._checker().check(
            text,
            sources,
            citations,
            cancel,
            brief.query,
            chance=lambda outcome: record.after(outcome).chance(has_orders=bool(suspicious_paths)),
        )
        record = record.after(checked.outcome)
        keep_record(self._client.settings, record)
        if not checked.supported:
            why = "wrote nothing that a passage supports"
            return self._fall_back(why, stream, brief, emit, cancel)
        self._warn(checked, reply.cut, emit)
        warn_of_record(record, self._client.name(ROLES["write"]), emit)
        body = safe_markdown(checked.markdown, allowed_urls).rstrip()
        if suspicious_paths:
            body += f"\n\n{instructions_note(list(suspicious_paths), question_language(brief.query))}"
        missing = _parts_without_evidence(brief)
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

    def _fall_back(
        self, why: str, stream: AnswerStream, brief: WritingBrief, emit: Emit, cancel: CancelToken
    ) -> WrittenAnswer:
        """The offline answer, after a warning with the reason."""
        model = self._client.name(ROLES["write"])
        warn_of(CallFailed(Failure(message=f"{model} {why}.")), "write", emit)
        stream.break_off()
        return self._write_offline(brief, emit, cancel)

    def _write_offline(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """The offline answer; sentences from texts with instructions are labelled and have no links."""
        answer = self._offline.write(brief, emit, cancel)
        hits = [item.hit for item in (*brief.evidence, *brief.found)]
        signs_by_path = signs_by_file(hits)
        quotes = [citation for citation in answer.citations if injection_signs(citation.quote or "")]
        signs_by_path |= {citation.path: injection_signs(citation.quote or "") for citation in quotes if citation.path}
        return _label_suspicious(
            answer, signs_by_path, urls_in(hit.text for hit in hits if hit.path not in signs_by_path)
        )

    def _warn(self, checked: CheckedAnswer, cut: bool, emit: Emit) -> None:
        if cut:
            emit(
                Warned(
                    message="The model's answer was cut off at its longest (model.max_output_tokens).", where="model"
                )
            )
        if checked.corrections:
            listed = "; ".join(one_line(each, 200) for each in checked.corrections[:_MAX_LISTED])
            omitted = len(checked.corrections) - _MAX_LISTED
            rest = f"; and {omitted} more" if omitted > 0 else ""
            emit(Warned(message=f"Citations of the model were corrected: {listed}{rest}", where="citations"))


def warn_of_record(record: Record, model: str, emit: Emit) -> None:
    """Warn that the statements of a model are marked that are not close to the words of their sources."""
    if record.trust == "unreliable":
        emit(
            Warned(
                message=f"Statements of {model} often lack support: what is not close to a source is marked [?].",
                where="citations",
            )
        )


def warn_of_instructions(hits: Sequence[Hit], signs_by_path: Mapping[str, Sequence[str]], emit: Emit) -> None:
    """Warn of passages that contain instructions to a model, if there are any."""
    suspicious_hits = [hit for hit in hits if hit.path in signs_by_path]
    if not suspicious_hits:
        return
    listed = "; ".join(
        f"{one_line(line_label(hit.path, hit.start_line), 80)} ({', '.join(signs_by_path[hit.path][:2])})"
        for hit in suspicious_hits[:_MAX_LISTED]
    )
    omitted = f"; and {len(suspicious_hits) - _MAX_LISTED} more" if len(suspicious_hits) > _MAX_LISTED else ""
    emit(Warned(message=f"Addressed to an assistant, read as text alone: {listed}{omitted}", where="passages"))


def _label_suspicious(
    answer: WrittenAnswer, suspicious_paths: Collection[str], allowed_urls: Collection[str]
) -> WrittenAnswer:
    """Label sentences that are supported only by texts with instructions, and remove links of these texts."""
    suspect = {citation.n for citation in answer.citations if citation.path in suspicious_paths}
    if not suspect:
        return answer
    from kbtui.reasoning.checking.checker import FROM_INSTRUCTIONS

    language = question_language(answer.markdown)
    body, line, footer = answer.markdown.partition("\n---\n")
    lines = []
    for text in safe_markdown(body, allowed_urls).rstrip().split("\n"):
        numbers = {int(number) for number in _MARK.findall(text)}
        lines.append(f"{text} {FROM_INSTRUCTIONS[language == 'zh']}" if numbers and numbers <= suspect else text)
    cited = list(dict.fromkeys(citation.path for citation in answer.citations if citation.path in suspicious_paths))
    note = instructions_note([path for path in cited if path], language)
    return replace(answer, markdown="\n".join([*lines, "", note, ""]) + line + footer)


def instructions_note(paths: Sequence[str], language: str) -> str:
    """The note below an answer about texts with instructions."""
    names = [one_line(neutralise(path), 80).replace("`", "'") for path in paths[:_MAX_LISTED]]
    shown = ", ".join(f"`{name}`" for name in names)
    more = f" (+{len(paths) - _MAX_LISTED})" if len(paths) > _MAX_LISTED else ""
    if language == "zh":
        return f"*以下文本含有对助手的指令，未予执行：{shown}{more}*"
    return f"*Gives orders to an assistant, which were not followed: {shown}{more}*"


def _prompt(brief: WritingBrief, passages: str) -> Conversation:
    parts = brief.routing.plan.sub_questions
    question_text = f"Question: {one_line(brief.query)}"
    if len(parts) > 1:
        question_text += "\nIts parts:\n" + "\n".join(f"- {one_line(part.semantic_intent)}" for part in parts)
    # Passages come first, so that providers that cache prefixes can reuse them for the next question.
    return question_to_model("write", RULES, f"{passages}\n\n{question_text}")


def _parts_without_evidence(brief: WritingBrief) -> tuple[str, ...]:
    """Parts of the question without kept evidence."""
    parts = brief.routing.plan.sub_questions
    if len(parts) <= 1:
        return ()
    answered = {item.sub_question for item in brief.evidence}
    return tuple(part.semantic_intent for part in parts if part.semantic_intent not in answered)
