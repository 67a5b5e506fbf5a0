"""Files to documents. A format is one `Loader`; to add one, write it and put it into `LOADERS`."""

from __future__ import annotations

import hashlib
from typing import Final

from kbtui.domain.document import EXTRACTED, Document, DocumentKind
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.decoding import decode
from kbtui.knowledge.reading.formats import extracted
from kbtui.knowledge.reading.loaders.base import Loader, Parsed, stem
from kbtui.knowledge.reading.loaders.code import CODE
from kbtui.knowledge.reading.loaders.data import CSV, JSON, TOML, YAML
from kbtui.knowledge.reading.loaders.html import HTML
from kbtui.knowledge.reading.loaders.languages import find_language
from kbtui.knowledge.reading.loaders.prose import MARKDOWN, RST, TEXT
from kbtui.knowledge.reading.walked import WalkedFile
from kbtui.regular_files import read_regular
from kbtui.text.terminal import one_line

__all__ = ["LOADERS", "Loader", "Parsed", "kind_of", "language_of", "load", "parse", "read_bytes"]

LOADERS: Final[tuple[Loader, ...]] = (MARKDOWN, RST, HTML, CSV, JSON, YAML, TOML, CODE, TEXT)
"""The first that matches reads a file; the last matches all."""

_BY_KIND: Final = {loader.kind: loader for loader in LOADERS}

_LONGEST_TITLE = 200
_MAY_GROW = 1 << 20
"""Bytes that a file may have gained since it was listed."""


def load(file: WalkedFile) -> Document:
    """Read a file as it is now.

    Raises:
        KnowledgeBaseError: It is gone or cannot be read, or no text can be taken out of it. Text as such never fails.
        Exception: Whatever what takes text out of a broken file raises.
    """
    return parse(read_bytes(file), file.path, mtime_ns=file.mtime_ns)


def read_bytes(file: WalkedFile) -> bytes:
    """A file as it is now.

    Raises:
        KnowledgeBaseError: It is gone or cannot be read.
    """
    try:
        return read_regular(file.absolute, file.size + _MAY_GROW)
    except OSError as error:
        raise KnowledgeBaseError(
            f"{one_line(file.path, 200)} cannot be read: {error.strerror or error}.",
            "It may have been moved or protected since the folder was listed; index again.",
        ) from error


def parse(data: bytes, path: str, mtime_ns: int = 0) -> Document:
    """The document that ``data`` is, under the name ``path``.

    Raises:
        KnowledgeBaseError: No text can be taken out of it.
        Exception: As `load`.
    """
    found = extracted(data, path)
    if found is None:
        decoded = decode(data)
        text, encoding, title, loader = decoded.text, decoded.encoding, "", _loader(path, decoded.text)
    else:
        text, encoding, title, loader = found.text, EXTRACTED, found.title, _BY_KIND[found.kind]
    parsed = loader.parse(text, path)
    return Document(
        path=path,
        kind=loader.kind,
        title=one_line(title or parsed.title)[:_LONGEST_TITLE] or one_line(stem(path)),
        text=text,
        language=parsed.language,
        encoding=encoding,
        headings=parsed.headings,
        fields=parsed.fields,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        mtime_ns=mtime_ns,
        places=found.places if found is not None else (),
    )


def kind_of(path: str, text: str = "") -> DocumentKind:
    """How a file would be read; ``text`` (its beginning) helps where the name says nothing."""
    return _loader(path, text).kind


def language_of(path: str, text: str = "") -> str:
    """The programming language of a file, else empty."""
    language = find_language(path, text) if _loader(path, text) is CODE else None
    return language.name if language else ""


def _loader(path: str, text: str) -> Loader:
    return next(loader for loader in LOADERS if loader.matches(path, text))
