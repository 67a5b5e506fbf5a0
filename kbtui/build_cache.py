"""Keeps between runs what takes long to make of the package's own words: tables, and patterns as they are compiled.

One file in the user's cache folder. It is read when the command line opens it (`open_in`) and written again at the end
of a process that made something more; what is broken, or was made by another version, is made anew. A program that
imports kbtui keeps nothing.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import atexit
import marshal
import re
import sys
import zlib
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from os import scandir
from pathlib import Path
from typing import Final, TypeVar

from kbtui import __version__
from kbtui.whole_file import write_whole

_HEAD: Final = f"kbtui {__version__} {sys.version} {_sre.MAGIC}\n".encode()
"""Of the file: both formats of Python, `marshal` and compiled patterns, are those of one version."""
_NAME: Final = "compiled"
_UNREADABLE: Final = (EOFError, ValueError, TypeError, KeyError, OverflowError, RuntimeError, OSError)

Made = TypeVar("Made")
_entries: dict[str, tuple[str, bytes]] = {}
_fresh: set[str] = set()
_file: Path | None = None


def open_in(folder: Path) -> None:
    """Use the cache in ``folder``, which exists, from now on."""
    global _file, _entries
    if _file is None:
        atexit.register(_write)
    _file = folder / _NAME
    _fresh.clear()
    _entries = _read(_file)


def kept(name: str, stamp: str, make: Callable[[], Made]) -> Made:
    """What ``make`` returns, or returned in an earlier run.

    Args:
        stamp: Of what it is made of (`stamp_of`); made anew when it is another one.
        make: Returns built-in values alone, which nobody changes.
    """
    entry = _entries.get(name)
    if entry is not None and entry[0] == stamp:
        with suppress(*_UNREADABLE):
            known: Made = marshal.loads(entry[1])  # noqa: S302 - from the user's own folder, which nobody else can write
            return known
    made = make()
    if _file is not None:
        with suppress(ValueError):
            _entries[name] = (stamp, marshal.dumps(made))  # type: ignore[arg-type]
            _fresh.add(name)
    return made


@cache
def stamp_of(*rooms: str) -> str:
    """The state of all files of folders of the package, code as well: their sizes and when they were written."""
    files = []
    for room in rooms:
        for entry in scandir(Path(__file__).parent / room):
            if entry.is_file():
                found = entry.stat()
                files.append(f"{entry.path}:{found.st_size}:{found.st_mtime_ns}")
    return f"{zlib.crc32(chr(10).join(sorted(files)).encode('utf-8', 'replace')):x}"


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile``, for patterns that the package knows before it has read any input: all of them are kept."""
    if _file is None:
        return re.compile(text, flags)
    try:
        all_flags, code, groups, names = kept(f"re {int(flags)} {text}", "", lambda: _compiled(text, int(flags)))
        indexed = {index: name for name, index in names.items()}
        by_index = tuple(indexed.get(index) for index in range(groups + 1))
        found: re.Pattern[str] = _sre.compile(text, all_flags, array("I", code).tolist(), groups, names, by_index)
    except (*_UNREADABLE, AttributeError, ImportError):
        # Python checks the code that it is given.
        return re.compile(text, flags)
    return found


def _compiled(text: str, flags: int) -> tuple[int, bytes, int, dict[str, int]]:
    """Flags, code, number of groups and their names, as ``re`` hands them to its engine."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(text, flags)
    code = array("I", _compiler._code(parsed, flags)).tobytes()
    return flags | parsed.state.flags, code, parsed.state.groups - 1, dict(parsed.state.groupdict)


def _read(file: Path) -> dict[str, tuple[str, bytes]]:
    with suppress(*_UNREADABLE):
        data = file.read_bytes()
        body = memoryview(data)[len(_HEAD) + 4 :]
        if data.startswith(_HEAD) and int.from_bytes(data[len(_HEAD) : len(_HEAD) + 4], "big") == zlib.crc32(body):
            entries: dict[str, tuple[str, bytes]] = marshal.loads(body)  # noqa: S302 - see `kept`
            return entries
    return {}


def _write() -> None:
    if _file is None or not _fresh:
        return
    # What another process has written meanwhile stays.
    body = marshal.dumps(_read(_file) | {name: _entries[name] for name in _fresh})
    with suppress(OSError):
        write_whole(_file, _HEAD + zlib.crc32(body).to_bytes(4, "big") + body)
    _fresh.clear()
