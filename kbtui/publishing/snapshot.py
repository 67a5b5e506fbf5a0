"""What is published of a folder: its index as it stands at one moment, and the texts that the index speaks of.

The index is linked into a folder of its own while nobody writes it, so that a long upload holds no lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from kbtui import __version__
from kbtui.domain.document import FileRecord
from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError, StorageError
from kbtui.knowledge.reading.texts import FOLDER as TEXTS
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.index_tables import connect
from kbtui.knowledge.store.locks import exclusive_lock
from kbtui.regular_files import open_regular
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.private import private_folder
from kbtui.text.file_formats import format_of

_STORES: Final[tuple[tuple[tables.Store, str], ...]] = (("text", "current"), ("vectors", "current-vectors"))
_on_this_disk: Final = shutil.ignore_patterns("seal.json", "unsealed")
"""Files of an index that describe the disk it is on."""

_BLOCK: Final = 1 << 20

Role = Literal["content", "text", "places"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes to publish: a file on this disk, with the size and SHA-256 that it had when it was looked at.

    Attributes:
        is_staged: Nobody else changes the file.
    """

    path: Path
    sha256: str
    size: int
    is_staged: bool = False

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            FileChanged: They are other ones by now.
        """
        try:
            with open_regular(self.path) as stream:
                data = stream.read(self.size + 1)
        except OSError as error:
            raise FileChanged(str(self.path)) from error
        if len(data) != self.size or hashlib.sha256(data).hexdigest() != self.sha256:
            raise FileChanged(str(self.path))
        return data


@dataclass(frozen=True, slots=True)
class FilePieces:
    """The pieces of one file of the folder, by their part in it."""

    record: FileRecord
    pieces: dict[Role, Piece]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The index by path within its directory, and the files of the folder, by path.

    Attributes:
        made_of: A hash of all that decides what readers get; the files of an index may differ without it.
    """

    index: dict[str, Piece]
    files: list[FilePieces]
    made_of: str


class FileChanged(Exception):
    """A file is not as the index knows it; its path is the argument."""


@contextlib.contextmanager
def snapshot(root: Path, settings: Settings, cancel: CancelToken, on_wait: Callable[[], None]) -> Iterator[Snapshot]:
    """The folder as its index knows it; its pieces can be read within the block.

    Raises:
        FileChanged: A file was changed since it was indexed.
        KnowledgeBaseError: The folder was never indexed, or holds nothing.
        StorageError: The disk refuses.
        Cancelled: ``cancel`` was set.
    """
    directory = paths.index_dir(root)
    with contextlib.ExitStack() as stack:
        try:
            stage = Path(tempfile.mkdtemp(prefix="publishing-", dir=private_folder(directory.parent)))
            stack.callback(shutil.rmtree, stage, ignore_errors=True)
            _link_index(directory, stage, cancel, on_wait)
        except OSError as error:
            raise StorageError(
                f"The index cannot be copied for publishing: {error.strerror or error}.", "Free some space."
            ) from error
        index = Index(root, settings, stage)
        # Makes the lexicon, so that no reader has to.
        index.rarity(["-"])
        records = index.files()
        if not records:
            raise KnowledgeBaseError(
                "There is nothing to publish: the folder holds no file that can be read.",
                "`kbtui index` says what is left out, and why.",
            )
        texts = TextStore(stage)
        files = []
        for record in records:
            cancel.check()
            files.append(FilePieces(record, _pieces_of(root, record, texts)))
        yield Snapshot(_index_pieces(stage), files, _made_of(index, files))


def _made_of(index: Index, files: list[FilePieces]) -> str:
    recipes = {file.record.path: file.recipe for file in index.stored_files()}
    parts = [__version__, str(tables.SCHEMA_VERSION), index.fingerprint]
    for file in files:
        parts += [file.record.path, recipes.get(file.record.path, "")]
        parts += [f"{role} {piece.sha256}" for role, piece in sorted(file.pieces.items())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _link_index(directory: Path, stage: Path, cancel: CancelToken, on_wait: Callable[[], None]) -> None:
    with (
        exclusive_lock(directory / "lock", on_wait, cancel),
        exclusive_lock(directory / "vectors.lock", on_wait, cancel),
    ):
        for store, pointer in _STORES:
            generation = tables.current_generation(directory, store)
            if generation is not None:
                shutil.copytree(generation, stage / generation.name, copy_function=_link, ignore=_on_this_disk)
                (stage / pointer).write_text(generation.name, "ascii")
        if (directory / TEXTS).is_dir():
            shutil.copytree(directory / TEXTS, stage / TEXTS, copy_function=_link)
    for table in stage.glob("*/*.lance"):
        drop_old_versions(table)
    generation = tables.current_generation(stage)
    meta = tables.read_meta(generation, tables.Meta) if generation is not None else None
    if generation is not None and meta is not None:
        # Where the folder lies on this machine is nobody's business.
        tables.write_text(generation / tables.META_FILE, meta.model_copy(update={"root": ""}).model_dump_json(indent=2))


def _link(source: str, target: str) -> None:
    """A second name for a file of the index; a copy on file systems without links."""
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copyfile(source, target)


def _index_pieces(stage: Path) -> dict[str, Piece]:
    pieces = {}
    for folder, folders, names in os.walk(stage):
        folders[:] = sorted(name for name in folders if name != TEXTS)
        for name in sorted(names):
            path = Path(folder) / name
            if not name.startswith("."):
                pieces[path.relative_to(stage).as_posix()] = _piece(path, is_staged=True)
    return pieces


def _pieces_of(root: Path, record: FileRecord, texts: TextStore) -> dict[Role, Piece]:
    """The text that was taken out of a file, where there is one; the file where its lines are cited."""
    pieces: dict[Role, Piece] = {}
    file_format = format_of(record.path)
    if file_format is not None:
        text = texts.file(record.path, record.size, record.mtime_ns)
        places = text.with_suffix(".places")
        if text.is_file() and places.is_file():
            pieces = {"text": _piece(text, is_staged=True), "places": _piece(places, is_staged=True)}
    if not pieces or (file_format is not None and file_format.in_place):
        path = root / record.path
        try:
            if not path.resolve().is_relative_to(root.resolve()):
                raise FileChanged(record.path)
            status = path.stat()
            if (status.st_size, status.st_mtime_ns) != (record.size, record.mtime_ns):
                raise FileChanged(record.path)
            pieces["content"] = _piece(path)
        except OSError as error:
            raise FileChanged(record.path) from error
    return pieces


def _piece(path: Path, *, is_staged: bool = False) -> Piece:
    checksum, size = hashlib.sha256(), 0
    with open_regular(path) as stream:
        while block := stream.read(_BLOCK):
            checksum.update(block)
            size += len(block)
    return Piece(path, checksum.hexdigest(), size, is_staged)


_NAME_DIGITS: Final = 20
"""Of manifests whose names fall from version to version, so that the newest one comes first."""


def drop_old_versions(table: Path) -> None:
    """Remove the manifests of earlier versions of a table, and the data and indexes that the newest one does not use.

    Args:
        table: Folder ``name.lance``, a copy that nobody else reads.

    Raises:
        OSError: It cannot be read or changed.
        RuntimeError: LanceDB cannot open it.
    """
    manifests = sorted((table / "_versions").glob("*.manifest"))
    if not manifests or any(len(path.stem) != _NAME_DIGITS or not path.stem.isdigit() for path in manifests):
        return
    newest = manifests[0].read_bytes()
    data = {path: path.name.encode() in newest for path in _entries(table / "data")}
    indexes = {path: _is_index_of(path, newest) for path in _entries(table / "_indices")}
    opened: Any = connect(table.parent).open_table(table.stem)
    if sum(data.values()) < opened.stats()["fragment_stats"]["num_fragments"]:
        return
    if sum(indexes.values()) < len(opened.list_indices()):
        return
    for path in manifests[1:]:
        path.unlink()
    for path, is_used in (data | indexes).items():
        if not is_used:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _is_index_of(folder: Path, manifest: bytes) -> bool:
    try:
        return uuid.UUID(folder.name).bytes in manifest
    except ValueError:
        return True
