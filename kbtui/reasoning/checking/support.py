"""Scores how likely lines support a sentence, by small logistic regressions over shared features.

One model tells whether the lines are about the same; a stricter one does so for lines that the answer does not cite.
The other models tell for each number and name whether it is wrong (`standing`): a paraphrase keeps its facts, a copied
sentence with one fact exchanged does not.

The coefficients in ``support.toml`` are fitted by ``benchmarks/fit_support.py``.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal

from kbtui.domain.ports import CancelToken
from kbtui.errors import KbtuiError
from kbtui.reasoning.checking import foreign
from kbtui.reasoning.checking.facts import Fact, Ground, facts, missing
from kbtui.reasoning.checking.numerals import normal
from kbtui.reasoning.checking.passages import Passage, Window, best_windows, terms_of
from kbtui.reasoning.checking.polarity import negations
from kbtui.reasoning.checking.standing import Claim, FactFeatures, KnownTexts, fact_features, hinge
from kbtui.reasoning.checking.weighing import NO_EVIDENCE, Evidence, collect_evidence, not_entailed
from kbtui.reasoning.offline.features import longest_run
from kbtui.text.language import cjk_share, has_cjk
from kbtui.text.tokenise import tokens
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kbtui.question.terms import Rarity
    from kbtui.reasoning.offline.grader import Encodes

Head = Literal["words", "uncited"]

SUPPORTED: Final = 0.5
"""Score from which lines support a sentence."""

RELATED: Final = 0.15
"""Score below which lines are unrelated to a sentence."""

_CERTAIN_SCORE: Final = 0.6
"""Score from which texts are not encoded: no cosine would take it below `SUPPORTED`."""

MOST_WINDOWS: Final = 3
ENCODED_CHARS: Final = 400
MOST_CHARS: Final = 2000
"""Most characters of a sentence; a longer text is scored by its beginning."""

_MAX_ENCODED: Final = 2
_CACHE_SIZE: Final = 2048
_CHINESE_FROM: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """The support of lines for a claim.

    Attributes:
        claim: The claim.
        windows: The lines, best first.
        values: Features by name; the cosine is estimated from the words until texts are encoded.
        missing: Hard facts of the claim that the lines lack, as written.
        head: The model for the words.
        facts: Features of each number and name.
        wrong: Log-odds that the worst fact is wrong.
        lacks: The passages lack an identifier or a quotation.
        evidence: Evidence beyond words.
        texts: Texts to encode for the cosine, the claim first; empty if impossible or irrelevant.
        score: 0 to 1, supported from `SUPPORTED` on; 0 before it is judged.
    """

    claim: Claim
    windows: tuple[Window, ...]
    values: Mapping[str, float]
    missing: tuple[str, ...]
    head: Head = "words"
    facts: tuple[FactFeatures, ...] = ()
    wrong: float = 0.0
    lacks: bool = False
    evidence: Evidence = NO_EVIDENCE
    texts: tuple[str, ...] = ()
    score: float = 0.0


def claim_of(text: str, marked: str, columns: tuple[str, ...] = ()) -> Claim:
    """Parse a sentence.

    Args:
        text: Plain text.
        marked: Markdown without marks.
        columns: For a table row, the cells of the header row.
    """
    text, marked = text[:MOST_CHARS], marked[:MOST_CHARS]
    return Claim(
        text=text,
        marked=marked,
        facts=tuple(facts(marked)),
        terms=terms_of(text),
        order=tuple(tokens(normal(text))),
        chinese=cjk_share(text) >= _CHINESE_FROM,
        columns=columns,
    )


NO_KNOWN_TEXTS: Final = KnownTexts()


class Scorer:
    """Scores claims against passages; caches the vectors of encoded texts.

    Args:
        embedder: Returns the embedder, or None if there is none.
        rarity: Returns the rarity of words in the folder; without it words are not discounted.
    """

    def __init__(self, embedder: Callable[[], Encodes | None], rarity: Rarity | None = None) -> None:
        self._embedder = embedder
        self._rarity = rarity
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def weights(self, claims: Sequence[Claim], passages: Sequence[Passage]) -> dict[str, float]:
        """The weight of each term of the claims, higher for rarer terms (inverse document frequency over units)."""
        terms = sorted({term for claim in claims for term in claim.terms})
        units = [unit.terms for passage in passages for unit in passage.units]
        frequencies: dict[str, int] = dict.fromkeys(terms, 0)
        for unit in units:
            for term in frequencies.keys() & unit:
                frequencies[term] += 1
        max_idf = math.log(1 + len(units) + 8)
        idf = {term: math.log(1 + (len(units) + 8) / (1 + frequencies[term])) / max_idf for term in terms}
        return {term: idf[term] * _form_weight(term) for term in terms}

    def windows(
        self, claim: Claim, passages: Sequence[Passage], weights: Mapping[str, float], most: int = MOST_WINDOWS
    ) -> list[Window]:
        """The windows of ``passages`` that cover most of a claim, at most ``most``."""
        native = [passage for passage in passages if passage.chinese == claim.chinese]
        if not native:
            return foreign.windows(claim.text, passages, is_chinese=claim.chinese)
        claim_weights = {term: weights.get(term, 1.0) for term in claim.terms}
        # A number must be able to win a window of its own: without it the sentence is not supported.
        min_weight = _NUMBER_SHARE * sum(claim_weights.values())
        claim_weights = {
            term: max(weight, min_weight) if term[0] == "#" else weight for term, weight in claim_weights.items()
        }
        return best_windows(claim_weights, native, most)

    def encode(self, texts: Sequence[str], cancel: CancelToken) -> bool:
        """Encode the texts that have no vector yet, in one batch; False if there is no embedder."""
        with self._lock:
            new_texts = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if not new_texts:
            return True
        cancel.check()
        try:
            embedder = self._embedder()
            if embedder is None:
                return False
            vectors = embedder.encode(new_texts)
        except KbtuiError:
            # The search reports a model that cannot be loaded; here words alone are compared.
            return False
        with self._lock:
            self._vectors.update(zip(new_texts, vectors, strict=True))
            while len(self._vectors) > _CACHE_SIZE + len(new_texts):
                self._vectors.popitem(last=False)
        return True

    def prepare(
        self,
        claim: Claim,
        windows: Sequence[Window],
        weights: Mapping[str, float],
        known: KnownTexts = NO_KNOWN_TEXTS,
        *,
        head: Head = "words",
        always: bool = False,
    ) -> Support:
        """Compute everything for a claim that needs no encoder.

        Args:
            head: ``uncited`` if the answer does not cite the lines.
            always: Request the cosine even if it cannot move the score across the threshold.
        """
        if not windows:
            return Support(claim=claim, windows=(), values={}, missing=tuple(fact.text for fact in claim.facts))
        original = claim
        evidence = collect_evidence(claim, windows, known)
        claim = evidence.claim or claim
        values, missing_facts = self._features(claim, windows, weights)
        missing_facts += not_entailed(claim, windows) if head == "uncited" else []
        missing_facts += [evidence.beyond] if evidence.beyond else []
        is_cross_language = evidence.cross_language_share is not None
        # If the lines cannot be about the same with any cosine, the facts need not be compared.
        min_cosine, max_cosine = _cosine_bounds(values["coverage"])
        hopeless = is_cross_language or (
            not always and log_odds({**values, "cosine": max_cosine}, claim.script, head) + evidence.odds < 0
        )
        verbatim = hinge(values["single"], 0.3, 0.9)
        features = [] if hopeless else fact_features(claim, windows, weights, known, verbatim, self._rarity)
        fact_odds = [log_odds(fact.values, claim.script, fact.kind) for fact in features]
        support = Support(
            claim=original,
            evidence=evidence,
            windows=tuple(windows),
            values=values,
            head=head,
            lacks=bool(missing_facts),
            missing=tuple(
                dict.fromkeys(
                    [
                        *missing_facts,
                        *(fact.fact.text for fact, odds in zip(features, fact_odds, strict=True) if odds >= 0),
                    ]
                )
            ),
            facts=tuple(features),
            wrong=0.0 if hopeless else max(fact_odds, default=-_CERTAIN_ODDS),
        )
        texts: tuple[str, ...] = ()
        if always or _score(support, {**values, "cosine": min_cosine}) < _CERTAIN_SCORE:
            encodable = self._texts_to_encode(claim, windows)
            if encodable and (always or _score(support, {**values, "cosine": max_cosine}) >= SUPPORTED):
                texts = tuple(encodable)
        return replace(support, texts=texts)

    def judge(self, support: Support) -> Support:
        """Score the support, with the cosine if its texts have been encoded (`encode`)."""
        if not support.windows:
            return support
        cosine = self._cosine(support.texts)
        values = support.values
        if cosine is None and support.texts and support.head == "uncited":
            # A missing cosine must not create a citation, so the lowest likely one is used.
            cosine, _ = _cosine_bounds(values["coverage"])
        if cosine is not None:
            values = {**values, "cosine": max(0.0, cosine)}
        return replace(support, values=values, score=_score(support, values))

    def _texts_to_encode(self, claim: Claim, windows: Sequence[Window]) -> list[str]:
        """The texts to encode for a claim and its lines; empty if the model does not cover a language of them."""
        line_texts = [window.text[:ENCODED_CHARS] for window in windows[:_MAX_ENCODED] if not window.passage.chinese]
        return (
            [] if claim.chinese or has_cjk(claim.text) or not line_texts else [claim.text[:ENCODED_CHARS], *line_texts]
        )

    def score(
        self, claim: Claim, windows: Sequence[Window], weights: Mapping[str, float], known: KnownTexts = NO_KNOWN_TEXTS
    ) -> Support:
        """Score the support by words, and by vectors that exist already."""
        return self.judge(self.prepare(claim, windows, weights, known))

    def _features(
        self, claim: Claim, windows: Sequence[Window], weights: Mapping[str, float]
    ) -> tuple[dict[str, float], list[str]]:
        """The features of the words, and the missing identifiers and quotations as written."""
        present = frozenset().union(
            *(unit.terms for window in windows for unit in window.passage.units[window.first : window.last + 1])
        )
        around = frozenset().union(*(window.passage.around_terms for window in windows))
        total = sum(weights.get(term, 1.0) for term in claim.terms) or 1.0
        inside_weight = sum(weights.get(term, 1.0) for term in claim.terms & present)
        around_weight = sum(weights.get(term, 1.0) for term in (claim.terms - present) & around)
        best_units = windows[0].passage.units[windows[0].first : windows[0].last + 1]
        single = max(sum(weights.get(term, 1.0) for term in claim.terms & unit.terms) for unit in best_units)
        orders = [unit.order for window in windows for unit in window.passage.units[window.first : window.last + 1]]
        pairs = set(pairwise(claim.order))
        pairs_of_lines = {pair for order in orders for pair in pairwise(order)}
        is_cross_language = claim.chinese != windows[0].passage.chinese
        literal_facts = _literal_facts(claim, is_cross_language=is_cross_language)
        missing_facts = [fact.text for fact in missing(literal_facts, _grounds_of(windows)) if not fact.weak]
        closest = max(best_units, key=lambda unit: len(unit.terms & claim.terms))
        values = {
            "coverage": (inside_weight + 0.7 * around_weight) / total,
            "single": single / total,
            "pairs": len(pairs & pairs_of_lines) / len(pairs) if pairs else 0.0,
            "run": max(longest_run(claim.order, order) for order in orders) / max(1, len(claim.order)),
            # Without vectors the cosine is estimated from the words.
            "cosine": (inside_weight + 0.7 * around_weight) / total,
            "missing": min(len(missing_facts), 2) / 2,
            "negation": float(negations(claim.text) % 2 != negations(closest.text) % 2),
            "short": 1.0 / max(1, len(claim.terms)),
        }
        return values, missing_facts

    def _cosine(self, texts: Sequence[str]) -> float | None:
        with self._lock:
            vectors = [self._vectors.get(text) for text in texts]
        claim_vector = vectors[0] if vectors else None
        if claim_vector is None:
            return None
        others = [vector for vector in vectors[1:] if vector is not None]
        return max((float(claim_vector @ other) for other in others), default=None)


_NUMBER_SHARE: Final = 0.15

_CERTAIN_ODDS: Final = 6.0
"""Log-odds beyond which a fact is certainly right."""

_FACT_WEIGHT: Final = 0.7
"""Weight of the log-odds of the worst fact relative to those of the words, for ranking lines."""


def _score(support: Support, values: Mapping[str, float]) -> float:
    """The score of a claim: at least `SUPPORTED` if the lines support it, and ranked within each half.

    Support needs both: the lines are about the same, and no fact is wrong.
    """
    if (share := support.evidence.cross_language_share) is not None:
        # A match by dictionary can confirm a citation, but not create one.
        holds = (
            share >= _MIN_TRANSLATED_SHARE
            and not support.lacks
            and not support.evidence.is_refuted
            and support.head != "uncited"
        )
        return SUPPORTED * share + (SUPPORTED if holds else 0.0) - (0.0 if holds else _UNSUPPORTED_PENALTY * share)
    if support.evidence.is_certain:
        return 1.0
    words = log_odds(values, support.claim.script, support.head) + support.evidence.odds
    holds = (
        not support.lacks
        and not support.evidence.is_refuted
        and _probability(words) * _probability(-support.wrong) >= _MIN_PROBABILITY
    )
    rank = _probability((words - _FACT_WEIGHT * max(support.wrong, -_CERTAIN_ODDS)) / 2)
    return SUPPORTED * rank + (SUPPORTED if holds else 0.0)


_MIN_TRANSLATED_SHARE: Final = 0.3
"""Share of a sentence that lines in another language must cover."""

_UNSUPPORTED_PENALTY: Final = 0.2

_MIN_PROBABILITY: Final = 0.5


def _cosine_bounds(coverage: float) -> tuple[float, float]:
    """Lower and upper bound of nearly all cosines at a coverage, as measured on the benchmark sets."""
    return 0.6 * coverage, 0.5 + 0.5 * coverage


def _grounds_of(windows: Sequence[Window]) -> list[Ground]:
    return [passage.whole for passage in {id(window.passage): window.passage for window in windows}.values()]


def log_odds(values: Mapping[str, float], script: str, head: str) -> float:
    """Log-odds of one model for one script (``latin`` or ``han``).

    The heads ``words`` and ``uncited`` predict that the lines are about the same; the heads of facts that one is wrong.
    """
    model = coefficients()[script][head]
    return model["intercept"] + sum(model[name] * values[name] for name in model if name != "intercept")


def _probability(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(odds, 30.0), -30.0)))


def features_of(head: str) -> tuple[str, ...]:
    """Names of the features of a model, in order; each is between 0 and 1."""
    return tuple(name for name in coefficients()["latin"][head] if name != "intercept")


@cache
def coefficients() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """The fitted coefficients by script and head."""
    return {
        script: {head: {key: float(value) for key, value in table.items()} for head, table in heads.items()}
        for script, heads in toml_in(__package__, "support.toml").items()
    }


def _literal_facts(claim: Claim, *, is_cross_language: bool) -> list[Fact]:
    """The facts that lines must have as they are; in another language, where nothing else is comparable, also numbers
    and names that are not translated."""
    if not is_cross_language:
        return [fact for fact in claim.facts if fact.kind in ("identifier", "quote")]
    names = [fact for fact in claim.facts if fact.kind == "name" and (claim.chinese or fact.text.isupper())]
    return [fact for fact in claim.facts if fact.kind in ("number", "identifier")] + names


def _form_weight(term: str) -> float:
    """Weight factor of a term by its form: low for single Chinese characters, higher for numbers."""
    if term.startswith("#"):
        return 1.3
    return 0.3 if len(term) == 1 and not term.isascii() else 1.0
