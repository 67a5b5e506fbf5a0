"""Lines of the files on disk, as they are now: what citations are checked against and previews show."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from kbtui.errors import KnowledgeBaseError, OutsideFolder
from kbtui.knowledge.reading.decoding import decode
from kbtui.regular_files import open_regular
from kbtui.text.terminal import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A file as text.

    Attributes:
        path: As it was asked for.
        text: With ``\\n`` line ends.
        line_count: Number of lines; a last line without text counts where the file ends in a newline.
        encoding: Python codec it was read with.
        language: Programming language, else empty.
    """

    path: str
    text: str
    line_count: int
    encoding: str
    language: str = ""


CACHE_BYTES: Final = 32 * 1024 * 1024
"""How much text a reader keeps, at about two bytes a character and more for line lists."""

_LARGEST_FILE = 64 * 1024 * 1024

_Key = tuple[str, int, int]


class SourceReader:
    """Reads files of one knowledge base and nothing outside it. Safe to use from several threads.

    Every method raises `OutsideFolder` for a path that leaves the folder (by ``..``, by being absolute, or through a
    link) and `KnowledgeBaseError` for a file that is gone or cannot be read.

    Args:
        root: The knowledge base.
        cache_bytes: Bound of what is kept in memory; the least recently used goes first.
    """

    def __init__(self, root: Path, cache_bytes: int = CACHE_BYTES) -> None:
        self.root = root.expanduser().resolve()
        self._bound = cache_bytes
        self._held = 0
        self._cache: OrderedDict[_Key, tuple[list[str], str, int]] = OrderedDict()
        self._lock = threading.Lock()

    def lines(self, path: str) -> list[str]:
        """The lines of a file, without line ends. The list is the reader's own: do not change it."""
        return self._read(path)[0]

    def text(self, path: str) -> SourceText:
        from kbtui.knowledge.reading.loaders import language_of

        lines, encoding = self._read(path)
        text = "\n".join(lines)
        return SourceText(
            path=path, text=text, line_count=len(lines), encoding=encoding, language=language_of(path, text)
        )

    def locate(self, path: str) -> Path:
        """The absolute path of a file of the knowledge base (its target where it is a link)."""
        shown = one_line(path, 200)
        outside = OutsideFolder(f"{shown} is outside the knowledge base.", "Only files inside the folder can be read.")
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or path.startswith("~"):
            raise outside
        try:
            target = (self.root / path).resolve()
            if not target.is_relative_to(self.root):
                raise outside
            is_file = target.is_file()
        except (OSError, ValueError, RuntimeError) as error:
            raise KnowledgeBaseError(f"{shown} cannot be opened: {one_line(str(error), 200)}.", _REFRESH) from error
        if not is_file:
            raise KnowledgeBaseError(f"There is no file {shown} in {one_line(str(self.root), 200)}.", _REFRESH)
        return target

    def _read(self, path: str) -> tuple[list[str], str]:
        location = self.locate(path)
        try:
            with open_regular(location) as stream:
                status = os.fstat(stream.fileno())
                key = (str(location), status.st_mtime_ns, status.st_size)
                with self._lock:
                    held = self._cache.get(key)
                    if held is not None:
                        self._cache.move_to_end(key)
                        return held[0], held[1]
                if status.st_size > _LARGEST_FILE:
                    raise KnowledgeBaseError(
                        f"{one_line(path, 200)} is too large to show ({status.st_size // 1_000_000} MB).",
                        "Open it in an editor.",
                    )
                data = stream.read(_LARGEST_FILE)
        except OSError as error:
            reason = error.strerror or str(error)
            raise KnowledgeBaseError(f"{one_line(path, 200)} cannot be read: {reason}.", _REFRESH) from error
        decoded = decode(data)
        lines = decoded.text.split("\n")
        self._keep(key, lines, decoded.encoding, 2 * len(decoded.text) + 64 * len(lines))
        return lines, decoded.encoding

    def _keep(self, key: _Key, lines: list[str], encoding: str, cost: int) -> None:
        if cost > self._bound:
            return
        with self._lock:
            if key in self._cache:
                return
            self._cache[key] = (lines, encoding, cost)
            self._held += cost
            while self._held > self._bound:
                _, (_, _, freed) = self._cache.popitem(last=False)
                self._held -= freed


_REFRESH = "Check its name and permissions; `kbtui index` brings the index up to date."
