"""The rows of the tables of the index, their schemas, and conversions from and to values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from kbtui.domain.document import Chunk, DocumentKind, FileRecord, Relation
from kbtui.knowledge.embedding.port import Vectors

if TYPE_CHECKING:
    import pyarrow as pa

Keys = npt.NDArray[np.int64]
"""The key of each embedded text."""

TERMS: Final = "terms"
CHUNK_COLUMNS: Final = list(Chunk.__struct_fields__)
_REPETITIVE: Final = frozenset(
    {"kind", "language", "encoding", "recipe", "source_path", "relation", "target", "target_path", "text"}
)
"""Columns of files and relations in which most texts stand several times."""


class StoredFile(Struct, frozen=True, kw_only=True):
    """A row of ``files``.

    Attributes:
        stamp: Stamp of the write of its chunks and relations.
        recipe: Version of the code and settings that read and cut it.
        checked_ns: Time at which its size and modification time were read.
        error: Why it could not be read; such a row is invisible to searches.
    """

    record: FileRecord
    stamp: str
    recipe: str
    checked_ns: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A row of ``chunks``.

    Attributes:
        embed_key: Key of the vector of its text, which may not exist yet.
        terms: Its terms for the full-text index, joined by spaces.
        stamp: Stamp of the write that it belongs to.
    """

    chunk: Chunk
    embed_key: int
    terms: str
    stamp: str


# Rows to tables -----------------------------------------------------------------------------------------------------


def chunk_table(rows: Sequence[ChunkRow]) -> pa.Table:
    """``rows`` as a table."""
    import pyarrow as pa

    chunks = [row.chunk for row in rows]
    columns = {name: [getattr(chunk, name) for chunk in chunks] for name in CHUNK_COLUMNS}
    further_columns = {name: [getattr(row, name) for row in rows] for name in (TERMS, "embed_key", "stamp")}
    return pa.table(columns | further_columns, schema=chunk_schema())


def vector_table(keys: Sequence[int] | Keys, vectors: Vectors, windows: Sequence[bytes]) -> pa.Table:
    """``vectors`` ``(len(keys), dimension)`` as rows, each with its packed windows (``windows.pack_windows``)."""
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    return pa.table(
        {
            "key": pa.array(keys, type=pa.int64()),
            "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
            "windows": pa.array(windows, type=pa.binary()),
        },
        schema=vector_schema(vectors.shape[1]),
    )


def file_table(files: Iterable[StoredFile]) -> pa.Table:
    """``files`` as rows."""
    import pyarrow as pa

    rows = [
        {name: getattr(file.record, name) for name in FileRecord.__struct_fields__}
        | {"stamp": file.stamp, "recipe": file.recipe, "checked_ns": file.checked_ns, "error": file.error}
        for file in files
    ]
    return pa.Table.from_pylist(rows, schema=file_schema())


def relation_table(relations: Sequence[Relation], stamps: Sequence[str]) -> pa.Table:
    """``relations`` as rows, each with the stamp of its file."""
    import pyarrow as pa

    rows = [
        {name: getattr(relation, name) for name in Relation.__struct_fields__} | {"stamp": stamp}
        for relation, stamp in zip(relations, stamps, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=relation_schema())


# Tables to rows -----------------------------------------------------------------------------------------------------


def stored_files(table: pa.Table) -> list[StoredFile]:
    """Rows of ``files`` as values.

    Raises:
        ValueError: A value is not valid.
    """
    kinds = set(get_args(DocumentKind))
    names = list(FileRecord.__struct_fields__)
    columns = {name: _values(table, name) for name in names}
    columns["labels"] = [tuple(labels) for labels in columns["labels"]]
    if unknown := set(columns["kind"]) - kinds:
        raise ValueError(f"unknown kinds {unknown!r}")
    return [
        StoredFile(
            record=FileRecord(**dict(zip(names, values, strict=True))),
            stamp=stamp,
            recipe=recipe,
            checked_ns=checked_ns,
            error=error,
        )
        for values, stamp, recipe, checked_ns, error in zip(
            zip(*columns.values(), strict=True),
            *(_values(table, name) for name in ("stamp", "recipe", "checked_ns", "error")),
            strict=True,
        )
    ]


def chunks_of(table: pa.Table) -> list[Chunk]:
    """Rows of ``chunks`` as values; other columns are ignored."""
    columns = [table[name].to_pylist() for name in CHUNK_COLUMNS]
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
    names = list(Relation.__struct_fields__)
    columns = [_values(table, name) for name in names]
    return [Relation(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]


def _values(table: pa.Table, name: str) -> list[Any]:
    """The values of a column; of a repetitive one equal texts are one object, which saves most of their memory."""
    column = table[name]
    if name not in _REPETITIVE or column.null_count:
        values: list[Any] = column.to_pylist()
        return values
    encoded = column.combine_chunks().dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    return [texts[place] for place in encoded.indices.to_numpy().tolist()]


def vectors_of(table: pa.Table) -> Vectors:
    """The vector column as one ``(rows, dimension)`` matrix.

    Raises:
        ValueError: A vector is missing.
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


def _schema(columns: str) -> pa.Schema:
    """A schema from column names, each followed by a colon and its type where that is not text."""
    import pyarrow as pa

    types = {"": pa.string(), "int32": pa.int32(), "int64": pa.int64(), "texts": pa.list_(pa.string())}
    parts = (column.partition(":") for column in columns.split())
    return pa.schema([(name, types[kind]) for name, _, kind in parts])


def chunk_schema() -> pa.Schema:
    """Columns of ``chunks``."""
    return _schema(
        f"path start_line:int32 end_line:int32 text title heading_path:texts kind {TERMS} embed_key:int64 stamp"
    )


def vector_schema(dimension: int) -> pa.Schema:
    """Columns of ``vectors``."""
    import pyarrow as pa

    return pa.schema([("key", pa.int64()), ("vector", pa.list_(pa.float32(), dimension)), ("windows", pa.binary())])


def file_schema() -> pa.Schema:
    """Columns of ``files``."""
    return _schema(
        "path kind title language encoding labels:texts summary summary_line:int32 line_count:int32 chunk_count:int32 "
        "sha256 size:int64 mtime_ns:int64 stamp recipe checked_ns:int64 error"
    )


def relation_schema() -> pa.Schema:
    """Columns of ``relations``."""
    return _schema("source_path relation target target_path line:int32 text stamp")
