"""Mentions of values in a role that a preposition or a name indicates: ``to Ghent``, ``led by Bo``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import concepts_of, senses_of
from kbtui.nl2sql.query import Ref
from kbtui.question.model import Question, TokenSpan

_MIN_SCORE: Final = 0.6
_OTHER_ROLE: Final = 0.8
_MIN_TYPE_SCORE: Final = 0.9
"""Score from which words beside a value are the name of its table."""
_NAMING_WORDS: Final = frozenset(("of", "named", "called"))
_PLACING_WORDS: Final = frozenset(("in", "through", "across"))
_FROM: Final = "从由自"
_TO: Final = "到至往去飞抵"
_ARTICLES: Final = frozenset(("the", "a", "an"))
_PLACED: Final = frozenset(("at", "in", "on"))
_ENDS: Final = {"start": "origin_place", "end": "destination"}
"""Concepts of a place by those of verbs: where a trip started is where it is from."""


def role_mentions(
    question: Question, values: Sequence[Mention], names: Sequence[Mention], catalogue: Catalogue
) -> Iterator[Mention]:
    """Values with the words before them that indicate their role or column.

    Args:
        names: Mentions of tables and columns.
    """
    referring = {edge.right.table: edge.left for edge in catalogue.edges if catalogue.tables[edge.right.table].role_of}
    for value in values:
        if value.ref is None or value.score < _MIN_SCORE:
            continue
        role, first = value.ref.table, value.span.first
        info, is_role = catalogue.column(value.ref), role in referring
        role_words = catalogue.tables[role].words if is_role or info is None else ()
        # An origin depot is an origin, among other things.
        concepts = (
            frozenset().union(*map(concepts_of, zip(role_words, strict=True)))
            if info is None or role_words
            else info.concepts
        )
        for start, meant in _before(question, first):
            if meant & concepts:
                yield replace(value, span=TokenSpan(start, value.span.last))
        if not is_role:
            continue
        for name in names:
            indicates_role = (
                name.ref in (Ref(role, "*"), referring[role]) and name.score >= _MIN_SCORE and not name.order
            )
            if (
                indicates_role
                and 0 <= first - name.span.last <= 1
                and not _are_separated(question, name.span.last, first)
            ):
                yield replace(value, span=TokenSpan(name.span.first, value.span.last))


def without_other_roles(
    values: Sequence[Mention], role_values: Sequence[Mention], catalogue: Catalogue
) -> list[Mention]:
    """The values, with lower scores if the words indicate another role of their table, or another column.

    A value of a parent that no word indicates is hardly meant: the posts in Help are not those in categories below it.
    """
    named = {(value.span.last, value.ref) for value in role_values}
    parents = catalogue.once(_parent_roles)
    roles = {(m.span.last, _source_table(catalogue, m)): m.ref for m in role_values if m.ref is not None}

    def is_other(value: Mention) -> bool:
        if value.ref is not None and value.ref.table in parents and (value.span.last, value.ref) not in named:
            return True
        role = roles.get((value.span.last, _source_table(catalogue, value)))
        if role is None or value.ref is None:
            return False
        return value.ref.table != role.table or (value.ref != role and not catalogue.tables[role.table].role_of)

    return [replace(value, score=value.score * _OTHER_ROLE) if is_other(value) else value for value in values]


def without_copies(values: Sequence[Mention], names: Sequence[Mention], catalogue: Catalogue) -> list[Mention]:
    """The values without those of a column that refers to a key with the same value, if its table is not mentioned.

    “The capital of Oregon” is about the state, not about the cities, lakes and rivers that refer to it. A role of a
    table is left out likewise if the table that refers to it is not mentioned.

    Args:
        names: Mentions of tables and columns.
    """
    keys, roles = catalogue.once(_keys_by_reference)
    given = {(value.span, value.ref) for value in values}
    best: dict[tuple[TokenSpan, str], float] = {}
    for name in names:
        if name.ref is not None:
            at = name.span, name.ref.table
            best[at] = max(best.get(at, 0.0), name.score)

    def is_copy(value: Mention) -> bool:
        if value.ref is None:
            return False
        role = roles.get(value.ref.table, "")
        key = Ref(catalogue.tables[value.ref.table].role_of, value.ref.column) if role else keys.get(value.ref)
        if key is None or (value.span, key) not in given:
            return False
        tables = (value.ref.table, role)
        own = ((span, score) for (span, table), score in best.items() if table in tables)
        # A word that names the table referred to as well does not mention this one.
        return not any(score >= _MIN_SCORE and best.get((span, key.table), 0.0) < score for span, score in own)

    return [value for value in values if not is_copy(value)]


def _parent_roles(catalogue: Catalogue) -> frozenset[str]:
    """The roles in which a table refers to itself, such as the parent of a category."""
    edges = catalogue.edges
    return frozenset(
        edge.right.table for edge in edges if edge.left.table == catalogue.tables[edge.right.table].role_of
    )


def _keys_by_reference(catalogue: Catalogue) -> tuple[dict[Ref, Ref], dict[str, str]]:
    """The key that each column refers to, and the table that refers to each role."""
    keys, roles = {}, {}
    for left, right in catalogue.edges:
        if catalogue.tables[right.table].role_of:
            roles[right.table] = left.table
        else:
            keys[left] = right
    return keys, roles


def typed_values(
    question: Question, values: Sequence[Mention], tables: Sequence[Mention], catalogue: Catalogue
) -> Iterator[Mention]:
    """Values with the name of their table beside them: the *Mississippi river*, the *state of Texas*."""
    names = {(table.span.first, table.ref.table): table for table in tables if table.ref is not None}
    names |= {(-table.span.last, table.ref.table): table for table in tables if table.ref is not None}
    for value in values:
        if value.ref is None or value.score < _MIN_SCORE or value.ref not in catalogue.tables[value.ref.table].naming:
            continue
        first = value.span.first
        before = first - (first > 0 and question.tokens[first - 1].norm in _NAMING_WORDS)
        for name in (names.get((value.span.last, value.ref.table)), names.get((-before, value.ref.table))):
            if name is not None and name.score >= _MIN_TYPE_SCORE:
                span = TokenSpan(min(first, name.span.first), max(value.span.last, name.span.last))
                yield replace(value, span=span, score=min(1.0, (value.score + name.score) / 2))


def without_places(question: Question, values: Sequence[Mention], catalogue: Catalogue) -> list[Mention]:
    """The values, with lower scores for names of things after “in” if there is a place with that name.

    The rivers *in Colorado* are not those called Colorado.
    """
    spans = {value.span for value in values if value.ref is not None and not _names_row(value, catalogue)}
    return [
        replace(value, score=value.score * _OTHER_ROLE)
        if _names_row(value, catalogue) and value.span in spans and _follows_in(question, value)
        else value
        for value in values
    ]


def _names_row(value: Mention, catalogue: Catalogue) -> bool:
    """Whether a value is the name of a row of a table that refers to other tables."""
    if value.ref is None or value.ref not in catalogue.tables[value.ref.table].naming:
        return False
    return any(True for _ in catalogue.leaving(value.ref.table))


def _follows_in(question: Question, value: Mention) -> bool:
    return value.span.first > 0 and question.tokens[value.span.first - 1].norm in _PLACING_WORDS


def _source_table(catalogue: Catalogue, mention: Mention) -> str:
    """The table of a mention without its role; empty for mentions without a column."""
    return "" if mention.ref is None else catalogue.without_role(mention.ref.table)


def _before(question: Question, first: int) -> Iterator[tuple[int, frozenset[str]]]:
    """The preposition before a value, and the verb before that, with their concepts: ``to the port``, ``ended at``."""
    at = first - 1
    if at > 0 and question.tokens[at].norm in _ARTICLES:
        at -= 1
    if at < 0:
        return
    yield at, _preposition_concepts(question, at)
    if at > 0 and question.tokens[at].norm in _PLACED:
        verbs = {sense.concept for sense in senses_of((question.tokens[at - 1].norm,))}
        yield at - 1, frozenset(_ENDS[concept] for concept in verbs & _ENDS.keys())


def _preposition_concepts(question: Question, at: int) -> frozenset[str]:
    """Concepts of a preposition: origin for ``from``."""
    token = question.tokens[at]
    norm = "from" if token.text in _FROM else "to" if token.text in _TO else token.norm
    is_word = token.kind == "word" or norm in ("from", "to")
    return frozenset(sense.concept for sense in senses_of((norm,))) if is_word else frozenset()


def _are_separated(question: Question, first: int, last: int) -> bool:
    return any(token.content or token.kind == "punctuation" for token in question.tokens[first:last])
