"""Reads one file for the index: text, chunks, relations, labels and a summary line."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import kbtui
from kbtui.domain.document import EXTRACTED, Chunk, Document, FileRecord, Relation
from kbtui.knowledge.reading.formats import Extracted
from kbtui.knowledge.reading.walk_types import ReadingRules, WalkedFile
from kbtui.text.file_formats import foreign_recipe

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walk_types import WalkedFile

_SOURCES: Final = (
    "kbtui.knowledge.reading.formats",
    "kbtui.knowledge.reading.loaders",
    "kbtui.knowledge.reading.chunking",
    "kbtui.knowledge.relations",
    "kbtui.knowledge.reading.terms",
    "kbtui.text",
    __name__,
)
"""The modules that determine the chunks, terms and relations of a file, besides its bytes and the settings."""

_SUMMARY_FIELDS: Final = frozenset({"summary", "description", "abstract", "subtitle", "tldr"})
_MAX_SUMMARY_LINE: Final = 200
_NO_PROSE = re.compile(
    r"^\s*(?:\.\.|[|+=~^*`<{}\[\]@&%$]|:[\w -]+:|#!|!\[|-{3})"
    r"|^\s*(?:import\b|from\b.*\bimport\b|package\b|use\b|using\b|#include\b)"
    r"|copyright|licen[sc]e|spdx|coding[:=]",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^\s*(?:[#>;*/\"'!-]+|//+|--|\d+[.)])\s*")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
_PROSE_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One file after reading and cutting.

    Attributes:
        embedding_texts: The text that is embedded for each of ``chunks``.
        extracted: The extracted text; None where the bytes of the file are its text.
    """

    record: FileRecord
    chunks: tuple[Chunk, ...]
    embedding_texts: tuple[str, ...]
    relations: tuple[Relation, ...]
    extracted: Extracted | None = None


def read(file: WalkedFile, settings: ReadingRules) -> Reading:
    """Read and cut one file, and extract its relations.

    Raises:
        OSError: The file is missing or may not be read.
        Exception: Any error of a parser on a damaged file.
    """
    from kbtui.knowledge.reading.chunking import chunk, embedding_text
    from kbtui.knowledge.reading.loaders import load
    from kbtui.knowledge.relations import extract_relations, file_labels

    document = load(file, settings)
    chunks = tuple(chunk(document, settings))
    summary_line, summary = summarise(document)
    return Reading(
        record=FileRecord(
            path=document.path,
            kind=document.kind,
            title=document.title,
            language=document.language,
            encoding=document.encoding,
            labels=tuple(file_labels(document)),
            summary=summary,
            summary_line=summary_line,
            line_count=len(document.text.split("\n")),
            chunk_count=len(chunks),
            sha256=document.sha256,
            size=file.size,
            mtime_ns=file.mtime_ns,
        ),
        chunks=chunks,
        embedding_texts=tuple(map(embedding_text, chunks)),
        relations=tuple(extract_relations(document)),
        extracted=(
            Extracted(text=document.text, kind=document.kind, places=document.places, title=document.title)
            if document.encoding == EXTRACTED
            else None
        ),
    )


def summarise(document: Document) -> tuple[int, str]:
    """Number and stripped text of the line that best summarises a document; ``(1, "")`` for an empty document.

    It is that of a summary field, else the first line of prose, else the first line that is not blank.
    """
    lines = document.text.split("\n")
    for field in document.fields:
        if field.key.casefold() in _SUMMARY_FIELDS and field.value.strip():
            first_words = field.value.strip().split("\n")[0].strip()
            for number in range(field.start_line, min(field.end_line, len(lines)) + 1):
                if first_words and first_words in lines[number - 1]:
                    return number, first_words
    excluded_lines = {heading.line for heading in document.headings}
    for field in document.fields:
        excluded_lines.update(range(field.start_line, field.end_line + 1))
    first_text = (1, "")
    for number, line in enumerate(lines[:_MAX_SUMMARY_LINE], start=1):
        if not line.strip():
            continue
        if not first_text[1]:
            first_text = (number, line.strip())
        if number not in excluded_lines and not _NO_PROSE.search(line):
            words = _WORD.findall(_MARKS.sub("", line))
            if len(words) >= _PROSE_WORDS and line.strip() != document.title:
                return number, line.strip()
    return first_text


def recipe(settings: ReadingRules) -> str:
    """An identifier of how files are read and cut, which changes with the code, the chunk length, the commands of the
    settings and the loaders of other packages.

    A file indexed with another recipe counts as changed, but vectors of equal chunks are reused.
    """
    others = foreign_recipe(settings.commands)
    own = f"{code_digest()}-{settings.chunk_chars}"
    return f"{own}-{hashlib.sha256(others.encode('utf-8', 'replace')).hexdigest()[:8]}" if others else own


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A hash of the sources that determine how files are read, so that no version number has to be maintained."""
    digest = hashlib.sha256(kbtui.__version__.encode())
    for name in _SOURCES:
        for file in _source_files(name):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _source_files(module: str) -> Iterator[Path]:
    spec = importlib.util.find_spec(module)
    if spec is None:
        return
    if spec.submodule_search_locations:
        for folder in spec.submodule_search_locations:
            yield from sorted(Path(folder).rglob("*.py"))
    elif spec.origin:
        yield Path(spec.origin)
