"""What a folder and the data beside it hold, as it is known before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from kbtui.domain.analysis import Schema, Table
    from kbtui.domain.document import FileRecord


class HeldKind(Struct, frozen=True, kw_only=True):
    """Documents of one kind.

    Attributes:
        name: What one of them is called: ``adr``, ``ticket``.
        count: How many there are.
        folder: The deepest folder that holds all of them, with a slash at its end; empty for the folder itself.
        example: Path of one of them.
        fields: What most of them state, the most frequent first.
    """

    name: str
    count: int
    example: str
    folder: str = ""
    fields: tuple[str, ...] = ()


class ToRead(Struct, frozen=True, kw_only=True):
    """What of a folder is read, and what is not.

    Attributes:
        files: How many are read.
        bytes: Their size.
        kinds: Ends of names (``.md``; empty for none) with the number of files, the most frequent first.
        left_out: Why files, and folders as a whole, are not read, in a word or two, with their number.
    """

    files: int
    bytes: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


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
    """What a document states of itself, and its headings."""

    path: str
    title: str = ""
    fields: tuple[HeldField, ...] = ()
    headings: tuple[HeldHeading, ...] = ()


class HeldSource(Struct, frozen=True, kw_only=True):
    """A source of data: its structure, or why there is none.

    Attributes:
        title: What it is called to a reader.
        schema: Columns are left out where there are very many tables; `Library.table` has them.
    """

    title: str
    schema: Schema | None = None
    problem: str = ""


class Holdings(Struct, frozen=True, kw_only=True):
    """Everything that can be asked about.

    Attributes:
        files: By path; those that are sources of data are among the sources.
    """

    files: tuple[FileRecord, ...] = ()
    kinds: tuple[HeldKind, ...] = ()
    sources: tuple[HeldSource, ...] = ()


class Library(Protocol):
    """Tells what there is to ask about; every method blocks."""

    def holdings(self) -> Holdings:
        """All of it as it is indexed now."""
        ...

    def document(self, path: str) -> HeldDocument:
        """One document; empty for one that is not indexed."""
        ...

    def table(self, source: str, name: str) -> Table | None:
        """One table with its columns; None where it is gone."""
        ...

    def questions(self, language: Literal["en", "zh"], stopped: Callable[[], bool]) -> Iterator[str]:
        """Questions that were asked just now and answered well, each as soon as it is known to be.

        Args:
            stopped: Looked at between two questions: nothing further is asked once it is true.
        """
        ...
