"""Turns the facts behind an answer into passages (hits) that cite their lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final, Protocol

from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError

if TYPE_CHECKING:
    from kbtui.records.asking import TableAnswer
    from kbtui.records.kinds import Fact, Thing
    from kbtui.records.relating import RelationAnswer, ValueCheck

TOOL: Final = "query_records"
_TITLE_LINES: Final = 30
"""First lines of a thing among which its title is looked for."""
_NONE: Final = repeat(())
"""The conditions of rows of which none are known."""


class HasLines(Protocol):
    """Reads the current lines of files."""

    def lines(self, path: str) -> Sequence[str]:
        """All lines of a file."""
        ...


def hits_of_answer(answer: TableAnswer | RelationAnswer | ValueCheck, source: HasLines | None) -> tuple[Hit, ...]:
    """The lines that state an answer, of several conditions one each, in its order, without repetition."""
    from kbtui.records.asking import TableAnswer
    from kbtui.records.relating import RelationAnswer

    if isinstance(answer, RelationAnswer):
        hits = [step.item.hit for step in answer.steps]
    elif isinstance(answer, TableAnswer):
        hits = [
            hit_of_fact(thing, fact, source)
            for row in answer.result.rows
            for thing, proof, conditions in zip(row.things, row.proofs, row.conditions or _NONE, strict=False)
            for fact in dict.fromkeys((proof, *conditions))
        ]
    else:
        hits = [hit_of_fact(answer.thing, answer.fact, source)]
    return tuple({(hit.path, hit.start_line): hit for hit in reversed(hits)}.values())[::-1]


def hit_of_fact(thing: Thing, fact: Fact | None, source: HasLines | None) -> Hit:
    """The current line of a fact; if there is none, the line of the thing's title or else its first line."""
    path, line = (fact.path, fact.line) if fact is not None else (thing.path, thing.span[0] if thing.span else 1)
    try:
        lines = source.lines(path) if source is not None else ()
        if fact is None and thing.title:
            own = range(line, line + _TITLE_LINES)
            line = next((number for number in own if thing.title in "".join(lines[number - 1 : number])), line)
        text = lines[line - 1]
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
