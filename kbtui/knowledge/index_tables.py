"""How the index lies on disk: three LanceDB tables in a generation folder, and what a row of each is.

A row of ``files`` is the commit mark: chunks and relations carry the ``stamp`` of the write they belong to, and count
only while the row of their file carries the same stamp. So a file appears and changes in one atomic commit of one
table, and whatever a killed writer left behind is invisible until it is swept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from kbtui.domain.document import Chunk, DocumentKind, FileRecord, Relation
from kbtui.errors import IndexCorrupt, StorageError
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.locks import storage_reason

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION: Final = 1
CHUNKS: Final = "chunks"
FILES: Final = "files"
RELATIONS: Final = "relations"
META_FILE: Final = "meta.json"
CURRENT_FILE: Final = "current"

REBUILD_HINT: Final = "Run `kbtui index --rebuild` on the folder."


class Meta(BaseModel):
    """What a generation was made with. Another schema or vector space needs another generation."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int
    fingerprint: str
    dimension: int
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A row of ``files``.

    Attributes:
        stamp: Of the write that made its chunks and relations.
        recipe: Version of the code and settings that read and cut it.
        checked_ns: When its size and modification time were taken.
        error: Why it could not be read; such a row is no part of what readers see.
    """

    record: FileRecord
    stamp: str
    recipe: str
    checked_ns: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A row of ``chunks``, without its vector."""

    chunk: Chunk
    embed_hash: str
    stamp: str


def connect(generation: Path) -> Any:
    """The LanceDB database in ``generation``."""
    # Rust logs to standard error, over the screen. Read once, when the library loads.
    os.environ.setdefault("LANCEDB_LOG", "error")
    os.environ.setdefault("LANCE_LOG", "error")
    import lancedb

    return lancedb.connect(str(generation))


def create_tables(generation: Path, meta: Meta) -> None:
    """Empty tables in a new folder; ``meta.json`` comes last and makes it a generation."""
    generation.mkdir(parents=True)
    database = connect(generation)
    database.create_table(CHUNKS, schema=_chunk_schema(meta.dimension))
    database.create_table(FILES, schema=_file_schema())
    database.create_table(RELATIONS, schema=_relation_schema())
    write_text(generation / META_FILE, meta.model_dump_json(indent=2))


def read_meta(generation: Path) -> Meta | None:
    """None when ``generation`` was never finished or its mark is broken."""
    try:
        return Meta.model_validate_json((generation / META_FILE).read_bytes())
    except (OSError, ValidationError):
        return None


def current_generation(directory: Path) -> Path | None:
    """The generation that readers are to use, or None when there is none."""
    try:
        name = (directory / CURRENT_FILE).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    generation = directory / name
    return generation if name.startswith("g") and os.sep not in name and generation.is_dir() else None


def write_text(path: Path, text: str) -> None:
    """Replace ``path`` in one step."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_text(text, "utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


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


# Rows to tables -----------------------------------------------------------------------------------------------------


def chunk_table(rows: Sequence[ChunkRow], vectors: Vectors) -> pa.Table:
    """``rows`` with their ``vectors`` ``(len(rows), dimension)``."""
    import pyarrow as pa

    chunks = [row.chunk for row in rows]
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    return pa.table(
        {
            "path": [chunk.path for chunk in chunks],
            "start_line": [chunk.start_line for chunk in chunks],
            "end_line": [chunk.end_line for chunk in chunks],
            "text": [chunk.text for chunk in chunks],
            "title": [chunk.title for chunk in chunks],
            "heading_path": [list(chunk.heading_path) for chunk in chunks],
            "kind": [chunk.kind for chunk in chunks],
            "embed_hash": [row.embed_hash for row in rows],
            "stamp": [row.stamp for row in rows],
            "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
        },
        schema=_chunk_schema(vectors.shape[1]),
    )


def file_table(files: Iterable[StoredFile]) -> pa.Table:
    """``files`` as rows."""
    import pyarrow as pa

    rows = [
        {field.name: getattr(file.record, field.name) for field in fields(FileRecord)}
        | {"stamp": file.stamp, "recipe": file.recipe, "checked_ns": file.checked_ns, "error": file.error}
        for file in files
    ]
    return pa.Table.from_pylist(rows, schema=_file_schema())


def relation_table(relations: Sequence[Relation], stamps: Sequence[str]) -> pa.Table:
    """``relations`` as rows, each with the stamp of its file."""
    import pyarrow as pa

    rows = [
        {field.name: getattr(relation, field.name) for field in fields(Relation)} | {"stamp": stamp}
        for relation, stamp in zip(relations, stamps, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=_relation_schema())


# Tables to rows -----------------------------------------------------------------------------------------------------


def stored_files(table: pa.Table) -> list[StoredFile]:
    """Rows of ``files``.

    Raises:
        ValueError: A value is not what was written.
    """
    names = [field.name for field in fields(FileRecord)]
    kinds = get_args(DocumentKind)
    result = []
    for row in table.to_pylist():
        values = {name: row[name] for name in names}
        values["labels"] = tuple(values["labels"])
        if values["kind"] not in kinds:
            raise ValueError(f"unknown kind {values['kind']!r}")
        result.append(
            StoredFile(
                record=FileRecord(**values),
                stamp=row["stamp"],
                recipe=row["recipe"],
                checked_ns=row["checked_ns"],
                error=row["error"],
            )
        )
    return result


def chunks_of(table: pa.Table) -> list[Chunk]:
    """Rows of ``chunks`` as values; the vector column, if any, is ignored."""
    columns = [table[field.name].to_pylist() for field in fields(Chunk)]
    return [
        Chunk(
            path=path,
            start_line=start_line,
            end_line=end_line,
            text=text,
            title=title,
            heading_path=tuple(heading_path),
            kind=kind,
        )
        for path, start_line, end_line, text, title, heading_path, kind in zip(*columns, strict=True)
    ]


def relations_of(table: pa.Table) -> list[Relation]:
    """Rows of ``relations`` as values."""
    names = [field.name for field in fields(Relation)]
    columns = [table[name].to_pylist() for name in names]
    return [Relation(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]


def vectors_of(table: pa.Table) -> Vectors:
    """The vector column as one ``(rows, dimension)`` matrix.

    Raises:
        ValueError: Some of them are missing.
    """
    column = table["vector"]
    dimension = column.type.list_size
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    flat: npt.NDArray[np.float32] = np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)
    matrix = flat.reshape(-1, dimension)
    if len(matrix) != table.num_rows:
        raise ValueError("vectors are missing")
    return matrix


# Schemas ------------------------------------------------------------------------------------------------------------


def _chunk_schema(dimension: int) -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("path", pa.string()),
            ("start_line", pa.int32()),
            ("end_line", pa.int32()),
            ("text", pa.string()),
            ("title", pa.string()),
            ("heading_path", pa.list_(pa.string())),
            ("kind", pa.string()),
            ("embed_hash", pa.string()),
            ("stamp", pa.string()),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def _file_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("path", pa.string()),
            ("kind", pa.string()),
            ("title", pa.string()),
            ("language", pa.string()),
            ("encoding", pa.string()),
            ("labels", pa.list_(pa.string())),
            ("summary", pa.string()),
            ("summary_line", pa.int32()),
            ("line_count", pa.int32()),
            ("chunk_count", pa.int32()),
            ("sha256", pa.string()),
            ("size", pa.int64()),
            ("mtime_ns", pa.int64()),
            ("stamp", pa.string()),
            ("recipe", pa.string()),
            ("checked_ns", pa.int64()),
            ("error", pa.string()),
        ]
    )


def _relation_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("source_path", pa.string()),
            ("relation", pa.string()),
            ("target", pa.string()),
            ("target_path", pa.string()),
            ("line", pa.int32()),
            ("text", pa.string()),
            ("stamp", pa.string()),
        ]
    )
