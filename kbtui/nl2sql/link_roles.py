"""Values in a role of a table or column, told by a preposition or the name of the role: ``to Ghent``, ``led by Bo``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import concepts_of, senses_of
from kbtui.nl2sql.query import Ref
from kbtui.question.model import Question, TokenSpan

_LEAST: Final = 0.6
_OTHER_ROLE: Final = 0.8
_FROM: Final = "从由自"
_TO: Final = "到至往去飞抵"


def in_roles(
    question: Question, values: Sequence[Mention], names: Sequence[Mention], catalogue: Catalogue
) -> Iterator[Mention]:
    """Values of roles, with the words right before them that tell the role.

    Args:
        names: Mentions of tables and columns.
    """
    referring = {edge.right.table: edge.left for edge in catalogue.edges if catalogue.tables[edge.right.table].role_of}
    for value in values:
        if value.ref is None or value.score < _LEAST:
            continue
        role, first = value.ref.table, value.span.first
        info, is_role = catalogue.column(value.ref), role in referring
        said = catalogue.tables[role].words if is_role or info is None else ()
        # An origin depot is an origin, whatever else it is.
        concepts = (
            frozenset().union(*map(concepts_of, zip(said, strict=True))) if info is None or said else info.concepts
        )
        if first and _direction(question, first - 1) & concepts:
            yield replace(value, span=TokenSpan(first - 1, value.span.last))
        if not is_role:
            continue
        for name in names:
            told = name.ref in (Ref(role, "*"), referring[role]) and name.score >= _LEAST and not name.order
            if told and 0 <= first - name.span.last <= 1 and not _parted(question, name.span.last, first):
                yield replace(value, span=TokenSpan(name.span.first, value.span.last))


def without_other_roles(values: Sequence[Mention], told: Sequence[Mention], catalogue: Catalogue) -> list[Mention]:
    """The values with less weight where words tell another role of their table, or another column of it."""
    roles = {(m.span.last, _stored(catalogue, m)): m.ref for m in told if m.ref is not None}

    def is_other(value: Mention) -> bool:
        role = roles.get((value.span.last, _stored(catalogue, value)))
        if role is None or value.ref is None:
            return False
        return value.ref.table != role.table or (value.ref != role and not catalogue.tables[role.table].role_of)

    return [replace(value, score=value.score * _OTHER_ROLE) if is_other(value) else value for value in values]


def _stored(catalogue: Catalogue, mention: Mention) -> str:
    """The table that a mention is of, without a role."""
    return "" if mention.ref is None else catalogue.without_role(mention.ref.table)


def _direction(question: Question, at: int) -> frozenset[str]:
    """Concepts of a preposition: an origin of ``from``."""
    token = question.tokens[at]
    norm = "from" if token.text in _FROM else "to" if token.text in _TO else token.norm
    known = token.kind == "word" or norm in ("from", "to")
    return frozenset(sense.concept for sense in senses_of((norm,))) if known else frozenset()


def _parted(question: Question, first: int, last: int) -> bool:
    return any(token.content or token.kind == "punctuation" for token in question.tokens[first:last])
