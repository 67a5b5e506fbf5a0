"""The offline `EvidenceGrader`: a small logistic regression over what can be seen of a passage (spec 003, D3).

The score is meant as the probability that the passage helps to answer, so that the thresholds 0.3 and 0.7 mean
something; the coefficients are fitted by ``benchmarks/fit_grader.py`` and stand in ``coefficients.toml``.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

from kbtui.domain.evidence import Grade, Hit
from kbtui.domain.explanation import COEFFICIENT, FEATURE, INTERCEPT, PROBABILITY
from kbtui.domain.routing import SubQuestion
from kbtui.errors import EmbeddingError
from kbtui.question.terms import QuestionTerms, Rarity, english_text, question_terms
from kbtui.question.understanding import asks_overview, asks_relation, understand
from kbtui.reasoning.offline.features import NAMES, Passage, features, prepared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_ENCODED = 6
"""Passages without a cosine that are encoded for one sub-question: an encode costs 5 ms, a grade must not cost 100."""

ENCODED_CHARS = 300

_RELATED = 0.95
_AROUND_RELATED = 0.85
_UNASKED = 0.3
_UNNAMED = 0.5
_UNTRANSLATED = 2.5
_LISTED = 0.9
_DIRECT = 0.85
_LEAST_LISTED = 0.35


class Encodes(Protocol):
    """What reasoning needs of an embedder."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...

    def query(self, text: str) -> NDArray[np.float32]: ...

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...

    def across_languages(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]: ...


class OfflineGrader:
    """Grades by coefficients.

    Args:
        embedder: Gives the embedder, or None where there is none; asked only when a cosine is missing.
        rarity: How rare words are in the folder; without it their shape says what they are worth.
    """

    def __init__(self, embedder: Callable[[], Encodes | None], rarity: Rarity | None = None) -> None:
        self._embedder = embedder
        self._rarity = rarity

    def grade(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[float]:
        """One probability for each hit, in the order given."""
        return [grade.score for grade in self.grades(sub_question, hits)]

    def grades(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[Grade]:
        """The same with what each is made of."""
        if not hits:
            return []
        intent = sub_question.semantic_intent
        asked = "relational" if asks_relation(intent) else understand(intent).query_type
        stating = _stating(hits) if asked == "relational" else set()
        is_whole = asks_overview(intent)
        # Where a literal name or a stated relation decides, likeness adds nothing that is worth its time.
        seen = self.seen(sub_question, hits, encode=not stating and asked != "exact")
        graded = []
        for hit, (script, values, known) in zip(hits, seen, strict=True):
            plain = score = probability(values, script)
            # What could not be translated is often the very thing that was asked about.
            score *= known**_UNTRANSLATED
            score = _with_tool(hit, score, asked, values, is_whole=is_whole)
            if any(hit.path == path and hit.start_line <= line <= hit.end_line for path, line in stating):
                # What stands around the line that states the answer is as good as that line.
                score = max(score, _AROUND_RELATED)
            graded.append(Grade(score=round(score, 4), signals=explained(values, script, plain)))
        return graded

    def seen(
        self, sub_question: SubQuestion, hits: Sequence[Hit], *, encode: bool = True
    ) -> list[tuple[str, Mapping[str, float], float]]:
        """For each hit its script (a table of the coefficients), its features, and how much of the question is known.

        Args:
            encode: Compute the cosines that are missing, for the most promising hits.
        """
        passages = [prepared(hit) for hit in hits]
        terms = {is_han: question_terms(sub_question, is_han, self._rarity) for is_han in {p.is_han for p in passages}}
        cosines = self._cosines(sub_question, hits, passages, terms, encode=encode)
        return [
            (
                "han" if passage.is_han else "latin",
                features(terms[passage.is_han], passage, cosine),
                terms[passage.is_han].known,
            )
            for passage, cosine in zip(passages, cosines, strict=True)
        ]

    def _cosines(
        self,
        sub_question: SubQuestion,
        hits: Sequence[Hit],
        passages: Sequence[Passage],
        terms: Mapping[bool, QuestionTerms],
        *,
        encode: bool,
    ) -> list[float | None]:
        """The cosine of each hit: the tool's own, or computed for the most promising; None where it means nothing."""
        text = english_text(sub_question)
        cosines: list[float | None] = [
            hit.signals.get("cosine") if text and not passage.is_han else None
            for hit, passage in zip(hits, passages, strict=True)
        ]
        lacking = [
            index
            for index, (hit, passage) in enumerate(zip(hits, passages, strict=True))
            if cosines[index] is None and not passage.is_han and not hit.note
        ]
        if not encode or not lacking or not text.strip():
            return cosines
        lexical = {index: features(terms[False], passages[index], None)["window"] for index in lacking}
        chosen = sorted(lacking, key=lambda index: (-lexical[index], index))[:MAX_ENCODED]
        try:
            embedder = self._embedder()
            if embedder is None:
                return cosines
            vectors = embedder.encode([_excerpt(hits[index], terms[False]) for index in chosen])
            asked = embedder.query(text)
        except EmbeddingError:
            # A missing model is reported by the tool that needs it; words alone still grade.
            return cosines
        for index, similarity in zip(chosen, (vectors @ asked).tolist(), strict=True):
            cosines[index] = float(similarity)
        return cosines


def probability(values: Mapping[str, float], script: str) -> float:
    """The logistic model of one script (``latin`` or ``han``) applied to features."""
    model = _coefficients()[script]
    total = model["intercept"] + sum(model[name] * values[name] for name in NAMES)
    return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


def explained(values: Mapping[str, float], script: str, result: float) -> dict[str, float]:
    """What `probability` made ``result`` of, as `domain.explanation` reads it; what added nothing is left out."""
    model = _coefficients()[script]
    told = {COEFFICIENT + INTERCEPT: model[INTERCEPT]}
    for name in NAMES:
        if round(model[name] * values[name], 2):
            told[FEATURE + name] = round(values[name], 4)
            told[COEFFICIENT + name] = model[name]
    return {**told, PROBABILITY: round(result, 4)}


def _stating(hits: Sequence[Hit]) -> set[tuple[str, int]]:
    """File and line of the hits that state the relation that was asked for."""
    return {(hit.path, hit.start_line) for hit in hits if hit.signals.get("direct", 0.0) >= _DIRECT}


def _with_tool(hit: Hit, score: float, asked: str, values: Mapping[str, float], *, is_whole: bool) -> float:
    """What the tool knows that the words do not show."""
    if hit.tool == "graph_related" and "direct" in hit.signals:
        # The line states the very relation that was asked for; its words need not resemble the question.
        if asked == "relational" and values["names_missing"] < 1.0:
            return max(score, _RELATED)
        # The relation was not what was asked: one line says little about anything else.
        return score * _UNASKED
    if hit.tool == "local_file_qa" and is_whole and values["title"] >= 1.0:
        # The file that was asked about, by its own name.
        return max(score, _LISTED)
    if values["names_missing"] == 1.0:
        # It speaks neither of nor from any of the things the question names.
        return score * _UNNAMED
    if (likeness := hit.signals.get("declared")) is not None:
        # The tool says that it answers such questions, and how good the passage is.
        return max(score, min(_LISTED, max(_LEAST_LISTED, hit.score * likeness)))
    if hit.tool == "local_file_qa" and asked == "file_discovery":
        return max(score, min(_LISTED, max(_LEAST_LISTED, hit.score)))
    return score


def _excerpt(hit: Hit, terms: QuestionTerms) -> str:
    """The part of a passage to compare with: around its matched lines, else where its words meet the question's."""
    text = hit.text
    if len(text) <= ENCODED_CHARS:
        return text
    lines = text.split("\n")
    wanted = [line - hit.start_line for line in hit.matched_lines if 0 <= line - hit.start_line < len(lines)]
    centre = wanted[0] if wanted else _densest(lines, terms)
    first = last = centre
    size = len(lines[centre])
    while size < ENCODED_CHARS and (first > 0 or last < len(lines) - 1):
        if last < len(lines) - 1:
            last += 1
            size += len(lines[last]) + 1
        if first > 0 and size < ENCODED_CHARS:
            first -= 1
            size += len(lines[first]) + 1
    return "\n".join(lines[first : last + 1])[: 2 * ENCODED_CHARS]


def _densest(lines: Sequence[str], terms: QuestionTerms) -> int:
    """The line that holds most of the question's terms."""
    forms = [form for term in terms.terms for form in term.forms if len(form) > 2]
    counted = [sum(1 for form in forms if form in line.lower()) for line in lines]
    return max(range(len(lines)), key=lambda index: counted[index])


@cache
def _coefficients() -> Mapping[str, Mapping[str, float]]:
    text = files("kbtui.reasoning.offline").joinpath("coefficients.toml").read_text(encoding="utf-8")
    return {name: {key: float(value) for key, value in table.items()} for name, table in tomllib.loads(text).items()}
