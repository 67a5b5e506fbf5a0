"""The result of every format, and a builder of texts with places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kbtui.domain.document import DocumentKind, Place
from kbtui.domain.tree import Node
from kbtui.errors import KnowledgeBaseError

MAX_CHARS: Final = 16_000_000
"""Characters of text that are extracted from one file; a book has about one million."""

_LINE_ENDS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The text extracted from a file whose bytes are not its text.

    Attributes:
        text: The text with ``\\n`` line ends.
        kind: Kind of document as which ``text`` is parsed and cut.
        places: Positions of its lines in the file, by line; empty where lines are those of the file, or have no
            position.
        title: Title that the file states; empty where it states none.
        tree: Its values where the file is data; else None.
    """

    text: str
    kind: DocumentKind = "text"
    places: tuple[Place, ...] = ()
    title: str = ""
    tree: Node | None = None


class TextBuilder:
    """Builds a text of lines with places, up to a greatest length; see `full`."""

    def __init__(self, most_chars: int = MAX_CHARS) -> None:
        self._lines: list[str] = []
        self._places: list[Place] = []
        self._room = most_chars

    def full(self) -> bool:
        """Whether the greatest length is reached; text that is added after that is dropped."""
        return self._room <= 0

    @property
    def next_line(self) -> int:
        """Number of the line that is added next."""
        return len(self._lines) + 1

    def place(self, name: str, *, counted: bool = False) -> None:
        """Set the place of the lines that are added next."""
        place = Place(line=self.next_line, name=" ".join(name.split()), counted=counted)
        if self._places and self._places[-1].line == place.line:
            self._places.pop()
        self._places.append(place)

    def begin(self, name: str) -> None:
        """Begin a part with a place of its own, below a blank line."""
        self.blank()
        self.place(name)

    def add(self, text: str) -> None:
        """Add one or several lines, without control characters."""
        if self.full():
            return
        for line in plain(text).split("\n"):
            kept = line[: self._room].rstrip()
            self._lines.append(kept)
            self._room -= len(line) + 1
            if self._room <= 0:
                self._lines.append("[The text is longer than is read of one file; the rest is left out.]")
                return

    def add_extracted(self, inner: Extracted, prefix: str) -> None:
        """Add the text of a file within the file, with ``prefix`` in front of its places."""
        start = self.next_line
        if not inner.places:
            self.place(prefix, counted=True)
        self.add(inner.text)
        stop = self.next_line
        self._places += [
            Place(line=start + place.line - 1, name=f"{prefix} {place.name}".strip(), counted=place.counted)
            for place in inner.places
            if start + place.line - 1 < stop
        ]

    def blank(self) -> None:
        """Add a blank line, unless the last one is blank."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def done(self, kind: DocumentKind = "text", title: str = "") -> Extracted:
        """The built text."""
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return Extracted(
            text="\n".join(self._lines), kind=kind, places=tuple(self._places), title=" ".join(plain(title).split())
        )


def plain(text: str) -> str:
    """``text`` with ``\\n`` line ends, without control characters and lone surrogates."""
    text = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def damaged_error() -> KnowledgeBaseError:
    """The error for a file that is incomplete, or not of the format of its name."""
    return KnowledgeBaseError("damaged", "save it again")
