"""What an engine drives, and what it lets programs call: everything that needs the knowledge base."""

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
    """The tools one by one, over an index that is brought up to date first; every method blocks.

    ``emit`` is told how far indexing is and what is wrong around the call; ``cancel`` stops it with `Cancelled`.
    """

    def call(self, name: str, args: Mapping[str, Any], emit: Emit, cancel: CancelToken) -> ToolOutput:
        """Call a tool that kbtui has, by its name and with its own arguments.

        Raises:
            ToolError: There is no such tool, or it failed.
            KbtuiError: The folder cannot be indexed.
        """
        ...

    def read(
        self, path: str, start_line: int | None, end_line: int | None, emit: Emit, cancel: CancelToken
    ) -> ToolOutput:
        """Lines of a file (from 1, both ends inclusive; None means the first or the last), within `read_file`'s limits.

        Raises:
            KnowledgeBaseError: It lies outside the folder, is not indexed, or cannot be read.
            ToolError: There are no such lines.
        """
        ...

    def records(self, question: str, emit: Emit, cancel: CancelToken) -> RecordsAnswer | None:
        """What documents state about themselves in answer to a question; None where they do not answer it."""
        ...

    def files(self, emit: Emit, cancel: CancelToken) -> Sequence[FileRecord]:
        """The indexed files, by path."""
        ...


class RunRequest(Struct, frozen=True, kw_only=True):
    """One question as the engine hands it to its backend.

    Attributes:
        query: The question.
        emit: Receives every event of the run but the first and the last.
        cancel: Stops the run.
        audit: Receives every decision of the run.
        history: Earlier questions with their answers, oldest first; a follow-up may refer to them.
        about: A text that the question is about, such as a diff or a log; empty where there is none.
    """

    query: str
    emit: Emit
    cancel: CancelToken
    audit: Audit
    history: tuple[Turn, ...] = ()
    about: str = ""


class Backend(Protocol):
    """What an engine drives: everything that needs the knowledge base."""

    def answer(self, request: RunRequest) -> RunSummary:
        """Answer a question; emits every event of the run but the first and the last.

        Raises:
            Cancelled: The run was stopped.
            KbtuiError: There is no answer.
        """
        ...

    def warm(self) -> None:
        """Load what the first question will need."""
        ...

    def rehearse(self) -> None:
        """Answer a question that nobody asked, so that the first one finds everything as the second does."""
        ...

    def refresh(self) -> None:
        """Forget what was cached of the index: another process has changed it."""
        ...

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
