"""The state that flows between the nodes of the loop, and the context of a run."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.state import AuditEntry, RecordsAnswer
from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, ReadingChosen, TableProduced
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken, Emit, EvidenceGrader, QueryRouter
from kbtui.domain.routing import Routing, SubQuestion
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import KbtuiError
from kbtui.reasoning.llm.client import ModelClient
from kbtui.reasoning.llm.conversation import Conversation
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.reply import ModelCall
from kbtui.settings.model import ModelSettings
from kbtui.tools.base import ToolSpec

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checked import Doubt
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.checking.trust import Outcome as DraftOutcome
    from kbtui.reasoning.citing import ReadsLines
    from kbtui.reasoning.offline.writer import OfflineWriter

Task = Literal["documents", "data", "consult"]
"""Type of the question: about documents, about data (perhaps with documents), or for advice on data."""


class LoopFailed(KbtuiError):
    """The model gave no answer in the loop.

    Attributes:
        failure: The reason.
        told: The user has been told already.
    """

    def __init__(self, failure: Failure, *, told: bool = False) -> None:
        super().__init__(failure.message, failure.hint)
        self.failure = failure
        self.told = told


@dataclass(frozen=True, slots=True, kw_only=True)
class DataView:
    """The offline reading of a question about data, as a second opinion for the model.

    Attributes:
        card: The data sources with their tables and columns.
        tables: The results of its statements.
        readings: Its readings of the question.
        answer: The offline answer; None if the question was not read offline.
        titles: Display names of the sources, by name.
        says: Paraphrases a statement, given its source and SQL; empty if that is impossible.
    """

    card: str
    tables: tuple[TableProduced, ...] = ()
    readings: tuple[ReadingChosen, ...] = ()
    answer: AnswerCompleted | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    says: Callable[[str, str], str] = lambda _source, _sql: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopContext:
    """The dependencies of one run.

    Attributes:
        client: Client of the chat model.
        router, grader, writer: The offline reasoners: they route the question, grade passages, and write the answer if
            nothing is found.
        tools: The tools offered to the model.
        call_tool: Runs one tool by name; raises `KbtuiError` if it fails.
        emit: Emits an event.
        cancel: Checked between and inside nodes.
        settings: Limits of calls, tokens, seconds and money.
        checker: Returns the checker of citations.
        source: Reads the current lines of files.
        nonce: Key of the fences in the prompts of this run.
        task: Type of the question.
        card: Summary of the folder; empty without documents.
        history: Earlier turns, oldest first.
        records: Answers a question from the records; if it is None or returns None, the question is searched for.
        stated: Returns the lines with fields and relations of the things that a question mentions.
        data: The data sources and the offline reading; None without data.
        audit: Receives every audit entry.
        estimate_ms: Recorded median duration of a tool, or None.
    """

    client: ModelClient
    router: QueryRouter
    grader: EvidenceGrader
    writer: OfflineWriter
    tools: tuple[ToolSpec, ...]
    call_tool: Callable[[str, Mapping[str, Any]], ToolOutput]
    emit: Emit
    cancel: CancelToken
    settings: ModelSettings
    checker: Callable[[], AnswerChecker]
    source: ReadsLines | None
    nonce: str
    task: Task = "documents"
    card: str = ""
    history: Sequence[Turn] = ()
    records: Callable[[str], RecordsAnswer | None] | None = None
    stated: Callable[[str], Sequence[Hit]] = lambda _query: ()
    data: DataView | None = None
    audit: Callable[[AuditEntry], None] = lambda _entry: None
    estimate_ms: Callable[[str], float | None] = lambda _tool: None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDraft:
    """A checked draft.

    Attributes:
        answer: The answer with verified marks.
        doubts: Its marked sentences.
        outcome: What it shows of its model; None if it states nothing.
        corrections: Changes to its marks.
        supported: Number of supported claims.
        claims: Number of claims.
        cut: The draft was truncated by a limit.
    """

    answer: WrittenAnswer
    doubts: tuple[Doubt, ...]
    outcome: DraftOutcome | None
    corrections: tuple[str, ...]
    supported: int
    claims: int
    cut: bool = False


class LoopState(TypedDict, total=False):
    """The state of one run.

    Attributes:
        query: The question as asked.
        began: Start of the run, by ``time.monotonic()``.
        routing: The offline routing.
        question: The question that evidence is graded for.
        shelf: The texts that the model was given.
        talk: The conversation with the model.
        calls: The tool calls of its last reply.
        round: Number of calls of the model.
        made: Number of tool calls made; numbers the next.
        tried: Short result of each call, by fingerprint.
        dropped: Number of calls of the last reply beyond the limit.
        repeats: Consecutive rounds without a new call.
        nudged: The model was asked once to replace an unusable reply.
        evidence: All graded evidence so far.
        draft: The answer of the model before it is checked.
        cut: The draft was truncated by a limit.
        sent_back: The first draft was sent back for revision.
        first: The first draft, checked.
        answer: The final answer.
        audit: The decisions of all nodes, in order.
    """

    query: str
    began: float
    routing: Routing
    question: SubQuestion
    shelf: Shelf
    talk: Conversation
    calls: tuple[ModelCall, ...]
    round: int
    made: int
    tried: dict[str, str]
    dropped: int
    repeats: int
    nudged: bool
    evidence: tuple[Evidence, ...]
    draft: str
    cut: bool
    sent_back: bool
    first: CheckedDraft
    answer: WrittenAnswer
    audit: Annotated[list[AuditEntry], operator.add]
