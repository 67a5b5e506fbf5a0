"""What flows between the nodes of the loop, and what each run brings along."""

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
    from kbtui.reasoning.citing import ReadsLines
    from kbtui.reasoning.offline.writer import OfflineWriter

Task = Literal["documents", "data", "consult"]
"""What is asked: of the documents, of the data (and perhaps the documents too), or for advice on the data."""


class LoopFailed(KbtuiError):
    """The model gave no answer in the loop; ``failure`` says why, and ``told`` whether that was said already."""

    def __init__(self, failure: Failure, *, told: bool = False) -> None:
        super().__init__(failure.message, failure.hint)
        self.failure = failure
        self.told = told


@dataclass(frozen=True, slots=True, kw_only=True)
class DataView:
    """What the program made of a question about data by itself: a second opinion for the model.

    Attributes:
        card: The sources with their tables and columns.
        answer: How it would have answered; None where it was not asked.
        titles: What sources are called to a reader, by name.
        says: Given a source and a statement over it, the statement in words; empty where it cannot be said.
    """

    card: str
    tables: tuple[TableProduced, ...] = ()
    readings: tuple[ReadingChosen, ...] = ()
    answer: AnswerCompleted | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    says: Callable[[str, str], str] = lambda _source, _sql: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopContext:
    """What one run needs from outside.

    Attributes:
        client: The run's calls of the chat model.
        router, grader, writer: Who thinks without a model: what the question is, what passages are worth, and what to
            say where nothing is found.
        tools: What the model is offered.
        call_tool: Runs one tool by name; raises `KbtuiError` when it cannot.
        card: What the folder holds, in words; empty where there are no documents.
        history: What was said before, oldest first.
        records: Asks the tables of the folder; None, or what gives None, leaves the question to the search.
        stated: Gives the lines that state fields and relations of the things that a question names.
        data: What there is of data.
        checker: Compares sentences with lines.
        source: Lines of the files as they are now.
        nonce: Of the fences of this run.
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
class Written:
    """A draft that was checked.

    Attributes:
        supported: Statements that lines bear out, of ``claims`` in all.
        cut: It was ended by a limit.
    """

    answer: WrittenAnswer
    doubts: tuple[Doubt, ...]
    corrections: tuple[str, ...]
    supported: int
    claims: int
    cut: bool = False


class LoopState(TypedDict, total=False):
    """The state of one run.

    Attributes:
        query: As asked.
        began: When the run began, by ``time.monotonic()``.
        routing: How the question was read offline.
        question: What evidence is graded for.
        shelf: What the model was given.
        talk: What was said to it and by it.
        calls: What it asked for last.
        round: How often it was asked, from 1.
        made: How many tools were called; numbers the next.
        tried: By fingerprint of a call, what it was answered.
        dropped: Calls of the last reply that were too many.
        repeats: Rounds in a row in which it asked for nothing new.
        nudged: It was told once that a reply was of no use.
        evidence: All graded evidence so far.
        draft: Its answer, before it is checked.
        cut: The draft was ended by a limit.
        sent_back: The draft before was sent back.
        first: The draft before, checked.
        first_draft: The same as it was written.
        answer: The answer.
        audit: What every node decided, in order.
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
    first: Written
    first_draft: str
    answer: WrittenAnswer
    audit: Annotated[list[AuditEntry], operator.add]
