"""The relevant tables of a large source for a question, from their names and comments.

Recall matters more than precision: reading further tables costs milliseconds, a missing table costs the answer. So
every table that shares a word with the question is relevant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kbtui.analysis.naming import name_stems, singular
from kbtui.domain.analysis import Table
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import tokens

MAX_TABLES: Final = 40
"""Most tables read in detail for one question."""

_COMMENT_WEIGHT: Final = 0.5
_COVERED_WEIGHT: Final = 1.0


def relevant_tables(
    question: str, tables: Sequence[Table], terms: Sequence[str] = (), otherwise: str = ""
) -> tuple[str, ...]:
    """Names of at most `MAX_TABLES` tables, the likeliest first; the largest ones where the question names none.

    Args:
        terms: More words that the question may stand for, such as translations.
        otherwise: Text that may name tables if the question does not, such as the previous question.
    """
    size = {table.name: table.row_estimate or 0 for table in tables}
    order = {table.name: position for position, table in enumerate(tables)}
    for text in filter(None, (question, otherwise)):
        scores = table_scores(text, tables, terms)
        matching = [name for name, score in scores.items() if score > 0]
        if matching:
            return tuple(sorted(matching, key=lambda name: (-scores[name], -size[name], order[name]))[:MAX_TABLES])
    # The question may name columns or values only; large tables are the most likely.
    return tuple(sorted(size, key=lambda name: (-size[name], order[name]))[:MAX_TABLES])


def table_scores(question: str, tables: Sequence[Table], terms: Sequence[str] = ()) -> dict[str, float]:
    """A relevance score for each table; words that many tables share count less."""
    question_stems = question_words(question, terms)
    stems = {table.name: name_stems(table.name) for table in tables}
    frequency = Counter(word for words in stems.values() for word in words)
    scores = {}
    for table in tables:
        shared = _shared(stems[table.name], question_stems, question)
        score = sum(1.0 / frequency[word] ** 0.5 for word in shared)
        if shared:
            score += _COVERED_WEIGHT * len(shared) / len(stems[table.name])
        if table.comment:
            words = set(tokens(table.comment)) & question_stems
            score += _COMMENT_WEIGHT * len(words) / max(1, len(question_stems))
        scores[table.name] = score
    return scores


def question_words(question: str, terms: Sequence[str] = ()) -> frozenset[str]:
    """The stems of a question and of further terms, in the form of `name_stems`."""
    words = {singular(token) for token in tokens(question)}
    return frozenset(words | {singular(part) for term in terms for part in tokens(term)})


def _shared(stems: frozenset[str], question_stems: frozenset[str], question: str) -> set[str]:
    shared = set(stems & question_stems)
    # Chinese names are matched as substrings, because the question has no spaces.
    return shared | {word for word in stems if has_cjk(word) and word in question}
