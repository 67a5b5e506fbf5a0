"""Lists the Parquet files of a folder or a prefix on object storage, and groups them into tables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kbtui.data.iceberg import newest_metadata
from kbtui.data.loading import table_name
from kbtui.data.reflection import free_name
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

STORAGE: Final = "s3://"
_MAX_FILES: Final = 200_000
_MAX_COMPARED: Final = 64
"""Files of a folder, at most, for which differing columns make each a table of its own."""
_PARTITION: Final = re.compile(r"[^=/]+=[^/]*")
_CONNECT_S: Final = 5
_REQUEST_S: Final = 30


class DataFile(NamedTuple):
    """A Parquet file: its path relative to the dataset, and its size in bytes."""

    path: str
    size: int


class DatasetTable(NamedTuple):
    """The files of a table. Below the folder ``base`` the names of folders are values of columns."""

    name: str
    base: str
    files: tuple[DataFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def file_system(location: str) -> tuple[FileSystem, str]:
    """The file system of ``location``, and the path in it.

    Raises:
        DataSourceError: The region of the bucket cannot be found out.
    """
    from pyarrow import fs

    if not location.startswith(STORAGE):
        return fs.LocalFileSystem(), str(Path(location).resolve())
    place = location.removeprefix(STORAGE).strip("/")
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    try:
        if not region and not endpoint:
            region = fs.resolve_s3_region(place.partition("/")[0])
        return (
            fs.S3FileSystem(
                region=region,
                endpoint_override=endpoint,
                connect_timeout=_CONNECT_S,
                request_timeout=_REQUEST_S,
                retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=3),
            ),
            place,
        )
    except OSError as error:
        raise unreadable_error(location, error) from error


class Listing(NamedTuple):
    """Parquet files in the order of their names, and by its folder the newest metadata of each table of Iceberg."""

    files: list[DataFile]
    tables: dict[str, str]


def list_dataset(files: FileSystem, place: str, location: str) -> Listing:
    """The files below ``place``, without those of Iceberg tables, which only their metadata name.

    Raises:
        DataSourceError: There are none or too many, they belong to a table of another kind, or nothing can be listed.
    """
    data_files: list[DataFile] = []
    metadata: list[str] = []
    try:
        for path, size in _files_below(files, place):
            parts = PurePosixPath(path).parts
            if "_delta_log" in parts:
                raise DataSourceError(
                    f"{location} is a table of Delta Lake; some of its files hold rows that were deleted.",
                    "Ask it through a Spark server: --data sc://HOST.",
                )
            if path.endswith(".metadata.json"):
                metadata.append(path)
            if path.lower().endswith(".parquet") and not any(part.startswith(("_", ".")) for part in parts):
                data_files.append(DataFile(path, size))
            if len(data_files) > _MAX_FILES:
                raise DataSourceError(
                    f"There are more than {_MAX_FILES:,} Parquet files in {location}.",
                    "Name a folder within it, or ask them through a Spark server: --data sc://HOST.",
                )
    except OSError as error:
        raise unreadable_error(location, error) from error
    tables = newest_metadata(metadata)
    data_files = [
        file for file in data_files if not any(file.path.startswith(f"{base}/" if base else "") for base in tables)
    ]
    if not data_files and not tables:
        raise _no_files_error(location)
    return Listing(sorted(data_files), tables)


def _no_files_error(location: str) -> DataSourceError:
    return DataSourceError(f"There are no Parquet files in {location}.", "Check the path, and its spelling.")


def unreadable_error(location: str, error: BaseException) -> DataSourceError:
    """The error for a dataset that cannot be read, by the text of the cause."""
    message = one_line(str(error).split("\n", 1)[0], 300).rstrip(".")
    if "NO_SUCH_BUCKET" in message or "NoSuchBucket" in message or "Bucket '" in message:
        return DataSourceError(f"There is no bucket for {location}.", "Check its name and region (AWS_REGION).")
    if isinstance(error, FileNotFoundError):
        return _no_files_error(location)
    if any(word in message for word in ("ACCESS_DENIED", "AccessDenied", "Forbidden", "InvalidAccessKey", "403")):
        return DataSourceError(
            f"{location} may not be read with these credentials.",
            "They come from the environment (AWS_ACCESS_KEY_ID, AWS_PROFILE), ~/.aws or the machine's role.",
        )
    if any(word in message for word in ("NETWORK_CONNECTION", "Couldn't connect", "resolve host", "imed out")):
        return DataSourceError(
            f"{location} cannot be reached.", "Check the network, AWS_REGION, and AWS_ENDPOINT_URL where it is set."
        )
    return DataSourceError(f"{location} cannot be read: {message}.", "Are all of its files sound?")


def split_tables(name: str, files: Sequence[DataFile], columns: ColumnReader, taken: set[str]) -> list[DatasetTable]:
    """The tables of files: the files below one folder are a table, partition folders (``year=2024``) not counted.

    Files of one folder with differing columns are a table each.

    Args:
        name: Name of the table of files outside of folders.
        columns: Returns the column names of a file.
        taken: Names of other tables, in lower case.
    """
    folders: dict[str, list[DataFile]] = {}
    for file in files:
        above = PurePosixPath(file.path).parent.parts
        keyed = next((at for at, part in enumerate(above) if _PARTITION.fullmatch(part)), len(above))
        folders.setdefault("/".join(above[:keyed]), []).append(file)
    dataset_tables: list[DatasetTable] = []
    for base, own in folders.items():
        plain = [file for file in own if "/" not in file.path.removeprefix(f"{base}/" if base else "")]
        if len(plain) == len(own) and 1 < len(own) <= _MAX_COMPARED and len({columns(file) for file in own}) > 1:
            for file in own:
                stem = table_name(PurePosixPath(file.path).stem) or "data"
                dataset_tables.append(DatasetTable(free_name(stem, taken), base, (file,)))
        else:
            dataset_tables.append(
                DatasetTable(free_name(table_name(base.replace("/", "_")) or name, taken), base, tuple(own))
            )
    return dataset_tables


class ColumnReader:
    """Reads the column names of a file, which are in its footer."""

    def __init__(self, files: FileSystem, place: str) -> None:
        self._files, self._place = files, place

    def __call__(self, file: DataFile) -> tuple[str, ...]:
        from pyarrow import parquet

        return tuple(parquet.read_schema(f"{self._place}/{file.path}", filesystem=self._files).names)


def _files_below(files: Any, place: str) -> Iterator[tuple[str, int]]:
    from pyarrow import fs

    if isinstance(files, fs.LocalFileSystem):
        root = Path(place)
        for path in _regular_files(root):
            yield path.relative_to(root).as_posix(), path.stat().st_size
        return
    for info in files.get_file_info(fs.FileSelector(place, recursive=True)):
        if info.is_file:
            yield info.path.removeprefix(place).lstrip("/"), info.size or 0


def _regular_files(root: Path) -> Iterable[Path]:
    """Regular files below ``root``; links are not followed, since they may lead anywhere."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if S_ISREG(path.lstat().st_mode):
                yield path
