"""Questions turned into SQL with no model: link, parse, make candidates, rank them, and know how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from kbtui.data.nl2sql.canonical import canonical
from kbtui.data.nl2sql.chinese import Cutter
from kbtui.data.nl2sql.chinese_clauses import clauses, fitting
from kbtui.data.nl2sql.chinese_dates import with_chinese_spans
from kbtui.data.nl2sql.chinese_line import coded
from kbtui.data.nl2sql.computed import with_computed, with_formulas, with_totals
from kbtui.data.nl2sql.dates import with_spans
from kbtui.data.nl2sql.grammar import Item, parse
from kbtui.data.nl2sql.headers import headers
from kbtui.data.nl2sql.linking import Linked, Linker, Nearest
from kbtui.data.nl2sql.model import Named, SchemaModel
from kbtui.data.nl2sql.picture_talk import without_picture
from kbtui.data.nl2sql.query import Query, Ref
from kbtui.data.nl2sql.ranking import answer_of, measured, probabilities, score, shared
from kbtui.data.nl2sql.resolve import Candidate, Resolver
from kbtui.data.nl2sql.says import says
from kbtui.data.nl2sql.value_index import ValueIndex
from kbtui.domain.analysis import QueryKind, Reading, Readings, Schema
from kbtui.domain.routing import Signal
from kbtui.errors import KbtuiError
from kbtui.settings import paths
from kbtui.text.inflection import lemma, root
from kbtui.text.language import Language, has_cjk
from kbtui.text.word_lists import rows_in, rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ask = Callable[[str, str], Sequence[Sequence[Any]]]
"""Given a source's name and a statement, its rows; raises a KbtuiError when it fails or takes too long."""

THRESHOLD: Final = 0.7
"""From this confidence on an answer is given instead of a choice."""
_KEPT_MODELS: Final = 16
_MOST_NAMES: Final = 1000
_KEPT_WORDS: Final = 5000
_NEAR: Final = 0.6
"""Cosine from which two words count as near; fitted on half A with synonyms."""
_SHOWN: Final = 5
_PROBED: Final = 10
_LOOKED_AT: Final = 300
"""Rows of a reading that are compared with those of another."""
_SMALL: Final = 200_000
"""Rows of all tables together up to which readings are tried before they are offered."""


class Encodes(Protocol):
    """What is needed of an embedder."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class OfflineSqlWriter:
    """Writes SQL by rules and a small fitted ranking (see `SqlWriter`).

    Args:
        embedder: Gives the embedder, or None where there is none.
        glossary: Further synonyms and translations, by word.
        today: The day that "last month" is counted from.
        ask: Reads values of the source and tries statements; without it only the schema's samples are known.
    """

    def __init__(
        self,
        embedder: Callable[[], Encodes | None] | None = None,
        glossary: Mapping[str, Sequence[str]] | None = None,
        ask: Ask | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._today = today
        self._glossary = {**_chinese_words(), **_own_words()}
        self._embedder = embedder
        self._ask = ask
        self._synonyms: dict[str, list[tuple[str, ...]]] = {key: list(value) for key, value in _synonyms().items()}
        for word, others in (glossary or {}).items():
            self._synonyms.setdefault(lemma(word), []).extend(tuple(map(lemma, other.split())) for other in others)
        self._vectors: dict[tuple[str, str], tuple[list[Named], NDArray[np.float32]]] = {}
        self._words: dict[str, NDArray[np.float32]] = {}
        self._models: dict[tuple[str, str], SchemaModel] = {}
        self._cutters: dict[tuple[str, str], Cutter] = {}

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`."""
        model = self.model(schema)
        linked, candidates = self.candidates(question, model)
        tried = {sql for sql, _ in failed}
        spoken: Language = "zh" if has_cjk(question) else "en"
        small = sum(table.row_estimate or 0 for table in schema.tables) <= _SMALL
        wording = _wording(linked, spoken)
        probed: list[tuple[Candidate, str, float, int]] = []
        for candidate in sorted(candidates, key=lambda candidate: -score(candidate.features)):
            sql = self.sql(candidate.query, model, headers(candidate.query, spoken, wording))
            if sql is None or sql in tried:
                continue
            tried.add(sql)
            found = self._probe(candidate, sql, schema.source if small else "")
            if found is not None:
                probed.append((candidate, sql, *found))
            if len(probed) >= _PROBED:
                break
        answers: dict[int, list[Reading]] = {}
        sure: dict[int, float] = {}
        likely = probabilities([worth for *_, worth, _ in probed])
        for (candidate, sql, _, answer), share in sorted(zip(probed, likely, strict=True), key=lambda item: -item[1]):
            reading = self._reading(sql, share, candidate.query, linked, spoken)
            answers.setdefault(answer, []).append(reading)
            sure[answer] = sure.get(answer, 0.0) + share
        # The likeliest way to write it stands for all that bring the same rows.
        readings = [replace(same[0], confidence=round(min(1.0, sure[a]), 4)) for a, same in answers.items()]
        readings.sort(key=lambda reading: -reading.confidence)
        return Readings(readings=tuple(readings[:_SHOWN]), unlinked=tuple(linked.unlinked))

    def _probe(self, candidate: Candidate, sql: str, source: str) -> tuple[float, int] | None:
        """How much speaks for a candidate and which answer it gives; None where the engine refuses it."""
        if self._ask is None or not source:
            return score(candidate.features), candidate.family
        try:
            rows = self._ask(source, f"SELECT * FROM ({sql}) AS probe LIMIT {_LOOKED_AT}")
        except KbtuiError:
            return None
        ordered = bool(candidate.query.order) or len(rows) == _LOOKED_AT
        return score(measured(candidate.features, rows)), answer_of(rows, ordered)

    def candidates(self, question: str, model: SchemaModel) -> tuple[Linked, list[Candidate]]:
        """The linked question and every query it may mean, each with its features."""
        asked = with_spans(with_chinese_spans(question, self._today), self._today)
        picture = without_picture(asked)
        asked = picture.question
        linker = Linker(model, self._synonyms, self._nearest(model))
        chinese = has_cjk(asked)
        if chinese:
            cutter = self._cutter(model)
            read = coded(cutter.words(asked), linker, model, cutter.fit)
            linked, sketch = read.linked, clauses(read, model)
        else:
            written = with_formulas(with_totals(asked, model, self._synonyms), model)
            linked = with_computed(linker.link(written), model)
            sketch = parse(canonical(linked.line), linked.fits)
        sketch.picture = picture.asked
        if sketch.bucket:
            said = (sketch.bucket, f"{sketch.bucket}ly", "daily", "annually")
            linked.unlinked[:] = [word for word in linked.unlinked if word.lower().rstrip("s") not in said]
        if picture.axis and not sketch.order:
            sketch.order.append((Item(f"@{picture.axis}"), picture.down))
        found: dict[Query, Candidate] = {}
        resolved = Resolver(model, linked, sketch).candidates()
        for candidate in fitting(resolved, sketch.over, model) if chinese else resolved:
            candidate.features |= shared(linked, sketch, candidate.query)
            found.setdefault(candidate.query, candidate)
        return linked, list(found.values())

    def _nearest(self, model: SchemaModel) -> Nearest | None:
        """Names near in meaning to a word; names are embedded when the first such word is met."""
        if self._embedder is None:
            return None

        def nearest(words: Sequence[str]) -> list[list[tuple[float, Named]]]:
            embedder = self._embedder() if self._embedder is not None else None
            if embedder is None:
                return [[] for _ in words]
            key = (model.schema.source, model.schema.fingerprint)
            if key not in self._vectors:
                names = [*model.tables.values(), *model.columns.values()][:_MOST_NAMES]
                texts = [" ".join(n.words if n.column is None else _own_of(n)) for n in names]
                self._vectors[key] = (names, _unit(embedder.encode(texts)))
            if len(self._words) > _KEPT_WORDS:
                self._words.clear()
            fresh = [word for word in dict.fromkeys(words) if word not in self._words]
            if fresh:
                self._words.update(zip(fresh, _unit(embedder.encode(fresh)), strict=True))
            return [self._near(word, *self._vectors[key]) for word in words]

        return nearest

    def _near(self, word: str, names: Sequence[Named], vectors: NDArray[np.float32]) -> list[tuple[float, Named]]:
        cosines = vectors @ self._words[word]
        found = [(float(cosines[n]), names[n]) for n in cosines.argsort()[::-1][:4] if cosines[n] >= _NEAR]
        best = found[0][0] if found else 0.0
        # Never as sure as the word itself.
        return [(0.75 * score, named) for score, named in found if score >= best - 0.03]

    def _cutter(self, model: SchemaModel) -> Cutter:
        key = (model.schema.source, model.schema.fingerprint)
        if key not in self._cutters:
            self._cutters = {kept: cutter for kept, cutter in self._cutters.items() if kept in self._models}
            self._cutters[key] = Cutter(self._glossary, model)
        return self._cutters[key]

    def model(self, schema: Schema) -> SchemaModel:
        """What is derived from the schema, once for each fingerprint."""
        key = (schema.source, schema.fingerprint)
        if key not in self._models:
            ask, name = self._ask, schema.source
            asks = (lambda sql: ask(name, sql)) if ask is not None else None
            if len(self._models) >= _KEPT_MODELS:
                oldest = next(iter(self._models))
                self._models.pop(oldest)
                self._vectors.pop(oldest, None)
            self._models[key] = SchemaModel(schema, ValueIndex(schema, asks, _quote_for(schema.dialect)))
        return self._models[key]

    @staticmethod
    def sql(query: Query, model: SchemaModel, named: Sequence[str] = ()) -> str | None:
        """The statement, or None where no keys join its tables."""
        from kbtui.data.nl2sql.build import Unjoinable, sql_of

        try:
            return sql_of(query, model, named)
        except Unjoinable:
            return None

    def _reading(self, sql: str, confidence: float, query: Query, linked: Linked, spoken: Language) -> Reading:
        links = tuple(
            Signal(
                name=mention.said or mention.text, detail=_target(mention), weight=round(min(1.0, mention.strength), 3)
            )
            for mention in linked.mentions
            if mention.letter != "N"
        )
        return Reading(
            sql=sql,
            query_kind=_kind(query),
            confidence=round(confidence, 4),
            says=says(query, spoken),
            links=links,
            unlinked=tuple(linked.unlinked),
        )


def _wording(linked: Linked, spoken: Language) -> dict[Ref, str]:
    """How the question calls what it speaks of."""
    found: dict[Ref, str] = {}
    for mention in linked.mentions:
        said = mention.text if spoken == "en" else mention.said
        if not said:
            continue
        if mention.letter == "T":
            found.setdefault(Ref(mention.tables[0][1], "*"), said)
        elif mention.letter == "C":
            best = mention.columns[0][0]
            for worth, ref in mention.columns:
                if worth >= best - 0.05:
                    found.setdefault(ref, said)
    return found


def _kind(query: Query) -> QueryKind:
    if query.set_op:
        return "set"
    if any(isinstance(cond.right, Query) for cond in query.where):
        return "nested"
    if query.limit is not None and query.order:
        return "top_n"
    if query.group:
        return "group"
    if any(item.agg for item in query.select):
        return "aggregation"
    if len(query.used_tables()) > 1:
        return "join"
    return "filter" if query.where else "detail"


def _target(mention: Any) -> str:
    match mention.letter:
        case "V":
            ref = mention.values[0][1]
            return f"{ref.table}.{ref.column} = {mention.values[0][2]}"
        case "C":
            ref = mention.columns[0][1]
            return f"{ref.table}.{ref.column}"
        case "T":
            return str(mention.tables[0][1])
        case _:
            return "text"


def _quote_for(dialect: str) -> Callable[[str], str]:
    mark = "`" if dialect in ("mysql", "spark", "databricks", "bigquery") else '"'
    return lambda name: ".".join(f"{mark}{part.replace(mark, mark * 2)}{mark}" for part in name.split("."))


def _own_of(named: Named) -> list[str]:
    """The words of a column that its table does not say already."""
    return [word for word in named.words if root(word) in named.own] or list(named.words)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy

    lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float32] = vectors / numpy.maximum(lengths, 1e-9)
    return unit


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in rows_in(__package__, "synonyms.tsv"):
        phrases = [tuple(map(lemma, part.split())) for part in row if part.strip()]
        for phrase in phrases:
            found.setdefault(" ".join(phrase), []).extend(other for other in phrases if other != phrase)
    return found


@lru_cache(maxsize=1)
def _chinese_words() -> dict[str, list[str]]:
    return _terms(rows_in(__package__, "glossary.tsv"))


def _own_words() -> dict[str, list[str]]:
    """The user's own glossary; an unreadable one is none."""
    try:
        return _terms(rows_of((paths.config_dir() / "glossary.tsv").read_text("utf-8")))
    except (OSError, UnicodeDecodeError):
        return {}


def _terms(rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {row[0].strip(): [word.strip() for word in row[1:] if word.strip()] for row in rows if len(row) > 1}
