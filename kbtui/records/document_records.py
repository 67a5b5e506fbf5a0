"""Questions about the records of one document: *the tasks of the project Bike rebuild*, *of the meeting on 14 May*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbtui.records.kinds import Kind, Thing
from kbtui.text.days import day_of, days_in


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


def _documents(records: Kind) -> Iterator[str]:
    """Names of the documents that the records of a kind stand in."""
    for thing in records.things:
        for facts in thing.facts.values():
            yield from (fact.value for fact in facts if fact.target and fact.path == thing.path)


def _is_of(thing: Thing, day: str) -> bool:
    """Whether a document states the day, in its title too."""
    days = (day_of(fact.value) for facts in thing.facts.values() for fact in facts)
    return any(each is not None and each.isoformat() == day for each in days)
