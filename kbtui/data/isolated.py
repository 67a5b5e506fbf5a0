"""Database files and files of data as sources; every call runs in a disposable worker (`kbtui.data.jobs`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from kbtui.data.batches import run_in_order
from kbtui.data.jobs import (
    EXPLAIN,
    FINGERPRINT,
    LOAD,
    RUN,
    RUN_EACH,
    SCHEMA,
    Batch,
    Kind,
    SchemaRequest,
    Source,
    Statement,
)
from kbtui.data.watch import MAX_SLOWDOWN, timeout_error
from kbtui.domain.analysis import Limits, ResultTable, Schema, SchemaLevel
from kbtui.domain.cancel import CancelToken
from kbtui.errors import Cancelled, DataSourceError
from kbtui.settings import paths
from kbtui.worker import Allowance, Job, WorkerCrashed, WorkerError, WorkerOutOfMemory, WorkerPool, WorkerTimedOut

Request = TypeVar("Request")
Response = TypeVar("Response")

_JOBS: Final = "kbtui.data.jobs"
_MAX_FILE_BYTES: Final = 64 << 30
"""Bytes of one file that DuckDB may write: the copy of a file of data, and what does not fit into memory."""
_SQLITE: Final = WorkerPool("sqlite", Allowance(memory=1 << 30), [_JOBS, "kbtui.data.sqlite"])
_DUCKDB: Final = WorkerPool(
    "duckdb", Allowance(memory=3 << 30, writes=_MAX_FILE_BYTES), [_JOBS, "kbtui.data.files", "duckdb"]
)
_STORAGE: Final = WorkerPool(
    "storage",
    Allowance(memory=3 << 30, writes=_MAX_FILE_BYTES, environment=("AWS_",)),
    [_JOBS, "kbtui.data.datasets", "duckdb", "pyarrow.dataset"],
)
"""Reads object storage; its environment has the keys of that only."""
_POOLS: Final[dict[Kind, WorkerPool]] = {
    "sqlite": _SQLITE,
    "duckdb": _DUCKDB,
    "file": _DUCKDB,
    "folder": _DUCKDB,
    "storage": _STORAGE,
}

_CATALOGUE_S: Final = 60.0
_LOAD_S: Final = 1800.0
_GRACE_S: Final = 1.0
"""Seconds after the time limit of a statement until its process is killed; engines mostly stop by themselves."""


class IsolatedSource:
    """A database file or a file of data as a `QuerySource`; any thread may ask.

    Args:
        kind: What reads the file.
        name: What it goes by.
        path: The file or folder, or an address on object storage.
        guard: Given every statement before it runs; returns it as it may run, or raises DataSourceError.
    """

    def __init__(self, kind: Kind, name: str, path: Path | str, guard: Callable[[str, str], str] | None = None) -> None:
        self.name = name
        self.dialect = "sqlite" if kind == "sqlite" else "duckdb"
        self._shown = path if isinstance(path, str) else path.name
        self._guard = guard
        self._source = Source(kind, name, os.fsencode(path), os.fsencode(paths.cache_dir()))
        self._pool = _POOLS[kind]
        self._closed = CancelToken()
        self._pool.warm()

    @property
    def is_loaded(self) -> bool:
        """Whether it is a file of data, which is loaded into a database first."""
        return self._source.kind == "file"

    def fingerprint(self) -> str:
        """See `QuerySource`."""
        return self._call(FINGERPRINT, self._source, _CATALOGUE_S)

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`."""
        self._load(None)
        request = SchemaRequest(self._source, level, None if table_names is None else tuple(table_names))
        return self._call(SCHEMA, request, _CATALOGUE_S)

    def run(self, sql: str, limits: Limits, cancel: CancelToken) -> ResultTable:
        """See `QuerySource`."""
        sql = self._guarded(sql)
        cancel.check()
        self._load(cancel)
        try:
            return self._call(RUN, Statement(self._source, sql, limits), limits.seconds + _GRACE_S, cancel)
        except WorkerTimedOut as error:
            raise timeout_error(self.name, limits) from error

    def run_each(
        self, statements: Sequence[str], limits: Limits, *, seconds: float, enough: int = 0
    ) -> list[ResultTable | None]:
        """See `QuerySource`: in one call of the worker."""
        self._load(None)
        checked = run_in_order(self._guarded, statements, seconds=seconds, enough=len(statements))
        places = [place for place, sql in enumerate(checked) if sql is not None]
        batch = Batch(self._source, tuple(sql for sql in checked if sql is not None), limits, seconds, enough)
        results: list[ResultTable | None] = [None] * len(statements)
        try:
            longest = MAX_SLOWDOWN * (max(0.0, seconds) + max(1, enough) * limits.seconds)
            tables = self._call(RUN_EACH, batch, longest + _GRACE_S)
        except WorkerTimedOut as error:
            raise timeout_error(self.name, limits) from error
        for place, table in zip(places, tables, strict=False):
            results[place] = table
        return results[: places[len(tables)]] if len(tables) < len(places) else results

    def _guarded(self, sql: str) -> str:
        return self._guard(sql, self.dialect) if self._guard else sql

    def explain(self, sql: str) -> None:
        """See `QuerySource`."""
        sql = self._guarded(sql)
        self._load(None)
        self._call(EXPLAIN, Statement(self._source, sql), _CATALOGUE_S)

    def close(self) -> None:
        """Stop all running calls."""
        self._closed.cancel()

    def _load(self, cancel: CancelToken | None) -> None:
        """Load a file of data first, which may take minutes and does not count for the time limit of a statement."""
        if not self.is_loaded:
            return
        try:
            self._call(LOAD, self._source, _LOAD_S, cancel)
        except (Cancelled, DataSourceError):
            from kbtui.data.files import FileSource

            file = self._source.open()
            if isinstance(file, FileSource):
                file.clean()
            raise

    def _call(
        self, job: Job[Request, Response], request: Request, seconds: float, cancel: CancelToken | None = None
    ) -> Response:
        try:
            return self._pool.call(job, request, seconds=seconds, cancel=either_token(cancel, self._closed))
        except WorkerTimedOut:
            if job is RUN or job is RUN_EACH:
                raise
            raise DataSourceError(
                f"{self._shown} could not be read within {seconds:g} s.",
                "Is it on a slow or broken disk, or storage that answers slowly?",
            ) from None
        except WorkerOutOfMemory as error:
            needs = "the statement needs" if job in (RUN, RUN_EACH, EXPLAIN) else f"reading {self._shown} takes"
            raise DataSourceError(
                f"{self.name}: {needs} more memory than it may have, and was stopped.",
                "Ask for less, or narrow it down.",
            ) from error
        except WorkerCrashed as error:
            raise DataSourceError(
                f"{self._shown} cannot be read: {error.message.removesuffix('.')}.",
                "Is it damaged? Restore it from a copy.",
            ) from error
        except WorkerError as error:
            raise DataSourceError(f"{self.name}: {error.message}", "Ask in other words.") from error


def either_token(first: CancelToken | None, second: CancelToken) -> CancelToken:
    return second if first is None else _EitherToken(first, second)


class _EitherToken(CancelToken):
    def __init__(self, *tokens: CancelToken) -> None:
        super().__init__()
        self._tokens = tokens

    @property
    def cancelled(self) -> bool:
        return any(token.cancelled for token in self._tokens)

    def check(self) -> None:
        for token in self._tokens:
            token.check()
