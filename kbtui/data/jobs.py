"""What a worker does with files of data: the sources of this room, called in a process that the kernel limits.

The engines are native code that no limit inside the process stops: one expression of DuckDB runs or allocates past its
own limits. So each call runs in a worker; `kbtui.data.isolated` is the other side.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, assert_never

import msgspec

from kbtui.domain.analysis import Limits, QuerySource, ResultTable, Schema, SchemaLevel
from kbtui.domain.cancel import CancelToken
from kbtui.worker import Job

Kind = Literal["sqlite", "duckdb", "file", "folder", "storage"]

_LARGEST: Final = 256 << 20
"""Bytes of rows."""


class Source(msgspec.Struct, frozen=True):
    """Which file, what reads it, and the cache folder; paths are bytes, because they need not be text.

    ``path`` of a ``storage`` is an address on object storage.
    """

    kind: Kind
    name: str
    path: bytes
    cache: bytes

    @lru_cache(maxsize=8)  # noqa: B019 - it is a value of a worker, whose sources are few
    def open(self) -> QuerySource:
        """The source, the same for every call of the worker; nothing is read yet."""
        path, cache = Path(os.fsdecode(self.path)), Path(os.fsdecode(self.cache))
        match self.kind:
            case "sqlite":
                from kbtui.data.sqlite import SqliteSource

                return SqliteSource(self.name, path)
            case "duckdb":
                from kbtui.data.duckdb import DuckDbSource

                return DuckDbSource(self.name, path, cache)
            case "file":
                from kbtui.data.files import FileSource

                return FileSource(self.name, path, cache)
            case "folder" | "storage":
                from kbtui.data.datasets import DatasetSource

                return DatasetSource(self.name, os.fsdecode(self.path), cache)
        assert_never(self.kind)


class SchemaRequest(msgspec.Struct, frozen=True):
    source: Source
    level: SchemaLevel
    tables: tuple[str, ...] | None


class Statement(msgspec.Struct, frozen=True):
    source: Source
    sql: str
    limits: Limits = Limits()


class Batch(msgspec.Struct, frozen=True):
    """Statements for `QuerySource.run_each`."""

    source: Source
    statements: tuple[str, ...]
    limits: Limits
    seconds: float
    enough: int


def _load(source: Source) -> None:
    from kbtui.data.files import FileSource

    opened = source.open()
    if isinstance(opened, FileSource):
        opened.load()


FINGERPRINT: Final = Job[Source, str](
    lambda source: source.open().fingerprint(), name=f"{__name__}:FINGERPRINT", request=Source, response=str
)
LOAD: Final = Job(_load, name=f"{__name__}:LOAD", request=Source, response=None)
SCHEMA: Final = Job[SchemaRequest, Schema](
    lambda request: request.source.open().schema(request.level, request.tables),
    name=f"{__name__}:SCHEMA",
    request=SchemaRequest,
    response=Schema,
)
RUN: Final = Job[Statement, ResultTable](
    lambda statement: statement.source.open().run(statement.sql, statement.limits, CancelToken()),
    name=f"{__name__}:RUN",
    request=Statement,
    response=ResultTable,
    largest=_LARGEST,
)
RUN_EACH: Final = Job[Batch, list[ResultTable | None]](
    lambda batch: batch.source.open().run_each(
        batch.statements, batch.limits, seconds=batch.seconds, enough=batch.enough
    ),
    name=f"{__name__}:RUN_EACH",
    request=Batch,
    response=list[ResultTable | None],
    largest=_LARGEST,
)
EXPLAIN: Final = Job[Statement, None](
    lambda statement: statement.source.open().explain(statement.sql),
    name=f"{__name__}:EXPLAIN",
    request=Statement,
    response=None,
)
