"""Reads a question over the tables of a folder: over the kinds that it names, else over those that have its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.domain.analysis import Reading, Readings
from kbtui.errors import DataSourceError
from kbtui.nl2sql.parse import query_of
from kbtui.records.collection import Collection
from kbtui.records.document_records import document_records
from kbtui.records.statements import (
    has_guess,
    measures_by_guess,
    order_by_named_date,
    order_by_version,
    restrict_to_keys,
    topic_of,
    with_exact_values,
    with_ties,
    without_unasked_presence,
)
from kbtui.records.vocabulary import Vocabulary
from kbtui.records.wording import asks, remove_words, wants_newest
from kbtui.text.language import answered_in
from kbtui.text.tokenise import stem

if TYPE_CHECKING:
    from kbtui.domain.analysis import Schema
    from kbtui.nl2sql.reader import QuestionReader
    from kbtui.records.asking import TableAnswer
    from kbtui.records.kinds import Kind
    from kbtui.records.tables import Tables

MIN_CONFIDENCE: Final = 0.45
"""Lowest confidence of an accepted reading; lower than for databases, because every word must be read as well."""
_MIN_UNNAMED: Final = 0.7
"""The same over a kind that the question does not name."""
_MAX_PARAPHRASE: Final = 200
"""Most characters of the paraphrase of a statement; a longer one cannot be checked by reading it."""


class TableQuestions:
    """Reads questions in the words of the tables; an answer has every word read and no condition guessed.

    Args:
        collection: The things of the folder.
        words: The words for its kinds, fields and values.
        tables: The kinds as tables.
        reader: Reads questions over a schema.
        run: Executes a reading of a question; None where its rows do not answer the question.
    """

    def __init__(
        self,
        collection: Collection,
        words: Vocabulary,
        tables: Tables,
        reader: QuestionReader,
        run: Callable[[str, Reading], TableAnswer | None],
    ) -> None:
        self._collection = collection
        self._words = words
        self._tables = tables
        self._reader = reader
        self._run = run

    def answer(self, question: str) -> TableAnswer | None:
        """The first sure answer over the tables that it may be about, else the surest; None where it has none."""
        best: TableAnswer | None = None
        for at, schema in enumerate(self._schemas(question)):
            answer = self._answer_over(schema, question, MIN_CONFIDENCE if not at else _MIN_UNNAMED)
            if answer is not None and (best is None or answer.reading.confidence > best.reading.confidence):
                best = answer
            if best is not None and best.reading.confidence >= _MIN_UNNAMED:
                break
        return best

    def answer_over_titles(self, words: Sequence[str], rest: str) -> TableAnswer | None:
        """The answer to ``rest`` over the things whose title has the words; None where it has no such condition."""
        return self._over_titles(words, rest, self._schema_for(rest))

    def _schemas(self, question: str) -> Iterator[Schema]:
        """The tables that a question may be about, the likeliest first: those it names, then kinds with its words."""
        first = self._schema_for(question)
        yield first
        covering = self._words.coverage.kinds(question)
        others = [self._tables.schema_of([kind]) for kind in covering] or [self._tables.schema]
        yield from (schema for schema in others if schema.fingerprint != first.fingerprint)

    def _answer_over(self, schema: Schema, rewritten: str, least: float) -> TableAnswer | None:
        """The answer to a question in the words of the tables, over some of them."""
        rewritten = self._words.unexplained(rewritten)
        if self._is_foreign(rewritten, schema):
            return None
        readings = self._read(rewritten, schema)
        best = readings.best
        if best is None:
            return None
        best = replace(best, sql=order_by_version(best.sql, self._tables.versions))
        if best.unlinked or has_guess(best.sql, self._tables.free, rewritten):
            return self._answer_by_topic(rewritten, best, schema)
        if len(best.says) > _MAX_PARAPHRASE or measures_by_guess(best.sql, self._tables.measures, rewritten):
            return None
        ties = readings.objections == ("count_tied",)
        if (best.confidence < least and not ties) or (readings.objections and not ties):
            return None
        sql = order_by_named_date(best.sql, rewritten, self._tables.ordered) if wants_newest(rewritten) else best.sql
        if not sql:
            return None
        reading = self._with_exact_values(best, sql, rewritten, schema, ties=ties or wants_newest(rewritten))
        # Two years with the most entries are both the answer.
        reading = replace(reading, sql=with_ties(reading.sql)) if "GROUP BY" in reading.sql else reading
        return self._run(rewritten, reading)

    def _schema_for(self, question: str) -> Schema:
        """The tables a question is read over: that of all documents if it names no kind or names all documents."""
        general, kinds = self._collection.general, self._words.kinds_in(question)
        if (records := document_records(question, kinds)) is not None:
            return self._tables.schema_of([records])
        names_record = any(kind.is_listed for kind in kinds) or self._words.names_record(question)
        if general is not None and (general in kinds or not (kinds or names_record)):
            return self._tables.general
        return self._tables.schema if names_record else self._tables.schema_of(self._words.documents)

    def _read(self, question: str, schema: Schema) -> Readings:
        try:
            return self._reader.read(question, schema)
        except DataSourceError:
            return Readings()

    def _unreadable_words(self, question: str, schema: Schema) -> tuple[str, ...]:
        """Words of the question that no statement over the tables can use."""
        try:
            return self._reader.never_read(question, schema)
        except DataSourceError:
            return ()

    def _is_foreign(self, question: str, schema: Schema) -> bool:
        """Whether the question has words that no statement can use and that no single title contains."""
        unreadable = self._unreadable_words(question, schema)
        kinds = self._kinds_of(question, schema) if unreadable else []
        if len(kinds) != 1:
            return bool(unreadable)
        parts = (part for word in re.findall(r"[\w'-]+", question) for part in word.split("-"))
        stems = {stem(part.lower()) for part in parts if part in unreadable}
        return not any(thing.stems.issuperset(stems) for thing in kinds[0].things)

    def _kinds_of(self, question: str, schema: Schema) -> list[Kind]:
        """The kinds that a question names, else those of the tables that it is read over."""
        kinds = [self._tables.kinds[table.name] for table in schema.tables if table.name in self._tables.kinds]
        return self._words.kinds_in(question) or kinds

    def _answer_by_topic(self, question: str, first: Reading, schema: Schema) -> TableAnswer | None:
        """The answer over things whose title has the topic: words that are neither fields nor values."""
        topic = topic_of(question, first)
        return self._over_titles(topic, remove_words(question, topic), schema) if topic else None

    def _over_titles(self, words: Sequence[str], rest: str, schema: Schema) -> TableAnswer | None:
        """The answer to ``rest`` over the things whose title has the words; None where it has no such condition."""
        kinds = self._kinds_of(rest, schema)
        if len(kinds) != 1:
            return None
        kind, stems = kinds[0], [stem(part.lower()) for word in words for part in word.split("-")]
        things = [thing for thing in kind.things if thing.stems.issuperset(stems)]
        if not things:
            return None
        rest = rest if asks(rest) else f"list {rest}"
        readings = self._read(rest, schema)
        best = readings.best
        if best is None or best.unlinked or readings.objections or best.confidence < MIN_CONFIDENCE:
            return None
        if has_guess(best.sql, self._tables.free, rest):
            return None
        if len(things) == len(kind.things):
            # What all titles say is another name of the kind.
            return self._run(rest, best) if self._words.kinds_in(rest) else None
        sql = restrict_to_keys(
            best.sql, kind.name, self._tables.key_of(kind), [self._tables.key(kind, thing) for thing in things]
        )
        if not sql:
            return None
        says = f"{best.says.rstrip('.。')}, {' '.join(words)} in the title"
        if answered_in(rest) == "zh":
            says = f"{best.says.rstrip('.。')}，标题含“{' '.join(words)}”"
        answer = self._run(rest, replace(best, sql=sql, says=says))
        return answer if answer is not None and answer.result.says_something else None

    def _with_exact_values(self, reading: Reading, sql: str, question: str, schema: Schema, *, ties: bool) -> Reading:
        """The reading of ``sql`` with only the values the question names, or with all rows that tie for a rank."""
        if ties:
            return replace(reading, sql=with_ties(sql))
        sql = without_unasked_presence(with_exact_values(sql, question), question)
        catalogue = self._reader.catalogue(schema)
        query = query_of(sql, catalogue) if sql != reading.sql else None
        if query is None:
            return reading
        says = self._reader.stages.says(query, catalogue, answered_in(question))
        return replace(reading, sql=sql, says=says)
