"""The lines that state what a statement's rows say, as passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceReader
    from kbtui.records.asking import Found
    from kbtui.records.collection import Fact, Thing

TOOL: Final = "query_records"


def stating(found: Found, source: SourceReader) -> tuple[Hit, ...]:
    """The lines that state the rows, in their order, each once."""
    hits: dict[tuple[str, int], Hit] = {}
    for row in found.result.rows:
        for thing, fact in zip(row.things, row.proofs, strict=True):
            hit = line_of(thing, fact, source)
            hits.setdefault((hit.path, hit.start_line), hit)
    return tuple(hits.values())


def line_of(thing: Thing, fact: Fact | None, source: SourceReader) -> Hit:
    """The line of a fact, as its file has it now; the first line of the thing where there is none."""
    path, line = (fact.path, fact.line) if fact is not None else (thing.path, 1)
    try:
        text = source.lines(path)[line - 1]
    except (KbtuiError, OSError, IndexError):
        text = ""
    return Hit(
        path=path,
        start_line=line,
        end_line=line,
        text=text,
        score=1.0,
        tool=TOOL,
        title=thing.title,
        matched_lines=(line,),
        note=f"{thing.called}: {fact.field} {fact.value}" if fact is not None else thing.called,
    )
