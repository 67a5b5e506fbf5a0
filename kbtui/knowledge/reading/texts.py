"""The texts that were taken out of files, kept beside the index: ripgrep searches them, and citations point into them.

A text is kept under a key of its file's path, size and modification time, and of the code that takes it. So a file that
has changed has none until it is read again, and one that is read again gives the same lines.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from kbtui.domain.document import DocumentKind, Place
from kbtui.knowledge.reading.formats import Extracted
from kbtui.settings.private import private_folder
from kbtui.whole_file import write_whole

FOLDER: Final = "texts"


class _About(msgspec.Struct, array_like=True):
    """What is kept of a text beside its lines."""

    kind: DocumentKind
    title: str
    places: list[Place]


class TextStore:
    """Texts of one folder's files.

    Args:
        directory: Of the folder's index.
    """

    def __init__(self, directory: Path) -> None:
        self._folder = directory / FOLDER

    def file(self, path: str, size: int, mtime_ns: int) -> Path:
        """Where the text of a file is kept, as UTF-8, if it is."""
        from kbtui.knowledge.reading.extraction import code_digest

        key = hashlib.sha256(f"{path}\0{size}\0{mtime_ns}\0{code_digest()}".encode("utf-8", "surrogateescape"))
        return self._folder / f"{key.hexdigest()[:32]}.txt"

    def read(self, path: str, size: int, mtime_ns: int) -> Extracted | None:
        """The text of a file; None when it is not kept."""
        file = self.file(path, size, mtime_ns)
        try:
            about = msgspec.msgpack.decode(file.with_suffix(".places").read_bytes(), type=_About)
            text = file.read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None
        return Extracted(text=text, kind=about.kind, title=about.title, places=tuple(about.places))

    def keep(self, path: str, size: int, mtime_ns: int, found: Extracted) -> None:
        """Keep the text of a file; where the disk refuses it is made again whenever it is needed."""
        file = self.file(path, size, mtime_ns)
        about = _About(kind=found.kind, title=found.title, places=list(found.places))
        with contextlib.suppress(OSError):
            private_folder(self._folder)
            write_whole(file.with_suffix(".places"), msgspec.msgpack.encode(about))
            write_whole(file, found.text.encode("utf-8", "replace"))

    def sweep(self, files: Iterable[tuple[str, int, int]]) -> None:
        """Forget every text but those of these files: path, size and modification time of each."""
        if not self._folder.is_dir():
            return
        kept = {self.file(*file).stem for file in files}
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if entry.name.partition(".")[0] not in kept:
                    with contextlib.suppress(OSError):
                        Path(entry.path).unlink()
