"""The answer to a relational question: the related things as lists, each with the line that states the relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kbtui.domain.evidence import Evidence
from kbtui.knowledge.relation_note import NotedItem, parse_note
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.normalise import Language
from kbtui.reasoning.offline.phrases import phrase, relation_intro

MOST_ITEMS = 50

_DIRECT = 0.85
"""`direct` signal from which a relation is what was asked for, and not merely something else the line states."""


@dataclass(slots=True)
class _Group:
    """The items of one relation of one entity, in one direction."""

    entity: str
    relation: str
    reverse: bool
    items: dict[str, tuple[NotedItem, Evidence]] = field(default_factory=dict)


def related_blocks(evidence: Sequence[Evidence], citations: Citations, language: Language) -> list[str]:
    """One block for each relation: a sentence and the list; empty when no evidence states a relation."""
    stated = [item for item in evidence if parse_note(item.hit.note) is not None]
    if any(item.hit.signals.get("direct", 1.0) >= _DIRECT for item in stated):
        stated = [item for item in stated if item.hit.signals.get("direct", 1.0) >= _DIRECT]
    blocks = []
    for group in _grouped(stated):
        lines = [relation_intro(group.relation, readable(group.entity), reverse=group.reverse, language=language), ""]
        for noted, item in list(group.items.values())[:MOST_ITEMS]:
            excerpt = citations.excerpt(item.hit, whole=False)
            number = citations.number(excerpt, excerpt.start_line, excerpt.end_line)
            title = f" — {readable(noted.title)}" if noted.title else ""
            lines.append(f"- {readable(noted.label)}{title} [{number}]")
        if len(group.items) > MOST_ITEMS:
            lines += ["", phrase("items_more", language, count=len(group.items) - MOST_ITEMS)]
        blocks.append("\n".join(lines))
    return blocks


def states_relation(evidence: Sequence[Evidence]) -> bool:
    """True when some of the evidence states a relation that was asked for."""
    return any(
        parse_note(item.hit.note) is not None and item.hit.signals.get("direct", 1.0) >= _DIRECT for item in evidence
    )


def _grouped(stated: Sequence[Evidence]) -> list[_Group]:
    """By what was asked, in the order the tool gave them; two relations that answer the same way share a list."""
    groups: dict[tuple[str, str], _Group] = {}
    # The tool lists items in natural order, the grader ties them; file and line are the next best order.
    for item in sorted(stated, key=lambda one: -one.score):
        note = parse_note(item.hit.note)
        if note is None:
            continue
        reverse = note.direction == "reverse"
        intro = relation_intro(note.relation, note.entity, reverse=reverse, language="en")
        group = groups.setdefault((note.entity, intro), _Group(note.entity, note.relation, reverse))
        for noted in note.items:
            group.items.setdefault(noted.label, (noted, item))
    return list(groups.values())
