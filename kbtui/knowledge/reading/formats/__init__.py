"""Extracts the text of files: one module for each kind of format, and a row in `FORMATS` for each format.

The library of a format is imported, in a worker, when the first such file is read. So are the loaders of other packages
(`others`), and so are the commands of the settings run (`commands`).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder
from kbtui.knowledge.reading.walk_types import ReadingRules
from kbtui.text.file_formats import FORMATS, NO_COMMANDS, Format, format_of

__all__ = ["FORMATS", "Extracted", "Format", "TextBuilder", "extract_text", "format_of"]


def extract_text(
    data: bytes, path: str, rules: ReadingRules | None = None, location: Path | None = None
) -> Extracted | None:
    """The text of a file; None where the bytes of the file are its text.

    Args:
        rules: The settings with the commands that print the text of files; without them no command is run.
        location: The absolute path of the file; None for a member of an archive, which no command is given.

    Raises:
        KnowledgeBaseError: It has no readable text; the message has the reason in a few words, the hint what would make
            it readable.
        Exception: Any error of a parser on a damaged file.
    """
    file_format = format_of(path, rules.commands if rules is not None and location is not None else NO_COMMANDS)
    if file_format is None:
        return None
    if file_format.command and rules is not None and location is not None:
        from kbtui.knowledge.reading.formats.commands import extract_by_command

        return extract_by_command(data, location, file_format.command, rules.command_s)
    if file_format.plugin is not None:
        from kbtui.knowledge.reading.formats.others import extract_by_plugin

        return extract_by_plugin(data, path, file_format.plugin)
    module, _, function = file_format.extract.partition(":")
    extracted: Extracted | None = getattr(import_module(f"{__name__}.{module}"), function)(data, path)
    return extracted
