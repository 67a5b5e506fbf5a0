"""One folder, opened: its index, model, searches and graph, each made when first needed and kept.

LanceDB, the model and everything else that is slow to load is imported here only when a question needs it.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from kbtui.domain.document import FileRecord
from kbtui.domain.events import Progress, Warned
from kbtui.domain.evidence import NearPlace
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, IndexCorrupt, KbtuiError, KnowledgeBaseError, StorageError
from kbtui.knowledge.reading import folder_worker
from kbtui.knowledge.reading.source import open_reader
from kbtui.knowledge.store.freshness import is_worth_a_look
from kbtui.knowledge.store.locks import LockTimeout
from kbtui.settings.model import EmbeddingSettings, Settings

if TYPE_CHECKING:
    from kbtui.knowledge.embedding import Embedder
    from kbtui.knowledge.reading.walk_types import Walk
    from kbtui.knowledge.search.files import FileCatalogue
    from kbtui.knowledge.search.grep import GrepSearcher
    from kbtui.knowledge.search.hybrid import HybridSearcher
    from kbtui.knowledge.search.lexical import LexicalSearcher
    from kbtui.knowledge.search.spelling import Respelt
    from kbtui.knowledge.search.translator import Translator
    from kbtui.knowledge.search.vectors import VectorSearcher
    from kbtui.knowledge.store.index import Index
    from kbtui.knowledge.store.indexer import Indexer, IndexReport, Staleness

log = logging.getLogger(__name__)

Made = TypeVar("Made")

_CHECK_AGAIN_AFTER_S: Final = 2.0
_PATIENCE_S: Final = 15.0
_HELD: Final = "Another kbtui is indexing this folder; the answer is from the index as it was."
_FEW_TEXTS: Final = 256
"""To embed so many takes one to three seconds, once: so a small folder has vectors at its first question."""


class _Part(Generic[Made]):
    """A part that is made when it is first asked for, once, whichever threads ask."""

    def __init__(self, make: Callable[[KnowledgeBase], Made]) -> None:
        self._make = make
        self._name = f"_made_{make.__name__}"

    def __get__(self, base: KnowledgeBase, _owner: object = None) -> Made:
        with base.lock:
            if self._name not in vars(base):
                setattr(base, self._name, self._make(base))
            made: Made = getattr(base, self._name)
            return made


class KnowledgeBase:
    """A folder that can be searched. Safe to use from several threads.

    Args:
        root: The folder.
        clock: Seconds that only grow, to know how old the last check of the folder is.
    """

    def __init__(self, root: Path, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.root = root
        # The folder with all of its files, where only some are shown on request.
        self.whole: KnowledgeBase | None = None
        # The names that all paths begin with, where several folders are asked as one.
        self.member_names: tuple[str, ...] = ()
        self.source = open_reader(root, settings.index)
        self._settings = settings
        self._clock = clock
        self.lock = threading.RLock()
        self._freshening = threading.Lock()
        self._checked_at: float | None = None
        self._files: tuple[str, list[FileRecord]] = ("", [])
        self._state: Staleness | None = None
        self._ahead: Future[Staleness] | None = None
        if settings.index.auto:
            # What looks at the folder starts while LanceDB and the agent are imported here.
            with contextlib.suppress(StorageError):
                folder_worker.POOL.warm()

    @_Part
    def index(self) -> Index:
        """What is stored about the folder; it sees what others commit by itself."""
        from kbtui.knowledge.store.index import Index

        return Index(self.root, self._settings)

    @_Part
    def embedder(self) -> Embedder:
        """The model; loaded by its first text or by `warm`."""
        from kbtui.knowledge.embedding import open_embedder

        return open_embedder(self._settings.embedding)

    @_Part
    def vectors(self) -> VectorSearcher:
        from kbtui.knowledge.search.vectors import VectorSearcher

        return VectorSearcher(self.index, self.embedder, self.translator)

    @_Part
    def translator(self) -> Translator:
        """Puts a question in the language of the folder's text."""
        from kbtui.knowledge.search.translator import Translator

        return Translator(self.index)

    @_Part
    def lexical(self) -> LexicalSearcher:
        from kbtui.knowledge.search.lexical import LexicalSearcher

        return LexicalSearcher(self.index)

    @_Part
    def grep(self) -> GrepSearcher:
        from kbtui.knowledge.search.grep import GrepSearcher

        return GrepSearcher(self.root, self.source, self.file_records, translator=self.translator)

    @_Part
    def hybrid(self) -> HybridSearcher:
        from kbtui.knowledge.search.hybrid import HybridSearcher
        from kbtui.knowledge.search.naming import FileNames

        return HybridSearcher(
            self.index,
            self.vectors,
            self.lexical,
            self._settings.retrieval,
            self.source.lines,
            FileNames(self.file_records),
            self.translator,
        )

    @_Part
    def files(self) -> FileCatalogue:
        from kbtui.knowledge.search.files import FileCatalogue

        return FileCatalogue(
            self.file_records, self.grep, self.source, vectors=self.vectors, translator=self.translator
        )

    def file_records(self) -> list[FileRecord]:
        """The indexed files by path; the same list as long as the index is the same."""
        with self.lock:
            version = self.index.version
            if self._files[0] != version:
                self._files = (version, self.index.files())
            return self._files[1]

    def respelt(self, text: str) -> Respelt:
        """``text`` with misspelt words read as words of the folder.

        Raises:
            KbtuiError: The index cannot be read, or the model that knows the language cannot be loaded.
        """
        from kbtui.knowledge.search.spelling import respelt

        return respelt(self.index, text, self.embedder.knows_word)

    def near_places(self, question: str, paths: Sequence[str]) -> Mapping[str, Sequence[NearPlace]]:
        """How near the stretches of the documents at ``paths`` are to a question that the model can read.

        Documents without vectors are left out.

        Raises:
            KnowledgeBaseError: The index was made with another embedding model.
            IndexCorrupt: The index cannot be read.
            EmbeddingError: The model cannot be loaded.
        """
        from kbtui.knowledge.search.nearness import near_places

        vector = self.vectors.vector_of(question)
        return near_places(self.index, vector, paths) if vector is not None else {}

    def file_count(self) -> int | None:
        """How many files are indexed; None when the folder never was."""
        return len(self.file_records()) if self.index.exists else None

    def over(self, index: Index) -> KnowledgeBase:
        """The same folder as another index shows it, with the same model; that index is never brought up to date."""
        other = KnowledgeBase(self.root, self._settings, self._clock)
        other._checked_at, other.source, other.member_names = math.inf, self.source, self.member_names
        vars(other).update(_made_index=index, _made_embedder=self.embedder)
        return other

    @contextlib.contextmanager
    def reading_ahead(self) -> Iterator[None]:
        """Have a folder that was never indexed listed and cut while the caller imports what asks it.

        What `ensure_fresh` has not taken by the end is dropped.
        """
        if self._ahead is not None or not self._settings.index.auto or self.index.exists:
            yield
            return
        with ThreadPoolExecutor(1, thread_name_prefix="kbtui-ahead") as pool:
            # Imported here: two threads that import the same modules at once may meet halves of them.
            self._indexer()
            ahead = self._ahead = pool.submit(self.staleness, ahead=True)
            try:
                yield
            finally:
                self._ahead = None
                with contextlib.suppress(KbtuiError):
                    if (cutting := ahead.result().ahead) is not None:
                        cutting.end()

    def ensure_fresh(
        self, emit: Emit, cancel: CancelToken, meanwhile: Callable[[Walk], None] | None = None
    ) -> IndexReport | None:
        """Read what changed in the folder since it was indexed, or all of it; None when there was nothing to do.

        Only the text, and vectors when a few are missing: many take minutes, and whoever wants them calls `complete`
        somewhere else. What is there of them is used. A check that is less than two seconds old is not repeated: the
        sub-questions of one run see one folder. When the disk refuses a newer index, the one there is serves, with a
        warning.

        Args:
            meanwhile: Given what the folder holds before it is read, where that will take so long that a first look
                pays.

        Raises:
            KnowledgeBaseError: It was never indexed and ``index.auto`` is off, or it cannot be indexed.
            StorageError: It was never indexed, and the disk refuses.
            Cancelled: The run was stopped; what is indexed so far stays.
        """
        with self._freshening:
            if self._checked_at is not None and self._clock() - self._checked_at < _CHECK_AGAIN_AFTER_S:
                return None
            if not self._settings.index.auto:
                if not self.index.exists:
                    raise KnowledgeBaseError(
                        f"The folder {self.root.name or self.root} was never indexed, and `index.auto` is off.",
                        f"Run `kbtui index {self.root}` first.",
                    )
                self._checked_at = self._clock()
                return None
            report = None
            try:
                state = self._ahead.result() if self._ahead is not None else self.staleness()
                cancel.check()
                if meanwhile is not None and state.walk is not None and is_worth_a_look(state):
                    meanwhile(state.walk)
                if state.is_stale:
                    # Another process may be making everything anew, which takes minutes; the present index serves.
                    patience_s = _PATIENCE_S if self._can_be_asked() else None
                    report = self._indexer().update(emit, cancel, state, patience_s)
                    self._state = replace(state, left_out=report.left_out)
                    self.refresh()
                if state.is_stale or state.vector_share < 1.0:
                    self._embed_few(emit, cancel)
            except LockTimeout:
                emit(Warned(message=_HELD, where="index"))
            except StorageError as error:
                if not self._can_be_asked():
                    raise
                emit(Warned(message=f"The answer is from the index as it was. {error}", where="index"))
            self._checked_at = self._clock()
            return report

    def _embed_few(self, emit: Emit, cancel: CancelToken) -> None:
        try:
            self._indexer().embed_few(emit, cancel, _FEW_TEXTS)
        except Cancelled:
            raise
        except KbtuiError as error:
            # Words find the passages meanwhile; what is wrong with the model is told by whoever cannot do without it.
            log.info("the vectors of what changed were not made: %s", error.message)

    def complete(self, emit: Emit, cancel: CancelToken) -> IndexReport:
        """Bring text and vectors up to date, here and now: minutes for a folder that was never indexed.

        Raises:
            KbtuiError: See `Indexer.run`.
        """
        report = self._indexer().run(emit, cancel)
        self.refresh()
        return report

    def staleness(self, *, ahead: bool = False) -> Staleness:
        """How far the index is behind the folder; one that is damaged counts as none.

        Args:
            ahead: As in `Indexer.staleness`.

        Raises:
            FolderNotFound: The folder has gone.
            StorageError: The index may not be read.
        """
        state = self._indexer().staleness(ahead=ahead)
        if not state.is_stale:
            try:
                self.index.verify()
            except IndexCorrupt:
                state = replace(state, never_indexed=True, rebuild_reason="the index is damaged")
        self._state = state
        return state

    def vector_share(self) -> float:
        """How many of the passages have a vector of the model that is set, 0 to 1; without one, words alone find them.

        Raises:
            StorageError: The index may not be read.
        """
        index = self.index
        if index.fingerprint and index.fingerprint != self.embedder.fingerprint:
            return 0.0
        return index.vector_share()

    def vectors_note(self) -> str:
        """One sentence for whoever asks while passages have no vector yet, with what to do; else empty."""
        share = self.vector_share()
        if share == 1.0:
            return ""
        # Rounded down: all but one is not all.
        return (
            f"Vectors are there for {int(share * 100)} % of the passages; words alone find the others. "
            "`kbtui index` makes the rest."
        )

    def left_out(self) -> tuple[str, ...]:
        """What the folder held, when it was last looked at, that is not indexed and should be told of."""
        return self._state.left_out if self._state else ()

    def nothing_to_read(self) -> tuple[str, ...]:
        """Message and hint when the folder, when it was last looked at, held no file to index; else empty."""
        return self._state.nothing_to_read if self._state else ()

    def _indexer(self) -> Indexer:
        from kbtui.knowledge.store.indexer import Indexer

        # With our own model: a second one would take its time and memory again.
        return Indexer(self.root, self._settings, open_embedder=lambda _: self.embedder, index=self.index)

    def _can_be_asked(self) -> bool:
        try:
            return bool(self.file_count())
        except KbtuiError:
            return False

    def refresh(self) -> None:
        """Forget what was derived from an index that has changed, and look at the folder again when next asked."""
        with self.lock:
            self._checked_at = None
            version = self.index.version
            if self._files[0] != version:
                self._files = ("", [])

    def warm(self, emit: Emit | None = None) -> None:
        """Load what the first question needs: the model, the chunks and their vectors."""
        notify = (lambda text: emit(Progress(stage="model", message=text))) if emit else None
        with ThreadPoolExecutor(2, thread_name_prefix="kbtui-warm") as pool:
            model = pool.submit(self.embedder.load, notify)
            if self.index.exists:
                self.grep.warm()
            model.result()
        if self.index.exists:
            # An index that was made with another model says so again when it is asked or brought up to date.
            with contextlib.suppress(KnowledgeBaseError):
                self.vectors.search("warm", 1)


def load_model_ahead(knowledge: KnowledgeBase, settings: EmbeddingSettings) -> threading.Thread | None:
    """Load the bundled model in a thread while Python is busy importing; None for other models.

    Most of loading is native code that lets go of the interpreter's lock, so on a second core it costs a question
    nothing. Other models come with libraries of Python, which would only take turns with what is imported meanwhile. An
    error here is raised again by the first text that needs the model.
    """
    from kbtui.knowledge.embedding import BUNDLED

    with contextlib.suppress(KbtuiError):
        if settings.model == BUNDLED:
            embedder = knowledge.embedder

            def load() -> None:
                with contextlib.suppress(KbtuiError):
                    embedder.load()

            thread = threading.Thread(target=load, name="kbtui-model")
            thread.start()
            return thread
    return None
