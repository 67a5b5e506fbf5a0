"""Folders of Parquet files and tables of Iceberg, here or on object storage: DuckDB scans what Arrow reads of them.

Nothing is loaded beforehand. Of a statement's conditions those on folders (``year=2024``) leave out files, the others
leave out groups of rows by the statistics in the files, and columns that are not asked for are not read. The engine
itself reaches no file and no network: it is given Arrow's datasets, which hold the files that were listed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from kbtui.data.dataset_files import STORAGE, ColumnsOf, Part, file_system, listed, parts_of, unreadable
from kbtui.data.duckdb import LOCKED, DuckDbSource
from kbtui.data.iceberg import iceberg_dataset
from kbtui.data.loading import table_name
from kbtui.data.reflection import free_name, quoted
from kbtui.domain.analysis import Schema, SchemaLevel
from kbtui.errors import DataSourceError, KbtuiError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LISTED_S: Final = 30.0
_TIMES: Final = 10
"""Files that came since are seen after the one, or after so many times what it took to list them."""
_INSPECTED: Final = 16
"""Files whose columns and rows are looked at; the others are taken to be like them."""


class _Opened(NamedTuple):
    connection: Any
    key: str
    rows: dict[str, int]
    until: float


class DatasetSource(DuckDbSource):
    """Parquet files as a `QuerySource`; used by one thread at a time, in a worker.

    Args:
        name: What it goes by.
        location: A folder, or ``s3://bucket/prefix``.
        cache: Folder for what does not fit into memory.
    """

    def __init__(self, name: str, location: str, cache: Path) -> None:
        shown = PurePosixPath(location.removeprefix(STORAGE).rstrip("/"))
        super().__init__(name, Path(shown), cache)
        self._location = location.rstrip("/")
        self._opened: _Opened | None = None

    def fingerprint(self) -> str:
        """See `QuerySource`: a hash over tables and columns."""
        return self._current().key

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`: what the engine has as views are tables, with about as many rows as their size tells."""
        found = super().schema(level, table_names)
        rows = self._current().rows
        tables = tuple(replace(table, is_view=False, row_estimate=rows.get(table.name)) for table in found.tables)
        return replace(found, tables=tables)

    def close(self) -> None:
        """Let go of the files."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.connection.close()

    def _fingerprint(self, connection: DuckDBPyConnection) -> str:  # noqa: ARG002 (known since it was opened)
        return self._current().key

    @contextmanager
    def _connection(self) -> Iterator[DuckDBPyConnection]:
        import duckdb

        try:
            # What is registered belongs to one connection, so that is kept.
            yield self._current().connection
        except (duckdb.Error, OSError) as error:
            if isinstance(error, duckdb.IOException | OSError | duckdb.InvalidInputException):
                # A file that was listed may be gone.
                self.close()
            raise self._said(error) from error

    def _said(self, error: BaseException) -> DataSourceError:
        if isinstance(error, OSError) or "Parquet" in str(error) or "IOError" in str(error) or "AWS" in str(error):
            return unreadable(self._location, error)
        return super()._said(error)

    def _current(self) -> _Opened:
        if self._opened is None or time.monotonic() > self._opened.until:
            self.close()
            self._opened = self._open_files()
        return self._opened

    def _open_files(self) -> _Opened:
        import duckdb
        from pyarrow import ArrowException

        began = time.monotonic()
        connection = duckdb.connect(
            config={
                **{name: value for name, value in LOCKED.items() if name != "lock_configuration"},
                "temp_directory": str(self._cache / "spill"),
            }
        )
        try:
            files, place = file_system(self._location)
            rows: dict[str, int] = {}
            schemas: list[tuple[str, str]] = []
            for number, (name, dataset, count) in enumerate(self._tables(files, place)):
                # A view of what is registered, which itself is temporary and not listed.
                connection.register(f"kbtui dataset {number}", dataset)
                connection.execute(f"CREATE VIEW {quoted(name)} AS FROM {quoted(f'kbtui dataset {number}')}")
                schemas.append((name, str(dataset.schema)))
                rows[name] = count
            connection.execute("SET lock_configuration = true")
        except KbtuiError:
            connection.close()
            raise
        except (duckdb.Error, ArrowException, OSError) as error:
            connection.close()
            raise unreadable(self._location, error) from error
        ended = time.monotonic()
        key = hashlib.sha256(repr(schemas).encode()).hexdigest()[:16]
        return _Opened(connection, key, rows, ended + max(_LISTED_S, _TIMES * (ended - began)))

    def _tables(self, files: Any, place: str) -> Iterator[tuple[str, Any, int]]:
        """Names, datasets and numbers of rows of the tables."""
        found = listed(files, place, self._location)
        own = table_name(self._path.name) or "data"
        taken: set[str] = set()
        for base, metadata in found.tables.items():
            name = free_name(table_name(base.replace("/", "_")) or own, taken)
            yield name, *iceberg_dataset(files, place, base, metadata)
        for part in parts_of(own, found.files, ColumnsOf(files, place), taken):
            yield part.name, *_dataset(files, place, part)


def _dataset(files: Any, place: str, part: Part) -> tuple[Any, int]:
    """The files of a table as one dataset, and about how many rows it has.

    Raises:
        DataSourceError: The columns of its files do not go together.
    """
    import pyarrow
    from pyarrow import dataset

    base = f"{place}/{part.base}" if part.base else place
    factory = dataset.FileSystemDatasetFactory(
        files,
        [f"{place}/{file.path}" for file in part.files],
        dataset.ParquetFileFormat(),
        dataset.FileSystemFactoryOptions(
            partition_base_dir=base, partitioning=dataset.HivePartitioning.discover(segment_encoding="uri")
        ),
    )
    try:
        found = factory.finish(factory.inspect(promote_options="permissive", fragments=_INSPECTED))
    except (pyarrow.ArrowTypeError, pyarrow.ArrowInvalid) as error:
        if "Could not read schema" in str(error):
            raise unreadable(part.name, error) from error
        raise DataSourceError(
            f"The files of {part.name} do not go together: {one_line(str(error), 200)}.",
            "Give the folder of files with the same columns.",
        ) from error
    sizes = {f"{place}/{file.path}": file.size for file in part.files}
    looked = [fragment for fragment, _ in zip(found.get_fragments(), range(_INSPECTED), strict=False)]
    rows = sum(fragment.metadata.num_rows for fragment in looked)
    seen = sum(sizes.get(fragment.path, 0) for fragment in looked)
    return found, rows if len(looked) == len(part.files) else round(rows * part.size / max(1, seen))
