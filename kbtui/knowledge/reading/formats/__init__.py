"""Takes the text out of files: one module for each kind of format, a row for each format in `FORMATS`.

What a format needs is imported when the first file of it is read, in a worker: none of it costs a folder without such
files anything.
"""

from __future__ import annotations

from importlib import import_module

from kbtui.knowledge.reading.formats.base import Extracted
from kbtui.text.file_formats import FORMATS, Format, format_of

__all__ = ["FORMATS", "Extracted", "Format", "extracted", "format_of"]


def extracted(data: bytes, path: str) -> Extracted | None:
    """The text of a file; None where the file is read as it is.

    Raises:
        KnowledgeBaseError: It has no text that can be read; the message says why in a few words, the hint what would
            make it readable.
        Exception: Whatever a parser makes of a broken file.
    """
    row = format_of(path)
    if row is None:
        return None
    module, _, function = row.extract.partition(":")
    found: Extracted | None = getattr(import_module(f"{__name__}.{module}"), function)(data, path)
    return found
