"""Mentions of people by what they do: ``who booked most``, ``committers``, ``top borrowers``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import is_kind, senses_of
from kbtui.nl2sql.name_index import NameIndex
from kbtui.nl2sql.query import Ref
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import root

_WHO: Final = 0.62
_AGENT: Final = 0.72
_NAMED: Final = 0.6
_ENDINGS: Final = ("ers", "ors", "er", "or")
_SHORTEST: Final = 3
"""Letters of the shortest verb that an agent noun is made of."""
_PEOPLE: Final = ("name", "category", "code", "text")


def people_mentions(
    question: Question, tables: Sequence[Mention], index: NameIndex, catalogue: Catalogue
) -> Iterator[Mention]:
    """People of the events that a question names, for its question words and agent nouns.

    Args:
        tables: Mentions of tables.
        index: Of tables.
    """
    named = dict.fromkeys(m.ref.table for m in tables if m.ref is not None and m.score >= _NAMED)
    for cue in question.cues:
        if cue.op == "wh" and cue.args.get("type") == "person":
            yield from _people(cue.span, tuple(named), catalogue, _WHO)
    known = {m.span for m in tables if m.score >= _NAMED}
    for at, token in enumerate(question.tokens):
        span = TokenSpan(at, at + 1)
        if token.kind == "word" and token.content and span not in known and not senses_of((token.norm,)):
            yield from _people(span, tuple(_events(token.norm, index)), catalogue, _AGENT)


def _people(span: TokenSpan, tables: Sequence[str], catalogue: Catalogue, score: float) -> Iterator[Mention]:
    for ref in (ref for table in tables for ref in people_of(catalogue, table)):
        yield Mention(span=span, kind="column", score=score, how="concept", ref=ref)


def people_of(catalogue: Catalogue, table: str) -> Iterator[Ref]:
    """Columns of a table that say who: references to people, and their names or codes."""
    parents = {edge.left: edge.right.table for edge in catalogue.edges if edge.left.table == table}
    for column in catalogue.tables[table].columns:
        if column.ref in parents:
            concepts = catalogue.tables[parents[column.ref]].concepts
        else:
            concepts = column.concepts if column.kind in _PEOPLE else frozenset[str]()
        if is_kind(concepts, "person"):
            yield column.ref


def _events(word: str, index: NameIndex) -> Iterator[str]:
    """Tables of what somebody does who is called so: commits of committers."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    stem = word.removesuffix(ending)
    if not ending or len(stem) < _SHORTEST:
        return
    verbs = dict.fromkeys((stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem))
    for verb in verbs:
        things = [posting.entry for posting in index.stems(root(verb), ())]
        for sense in senses_of((verb,)):
            things += [posting.entry for posting, near in index.concepts(sense.concept, ()) if near.score > _NAMED]
        yield from dict.fromkeys(entry.ref.table for entry in things)
