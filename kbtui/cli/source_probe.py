"""Whether a data source can be opened and what is in it, looked at without writing a byte."""

from __future__ import annotations

import contextlib
import sqlite3
import zipfile
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

from kbtui.errors import DataSourceError
from kbtui.settings.secrets import masked_text
from kbtui.settings.sources import FILE_SUFFIXES, DataSource

CONNECT_TIMEOUT_S = 5
_TIMEOUT_ARGUMENTS = {"postgresql": "connect_timeout", "mysql": "connect_timeout", "mariadb": "connect_timeout"}


def describe(source: DataSource) -> str:
    """Open the source and say what it holds: ``SQLite, 11 tables``.

    Raises:
        DataSourceError: It cannot be opened; the hint says what to do.
    """
    if source.is_url:
        return _describe_url(source.location)
    path = Path(source.location).expanduser()
    if not path.is_file():
        raise DataSourceError(f"There is no file {source.location}.", f"kbtui sources remove {source.name}")
    try:
        match path.suffix.lower():
            case ".db" | ".sqlite" | ".sqlite3":
                return _describe_sqlite(path)
            case ".parquet":
                return _describe_parquet(path)
            case ".xlsx":
                return _describe_xlsx(path)
            case ".duckdb":
                return _describe_duckdb(path)
            case ".csv" | ".tsv" | ".json" | ".jsonl":
                return _describe_text(path)
            case _:
                raise DataSourceError(
                    f"{path.name} is no kind of data kbtui reads.", f"Kinds: {' '.join(FILE_SUFFIXES)}"
                )
    except OSError as error:
        raise DataSourceError(f"{path} cannot be read: {error.strerror or error}.", "Check its permissions.") from error


def _describe_sqlite(path: Path) -> str:
    try:
        # mode=ro never makes a file; the query makes SQLite read the header and the schema.
        with contextlib.closing(
            sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=CONNECT_TIMEOUT_S)
        ) as connection:
            connection.execute("SELECT 1").fetchone()
            count = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ).fetchone()[0]
    except sqlite3.Error as error:
        hint = "Is it an SQLite file?" if "not a database" in str(error) else "Is another program writing to it?"
        raise DataSourceError(f"{path} cannot be opened as SQLite: {error}.", hint) from error
    return f"SQLite, {_tables(count)}"


def _describe_url(url: str) -> str:
    from sqlalchemy import create_engine, inspect, text
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

    try:
        parsed = make_url(url)
        dialect = parsed.get_backend_name()
        if dialect == "sqlite" and parsed.database not in (None, "", ":memory:"):
            # Through SQLAlchemy, SQLite would make the file that is not there.
            path = Path(str(parsed.database)).expanduser()
            if not path.is_file():
                raise DataSourceError(f"There is no file {path}.", "Check the path behind sqlite:///.")
            return _describe_sqlite(path)
        timeout = {_TIMEOUT_ARGUMENTS[dialect]: CONNECT_TIMEOUT_S} if dialect in _TIMEOUT_ARGUMENTS else {}
        engine = create_engine(parsed, connect_args=timeout)
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1"))
                count = len(inspect(connection).get_table_names())
        finally:
            engine.dispose()
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise DataSourceError(
            f"{masked_text(url)} is no database URL kbtui knows: {_first_line(error)}",
            "It looks like dialect://user:password@host/database, for example sqlite:////home/me/sales.db.",
        ) from error
    except ImportError as error:
        raise DataSourceError(
            f"The driver of {masked_text(url)} is not installed.", f"pip install {error.name}"
        ) from error
    except SQLAlchemyError as error:
        raise DataSourceError(
            f"{masked_text(url)} cannot be reached: {_first_line(error)}", "Check host, port, user and password."
        ) from error
    return f"{dialect}, {_tables(count)}"


def _describe_parquet(path: Path) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path)
    except pa.ArrowException as error:
        raise DataSourceError(f"{path} is no Parquet file.", "Write it again with the program that made it.") from error
    return f"Parquet, {metadata.num_rows:,} rows, {metadata.num_columns} columns"


def _describe_xlsx(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            sheets = sum(name.startswith("xl/worksheets/sheet") for name in archive.namelist())
    except zipfile.BadZipFile as error:
        raise DataSourceError(f"{path} is no Excel workbook.", "Save it as .xlsx again.") from error
    if not sheets:
        raise DataSourceError(f"{path} holds no sheet.", "Save it as .xlsx again.")
    return f"Excel, {sheets} {'sheet' if sheets == 1 else 'sheets'}"


def _describe_duckdb(path: Path) -> str:
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        raise DataSourceError("DuckDB files need the package duckdb.", "pip install duckdb") from error
    try:
        with contextlib.closing(duckdb.connect(str(path), read_only=True)) as connection:
            count = connection.execute("SELECT count(*) FROM information_schema.tables").fetchone()[0]
    except duckdb.Error as error:
        raise DataSourceError(
            f"{path} cannot be opened as DuckDB: {_first_line(error)}", "Is it a DuckDB file?"
        ) from error
    return f"DuckDB, {_tables(count)}"


def _describe_text(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(1 << 16)
    if not head.strip():
        raise DataSourceError(f"{path} is empty.", "Write the data into it first.")
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataSourceError(f"{path} is no text file.", "Is its ending the right one?")
    return f"{path.suffix[1:].upper()}, {path.stat().st_size:,} bytes"


def _tables(count: int) -> str:
    return f"{count} {'table' if count == 1 else 'tables'}"


def _first_line(error: BaseException) -> str:
    return masked_text(str(error).strip().split("\n", 1)[0])
