"""Some files of a folder, read into an index of their own: those that a question names, or a first look at the folder.

A folder that is still to be read is answered from first by the few files a question is most likely about:
ripgrep goes through the files as they are and tells which of them hold the words of the question how often. Those that
promise most are read into an index of their own, which is thrown away afterwards: whatever searches and answers from
the index of a folder does so from this one, a second or two after the question was asked.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import FileRecord
from kbtui.domain.ports import CancelToken, Emit
from kbtui.knowledge.reading.walk_types import Walk, WalkedFile
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.store.freshness import Staleness
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.indexer import Indexer

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.settings.model import Settings

_LOOK_FILES: Final = 40
_LOOK_BYTES: Final = 2 << 20
_BYTES_A_LINE: Final = 40
_BYTES_A_CHUNK: Final = 700
_FEW_TEXTS: Final = 256
"""To embed so many takes one to three seconds; of more, words alone find the passages."""


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
    with _read_apart(knowledge, settings, chosen, lambda _: None, cancel) as (look, _):
        yield look


@contextlib.contextmanager
def narrowed(
    knowledge: KnowledgeBase, settings: Settings, paths: Collection[str], emit: Emit, cancel: CancelToken
) -> Iterator[KnowledgeBase]:
    """The folder as if it held the indexed files at ``paths`` alone.

    Raises:
        KbtuiError: The disk refuses.
        Cancelled: ``cancel`` was set.
    """
    chosen = [
        WalkedFile(root=knowledge.root, path=record.path, size=record.size, mtime_ns=record.mtime_ns)
        for record in knowledge.file_records()
        if record.path in paths
    ]
    with _read_apart(knowledge, settings, chosen, emit, cancel) as (look, indexer):
        indexer.embed_few(emit, cancel, _FEW_TEXTS)
        look.whole = knowledge
        yield look


@contextlib.contextmanager
def _read_apart(
    knowledge: KnowledgeBase, settings: Settings, files: Sequence[WalkedFile], emit: Emit, cancel: CancelToken
) -> Iterator[tuple[KnowledgeBase, Indexer]]:
    """The folder as an index of ``files`` alone shows it, and what reads them into it; it is thrown away afterwards."""
    with tempfile.TemporaryDirectory(prefix="kbtui-look-", ignore_cleanup_errors=True) as place:
        index = Index(knowledge.root, settings, Path(place) / "index")
        indexer = Indexer(knowledge.root, settings, open_embedder=lambda _: knowledge.embedder, index=index)
        indexer.update(emit, cancel, Staleness(never_indexed=True, walk=Walk(root=knowledge.root, files=tuple(files))))
        yield knowledge.over(index), indexer


def likely_files(
    knowledge: KnowledgeBase, walk: Walk, keywords: Sequence[str], cancel: CancelToken
) -> list[WalkedFile]:
    """The files that hold the rarest of ``keywords`` most often, by path; at most 40 files and 2 MB.

    Raises:
        ToolError: ripgrep took too long or could not be run.
        Cancelled: ``cancel`` was set.
    """
    # To take the text out of a file takes longer than ripgrep may, so such files wait for the index.
    records = [_guessed(file) for file in walk.files if knowledge.source.format_of(file.path) is None]
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
