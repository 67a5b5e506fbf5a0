"""A first look at a folder that is still to be read: the few files a question is most likely about, read at once.

ripgrep goes through the files as they are and tells which of them hold the words of the question how often. Those that
promise most are read into an index of their own, which is thrown away afterwards: whatever searches and answers from
the index of a folder does so from this one, a second or two after the question was asked.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import FileRecord
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.store.freshness import Staleness
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.indexer import Indexer

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.reading.walked import Walk, WalkedFile
    from kbtui.settings.model import Settings

_LOOK_FILES: Final = 40
_LOOK_BYTES: Final = 2 << 20
_BYTES_A_LINE: Final = 40
_BYTES_A_CHUNK: Final = 700


@contextlib.contextmanager
def first_look(
    knowledge: KnowledgeBase, settings: Settings, walk: Walk, keywords: Sequence[str], cancel: CancelToken
) -> Iterator[KnowledgeBase | None]:
    """The folder as the files show it that hold most of ``keywords``; None when none does.

    Raises:
        KbtuiError: ripgrep or the disk refuses.
        Cancelled: ``cancel`` was set.
    """
    chosen = likely_files(knowledge, walk, keywords, cancel)
    if not chosen:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="kbtui-look-", ignore_cleanup_errors=True) as place:
        index = Index(knowledge.root, settings, Path(place) / "index")
        indexer = Indexer(knowledge.root, settings, open_embedder=lambda _: knowledge.embedder, index=index)
        look = Staleness(never_indexed=True, walk=replace(walk, files=tuple(chosen)))
        indexer.update(lambda _: None, cancel, look)
        yield knowledge.over(index)


def likely_files(
    knowledge: KnowledgeBase, walk: Walk, keywords: Sequence[str], cancel: CancelToken
) -> list[WalkedFile]:
    """The files that hold the rarest of ``keywords`` most often, by path; at most 40 files and 2 MB.

    Raises:
        ToolError: ripgrep took too long or could not be run.
        Cancelled: ``cancel`` was set.
    """
    records = [_guessed(file) for file in walk.files]
    finder = GrepSearcher(knowledge.root, knowledge.source, lambda: records)
    files = {file.path: file for file in walk.files}
    chosen: list[WalkedFile] = []
    room = _LOOK_BYTES
    for path in finder.best_files(keywords, _LOOK_FILES, cancel):
        if (file := files[path]).size <= room:
            chosen.append(file)
            room -= file.size
    return sorted(chosen, key=lambda file: file.path)


def _guessed(file: WalkedFile) -> FileRecord:
    """What ranking files takes, guessed from the size of one that nobody has read yet."""
    return FileRecord(
        path=file.path,
        kind="text",
        title=PurePosixPath(file.path).stem,
        line_count=file.size // _BYTES_A_LINE + 1,
        chunk_count=file.size // _BYTES_A_CHUNK + 1,
        size=file.size,
        mtime_ns=file.mtime_ns,
    )
