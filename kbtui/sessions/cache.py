"""A cache of the summaries and searchable texts of session files, so that thousands of sessions are listed fast.

An entry is used only while the size and times of its file are those of the read that made it. Without the cache, or
with a damaged one, every file is read again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from kbtui.sessions.summary import SUFFIX, SessionSummary, summarise
from kbtui.settings import paths
from kbtui.settings.private import private_folder

_VERSION: Final = 1
"""Version of the tables and of what `summarise` finds; a cache of another version is removed."""

_SETTLED_NS: Final = 2_000_000_000
"""A file may change twice within one tick of its clock, so one that changed less long ago is read again next time."""

_BATCH: Final = 500
_UNSETTLED: Final = (0, 0, 0)

_TABLES: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS summaries
    (name BLOB PRIMARY KEY, mtime INTEGER, ctime INTEGER, size INTEGER, summary BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS texts (name BLOB PRIMARY KEY, text BLOB);
PRAGMA user_version = {_VERSION};
COMMIT;
"""

_SELECT_ALL: Final = "SELECT name, mtime, ctime, size, summary FROM summaries"

_Stamp = tuple[int, int, int]
_Row = tuple[bytes, int, int, int, bytes, bytes]


class SummaryCache:
    """The cached summaries of the session files in ``folder``, in an SQLite file of the cache folder.

    Args:
        now: Returns the time in nanoseconds, by the clock that stamps files.
    """

    def __init__(self, folder: Path, now: Callable[[], int] = time.time_ns) -> None:
        digest = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
        self.path = paths.cache_dir() / "sessions" / f"{digest}.sqlite"
        self._folder = folder
        self._now = now

    def summaries(self, files: Mapping[str, os.stat_result]) -> list[SessionSummary]:
        """The summaries of ``files``, given by name; entries of other files are removed from the cache."""
        result, stale_names = self._cached_summaries(files)
        cached_ids = {summary.session_id for summary in result}
        rows: list[_Row] = []
        for name in files if len(cached_ids) < len(files) else ():
            if name.removesuffix(SUFFIX) in cached_ids:
                continue
            stat = files[name]
            summary, text = summarise(self._folder / name, stat)
            result.append(summary)
            with contextlib.suppress(UnicodeEncodeError):  # a lone surrogate; such a file is read each time
                rows.append(self._row(name, _stamp(stat), summary, text))
            if len(rows) >= _BATCH:
                self._store(rows)
                rows = []
        self._store(rows, stale_names)
        return result

    def sessions_containing(self, word: str, names: Iterable[str]) -> frozenset[str]:
        """Those of the session ids ``names`` whose text contains ``word`` (case-folded), as of the last `summaries`."""
        encoded = word.encode("utf-8", "replace")
        try:
            with self._open() as db:
                rows = db.execute("SELECT name, instr(text, ?) FROM texts", (encoded,)).fetchall()
        except (OSError, sqlite3.Error):
            rows = []
        contains = {os.fsdecode(name).removesuffix(SUFFIX): position > 0 for name, position in rows}
        return frozenset(
            name for name in names if (contains[name] if name in contains else word in self._text_of(name))
        )

    def forget(self, session_id: str) -> None:
        """Remove the entry of a session that was deleted."""
        self._store((), stale_names=(os.fsencode(session_id + SUFFIX),))

    def _row(self, name: str, stamp: _Stamp, summary: SessionSummary, text: str) -> _Row:
        settled = self._now() - max(stamp[:2]) > _SETTLED_NS
        encoded = msgspec.msgpack.encode(summary)
        return (os.fsencode(name), *(stamp if settled else _UNSETTLED), encoded, text.encode("utf-8", "replace"))

    def _text_of(self, session_id: str) -> str:
        path = self._folder / f"{session_id}{SUFFIX}"
        try:
            return summarise(path, path.stat())[1]
        except OSError:
            return ""

    def _cached_summaries(self, files: Mapping[str, os.stat_result]) -> tuple[list[SessionSummary], list[bytes]]:
        """The summaries that are still valid, and the names of entries without a file."""
        decode = msgspec.msgpack.Decoder(SessionSummary).decode
        result: list[SessionSummary] = []
        stale_names: list[bytes] = []
        try:
            with self._open() as db:
                for name, mtime, ctime, size, summary in db.execute(_SELECT_ALL):
                    stat = files.get(os.fsdecode(name))
                    if stat is None:
                        stale_names.append(name)
                    elif (mtime, ctime, size) == _stamp(stat):
                        result.append(decode(summary))
        except (OSError, sqlite3.Error, msgspec.MsgspecError):
            return [], []
        return result, stale_names

    def _store(self, rows: Iterable[_Row], stale_names: Iterable[bytes] = ()) -> None:
        rows, removed_names = list(rows), [(name,) for name in stale_names]
        if not rows and not removed_names:
            return
        with contextlib.suppress(OSError, sqlite3.Error), self._open() as db, db:
            db.executemany("REPLACE INTO summaries VALUES (?, ?, ?, ?, ?)", [row[:5] for row in rows])
            db.executemany("REPLACE INTO texts VALUES (?, ?)", [(row[0], row[5]) for row in rows])
            for table in ("summaries", "texts"):
                db.executemany(f"DELETE FROM {table} WHERE name = ?", removed_names)  # noqa: S608 - one of two names

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection to the cache, which is created if missing, and removed if damaged or of another version."""
        private_folder(self.path.parent)
        try:
            with contextlib.closing(_connection(self.path)) as db:
                yield db
        except sqlite3.OperationalError:  # another program is writing, or the disk cannot be used
            raise
        except sqlite3.DatabaseError:
            self.path.unlink(missing_ok=True)
            raise


def _stamp(stat: os.stat_result) -> _Stamp:
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size


def _connection(path: Path) -> sqlite3.Connection:
    """A connection to tables of this version.

    Raises:
        sqlite3.Error: The file cannot be opened, or is no database of this version.
    """
    db = sqlite3.connect(path, timeout=1.0)
    try:
        # Deleted texts must not stay readable in free pages of the file.
        db.execute("PRAGMA secure_delete = ON")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            db.executescript(_TABLES)
        elif version != _VERSION:
            raise sqlite3.DatabaseError("tables of another version")
    except BaseException:
        db.close()
        raise
    return db
