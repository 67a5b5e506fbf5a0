"""What a folder is made of once it has been read: documents, chunks, relations, files.

Line numbers are 1-based and inclusive everywhere. A line ends at ``\\n`` after ``\\r\\n`` and lone ``\\r`` were turned
into ``\\n``; nothing else (no form feed, no U+2028) ends a line, so that editors and ripgrep count as we do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

DocumentKind = Literal["markdown", "rst", "text", "html", "csv", "json", "yaml", "toml", "code"]
ChunkKind = Literal["prose", "code", "table", "list", "header", "definition"]

EXTRACTED: Final = "extracted"
"""Stands for the encoding of a file whose text was taken out of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading and where its section starts.

    Attributes:
        level: 1 for the outermost.
        text: The heading without its mark-up.
        line: The line the heading text stands on.
    """

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderField:
    """One ``key: value`` of a document's front matter or header block, with the lines that state it."""

    key: str
    value: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where lines of extracted text stand in the file that they were extracted from, up to the next place.

    Attributes:
        line: Of the extracted text, the first that belongs to it.
        name: ``p.5``, ``slide 3``, ``Sheet1!A5``, ``cell 2``, ``message 7``, the path of an archive's member; empty for
            lines that stand in no place.
        counted: It is itself a text of lines, ``line`` being the first of them: ``notes/a.md:L12``.
    """

    line: int
    name: str
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file that was read.

    Attributes:
        path: POSIX path relative to the knowledge base.
        kind: Which loader read it.
        language: Programming language of code (``python``), else empty.
        title: Best title: front matter, first heading, or the file's stem.
        text: The decoded text with ``\\n`` line ends; ``text.split("\\n")`` gives the lines as cited.
        encoding: The encoding it was decoded from (Python codec name); `EXTRACTED` where ``text`` was taken out of the
            file, whose own bytes read otherwise or are no text at all.
        headings: In file order.
        fields: Front matter and header fields in file order.
        sha256: Of the file's bytes.
        size: In bytes.
        mtime_ns: Modification time.
        places: Where lines of extracted text stand in the file, by line.
    """

    path: str
    kind: DocumentKind
    title: str
    text: str
    language: str = ""
    encoding: str = "utf-8"
    headings: tuple[Heading, ...] = ()
    fields: tuple[HeaderField, ...] = ()
    sha256: str = ""
    size: int = 0
    mtime_ns: int = 0
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage that is embedded and retrieved as one.

    Attributes:
        path: Of its file, relative to the knowledge base.
        start_line: First line, inclusive.
        end_line: Last line, inclusive.
        text: Exactly the lines ``start_line..end_line`` of the document, joined by ``\\n``; of one line that is too
            long for a chunk, some sentences of it.
        title: Title of its document.
        heading_path: Headings above it, outermost first (without the title).
        kind: What it mostly is.
    """

    path: str
    start_line: int
    end_line: int
    text: str
    title: str = ""
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "prose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Something a line of one file states about another thing.

    Attributes:
        source_path: The file that states it.
        relation: Normalised name, kebab-case: ``superseded-by``, ``requires``, ``mentions``, ``links-to``,
            ``imports``, ``author``, ``blocks`` … Header fields keep their own name.
        target: What it points at, as a canonical label (``PEP 699``, ``PROJ-100``, ``adr/0007-deploys.md``,
            ``Sam Gross``, ``#27578``).
        target_path: The file that target is, when it is one in the knowledge base; else empty.
        line: The line that states it.
        text: That line, verbatim.
    """

    source_path: str
    relation: str
    target: str
    target_path: str = ""
    line: int = 1
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """What the index remembers about one file.

    Attributes:
        labels: Canonical names of the file (``PEP 509``, ``PROJ-100``), besides its path.
        summary: One line about it, verbatim from it, for listings; ``summary_line`` is where it stands.
    """

    path: str
    kind: DocumentKind
    title: str
    language: str = ""
    encoding: str = "utf-8"
    labels: tuple[str, ...] = ()
    summary: str = ""
    summary_line: int = 1
    line_count: int = 0
    chunk_count: int = 0
    sha256: str = ""
    size: int = 0
    mtime_ns: int = 0


_COUNTER: Final = re.compile(r"(.*?)(\d+)")


def locator_of(places: Sequence[Place], start_line: int, end_line: int) -> str:
    """Where lines of extracted text stand in their file: ``p.5``, ``p.5-6``, ``Sheet1!A5:A7``; empty for no place."""
    if not places:
        return ""
    lines = [place.line for place in places]
    first, last = (places[max(0, bisect_right(lines, line) - 1)] for line in (start_line, max(start_line, end_line)))
    if first.line > start_line:
        return ""
    begins, ends = _named(first, start_line), _named(last, end_line)
    if not begins or not ends or begins == ends:
        return begins
    if first is last:
        return f"{begins}-{ends.rpartition(':')[2]}"
    before, after = _COUNTER.fullmatch(begins), _COUNTER.fullmatch(ends)
    if before and after and before[1] == after[1]:
        sheet, cell, _ = before[1].rpartition("!")
        return f"{begins}:{ends[len(sheet) + 1 :]}" if cell and sheet else f"{begins}-{after[2]}"
    return f"{begins} to {ends}"


def _named(place: Place, line: int) -> str:
    return f"{place.name}:L{line - place.line + 1}" if place.counted and place.name else place.name
