"""Answers questions about what documents state about themselves, from SQL statements over the tables of the folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.analysis import Reading
from kbtui.errors import DataSourceError
from kbtui.records.acceptance import is_echo, is_empty_condition, is_of_type, is_ranked_by_text
from kbtui.records.collection import Collection
from kbtui.records.document_records import by_document, slot_reading
from kbtui.records.kinds import Fact, Kind
from kbtui.records.literals import Literals
from kbtui.records.vocabulary import Vocabulary
from kbtui.records.wording import (
    as_of,
    asks,
    asks_for_period,
    asks_for_row,
    asks_twice,
    says_when,
    simplify,
    things_asked,
    title_condition,
    wants_telling,
    wants_truth,
)
from kbtui.text.language import answered_in, has_cjk

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceReader
    from kbtui.nl2sql.reader import QuestionReader
    from kbtui.records.closures import ClosureReader
    from kbtui.records.members import TracedRows
    from kbtui.records.phrase_selection import PhraseReader
    from kbtui.records.relating import RelationAnswer, ValueCheck
    from kbtui.records.selecting import SelectionReader
    from kbtui.records.tables import Tables
    from kbtui.records.texts import FileFinder, Texts

_MAX_UNKNOWN_WORDS: Final = 2
"""Most words outside all fields, values and titles that a question may have to be worth reading."""
_MAX_QUESTION: Final = 300
"""Most characters of a question; a longer text is a report rather than a question."""


class TableAnswer(Struct, frozen=True, kw_only=True):
    """The answer of a SQL statement over the tables of the folder.

    Attributes:
        question: The question, as rewritten before it was read.
        reading: The statement, its paraphrase and its confidence.
        result: The rows of the statement.
        kinds: The kinds that the statement covers.
        tells_rows: More is asked of the first or the last than what it is called.
    """

    question: str
    reading: Reading
    result: TracedRows
    kinds: tuple[Kind, ...]
    tells_rows: bool = False


class RecordsReader:
    """Reads questions over one folder's collection; safe to use from several threads.

    Args:
        collection: The things of the folder.
        today: Returns the date that "last month" is relative to.
        source: Reads the files; without it no answer is taken from their texts.
        file_finder: Finds the files that contain given words, so that only these are read.
    """

    def __init__(
        self,
        collection: Collection,
        today: Callable[[], date] = date.today,
        source: SourceReader | None = None,
        file_finder: FileFinder | None = None,
    ) -> None:
        self._source = source
        self._file_finder = file_finder
        self._last_read: (
            tuple[tuple[str, date], tuple[TableAnswer | RelationAnswer | ValueCheck | None, RelationAnswer | None]]
            | None
        ) = None
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
    def statement_reader(self) -> QuestionReader:
        from kbtui.nl2sql.reader import QuestionReader
        from kbtui.records.statements import stages_over_titles

        return QuestionReader(self.tables.ask, self._today, stages_over_titles)

    def read_fields_of(
        self, question: str, paths: Sequence[str], cited_paths: Sequence[str] = ()
    ) -> RelationAnswer | None:
        """Answer a question about fields from the first document of the kind it speaks of: *the proposal that …*.

        Args:
            paths: Documents that a search returned for the question, best first.
            cited_paths: Documents cited by the previous answer; one may be named by its kind alone: *the ticket*.
        """
        from kbtui.records.relating import answer_fields

        if any(self.words.kinds_in(word) for word in things_asked(question)):
            return None
        keys_of_kind = {thing.key for kind in self.words.kinds_in(question) for thing in kind.things}
        paths = paths if self.words.describes(question) else [*cited_paths, *paths]
        things = [thing for path in paths if (thing := self.collection.thing_at(path)) is not None]
        first = next((thing for thing in things if thing.key in keys_of_kind), None)
        return answer_fields(self.collection.links, question, first.path) if first is not None else None

    def warm(self) -> None:
        """Build the tables and the vocabulary, so that the first question need not wait for them."""
        self.read("what is this?")

    def may_answer(self, question: str) -> bool:
        """Whether a question is worth reading: it names a kind, or asks for a field or a value. Loads nothing."""
        if len(question) > _MAX_QUESTION or not self.collection.kinds or wants_telling(question):
            return False
        if len(self.words.unknown(question)) > _MAX_UNKNOWN_WORDS:
            return False
        if self.words.kinds_in(question):
            return True
        words = self.words
        # Chinese words are translated to English field names only when a question is read.
        names_field_or_value = words.names_value(question) or words.names_field(question) or has_cjk(question)
        return asks(question) and (names_field_or_value or says_when(question) or bool(words.coverage.kinds(question)))

    def read(self, question: str, *, loosely: bool = False) -> TableAnswer | RelationAnswer | ValueCheck | None:
        """Answer a question about one thing, its relations, or a set of things; None where it cannot be read.

        Args:
            loosely: Accept a question about relations of which some words are not read.
        """
        key = question, self._today()
        # A question of one part is read twice: before the search, and again as a part by the offline writer.
        if self._last_read is None or self._last_read[0] != key:
            self._last_read = key, self._read_exact_and_loose(question)
        exact, loose = self._last_read[1]
        return loose if exact is None and loosely else exact

    def _read_exact_and_loose(
        self, question: str
    ) -> tuple[TableAnswer | RelationAnswer | ValueCheck | None, RelationAnswer | None]:
        """The answer to a question of which every word is read, and a relation answer with unread words."""
        from kbtui.records.relating import answer_relations, check_value
        from kbtui.records.selecting import without_included

        question = without_included(question)
        if asks_twice(question):  # A single statement would answer only the second question.
            return None, None
        if selection := self._answer_from_selection(question):
            return selection, None
        question_by_name = self.words.numbered.by_name(question)
        if (value_check := check_value(self.collection, question_by_name)) is not None:
            return value_check, None
        relation = None if self.words.ranks(question) else answer_relations(self.collection.links, question_by_name)
        if relation is not None and relation.unread:
            relation = replace(
                relation, unread=tuple(word for word in relation.unread if not self._is_implied(word, relation))
            )
        if relation is not None and not relation.unread and not relation.of_value:
            return relation, None
        if (relation is None or relation.unread or not relation.of_document) and (
            table_answer := self._answer_from_tables(question)
        ) is not None:
            return table_answer, None
        if (relation is None or relation.unread) and (closure := self._answer_from_closure(question)) is not None:
            return closure, None
        if (relation is None or relation.unread) and (said := self._answer_from_phrase(question)) is not None:
            return said, None
        return (None, relation) if relation is not None and relation.unread else (relation, None)

    @cached_property
    def _closures(self) -> ClosureReader:
        from kbtui.records.closures import ClosureReader

        return ClosureReader(self.collection)

    def _answer_from_closure(self, question: str) -> TableAnswer | None:
        """The answer to a question about what rests on a thing, or what it rests on."""
        closure = self._closures.read(question) if len(question) <= _MAX_QUESTION else None
        if closure is None:
            return None
        from kbtui.records.closures import reading_of
        from kbtui.records.members import replace_proofs, trace_rows

        reading = reading_of(closure, answered_in(question))
        result = trace_rows(reading.sql, self.tables)
        if result is None:
            return None
        result = replace_proofs(result, closure.reached)
        return TableAnswer(question=question, reading=reading, result=result, kinds=(closure.reference.kind,))

    def _is_implied(self, word: str, answer: RelationAnswer) -> bool:
        """Whether a word is the name of the folder, or names the kind of the thing or of everything in the answer."""
        if word.casefold() == self.collection.root.casefold():
            return True
        for kind in self.words.kinds_in(word):
            names = {name for thing in kind.things for name in (thing.title, thing.name)}
            paths = {thing.path for thing in kind.things}
            if answer.entity in names or paths.issuperset(step.item.path for step in answer.steps):
                return True
        return False

    def answer(self, question: str) -> TableAnswer | None:
        """The answer from the tables, if every word of the question is read and its rows can be traced to things."""
        return self._answer_from_selection(question) or self._answer_from_tables(question)

    def _answer_from_tables(self, question: str) -> TableAnswer | None:
        if (slot := slot_reading(question, self.collection.kinds)) is not None:
            return self.run(question, slot)
        dated = as_of(question)
        question = dated[0] if dated is not None else question
        question = by_document(self.words.with_only_kind(question), self.words.kinds_in(question))
        rewritten = self.words.in_own_words(
            self.words.derived.with_fields(
                self.words.derived.with_absence(simplify(self._literals.quote_values(question)))
            )
        )
        if not any(map(self.may_answer, (question, simplify(question), rewritten))):
            return None
        # sqlglot, of which most questions have no need, comes with these.
        from kbtui.nl2sql.reader import QuestionReader
        from kbtui.records.statements import stages_over_titles
        from kbtui.records.table_questions import TableQuestions

        reader = self.statement_reader
        if dated is not None:
            reader = QuestionReader(self.tables.ask, lambda: dated[1], stages_over_titles)
        over = TableQuestions(self.collection, self.words, self.tables, reader, self.run)
        if (condition := title_condition(question)) is not None:
            return over.answer_over_titles(condition[0], self.words.in_own_words(simplify(condition[1])))
        answer = over.answer(rewritten)
        return replace(answer, tells_rows=asks_for_row(question)) if answer is not None else None

    @cached_property
    def _series(self) -> tuple[Kind, ...]:
        """The kinds of entries that a version, a date or a name identifies."""
        return tuple(kind for kind in self.collection.kinds if kind.is_series)

    @cached_property
    def _texts(self) -> Texts | None:
        from kbtui.records.texts import Texts

        return Texts(self._source, self._file_finder) if self._source is not None else None

    @cached_property
    def _selection_reader(self) -> SelectionReader:
        from kbtui.records.selecting import SelectionReader

        return SelectionReader(
            [*self._series, self.collection.files],
            lambda: self.tables,
            self._today,
            self._texts,
            self.collection.links.finder.families,
            self.words.kinds_in,
            self.collection.root,
        )

    @cached_property
    def _phrase_reader(self) -> PhraseReader | None:
        if self._texts is None:
            return None
        from kbtui.records.phrase_selection import PhraseReader

        files, root = self.collection.files, self.collection.root
        return PhraseReader(self._series, files, lambda: self.tables, self._texts, root)

    def _answer_from_phrase(self, question: str) -> TableAnswer | None:
        """The answer to a question about the files or entries that have a phrase on a line."""
        if len(question) > _MAX_QUESTION or self._phrase_reader is None or wants_telling(question):
            return None
        read = self._phrase_reader.read(question)
        return self._with_proofs(question, *read, by_phrase=True) if read is not None else None

    def _answer_from_selection(self, question: str) -> TableAnswer | None:
        """The answer to a question about files, or about entries that are identified by a version, a date or a name."""
        if len(question) > _MAX_QUESTION or not asks(question):
            return None
        if wants_telling(question) or wants_truth(question) or asks_for_period(question):
            return None
        for reading, proofs in self._selection_reader.read(question):
            if (answer := self._with_proofs(question, reading, proofs)) is not None:
                return answer
        return None

    def _with_proofs(
        self, question: str, reading: Reading, proofs: Mapping[str, Fact], *, by_phrase: bool = False
    ) -> TableAnswer | None:
        """The answer of a reading, its things cited by the lines that were found for them, if there are any."""
        from kbtui.records.members import replace_proofs

        answer = self.run(question, reading, by_phrase=by_phrase)
        if answer is None or not answer.result.says_something:
            return None
        return replace(answer, result=replace_proofs(answer.result, proofs)) if proofs else answer

    def run(self, question: str, reading: Reading, *, by_phrase: bool = False) -> TableAnswer | None:
        """Execute a reading; None where its rows cannot be traced or do not answer the question.

        Args:
            by_phrase: The words of the question were read as a phrase of the texts, so they name no field.
        """
        from kbtui.records.members import trace_rows

        try:
            result = trace_rows(reading.sql, self.tables)
        except DataSourceError:
            return None
        if result is None or not result.rows:
            return None
        if not by_phrase and (
            is_echo(question, result, reading.sql) or self.words.leaves_field(question, result.fields)
        ):
            return None
        if is_empty_condition(reading.sql, len(self.collection.things)):
            return None
        if is_ranked_by_text(reading.sql, self.tables.places):
            return None
        if not is_of_type(question, result):
            return None
        if reading.truth and not (result.fields and any(row.things for row in result.rows)):
            # An empty result may also mean that the folder does not have the thing at all.
            return None
        sources = [kind for name, kind in self.tables.kinds.items() if f'FROM "{name}"' in reading.sql]
        kinds = [field.kind for field in result.fields] or sources or self.words.kinds_in(question)
        return TableAnswer(
            question=question,
            reading=reading,
            result=result,
            kinds=tuple({kind.name: kind for kind in kinds}.values()),
        )
