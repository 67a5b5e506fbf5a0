"""Tables of Iceberg, as their newest metadata describe them: which files are the table, and what is in each.

The metadata are foreign input like the files: a path in them that leads out of the table's folder is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_METADATA: Final = re.compile(r"(?:(.*)/)?metadata/(?:v?(\d+)[^/]*)\.metadata\.json", re.DOTALL)
_SCHEME: Final = re.compile(r"^[a-z][a-z0-9+.-]*:/*", re.IGNORECASE)


def newest_metadata(paths: Iterable[str]) -> dict[str, str]:
    """By the folder of a table, the path of its newest metadata."""
    newest: dict[str, tuple[int, str]] = {}
    for path in paths:
        if match := _METADATA.fullmatch(path):
            base = match[1] or ""
            newest[base] = max(newest.get(base, (-1, "")), (int(match[2]), path))
    return {base: path for base, (_, path) in newest.items()}


def iceberg_dataset(files: FileSystem, place: str, base: str, metadata_path: str) -> tuple[Any, int]:
    """The table as a dataset of Arrow, whose files know between which values they lie, and its number of rows.

    Args:
        place: Where the dataset lies.
        base: The table's folder below it.

    Raises:
        DataSourceError: What reads the metadata is not installed, they cannot be read, or the table has rows or
            columns that its files alone do not tell.
    """
    shown = PurePosixPath(base or place).name
    try:
        from pyiceberg.catalog.noop import NoopCatalog
        from pyiceberg.exceptions import ValidationError
        from pyiceberg.io.pyarrow import schema_to_pyarrow
        from pyiceberg.serializers import FromInputFile
        from pyiceberg.table import StaticTable
    except ImportError as error:
        raise DataSourceError(
            f"{shown} is a table of Iceberg; what reads its metadata is not installed.", "pip install 'kbtui[iceberg]'"
        ) from error
    from pyarrow import dataset

    io = _InsideFiles(files, f"{place}/{base}" if base else place)
    try:
        metadata = FromInputFile.table_metadata(io.at(f"{place}/{metadata_path}"))
        io.location = _path_of_address(metadata.location)
        table = StaticTable(("table",), metadata, metadata_path, io, NoopCatalog("none"))
        _check_names(shown, table)
        schema = table.schema()
        columns = schema_to_pyarrow(schema, include_field_ids=False)
        form = dataset.ParquetFileFormat()
        fragments, rows = [], 0
        for task in table.scan().plan_files():
            if task.delete_files:
                raise DataSourceError(
                    f"Rows of the Iceberg table {shown} were deleted without its files being written anew.",
                    "Compact it, or ask it through a Spark server: --data sc://HOST.",
                )
            rows += task.file.record_count
            within = _column_bounds(schema, columns, task.file, _folder_values(table, task.file))
            path = io.path_of(task.file.file_path)
            fragments.append(
                form.make_fragment(path, files, **({} if within is None else {"partition_expression": within}))
            )
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise DataSourceError(
            f"The metadata of the Iceberg table {shown} cannot be read: {one_line(str(error), 200)}.",
            "Is the table whole?",
        ) from error
    return dataset.FileSystemDataset(fragments, columns, form, files), rows


class _InsideFiles:
    """Files of a table, which its metadata name by full addresses, as the client of Iceberg asks for them."""

    properties: Mapping[str, str] = {}

    def __init__(self, files: FileSystem, root: str) -> None:
        self._files, self._root = files, root
        self.location = ""

    def new_input(self, location: str) -> Any:
        return self.at(self.path_of(location))

    def at(self, path: str) -> Any:
        from pyiceberg.io.pyarrow import PyArrowFile

        return PyArrowFile(location=path, path=path, fs=self._files)

    def path_of(self, location: str) -> str:
        """Where a file of the metadata is: the table may have been copied to where it is.

        Raises:
            DataSourceError: It is not in the table's folder.
        """
        from pyarrow.fs import LocalFileSystem

        bare = _path_of_address(location)
        inside = bare.removeprefix(f"{self.location}/")
        path = f"{self._root}/{inside}"
        left = inside == bare or ".." in PurePosixPath(inside).parts
        if left or (isinstance(self._files, LocalFileSystem) and not Path(path).resolve().is_relative_to(self._root)):
            raise DataSourceError(
                f"The metadata of an Iceberg table name a file outside of it: {one_line(location, 120)}.",
                "Ask it through a Spark server: --data sc://HOST.",
            )
        return path


def _path_of_address(location: str) -> str:
    return _SCHEME.sub("", location).strip("/")


def _check_names(shown: str, table: Any) -> None:
    """Files are read by the names of columns, Iceberg knows columns by numbers: both must agree in every schema.

    Raises:
        DataSourceError: A column had another name, or its name was another column's.
    """
    current = {field.field_id: field.name for field in table.schema().fields}
    names = {name: number for number, name in current.items()}
    for schema in table.schemas().values():
        for field in schema.fields:
            if (
                current.get(field.field_id, field.name) != field.name
                or names.get(field.name, field.field_id) != field.field_id
            ):
                raise DataSourceError(
                    f"The column {one_line(field.name, 60)} of the Iceberg table {shown} was renamed or replaced.",
                    "Rewrite its files, or ask it through a Spark server: --data sc://HOST.",
                )


def _folder_values(table: Any, file: Any) -> dict[int, Any]:
    """By its number, the one value that a column has in the whole file; the file itself may be without it."""
    from pyiceberg.transforms import IdentityTransform

    fields = table.specs()[file.spec_id].fields
    return {
        field.source_id: value
        for field, value in zip(fields, (file.partition[place] for place in range(len(fields))), strict=True)
        if isinstance(field.transform, IdentityTransform) and value is not None
    }


def _column_bounds(schema: Any, columns: Any, file: Any, known: Mapping[int, Any]) -> Any:
    """Between which values the columns of a file lie, as a condition that each of its rows meets; None for none.

    Args:
        known: By the number of a column, the one value that it has there.
    """
    import pyarrow
    from pyarrow import compute
    from pyiceberg.conversions import from_bytes

    within = None
    for field in schema.fields:
        kind, column = columns.field(field.name).type, compute.field(field.name)
        low, high = (bounds.get(field.field_id) for bounds in (file.lower_bounds or {}, file.upper_bounds or {}))
        nulls = (file.null_value_counts or {}).get(field.field_id)
        try:
            if field.field_id in known:
                own = column == pyarrow.scalar(known[field.field_id], type=kind)
            elif low is None or high is None or nulls != 0 or pyarrow.types.is_floating(kind):
                # NaN lies between no two values.
                continue
            else:
                ends = [pyarrow.scalar(from_bytes(field.field_type, end), type=kind) for end in (low, high)]
                own = (column >= ends[0]) & (column <= ends[1])
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError, ValueError):
            continue
        within = own if within is None else within & own
    return within
