"""Files that are ZIP archives of parts (DOCX, PPTX, XLSX, EPUB), looked at before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import damaged, unreadable

DAMAGED: Final = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, SyntaxError, EOFError, AttributeError, OSError)
"""What reading a damaged archive or the XML in it raises."""

_LARGE_PART: Final = 32 << 20
_MOST_PACKED: Final = 200
"""Times a part of more than 32 MB may be larger than it is packed: text is 5 to 20 times, DEFLATE's limit is 1,032."""
_MOST_UNPACKED: Final = 1 << 30
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")


def checked(data: bytes) -> zipfile.ZipFile:
    """``data`` as an archive that unpacks to no more than a file may.

    Raises:
        KnowledgeBaseError: It is protected by a password, is no archive, or was made to exhaust memory.
    """
    if data.startswith(_OLE):
        if _ENCRYPTED_STREAM in data:
            raise unreadable("protected by a password", "save it without one")
        raise unreadable("in an older format than its name says", "save it as what its name says")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except DAMAGED as error:
        raise damaged() from error
    check_proportions(archive)
    if any(part.flag_bits & 1 for part in archive.infolist()):
        raise unreadable("protected by a password", "save it without one")
    return archive


def check_proportions(archive: zipfile.ZipFile) -> None:
    """Refuse an archive that unpacks to far more than documents do.

    Raises:
        KnowledgeBaseError: It does.
    """
    parts = archive.infolist()
    total = sum(part.file_size for part in parts)
    if total > _MOST_UNPACKED or any(
        part.file_size > _LARGE_PART and part.file_size > _MOST_PACKED * part.compress_size for part in parts
    ):
        raise unreadable(f"unpacks to {total / 1e6:,.0f} MB, out of proportion to its size")


def parsed(markup: bytes) -> Any:
    """The root of XML, without entities, without the network, and without what libxml2 thinks too large.

    Raises:
        ValueError: It is not well-formed.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(markup, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(str(error)) from error


def local(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Any, name: str) -> str:
    """An attribute by its name without its namespace; empty where there is none."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def row(cells: list[str]) -> str:
    """A row of a table in Markdown."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def rule(width: int) -> str:
    """What stands below the first row of a table in Markdown."""
    return "|" + " --- |" * width
