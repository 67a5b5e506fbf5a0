"""A question about what documents state about themselves, read as a statement over the tables of the folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.analysis import AnsweredStatement, Reading
from kbtui.errors import DataSourceError
from kbtui.nl2sql.follow_ups import follow_up
from kbtui.nl2sql.following import points_back
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.reader import QuestionReader
from kbtui.records.collection import WORDS, Collection, Kind
from kbtui.records.members import Traced, traced
from kbtui.records.tables import SOURCE, Tables
from kbtui.records.wording import asks, guesses, plain, with_exact_values
from kbtui.text.language import answered_in
from kbtui.text.tokenise import stem

SURE_FROM: Final = 0.5
"""Confidence from which a reading is taken: below what databases need, since every word must be read besides."""
_MAIN: Final = 0.6
"""Share of all things that a kind must have for a general word (document, page) to mean it."""
_FEWEST: Final = 2
"""Things that a follow-up speaks of as *them*."""
_LONGEST: Final = 300
"""Characters of a question; a longer text tells something."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")


class Found(Struct, frozen=True, kw_only=True):
    """A question that the tables answer.

    Attributes:
        question: As it was read.
        kinds: Whose things were all looked at.
    """

    question: str
    reading: Reading
    result: Traced
    kinds: tuple[Kind, ...]


class RecordsReader:
    """Reads questions over one folder's collection; safe to use from several threads.

    Args:
        collection: What the folder is about.
        today: The day that "last month" is counted from.
    """

    def __init__(self, collection: Collection, today: Callable[[], date] = date.today) -> None:
        self.collection = collection
        self._today = today

    @cached_property
    def tables(self) -> Tables:
        """The kinds as tables."""
        return Tables(self.collection)

    @cached_property
    def _reader(self) -> QuestionReader:
        return QuestionReader(self.tables.ask, self._today)

    def may_answer(self, question: str) -> bool:
        """Whether it is worth reading: it asks for things of a kind, or for what has a value. Loads nothing."""
        if len(question) > _LONGEST or not self.collection.kinds:
            return False
        things = bool(self._kinds_in(question))
        return (things or self._names_value(question)) and (asks(question) or self._names_field(question))

    def answer(self, question: str) -> Found | None:
        """The answer, if every word of the question is read and its rows can be told."""
        if not self.may_answer(question):
            return None
        asked = self._in_own_words(plain(question))
        try:
            readings = self._reader.read(asked, self.tables.schema)
        except DataSourceError:
            return None
        best = readings.best
        if best is None or best.unlinked or readings.objections or best.confidence < SURE_FROM:
            return None
        best = self._exactly(best, asked)
        return None if guesses(best.sql, self.tables.free) else self._found(asked, best)

    def _exactly(self, reading: Reading, asked: str) -> Reading:
        """The reading with the values alone that the question names word for word."""
        sql = with_exact_values(reading.sql, asked)
        query = query_of(sql, self._reader.catalogue(self.tables.schema)) if sql != reading.sql else None
        if query is None:
            return reading
        says = self._reader.stages.says(query, self._reader.catalogue(self.tables.schema), answered_in(asked))
        return replace(reading, sql=sql, says=says)

    def points_back(self, question: str) -> bool:
        """Whether it speaks of what was answered before: of *them*, of *those*."""
        return points_back(self._reader.question(question))

    def follow(self, question: str, sql: str, says: str, before: str) -> Found | None:
        """The answer to a question that changes the statement ``sql``, which answered the question ``before``."""
        asked = self._in_own_words(question)
        statement = AnsweredStatement(source=SOURCE, sql=sql, says=says, question=before)
        try:
            found = follow_up(self._reader, asked, self.tables.schema, statement)
        except DataSourceError:
            return None
        best = found.readings.best if found is not None else None
        if best is None or best.unlinked or best.confidence < SURE_FROM:
            return None
        return self._found(asked, best)

    def statement_of(self, paths: Sequence[str]) -> str:
        """The statement whose rows are the things that these files are; empty where they are of several kinds."""
        things = [thing for path in dict.fromkeys(paths) if (thing := self.collection.thing_at(path)) is not None]
        kinds = [kind for kind in self.collection.kinds if any(thing in kind.things for thing in things)]
        if len(kinds) != 1 or len(things) < _FEWEST:
            return ""
        own = [thing for thing in things if thing in kinds[0].things]
        by_number = kinds[0].is_numbered
        keys = ", ".join(str(t.number) if by_number else "'" + t.key.replace("'", "''") + "'" for t in own)
        key = "number" if by_number else "path"
        return f'SELECT "title" FROM "{kinds[0].name}" WHERE "{key}" IN ({keys})'  # noqa: S608 - read over tables here

    def _found(self, asked: str, reading: Reading) -> Found | None:
        try:
            result = traced(reading.sql, self.tables)
        except DataSourceError:
            return None
        if result is None or not result.rows or _is_echo(result):
            return None
        kinds = [place.kind for place in result.fields] or self._kinds_in(asked)
        return Found(
            question=asked,
            reading=reading,
            result=result,
            kinds=tuple({kind.name: kind for kind in kinds}.values()),
        )

    # Words --------------------------------------------------------------------------------------------------------

    @cached_property
    def _nouns(self) -> dict[str, Kind]:
        """Kinds by the stems of what they are called; a word for several kinds means the one that is most of all."""
        kinds = self.collection.kinds
        total = sum(len(kind.things) for kind in kinds) or 1
        found: dict[str, list[Kind]] = {}
        for kind in kinds:
            for word in (kind.name, *kind.words):
                for form in (word.lower(), f"{word.lower()}s"):
                    found.setdefault(stem(form), []).append(kind)
        chosen = {}
        for word, meant in found.items():
            meant = list({kind.name: kind for kind in meant}.values())
            main = meant[0] if len(meant) == 1 or len(meant[0].things) >= _MAIN * total else None
            main = main or next((kind for kind in meant if stem(kind.name) == word), None)
            if main is not None:
                chosen[word] = main
        return chosen

    def _kinds_in(self, question: str) -> list[Kind]:
        words = [stem(word.lower()) for word in _WORD.findall(self._translated(question))]
        return list({kind.name: kind for word in words if (kind := self._nouns.get(word)) is not None}.values())

    @cached_property
    def _values(self) -> frozenset[str]:
        """Stems of values that several things of a kind share."""
        found = set()
        for kind in self.collection.kinds:
            for name in kind.fields:
                values = [fact.value for thing in kind.things for fact in thing.facts.get(name, ())]
                if len(set(values)) * 2 <= len(values):
                    found |= {stem(word.lower()) for value in set(values) for word in _WORD.findall(value)}
        return frozenset(found)

    @cached_property
    def _fields(self) -> frozenset[str]:
        names = {name for kind in self.collection.kinds for name in kind.fields}
        return frozenset(stem(word.lower()) for name in names for word in _WORD.findall(name))

    def _names_field(self, question: str) -> bool:
        return any(stem(word.lower()) in self._fields for word in _WORD.findall(question) if len(word) > 3)

    def _names_value(self, question: str) -> bool:
        return any(stem(word.lower()) in self._values for word in _WORD.findall(question) if len(word) > 3)

    @staticmethod
    def _translated(question: str) -> str:
        for word, english in WORDS["words"].items():
            question = question.replace(word, f" {english} ")
        return question

    def _in_own_words(self, question: str) -> str:
        """The question with things called as their table is."""

        def own(match: re.Match[str]) -> str:
            word = match[0]
            kind = self._nouns.get(stem(word.lower()))
            if kind is None or word.lower() in (kind.name, f"{kind.name}s"):
                return word
            is_plural = word.lower().endswith("s") and not kind.name.endswith("s")
            return f"{kind.name}{'s' if is_plural else ''}"

        return _WORD.sub(own, self._translated(question))


def _is_echo(result: Traced) -> bool:
    """Whether the rows say no more than the question: the name of the one thing that it names."""
    if result.is_figure or result.fields or len(result.rows) != 1:
        return False
    return set(result.columns) <= {"title", "number", "path"}
