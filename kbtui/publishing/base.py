"""A generation of a published collection as a knowledge base: read only, and never brought up to date by itself."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import KnowledgeBaseError, RemoteError
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.store.freshness import Staleness
from kbtui.publishing.collection import Collection, Generation
from kbtui.publishing.manifest import PublishedFile
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.store.indexer import IndexReport


class VerifiedReader(SourceReader):
    """Reads files of a generation, each compared with its SHA-256 when it is first read."""

    def __init__(self, generation: Generation) -> None:
        super().__init__(generation.root, texts=TextStore(paths.index_dir(generation.root)))
        self._generation = generation
        self._files: dict[str, PublishedFile] = {}
        self._verified: dict[str, tuple[int, int]] = {}

    def locate(self, path: str) -> Path:
        """As `SourceReader.locate`.

        Raises:
            RemoteError: The copy on this machine was changed.
        """
        target = super().locate(path)
        if not self._files:
            self._files = {file.path: file for file in self._generation.manifest.files}
        file = self._files.get(path)
        if file is not None:
            self._verify(file, target)
        return target

    def _verify(self, file: PublishedFile, target: Path) -> None:
        status = target.stat()
        parts = {target: file.content}
        if file.text is not None and self._texts is not None:
            parts[self._texts.file(file.path, status.st_size, status.st_mtime_ns)] = file.text
        for path, blob in parts.items():
            if blob is None:
                continue
            try:
                now = path.stat()
                mark = now.st_size, now.st_mtime_ns
                if self._verified.get(str(path)) == mark:
                    continue
                is_intact = now.st_size == blob.size and hashlib.sha256(path.read_bytes()).hexdigest() == blob.sha256
            except FileNotFoundError:
                is_intact = False
            if not is_intact:
                raise RemoteError(
                    f"The copy of {one_line(file.path, 200)} on this machine was changed since it was fetched.",
                    f"Delete {self._generation.root.parent} and ask again; it is fetched anew.",
                )
            self._verified[str(path)] = mark


class PublishedBase(KnowledgeBase):
    """A generation that can be searched."""

    def __init__(self, generation: Generation, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        # Nothing is there to be indexed from.
        settings = replace(settings, index=replace(settings.index, auto=False))
        super().__init__(generation.root, settings, clock)
        self.generation = generation
        self.source = VerifiedReader(generation)

    def share_model(self, other: KnowledgeBase) -> None:
        """Use the embedding model of another base rather than load one."""
        vars(self).update(_made_embedder=other.embedder)

    def staleness(self, *, ahead: bool = False) -> Staleness:  # noqa: ARG002 - a generation has no folder to read
        """That it is as new as it can be."""
        return Staleness(never_indexed=False, vector_share=1.0)

    def complete(self, emit: Emit, cancel: CancelToken) -> IndexReport:  # noqa: ARG002 - it refuses
        """Refuse: a generation does not change.

        Raises:
            KnowledgeBaseError: Always.
        """
        raise KnowledgeBaseError("A published collection is read only.", "`kbtui publish` makes a newer generation.")


def open_base(url: str, settings: Settings, emit: Emit, cancel: CancelToken) -> KnowledgeBase:
    """The newest generation of a collection, for one use; a warning says where it may not be the newest.

    Raises:
        KbtuiError: As `Collection.open`.
    """
    collection = Collection(url, settings.published)
    generation = collection.open(emit, cancel)
    if (warning := collection.warning()) is not None:
        emit(warning)
    return PublishedBase(generation, settings)
