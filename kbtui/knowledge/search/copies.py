"""Leaves out passages that say again what a better one says: a page beside its source, a manual as PDF and as text.

Documentation is often installed in two forms. What is found in one is then found in the other, and each answer in it
stands twice where room is short. Two files of one name with different endings are taken as forms of one document; of
other files only passages that are contained word for word in a better one are left out, so that two versions of a
text, of which one differs in a figure, both stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from kbtui.domain.evidence import Hit
from kbtui.text.tokenise import tokens

_SHARE_OF_FORMS: Final = 0.7
"""Share of the pairs of neighbouring words of a passage that stand in better ones of the same document in another form;
markup adds a few words."""
_SHORTEST: Final = 8
"""Words below which a passage is never a copy: many headings and names are alike."""


def without_copies(hits: Sequence[Hit], most: int) -> list[Hit]:
    """The first ``most`` of the hits, best first, that repeat no better one."""
    kept: list[Hit] = []
    pairs_of_kept: list[frozenset[tuple[str, str]]] = []
    for hit in hits:
        if len(kept) == most:
            break
        words = tokens(hit.text)
        pairs = frozenset(pairwise(words))
        if len(words) < _SHORTEST or not _is_copy(hit, pairs, kept, pairs_of_kept):
            kept.append(hit)
            pairs_of_kept.append(pairs)
    return kept


def _is_copy(
    hit: Hit,
    pairs: frozenset[tuple[str, str]],
    kept: Sequence[Hit],
    pairs_of_kept: Sequence[frozenset[tuple[str, str]]],
) -> bool:
    if any(pairs <= others for others in pairs_of_kept):
        return True
    name = _name_and_ending(hit.path)
    forms = [
        others
        for better, others in zip(kept, pairs_of_kept, strict=True)
        if (other := _name_and_ending(better.path)) != name and other[0] == name[0]
    ]
    return bool(forms) and len(pairs.intersection(frozenset().union(*forms))) >= _SHARE_OF_FORMS * len(pairs)


def _name_and_ending(path: str) -> tuple[str, str]:
    name, _, ending = path.rsplit("/", 1)[-1].casefold().partition(".")
    return name, ending
