"""Files of data (CSV, TSV, JSON, JSON Lines, Parquet, Excel), each loaded once into a private DuckDB database.

What a question asks runs there, read-only and cut off (`data.duckdb`), so no statement ever touches the file. The copy
is kept in the cache, named after what the file was when it was read, and made again when the file has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.data.duckdb import MEMORY, DuckDbSource
from kbtui.data.loading import Loader, table_name
from kbtui.data.watch import Watch
from kbtui.domain.ports import CancelToken
from kbtui.errors import DataSourceError, StorageError
from kbtui.settings import paths
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LOADER: Final = 1
"""Counts up when a file would be loaded otherwise than before."""
_LOAD_S: Final = 1800.0
_KEPT_S: Final = 30 * 86_400.0
"""A copy that nobody has asked for so long is deleted."""
_POLL_S: Final = 0.1
_NOTES: Final = "notes.json"
_DATABASE: Final = "data.duckdb"
_ON_THE_WAY: Final = re.compile(r"[^\s'\"]*\b(?:source|utf8)\.(?:csv|tsv|jsonl?|parquet|xlsx)\b")


class FileSource(DuckDbSource):
    """One file of data as a `QuerySource`.

    Args:
        name: What it goes by.
        path: The file.
        guard: Given every statement before it runs; returns it as it may run, or raises DataSourceError.
    """

    def __init__(self, name: str, path: Path, guard: Callable[[str, str], str] | None = None) -> None:
        super().__init__(name, path, guard)
        self._closed = CancelToken()
        self._loading = threading.Lock()

    def fingerprint(self) -> str:
        """See `QuerySource`: which file it is, and when it was last written."""
        return self._key()

    def close(self) -> None:
        """Stops a load that is under way, in whatever thread."""
        self._closed.cancel()

    def _fingerprint(self, connection: DuckDBPyConnection) -> str:  # noqa: ARG002 (the file tells, not the copy)
        return self._key()

    def _key(self) -> str:
        import duckdb

        try:
            found = self._path.stat()
        except OSError as error:
            raise DataSourceError(
                f"There is no file {self._path}.", "Was it moved? `kbtui sources list` shows the path."
            ) from error
        return f"{found.st_ino:x}-{found.st_mtime_ns:x}-{found.st_size:x}-{_LOADER}-{duckdb.__version__}"

    def _file(self, cancel: CancelToken | None = None) -> Path:
        home = _home(self._path)
        try:
            with self._loading:
                copy = home / self._key() / _DATABASE
                if not copy.exists():
                    copy = self._loaded(home, cancel)
                with contextlib.suppress(OSError, ValueError):
                    self.notes = tuple(json.loads((copy.parent / _NOTES).read_text(encoding="utf-8"))["notes"])
                    os.utime(copy)
        except OSError as error:
            raise StorageError(
                f"The copy of {self._path.name} cannot be kept in {home}: {error.strerror or error}.",
                "Free some space or set XDG_CACHE_HOME.",
            ) from error
        return copy

    def _loaded(self, home: Path, cancel: CancelToken | None) -> Path:
        """Load the file, unless another program does so already: then wait for that one."""
        from filelock import FileLock, Timeout

        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(home / "lock")
        while True:
            self._check(cancel)
            with contextlib.suppress(Timeout), lock.acquire(timeout=_POLL_S):
                key = self._key()
                target = home / key
                if not (target / _DATABASE).exists():
                    home.mkdir(parents=True, exist_ok=True, mode=0o700)
                    self._load(target, cancel)
                    if self._key() != key:
                        shutil.rmtree(target, ignore_errors=True)
                        raise DataSourceError(
                            f"{self._path.name} is being written while it is read.", "Ask again when that is done."
                        )
                    _clear(home, target)
                return target / _DATABASE

    def _load(self, target: Path, cancel: CancelToken | None) -> None:
        import duckdb

        if not os.access(self._path, os.R_OK):
            raise DataSourceError(f"{self._path} cannot be opened.", "Check its permissions.")
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=target.parent))
        try:
            (draft / "work").mkdir()
            connection = duckdb.connect(
                str(draft / _DATABASE), config={"memory_limit": MEMORY, "autoinstall_known_extensions": "false"}
            )
            try:
                with Watch(connection.interrupt, _LOAD_S, _either(cancel, self._closed)):
                    loader = Loader(
                        connection,
                        draft / "work",
                        table_name(self._path.stem) or "data",
                        lambda: self._check(cancel),
                    )
                    loader.load(self._path)
            except (duckdb.Error, MemoryError) as error:
                self._check(cancel)
                raise self._unreadable(error) from error
            except DataSourceError as error:
                said = self._own(error.message)
                named = said if self._path.name in said else f"{self._path.name}: {said}"
                raise DataSourceError(named, error.hint) from error
            finally:
                connection.close()
            shutil.rmtree(draft / "work")
            noted = {"source": str(self._path.resolve()), "notes": loader.notes}
            (draft / _NOTES).write_text(json.dumps(noted, ensure_ascii=False), encoding="utf-8")
            draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _check(self, cancel: CancelToken | None) -> None:
        if cancel:
            cancel.check()
        self._closed.check()

    def _unreadable(self, error: BaseException) -> Exception:
        said = one_line(self._own(str(error).split("\n", 1)[0]), 200)
        if "No space left" in said or "could not write" in said.lower():
            return StorageError(f"{self._path.name} cannot be loaded: {said}", "Free some space or set XDG_CACHE_HOME.")
        kind = {".parquet": "Parquet"}.get(self._path.suffix.lower(), self._path.suffix[1:].upper())
        return DataSourceError(f"{self._path.name} is no {kind} file: {said}", "Is its ending the right one?")

    def _own(self, said: str) -> str:
        """What was said of the files on the way, said of the user's."""
        return _ON_THE_WAY.sub(lambda _: self._path.name, said)


def _either(one: CancelToken | None, other: CancelToken) -> CancelToken:
    """A token that is set when either is."""
    return other if one is None else _Either(one, other)


class _Either(CancelToken):
    def __init__(self, *tokens: CancelToken) -> None:
        super().__init__()
        self._tokens = tokens

    @property
    def cancelled(self) -> bool:
        return any(token.cancelled for token in self._tokens)


def _home(path: Path) -> Path:
    """The folder of a file's copies."""
    resolved = str(path.resolve())
    digest = hashlib.sha256(resolved.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return paths.cache_dir() / "data" / f"{table_name(path.stem)[:40] or 'data'}-{digest}"


def _clear(home: Path, kept: Path) -> None:
    """Delete the file's older copies, and those of files that are gone or that nobody asks any more."""
    from filelock import FileLock, Timeout

    for folder in home.iterdir():
        if folder.is_dir() and folder != kept:
            # Who still reads one has it open, and keeps what was open.
            shutil.rmtree(folder, ignore_errors=True)
    for other in home.parent.iterdir():
        if other != home and not any(map(_is_wanted, other.glob(f"*/{_DATABASE}"))):
            # Where another program loads a file just now, the lock is taken.
            with contextlib.suppress(Timeout, OSError), FileLock(other / "lock").acquire(timeout=0):
                shutil.rmtree(other, ignore_errors=True)


def _is_wanted(copy: Path) -> bool:
    try:
        source = json.loads((copy.parent / _NOTES).read_text(encoding="utf-8"))["source"]
        return time.time() - copy.stat().st_mtime < _KEPT_S and Path(source).exists()
    except (OSError, ValueError, KeyError):
        return False
