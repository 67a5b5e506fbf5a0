"""Loads files as documents. Each format has a `Loader` in `LOADERS`."""

from __future__ import annotations

import hashlib
from typing import Final

from kbtui.domain.document import EXTRACTED, Document, DocumentKind
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats import Extracted, extract_text, format_of
from kbtui.knowledge.reading.loaders.base import Loader, Parsed, stem
from kbtui.knowledge.reading.loaders.code import CODE
from kbtui.knowledge.reading.loaders.data import CSV, JSON, TOML, YAML
from kbtui.knowledge.reading.loaders.html import HTML
from kbtui.knowledge.reading.loaders.languages import find_language
from kbtui.knowledge.reading.loaders.prose import MARKDOWN, RST, TEXT
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.reading.walk_types import ReadingRules, WalkedFile
from kbtui.regular_files import read_regular
from kbtui.text.decoding import decode
from kbtui.text.terminal import one_line

__all__ = ["LOADERS", "Loader", "Parsed", "kind_of", "language_of", "load", "parse", "read_bytes"]

LOADERS: Final[tuple[Loader, ...]] = (MARKDOWN, RST, HTML, CSV, JSON, YAML, TOML, CODE, TEXT)
"""The first matching loader parses a file; the last one matches every file."""

_BY_KIND: Final = {loader.kind: loader for loader in LOADERS}

_MAX_TITLE_CHARS = 200
_MAX_GROWTH = 1 << 20
"""Bytes by which a file may have grown since it was listed."""


def load(file: WalkedFile, rules: ReadingRules | None = None) -> Document:
    """The document of a file, as it is now.

    Args:
        rules: The settings with the commands that print the text of files; without them no command is run.

    Raises:
        KnowledgeBaseError: It is missing or cannot be read, or its text cannot be extracted.
        Exception: Any error of an extractor on a damaged file.
    """
    data = read_bytes(file)
    stored = None if data else _published_text(file)
    return _document(data, file.path, file.mtime_ns, stored or extract_text(data, file.path, rules, file.absolute))


def _published_text(file: WalkedFile) -> Extracted | None:
    """The stored text of an empty file; a generation of a published collection has texts in place of documents."""
    if file.index is None or format_of(file.path) is None:
        return None
    return TextStore(file.index).read(file.path, 0, file.mtime_ns)


def read_bytes(file: WalkedFile) -> bytes:
    """The bytes of a file, as it is now.

    Raises:
        KnowledgeBaseError: It is missing or cannot be read.
    """
    try:
        return read_regular(file.absolute, file.size + _MAX_GROWTH)
    except OSError as error:
        raise KnowledgeBaseError(
            f"{one_line(file.path, 200)} cannot be read: {error.strerror or error}.",
            "It may have been moved or protected since the folder was listed; index again.",
        ) from error


def parse(data: bytes, path: str, mtime_ns: int = 0) -> Document:
    """The document of ``data``, as the file ``path``.

    Raises:
        KnowledgeBaseError: Its text cannot be extracted.
        Exception: As `load`.
    """
    return _document(data, path, mtime_ns, extract_text(data, path))


def _document(data: bytes, path: str, mtime_ns: int, extracted: Extracted | None) -> Document:
    if extracted is None:
        decoded = decode(data)
        text, encoding, title, loader = decoded.text, decoded.encoding, "", _loader_for(path, decoded.text)
    else:
        text, encoding, title, loader = extracted.text, EXTRACTED, extracted.title, _BY_KIND[extracted.kind]
    parsed = loader.parse(text, path)
    return Document(
        path=path,
        kind=loader.kind,
        title=one_line(title or parsed.title)[:_MAX_TITLE_CHARS] or one_line(stem(path)),
        text=text,
        language=parsed.language,
        encoding=encoding,
        headings=parsed.headings,
        fields=parsed.fields,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        mtime_ns=mtime_ns,
        places=extracted.places if extracted is not None else (),
        tree=extracted.tree if extracted is not None else None,
    )


def kind_of(path: str, text: str = "") -> DocumentKind:
    """The kind of a file; ``text`` (its beginning) decides where the name does not."""
    return _loader_for(path, text).kind


def language_of(path: str, text: str = "") -> str:
    """The programming language of a file; empty where it is no code."""
    language = find_language(path, text) if _loader_for(path, text) is CODE else None
    return language.name if language else ""


def _loader_for(path: str, text: str) -> Loader:
    return next(loader for loader in LOADERS if loader.matches(path, text))
