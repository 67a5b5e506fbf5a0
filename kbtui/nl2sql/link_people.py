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
_FAR: Final = 0.9
"""What people some references away weigh beside those that a row refers to."""
_LITERAL: Final = ("exact", "stem", "abbreviation")
_PEOPLE: Final = ("name", "category", "code", "text")


def people_mentions(
    question: Question,
    tables: Sequence[Mention],
    index: NameIndex,
    catalogue: Catalogue,
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
    known = {m.span for m in tables if m.score >= _NAMED and m.how in _LITERAL}
    for at, token in enumerate(question.tokens):
        span = TokenSpan(at, at + 1)
        if token.kind != "word" or not token.content or span in known or _are_people(token.norm):
            continue
        yield from _people(span, tuple(_events(verbs_of(token.norm), index)), catalogue, _AGENT)


def _are_people(word: str) -> bool:
    return any(is_kind(frozenset((sense.concept,)), "person") for sense in senses_of((word,)))


def _people(span: TokenSpan, tables: Sequence[str], catalogue: Catalogue, score: float) -> Iterator[Mention]:
    """Who rows of the tables name themselves; else people that they lead to by further references."""
    for table in tables:
        refs = tuple(people_of(catalogue, table))
        for ref in refs:
            yield Mention(span=span, kind="column", score=score, how="concept", ref=ref)
        for name in () if refs else catalogue.ancestors(table):
            if is_kind(catalogue.tables[name].concepts, "person"):
                yield Mention(span=span, kind="table", score=score * _FAR, how="concept", ref=Ref(name, "*"))


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


def verbs_of(word: str) -> tuple[str, ...]:
    """What somebody does who is called so; nothing for a word of another ending."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    stem = word.removesuffix(ending)
    if not ending or len(stem) < _SHORTEST:
        return ()
    return tuple(dict.fromkeys((stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem)))


def _events(verbs: Sequence[str], index: NameIndex) -> Iterator[str]:
    """Tables of what is done: commits of committers."""
    for verb in verbs:
        things = [posting.entry for posting in index.stems(root(verb), ())]
        for sense in senses_of((verb,)):
            things += [posting.entry for posting, near in index.concepts(sense.concept, ()) if near.score > _NAMED]
        yield from dict.fromkeys(entry.ref.table for entry in things)
