"""Extracts the text of files: one module for each kind of format, and a row in `FORMATS` for each format.

The library of a format is imported, in a worker, when the first such file is read.
"""

from __future__ import annotations

from importlib import import_module

from kbtui.knowledge.reading.formats.base import Extracted
from kbtui.text.file_formats import FORMATS, Format, format_of

__all__ = ["FORMATS", "Extracted", "Format", "extract_text", "format_of"]


def extract_text(data: bytes, path: str) -> Extracted | None:
    """The text of a file; None where the bytes of the file are its text.

    Raises:
        KnowledgeBaseError: It has no readable text; the message has the reason in a few words, the hint what would make
            it readable.
        Exception: Any error of a parser on a damaged file.
    """
    file_format = format_of(path)
    if file_format is None:
        return None
    module, _, function = file_format.extract.partition(":")
    extracted: Extracted | None = getattr(import_module(f"{__name__}.{module}"), function)(data, path)
    return extracted
