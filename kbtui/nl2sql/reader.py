"""Reads questions as statements: runs the stages from question to lattice, candidates, ranking and gate."""

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
from kbtui.nl2sql.words import with_expanded_names
from kbtui.question.model import Question, TokenSpan
from kbtui.text.language import Language, answered_in

if TYPE_CHECKING:
    from kbtui.nl2sql.open_plans import OpenPlan

AskSource = Callable[[str, str], Sequence[Sequence[Any]]]
"""Returns the rows of a statement over a source; raises a KbtuiError if it fails or takes too long."""
AskEachOfSource = Callable[[str, Sequence[str], float, int], Sequence[Rows | None]]
"""Like `AskEach`, with the name of the source as its first argument."""

_REASON: Final = "原因"
_KINDS_ZH: Final = {"number": "数字", "period": "时间"}
_MAX_CATALOGUES: Final = 16
_MAX_CACHED_ROWS: Final = 1000
"""Statements of profiles whose rows are cached: those of some hundreds of tables."""
_SURE_NAME: Final = 0.9
_MAX_READINGS: Final = 5
"""Readings that are returned, at most."""
_MAX_ROWS: Final = 200_000
"""Total number of rows up to which candidates are run before ranking, and values are looked up."""
_CLUSTER_DIALECTS: Final = frozenset({"spark", "trino"})
"""Dialects of clusters, where each statement is a job and a table without a row count may be of any size."""


class Stages(Struct, frozen=True, kw_only=True):
    """The stages that a question goes through; each can be replaced."""

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
        ask: Profiles the source and runs candidates; without it only the schema is known.
        today: The day that relative periods such as "last month" are counted from.
        stages: Makes the stages when the first question is read; None for the default ones.
        ask_each: Runs several candidates at once; without it they are run one at a time.
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
        self._cached_answers: dict[tuple[str, str], dict[str, Rows | None]] = {}
        self._cached_lattice: tuple[Question, Schema, Lattice] | None = None
        self._cached_candidates: tuple[Lattice, Sequence[Candidate]] | None = None

    @property
    def stages(self) -> Stages:
        """The stages, made when they are first used."""
        if self._stages is None:
            from kbtui.nl2sql.stages import shipped_stages

            self._stages = (self._make_stages or shipped_stages)()
        return self._stages

    def catalogue(self, schema: Schema) -> Catalogue:
        """The catalogue of a source, cached by fingerprint."""
        # Of a large source, the schema has only the tables that a question needs.
        key = (schema.source, schema.fingerprint, *(table.name for table in schema.tables))
        if key not in self._catalogues:
            while len(self._catalogues) >= _MAX_CATALOGUES:
                self._catalogues.pop(next(iter(self._catalogues)))
            ask_each = partial(self._cached_rows, schema) if self._ask_each is not None else None
            self._catalogues[key] = self.stages.profile(schema, self._ask_of(schema), ask_each, self._today())
        return self._catalogues[key]

    def _cached_rows(self, schema: Schema, statements: Sequence[str], seconds: float, enough: int) -> list[Rows | None]:
        """The rows of statements of a profile, cached so that tables of earlier questions are not profiled again."""
        assert self._ask_each is not None, "called with ask_each only"
        cached = self._cached_answers.setdefault((schema.source, schema.fingerprint), {})
        new = [sql for sql in statements if sql not in cached]
        if len(cached) + len(new) > _MAX_CACHED_ROWS:
            cached.clear()
            new = list(statements)
        cached.update(zip(new, self._ask_each(schema.source, new, seconds, enough) if new else (), strict=False))
        return [cached.get(sql) for sql in statements]

    def question(self, text: str) -> Question:
        """A question as it is read today."""
        return self.stages.read(text, self._today())

    def lattice(self, question: Question, schema: Schema) -> Lattice:
        """The lattice of a question over a source.

        It is cached until the question is answered, as its candidates are: follow-up detection may need it before, with
        further tables.
        """
        cached = self._cached_lattice
        if cached is not None and cached[0] == question and _covers(cached[1], schema):
            return cached[2]
        catalogue, ask = self.catalogue(schema), self._ask_each_of(schema)
        lattice = self.stages.link(in_years_of_data(question, catalogue), catalogue)
        if ask is not None and _is_small(schema):
            lattice = with_live_values(lattice, lambda query: self.stages.write(query, catalogue, ()), ask)
        self._cached_lattice = question, schema, lattice
        return lattice

    def never_read(self, question: str, schema: Schema) -> tuple[str, ...]:
        """Content words that no statement can read, found without composing any."""
        lattice = self.lattice(self.question(question), schema)
        return unread_words(lattice.question, RedundantWords(lattice).never_read(lattice.mentions))

    def candidates(self, lattice: Lattice) -> Sequence[Candidate]:
        """The statements that a question may mean, best prior first."""
        cached = self._cached_candidates
        if cached is None or cached[0] is not lattice:
            cached = self._cached_candidates = lattice, self.stages.candidates(lattice)
        return cached[1]

    def entries(self, candidates: Sequence[Candidate], lattice: Lattice, schema: Schema) -> list[Entry]:
        """The candidates that the engine accepts, with their rows if the source is small."""
        stages, catalogue = self.stages, lattice.catalogue
        ask = self._ask_each_of(schema) if _is_small(schema) else None
        return entries_of(candidates, lambda query: stages.write(query, catalogue, ()), ask)

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`."""
        stages, lattice = self.stages, self.lattice(self.question(question), schema)
        entries = self.entries(self.candidates(lattice), lattice, schema)
        self._cached_lattice = self._cached_candidates = None
        if not entries:
            return Readings(unlinked=unread_words(lattice.question, range(len(lattice.question.tokens))))
        pool = FeatureTable.of(features_of(entries, lattice))
        scores = stages.ranker().scores(pool)
        answers = answers_of(scores, [entry.answer for entry in entries])
        ranking = reranked(first_answers(pool, scores, answers), answers, stages.reranker())
        features = ranking.features.row(0)
        confidence = stages.gate().confidence(features)
        tried = frozenset(sql for sql, _ in failed)
        readings = self._readings(entries, ranking.answers, confidence, lattice, tried)
        first = entries[ranking.answers[0].members[0]].candidate
        unread = unread_words(lattice.question, first.unread)
        return Readings(readings=readings, unlinked=unread, objections=objections(features))

    def _readings(
        self,
        entries: Sequence[Entry],
        answers: Sequence[Answer],
        first_confidence: float,
        lattice: Lattice,
        tried: frozenset[str],
    ) -> tuple[Reading, ...]:
        """The best answers that have not failed before; only the first may have the confidence of the gate."""
        readings: list[Reading] = []
        for rank, answer in enumerate(answers):
            entry = entries[answer.members[0]]
            reading = self.reading(entry.candidate, lattice)
            if reading is None or reading.sql in tried or any(reading.says == other.says for other in readings):
                continue  # Equal descriptions mean equal rows, apart from keys and order.
            confidence = first_confidence if rank == 0 else min(first_confidence, answer.share)
            readings.append(replace(reading, confidence=round(confidence, 4), tied=entry.tied))
            if len(readings) == _MAX_READINGS:
                break
        return tuple(readings)

    def reading(self, candidate: Candidate, lattice: Lattice) -> Reading | None:
        """A candidate as a statement with its description, without confidence; None if no keys join its tables."""
        query, question, named_catalogue = candidate.query, lattice.question, with_expanded_names(lattice)
        language = answered_in(question.text)
        headers = self.stages.headers(query, named_catalogue, language)
        stated = self._described(query, headers, lattice.catalogue, language, named_catalogue)
        if stated is None:
            return None
        return replace(
            stated,
            links=tuple(
                _signal(use, question, lattice.catalogue, language)
                for use in candidate.uses
                if use.mention.kind != "cue"
            ),
            unlinked=unread_words(question, candidate.unread),
        )

    def open_plan(self, question: str, schema: Schema) -> OpenPlan | None:
        """The plan for an open request (a report, why something changed); None for other questions."""
        from kbtui.nl2sql.open_plans import plan_of
        from kbtui.nl2sql.open_requests import subject_of
        from kbtui.question.open_requests import find_open_request

        request = find_open_request(self.question(question))
        if request is None:
            return None
        catalogue, language = self.catalogue(schema), answered_in(request.plain.text)
        if _REASON in question and _names_reasons(self.stages.link(self.question(question), catalogue)):
            return None
        subject = subject_of(request, self.stages.link(request.plain, catalogue))
        if subject is None:
            return None
        return plan_of(
            subject, catalogue, language, lambda query, headers: self._described(query, headers, catalogue, language)
        )

    def _described(
        self,
        query: Query,
        headers: Sequence[str],
        catalogue: Catalogue,
        language: Language,
        named: Catalogue | None = None,
    ) -> Reading | None:
        """A statement with its description; None if no keys join its tables.

        Args:
            named: The catalogue with the names for headers and description, if they differ from ``catalogue``.
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
        """The periods of a statement that the data do not cover completely."""
        return cut_periods(query, catalogue, language, self._today())

    def _ask_each_of(self, schema: Schema) -> AskEach | None:
        ask_each, ask = self._ask_each, self._ask_of(schema)
        if ask_each is not None:
            return partial(ask_each, schema.source)
        return one_by_one(ask) if ask is not None else None

    def _ask_of(self, schema: Schema) -> Ask | None:
        ask, source = self._ask, schema.source
        return (lambda sql: ask(source, sql)) if ask is not None else None


def _covers(cached: Schema, schema: Schema) -> bool:
    """Whether ``known`` has all tables of ``schema`` in the same state."""
    if (cached.source, cached.fingerprint) != (schema.source, schema.fingerprint):
        return False
    return {table.name for table in schema.tables} <= {table.name for table in cached.tables}


def _names_reasons(lattice: Lattice) -> bool:
    """Whether a question names a column of reasons, as 取消原因, which are listed or counted."""
    spans = [m.span for m in lattice.mentions if m.kind == "column" and m.how == "exact" and m.score >= _SURE_NAME]
    return any(len(words) > 2 and words.endswith(_REASON) for words in map(lattice.question.words, spans))


def _is_small(schema: Schema) -> bool:
    if schema.dialect in _CLUSTER_DIALECTS and any(table.row_estimate is None for table in schema.tables):
        return False
    return sum(table.row_estimate or 0 for table in schema.tables) <= _MAX_ROWS


def unread_words(question: Question, tokens: Sequence[int]) -> tuple[str, ...]:
    """Content words of tokens as typed; adjacent Chinese characters are one word."""
    words: list[str] = []
    last_index = -2
    for index in sorted(tokens):
        token = question.tokens[index]
        if not token.content:
            continue
        if token.kind == "han" and index == last_index + 1 and question.tokens[last_index].kind == "han":
            words[-1] += token.text
        else:
            words.append(token.text)
        last_index = index
    return tuple(words)


def kind_of(query: Query) -> QueryKind:
    """The kind of a statement."""
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


def _signal(use: Use, question: Question, catalogue: Catalogue, language: Language) -> Signal:
    mention = use.mention
    words = question.words(TokenSpan(*mention.span))
    target = _KINDS_ZH.get(mention.kind, mention.kind) if language == "zh" else mention.kind
    if mention.ref is not None and mention.ref.column == "*":
        target = mention.ref.table
    elif mention.ref is not None:
        target = mention.ref.column if len(catalogue.tables) == 1 else f"{mention.ref.table}.{mention.ref.column}"
    if mention.values:
        target += f" = {mention.values[0]}"
    return Signal(name=words, detail=target, weight=round(min(1.0, mention.score), 3))
