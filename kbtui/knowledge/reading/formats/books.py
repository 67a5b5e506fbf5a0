"""The text of EPUB files: the chapters of a book in reading order."""

from __future__ import annotations

import posixpath
import zipfile
from typing import Any, Final
from urllib.parse import unquote

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.knowledge.reading.formats.packages import DAMAGED, attribute, local_name, open_archive, parse_xml
from kbtui.knowledge.reading.formats.pages import markdown_of

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_FONTS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_MAX_CHAPTERS: Final = 2_000


def extract(data: bytes, _path: str) -> Extracted:
    """The text of a book, as Markdown, with a place for each chapter.

    Raises:
        KnowledgeBaseError: The file is protected, or damaged.
    """
    with open_archive(data) as archive:
        try:
            _check_unprotected(archive)
            package_path, package = _package(archive)
            builder = TextBuilder()
            number = 0
            for name in _spine(package_path, package)[:_MAX_CHAPTERS]:
                if builder.full():
                    break
                text = markdown_of(archive.read(name)) if name in archive.NameToInfo else ""
                if text:
                    number += 1
                    builder.begin(f"ch.{number}")
                    builder.add(text)
            return builder.done("markdown", title=_title(package))
        except DAMAGED as error:
            raise damaged_error() from error


def _check_unprotected(archive: zipfile.ZipFile) -> None:
    if _ENCRYPTION not in archive.NameToInfo:
        return
    methods = [
        attribute(element, "Algorithm")
        for element in parse_xml(archive.read(_ENCRYPTION)).iter()
        if local_name(element) == "EncryptionMethod"
    ]
    if any(not method.startswith(_FONTS) for method in methods):
        raise KnowledgeBaseError("protected against copying", "read it where it was bought")


def _package(archive: zipfile.ZipFile) -> tuple[str, Any]:
    """Path and root element of the package document, which lists the parts of a book."""
    container = parse_xml(archive.read(_CONTAINER))
    path = next(attribute(element, "full-path") for element in container.iter() if local_name(element) == "rootfile")
    return path, parse_xml(archive.read(path))


def _spine(package_path: str, package: Any) -> list[str]:
    folder = posixpath.dirname(package_path)
    files = {
        attribute(item, "id"): posixpath.normpath(posixpath.join(folder, unquote(attribute(item, "href"))))
        for item in package.iter()
        if local_name(item) == "item"
    }
    references = [attribute(item, "idref") for item in package.iter() if local_name(item) == "itemref"]
    return [files[name] for name in references if name in files]


def _title(package: Any) -> str:
    return next((element.text or "" for element in package.iter() if local_name(element) == "title"), "")
