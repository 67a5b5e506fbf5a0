"""What a tool gives back: text for a model, places that it can open, and the same as data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from kbtui.cli.mcp_server.addresses import address_of
from kbtui.domain.answer import Citation, line_label
from kbtui.domain.events import TableProduced
from kbtui.domain.evidence import Hit
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.terminal import clean, one_line

MOST_ROWS: Final = 50
"""Of a table; the rest is a question of its own."""
_EXCERPT_CHARS: Final = 700
_QUOTE_CHARS: Final = 1_000
_CELL_CHARS: Final = 400
_MOST_LINKS: Final = 30


class Link(Struct, frozen=True, kw_only=True):
    """Lines of a file to open or read.

    Attributes:
        label: ``path:L12-L18``.
        quote: What stands there, in one line.
    """

    uri: str
    label: str
    quote: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """One finished call.

    Attributes:
        data: JSON-safe.
        is_error: The call failed, and the text says why and what to do.
    """

    text: str
    links: tuple[Link, ...] = ()
    data: dict[str, Any] | None = None
    is_error: bool = False


def shown(text: str) -> str:
    """Text of documents and models as it may leave: nothing that steers a terminal, no key of this process."""
    return without_known_secrets(clean(text))


def failed(message: str, hint: str = "") -> Result:
    """A call that failed."""
    from kbtui.settings.secrets import redact

    text = redact(one_line(message, 2_000))
    return Result(text=f"{text}\n{redact(one_line(hint, 2_000))}" if hint else text, is_error=True)


def of_hits(folder: Path, hits: Iterable[Hit], note: str, *, nothing: str) -> Result:
    """Passages, best first: place and excerpt of each.

    Args:
        note: What is said of the search besides.
        nothing: What is said where there are none.
    """
    hits = list(hits)
    parts = [f"{_place(hit)}{_titled(hit)}\n{excerpt(hit)}" for hit in hits] or [nothing]
    rows = [
        {"path": shown(hit.path), "start_line": hit.start_line, "end_line": hit.end_line, "score": round(hit.score, 4)}
        | {"uri": address_of(folder, hit.path, hit.start_line, hit.end_line), "title": one_line(hit.title)}
        | {"text": excerpt(hit)}
        for hit in hits
    ]
    notes = [one_line(note)] if note else []
    return Result(
        text="\n\n".join((*parts, *notes)),
        links=tuple(_links(folder, ((hit.path, hit.start_line, hit.end_line, excerpt(hit)) for hit in hits))),
        data={"results": rows, "note": one_line(note)},
    )


def excerpt(hit: Hit) -> str:
    """The lines of a passage from just above the first that matched, as far as there is room."""
    text = hit.text
    if len(text) <= _EXCERPT_CHARS:
        return shown(text)
    first = min((line for line in hit.matched_lines if hit.start_line <= line <= hit.end_line), default=hit.start_line)
    above = text.split("\n")[: max(0, first - hit.start_line - 1)]
    # A match at the end leaves room for what stands before it.
    start = min(sum(len(line) + 1 for line in above), len(text) - _EXCERPT_CHARS)
    end = start + _EXCERPT_CHARS
    return shown(f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}")


def citation_data(folder: Path, citation: Citation) -> dict[str, Any]:
    """A source as data, without what it has not."""
    known: dict[str, Any] = {"n": citation.n, "kind": citation.kind, "label": shown(citation.label)}
    if citation.kind == "file" and citation.path:
        known |= {"path": shown(citation.path), "start_line": citation.start_line, "end_line": citation.end_line}
        known["uri"] = address_of(folder, citation.path, citation.start_line or 1, citation.end_line)
        known["stale"] = citation.stale
    said = {"quote": citation.quote, "sql": citation.sql, "source": citation.source, "url": citation.url}
    return known | {name: shown(value)[:_QUOTE_CHARS] for name, value in said.items() if value}


def citation_links(folder: Path, citations: Iterable[Citation]) -> tuple[Link, ...]:
    """The cited lines of files, each place once."""
    places = (
        (each.path, each.start_line or 1, each.end_line or each.start_line or 1, each.quote or "")
        for each in citations
        if each.kind == "file" and each.path
    )
    return tuple(_links(folder, places))


def table_data(table: TableProduced) -> dict[str, Any]:
    """The first rows of a table of an answer, with the statement they come from."""
    return {
        "columns": [shown(name) for name in table.columns],
        "rows": rows_data(table.rows),
        "row_count": max(table.row_count, len(table.rows)),
        "truncated": table.truncated or len(table.rows) > MOST_ROWS,
        "sql": shown(table.sql),
        "source": shown(table.source),
    }


def rows_data(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """The first `MOST_ROWS` rows with texts that may leave."""
    kept = [row for _, row in zip(range(MOST_ROWS), rows, strict=False)]
    return [[shown(cell)[:_CELL_CHARS] if isinstance(cell, str) else cell for cell in row] for row in kept]


def _links(folder: Path, places: Iterable[tuple[str, int, int, str]]) -> Iterable[Link]:
    links: dict[str, Link] = {}
    for path, start, end, quote in places:
        uri = address_of(folder, path, start, end)
        if len(links) < _MOST_LINKS:
            label = one_line(line_label(path, start, end))
            links.setdefault(uri, Link(uri=uri, label=label, quote=one_line(shown(quote), 160)))
    return links.values()


def _place(hit: Hit) -> str:
    return one_line(line_label(hit.path, hit.start_line, hit.end_line))


def _titled(hit: Hit) -> str:
    about = " · ".join(one_line(text, 160) for text in (hit.title, hit.note) if text)
    return f"  {about}" if about else ""
