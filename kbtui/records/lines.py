"""Turns the facts behind an answer into passages (hits) that cite their lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError

if TYPE_CHECKING:
    from kbtui.records.asking import TableAnswer
    from kbtui.records.kinds import Fact, Thing
    from kbtui.records.relating import RelationAnswer, ValueCheck

TOOL: Final = "query_records"


class HasLines(Protocol):
    """Reads the current lines of files."""

    def lines(self, path: str) -> Sequence[str]:
        """All lines of a file."""
        ...


def hits_of_answer(answer: TableAnswer | RelationAnswer | ValueCheck, source: HasLines | None) -> tuple[Hit, ...]:
    """The lines that state an answer, in its order, without repetition."""
    from kbtui.records.asking import TableAnswer
    from kbtui.records.relating import RelationAnswer

    if isinstance(answer, RelationAnswer):
        hits = [step.item.hit for step in answer.steps]
    elif isinstance(answer, TableAnswer):
        pairs = [pair for row in answer.result.rows for pair in zip(row.things, row.proofs, strict=True)]
        hits = [hit_of_fact(thing, fact, source) for thing, fact in pairs]
    else:
        hits = [hit_of_fact(answer.thing, answer.fact, source)]
    return tuple({(hit.path, hit.start_line): hit for hit in reversed(hits)}.values())[::-1]


def hit_of_fact(thing: Thing, fact: Fact | None, source: HasLines | None) -> Hit:
    """The current line of a fact; the first line of the thing if there is no fact."""
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
        note=f"{thing.display_name}: {fact.field} {fact.value}" if fact is not None else thing.display_name,
    )
