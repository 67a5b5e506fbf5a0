"""What the screen needs of the engine, so that tests and replay can hand it something smaller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kbtui.domain.analysis import ResultTable
    from kbtui.domain.events import Event


class SourceView(Protocol):
    """The text of one file, as it is cited: ``text.split("\\n")`` are its lines."""

    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def line_count(self) -> int: ...


class Staleness(Protocol):
    """How far the index is behind the folder, counted in files."""

    @property
    def never_indexed(self) -> bool: ...
    @property
    def added(self) -> int: ...
    @property
    def changed(self) -> int: ...
    @property
    def removed(self) -> int: ...
    @property
    def vector_share(self) -> float:
        """How many of the indexed passages have a vector, 0 to 1."""
        ...


class EnginePort(Protocol):
    """The engine as the screen uses it.

    ``stream``, ``cancel``, ``close``, ``new_conversation``, ``continue_session`` and ``audit`` return at once; the
    others block.
    """

    @property
    def kb(self) -> Path: ...
    @property
    def model(self) -> str: ...
    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the data sources beside the folder."""
        ...

    def stream(self, query: str) -> AsyncIterator[Event]: ...
    def cancel(self, run_id: str) -> None: ...
    def close(self) -> None:
        """Stop every run; their final events are out when this returns, and no further run begins."""
        ...

    def continue_session(self, session_id: str) -> None: ...
    def new_conversation(self) -> None:
        """The questions to come mean nothing of what was said so far."""
        ...

    def audit(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """What was decided in a run of this sitting, an entry a decision; nothing where that is not kept."""
        ...

    def warm(self) -> None: ...
    def refresh(self) -> None: ...
    def staleness(self) -> Staleness: ...
    def read_source(self, path: str) -> SourceView: ...
    def file_count(self) -> int | None: ...
    def refresh_schema(self) -> None:
        """Forget what is known of the structure of the data sources; nothing happens where there are none."""
        ...

    def rerun(self, sql: str, source: str) -> ResultTable:
        """Run a statement of an answer again, guarded and limited as it was the first time.

        Raises:
            DataSourceError: It was refused or failed, or there is no such source.
        """
        ...


EngineFactory = Callable[[], EnginePort]
"""Builds the engine. Called in a thread after the first paint, because it loads what is heavy."""
