"""Questions about the records in texts: *the tasks of the project X*, *of the meeting on 14 May*, *who is to do Y*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kbtui.domain.analysis import Reading
from kbtui.knowledge.relations.rows import BY
from kbtui.knowledge.relations.text_lists import DUE, OWNER
from kbtui.records.kind_names import WORDS
from kbtui.records.kinds import Kind, Thing
from kbtui.records.wording import remove_interrogatives, wants_day, wants_due, wants_person
from kbtui.text.days import day_of, days_in
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem

_PERSONS: Final = (OWNER, BY)
_DAYS: Final = (DUE, "date")
_SLOT_STEMS: Final = frozenset(stem(word) for word in WORDS["roles"]["slots"].split())
_DECIDED: Final = frozenset(stem(word) for word in WORDS["roles"]["decided"].split())
_MIN_DESCRIBING: Final = 2
"""Fewest words of a question that stand in the record itself."""
_MAX_DESCRIBED: Final = 3
_MIN_TITLE_CHARS: Final = 4


def document_records(question: str, kinds: Sequence[Kind]) -> Kind | None:
    """The kind of the records in texts that a question asks for by their document; None for other questions."""
    listed = [kind for kind in kinds if kind.is_listed]
    if len(listed) != 1:
        return None
    lowered = question.casefold()
    return listed[0] if any(name.casefold() in lowered for name in _documents(listed[0])) else None


def by_document(question: str, kinds: Sequence[Kind]) -> str:
    """The question with the title of the document in place of its day: *the meeting on 2026-05-14*.

    Unchanged unless it also names records in such documents, and exactly one document of the kind has the day.
    """
    documents = [kind for kind in kinds if not kind.is_listed]
    days = days_in(question)
    if len(documents) != 1 or len(kinds) != 2 or len(days) != 1:
        return question
    records = next((kind for kind in kinds if kind.is_listed), None)
    names = set(_documents(records)) if records is not None else set()
    titles = {
        name
        for thing in documents[0].things
        if _is_of(thing, days[0].day.isoformat())
        for name in names & {thing.title, thing.name}
    }
    if len(titles) != 1:
        return question
    return f'{question[: days[0].start]}"{titles.pop()}"{question[days[0].end :]}'


def slot_reading(question: str, kinds: Sequence[Kind]) -> Reading | None:
    """The reading for the person or the day of the few records that all words of a question describe; None for others.

    *Who is to renew the key*, *by when is the key to be renewed*: the words stand in the record, or name its document.
    """
    fields = _PERSONS if wants_person(question) else _DAYS if wants_day(question) or wants_due(question) else ()
    words = [word for word in content_words(remove_interrogatives(question)) if re.search(r"\w", word)]
    stems = {stem(word.lower()) for word in words} - _SLOT_STEMS
    for kind in kinds if fields else ():
        if not kind.is_listed:
            continue
        field = next((name for name in fields if name in kind.fields), "")
        described = stems - _DECIDED if field == BY else stems
        things = [thing for thing in kind.things if field and _is_described(thing, described, question)]
        if things and len(things) <= _MAX_DESCRIBED and all(field in thing.facts for thing in things):
            keys = ", ".join("'" + thing.key.replace("'", "''") + "'" for thing in things)
            sql = f'SELECT "title", "{field}" FROM "{kind.name}" WHERE "path" IN ({keys})'  # noqa: S608 - own names
            return Reading(sql=sql, query_kind="filter", confidence=1.0, says=f"{kind.name}: {field}")
    return None


def _is_described(thing: Thing, stems: set[str], question: str) -> bool:
    """Whether the words of a question are those of a record and its document, or a Chinese title stands in it."""
    if has_cjk(thing.title):
        return len(thing.title) >= _MIN_TITLE_CHARS and thing.title in question
    own = {stem(word.lower()) for word in content_words(thing.title)}
    others = {
        stem(word.lower())
        for facts in thing.facts.values()
        for fact in facts
        if fact.target
        for word in (*content_words(fact.value), fact.value)
    }
    return len(stems & own) >= _MIN_DESCRIBING and stems <= own | others


def _documents(records: Kind) -> Iterator[str]:
    """Names of the documents that the records of a kind stand in."""
    for thing in records.things:
        for facts in thing.facts.values():
            yield from (fact.value for fact in facts if fact.target and fact.path == thing.path)


def _is_of(thing: Thing, day: str) -> bool:
    """Whether a document states the day, in its title too."""
    days = (day_of(fact.value) for facts in thing.facts.values() for fact in facts)
    return any(each is not None and each.isoformat() == day for each in days)
