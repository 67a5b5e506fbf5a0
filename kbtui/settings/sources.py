"""Data sources by name: an entry of ``data_sources`` is ``NAME=LOCATION``, or a location named after its file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from msgspec import Struct

from kbtui.errors import DataSourceError, SourceNotFound, nearest

_NAMED_ENTRY = re.compile(r"(\w[\w.-]*)=(.+)", re.DOTALL)
_NAME = re.compile(r"\w[\w.-]*")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")

FILE_SUFFIXES = (".db", ".sqlite", ".sqlite3", ".duckdb", ".csv", ".tsv", ".parquet", ".json", ".jsonl", ".xlsx")
"""Extensions of files that can be a data source."""

_MOST_NAMES = 20_000
"""Files of a folder among which a Parquet file is looked for."""
_QUICK_BYTES = 20_000_000
"""A file up to this size is opened without a noticeable delay."""


class DataSource(Struct, frozen=True, kw_only=True):
    """A file or database URL, with its name."""

    name: str
    location: str

    @property
    def is_url(self) -> bool:
        return bool(_URL.match(self.location))

    @property
    def opens_slowly(self) -> bool:
        """Whether opening it may take noticeable time: a large file is read whole, and a server may be remote."""
        try:
            return self.is_url or Path(self.location).expanduser().stat().st_size > _QUICK_BYTES
        except OSError:
            return False

    @property
    def entry(self) -> str:
        """The entry of ``data_sources`` for it."""
        return f"{self.name}={self.location}"


def parse_entry(entry: str) -> DataSource:
    """The source of an entry of ``data_sources``, or of a ``SRC`` of the command line that is no configured name."""
    match = _NAMED_ENTRY.fullmatch(entry)
    if match and not _URL.match(entry):
        return DataSource(name=match[1], location=match[2])
    return DataSource(name=_name_from_location(entry), location=entry)


def resolve(src: str, configured: Iterable[str]) -> DataSource:
    """The source for a ``SRC`` of the command line: a configured name, a file or a URL.

    Raises:
        SourceNotFound: It is none of them; the hint gives the most similar name.
    """
    by_name = {source.name: source for source in map(parse_entry, configured)}
    if not src.strip():
        # Probably an unset variable of a shell script.
        raise SourceNotFound("The data source is empty.", "Give a file, an SQLAlchemy URL, or a configured name.")
    if src in by_name:
        return by_name[src]
    source = parse_entry(src)
    if not source.is_url and (folder := Path(source.location).expanduser()).is_dir() and not _holds_parquet(folder):
        raise SourceNotFound(
            f"{source.location} is a folder without Parquet files, and no data source.",
            "Give a file in it; a folder of documents is asked as kbtui PATH.",
        )
    if source.is_url or Path(source.location).expanduser().exists():
        return source
    similar = nearest(src, by_name)
    hint = "Give a file, an SQLAlchemy URL, or a name from `kbtui sources list`."
    if similar:
        hint = f"Did you mean {similar}?"
    raise SourceNotFound(f"There is no data source {src}.", hint)


def new_source(src: str, name: str | None, configured: Sequence[str]) -> DataSource:
    """The source to add for ``src``, with an absolute path and a valid name.

    Raises:
        SourceNotFound: The file does not exist.
        DataSourceError: The kind of the file is not supported, or the name is taken or not valid.
    """
    source = parse_entry(src)
    location = source.location if source.is_url else str(_data_file(source.location))
    name = name or source.name
    if not _NAME.fullmatch(name):
        raise DataSourceError(f"{name!r} cannot name a source.", "Give --name with letters, digits, dots and dashes.")
    if any(parse_entry(entry).name == name for entry in configured):
        raise DataSourceError(
            f"There is a source {name} already.", f"Give another --name, or: kbtui sources remove {name}"
        )
    return DataSource(name=name, location=location)


def _data_file(location: str) -> Path:
    path = Path(location).expanduser()
    if path.is_dir() and _holds_parquet(path):
        return path.resolve()
    if not path.is_file():
        raise SourceNotFound(f"There is no file {location}.", "Give a data file or an SQLAlchemy URL.")
    if path.suffix.lower() not in FILE_SUFFIXES:
        raise DataSourceError(f"{path.name} is no kind of data kbtui reads.", f"Kinds: {' '.join(FILE_SUFFIXES)}")
    return path.resolve()


def _holds_parquet(folder: Path) -> bool:
    """Whether there is a Parquet file among the first files of a folder."""
    names = chain.from_iterable(names for _, _, names in os.walk(folder))
    return any(name.lower().endswith(".parquet") for name in islice(names, _MOST_NAMES))


def _name_from_location(location: str) -> str:
    if location.startswith("sc://"):
        # Behind the address of a Spark server stand parameters, tokens among them.
        schema = re.search(r";schema=([^;]+)", location)
        stem = schema[1] if schema else "spark"
    elif _URL.match(location):
        database = location.partition("://")[2].partition("?")[0].rstrip("/").rpartition("/")[2]
        stem = PurePosixPath(database.rpartition("@")[2]).stem or location.partition("://")[0]
    else:
        stem = Path(location).stem
    return re.sub(r"[^\w.-]+", "-", stem).strip("-.") or "source"
