"""How the index of a folder lies on disk: which folders and tables there are, and which of them readers are to use.

Text and vectors are two stores, each in a numbered folder of its own that a one-line file points at. ``g1`` holds three
LanceDB tables: chunks, files, relations. ``v1`` holds one: a vector for each different text, by a key made of the text.
So text can be searched before any vector is there, either can be made anew without the other, and a passage that is cut
again, renamed or copied finds its vector where it was.

A row of ``files`` is the commit mark: chunks and relations carry the ``stamp`` of the write they belong to, and count
only while the row of their file carries the same stamp. So a file appears and changes in one atomic commit of one
table, and whatever a killed writer left behind is invisible until it is swept.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from kbtui.errors import IndexCorrupt, StorageError
from kbtui.knowledge.store import index_rows as rows
from kbtui.knowledge.store.locks import storage_reason
from kbtui.settings.private import private_folder
from kbtui.whole_file import remove_dead_drafts, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION: Final = 7
CHUNKS: Final = "chunks"
FILES: Final = "files"
RELATIONS: Final = "relations"
VECTORS: Final = "vectors"
META_FILE: Final = "meta.json"

Store = Literal["text", "vectors"]
_PREFIX: Final[dict[Store, str]] = {"text": "g", "vectors": "v"}
_POINTER: Final[dict[Store, str]] = {"text": "current", "vectors": "current-vectors"}

_LANCE_DRAFT: Final = re.compile(r"\.tmp\w{6}|.+#\d+")
"""Names that files of LanceDB have before they are whole."""

_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Errors of a file that is not there, as against one that is there and cannot be read now."""

REBUILD_HINT: Final = "Run `kbtui index --rebuild` on the folder."


class Meta(BaseModel):
    """What a text store was made with. Another schema needs another generation."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int
    root: str


class VectorMeta(BaseModel):
    """What a vector store was made with: the vectors of two models are never compared."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int
    fingerprint: str
    dimension: int


M = TypeVar("M", Meta, VectorMeta)


def connect(generation: Path) -> Any:
    """The LanceDB database in ``generation``."""
    # Rust logs to standard error, over the screen. Read once, when the library loads.
    os.environ.setdefault("LANCEDB_LOG", "error")
    os.environ.setdefault("LANCE_LOG", "error")
    import lancedb

    return lancedb.connect(str(generation))


def versions(generation: Path, table: str) -> frozenset[str]:
    """Names of the versions of a table: while they stay the same, nothing was committed.

    To list them takes 20 µs; to ask LanceDB takes it a turn of its own threads, and a question asks several times.

    Raises:
        OSError: There is no such table.
    """
    return frozenset(os.listdir(generation / f"{table}.lance" / "_versions"))  # noqa: PTH208 - each question asks it


def create_tables(generation: Path, meta: Meta) -> None:
    """Empty tables in a new folder; ``meta.json`` comes last and makes it a generation.

    The full-text index is made of the empty table: rows that come later are found by it too, if more slowly.
    """
    private_folder(generation.parent)
    generation.mkdir(mode=0o700)
    database = connect(generation)
    chunks = database.create_table(CHUNKS, schema=rows.chunk_schema())
    chunks.create_index(rows.TERMS, config=full_text_config())
    database.create_table(FILES, schema=rows.file_schema())
    database.create_table(RELATIONS, schema=rows.relation_schema())
    write_text(generation / META_FILE, meta.model_dump_json(indent=2))


def create_vector_table(generation: Path, meta: VectorMeta) -> None:
    """As ``create_tables``, for vectors."""
    private_folder(generation.parent)
    generation.mkdir(mode=0o700)
    connect(generation).create_table(VECTORS, schema=rows.vector_schema(meta.dimension))
    write_text(generation / META_FILE, meta.model_dump_json(indent=2))


def full_text_config() -> Any:
    """The words of a chunk are our own, joined by spaces (``terms``): LanceDB is to cut at spaces and do no more."""
    from lancedb.index import FTS

    return FTS(
        base_tokenizer="whitespace",
        stem=False,
        remove_stop_words=False,
        lower_case=False,
        ascii_folding=False,
        max_token_length=200,
        with_position=False,
    )


# Generations --------------------------------------------------------------------------------------------------------


def read_meta(generation: Path, kind: type[M]) -> M | None:
    """None when ``generation`` was never finished or its mark is broken.

    Raises:
        StorageError: The system does not let it be read, which says nothing about the index.
    """
    with lance_errors(generation.parent):
        try:
            return kind.model_validate_json((generation / META_FILE).read_bytes())
        except OSError as error:
            if error.errno not in _ABSENT:
                raise
            return None
        except ValidationError:
            return None


def current_generation(directory: Path, store: Store = "text") -> Path | None:
    """The generation that readers are to use, or None when there is none.

    Raises:
        StorageError: The system does not let it be read: an index that is there must not pass for an empty one.
    """
    with lance_errors(directory):
        try:
            name = (directory / _POINTER[store]).read_text("ascii").strip()
        except OSError as error:
            if error.errno not in _ABSENT:
                raise
            return None
        except UnicodeDecodeError:
            return None
        generation = directory / name
        return generation if name.startswith(_PREFIX[store]) and os.sep not in name and generation.is_dir() else None


def point_at(directory: Path, generation: Path, store: Store = "text") -> None:
    """Let readers use ``generation`` from now on."""
    if current_generation(directory, store) != generation:
        write_text(directory / _POINTER[store], generation.name)


def make_current(directory: Path, generation: Path, store: Store = "text") -> None:
    """Let readers use ``generation`` from now on, and remove the others.

    Raises:
        StorageError: The disk is full or not writable.
    """
    with lance_errors(directory):
        point_at(directory, generation, store)
    remove_others(directory, store, generation)


def taken(table: Any, ids: Sequence[int], columns: Sequence[str]) -> pa.Table:
    """These columns of the rows with these ids, in this order; LanceDB gives them in its own."""
    found = table.take_row_ids(list(ids)).select(list(columns)).with_row_id().to_arrow()
    held = found["_rowid"].to_numpy()
    order = np.argsort(held)
    return found.take(order[np.searchsorted(held, np.asarray(ids, dtype=np.uint64), sorter=order)])


def generations(directory: Path, store: Store = "text") -> list[Path]:
    """Every generation, finished or not."""
    return [path for path in directory.glob(f"{_PREFIX[store]}*") if path.name[1:].isdigit()]


def new_generation(directory: Path, store: Store = "text") -> Path:
    """The name of the next one."""
    highest = max((int(path.name[1:]) for path in generations(directory, store)), default=0)
    return directory / f"{_PREFIX[store]}{highest + 1}"


def remove_others(directory: Path, store: Store, *kept: Path) -> None:
    """Remove the generations that are not ``kept``."""
    for generation in generations(directory, store):
        if generation not in kept:
            shutil.rmtree(generation, ignore_errors=True)


def remove_drafts(directory: Path, generation: Path) -> None:
    """Remove what a killed writer was writing: files that never got their names.

    Whoever calls this holds the lock of the store, so nobody else is writing one now.
    """
    remove_dead_drafts(directory)
    for folder, _, names in os.walk(generation):
        remove_dead_drafts(Path(folder))
        for name in filter(_LANCE_DRAFT.fullmatch, names):
            with contextlib.suppress(OSError):
                (Path(folder) / name).unlink()


def write_text(path: Path, text: str) -> None:
    """Replace ``path`` in one step."""
    write_whole(path, text.encode())


@contextlib.contextmanager
def lance_errors(directory: Path) -> Iterator[None]:
    """Turn what LanceDB, Arrow and the system raise into errors for people.

    Raises:
        StorageError: The disk is full or not writable.
        IndexCorrupt: Anything else: files are missing, cut or overwritten.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        raise _translated(error, directory) from error
    except BaseException as error:
        # A panic in Rust derives from BaseException; its type is not importable.
        if type(error).__name__ == "PanicException":
            raise _translated(error, directory) from error
        raise


def _translated(error: BaseException, directory: Path) -> IndexCorrupt | StorageError:
    reason = storage_reason(error)
    if reason is None:
        return IndexCorrupt("The index of this folder is damaged and cannot be read.", REBUILD_HINT)
    return StorageError(
        f"The index in {directory} cannot be read or written: {reason}.",
        "Free some space or fix its permissions, or set XDG_CACHE_HOME to another folder. The documents are untouched.",
    )
