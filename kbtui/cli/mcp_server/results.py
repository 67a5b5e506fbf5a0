"""The result of a tool: text for a model, links to the places in it, and the same as data."""

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

MAX_ROWS: Final = 50
"""Rows of a table in a result."""
_MAX_EXCERPT_CHARS: Final = 700
_MAX_QUOTE_CHARS: Final = 1_000
_MAX_CELL_CHARS: Final = 400
_MAX_LINKS: Final = 30


class Link(Struct, frozen=True, kw_only=True):
    """A link to lines of a file.

    Attributes:
        label: ``path:L12-L18``.
        quote: The text of the lines, as one line.
    """

    uri: str
    label: str
    quote: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """The result of a finished call.

    Attributes:
        data: The result as JSON-safe data.
        is_error: Whether the call failed; the text then has the reason and a hint.
    """

    text: str
    links: tuple[Link, ...] = ()
    data: dict[str, Any] | None = None
    is_error: bool = False


def client_text(text: str) -> str:
    """Text of documents and models for a client: without control characters, and with known secrets masked."""
    return without_known_secrets(clean(text))


def failed_result(message: str, hint: str = "") -> Result:
    """The result of a call that failed."""
    from kbtui.settings.secrets import redact

    text = redact(one_line(message, 2_000))
    return Result(text=f"{text}\n{redact(one_line(hint, 2_000))}" if hint else text, is_error=True)


def hits_result(folder: Path, hits: Iterable[Hit], note: str, *, nothing: str) -> Result:
    """The result for passages, best first, with place and excerpt of each.

    Args:
        note: A note on the search.
        nothing: The text where there are no passages.
    """
    hits = list(hits)
    parts = [f"{_place(hit)}{_title_suffix(hit)}\n{excerpt(hit)}" for hit in hits] or [nothing]
    rows = [
        {
            "path": client_text(hit.path),
            "start_line": hit.start_line,
            "end_line": hit.end_line,
            "score": round(hit.score, 4),
        }
        | {"uri": address_of(folder, hit.path, hit.start_line, hit.end_line), "title": one_line(hit.title)}
        | {"text": excerpt(hit), "label": _place(hit)}
        | ({"locator": client_text(hit.locator)} if hit.locator else {})
        for hit in hits
    ]
    notes = [one_line(note)] if note else []
    return Result(
        text="\n\n".join((*parts, *notes)),
        links=tuple(
            _links(folder, ((hit.path, hit.start_line, hit.end_line, _place(hit), excerpt(hit)) for hit in hits))
        ),
        data={"results": rows, "note": one_line(note)},
    )


def excerpt(hit: Hit) -> str:
    """The lines of a passage from just above the first match, up to the greatest length."""
    text = hit.text
    if len(text) <= _MAX_EXCERPT_CHARS:
        return client_text(text)
    first = min((line for line in hit.matched_lines if hit.start_line <= line <= hit.end_line), default=hit.start_line)
    above = text.split("\n")[: max(0, first - hit.start_line - 1)]
    # For a match near the end, the excerpt begins earlier.
    start = min(sum(len(line) + 1 for line in above), len(text) - _MAX_EXCERPT_CHARS)
    end = start + _MAX_EXCERPT_CHARS
    return client_text(f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}")


def citation_data(folder: Path, citation: Citation) -> dict[str, Any]:
    """A citation as data, without empty fields."""
    data: dict[str, Any] = {"n": citation.n, "kind": citation.kind, "label": client_text(citation.label)}
    if citation.kind == "file" and citation.path:
        data |= {"path": client_text(citation.path), "start_line": citation.start_line, "end_line": citation.end_line}
        data["uri"] = address_of(folder, citation.path, citation.start_line or 1, citation.end_line)
        data["stale"] = citation.stale
    optional = {
        "locator": citation.locator,
        "quote": citation.quote,
        "sql": citation.sql,
        "source": citation.source,
        "url": citation.url,
    }
    return data | {name: client_text(value)[:_MAX_QUOTE_CHARS] for name, value in optional.items() if value}


def citation_links(folder: Path, citations: Iterable[Citation]) -> tuple[Link, ...]:
    """Links to the cited lines of files, without duplicates."""
    places = (
        (
            citation.path,
            citation.start_line or 1,
            citation.end_line or citation.start_line or 1,
            citation.label,
            citation.quote or "",
        )
        for citation in citations
        if citation.kind == "file" and citation.path
    )
    return tuple(_links(folder, places))


def table_data(table: TableProduced) -> dict[str, Any]:
    """The first rows of a table of an answer, with the statement they come from."""
    return {
        "columns": [client_text(name) for name in table.columns],
        "rows": rows_data(table.rows),
        "row_count": max(table.row_count, len(table.rows)),
        "truncated": table.truncated or len(table.rows) > MAX_ROWS,
        "sql": client_text(table.sql),
        "source": client_text(table.source),
    }


def rows_data(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """The first `MAX_ROWS` rows, with cleaned and cut texts."""
    first_rows = [row for _, row in zip(range(MAX_ROWS), rows, strict=False)]
    return [
        [client_text(cell)[:_MAX_CELL_CHARS] if isinstance(cell, str) else cell for cell in row] for row in first_rows
    ]


def _links(folder: Path, places: Iterable[tuple[str, int, int, str, str]]) -> Iterable[Link]:
    links: dict[str, Link] = {}
    for path, start, end, label, quote in places:
        uri = address_of(folder, path, start, end)
        if len(links) < _MAX_LINKS:
            links.setdefault(uri, Link(uri=uri, label=one_line(label), quote=one_line(client_text(quote), 160)))
    return links.values()


def _place(hit: Hit) -> str:
    return one_line(line_label(hit.path, hit.start_line, hit.end_line, hit.locator))


def _title_suffix(hit: Hit) -> str:
    title = " · ".join(one_line(text, 160) for text in (hit.title, hit.note) if text)
    return f"  {title}" if title else ""
