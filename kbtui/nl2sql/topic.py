"""Finds the subject of a question by its words: the tables of its head noun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.question.model import TokenSpan

MIN_SCORE: Final = 0.6
"""Score from which words name a table or a date."""
_MIN_VALUE_SCORE: Final = 0.85
"""Score from which a value may be the head noun: “rabbits seen in may”."""
_MIN_CUE_WEIGHT: Final = 0.5
"""Weight from which a cue takes its words."""


def tables_by_span(lattice: Lattice) -> dict[TokenSpan, set[str]]:
    """Tables by the spans that name them."""
    tables: dict[TokenSpan, set[str]] = {}
    for mention in lattice.mentions:
        if mention.kind == "table" and mention.score >= MIN_SCORE and mention.ref is not None:
            tables.setdefault(mention.span, set()).add(mention.ref.table)
    return tables


def head_tables(lattice: Lattice) -> set[str]:
    """The tables that the head noun may mean; empty if unknown.

    The head noun follows ``which`` and ``is there any``; else it is first in English (tickets of a customer), last in
    Chinese (客户的工单).
    """
    tables = tables_by_span(lattice)
    nouns = {span: names for span, names in tables.items() if not _is_inside(span, tables)}
    is_chinese = lattice.question.language == "zh"
    if not is_chinese:
        for mention in _free_values(lattice):
            if mention.ref is not None and not any(mention.span.overlaps(span) for span in tables):
                nouns.setdefault(mention.span, set()).add(mention.ref.table)
    if not nouns:
        return set()
    order = sorted(nouns)
    cues = [cue.span for cue in lattice.question.cues if cue.op in ("wh", "truth") and cue.weight >= _MIN_CUE_WEIGHT]
    after_cue = [span for span in order if any(cue.first <= span.first <= cue.last for cue in cues)]
    return nouns[after_cue[0] if after_cue else order[-1] if is_chinese else order[0]]


def _free_values(lattice: Lattice) -> Iterator[Mention]:
    """Values whose words belong to no cue, period or number."""
    question = lattice.question
    used_spans = [cue.span for cue in question.cues if cue.weight >= _MIN_CUE_WEIGHT]
    used_spans += [period.span for period in question.periods]
    used_spans += [number.span for number in question.numbers]
    for mention in lattice.mentions:
        if (
            mention.kind == "value"
            and mention.score >= _MIN_VALUE_SCORE
            and not any(mention.span.overlaps(span) for span in used_spans)
        ):
            yield mention


def _is_inside(span: TokenSpan, others: dict[TokenSpan, set[str]]) -> bool:
    return any(span != other and span.within(other) for other in others)
