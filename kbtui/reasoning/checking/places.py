"""Resolves citation targets to sources, and proposes other places that may support a sentence.

Each candidate is one place of one source: words from several documents would match almost any sentence. A place that is
not cited needs more in common with the sentence than a cited one (the head ``uncited`` of `support.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.checking.checked import Source
from kbtui.reasoning.checking.draft import Piece
from kbtui.reasoning.checking.footer import target_of
from kbtui.reasoning.checking.marks import Place, Target
from kbtui.reasoning.checking.passages import Passage, Window, passage
from kbtui.reasoning.checking.standing import Claim
from kbtui.reasoning.checking.support import SUPPORTED, Head, Scorer, Support
from kbtui.reasoning.citing import Citations

_MAX_CANDIDATES: Final = 4
_MAX_SEARCHED: Final = 8

SourcesByTarget = dict[Target, list[int]]
"""Source numbers for each target of a piece."""

Candidate = tuple[list[Window], Head]
"""Candidate lines, and the head (model) that scores them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearby:
    """Sources cited near a piece, by number.

    Attributes:
        announced: Cited in the lead-in of its list or in the heading above it.
        beside: Cited in other sentences of its paragraph.
    """

    announced: tuple[int, ...]
    beside: tuple[int, ...]


def sources_at(place: Place, passages: Mapping[int, Passage]) -> list[int]:
    """Numbers of the sources at a place: those with its lines, else all of its file."""
    path = place.path.strip().rstrip("/").removeprefix("./")
    if not path:
        return []
    same = [
        n
        for n, passage in passages.items()
        if passage.excerpt.path.rstrip("/") == path
        or passage.excerpt.path.endswith(f"/{path}")
        or path.endswith(f"/{passage.excerpt.path}")
    ]
    if not same:
        return [n for n, passage in passages.items() if passage.title and passage.title.lower() == path.lower()]
    inside = [
        n
        for n in same
        if place.start_line <= passages[n].excerpt.end_line and place.end_line >= passages[n].excerpt.start_line
    ]
    return inside or same


def sources_for_number(number: int, label: str, passages: Mapping[int, Passage]) -> list[int]:
    """Sources that ``number`` refers to by its entry in the model's list of sources; empty if that is unusable."""
    target = target_of(label)
    if isinstance(target, int):
        return [target] if target in passages else []
    sources = sources_at(target, passages) if target else []
    return [number] if number in sources else sources


def cited_by(
    piece: Piece, sources_by_number: Mapping[int, list[int]], passages: Mapping[int, Passage]
) -> SourcesByTarget:
    """Source numbers for each target of a piece; empty for targets that do not exist."""
    sources_by_target: SourcesByTarget = {}
    for target in piece.targets:
        if isinstance(target, int):
            sources_by_target[target] = sources_by_number.get(target) or ([target] if target in passages else [])
        else:
            sources_by_target[target] = sources_at(target, passages)
    return sources_by_target


def sources_nearby(pieces: Sequence[Piece], cited: Sequence[Mapping[Target, Sequence[int]]]) -> list[Nearby]:
    """The sources cited near each piece.

    Args:
        pieces: Pieces of the answer, in order.
        cited: Sources of the marks of each piece.
    """
    in_block: dict[int, list[int]] = {}
    for piece, cited_by_target in zip(pieces, cited, strict=True):
        in_block.setdefault(piece.block, []).extend(n for numbers in cited_by_target.values() for n in numbers)
    result: list[Nearby] = []
    heading_sources: list[int] = []
    lead_sources: list[int] = []
    for piece in pieces:
        if piece.kind == "heading":
            heading_sources, lead_sources = in_block[piece.block], []
        elif piece.kind == "sentence":
            lead_sources = in_block[piece.block]
        # A paragraph before a list announces its items; within the paragraph, each sentence cites for itself.
        announced = heading_sources if piece.kind == "sentence" else [*lead_sources, *heading_sources]
        beside = [n for n in in_block[piece.block] if n not in announced]
        result.append(Nearby(announced=tuple(dict.fromkeys(announced)), beside=tuple(dict.fromkeys(beside))))
    return result


def candidate_places(
    claim: Claim, near: Nearby, passages: Mapping[int, Passage], scorer: Scorer, weights: Mapping[str, float]
) -> list[Candidate]:
    """Candidate lines, one window per source: of the sources cited nearby, then of the most similar ones."""
    candidates: list[Candidate] = []
    for n in [n for n in (*near.announced, *near.beside) if n in passages][:_MAX_SEARCHED]:
        passage = passages[n]
        # Across languages words cannot be compared, so a source cited nearby is treated as cited.
        is_cited = n in near.announced or passage.chinese != claim.chinese
        candidates.append((scorer.windows(claim, [passage], weights, most=1), "words" if is_cited else "uncited"))
    others = [passage for n, passage in passages.items() if n not in near.announced and n not in near.beside]
    # The weight of a passage bounds that of its best lines.
    bounds = [_weight(claim, passage.where.keys(), weights) for passage in others]
    likely = sorted(sorted(range(len(others)), key=lambda index: -bounds[index])[:_MAX_SEARCHED])
    windows_of_others = [scorer.windows(claim, [others[index]], weights, most=1) for index in likely]
    scores = [_weight(claim, _terms(windows), weights) for windows in windows_of_others]
    promising = sorted(range(len(windows_of_others)), key=lambda index: -scores[index])[:_MAX_CANDIDATES]
    return candidates + [(windows_of_others[index], "uncited") for index in promising]


def best_supported(candidates: Sequence[Support]) -> Support | None:
    """The candidate with the best support, the first of equals; None if none is supported by lines that state it."""
    supported = [
        support
        for support in candidates
        if support.score >= SUPPORTED and any(window.stating for window in support.windows)
    ]
    return max(supported, key=lambda support: support.score, default=None)


def _weight(claim: Claim, there: Set[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(term, 0.0) for term in claim.terms & there)


def _terms(windows: Sequence[Window]) -> frozenset[str]:
    return frozenset().union(*(u.terms for w in windows for u in w.passage.units[w.first : w.last + 1]))


def numbers_cited(cited: SourcesByTarget) -> list[int]:
    """The numbers of the sources of all targets, without repetition."""
    return list(dict.fromkeys(n for numbers in cited.values() for n in numbers))


def passages_of(sources: Sequence[Source], citations: Citations) -> tuple[dict[int, Passage], dict[int, Passage]]:
    """The passages of sources by number, and those among them that were looked up, such as a field of a header.

    The lines of a passage are those of whole sentences, as they are cited; of what was looked up also the line alone.
    What one source says of a document, such as its title, goes for its other lines too: of the lines that were looked
    up in one document the first alone is shown with it.
    """
    notes: dict[str, dict[str, None]] = {}
    for source in sources:
        if source.rows is None and source.hit.note:
            notes.setdefault(source.hit.path, {}).update(dict.fromkeys(source.hit.heading_path))

    def passage_of(source: Source, *, whole: bool) -> Passage:
        hit = source.hit
        about = notes.get(hit.path, {}) if hit.note else {}
        around = " ".join(dict.fromkeys((hit.title, *hit.heading_path, *about)))
        return passage(source.n, citations.excerpt(hit, whole=whole), around, title=hit.title, label=hit.path)

    passages = {source.n: passage_of(source, whole=True) for source in sources}
    looked_up = {
        source.n: passage_of(source, whole=False)
        for source in sources
        if source.rows is None and source.hit.note and source.hit.start_line == source.hit.end_line
    }
    return passages, looked_up
