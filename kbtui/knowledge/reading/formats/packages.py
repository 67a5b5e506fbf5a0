"""Files that are ZIP archives of parts (DOCX, PPTX, XLSX, EPUB): checks before unpacking, and helpers for XML."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any, Final

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats.base import damaged_error

DAMAGED: Final = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, SyntaxError, EOFError, AttributeError, OSError)
"""Errors of reading a damaged archive or the XML in it."""

_LARGE_PART_BYTES: Final = 32 << 20
_MAX_RATIO: Final = 200
"""Greatest compression ratio of a part of more than 32 MB: that of text is 5 to 20, the limit of DEFLATE 1,032."""
_MAX_UNPACKED_BYTES: Final = 1 << 30
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")


def open_archive(data: bytes) -> zipfile.ZipFile:
    """``data`` as an archive, after a check of its unpacked size.

    Raises:
        KnowledgeBaseError: It is protected by a password, is not an archive, or would exhaust memory.
    """
    if data.startswith(_OLE):
        if _ENCRYPTED_STREAM in data:
            raise KnowledgeBaseError("protected by a password", "save it without one")
        raise KnowledgeBaseError("in an older format than its name says", "save it as what its name says")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except DAMAGED as error:
        raise damaged_error() from error
    check_proportions(archive)
    if any(part.flag_bits & 1 for part in archive.infolist()):
        raise KnowledgeBaseError("protected by a password", "save it without one")
    return archive


def check_proportions(archive: zipfile.ZipFile) -> None:
    """Check that an archive does not unpack to far more than documents do.

    Raises:
        KnowledgeBaseError: It does.
    """
    parts = archive.infolist()
    total = sum(part.file_size for part in parts)
    if total > _MAX_UNPACKED_BYTES or any(
        part.file_size > _LARGE_PART_BYTES and part.file_size > _MAX_RATIO * part.compress_size for part in parts
    ):
        raise KnowledgeBaseError(f"unpacks to {total / 1e6:,.0f} MB, out of proportion to its size")


def parse_xml(markup: bytes) -> Any:
    """The root element of XML; entities and the network are not used, and limits of libxml2 apply.

    Raises:
        ValueError: The XML is not well-formed.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(markup, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(str(error)) from error


def local_name(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Any, name: str) -> str:
    """The value of an attribute, by its name without namespace; empty where there is none."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def row(cells: list[str]) -> str:
    """A row of a table in Markdown."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def rule(width: int) -> str:
    """The delimiter row below the header row of a table in Markdown."""
    return "|" + " --- |" * width
