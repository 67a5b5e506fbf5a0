"""Stores extracted texts next to the index, where ripgrep searches them and citations refer to their lines.

The key of a text is made of the path, size and modification time of its file, and of the code, or the command of the
settings, that extracts it. A file that has changed therefore has no text until it is read again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from kbtui.domain.document import DocumentKind, Place
from kbtui.knowledge.reading.formats import Extracted
from kbtui.settings.private import private_folder
from kbtui.text.file_formats import NO_COMMANDS, format_of
from kbtui.whole_file import write_whole

FOLDER: Final = "texts"


class _Metadata(msgspec.Struct, array_like=True):
    """Metadata of a stored text."""

    kind: DocumentKind
    title: str
    places: list[Place]


class TextStore:
    """The extracted texts of the files of one folder.

    Args:
        directory: Directory of the index of the folder.
        commands: Commands of the settings that print the text of files, by pattern.
    """

    def __init__(self, directory: Path, commands: Mapping[str, str] = NO_COMMANDS) -> None:
        self._folder = directory / FOLDER
        self._commands = commands

    def file(self, path: str, size: int, mtime_ns: int) -> Path:
        """Path of the stored text of a file, in UTF-8; it need not exist."""
        from kbtui.knowledge.reading.extraction import code_digest

        file_format = format_of(path, self._commands)
        recipe = f"{code_digest()}{file_format.foreign if file_format is not None else ''}"
        key = hashlib.sha256(f"{path}\0{size}\0{mtime_ns}\0{recipe}".encode("utf-8", "surrogateescape"))
        return self._folder / f"{key.hexdigest()[:32]}.txt"

    def read(self, path: str, size: int, mtime_ns: int) -> Extracted | None:
        """The stored text of a file; None where there is none."""
        file = self.file(path, size, mtime_ns)
        try:
            metadata = msgspec.msgpack.decode(file.with_suffix(".places").read_bytes(), type=_Metadata)
            text = file.read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None
        return Extracted(text=text, kind=metadata.kind, title=metadata.title, places=tuple(metadata.places))

    def keep(self, path: str, size: int, mtime_ns: int, extracted: Extracted) -> None:
        """Store the text of a file; where that fails, the text is extracted again whenever it is needed."""
        file = self.file(path, size, mtime_ns)
        metadata = _Metadata(kind=extracted.kind, title=extracted.title, places=list(extracted.places))
        with contextlib.suppress(OSError):
            private_folder(self._folder)
            # `sweep` removes dead drafts: to look for them at each of thousands of texts takes quadratic time.
            write_whole(file.with_suffix(".places"), msgspec.msgpack.encode(metadata), tidy=False)
            write_whole(file, extracted.text.encode("utf-8", "replace"), tidy=False)

    def sweep(self, files: Iterable[tuple[str, int, int]]) -> None:
        """Delete all stored texts except those of ``files``, given by path, size and modification time."""
        if not self._folder.is_dir():
            return
        kept = {self.file(*file).stem for file in files}
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if entry.name.partition(".")[0] not in kept:
                    with contextlib.suppress(OSError):
                        Path(entry.path).unlink()
