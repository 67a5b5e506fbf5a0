"""Opens a configured source as what it is: a registry by file suffix and by the URL's engine.

Other packages open the URLs of their own schemes (`kbtui.data.plugin`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.domain.analysis import QuerySource
from kbtui.errors import DataSourceError
from kbtui.regular_files import open_regular
from kbtui.settings.secrets import MASK
from kbtui.settings.sources import FILE_SUFFIXES, DataSource

if TYPE_CHECKING:
    from kbtui.data.jobs import Kind

Guard = Callable[[str, str], str]
"""Given a statement and its dialect; returns it as it may run, or raises DataSourceError."""
Open = Callable[[str, Path, Guard | None], QuerySource]


def open_source(entry: DataSource, *, guard: Guard | None = None) -> QuerySource:
    """The source, for reading only. Nothing is sent to it yet.

    Args:
        guard: Looks at every statement before it runs; without one the engine's own locks hold alone.

    Raises:
        DataSourceError: There is no such file, nothing here reads it, or its driver is not installed.
    """
    if entry.location.startswith("s3://"):
        return _isolated("storage", entry.name, entry.location, guard)
    if entry.is_url:
        from kbtui.data.plugin import PluginSource, plugin_entry
        from kbtui.data.server import open_url, with_variables

        if (plugin := plugin_entry(entry.location)) is not None:
            return PluginSource(entry.name, with_variables(entry), plugin, guard)

        return open_url(entry, guard)
    path = Path(entry.location).expanduser()
    if path.is_dir():
        return _isolated("folder", entry.name, path, guard)
    if not path.is_file():
        # The text may be a mistyped URL with a password.
        shown = re.sub(r":[^:@/\s]+@", f":{MASK}@", entry.location)
        raise DataSourceError(f"There is no file {shown}.", "`kbtui sources list` shows every source.")
    opened = _OPENERS.get(path.suffix.lower())
    if opened is None:
        raise DataSourceError(f"{path.name} is no kind of data kbtui reads.", f"Kinds: {' '.join(FILE_SUFFIXES)}")
    return opened(entry.name, path, guard)


def _isolated(kind: Kind, name: str, path: Path | str, guard: Guard | None) -> QuerySource:
    from kbtui.data.isolated import IsolatedSource

    return IsolatedSource(kind, name, path, guard)


def _database(name: str, path: Path, guard: Guard | None) -> QuerySource:
    return _isolated("duckdb" if _is_duckdb(path) else "sqlite", name, path, guard)


_duckdb = partial(_isolated, "duckdb")
_loaded = partial(_isolated, "file")


def _is_duckdb(path: Path) -> bool:
    """``.db`` is what both engines call their files; DuckDB's name stands behind a checksum."""
    try:
        with open_regular(path) as stream:
            return stream.read(12)[8:] == b"DUCK"
    except OSError:
        return False


_OPENERS: Final[dict[str, Open]] = {
    ".db": _database,
    ".sqlite": _database,
    ".sqlite3": _database,
    ".duckdb": _duckdb,
    ".csv": _loaded,
    ".tsv": _loaded,
    ".parquet": _loaded,
    ".json": _loaded,
    ".jsonl": _loaded,
    ".xlsx": _loaded,
}
