"""What every format gives back, and what puts lines and their places together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kbtui.domain.document import DocumentKind, Place
from kbtui.errors import KnowledgeBaseError

MOST_CHARS: Final = 16_000_000
"""Characters of text that are taken from one file: a book has one million."""

_LINE_ENDS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The text of a file whose own bytes are no text to read, or not the one that is meant.

    Attributes:
        text: ``\\n`` line ends.
        kind: How ``text`` is to be read and cut.
        places: Where its lines stand in the file, by line; none where the lines are the file's own, or have no place.
        title: As the file says it; empty where it does not.
    """

    text: str
    kind: DocumentKind = "text"
    places: tuple[Place, ...] = ()
    title: str = ""


class TextBuilder:
    """Puts the lines of a text together, each with its place. What is added last wins no room: see `full`."""

    def __init__(self, most_chars: int = MOST_CHARS) -> None:
        self._lines: list[str] = []
        self._places: list[Place] = []
        self._room = most_chars

    def full(self) -> bool:
        """True once there is no room for more text: what is added from now on is dropped."""
        return self._room <= 0

    @property
    def room(self) -> int:
        """Characters that there is room for."""
        return max(0, self._room)

    @property
    def next_line(self) -> int:
        """The number of the line that is added next."""
        return len(self._lines) + 1

    def place(self, name: str, *, counted: bool = False) -> None:
        """The lines that follow stand in ``name``."""
        place = Place(line=self.next_line, name=" ".join(name.split()), counted=counted)
        if self._places and self._places[-1].line == place.line:
            self._places.pop()
        self._places.append(place)

    def add(self, text: str) -> None:
        """One or several lines, without what no line of text can hold."""
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
        """The text of a file in a file; its places stand behind ``prefix``."""
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
        """A blank line, unless there is one."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def done(self, kind: DocumentKind = "text", title: str = "") -> Extracted:
        """The text."""
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return Extracted(
            text="\n".join(self._lines), kind=kind, places=tuple(self._places), title=" ".join(plain(title).split())
        )


def plain(text: str) -> str:
    """``text`` with ``\\n`` line ends alone and without control characters and lone surrogates."""
    text = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def unreadable(reason: str, remedy: str = "") -> KnowledgeBaseError:
    """The error that says why a file has no text to read, in a few words, and what would make it readable."""
    return KnowledgeBaseError(reason, remedy)


def damaged() -> KnowledgeBaseError:
    """The error that says that a file is not what its name says, or only a part of it."""
    return unreadable("damaged", "save it again")
