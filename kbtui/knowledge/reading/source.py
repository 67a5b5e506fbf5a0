"""Lines of the files on disk, as they are now: what citations are checked against and previews show."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import EXTRACTED, Place, locator_of
from kbtui.errors import KnowledgeBaseError, OutsideFolder
from kbtui.knowledge.reading.decoding import decode
from kbtui.knowledge.reading.formats import format_of
from kbtui.knowledge.reading.walked import WalkedFile
from kbtui.regular_files import open_regular
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.reading.texts import TextStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A file as text.

    Attributes:
        path: As it was asked for.
        text: With ``\\n`` line ends.
        line_count: Number of lines; a last line without text counts where the file ends in a newline.
        encoding: Python codec it was read with.
        language: Programming language, else empty.
        is_extracted: The text was taken out of the file, and its lines are not those of the file.
    """

    path: str
    text: str
    line_count: int
    encoding: str
    language: str = ""
    is_extracted: bool = False


CACHE_BYTES: Final = 32 * 1024 * 1024
"""How much text a reader keeps, at about two bytes a character and more for line lists."""

_LARGEST_FILE = 64 * 1024 * 1024

_LARGEST_DOCUMENT = 1024 * 1024 * 1024

_Key = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _Held:
    """What is kept of a file: its lines, the codec, the places of extracted lines, and what it costs in memory."""

    lines: list[str]
    encoding: str
    places: tuple[Place, ...]
    cost: int


class SourceReader:
    """Reads files of one knowledge base and nothing outside it. Safe to use from several threads.

    Every method raises `OutsideFolder` for a path that leaves the folder (by ``..``, by being absolute, or through a
    link) and `KnowledgeBaseError` for a file that is gone or cannot be read.

    Args:
        root: The knowledge base.
        cache_bytes: Bound of what is kept in memory; the least recently used goes first.
        texts: Where texts are kept that were taken out of files; without it they are taken again by each reader.
    """

    def __init__(self, root: Path, cache_bytes: int = CACHE_BYTES, texts: TextStore | None = None) -> None:
        self.root = root.expanduser().resolve()
        self._bound = cache_bytes
        self._held = 0
        self._texts = texts
        self._cache: OrderedDict[_Key, _Held] = OrderedDict()
        self._lock = threading.Lock()

    def lines(self, path: str) -> list[str]:
        """The lines of a file, without line ends. The list is the reader's own: do not change it."""
        return self._read(path).lines

    def locator(self, path: str, start_line: int, end_line: int) -> str:
        """Where lines of a file stand in it, such as ``p.5``; empty where line numbers say it."""
        return locator_of(self._read(path).places, start_line, end_line) if format_of(path) is not None else ""

    def text_file(self, path: str) -> Path | None:
        """The file that holds the text that was taken out of a file; None where it is not kept."""
        if self._texts is None or format_of(path) is None:
            return None
        try:
            status = self.locate(path).stat()
        except (OSError, KnowledgeBaseError):
            return None
        kept = self._texts.file(path, status.st_size, status.st_mtime_ns)
        return kept if kept.is_file() else None

    def text(self, path: str) -> SourceText:
        from kbtui.knowledge.reading.loaders import language_of

        held, form = self._read(path), format_of(path)
        text = "\n".join(held.lines)
        is_extracted = held.encoding == EXTRACTED
        return SourceText(
            path=path,
            text=text,
            line_count=len(held.lines),
            encoding=held.encoding,
            language="" if is_extracted else language_of(path, text),
            is_extracted=is_extracted and form is not None and not form.in_place,
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

    def _read(self, path: str) -> _Held:
        location = self.locate(path)
        try:
            with open_regular(location) as stream:
                status = os.fstat(stream.fileno())
                key = (str(location), status.st_mtime_ns, status.st_size)
                with self._lock:
                    held = self._cache.get(key)
                    if held is not None:
                        self._cache.move_to_end(key)
                        return held
                largest = _LARGEST_FILE if format_of(path) is None else _LARGEST_DOCUMENT
                if status.st_size > largest:
                    raise KnowledgeBaseError(
                        f"{one_line(path, 200)} is too large to show ({status.st_size // 1_000_000} MB).",
                        "Open it in an editor.",
                    )
                held = self._taken(path, status)
                if held is None:
                    decoded = decode(stream.read(_LARGEST_FILE))
                    held = _held(decoded.text, decoded.encoding)
        except OSError as error:
            reason = error.strerror or str(error)
            raise KnowledgeBaseError(f"{one_line(path, 200)} cannot be read: {reason}.", _REFRESH) from error
        self._keep(key, held)
        return held

    def _taken(self, path: str, status: os.stat_result) -> _Held | None:
        """The text that is taken out of a file; None where the file is read as it is."""
        if format_of(path) is None:
            return None
        from kbtui.knowledge.reading.taking import take_text

        size, mtime_ns = status.st_size, status.st_mtime_ns
        found = self._texts.read(path, size, mtime_ns) if self._texts is not None else None
        if found is None:
            found = take_text(WalkedFile(root=self.root, path=path, size=size, mtime_ns=mtime_ns))
            if found is not None and self._texts is not None:
                self._texts.keep(path, size, mtime_ns, found)
        return _held(found.text, EXTRACTED, found.places) if found is not None else None

    def _keep(self, key: _Key, held: _Held) -> None:
        if held.cost > self._bound:
            return
        with self._lock:
            if key in self._cache:
                return
            self._cache[key] = held
            self._held += held.cost
            while self._held > self._bound:
                _, freed = self._cache.popitem(last=False)
                self._held -= freed.cost


def _held(text: str, encoding: str, places: tuple[Place, ...] = ()) -> _Held:
    lines = text.split("\n")
    return _Held(lines, encoding, places, 2 * len(text) + 64 * len(lines) + 100 * len(places))


_REFRESH = "Check its name and permissions; `kbtui index` brings the index up to date."
