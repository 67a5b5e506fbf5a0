"""How rare a word is in a folder: a passage that holds the rare words of a question says more than one with the rest.

The full-text index keeps these counts to itself; a sample of the chunks' own terms tells them well enough. A word that
stands in none of two thousand chunks is rare, however many more there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

from kbtui.knowledge import index_rows as rows

SAMPLE: Final = 2000


class Rarity:
    """Counts terms in one version of ``chunks``; what was counted is kept."""

    def __init__(self, chunks: Any) -> None:
        self._chunks = chunks
        self._known: dict[str, float] = {}

    def of(self, terms: Iterable[str]) -> dict[str, float]:
        """For each term 0 (every chunk holds it) to 1 (none does); empty when there is no chunk."""
        import pyarrow.compute as pc

        sample = self._sample
        if not len(sample):
            return {}
        wanted = dict.fromkeys(terms)
        for term in wanted:
            if term not in self._known:
                held = pc.sum(pc.match_substring(sample, f" {term} ")).as_py() or 0
                self._known[term] = _worth(held, len(sample)) / _worth(0, len(sample))
        return {term: self._known[term] for term in wanted}

    @cached_property
    def _sample(self) -> Any:
        """The terms of chunks from all over the table, each row with a space on both ends."""
        import pyarrow.compute as pc

        count = self._chunks.count_rows()
        places = list(range(0, count, max(1, count // SAMPLE)))[:SAMPLE]
        if not places:
            return []
        taken = self._chunks.take_offsets(places).select([rows.TERMS]).to_arrow()[rows.TERMS]
        return pc.binary_join_element_wise("", taken, "", " ")


def _worth(held: int, count: int) -> float:
    """Robertson and Spärck Jones's weight in the form of Lucene, which is never negative."""
    return math.log(1 + (count - held + 0.5) / (held + 0.5))
