"""What a folder and its data sources contain, for lists and overviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from kbtui.domain.analysis import Schema, Table
    from kbtui.domain.document import FileRecord


class HeldKind(Struct, frozen=True, kw_only=True):
    """Documents of one kind.

    Attributes:
        name: Name of the kind: ``adr``, ``ticket``.
        count: Number of documents.
        folder: The deepest common folder, with a trailing slash; empty for the root.
        example: Path of one of them.
        fields: Names of the fields that most of them state, the most frequent first.
    """

    name: str
    count: int
    example: str
    folder: str = ""
    fields: tuple[str, ...] = ()


class ToRead(Struct, frozen=True, kw_only=True):
    """The files of a folder that are read and those that are not, in numbers.

    Attributes:
        files: Number of files that are read.
        bytes: Their total size.
        kinds: File name extensions (``.md``; empty for none) with the number of files, the most frequent first.
        left_out: Reasons why files or whole folders are not read, in a word or two, with their number.
    """

    files: int
    bytes: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


def joined_to_read(parts: Sequence[ToRead]) -> ToRead:
    """The numbers of several folders added up."""
    kinds, left_out = Counter[str](), Counter[str]()
    for part in parts:
        kinds.update(dict(part.kinds))
        left_out.update(dict(part.left_out))
    return ToRead(
        files=sum(part.files for part in parts),
        bytes=sum(part.bytes for part in parts),
        kinds=tuple(kinds.most_common()),
        left_out=tuple(left_out.most_common()),
    )


class HeldField(Struct, frozen=True, kw_only=True):
    """A value that a line of a document states."""

    name: str
    value: str
    line: int


class HeldHeading(Struct, frozen=True, kw_only=True):
    """A heading of a document; ``level`` counts from 1, the outermost."""

    text: str
    level: int
    line: int


class HeldDocument(Struct, frozen=True, kw_only=True):
    """The title, fields and headings of a document."""

    path: str
    title: str = ""
    fields: tuple[HeldField, ...] = ()
    headings: tuple[HeldHeading, ...] = ()


class HeldSource(Struct, frozen=True, kw_only=True):
    """A data source: its structure, or the problem with it.

    Attributes:
        title: Its display name.
        schema: Its structure; without columns where there are very many tables, for which `Library.table` has them.
        problem: Why it cannot be read; empty where it can.
    """

    title: str
    schema: Schema | None = None
    problem: str = ""


class Holdings(Struct, frozen=True, kw_only=True):
    """Everything that can be asked about.

    Attributes:
        files: Files by path; data files are listed as sources instead.
    """

    files: tuple[FileRecord, ...] = ()
    kinds: tuple[HeldKind, ...] = ()
    sources: tuple[HeldSource, ...] = ()


class Library(Protocol):
    """Lists what there is to ask about; every method blocks."""

    def holdings(self) -> Holdings:
        """The documents, kinds and sources, as they are indexed now."""

    def document(self, path: str) -> HeldDocument:
        """One document; empty for one that is not indexed."""

    def table(self, source: str, name: str) -> Table | None:
        """One table with its columns; None where it cannot be read."""

    def questions(
        self, language: Literal["en", "zh"], stopped: Callable[[], bool], *, data_only: bool = False
    ) -> Iterator[str]:
        """Suggested questions, each yielded as soon as it was tried and answered well.

        Args:
            stopped: Called between two questions; once it returns true, no further one is tried.
            data_only: Leave the documents alone, which are not read yet.
        """
