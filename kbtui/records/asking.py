"""A question about what documents state about themselves, read as a statement over the tables of the folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.analysis import AnsweredStatement, Reading, Readings
from kbtui.errors import DataSourceError
from kbtui.records.acceptance import is_echo, is_of_type
from kbtui.records.collection import SOURCE, Collection
from kbtui.records.kinds import Kind
from kbtui.records.literals import Literals
from kbtui.records.vocabulary import Vocabulary
from kbtui.records.wording import (
    asks,
    asks_twice,
    plain,
    says_when,
    things_asked,
    wants_newest,
    wants_telling,
    wants_truth,
    without,
)
from kbtui.text.language import answered_in, has_cjk
from kbtui.text.tokenise import stem

if TYPE_CHECKING:
    from kbtui.domain.analysis import Schema
    from kbtui.knowledge.reading.source import SourceReader
    from kbtui.nl2sql.reader import QuestionReader
    from kbtui.records.listings import Listings
    from kbtui.records.members import Traced
    from kbtui.records.relating import Checked, Related
    from kbtui.records.selecting import Selecting
    from kbtui.records.tables import Tables
    from kbtui.records.texts import Holding

SURE_FROM: Final = 0.45
"""Confidence from which a reading is taken: below that of databases, since every word must be read besides."""
_FEWEST: Final = 2
"""Things that a follow-up speaks of as *them*."""
_MOST_UNKNOWN: Final = 2
"""Words that are in no field, value or title; with more of them a question is not worth reading."""
_LONGEST_SAYING: Final = 200
"""Characters of what a statement says; nobody can check a longer one by reading it."""
_LONGEST: Final = 300
"""Characters of a question; a longer text tells something."""


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
        source: Reads the files; without it no question is asked of what they say.
        holding: Finds the files that are worth reading for that.
    """

    def __init__(
        self,
        collection: Collection,
        today: Callable[[], date] = date.today,
        source: SourceReader | None = None,
        holding: Holding | None = None,
    ) -> None:
        self._source = source
        self._holding = holding
        self._last: tuple[tuple[str, date], tuple[Found | Related | Checked | None, Related | None]] | None = None
        self.collection = collection
        self.words = Vocabulary(collection)
        self._literals = Literals(collection)
        self._today = today

    @cached_property
    def tables(self) -> Tables:
        """The kinds as tables."""
        from kbtui.records.tables import Tables

        return Tables(self.collection)

    @cached_property
    def _reader(self) -> QuestionReader:
        from kbtui.nl2sql.reader import QuestionReader
        from kbtui.records.statements import stages_over_titles

        return QuestionReader(self.tables.ask, self._today, stages_over_titles)

    def read_of(self, question: str, paths: Sequence[str], told_of: Sequence[str] = ()) -> Related | None:
        """Fields of the first of these documents that is of the kind a question speaks of: *the proposal that …*.

        Args:
            paths: Documents that a search found for it, best first.
            told_of: Documents that were cited just before: one of them is meant by the name of its kind alone.
        """
        from kbtui.records.relating import fields_of

        if any(self.words.kinds_in(word) for word in things_asked(question)):
            # Fields of one of several would pass for those of all.
            return None
        meant = {thing.key for kind in self.words.kinds_in(question) for thing in kind.things}
        paths = paths if self.words.describes(question) else [*told_of, *paths]
        things = [thing for path in paths if (thing := self.collection.thing_at(path)) is not None]
        first = next((thing for thing in things if thing.key in meant), None)
        return fields_of(self.collection.links, question, first.path) if first is not None else None

    def warm(self) -> None:
        """Build what the first question would wait for."""
        self.read("what is this?")

    def may_answer(self, question: str) -> bool:
        """Whether it is worth reading: it asks for things of a kind, or for what has a value. Loads nothing."""
        if len(question) > _LONGEST or not self.collection.kinds or wants_telling(question):
            return False
        if len(self.words.unknown(question)) > _MOST_UNKNOWN:
            return False
        if self.words.kinds_in(question):
            return True
        words = self.words
        # What Chinese words mean in English fields is looked up when a question is read.
        names = words.names_value(question) or words.names_field(question) or has_cjk(question)
        return asks(question) and (names or says_when(question))

    def read(self, question: str, *, loosely: bool = False) -> Found | Related | Checked | None:
        """What the folder states in answer to a question: of one thing, of its relations, or of a set of things.

        Args:
            loosely: A question about relations may have words that nothing accounts for.
        """
        asked = question, self._today()
        # A question of one part is read before the search, and once more as the part that the writer asks for.
        if self._last is None or self._last[0] != asked:
            self._last = asked, self._stated(question)
        exact, loose = self._last[1]
        return loose if exact is None and loosely else exact

    def _stated(self, question: str) -> tuple[Found | Related | Checked | None, Related | None]:
        """The answer to a question of which every word is read, and a relation of which some words are not."""
        from kbtui.records.relating import checked, related

        if asks_twice(question):
            # One statement would answer the second question alone.
            return None, None
        if (chosen := self._selected(question)) is not None:
            return chosen, None
        named = self.words.by_name(question)
        if (check := checked(self.collection, named)) is not None:
            return check, None
        one = None if self.words.ranks(question) else related(self.collection.links, named)
        if one is not None and one.unread:
            one = replace(one, unread=tuple(word for word in one.unread if not self._goes_without_saying(word, one)))
        if one is not None and not one.unread and not one.of_value:
            return one, None
        if (one is None or one.unread or not one.of_document) and (found := self._of_tables(question)) is not None:
            return found, None
        if (one is None or one.unread) and (under := self._listings.read(question)) is not None:
            return under, None
        return (None, one) if one is not None and one.unread else (one, None)

    @cached_property
    def _listings(self) -> Listings:
        from kbtui.records.listings import Listings

        return Listings(self.collection, self.words)

    def _goes_without_saying(self, word: str, one: Related) -> bool:
        """Whether it is the name of the whole folder, or says of what kind the thing is, or all that answer."""
        if word.casefold() == self.collection.root.casefold():
            return True
        for kind in self.words.kinds_in(word):
            names = {name for thing in kind.things for name in (thing.title, thing.name)}
            paths = {thing.path for thing in kind.things}
            if one.entity in names or paths.issuperset(step.item.path for step in one.steps):
                return True
        return False

    def answer(self, question: str) -> Found | None:
        """The answer from the tables, if every word of the question is read and its rows can be told."""
        return self._selected(question) or self._of_tables(question)

    def _of_tables(self, question: str) -> Found | None:
        if not self.may_answer(question):
            return None
        from kbtui.records.statements import by_named_day, by_version, guesses

        asked = self.words.in_own_words(plain(self._literals.quoted(question)))
        if self._beyond(asked):
            asked = self.words.unexplained(asked)
        if self._is_foreign(asked):
            return None
        readings = self._read(asked)
        if readings.best is not None and readings.best.unlinked and (shorter := self.words.unexplained(asked)) != asked:
            asked, readings = shorter, self._read(shorter)
        best = readings.best
        if best is None:
            return None
        best = replace(best, sql=by_version(best.sql, self.tables.versions))
        if best.unlinked or guesses(best.sql, self.tables.free, asked):
            return self._about(asked, best)
        if len(best.says) > _LONGEST_SAYING:
            return None
        ties = readings.objections == ("count_tied",)
        if (best.confidence < SURE_FROM and not ties) or (readings.objections and not ties):
            return None
        sql = by_named_day(best.sql, asked, self.tables.ordered) if wants_newest(asked) else best.sql
        return self._found(asked, self._exactly(best, sql, asked, ties=ties or wants_newest(asked))) if sql else None

    @cached_property
    def _selecting(self) -> Selecting:
        from kbtui.records.selecting import Selecting
        from kbtui.records.texts import Texts

        kinds = [kind for kind in self.collection.kinds if kind.is_series]
        texts = Texts(self._source, self._holding) if self._source is not None else None
        return Selecting(
            [*kinds, self.collection.files],
            lambda: self.tables,
            self._today,
            texts,
            self.collection.links.finder.families,
            self.words.kinds_in,
            self.collection.root,
        )

    def _selected(self, question: str) -> Found | None:
        """The answer to a question about entries that are known by a version, a day or a name, or about files."""
        if len(question) > _LONGEST or not asks(question) or wants_telling(question) or wants_truth(question):
            return None
        for reading, proofs in self._selecting.read(question):
            found = self._found(question, reading)
            if found is not None and found.result.says_something:
                from kbtui.records.members import proved

                return replace(found, result=proved(found.result, proofs)) if proofs else found
        return None

    def _schema(self, asked: str) -> Schema:
        """The tables that a question is read over: of all documents where it speaks of things of no kind or of them."""
        general, kinds = self.collection.general, self.words.kinds_in(asked)
        is_general = general is not None and (not kinds or general in kinds)
        return self.tables.general if is_general else self.tables.schema

    def _read(self, asked: str) -> Readings:
        try:
            return self._reader.read(asked, self._schema(asked))
        except DataSourceError:
            return Readings()

    def _beyond(self, asked: str) -> tuple[str, ...]:
        """The words that no statement over the tables can read."""
        try:
            return self._reader.never_read(asked, self._schema(asked))
        except DataSourceError:
            return ()

    def _is_foreign(self, asked: str) -> bool:
        """Whether it has words that no statement reads, and that together stand in no title either."""
        beyond = self._beyond(asked)
        kinds = self.words.kinds_in(asked) if beyond else []
        if len(kinds) != 1:
            return bool(beyond)
        topic = {stem(part.lower()) for word in _words(asked) for part in word.split("-") if part in beyond}
        return not any(thing.stems.issuperset(topic) for thing in kinds[0].things)

    def _about(self, asked: str, first: Reading) -> Found | None:
        """The same of things whose title has the words that are neither fields nor values: a topic."""
        from kbtui.records.statements import guesses, narrowed, topic_of

        topic = topic_of(asked, first)
        kinds = self.words.kinds_in(asked)
        if not topic or len(kinds) != 1:
            return None
        kind, words = kinds[0], [stem(part.lower()) for word in topic for part in word.split("-")]
        things = [thing for thing in kind.things if thing.stems.issuperset(words)]
        if not things or len(things) == len(kind.things):
            return None
        rest = without(asked, topic)
        readings = self._read(rest)
        best = readings.best
        if best is None or best.unlinked or readings.objections or best.confidence < SURE_FROM:
            return None
        if guesses(best.sql, self.tables.free, asked):
            return None
        sql = narrowed(best.sql, kind.name, self.tables.key_of(kind), [self.tables.key(kind, one) for one in things])
        if not sql:
            return None
        says = f"{best.says.rstrip('.。')}, {' '.join(topic)} in the title"
        if answered_in(asked) == "zh":
            says = f"{best.says.rstrip('.。')}，标题含“{' '.join(topic)}”"
        found = self._found(rest, replace(best, sql=sql, says=says))
        return found if found is not None and found.result.says_something else None

    def _exactly(self, reading: Reading, sql: str, asked: str, *, ties: bool) -> Reading:
        """The reading of ``sql`` with those values alone that the question names, and with all that share a place."""
        from kbtui.nl2sql.parse import query_of
        from kbtui.records.statements import with_exact_values, with_ties, without_unasked_presence

        if ties:
            return replace(reading, sql=with_ties(sql))
        sql = without_unasked_presence(with_exact_values(sql, asked), asked)
        catalogue = self._reader.catalogue(self._schema(asked))
        query = query_of(sql, catalogue) if sql != reading.sql else None
        if query is None:
            return reading
        says = self._reader.stages.says(query, catalogue, answered_in(asked))
        return replace(reading, sql=sql, says=says)

    def points_back(self, question: str) -> bool:
        """Whether it speaks of what was answered before: of *them*, of *those*."""
        from kbtui.nl2sql.following import points_back

        return points_back(self._reader.question(question))

    def follow(self, question: str, sql: str, says: str, before: str) -> Found | None:
        """The answer to a question that changes the statement ``sql``, which answered the question ``before``."""
        from kbtui.nl2sql.follow_ups import follow_up

        asked = self.words.in_own_words(question)
        statement = AnsweredStatement(source=SOURCE, sql=sql, says=says, question=before)
        try:
            general = self.collection.general
            is_general = general is not None and f'"{general.name}"' in sql
            schema = self.tables.general if is_general else self.tables.schema
            found = follow_up(self._reader, asked, schema, statement)
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
        from kbtui.records.members import traced

        try:
            result = traced(reading.sql, self.tables)
        except DataSourceError:
            return None
        if result is None or not result.rows or is_echo(result) or self.words.leaves_field(asked, result.fields):
            return None
        if not is_of_type(asked, result):
            return None
        if reading.truth and not (result.fields and any(row.things for row in result.rows)):
            # That nothing is so may as well mean that the thing is not here.
            return None
        sources = [kind for name, kind in self.tables.kinds.items() if f'FROM "{name}"' in reading.sql]
        kinds = [place.kind for place in result.fields] or sources or self.words.kinds_in(asked)
        return Found(
            question=asked,
            reading=reading,
            result=result,
            kinds=tuple({kind.name: kind for kind in kinds}.values()),
        )


def _words(question: str) -> list[str]:
    return re.findall(r"[\w'-]+", question)
