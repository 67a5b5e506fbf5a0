"""Which tables of a large source a question may be about, from their names and comments alone.

A thousand tables are not read in detail for one question. Reading some too many costs milliseconds, missing the right
one costs the answer, so this is generous: every table that shares a word with the question comes along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kbtui.analysis.naming import name_stems, singular
from kbtui.domain.analysis import Table
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import tokens

MOST: Final = 40
"""Most tables read in detail for one question."""

_COMMENT_WEIGHT: Final = 0.5
_COVERED_WEIGHT: Final = 1.0


def relevant_tables(
    question: str, tables: Sequence[Table], terms: Sequence[str] = (), otherwise: str = ""
) -> tuple[str, ...]:
    """Names of at most `MOST` tables, the likeliest first; the largest ones where the question names none.

    Args:
        terms: More words that the question may stand for, such as translations.
        otherwise: What may name some where the question does not, such as the one before it.
    """
    size = {table.name: table.row_estimate or 0 for table in tables}
    order = {table.name: position for position, table in enumerate(tables)}
    for text in filter(None, (question, otherwise)):
        scores = table_scores(text, tables, terms)
        found = [name for name, score in scores.items() if score > 0]
        if found:
            return tuple(sorted(found, key=lambda name: (-scores[name], -size[name], order[name]))[:MOST])
    # Its words are those of columns, or of values. What is asked about most is what there is most of.
    return tuple(sorted(size, key=lambda name: (-size[name], order[name]))[:MOST])


def table_scores(question: str, tables: Sequence[Table], terms: Sequence[str] = ()) -> dict[str, float]:
    """How much each table has in common with the question; a word that many tables share counts less."""
    asked = asked_words(question, terms)
    stems = {table.name: name_stems(table.name) for table in tables}
    frequency = Counter(word for words in stems.values() for word in words)
    scores = {}
    for table in tables:
        shared = _shared(stems[table.name], asked, question)
        score = sum(1.0 / frequency[word] ** 0.5 for word in shared)
        if shared:
            score += _COVERED_WEIGHT * len(shared) / len(stems[table.name])
        if table.comment:
            words = set(tokens(table.comment)) & asked
            score += _COMMENT_WEIGHT * len(words) / max(1, len(asked))
        scores[table.name] = score
    return scores


def asked_words(question: str, terms: Sequence[str] = ()) -> frozenset[str]:
    """The words of a question and those it may stand for, in the form in which names are compared."""
    words = {singular(token) for token in tokens(question)}
    return frozenset(words | {singular(part) for term in terms for part in tokens(term)})


def _shared(stems: frozenset[str], asked: frozenset[str], question: str) -> set[str]:
    shared = set(stems & asked)
    # Chinese names are found inside of the question, which has no spaces to cut at.
    return shared | {word for word in stems if has_cjk(word) and word in question}
