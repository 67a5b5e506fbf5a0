"""The lines that state an answer, as passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError

if TYPE_CHECKING:
    from kbtui.records.asking import Found
    from kbtui.records.kinds import Fact, Thing
    from kbtui.records.relating import Checked, Related

TOOL: Final = "query_records"


class HasLines(Protocol):
    """The files as they are now."""

    def lines(self, path: str) -> Sequence[str]:
        """All lines of a file."""
        ...


def stating(found: Found | Related | Checked, source: HasLines | None) -> tuple[Hit, ...]:
    """The lines that state an answer, in its order, each once."""
    from kbtui.records.asking import Found
    from kbtui.records.relating import Related

    if isinstance(found, Related):
        hits = [step.item.hit for step in found.steps]
    elif isinstance(found, Found):
        pairs = [pair for row in found.result.rows for pair in zip(row.things, row.proofs, strict=True)]
        hits = [line_of(thing, fact, source) for thing, fact in pairs]
    else:
        hits = [line_of(found.thing, found.fact, source)]
    return tuple({(hit.path, hit.start_line): hit for hit in reversed(hits)}.values())[::-1]


def line_of(thing: Thing, fact: Fact | None, source: HasLines | None) -> Hit:
    """The line of a fact, as its file has it now; the first line of the thing where there is none."""
    path, line = (fact.path, fact.line) if fact is not None else (thing.path, 1)
    try:
        text = source.lines(path)[line - 1] if source is not None else ""
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
