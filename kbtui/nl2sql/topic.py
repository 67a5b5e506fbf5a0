"""What a question asks for, by its words alone: the tables of its head noun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.question.model import TokenSpan

MEANT: Final = 0.6
"""Score from which words name a table or a date."""
_VALUE: Final = 0.85
"""Score from which a value is a noun that may stand first (rabbits seen in may)."""
_CUE: Final = 0.5
"""Weight of an operator from which its words are taken."""


def tables_by_span(lattice: Lattice) -> dict[TokenSpan, set[str]]:
    """Tables by the words that name them."""
    found: dict[TokenSpan, set[str]] = {}
    for mention in lattice.mentions:
        if mention.kind == "table" and mention.score >= MEANT and mention.ref is not None:
            found.setdefault(mention.span, set()).add(mention.ref.table)
    return found


def heads(lattice: Lattice) -> set[str]:
    """The tables that may hold what is asked for, none where nothing tells.

    It stands right behind ``which`` and ``is there any``; else first in English (tickets of a customer), last in
    Chinese (客户的工单).
    """
    tables = tables_by_span(lattice)
    nouns = {span: names for span, names in tables.items() if not _is_inside(span, tables)}
    chinese = lattice.question.language == "zh"
    if not chinese:
        for mention in _values(lattice):
            if mention.ref is not None and not any(mention.span.overlaps(span) for span in tables):
                nouns.setdefault(mention.span, set()).add(mention.ref.table)
    if not nouns:
        return set()
    order = sorted(nouns)
    cues = [cue.span for cue in lattice.question.cues if cue.op in ("wh", "truth") and cue.weight >= _CUE]
    asked = [span for span in order if any(cue.first <= span.first <= cue.last for cue in cues)]
    return nouns[asked[0] if asked else order[-1] if chinese else order[0]]


def _values(lattice: Lattice) -> Iterator[Mention]:
    """Values that no operator, period or number takes the words of."""
    question = lattice.question
    taken = [cue.span for cue in question.cues if cue.weight >= _CUE]
    taken += [period.span for period in question.periods]
    taken += [number.span for number in question.numbers]
    for mention in lattice.mentions:
        if (
            mention.kind == "value"
            and mention.score >= _VALUE
            and not any(mention.span.overlaps(span) for span in taken)
        ):
            yield mention


def _is_inside(span: TokenSpan, others: dict[TokenSpan, set[str]]) -> bool:
    return any(span != other and span.within(other) for other in others)
