"""Questions read as statements: question, lattice, candidates, ranker and gate, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.analysis import CutPeriod, QueryKind, Reading, Readings, Schema
from kbtui.domain.routing import Signal
from kbtui.nl2sql.candidate import Candidate, Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.column_statistics import Ask, AskEach
from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.gate import Gate, objections
from kbtui.nl2sql.incomplete_periods import cut_periods
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.live_values import with_live_values
from kbtui.nl2sql.open_years import in_years_of_data
from kbtui.nl2sql.pool import Entry, entries_of, features_of, one_by_one
from kbtui.nl2sql.query import Query, aggregates
from kbtui.nl2sql.ranker import Answer, Ranker, answers_of
from kbtui.nl2sql.reading_order import in_reading_order
from kbtui.nl2sql.redundant_words import RedundantWords
from kbtui.nl2sql.reranker import first_answers, reranked
from kbtui.nl2sql.row_features import Rows
from kbtui.nl2sql.trees import Trees
from kbtui.nl2sql.words import written_out
from kbtui.question.model import Question, TokenSpan
from kbtui.text.language import Language, answered_in

if TYPE_CHECKING:
    from kbtui.nl2sql.open_plans import OpenPlan

AskSource = Callable[[str, str], Sequence[Sequence[Any]]]
"""Given a source's name and a statement, its rows; raises a KbtuiError when it fails or takes too long."""
AskEachOfSource = Callable[[str, Sequence[str], float, int], Sequence[Rows | None]]
"""Given a source's name and what `AskEach` takes, the same as that."""

_KEPT_CATALOGUES: Final = 16
_KEPT_ANSWERS: Final = 1000
"""Statements of profiles whose rows are kept: those of some hundreds of tables."""
_SHOWN: Final = 5
"""Readings that are handed on."""
_SMALL: Final = 200_000
"""Rows of all tables together up to which candidates are run before one is chosen, and values are looked up."""


class Stages(Struct, frozen=True, kw_only=True):
    """The stages that a question goes through, each replaceable on its own."""

    read: Callable[[str, date], Question]
    profile: Callable[[Schema, Ask | None, AskEach | None, date], Catalogue]
    link: Callable[[Question, Catalogue], Lattice]
    candidates: Callable[[Lattice], Sequence[Candidate]]
    write: Callable[[Query, Catalogue, Sequence[str]], str | None]
    headers: Callable[[Query, Catalogue, Language], Sequence[str]]
    says: Callable[[Query, Catalogue, Language], str]
    ranker: Callable[[], Ranker]
    reranker: Callable[[], Trees]
    gate: Callable[[], Gate]


class QuestionReader:
    """Reads questions over data as statements (see `kbtui.domain.analysis.SqlWriter`).

    Args:
        ask: Profiles the source and tries candidates; without it only the schema is known.
        today: The day that "last month" is counted from.
        stages: Makes the stages when the first question is read; those that are shipped where it is None.
        ask_each: Tries candidates at one go; without it they are asked one by one.
    """

    def __init__(
        self,
        ask: AskSource | None = None,
        today: Callable[[], date] = date.today,
        stages: Callable[[], Stages] | None = None,
        ask_each: AskEachOfSource | None = None,
    ) -> None:
        self._ask = ask
        self._ask_each = ask_each
        self._today = today
        self._make_stages = stages
        self._stages: Stages | None = None
        self._catalogues: dict[tuple[str, ...], Catalogue] = {}
        self._answers: dict[tuple[str, str], dict[str, Rows | None]] = {}
        self._linked: tuple[Question, Schema, Lattice] | None = None
        self._composed: tuple[Lattice, Sequence[Candidate]] | None = None

    @property
    def stages(self) -> Stages:
        """The stages, made when the first question is read."""
        if self._stages is None:
            from kbtui.nl2sql.stages import shipped_stages

            self._stages = (self._make_stages or shipped_stages)()
        return self._stages

    def catalogue(self, schema: Schema) -> Catalogue:
        """The profile of a source, made once for each fingerprint."""
        # Of a large source only some tables are given, other ones for each question.
        key = (schema.source, schema.fingerprint, *(table.name for table in schema.tables))
        if key not in self._catalogues:
            while len(self._catalogues) >= _KEPT_CATALOGUES:
                self._catalogues.pop(next(iter(self._catalogues)))
            ask_each = partial(self._told, schema) if self._ask_each is not None else None
            self._catalogues[key] = self.stages.profile(schema, self._ask_of(schema), ask_each, self._today())
        return self._catalogues[key]

    def _told(self, schema: Schema, statements: Sequence[str], seconds: float, enough: int) -> list[Rows | None]:
        """The rows of statements of a profile: tables that other questions were about are not asked again."""
        assert self._ask_each is not None, "asked only where it is there"
        known = self._answers.setdefault((schema.source, schema.fingerprint), {})
        new = [sql for sql in statements if sql not in known]
        if len(known) + len(new) > _KEPT_ANSWERS:
            known.clear()
            new = list(statements)
        known.update(zip(new, self._ask_each(schema.source, new, seconds, enough) if new else (), strict=False))
        return [known.get(sql) for sql in statements]

    def question(self, text: str) -> Question:
        """A question as it is read today."""
        return self.stages.read(text, self._today())

    def lattice(self, question: Question, schema: Schema) -> Lattice:
        """What the words of a question may stand for over a source.

        Kept until the question is answered, as its candidates are: it may be looked at as a follow-up before, over
        some tables more.
        """
        known = self._linked
        if known is not None and known[0] == question and _covers(known[1], schema):
            return known[2]
        catalogue, ask = self.catalogue(schema), self._ask_each_of(schema)
        lattice = self.stages.link(in_years_of_data(question, catalogue), catalogue)
        if ask is not None and _is_small(schema):
            lattice = with_live_values(lattice, lambda query: self.stages.write(query, catalogue, ()), ask)
        self._linked = question, schema, lattice
        return lattice

    def never_read(self, question: str, schema: Schema) -> tuple[str, ...]:
        """Content words that every statement would leave unread, told without composing one."""
        lattice = self.lattice(self.question(question), schema)
        return unread_words(lattice.question, RedundantWords(lattice).never_read(lattice.mentions))

    def candidates(self, lattice: Lattice) -> Sequence[Candidate]:
        """The statements that a question may mean, best prior first."""
        known = self._composed
        if known is None or known[0] is not lattice:
            known = self._composed = lattice, self.stages.candidates(lattice)
        return known[1]

    def entries(self, candidates: Sequence[Candidate], lattice: Lattice, schema: Schema) -> list[Entry]:
        """The candidates that the engine accepts, with their rows where the source is small."""
        stages, catalogue = self.stages, lattice.catalogue
        ask = self._ask_each_of(schema) if _is_small(schema) else None
        return entries_of(candidates, lambda query: stages.write(query, catalogue, ()), ask)

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`."""
        stages, lattice = self.stages, self.lattice(self.question(question), schema)
        entries = self.entries(self.candidates(lattice), lattice, schema)
        self._linked = self._composed = None
        if not entries:
            return Readings(unlinked=unread_words(lattice.question, range(len(lattice.question.tokens))))
        pool = FeatureTable.of(features_of(entries, lattice))
        scores = stages.ranker().scores(pool)
        answers = answers_of(scores, [entry.answer for entry in entries])
        ranking = reranked(first_answers(pool, scores, answers), answers, stages.reranker())
        features = ranking.features.row(0)
        sure = stages.gate().confidence(features)
        tried = frozenset(sql for sql, _ in failed)
        readings = self._readings(entries, ranking.answers, sure, lattice, tried)
        first = entries[ranking.answers[0].members[0]].candidate
        unread = unread_words(lattice.question, first.unread)
        return Readings(readings=readings, unlinked=unread, objections=objections(features))

    def _readings(
        self, entries: Sequence[Entry], answers: Sequence[Answer], sure: float, lattice: Lattice, tried: frozenset[str]
    ) -> tuple[Reading, ...]:
        """The best answers that have not failed before; only the first one may be as sure as the gate."""
        readings: list[Reading] = []
        for place, answer in enumerate(answers):
            entry = entries[answer.members[0]]
            reading = self.reading(entry.candidate, lattice)
            if reading is None or reading.sql in tried or any(reading.says == other.says for other in readings):
                continue  # What is said in the same words has the same rows, beside a key or in another order.
            confidence = sure if place == 0 else min(sure, answer.share)
            readings.append(replace(reading, confidence=round(confidence, 4), tied=entry.tied))
            if len(readings) == _SHOWN:
                break
        return tuple(readings)

    def reading(self, candidate: Candidate, lattice: Lattice) -> Reading | None:
        """A candidate as it is run and said, without a confidence; None where no keys join its tables."""
        query, question, named = candidate.query, lattice.question, written_out(lattice)
        language = answered_in(question.text)
        headers = self.stages.headers(query, named, language)
        stated = self._stated(query, headers, lattice.catalogue, language, named)
        if stated is None:
            return None
        return replace(
            stated,
            links=tuple(_signal(use, question) for use in candidate.uses if use.mention.kind != "cue"),
            unlinked=unread_words(question, candidate.unread),
        )

    def open_plan(self, question: str, schema: Schema) -> OpenPlan | None:
        """The statements that answer an open request (a report, why something moved); None for any other question."""
        from kbtui.nl2sql.open_plans import plan_of
        from kbtui.nl2sql.open_requests import subject_of
        from kbtui.question.open_words import open_question

        asked = open_question(self.question(question))
        if asked is None:
            return None
        catalogue, language = self.catalogue(schema), answered_in(asked.plain.text)
        subject = subject_of(asked, self.stages.link(asked.plain, catalogue))
        if subject is None:
            return None
        return plan_of(
            subject,
            catalogue,
            language,
            lambda query, headers: self._stated(query, headers, catalogue, language),
        )

    def _stated(
        self,
        query: Query,
        headers: Sequence[str],
        catalogue: Catalogue,
        language: Language,
        named: Catalogue | None = None,
    ) -> Reading | None:
        """A statement as it is run and said; None where no keys join its tables.

        Args:
            named: The catalogue with the names it is said in, where they are not those of ``catalogue``.
        """
        sql = self.stages.write(in_reading_order(query), catalogue, headers)
        if sql is None:
            return None
        return Reading(
            sql=sql,
            query_kind=kind_of(query),
            confidence=0.0,
            says=self.stages.says(query, named or catalogue, language),
            truth=query.truth,
            cut=self.cut(query, catalogue, language),
        )

    def cut(self, query: Query, catalogue: Catalogue, language: Language) -> tuple[CutPeriod, ...]:
        """The periods of a statement that the data do not fill."""
        return cut_periods(query, catalogue, language, self._today())

    def _ask_each_of(self, schema: Schema) -> AskEach | None:
        ask_each, ask = self._ask_each, self._ask_of(schema)
        if ask_each is not None:
            return partial(ask_each, schema.source)
        return one_by_one(ask) if ask is not None else None

    def _ask_of(self, schema: Schema) -> Ask | None:
        ask, source = self._ask, schema.source
        return (lambda sql: ask(source, sql)) if ask is not None else None


def _covers(known: Schema, schema: Schema) -> bool:
    """Whether ``known`` has all tables of ``schema``, as they are now."""
    if (known.source, known.fingerprint) != (schema.source, schema.fingerprint):
        return False
    return {table.name for table in schema.tables} <= {table.name for table in known.tables}


def _is_small(schema: Schema) -> bool:
    return sum(table.row_estimate or 0 for table in schema.tables) <= _SMALL


def unread_words(question: Question, tokens: Sequence[int]) -> tuple[str, ...]:
    """Content words among these tokens as typed; neighbouring Chinese characters are one word."""
    words: list[str] = []
    last = -2
    for at in sorted(tokens):
        token = question.tokens[at]
        if not token.content:
            continue
        if token.kind == "han" and at == last + 1 and question.tokens[last].kind == "han":
            words[-1] += token.text
        else:
            words.append(token.text)
        last = at
    return tuple(words)


def kind_of(query: Query) -> QueryKind:
    """What kind of statement it is."""
    if query.set_op:
        return "set"
    if query.inner is not None or any(True for _ in query.subqueries()):
        return "nested"
    if query.limit is not None and query.order:
        return "top_n"
    if query.group:
        return "group"
    if any(map(aggregates, query.select)):
        return "aggregation"
    if len(query.used_tables()) > 1:
        return "join"
    return "filter" if query.where else "detail"


def _signal(use: Use, question: Question) -> Signal:
    mention = use.mention
    words = question.words(TokenSpan(*mention.span))
    target = f"{mention.ref.table}.{mention.ref.column}" if mention.ref is not None else mention.kind
    if mention.ref is not None and mention.ref.column == "*":
        target = mention.ref.table
    if mention.values:
        target += f" = {mention.values[0]}"
    return Signal(name=words, detail=target, weight=round(min(1.0, mention.score), 3))
