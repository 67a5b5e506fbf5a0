"""The folder of the app: builds the engine, indexes in a child process and reports the status.

To keep the screen responsive, the engine is built and warmed up in threads, and indexing, which keeps a core busy for
minutes, runs in a child process at a lower priority.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.errors import DataSourceError, KbtuiError, KnowledgeBaseError
from kbtui.i18n import _
from kbtui.settings.published import url_of
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine
    from kbtui.domain.analysis import ResultTable
    from kbtui.domain.events import Event, Progress, RunFailed
    from kbtui.domain.holdings import ToRead
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.knowledge.store.freshness import Staleness

FolderPhase = Literal["opening", "loading", "indexing", "refreshing", "ready", "failed"]

_NICENESS = 5
"""How much lower the priority of indexing is than that of the screen."""
_PROGRESS_EVERY_S = 0.1
_LINE_LIMIT = 1 << 20


class FolderStatus(Struct, frozen=True, kw_only=True):
    """The status of the folder.

    Attributes:
        phase: ``loading`` loads the model; ``indexing`` is the first indexing, during which questions wait until the
            text is searchable; ``refreshing`` updates the index or its vectors in the background.
        sources: Names of the data sources in addition to the folder.
        files: Number of indexed files; None if unknown.
        to_read: Numbers of files to read and not to read; None if unknown.
        left_out: Sentences about content of the folder that is not indexed.
        progress: Progress of indexing.
        message: Error message, with ``hint``.
    """

    kb: Path
    phase: FolderPhase = "opening"
    model: str = "offline"
    sources: tuple[str, ...] = ()
    files: int | None = None
    to_read: ToRead | None = None
    left_out: tuple[str, ...] = ()
    progress: Progress | None = None
    message: str = ""
    hint: str = ""


def index_argv(kb: Path) -> list[str]:
    """The command that updates the folder's index and prints progress events."""
    # -P keeps modules in the working directory from being imported.
    return [sys.executable, "-P", "-m", "kbtui", "index", str(kb), "--json"]


class Workspace:
    """One folder and its engine.

    Args:
        factory: Builds the engine; called in a thread.
        kb: The folder.
        on_change: Called with every new status, in the event loop.
        auto_index: Whether to index if the folder has changed.
        argv: The indexing command.
    """

    def __init__(
        self,
        factory: Callable[[], Engine],
        kb: Path,
        on_change: Callable[[FolderStatus], None],
        *,
        auto_index: bool = True,
        argv: Sequence[str] | None = None,
    ) -> None:
        self.status = FolderStatus(kb=kb)
        self.engine: Engine | None = None
        self.ready = asyncio.Event()
        self._factory = factory
        self._on_change = on_change
        self._auto_index = auto_index
        self._argv = list(argv) if argv is not None else index_argv(kb)
        self._session = ""
        self._child: asyncio.subprocess.Process | None = None
        self._text_ready = asyncio.Event()

    async def open(self) -> None:
        """Build the engine, index if needed and load the model; sets ``ready`` once questions can be asked."""
        try:
            engine = await asyncio.to_thread(self._factory)
            self.engine = engine
            if self._session:
                engine.continue_session(self._session)
            self._update_status(model=engine.model, sources=engine.sources)
            stale = await asyncio.to_thread(engine.staleness) if self._auto_index else None
            self._update_status(files=await asyncio.to_thread(engine.file_count))
            if stale is not None:
                self._update_status(to_read=stale.to_read, left_out=stale.left_out)
            indexing: asyncio.Task[bool] | None = None
            if stale is not None and self._is_mostly_missing(stale):
                self._update_status(phase="indexing")
                indexing = asyncio.create_task(self._index())
                await self._wait_until_searchable(indexing)
            if self.status.phase != "failed":
                self._update_status(phase="loading", progress=None)
            await asyncio.to_thread(engine.warm)
            await self._refresh_engine(engine)
            self.ready.set()
            if indexing is None and stale is not None and _is_behind(stale):
                indexing = asyncio.create_task(self._index())
            if indexing is not None:
                if self.status.phase != "failed" and not indexing.done():
                    self._update_status(phase="refreshing")
                await indexing
                await self._refresh_engine(engine)
                await self._update_left_out(engine)
            if self.status.phase != "failed":
                self._update_status(phase="ready", progress=None)
        except KbtuiError as error:
            self._update_status(phase="failed", message=error.message, hint=error.hint, progress=None)
        except (OSError, RuntimeError, ValueError, ImportError) as error:
            self._update_status(
                phase="failed", message=_("The folder could not be opened: {error}", error=error), progress=None
            )
        finally:
            self.ready.set()

    async def index(self) -> bool:
        """Update the index now; returns False if the folder is not open or indexing is in progress."""
        if self.engine is None or self.status.phase not in ("ready", "failed"):
            return False
        self._update_status(phase="refreshing", progress=None)
        if url_of(self.status.kb):
            # A published collection is not indexed here; a newer generation of it is fetched.
            await asyncio.to_thread(self.engine.refresh)
            self._update_status(phase="ready", files=await asyncio.to_thread(self.engine.file_count))
        elif await self._index():
            await self._refresh_engine(self.engine)
            await self._update_left_out(self.engine)
            self._update_status(phase="ready", progress=None)
        return True

    def continue_session(self, session_id: str) -> None:
        """Record further questions in an earlier session.

        Raises:
            SessionError: The id is not a valid session id.
        """
        from kbtui.sessions.ids import validated_id

        self._session = validated_id(session_id)
        if self.engine is not None:
            self.engine.continue_session(session_id)

    def read_source(self, path: str) -> SourceText:
        """Read a file of the folder; blocks.

        Raises:
            KnowledgeBaseError: The file cannot be read, or the folder is not open.
        """
        if self.engine is None:
            raise KnowledgeBaseError(_("The folder is not open."))
        return self.engine.read_source(path)

    def rerun(self, sql: str, source: str) -> ResultTable:
        """Run a statement of an answer again; blocks.

        Raises:
            DataSourceError: The statement was refused or failed, or the folder is not open.
        """
        if self.engine is None:
            raise DataSourceError(_("The folder is not open."))
        return self.engine.rerun(sql, source)

    def audit(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """The audit entries of a run of this session; empty if the folder is not open."""
        return self.engine.audit(run_id) if self.engine is not None else ()

    async def refresh_schema(self) -> bool:
        """Discard the stored schema of the data sources; returns False if the folder is not open.

        Raises:
            KbtuiError: The stored schema cannot be removed.
        """
        if self.engine is None:
            return False
        await asyncio.to_thread(self.engine.refresh_schema)
        return True

    async def _wait_until_searchable(self, indexing: asyncio.Task[bool]) -> None:
        """Wait until the text is indexed, or the indexing process has ended."""
        ready = asyncio.create_task(self._text_ready.wait())
        await asyncio.wait((ready, indexing), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()

    def _is_mostly_missing(self, stale: Staleness) -> bool:
        """Whether most of the folder is not indexed: never, or because the first indexing was interrupted."""
        return stale.never_indexed or stale.added > (self.status.files or 0)

    def close(self) -> None:
        """Stop the running question, recording its final event, and indexing, which continues at the next start."""
        if self.engine is not None:
            self.engine.close()
        if self._child is not None and self._child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._child.terminate()

    async def _refresh_engine(self, engine: Engine) -> None:
        await asyncio.to_thread(engine.refresh)
        self._update_status(files=await asyncio.to_thread(engine.file_count))

    async def _update_left_out(self, engine: Engine) -> None:
        """Update the notes about unread content, which are complete only after indexing."""
        stale = await asyncio.to_thread(engine.staleness) if self._auto_index else None
        if stale is not None:
            self._update_status(left_out=stale.left_out)

    async def _index(self) -> bool:
        """Run the indexing process, reporting its progress in the status; returns whether it succeeded."""
        self._child = child = await asyncio.create_subprocess_exec(
            *self._argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LINE_LIMIT,
        )
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, child.pid, os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS)
        assert child.stdout is not None
        assert child.stderr is not None
        stderr_task = asyncio.create_task(child.stderr.read())
        from kbtui.domain.events import Progress, RunFailed

        failure: RunFailed | None = None
        updated_at = 0.0
        # Importing the decoder takes a tenth of a second, so it is done in a thread to keep keys responsive.
        decode = await asyncio.to_thread(_decoder)
        try:
            async for line in child.stdout:
                event = decode(line)
                if isinstance(event, Progress):
                    if event.stage == "ready":
                        self._text_ready.set()
                    if time.monotonic() - updated_at >= _PROGRESS_EVERY_S:
                        updated_at = time.monotonic()
                        self._update_status(progress=event)
                elif isinstance(event, RunFailed):
                    failure = event
            code = await child.wait()
        except asyncio.CancelledError:
            self.close()
            await child.wait()
            raise
        stderr = (await stderr_task).decode("utf-8", "replace")
        if code == 0:
            return True
        message, hint = _failure_text(failure, stderr, code)
        self._update_status(phase="failed", message=message, hint=hint, progress=None)
        return False

    def _update_status(self, **changes: object) -> None:
        self.status = replace(self.status, **changes)
        self._on_change(self.status)


def _is_behind(stale: Staleness) -> bool:
    return bool(stale.added or stale.changed or stale.removed) or stale.vector_share < 1.0


def _decoder() -> Callable[[bytes], Event | None]:
    """A function that decodes a line of the child's output; it returns None for lines that are not events."""
    from kbtui.domain.codec import decode

    def read(line: bytes) -> Event | None:
        try:
            return decode(line.decode("utf-8", "replace"))
        except KbtuiError:
            return None

    return read


def _failure_text(failure: RunFailed | None, stderr: str, code: int) -> tuple[str, str]:
    """The message and hint of a failed indexing run, from its last event, else from stderr, else its exit code."""
    if failure is not None:
        return failure.message or failure.error, failure.hint
    lines = [one_line(line) for line in stderr.split("\n") if line.strip()]
    hints = [line.removeprefix("hint: ") for line in lines if line.startswith("hint: ")]
    messages = [line.removeprefix("kbtui: ") for line in lines if not line.startswith("hint: ")]
    message = messages[-1] if messages else _("Indexing stopped with exit code {code}.", code=code)
    return message, hints[-1] if hints else _("Run kbtui index in a shell to see more.")
