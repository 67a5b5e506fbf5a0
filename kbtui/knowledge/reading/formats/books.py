"""EPUB: the chapters of a book in the order in which they are read."""

from __future__ import annotations

import posixpath
import zipfile
from typing import Any, Final
from urllib.parse import unquote

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged, unreadable
from kbtui.knowledge.reading.formats.packages import DAMAGED, attribute, checked, local, parsed
from kbtui.knowledge.reading.formats.pages import markdown_of

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_FONTS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_MOST_CHAPTERS: Final = 2_000


def extract(data: bytes, path: str) -> Extracted:
    """The text of a book, as Markdown, with a place for each chapter.

    Raises:
        KnowledgeBaseError: It is protected, or damaged.
    """
    del path
    with checked(data) as archive:
        try:
            _check_unprotected(archive)
            package_path, package = _package(archive)
            builder = TextBuilder()
            number = 0
            for name in _spine(package_path, package)[:_MOST_CHAPTERS]:
                if builder.full():
                    break
                text = markdown_of(archive.read(name)) if name in archive.NameToInfo else ""
                if text:
                    number += 1
                    builder.blank()
                    builder.place(f"ch.{number}")
                    builder.add(text)
            return builder.done("markdown", title=_title(package))
        except DAMAGED as error:
            raise damaged() from error


def _check_unprotected(archive: zipfile.ZipFile) -> None:
    if _ENCRYPTION not in archive.NameToInfo:
        return
    methods = [
        attribute(element, "Algorithm")
        for element in parsed(archive.read(_ENCRYPTION)).iter()
        if local(element) == "EncryptionMethod"
    ]
    if any(not method.startswith(_FONTS) for method in methods):
        raise unreadable("protected against copying", "read it where it was bought")


def _package(archive: zipfile.ZipFile) -> tuple[str, Any]:
    """The path of the file that lists what a book is made of, and its root."""
    container = parsed(archive.read(_CONTAINER))
    path = next(attribute(element, "full-path") for element in container.iter() if local(element) == "rootfile")
    return path, parsed(archive.read(path))


def _spine(package_path: str, package: Any) -> list[str]:
    folder = posixpath.dirname(package_path)
    files = {
        attribute(item, "id"): posixpath.normpath(posixpath.join(folder, unquote(attribute(item, "href"))))
        for item in package.iter()
        if local(item) == "item"
    }
    wanted = [attribute(item, "idref") for item in package.iter() if local(item) == "itemref"]
    return [files[name] for name in wanted if name in files]


def _title(package: Any) -> str:
    return next((element.text or "" for element in package.iter() if local(element) == "title"), "")
