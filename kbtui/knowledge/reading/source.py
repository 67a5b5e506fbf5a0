"""Reads the current lines of files on disk, against which citations are checked and which previews show."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import EXTRACTED, Place, locator_of
from kbtui.errors import KnowledgeBaseError, OutsideFolder
from kbtui.knowledge.reading.walk_types import ReadingRules, WalkedFile
from kbtui.regular_files import open_regular
from kbtui.settings import paths
from kbtui.text.decoding import decode
from kbtui.text.file_formats import Format, format_of
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.reading.texts import TextStore
    from kbtui.settings.model import IndexSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A file as text.

    Attributes:
        path: The path as it was asked for.
        text: The text with ``\\n`` line ends.
        line_count: Number of lines; a trailing newline adds an empty one.
        encoding: Python codec that decoded it.
        language: Programming language of code, else empty.
        is_extracted: Whether the text was extracted, so that its lines are not those of the file.
    """

    path: str
    text: str
    line_count: int
    encoding: str
    language: str = ""
    is_extracted: bool = False


CACHE_BYTES: Final = 32 * 1024 * 1024
"""Memory for cached text, estimated at two bytes for each character, plus the lists of lines."""

_MAX_FILE_BYTES = 64 * 1024 * 1024
_MAX_DOCUMENT_BYTES = 1024 * 1024 * 1024

_Key = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _CacheEntry:
    """The lines of a file, their encoding, the places of extracted lines, and the estimated memory in bytes."""

    lines: list[str]
    encoding: str
    places: tuple[Place, ...]
    cost: int


def open_reader(root: Path, settings: IndexSettings) -> SourceReader:
    """The reader of a folder, with the stored texts beside its index and the commands of the settings."""
    from kbtui.knowledge.reading.folder_worker import reading_rules
    from kbtui.knowledge.reading.texts import TextStore

    texts = TextStore(paths.index_dir(root), settings.commands)
    return SourceReader(root, texts=texts, rules=reading_rules(settings))


class SourceReader:
    """Reads files of one knowledge base, and none outside of it; safe to use from several threads.

    Every method raises `OutsideFolder` for a path that leaves the folder (by ``..``, as an absolute path, or through a
    link) and `KnowledgeBaseError` for a file that is missing or cannot be read.

    Args:
        root: The folder of the knowledge base.
        cache_bytes: Limit of the cache in memory, which drops the least recently used files.
        texts: The store of extracted texts; without it each reader extracts them again.
        rules: The settings with the commands that print the text of files; without them no command is run.
    """

    def __init__(
        self,
        root: Path,
        cache_bytes: int = CACHE_BYTES,
        texts: TextStore | None = None,
        rules: ReadingRules | None = None,
    ) -> None:
        self.root = root.expanduser().resolve()
        self._max_bytes = cache_bytes
        self._cached_bytes = 0
        self._texts = texts
        self._rules = rules
        self._cache: OrderedDict[_Key, _CacheEntry] = OrderedDict()
        self._lock = threading.Lock()

    def lines(self, path: str) -> list[str]:
        """The lines of a file, without line ends. The list is cached and must not be changed."""
        return self._read(path).lines

    def format_of(self, path: str) -> Format | None:
        """The format of a file of the folder; None where the bytes of the file are its text."""
        return format_of(path, self._rules.commands) if self._rules is not None else format_of(path)

    def locator(self, path: str, start_line: int, end_line: int) -> str:
        """The position of lines in a file, such as ``p.5``; empty where line numbers are the position."""
        return locator_of(self._read(path).places, start_line, end_line) if self.format_of(path) is not None else ""

    def text_file(self, path: str) -> Path | None:
        """The stored file with the extracted text of a file; None where there is none."""
        if self._texts is None or self.format_of(path) is None:
            return None
        try:
            status = self.locate(path).stat()
        except (OSError, KnowledgeBaseError):
            return None
        stored = self._texts.file(path, status.st_size, status.st_mtime_ns)
        return stored if stored.is_file() else None

    def text(self, path: str) -> SourceText:
        """A file as text, with its encoding and language."""
        from kbtui.knowledge.reading.loaders import language_of

        entry, file_format = self._read(path), self.format_of(path)
        text = "\n".join(entry.lines)
        is_extracted = entry.encoding == EXTRACTED
        return SourceText(
            path=path,
            text=text,
            line_count=len(entry.lines),
            encoding=entry.encoding,
            language="" if is_extracted else language_of(path, text),
            is_extracted=is_extracted and file_format is not None and not file_format.in_place,
        )

    def locate(self, path: str) -> Path:
        """The absolute path of a file of the knowledge base; of a link, that of its target."""
        printed_path = one_line(path, 200)
        outside = OutsideFolder(
            f"{printed_path} is outside the knowledge base.", "Only files inside the folder can be read."
        )
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or path.startswith("~"):
            raise outside
        try:
            target = (self.root / path).resolve()
            if not target.is_relative_to(self.root):
                raise outside
            is_file = target.is_file()
        except (OSError, ValueError, RuntimeError) as error:
            raise KnowledgeBaseError(
                f"{printed_path} cannot be opened: {one_line(str(error), 200)}.", _REFRESH
            ) from error
        if not is_file:
            raise KnowledgeBaseError(f"There is no file {printed_path} in {one_line(str(self.root), 200)}.", _REFRESH)
        return target

    def _read(self, path: str) -> _CacheEntry:
        location = self.locate(path)
        try:
            with open_regular(location) as stream:
                status = os.fstat(stream.fileno())
                key = (str(location), status.st_mtime_ns, status.st_size)
                with self._lock:
                    entry = self._cache.get(key)
                    if entry is not None:
                        self._cache.move_to_end(key)
                        return entry
                max_bytes = _MAX_FILE_BYTES if self.format_of(path) is None else _MAX_DOCUMENT_BYTES
                if status.st_size > max_bytes:
                    raise KnowledgeBaseError(
                        f"{one_line(path, 200)} is too large to show ({status.st_size // 1_000_000} MB).",
                        "Open it in an editor.",
                    )
                entry = self._extract(path, status)
                if entry is None:
                    decoded = decode(stream.read(_MAX_FILE_BYTES))
                    entry = _entry(decoded.text, decoded.encoding)
        except OSError as error:
            reason = error.strerror or str(error)
            raise KnowledgeBaseError(f"{one_line(path, 200)} cannot be read: {reason}.", _REFRESH) from error
        self._keep(key, entry)
        return entry

    def _extract(self, path: str, status: os.stat_result) -> _CacheEntry | None:
        """The extracted text of a file; None where the bytes of the file are its text."""
        if self.format_of(path) is None:
            return None
        from kbtui.knowledge.reading.extraction_worker import extract_file_text

        size, mtime_ns = status.st_size, status.st_mtime_ns
        extracted = self._texts.read(path, size, mtime_ns) if self._texts is not None else None
        if extracted is None:
            extracted = extract_file_text(
                WalkedFile(root=self.root, path=path, size=size, mtime_ns=mtime_ns), self._rules
            )
            if extracted is not None and self._texts is not None:
                self._texts.keep(path, size, mtime_ns, extracted)
        return _entry(extracted.text, EXTRACTED, extracted.places) if extracted is not None else None

    def _keep(self, key: _Key, entry: _CacheEntry) -> None:
        if entry.cost > self._max_bytes:
            return
        with self._lock:
            if key in self._cache:
                return
            self._cache[key] = entry
            self._cached_bytes += entry.cost
            while self._cached_bytes > self._max_bytes:
                _, dropped = self._cache.popitem(last=False)
                self._cached_bytes -= dropped.cost


def _entry(text: str, encoding: str, places: tuple[Place, ...] = ()) -> _CacheEntry:
    lines = text.split("\n")
    return _CacheEntry(lines, encoding, places, 2 * len(text) + 64 * len(lines) + 100 * len(places))


_REFRESH = "Check its name and permissions; `kbtui index` brings the index up to date."
