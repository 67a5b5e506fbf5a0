"""Folders of Parquet files and Iceberg tables, local or on object storage: DuckDB scans Arrow datasets of them.

Nothing is loaded in advance. Conditions on folders (``year=2024``) exclude files, other conditions exclude row groups
by the statistics in the files, and only the needed columns are read. The engine itself accesses neither files nor
network: it gets Arrow datasets, which have the listed files.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from kbtui.data.dataset_files import (
    STORAGE,
    ColumnReader,
    DatasetTable,
    file_system,
    list_dataset,
    split_tables,
    unreadable_error,
)
from kbtui.data.duckdb import LOCKED_SETTINGS, DuckDbSource
from kbtui.data.iceberg import iceberg_dataset
from kbtui.data.loading import table_name
from kbtui.data.reflection import free_name, quoted
from kbtui.domain.analysis import Schema, SchemaLevel
from kbtui.errors import DataSourceError, KbtuiError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LISTING_TTL_S: Final = 30.0
_LISTING_TTL_FACTOR: Final = 10
"""A listing is valid for `_LISTING_TTL_S`, or for this many times its own duration if that is longer."""
_MAX_INSPECTED: Final = 16
"""Files whose schema and row count are read, at most; others are assumed to be alike."""


class _OpenDataset(NamedTuple):
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
        self._dataset: _OpenDataset | None = None

    def fingerprint(self) -> str:
        """See `QuerySource`: a hash over tables and columns."""
        return self._open_dataset().key

    def schema(self, level: SchemaLevel, table_names: Sequence[str] | None = None) -> Schema:
        """See `QuerySource`: what the engine has as views are tables, with about as many rows as their size tells."""
        described = super().schema(level, table_names)
        rows = self._open_dataset().rows
        tables = tuple(replace(table, is_view=False, row_estimate=rows.get(table.name)) for table in described.tables)
        return replace(described, tables=tables)

    def close(self) -> None:
        """Close the connection."""
        opened, self._dataset = self._dataset, None
        if opened is not None:
            opened.connection.close()

    def _fingerprint(self, connection: DuckDBPyConnection) -> str:  # noqa: ARG002 (known since it was opened)
        return self._open_dataset().key

    @contextmanager
    def _connection(self) -> Iterator[DuckDBPyConnection]:
        import duckdb

        try:
            # Datasets are registered with one connection, which is therefore reused.
            yield self._open_dataset().connection
        except (duckdb.Error, OSError) as error:
            if isinstance(error, duckdb.IOException | OSError | duckdb.InvalidInputException):
                # A listed file may have been deleted.
                self.close()
            raise self._translate_error(error) from error

    def _translate_error(self, error: BaseException) -> DataSourceError:
        if isinstance(error, OSError) or "Parquet" in str(error) or "IOError" in str(error) or "AWS" in str(error):
            return unreadable_error(self._location, error)
        return super()._translate_error(error)

    def _open_dataset(self) -> _OpenDataset:
        if self._dataset is None or time.monotonic() > self._dataset.until:
            self.close()
            self._dataset = self._open_files()
        return self._dataset

    def _open_files(self) -> _OpenDataset:
        import duckdb
        from pyarrow import ArrowException

        began = time.monotonic()
        connection = duckdb.connect(
            config={
                **{name: value for name, value in LOCKED_SETTINGS.items() if name != "lock_configuration"},
                "temp_directory": str(self._cache / "spill"),
            }
        )
        try:
            files, place = file_system(self._location)
            rows: dict[str, int] = {}
            schemas: list[tuple[str, str]] = []
            for number, (name, dataset, count) in enumerate(self._tables(files, place)):
                # A registered dataset is temporary and not in the catalogue, so it gets a view.
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
            raise unreadable_error(self._location, error) from error
        ended = time.monotonic()
        key = hashlib.sha256(repr(schemas).encode()).hexdigest()[:16]
        return _OpenDataset(connection, key, rows, ended + max(_LISTING_TTL_S, _LISTING_TTL_FACTOR * (ended - began)))

    def _tables(self, files: Any, place: str) -> Iterator[tuple[str, Any, int]]:
        """Names, datasets and numbers of rows of the tables."""
        listing = list_dataset(files, place, self._location)
        own = table_name(self._path.name) or "data"
        taken: set[str] = set()
        for base, metadata in listing.tables.items():
            name = free_name(table_name(base.replace("/", "_")) or own, taken)
            yield name, *iceberg_dataset(files, place, base, metadata)
        for part in split_tables(own, listing.files, ColumnReader(files, place), taken):
            yield part.name, *_dataset(files, place, part)


def _dataset(files: Any, place: str, part: DatasetTable) -> tuple[Any, int]:
    """The files of a table as one dataset, and its approximate number of rows.

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
        joined = factory.finish(factory.inspect(promote_options="permissive", fragments=_MAX_INSPECTED))
    except (pyarrow.ArrowTypeError, pyarrow.ArrowInvalid) as error:
        if "Could not read schema" in str(error):
            raise unreadable_error(part.name, error) from error
        raise DataSourceError(
            f"The files of {part.name} do not go together: {one_line(str(error), 200)}.",
            "Give the folder of files with the same columns.",
        ) from error
    sizes = {f"{place}/{file.path}": file.size for file in part.files}
    inspected = [fragment for fragment, _ in zip(joined.get_fragments(), range(_MAX_INSPECTED), strict=False)]
    rows = sum(fragment.metadata.num_rows for fragment in inspected)
    inspected_size = sum(sizes.get(fragment.path, 0) for fragment in inspected)
    return joined, rows if len(inspected) == len(part.files) else round(rows * part.size / max(1, inspected_size))
