"""Mentions of people by their activity: ``who booked most``, ``committers``, ``top borrowers``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.draft import MIN_DISTINCT_NAMES
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import is_kind, senses_of
from kbtui.nl2sql.name_index import NameIndex
from kbtui.nl2sql.query import Ref
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import root

_WHO: Final = 0.62
_AGENT: Final = 0.72
_MIN_SCORE: Final = 0.6
_ENDINGS: Final = ("ers", "ors", "er", "or")
_MIN_VERB_LENGTH: Final = 3
"""Letters of a verb that an agent noun is derived from, at least."""
_DISTANT: Final = 0.9
"""Factor for people that a row refers to indirectly."""
_NAME_LINKS: Final = ("exact", "stem", "abbreviation")
_NAME_KINDS: Final = ("name", "category", "code", "text")
_PERSONAL: Final = frozenset(("gender", "birth", "age", "ethnicity", "marital_status"))
"""Concepts of columns that only persons have."""


def people_mentions(
    question: Question, tables: Sequence[Mention], index: NameIndex, catalogue: Catalogue
) -> Iterator[Mention]:
    """Mentions of people for the question words and agent nouns of a question.

    Args:
        tables: Mentions of tables.
        index: Index of table names.
    """
    mentioned = dict.fromkeys(m.ref.table for m in tables if m.ref is not None and m.score >= _MIN_SCORE)
    for cue in question.cues:
        if cue.op == "wh" and cue.args.get("type") == "person":
            yield from _people(cue.span, tuple(mentioned), catalogue, _WHO)
    name_spans = {m.span for m in tables if m.score >= _MIN_SCORE and m.how in _NAME_LINKS}
    for at, token in enumerate(question.tokens):
        span = TokenSpan(at, at + 1)
        if token.kind != "word" or not token.content or span in name_spans or _means_people(token.norm):
            continue
        yield from _people(span, tuple(_event_tables(verbs_of(token.norm), index)), catalogue, _AGENT)


def _means_people(word: str) -> bool:
    return any(is_kind(frozenset((sense.concept,)), "person") for sense in senses_of((word,)))


def _people(span: TokenSpan, tables: Sequence[str], catalogue: Catalogue, score: float) -> Iterator[Mention]:
    """Columns of the tables that name people; else tables of people that they refer to, directly or not."""
    for table in tables:
        refs = tuple(people_of(catalogue, table))
        for ref in refs:
            yield Mention(span=span, kind="column", score=score, how="concept", ref=ref)
        for name in () if refs else catalogue.ancestors(table):
            if is_kind(catalogue.tables[name].concepts, "person"):
                yield Mention(span=span, kind="table", score=score * _DISTANT, how="concept", ref=Ref(name, "*"))


def people_of(catalogue: Catalogue, table: str) -> Iterator[Ref]:
    """Columns of a table that identify people: references to people, and their names or codes."""
    parents = {edge.left: edge.right.table for edge in catalogue.edges if edge.left.table == table}
    for column in catalogue.tables[table].columns:
        if column.ref in parents:
            concepts = catalogue.tables[parents[column.ref]].concepts
        else:
            concepts = column.concepts if column.kind in _NAME_KINDS else frozenset[str]()
        if is_kind(concepts, "person"):
            yield column.ref


def rows_as_people(catalogue: Catalogue, table: TableInfo) -> Ref | None:
    """The rows of a table that are persons although it is named otherwise: exam results with name, gender and birth
    date; the column of their names if each has several rows, as a day's attendance; None if there are none."""
    concepts = {concept for column in table.columns for concept in column.concepts}
    names = catalogue.column(table.naming[0]) if table.naming else None
    if names is None or not (names.words[-1].endswith("姓名") or not _PERSONAL.isdisjoint(concepts)):
        return None
    if repeats_people(names, table):
        return names.ref
    return Ref(table.name, "*") if not _PERSONAL.isdisjoint(concepts) else None


def repeats_people(column: ColumnInfo, table: TableInfo) -> bool:
    """Whether a column names people who have several rows each, as in a table of attendance."""
    return column.words[-1].endswith("姓名") and column.distinct < MIN_DISTINCT_NAMES * table.rows


def verbs_of(word: str) -> tuple[str, ...]:
    """The verbs of an agent noun (``commiter``: ``commit``, ``commite``); empty for words without such an ending."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    stem = word.removesuffix(ending)
    if not ending or len(stem) < _MIN_VERB_LENGTH:
        return ()
    return tuple(dict.fromkeys((stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem)))


def _event_tables(verbs: Sequence[str], index: NameIndex) -> Iterator[str]:
    """Tables of what is done: commits for committers."""
    for verb in verbs:
        entries = [posting.entry for posting in index.stems(root(verb), ())]
        for sense in senses_of((verb,)):
            entries += [
                posting.entry
                for posting, neighbour in index.concepts(sense.concept, ())
                if neighbour.score > _MIN_SCORE
            ]
        yield from dict.fromkeys(entry.ref.table for entry in entries)
