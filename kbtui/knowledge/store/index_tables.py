"""The layout of the index of a folder on disk: its folders and tables, and which of them readers use.

Text and vectors are two stores, each in a numbered folder (generation), which a one-line file points to. ``g1`` has
three LanceDB tables: chunks, files and relations. ``v1`` has one: a vector for each distinct text, by a key computed
from the text. Text can therefore be searched before there are vectors, either store can be rebuilt without the other,
and a passage that is cut again, renamed or copied keeps its vector.

A row of ``files`` commits a file: chunks and relations carry the ``stamp`` of their write, and are visible only while
the row of their file has the same stamp. A file is therefore added or replaced in one atomic commit, and rows of a
killed writer are invisible until they are deleted.
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

SCHEMA_VERSION: Final = 13
CHUNKS: Final = "chunks"
FILES: Final = "files"
RELATIONS: Final = "relations"
VECTORS: Final = "vectors"
META_FILE: Final = "meta.json"

Store = Literal["text", "vectors"]
_PREFIX: Final[dict[Store, str]] = {"text": "g", "vectors": "v"}
_POINTER: Final[dict[Store, str]] = {"text": "current", "vectors": "current-vectors"}

_LANCE_DRAFT: Final = re.compile(r"\.tmp\w{6}|.+#\d+")
"""Names of incomplete files of LanceDB."""

_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Errors for a missing file, in contrast to one that exists but cannot be read now."""

REBUILD_HINT: Final = "Run `kbtui index --rebuild` on the folder."


class Meta(BaseModel):
    """Metadata of a text store; another schema version needs a new generation."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int
    root: str


class VectorMeta(BaseModel):
    """Metadata of a vector store; vectors of different models are never compared."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int
    fingerprint: str
    dimension: int


M = TypeVar("M", Meta, VectorMeta)


def connect(generation: Path) -> Any:
    """The LanceDB database in ``generation``."""
    # Rust would log to standard error, over the screen. The variables are read once, when the library is loaded.
    os.environ.setdefault("LANCEDB_LOG", "error")
    os.environ.setdefault("LANCE_LOG", "error")
    import lancedb

    return lancedb.connect(str(generation))


def versions(generation: Path, table: str) -> frozenset[str]:
    """Names of the versions of a table; while they are the same, nothing was committed.

    Listing them takes 20 µs. LanceDB would take longer, and a question compares them several times.

    Raises:
        OSError: There is no such table.
    """
    return frozenset(os.listdir(generation / f"{table}.lance" / "_versions"))  # noqa: PTH208 - each question asks it


def create_tables(generation: Path, meta: Meta) -> None:
    """Create empty tables in a new folder; ``meta.json`` is written last and completes the generation.

    The full-text index is created on the empty table; rows added later are found too, but more slowly.
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
    """Create an empty vector table in a new folder; see ``create_tables``."""
    private_folder(generation.parent)
    generation.mkdir(mode=0o700)
    connect(generation).create_table(VECTORS, schema=rows.vector_schema(meta.dimension))
    write_text(generation / META_FILE, meta.model_dump_json(indent=2))


def full_text_config() -> Any:
    """The configuration of the full-text index, which splits ``terms`` at spaces only, since kbtui tokenises them."""
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
    """The metadata of a generation; None where it is incomplete or damaged.

    Raises:
        StorageError: It exists but cannot be read, so nothing is known about the index.
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
    """The generation that readers use; None where there is none.

    Raises:
        StorageError: The pointer exists but cannot be read; an existing index must not be taken for a missing one.
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


def take_rows(table: Any, ids: Sequence[int], columns: Sequence[str]) -> pa.Table:
    """These columns of the rows with these ids, in this order, which LanceDB does not keep."""
    rows_by_id = table.take_row_ids(list(ids)).select(list(columns)).with_row_id().to_arrow()
    found_ids = rows_by_id["_rowid"].to_numpy()
    order = np.argsort(found_ids)
    return rows_by_id.take(order[np.searchsorted(found_ids, np.asarray(ids, dtype=np.uint64), sorter=order)])


def generations(directory: Path, store: Store = "text") -> list[Path]:
    """All generations, complete or not."""
    return [path for path in directory.glob(f"{_PREFIX[store]}*") if path.name[1:].isdigit()]


def new_generation(directory: Path, store: Store = "text") -> Path:
    """Path of the next generation."""
    highest = max((int(path.name[1:]) for path in generations(directory, store)), default=0)
    return directory / f"{_PREFIX[store]}{highest + 1}"


def remove_others(directory: Path, store: Store, *kept: Path) -> None:
    """Remove the generations that are not ``kept``."""
    for generation in generations(directory, store):
        if generation not in kept:
            shutil.rmtree(generation, ignore_errors=True)


def remove_drafts(directory: Path, generation: Path) -> None:
    """Remove incomplete files of a killed writer.

    The caller must hold the lock of the store, so that there is no other writer.
    """
    remove_dead_drafts(directory)
    for folder, _, names in os.walk(generation):
        remove_dead_drafts(Path(folder))
        for name in filter(_LANCE_DRAFT.fullmatch, names):
            with contextlib.suppress(OSError):
                (Path(folder) / name).unlink()


def write_text(path: Path, text: str) -> None:
    """Write ``path`` atomically."""
    write_whole(path, text.encode())


@contextlib.contextmanager
def lance_errors(directory: Path) -> Iterator[None]:
    """Turn errors of LanceDB, Arrow and the system into errors of kbtui.

    Raises:
        StorageError: The disk is full or not writable.
        IndexCorrupt: Any other error: files are missing, truncated or overwritten.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        raise _translate(error, directory) from error
    except BaseException as error:
        # A panic in Rust derives from BaseException; its type is not importable.
        if type(error).__name__ == "PanicException":
            raise _translate(error, directory) from error
        raise


def _translate(error: BaseException, directory: Path) -> IndexCorrupt | StorageError:
    reason = storage_reason(error)
    if reason is None:
        return IndexCorrupt("The index of this folder is damaged and cannot be read.", REBUILD_HINT)
    return StorageError(
        f"The index in {directory} cannot be read or written: {reason}.",
        "Free some space or fix its permissions, or set XDG_CACHE_HOME to another folder. The documents are untouched.",
    )
