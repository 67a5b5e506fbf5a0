"""Reads the files of several folders, by paths that begin with the name of the folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.source import SourceReader, SourceText, open_reader
from kbtui.settings.joined import members_of
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line


class JoinedSource(SourceReader):
    """The readers of the member folders as one; see `SourceReader`.

    Args:
        root: The folder that stands for them.
        members: Their readers, by name.
    """

    def __init__(self, root: Path, members: Mapping[str, SourceReader]) -> None:
        super().__init__(root)
        self._members = members

    def lines(self, path: str) -> list[str]:
        reader, inner = self._reader(path)
        return reader.lines(inner)

    def locator(self, path: str, start_line: int, end_line: int) -> str:
        reader, inner = self._reader(path)
        return reader.locator(inner, start_line, end_line)

    def text_file(self, path: str) -> Path | None:
        try:
            reader, inner = self._reader(path)
        except KnowledgeBaseError:
            return None
        return reader.text_file(inner)

    def text(self, path: str) -> SourceText:
        reader, inner = self._reader(path)
        return replace(reader.text(inner), path=path)

    def locate(self, path: str) -> Path:
        reader, inner = self._reader(path)
        return reader.locate(inner)

    def _reader(self, path: str) -> tuple[SourceReader, str]:
        """The reader of the folder that a path begins with, and the path within it."""
        name, _, inner = path.removeprefix("./").partition("/")
        if name not in self._members or not inner:
            raise KnowledgeBaseError(
                f"There is no file {one_line(path, 200)} in these folders.",
                f"A path begins with the name of its folder: {', '.join(self._members)}.",
            )
        return self._members[name], inner


def open_source(root: Path, settings: IndexSettings) -> SourceReader:
    """The reader of a folder, or of the folders that it stands for, each with the index settings of its own.

    Raises:
        SettingsError: The settings file of one of several folders is not valid.
    """
    folders = members_of(root)
    if not folders:
        return open_reader(root, settings)
    from kbtui.settings.load import load_settings

    members = {name: open_reader(folder, load_settings(folder).settings.index) for name, folder in folders.items()}
    return JoinedSource(root, members)
