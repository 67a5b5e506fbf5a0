"""What a relation hit says, as one readable line, and back again.

A hit is the line that states a relation; the answer is the thing at its other end, which that line often does not name
(``requires: 523`` in the file of PEP 689 answers with PEP 689). So the note of the hit carries the whole statement:

- ``PEP 443 —replaces→ PEP 245 «Python Interface Syntax»; PEP 246`` answers with its right side;
- ``PEP 689 «Unstable C API tier» —requires→ PEP 523 (reverse)`` answers with its left side.

One line may name several answers; ``parse_note`` gives them back in order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Direction = Literal["forward", "reverse"]

_REVERSE = " (reverse)"
_NOTE = re.compile(r"^(?P<left>.+?) —(?P<relation>[^—→]+)→ (?P<right>.+)$")
_ITEM = re.compile(r"^(?P<label>[^«]+?)(?: «(?P<title>[^»]*)»)?$")
_RESERVED = str.maketrans({";": ",", "«": '"', "»": '"', "—": "-", "→": ">", "\n": " ", "\r": " ", "\t": " "})


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedItem:
    """One answer: its label (``PEP 699``, ``Sam Gross``, ``runbooks/rollback.md``) and its title, if it has one."""

    label: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedNote:
    """A relation hit, understood.

    Attributes:
        entity: The thing that was asked about.
        relation: Kebab-case name as the file states it: ``superseded-by``.
        direction: ``forward`` when the stating file speaks of the entity itself, ``reverse`` when it points at it.
        items: The answers this hit gives.
    """

    entity: str
    relation: str
    direction: Direction
    items: tuple[NotedItem, ...]


def format_note(note: RelatedNote) -> str:
    """The note as one line; characters that hold the line together are replaced inside names."""
    items = "; ".join(_format_item(item) for item in note.items)
    entity = _clean(note.entity)
    if note.direction == "forward":
        return f"{entity} —{note.relation}→ {items}"
    return f"{items} —{note.relation}→ {entity}{_REVERSE}"


def parse_note(note: str) -> RelatedNote | None:
    """The meaning of a hit's note; None when it is not one that ``format_note`` wrote."""
    is_reverse = note.endswith(_REVERSE)
    match = _NOTE.match(note.removesuffix(_REVERSE))
    if match is None:
        return None
    left, right = match["left"], match["right"]
    entity, listed = (right, left) if is_reverse else (left, right)
    items = [_parse_item(part) for part in listed.split("; ")]
    return RelatedNote(
        entity=entity,
        relation=match["relation"],
        direction="reverse" if is_reverse else "forward",
        items=tuple(item for item in items if item is not None),
    )


def _format_item(item: NotedItem) -> str:
    label = _clean(item.label)
    return f"{label} «{_clean(item.title)}»" if item.title else label


def _parse_item(part: str) -> NotedItem | None:
    match = _ITEM.match(part.strip())
    return NotedItem(label=match["label"], title=match["title"] or "") if match else None


def _clean(text: str) -> str:
    return " ".join(text.translate(_RESERVED).split())
