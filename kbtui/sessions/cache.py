"""Summaries and searched texts of session files, kept on disk, so that thousands of sessions are listed at once.

A cache and nothing more: what a file says is taken from here only while its size and times are those that it was read
with, and without the cache, or with a damaged one, every file is looked at again.
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

from kbtui.sessions.summary import SUFFIX, SessionSummary, look
from kbtui.settings import paths
from kbtui.settings.private import private_folder

_VERSION: Final = 1
"""Of the tables and of what `look` finds: another one begins anew."""

_SETTLED_NS: Final = 2_000_000_000
"""A file may change twice within one tick of its clock: what was written less long ago is read again the next time."""

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

_KNOWN: Final = "SELECT name, mtime, ctime, size, summary FROM summaries"

_Stamp = tuple[int, int, int]
_Row = tuple[bytes, int, int, int, bytes, bytes]


class SummaryCache:
    """What the session files of ``folder`` say, in an SQLite file of the cache folder.

    Args:
        now: Nanoseconds, by the clock that stamps files.
    """

    def __init__(self, folder: Path, now: Callable[[], int] = time.time_ns) -> None:
        digest = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
        self.path = paths.cache_dir() / "sessions" / f"{digest}.sqlite"
        self._folder = folder
        self._now = now

    def summaries(self, found: Mapping[str, os.stat_result]) -> list[SessionSummary]:
        """The summaries of these files, by their names; files that are not among them are forgotten."""
        result, gone = self._known(found)
        known = {summary.session_id for summary in result}
        rows: list[_Row] = []
        for name in found if len(known) < len(found) else ():
            if name.removesuffix(SUFFIX) in known:
                continue
            stat = found[name]
            summary, text = look(self._folder / name, stat)
            result.append(summary)
            with contextlib.suppress(UnicodeEncodeError):  # text that is none; such a file is read each time
                rows.append(self._row(name, _stamp(stat), summary, text))
            if len(rows) >= _BATCH:
                self._keep(rows)
                rows = []
        self._keep(rows, gone)
        return result

    def holding(self, word: str, names: Iterable[str]) -> frozenset[str]:
        """Those of these sessions whose questions, answers or facts hold ``word`` (case-folded), as last listed."""
        sought = word.encode("utf-8", "replace")
        try:
            with self._open() as db:
                rows = db.execute("SELECT name, instr(text, ?) FROM texts", (sought,)).fetchall()
        except (OSError, sqlite3.Error):
            rows = []
        held = {os.fsdecode(name).removesuffix(SUFFIX): at > 0 for name, at in rows}
        return frozenset(name for name in names if (held[name] if name in held else word in self._text_of(name)))

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session that was deleted."""
        self._keep((), gone=(os.fsencode(session_id + SUFFIX),))

    def _row(self, name: str, stamp: _Stamp, summary: SessionSummary, text: str) -> _Row:
        settled = self._now() - max(stamp[:2]) > _SETTLED_NS
        encoded = msgspec.msgpack.encode(summary)
        return (os.fsencode(name), *(stamp if settled else _UNSETTLED), encoded, text.encode("utf-8", "replace"))

    def _text_of(self, session_id: str) -> str:
        path = self._folder / f"{session_id}{SUFFIX}"
        try:
            return look(path, path.stat())[1]
        except OSError:
            return ""

    def _known(self, found: Mapping[str, os.stat_result]) -> tuple[list[SessionSummary], list[bytes]]:
        """The summaries that are still true of these files, and the names that are kept for no file."""
        decode = msgspec.msgpack.Decoder(SessionSummary).decode
        result: list[SessionSummary] = []
        gone: list[bytes] = []
        try:
            with self._open() as db:
                for name, mtime, ctime, size, summary in db.execute(_KNOWN):
                    stat = found.get(os.fsdecode(name))
                    if stat is None:
                        gone.append(name)
                    elif (mtime, ctime, size) == _stamp(stat):
                        result.append(decode(summary))
        except (OSError, sqlite3.Error, msgspec.MsgspecError):
            return [], []
        return result, gone

    def _keep(self, rows: Iterable[_Row], gone: Iterable[bytes] = ()) -> None:
        rows, dropped = list(rows), [(name,) for name in gone]
        if not rows and not dropped:
            return
        with contextlib.suppress(OSError, sqlite3.Error), self._open() as db, db:
            db.executemany("REPLACE INTO summaries VALUES (?, ?, ?, ?, ?)", [row[:5] for row in rows])
            db.executemany("REPLACE INTO texts VALUES (?, ?)", [(row[0], row[5]) for row in rows])
            for table in ("summaries", "texts"):
                db.executemany(f"DELETE FROM {table} WHERE name = ?", dropped)  # noqa: S608 - one of two names

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The tables, made where there are none; those that are damaged or of another version are removed."""
        private_folder(self.path.parent)
        try:
            with contextlib.closing(_connection(self.path)) as db:
                yield db
        except sqlite3.OperationalError:  # another program writes, or the disk refuses
            raise
        except sqlite3.DatabaseError:
            self.path.unlink(missing_ok=True)
            raise


def _stamp(stat: os.stat_result) -> _Stamp:
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size


def _connection(path: Path) -> sqlite3.Connection:
    """A connection to tables of this version.

    Raises:
        sqlite3.Error: They cannot be opened, or what is there is no database of this version.
    """
    db = sqlite3.connect(path, timeout=1.0)
    try:
        # What was deleted must not stay readable in pages that are free.
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
