"""The interfaces between an engine and everything that needs the knowledge base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from kbtui.domain.analysis import ResultTable
from kbtui.domain.conversation import Turn
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.runs.audit import Audit
from kbtui.text.mentions import Named

if TYPE_CHECKING:
    from kbtui.agent.state import RecordsAnswer
    from kbtui.domain.document import FileRecord
    from kbtui.domain.holdings import Library
    from kbtui.domain.tooling import ToolOutput
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.knowledge.store.freshness import Staleness


class ToolCalls(Protocol):
    """Single tool calls over an index that is brought up to date first; every method blocks.

    ``emit`` receives the progress of indexing and warnings; ``cancel`` stops the call with `Cancelled`.
    """

    def call(self, name: str, args: Mapping[str, Any], emit: Emit, cancel: CancelToken) -> ToolOutput:
        """Call a built-in tool by its name, with its own arguments.

        Raises:
            ToolError: There is no such tool, or it failed.
            KbtuiError: The folder cannot be indexed.
        """

    def read(
        self, path: str, start_line: int | None, end_line: int | None, emit: Emit, cancel: CancelToken
    ) -> ToolOutput:
        """Lines of a file (from 1, both ends inclusive; None means the first or the last), within `read_file`'s limits.

        Raises:
            KnowledgeBaseError: The file lies outside the folder, is not indexed, or cannot be read.
            ToolError: There are no such lines.
        """

    def records(self, question: str, emit: Emit, cancel: CancelToken) -> RecordsAnswer | None:
        """The answer to a question from what documents state in fields; None where they do not answer it."""

    def files(self, emit: Emit, cancel: CancelToken) -> Sequence[FileRecord]:
        """The indexed files, by path."""


class RunRequest(Struct, frozen=True, kw_only=True):
    """One question as the engine hands it to its backend.

    Attributes:
        query: The question.
        emit: Receives every event of the run but the first and the last.
        cancel: Stops the run.
        audit: Receives every decision of the run.
        history: Earlier questions with their answers, oldest first; a follow-up may refer to them.
        about: A text that the question is about, such as a diff or a log; empty where there is none.
        scope: The names in ``query`` behind an ``@`` that options of a command gave; each must be known.
    """

    query: str
    emit: Emit
    cancel: CancelToken
    audit: Audit
    history: tuple[Turn, ...] = ()
    about: str = ""
    scope: tuple[str, ...] = ()


class Backend(Protocol):
    """Answers the questions of an engine, and gives access to the folder and the data."""

    def answer(self, request: RunRequest) -> RunSummary:
        """Answer a question; emits every event of the run but the first and the last.

        Raises:
            Cancelled: The run was stopped.
            KbtuiError: There is no answer.
        """

    def warm(self) -> None:
        """Load what the first question needs."""

    def rehearse(self) -> None:
        """Answer a question offline and unrecorded, so that the first real one is as fast as the second."""

    def refresh(self) -> None:
        """Drop cached data of the index, because another process changed it."""

    def staleness(self) -> Staleness: ...
    def read_source(self, path: str) -> SourceText: ...
    def file_count(self) -> int | None: ...
    def names(self) -> tuple[Named, ...]: ...
    @property
    def library(self) -> Library: ...
    @property
    def tools(self) -> ToolCalls: ...
    def refresh_schema(self) -> None: ...
    def rerun(self, sql: str, source: str) -> ResultTable: ...
