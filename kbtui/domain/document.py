"""The contents of a folder after reading: documents, chunks, relations and file records.

Line numbers are 1-based and inclusive everywhere. A line ends at ``\\n``, to which ``\\r\\n`` and lone ``\\r`` are
converted first; nothing else (no form feed, no U+2028) ends a line, so that editors and ripgrep count the same lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from kbtui.domain.tree import Node

DocumentKind = Literal["markdown", "rst", "text", "html", "csv", "json", "yaml", "toml", "code"]
ChunkKind = Literal["prose", "code", "table", "list", "header", "definition"]

EXTRACTED: Final = "extracted"
"""Value of `Document.encoding` for a file whose text was extracted from a binary or marked-up format."""


class Heading(Struct, frozen=True, kw_only=True):
    """A heading and where its section starts.

    Attributes:
        level: 1 for the outermost.
        text: The heading without its mark-up.
        line: Line number of the heading text.
    """

    level: int
    text: str
    line: int


class HeaderField(Struct, frozen=True, kw_only=True):
    """One ``key: value`` of a document's front matter or header block, with the lines that state it."""

    key: str
    value: str
    start_line: int
    end_line: int


class Place(Struct, frozen=True, kw_only=True):
    """A position in a file with extracted text, which holds for the lines up to the next place.

    Attributes:
        line: First line of the extracted text that belongs to it.
        name: ``p.5``, ``slide 3``, ``Sheet1!A5``, ``cell 2``, ``message 7``, the path of a member of an archive; empty
            for lines without a position.
        counted: Whether its lines are counted too, from ``line``: ``notes/a.md:L12``.
    """

    line: int
    name: str
    counted: bool = False


class Document(Struct, frozen=True, kw_only=True):
    """A file after reading.

    Attributes:
        path: POSIX path relative to the knowledge base.
        kind: Kind of the loader that read it.
        language: Programming language of code (``python``), else empty.
        title: Best title: front matter, first heading, or the file's stem.
        text: The decoded text with ``\\n`` line ends; ``text.split("\\n")`` gives the lines as cited.
        encoding: Python codec name of its encoding; `EXTRACTED` where ``text`` is not the decoded bytes of the file.
        headings: Headings in file order.
        fields: Front matter and header fields in file order.
        sha256: Hash of the bytes of the file.
        size: Size in bytes.
        mtime_ns: Modification time in nanoseconds.
        places: Positions of the lines of extracted text, by line.
        tree: Values of extracted data; None for other files.
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
    tree: Node | None = None


class Chunk(Struct, frozen=True, kw_only=True):
    """A passage that is embedded and retrieved as a unit.

    Attributes:
        path: Path of its file, relative to the knowledge base.
        start_line: First line, inclusive.
        end_line: Last line, inclusive.
        text: Exactly the lines ``start_line..end_line`` of the document, joined by ``\\n``; some sentences of a
            line where one line is too long for a chunk.
        title: Title of its document.
        heading_path: Headings above it, outermost first (without the title).
        kind: The kind of most of its text.
    """

    path: str
    start_line: int
    end_line: int
    text: str
    title: str = ""
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "prose"


class Relation(Struct, frozen=True, kw_only=True):
    """A relation to another thing that a line of a file states.

    Attributes:
        source_path: The file that states it.
        relation: Normalised name, kebab-case: ``superseded-by``, ``requires``, ``mentions``, ``links-to``,
            ``imports``, ``author``, ``blocks`` … Header fields keep their own name.
        target: The other thing, as a canonical label (``PEP 699``, ``PROJ-100``, ``adr/0007-deploys.md``,
            ``Sam Gross``, ``#27578``).
        target_path: Path of the target where it is a file of the knowledge base; else empty.
        line: The line that states it.
        text: That line, verbatim.
    """

    source_path: str
    relation: str
    target: str
    target_path: str = ""
    line: int = 1
    text: str = ""


class FileRecord(Struct, frozen=True, kw_only=True):
    """What the index stores about one file.

    Attributes:
        labels: Canonical names of the file (``PEP 509``, ``PROJ-100``), besides its path.
        summary: One line of it for listings, verbatim; ``summary_line`` is its line number.
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


_TRAILING_NUMBER: Final = re.compile(r"(.*?)(\d+)")


def locator_of(places: Sequence[Place], start_line: int, end_line: int) -> str:
    """The position of extracted lines in their file: ``p.5``, ``p.5-6``, ``Sheet1!A5:A7``; empty where unknown."""
    if not places:
        return ""
    lines = [place.line for place in places]
    first, last = (places[max(0, bisect_right(lines, line) - 1)] for line in (start_line, max(start_line, end_line)))
    if first.line > start_line:
        return ""
    start_label, end_label = _place_label(first, start_line), _place_label(last, end_line)
    if not start_label or not end_label or start_label == end_label:
        return start_label
    if first is last:
        return f"{start_label}-{end_label.rpartition(':')[2]}"
    start_match, end_match = _TRAILING_NUMBER.fullmatch(start_label), _TRAILING_NUMBER.fullmatch(end_label)
    if start_match and end_match and start_match[1] == end_match[1]:
        sheet, cell, _ = start_match[1].rpartition("!")
        return f"{start_label}:{end_label[len(sheet) + 1 :]}" if cell and sheet else f"{start_label}-{end_match[2]}"
    return f"{start_label} to {end_label}"


def _place_label(place: Place, line: int) -> str:
    return f"{place.name}:L{line - place.line + 1}" if place.counted and place.name else place.name
