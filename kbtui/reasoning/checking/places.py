"""Where a sentence may rest that does not cite it: one place each, of the sources cited nearby and of all others.

A sentence is never given lines of several places, since words of three documents are easily found for anything. A place
that nothing cites has to say more of the sentence than one that is cited (the head ``uncited`` of `support.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.checking.draft import Piece
from kbtui.reasoning.checking.footer import target_of
from kbtui.reasoning.checking.marks import Place, Target
from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.reasoning.checking.standing import Claim
from kbtui.reasoning.checking.support import SUPPORTED, Head, Scorer, Support

_MOST_TRIED: Final = 4
_MOST_LOOKED_AT: Final = 8

Cited = dict[Target, list[int]]
"""The sources behind each target of a piece."""

Tried = tuple[list[Window], Head]
"""Lines, and the model that judges whether they bear a sentence out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearby:
    """Sources cited near a piece, by number.

    Attributes:
        announced: In the lead-in of its list or the heading above, which cite for what follows them.
        beside: In other sentences of its paragraph.
    """

    announced: tuple[int, ...]
    beside: tuple[int, ...]


def sources_at(place: Place, passages: Mapping[int, Passage]) -> list[int]:
    """The sources at a place: those that hold its lines, else all of its file."""
    path = place.path.strip().rstrip("/").removeprefix("./")
    if not path:
        return []
    same = [
        n
        for n, one in passages.items()
        if one.excerpt.path.rstrip("/") == path
        or one.excerpt.path.endswith(f"/{path}")
        or path.endswith(f"/{one.excerpt.path}")
    ]
    if not same:
        return [n for n, one in passages.items() if one.title and one.title.lower() == path.lower()]
    inside = [
        n
        for n in same
        if place.start_line <= passages[n].excerpt.end_line and place.end_line >= passages[n].excerpt.start_line
    ]
    return inside or same


def meant_by(number: int, label: str, passages: Mapping[int, Passage]) -> list[int]:
    """What the model's own list of sources says that ``number`` stands for; empty when it says nothing usable."""
    target = target_of(label)
    if isinstance(target, int):
        return [target] if target in passages else []
    found = sources_at(target, passages) if target else []
    return [number] if number in found else found


def cited_by(piece: Piece, meant: Mapping[int, list[int]], passages: Mapping[int, Passage]) -> Cited:
    """The sources behind each target of a piece; none for what stands for none."""
    found: Cited = {}
    for target in piece.targets:
        if isinstance(target, int):
            found[target] = meant.get(target) or ([target] if target in passages else [])
        else:
            found[target] = sources_at(target, passages)
    return found


def nearby(pieces: Sequence[Piece], cited: Sequence[Mapping[Target, Sequence[int]]]) -> list[Nearby]:
    """For each piece the sources that are cited nearby.

    Args:
        pieces: Of the answer, in order.
        cited: For each of them the sources behind its own marks.
    """
    in_block: dict[int, list[int]] = {}
    for piece, own in zip(pieces, cited, strict=True):
        in_block.setdefault(piece.block, []).extend(n for numbers in own.values() for n in numbers)
    found: list[Nearby] = []
    above: list[int] = []
    lead: list[int] = []
    for piece in pieces:
        if piece.kind == "heading":
            above, lead = in_block[piece.block], []
        elif piece.kind == "sentence":
            lead = in_block[piece.block]
        # The paragraph before a list announces its items; in the paragraph itself every sentence cites for itself.
        announced = above if piece.kind == "sentence" else [*lead, *above]
        beside = [n for n in in_block[piece.block] if n not in announced]
        found.append(Nearby(announced=tuple(dict.fromkeys(announced)), beside=tuple(dict.fromkeys(beside))))
    return found


def places(
    claim: Claim, near: Nearby, passages: Mapping[int, Passage], scorer: Scorer, weights: Mapping[str, float]
) -> list[Tried]:
    """One run of lines of each source that may bear a claim out: of those cited nearby, then of the most promising."""
    found: list[Tried] = []
    for n in [n for n in (*near.announced, *near.beside) if n in passages][:_MOST_LOOKED_AT]:
        one = passages[n]
        # Across languages words say nothing, so that only what is cited nearby can be meant.
        is_cited = n in near.announced or one.chinese != claim.chinese
        found.append((scorer.windows(claim, [one], weights, most=1), "words" if is_cited else "uncited"))
    others = [one for n, one in passages.items() if n not in near.announced and n not in near.beside]
    # What a passage holds at all bounds what its best lines hold.
    most = [_weight(claim, one.where.keys(), weights) for one in others]
    likely = sorted(sorted(range(len(others)), key=lambda at: -most[at])[:_MOST_LOOKED_AT])
    singles = [scorer.windows(claim, [others[at]], weights, most=1) for at in likely]
    held = [_weight(claim, _terms(windows), weights) for windows in singles]
    promising = sorted(range(len(singles)), key=lambda at: -held[at])[:_MOST_TRIED]
    return found + [(singles[at], "uncited") for at in promising]


def chosen(tried: Sequence[Support]) -> Support | None:
    """The best of the places that bear a sentence out, of equals the first; None where none does."""
    best = max(tried, key=lambda one: one.score, default=None)
    return best if best is not None and best.windows and best.score >= SUPPORTED else None


def _weight(claim: Claim, there: Set[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(term, 0.0) for term in claim.terms & there)


def _terms(windows: Sequence[Window]) -> frozenset[str]:
    return frozenset().union(*(u.terms for w in windows for u in w.passage.units[w.first : w.last + 1]))
