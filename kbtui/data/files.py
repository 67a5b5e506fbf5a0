"""Files of data (CSV, TSV, JSON, JSON Lines, Parquet, Excel), each loaded once into a private DuckDB database.

What a question asks runs there, read-only and cut off (`data.duckdb`), so no statement ever touches the file. Loading
is stopped by ending the process that does it (`data.isolated`). The copy
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
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.data.duckdb import MEMORY, DuckDbSource
from kbtui.data.loading import Loader, table_name
from kbtui.data.reflection import no_file
from kbtui.errors import DataSourceError, StorageError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LOADER: Final = 3
"""Counts up when a file would be loaded otherwise than before."""
_KEPT_S: Final = 30 * 86_400.0
"""A copy that nobody has asked for so long is deleted."""
_HELD_BYTES: Final = 256 << 20
"""A copy up to this size is held open between calls; the buffers of a larger one take much of a worker's memory."""
_POLL_S: Final = 0.1
_DRAFT: Final = "draft-"
_NOTES: Final = "notes.json"
_DATABASE: Final = "data.duckdb"
_WORK_COPY: Final = re.compile(r"[^\s'\"]*\b(?:source|utf8)\.(?:csv|tsv|jsonl?|parquet|xlsx)\b")


class FileSource(DuckDbSource):
    """One file of data as a `QuerySource`.

    Args:
        name: What it goes by.
        path: The file.
        cache: Folder in which copies are kept.
    """

    def __init__(self, name: str, path: Path, cache: Path) -> None:
        super().__init__(name, path, cache)
        self._open_copy: tuple[Path, DuckDBPyConnection] | None = None

    def fingerprint(self) -> str:
        """See `QuerySource`: which file it is, and when it was last written."""
        return self._key()

    def load(self) -> None:
        """Load the file, unless its copy is there."""
        self._file()

    def clean(self) -> None:
        """Delete what a process left behind that was stopped while it loaded the file."""
        from filelock import FileLock, Timeout

        home = self._home()
        if home.is_dir():
            with contextlib.suppress(Timeout, OSError), FileLock(home / "lock").acquire(timeout=0):
                _delete_drafts(home)

    def close(self) -> None:
        """Let go of the copy."""
        held, self._open_copy = self._open_copy, None
        if held is not None:
            held[1].close()

    def _open(self, path: Path) -> DuckDBPyConnection:
        # DuckDB starts a database anew when nobody holds it, which takes longer than most statements. Nobody else
        # writes the copy, so holding it shuts out nobody.
        if self._open_copy is None or self._open_copy[0] != path:
            self.close()
            opened = super()._open(path)
            if path.stat().st_size > _HELD_BYTES:
                return opened
            self._open_copy = (path, opened)
        return self._open_copy[1].cursor()

    def _fingerprint(self, connection: DuckDBPyConnection) -> str:  # noqa: ARG002 (the file tells, not the copy)
        return self._key()

    def _key(self) -> str:
        import duckdb

        try:
            status = self._path.stat()
        except OSError as error:
            raise no_file(self._path) from error
        return f"{status.st_ino:x}-{status.st_mtime_ns:x}-{status.st_size:x}-{_LOADER}-{duckdb.__version__}"

    def _file(self) -> Path:
        home = self._home()
        try:
            copy = home / self._key() / _DATABASE
            if not copy.exists():
                copy = self._loaded(home)
            with contextlib.suppress(OSError, ValueError):
                self.notes = tuple(json.loads((copy.parent / _NOTES).read_text(encoding="utf-8"))["notes"])
                os.utime(copy)
        except OSError as error:
            raise StorageError(
                f"The copy of {self._path.name} cannot be kept in {home}: {error.strerror or error}.",
                "Free some space or set XDG_CACHE_HOME.",
            ) from error
        return copy

    def _loaded(self, home: Path) -> Path:
        """Load the file, unless another process does so already: then wait for that one."""
        from filelock import FileLock, Timeout

        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(home / "lock")
        while True:
            with contextlib.suppress(Timeout), lock.acquire(timeout=_POLL_S):
                key = self._key()
                target = home / key
                if not (target / _DATABASE).exists():
                    home.mkdir(parents=True, exist_ok=True, mode=0o700)
                    _delete_drafts(home)
                    self._load(target)
                    if self._key() != key:
                        shutil.rmtree(target, ignore_errors=True)
                        raise DataSourceError(
                            f"{self._path.name} is being written while it is read.", "Ask again when that is done."
                        )
                    _clear(home, target)
                return target / _DATABASE

    def _load(self, target: Path) -> None:
        import duckdb

        if not os.access(self._path, os.R_OK):
            raise DataSourceError(f"{self._path} cannot be opened.", "Check its permissions.")
        draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=target.parent))
        try:
            (draft / "work").mkdir()
            connection = duckdb.connect(
                str(draft / _DATABASE), config={"memory_limit": MEMORY, "autoinstall_known_extensions": "false"}
            )
            try:
                loader = Loader(connection, draft / "work", table_name(self._path.stem) or "data")
                loader.load(self._path)
            except (duckdb.Error, MemoryError) as error:
                raise self._unreadable(error) from error
            except DataSourceError as error:
                message = self._with_user_path(error.message)
                with_name = message if self._path.name in message else f"{self._path.name}: {message}"
                raise DataSourceError(with_name, error.hint) from error
            finally:
                connection.close()
            shutil.rmtree(draft / "work")
            noted = {"source": str(self._path.resolve()), "notes": loader.notes}
            (draft / _NOTES).write_text(json.dumps(noted, ensure_ascii=False), encoding="utf-8")
            draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _home(self) -> Path:
        """The folder of this file's copies."""
        digest = hashlib.sha256(os.fsencode(self._path.resolve())).hexdigest()[:16]
        return self._cache / "data" / f"{table_name(self._path.stem)[:40] or 'data'}-{digest}"

    def _unreadable(self, error: BaseException) -> Exception:
        message = one_line(self._with_user_path(str(error).split("\n", 1)[0]), 200)
        if "No space left" in message or "could not write" in message.lower():
            return StorageError(
                f"{self._path.name} cannot be loaded: {message}", "Free some space or set XDG_CACHE_HOME."
            )
        kind = {".parquet": "Parquet"}.get(self._path.suffix.lower(), self._path.suffix[1:].upper())
        return DataSourceError(f"{self._path.name} is no {kind} file: {message}", "Is its ending the right one?")

    def _with_user_path(self, text: str) -> str:
        """An error message with the user's file name in place of those of working copies."""
        return _WORK_COPY.sub(lambda _: self._path.name, text)


def _delete_drafts(home: Path) -> None:
    """Delete copies that were never finished; whoever calls this holds the lock."""
    for draft in home.glob(f"{_DRAFT}*"):
        shutil.rmtree(draft, ignore_errors=True)


def _clear(home: Path, kept: Path) -> None:
    """Delete the file's older copies, and those of files that are gone or that nobody asks any more."""
    from filelock import FileLock, Timeout

    for folder in home.iterdir():
        if folder.is_dir() and folder != kept:
            # A reader that has an old copy open keeps it: deleting only removes the name.
            shutil.rmtree(folder, ignore_errors=True)
    for other in home.parent.iterdir():
        if other != home and not any(map(_is_wanted, other.glob(f"*/{_DATABASE}"))):
            # The lock is taken while another program loads a file.
            with contextlib.suppress(Timeout, OSError), FileLock(other / "lock").acquire(timeout=0):
                shutil.rmtree(other, ignore_errors=True)


def _is_wanted(copy: Path) -> bool:
    try:
        source = json.loads((copy.parent / _NOTES).read_text(encoding="utf-8"))["source"]
        return time.time() - copy.stat().st_mtime < _KEPT_S and Path(source).exists()
    except (OSError, ValueError, KeyError):
        return False
