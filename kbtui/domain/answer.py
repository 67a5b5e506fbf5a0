"""A cited answer, and its citations."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Outcome = Literal["answered", "partial", "not_found", "declined"]
CitationKind = Literal["file", "sql", "web"]


class Citation(Struct, frozen=True, kw_only=True):
    """One numbered source of an answer.

    Attributes:
        n: The number in the text, ``[n]``, from 1.
        start_line: First line, from 1; for a file with extracted text, a line of that text.
        quote: The cited lines, verbatim and whole (for ``file``).
        locator: Position of the lines in a file that has pages, slides, cells, messages or members: ``p.5``,
            ``slide 3``, ``Sheet1!A5``; None where line numbers are the position.
        stale: Whether the lines have changed since they were indexed.
        title: Display name of a data source, such as its file name; where None, ``source`` is displayed.
    """

    n: int
    kind: CitationKind = "file"
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    quote: str | None = None
    sql: str | None = None
    source: str | None = None
    url: str | None = None
    stale: bool = False
    title: str | None = None
    locator: str | None = None

    @property
    def label(self) -> str:
        """The label in the footer: ``path:L12-L18``, ``path:L4``, ``path p.5``, the URL, or the data source."""
        if self.kind == "file":
            return line_label(self.path or "", self.start_line or 1, self.end_line, self.locator)
        return self.url or self.title or self.source or self.sql or ""


class WrittenAnswer(Struct, frozen=True, kw_only=True):
    """The output of a writer: Markdown with ``[n]`` marks and the footer, and the citations behind the marks."""

    markdown: str
    outcome: Outcome
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


class Answer(Struct, frozen=True, kw_only=True):
    """What ``Engine.answer_query`` returns: the written answer, and the run that wrote it."""

    query: str
    markdown: str
    outcome: Outcome
    run_id: str
    session_id: str
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    duration_ms: float = 0.0
    iterations: int = 0

    @property
    def text(self) -> str:
        """Alias of ``markdown``."""
        return self.markdown


def line_label(path: str, start_line: int, end_line: int | None = None, locator: str | None = None) -> str:
    """``path:L12-L18``, or ``path:L12`` for one line (spec 003, D4); for a web page its address.

    Args:
        locator: As in `Citation`; it replaces the line numbers.
    """
    if locator:
        return f"{path} {locator}"
    if path.startswith(("http://", "https://")):
        return path
    if end_line is None or end_line <= start_line:
        return f"{path}:L{start_line}"
    return f"{path}:L{start_line}-L{end_line}"
