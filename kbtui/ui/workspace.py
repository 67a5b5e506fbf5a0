"""The folder behind the screen: builds the engine, indexes in a child process, says how far it is.

Nothing here runs in the way of keys: the engine is built and warmed in threads, and indexing, which keeps a core busy
for minutes, happens in a process of its own at a lower priority.
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

_NICE = 5
_PROGRESS_EVERY_S = 0.1
_LINE_LIMIT = 1 << 20


class FolderStatus(Struct, frozen=True, kw_only=True):
    """What the screen shows of the folder.

    Attributes:
        phase: ``loading`` reads the model; ``indexing`` is the first time, and questions wait until the text can be
            searched; ``refreshing`` goes on behind them, and so do the vectors.
        sources: Names of the data sources beside the folder.
        files: Files in the index, when known.
        to_read: What there is to read, and how much is not, when known.
        left_out: What the folder holds that is not read, and why; a sentence each.
        progress: How far indexing is.
        message: What went wrong, with ``hint``.
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
    """The command that brings the folder's index up to date and prints progress events."""
    # -P: the folder that the program was started in may hold modules of any name; none of them is to be imported.
    return [sys.executable, "-P", "-m", "kbtui", "index", str(kb), "--json"]


class Workspace:
    """One folder and its engine.

    Args:
        factory: Builds the engine; called in a thread.
        kb: The folder.
        on_change: Given every new status, in the event loop.
        auto_index: Index when the folder and its index disagree.
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
        """Build the engine, index if needed, load the model; ``ready`` is set once questions can be asked."""
        try:
            engine = await asyncio.to_thread(self._factory)
            self.engine = engine
            if self._session:
                engine.continue_session(self._session)
            self._change(model=engine.model, sources=engine.sources)
            stale = await asyncio.to_thread(engine.staleness) if self._auto_index else None
            self._change(files=await asyncio.to_thread(engine.file_count))
            if stale is not None:
                self._change(to_read=stale.to_read, left_out=stale.left_out)
            indexing: asyncio.Task[bool] | None = None
            if stale is not None and self._mostly_missing(stale):
                self._change(phase="indexing")
                indexing = asyncio.create_task(self._index())
                await self._searchable(indexing)
            if self.status.phase != "failed":
                self._change(phase="loading", progress=None)
            await asyncio.to_thread(engine.warm)
            await self._refreshed(engine)
            self.ready.set()
            if indexing is None and stale is not None and _is_behind(stale):
                indexing = asyncio.create_task(self._index())
            if indexing is not None:
                if self.status.phase != "failed" and not indexing.done():
                    self._change(phase="refreshing")
                await indexing
                await self._refreshed(engine)
                await self._looked_again(engine)
            if self.status.phase != "failed":
                self._change(phase="ready", progress=None)
        except KbtuiError as error:
            self._change(phase="failed", message=error.message, hint=error.hint, progress=None)
        except (OSError, RuntimeError, ValueError, ImportError) as error:
            self._change(
                phase="failed", message=_("The folder could not be opened: {error}", error=error), progress=None
            )
        finally:
            self.ready.set()

    async def index(self) -> bool:
        """Bring the index up to date now; False where it is not open, or that is going on."""
        if self.engine is None or self.status.phase not in ("ready", "failed"):
            return False
        self._change(phase="refreshing", progress=None)
        if url_of(self.status.kb):
            # Nothing is indexed here: a newer generation is fetched where there is one.
            await asyncio.to_thread(self.engine.refresh)
            self._change(phase="ready", files=await asyncio.to_thread(self.engine.file_count))
        elif await self._index():
            await self._refreshed(self.engine)
            await self._looked_again(self.engine)
            self._change(phase="ready", progress=None)
        return True

    def continue_session(self, session_id: str) -> None:
        """Record the questions to come behind those of an earlier session, from when there is an engine.

        Raises:
            SessionError: That cannot be the name of a session.
        """
        from kbtui.sessions.ids import validated_id

        self._session = validated_id(session_id)
        if self.engine is not None:
            self.engine.continue_session(session_id)

    def read_source(self, path: str) -> SourceText:
        """A file of the folder; blocks.

        Raises:
            KnowledgeBaseError: It cannot be read, or the folder is not open.
        """
        if self.engine is None:
            raise KnowledgeBaseError(_("The folder is not open."))
        return self.engine.read_source(path)

    def rerun(self, sql: str, source: str) -> ResultTable:
        """Run a statement of an answer again; blocks.

        Raises:
            DataSourceError: It was refused or failed, or there is no engine.
        """
        if self.engine is None:
            raise DataSourceError(_("The folder is not open."))
        return self.engine.rerun(sql, source)

    def audit(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """What was asked and said in a run of this sitting; nothing where there is no engine."""
        return self.engine.audit(run_id) if self.engine is not None else ()

    async def refresh_schema(self) -> bool:
        """Forget the structure of the data sources; False where the folder is not open.

        Raises:
            KbtuiError: What is kept of it cannot be removed.
        """
        if self.engine is None:
            return False
        await asyncio.to_thread(self.engine.refresh_schema)
        return True

    async def _searchable(self, indexing: asyncio.Task[bool]) -> None:
        """Wait until the text is indexed, or the indexing process has ended."""
        ready = asyncio.create_task(self._text_ready.wait())
        await asyncio.wait((ready, indexing), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()

    def _mostly_missing(self, stale: Staleness) -> bool:
        """True when an answer would miss most of the folder: never indexed, or stopped early the first time."""
        return stale.never_indexed or stale.added > (self.status.files or 0)

    def close(self) -> None:
        """End the running question, whose final event is recorded, and stop indexing, which goes on the next time."""
        if self.engine is not None:
            self.engine.close()
        if self._child is not None and self._child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._child.terminate()

    async def _refreshed(self, engine: Engine) -> None:
        await asyncio.to_thread(engine.refresh)
        self._change(files=await asyncio.to_thread(engine.file_count))

    async def _looked_again(self, engine: Engine) -> None:
        """What could not be read is known once it was tried."""
        stale = await asyncio.to_thread(engine.staleness) if self._auto_index else None
        if stale is not None:
            self._change(left_out=stale.left_out)

    async def _index(self) -> bool:
        """Run the indexing process to its end; True when it succeeded. Its progress becomes the status."""
        self._child = child = await asyncio.create_subprocess_exec(
            *self._argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LINE_LIMIT,
        )
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, child.pid, _NICE)
        assert child.stdout is not None
        assert child.stderr is not None
        said = asyncio.create_task(child.stderr.read())
        from kbtui.domain.events import Progress, RunFailed

        failure: RunFailed | None = None
        shown_at = 0.0
        # Building the decoder takes a tenth of a second, which keys would feel.
        decode = await asyncio.to_thread(_decoder)
        try:
            async for line in child.stdout:
                event = decode(line)
                if isinstance(event, Progress):
                    if event.stage == "ready":
                        self._text_ready.set()
                    if time.monotonic() - shown_at >= _PROGRESS_EVERY_S:
                        shown_at = time.monotonic()
                        self._change(progress=event)
                elif isinstance(event, RunFailed):
                    failure = event
            code = await child.wait()
        except asyncio.CancelledError:
            self.close()
            await child.wait()
            raise
        stderr = (await said).decode("utf-8", "replace")
        if code == 0:
            return True
        message, hint = _explained(failure, stderr, code)
        self._change(phase="failed", message=message, hint=hint, progress=None)
        return False

    def _change(self, **changes: object) -> None:
        self.status = replace(self.status, **changes)
        self._on_change(self.status)


def _is_behind(stale: Staleness) -> bool:
    return bool(stale.added or stale.changed or stale.removed) or stale.vector_share < 1.0


def _decoder() -> Callable[[bytes], Event | None]:
    """Reads one line of the child's output: its event, or None for anything else, which is not ours to judge."""
    from kbtui.domain.codec import decode

    def read(line: bytes) -> Event | None:
        try:
            return decode(line.decode("utf-8", "replace"))
        except KbtuiError:
            return None

    return read


def _explained(failure: RunFailed | None, stderr: str, code: int) -> tuple[str, str]:
    """What to tell about a failed indexing run: its own words, else its last words, else its exit code."""
    if failure is not None:
        return failure.message or failure.error, failure.hint
    said = [one_line(line) for line in stderr.split("\n") if line.strip()]
    hints = [line.removeprefix("hint: ") for line in said if line.startswith("hint: ")]
    words = [line.removeprefix("kbtui: ") for line in said if not line.startswith("hint: ")]
    message = words[-1] if words else _("Indexing stopped with exit code {code}.", code=code)
    return message, hints[-1] if hints else _("Run kbtui index in a shell to see more.")
