"""Columns that ``and`` joins: in "by status and channel" both are groups, and neither is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kbtui.nl2sql.candidate import Candidate, Role, Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.rivals import LINKS


def joined_roles(uses: Sequence[Use], lattice: Lattice) -> Iterator[tuple[Role, Role]]:
    """The roles of each two columns of one sort that only the word ``and`` stands between."""
    joints = [cue.span for cue in lattice.question.cues if cue.op == "and"]
    if not joints:
        return
    links = sorted((use for use in uses if use.mention.kind in LINKS), key=lambda use: use.mention.span)
    for left, right in pairwise(links):
        end, start = left.mention.span.last, right.mention.span.first
        if any(end <= joint.first and joint.last <= start <= joint.last + 1 for joint in joints):
            sorts = [_sort(use.mention, lattice.catalogue) for use in (left, right)]
            if sorts[0] and sorts[0] == sorts[1]:
                yield left.role, right.role


def _sort(mention: Mention, catalogue: Catalogue) -> str:
    column = catalogue.column(mention.ref) if mention.kind == "column" and mention.ref is not None else None
    if column is None:
        return ""
    return "quantity" if column.kind in ("measure", "rate") else "date" if column.kind == "date" else "thing"


def coordinated(candidates: Sequence[Candidate], lattice: Lattice) -> list[Candidate]:
    """Leave out what groups by one of two joined columns and counts the other, if any candidate groups by both."""
    roles = [set(joined_roles(candidate.uses, lattice)) for candidate in candidates]
    if not any(("group", "group") in some for some in roles):
        return list(candidates)
    split = {("group", "measure"), ("measure", "group")}
    return [candidate for candidate, some in zip(candidates, roles, strict=True) if some.isdisjoint(split)]
