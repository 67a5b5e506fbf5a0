"""How likely it is that lines bear a sentence out: two small logistic regressions over what both have in common.

One asks whether the lines speak of the same, the other whether numbers and names stand in their places.

The coefficients are fitted by ``benchmarks/fit_support.py`` and stand in ``support.toml``.
"""

from __future__ import annotations

import math
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import KbtuiError
from kbtui.reasoning.checking.facts import Fact, Ground, absent_words, facts, missing, negations
from kbtui.reasoning.checking.neighbours import Rivalry, rivalry
from kbtui.reasoning.checking.numerals import normal
from kbtui.reasoning.checking.passages import Passage, Unit, Window, best_windows, terms_of
from kbtui.text.language import cjk_share, has_cjk
from kbtui.text.tokenise import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kbtui.reasoning.offline.features import Rarity
    from kbtui.reasoning.offline.grader import Encodes

WORDS: Final = (
    "coverage",
    "single",
    "pairs",
    "run",
    "cosine",
    "missing",
    "missing_name",
    "missing_weak",
    "missing_first",
    "lonely",
    "negation",
    "short",
)
"""Features that say whether the lines speak of the same; each lies between 0 and 1."""

FACTS: Final = (
    "verbatim",
    "missing_any",
    "missing_name",
    "rival_number",
    "rival_number_verbatim",
    "rival_name_verbatim",
    "rival_weak_verbatim",
    "exchanged",
    "displaced_number_verbatim",
    "displaced_name_verbatim",
    "apart_number_verbatim",
    "apart_name",
    "apart_name_verbatim",
    "missing_first_verbatim",
)
"""Features that say whether the facts stand in their places; each lies between 0 and 1."""

HEADS: Final = {"words": WORDS, "facts": FACTS}
"""The score is the product of two probabilities: a sentence has to pass both."""

SUPPORTED: Final = 0.5
"""Score from which lines bear a sentence out."""

CLEAR: Final = 0.6
"""Score from which a sentence is given to lines that the model did not name."""

MOST_WINDOWS: Final = 3
ENCODED_CHARS: Final = 400
MOST_CHARS: Final = 2000
"""Of a sentence; what is longer is none, and is judged by its beginning."""

_MOST_ENCODED: Final = 2
_REMEMBERED: Final = 2048
_CHINESE_FROM: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A sentence prepared.

    Attributes:
        text: Plain.
        marked: As Markdown, without marks.
        facts: Its hard facts.
        terms: Its tokens and numbers.
        order: Its tokens in order.
        chinese: It is Chinese.
    """

    text: str
    marked: str
    facts: tuple[Fact, ...]
    terms: frozenset[str]
    order: tuple[str, ...]
    chinese: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What may be named in an answer though the lines of a sentence do not name it.

    Attributes:
        question: The question: whoever answers it takes its names up.
        cited: The other passages that the answer cites: a name of theirs is no invention, but may be in a wrong place.
    """

    question: Ground | None = None
    cited: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A claim beside its lines, before anything is encoded.

    Attributes:
        windows: The lines, the best first.
        values: The features; the cosine is what the words would have it.
        missing: Hard facts of the sentence that they lack, as written.
        texts: What to encode to know the cosine: the claim, then lines; empty where it cannot be or decides nothing.
    """

    claim: Claim
    windows: tuple[Window, ...]
    values: Mapping[str, float]
    missing: tuple[str, ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What lines say for a sentence.

    Attributes:
        score: 0 to 1, the probability that they bear it out.
        windows: The lines, the best first.
        missing: Hard facts of the sentence that they lack, as written.
        values: The features the score was made of.
    """

    score: float
    windows: tuple[Window, ...]
    missing: tuple[str, ...]
    values: Mapping[str, float]


def claim_of(text: str, marked: str) -> Claim:
    """A sentence prepared.

    Args:
        text: Plain.
        marked: As Markdown, without marks.
    """
    text, marked = text[:MOST_CHARS], marked[:MOST_CHARS]
    return Claim(
        text=text,
        marked=marked,
        facts=tuple(facts(marked)),
        terms=terms_of(text),
        order=tuple(tokens(normal(text))),
        chinese=cjk_share(text) >= _CHINESE_FROM,
    )


NOTHING: Final = Known()


class Scorer:
    """Scores claims against passages; vectors of what was encoded are kept.

    Args:
        embedder: Gives the embedder, or None where there is none.
        rarity: How rare words are in the folder; without it the passages themselves say it.
    """

    def __init__(self, embedder: Callable[[], Encodes | None], rarity: Rarity | None = None) -> None:
        self._embedder = embedder
        self._rarity = rarity
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def weights(self, claims: Sequence[Claim], passages: Sequence[Passage]) -> dict[str, float]:
        """What each term of the claims is worth: the rarer, the more."""
        wanted = sorted({term for claim in claims for term in claim.terms})
        units = [unit.terms for one in passages for unit in one.units]
        held: dict[str, int] = dict.fromkeys(wanted, 0)
        for unit in units:
            for term in held.keys() & unit:
                held[term] += 1
        most = math.log(1 + len(units) + 8)
        local = {term: math.log(1 + (len(units) + 8) / (1 + held[term])) / most for term in wanted}
        return {term: local[term] * _shape(term) for term in wanted}

    def windows(self, claim: Claim, passages: Sequence[Passage], weights: Mapping[str, float]) -> list[Window]:
        """The lines of ``passages`` that say most of a claim."""
        own = {term: weights.get(term, 1.0) for term in claim.terms}
        # A number alone is worth a window of its own: without it the sentence cannot stand.
        least = _NUMBER_SHARE * sum(own.values())
        own = {term: max(weight, least) if term[0] == "#" else weight for term, weight in own.items()}
        return best_windows(own, passages, MOST_WINDOWS)

    def encode(self, texts: Sequence[str], cancel: CancelToken) -> bool:
        """Make sure that the vectors of these texts are there, in one batch; False when there is no embedder."""
        with self._lock:
            lacking = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if not lacking:
            return True
        cancel.check()
        try:
            embedder = self._embedder()
            if embedder is None:
                return False
            vectors = embedder.encode(lacking)
        except KbtuiError:
            # A model that cannot be loaded is told of by the search that needs it; words alone still check.
            return False
        with self._lock:
            self._vectors.update(zip(lacking, vectors, strict=True))
            while len(self._vectors) > _REMEMBERED + len(lacking):
                self._vectors.popitem(last=False)
        return True

    def prepared(
        self,
        claim: Claim,
        windows: Sequence[Window],
        weights: Mapping[str, float],
        known: Known = NOTHING,
        *,
        always: bool = False,
    ) -> Prepared:
        """All that can be said of a claim without a model.

        Args:
            always: The cosine is wanted even where it cannot change on which side of the threshold the score lies.
        """
        if not windows:
            return Prepared(claim=claim, windows=(), values={}, missing=tuple(fact.text for fact in claim.facts))
        values, lacking = self._features(claim, windows, weights, known)
        texts: tuple[str, ...] = ()
        if always or _score(claim, windows, {**values, "cosine": 0.0}) < CLEAR:
            readable = self._readable(claim, windows)
            if readable and (always or _score(claim, windows, {**values, "cosine": 1.0}) >= SUPPORTED):
                texts = tuple(readable)
        return Prepared(claim=claim, windows=tuple(windows), values=values, missing=lacking, texts=texts)

    def judged(self, one: Prepared) -> Support:
        """How well the lines bear the claim out; what was encoded (`encode`) counts."""
        if not one.windows:
            return Support(score=0.0, windows=(), missing=one.missing, values={})
        cosine = self._cosine(one.texts)
        values = one.values
        if cosine is not None:
            values = {**values, "cosine": max(0.0, cosine)}
        score = _score(one.claim, one.windows, values)
        return Support(score=score, windows=one.windows, missing=one.missing, values=values)

    def _readable(self, claim: Claim, windows: Sequence[Window]) -> list[str]:
        """What to encode for a claim and its lines; nothing where the model cannot read one of them."""
        found = [window.text[:ENCODED_CHARS] for window in windows[:_MOST_ENCODED] if not window.passage.chinese]
        return [] if claim.chinese or has_cjk(claim.text) or not found else [claim.text[:ENCODED_CHARS], *found]

    def score(
        self, claim: Claim, windows: Sequence[Window], weights: Mapping[str, float], known: Known = NOTHING
    ) -> Support:
        """How well the lines bear the claim out, by words and what is encoded already."""
        return self.judged(self.prepared(claim, windows, weights, known))

    def _features(
        self, claim: Claim, windows: Sequence[Window], weights: Mapping[str, float], known: Known
    ) -> tuple[dict[str, float], tuple[str, ...]]:
        """The features, and the facts that are missing, as written."""
        present = frozenset().union(
            *(unit.terms for one in windows for unit in one.passage.units[one.first : one.last + 1])
        )
        around = frozenset().union(*(one.passage.around_terms for one in windows))
        total = sum(weights.get(term, 1.0) for term in claim.terms) or 1.0
        inside = sum(weights.get(term, 1.0) for term in claim.terms & present)
        beside = sum(weights.get(term, 1.0) for term in (claim.terms - present) & around)
        best = windows[0].passage.units[windows[0].first : windows[0].last + 1]
        single = max(sum(weights.get(term, 1.0) for term in claim.terms & unit.terms) for unit in best)
        units = [unit for one in windows for unit in one.passage.units[one.first : one.last + 1]]
        orders = [unit.order for unit in units]
        pairs = set(pairwise(claim.order))
        there = {pair for order in orders for pair in pairwise(order)}
        foreign = claim.chinese != windows[0].passage.chinese
        comparable = _comparable(claim, foreign=foreign)
        lacking, elsewhere = _lacking(comparable, windows, known)
        lonely, alone = (0.0, []) if foreign else _lonely(claim, windows, weights, lacking)
        lacking += alone
        strong = sum(not fact.weak and fact.kind != "name" for fact in lacking)
        names = [fact for fact in lacking if fact.kind == "name"]
        unnamed = max((self._unnamed(fact, windows, known) for fact in names if not fact.weak), default=0.0)
        first = max((fact.likely * self._unnamed(fact, windows, known) for fact in names if fact.weak), default=0.0)
        weak = len(elsewhere) + sum(fact.weak and fact.kind != "name" for fact in lacking)
        rivals = Rivalry() if foreign else rivalry(claim.marked, [unit.text for unit in units], around)
        denied = negations(claim.text) % 2 != negations(max(best, key=lambda u: len(u.terms & claim.terms)).text) % 2
        # In other words a fact has other neighbours; in nearly the same ones they have to be the same.
        verbatim = _hinge(single / total, 0.3, 0.9)
        wrong = [fact.text for fact in lacking if not fact.weak]
        return {
            "coverage": (inside + 0.7 * beside) / total,
            "single": single / total,
            "pairs": len(pairs & there) / len(pairs) if pairs else 0.0,
            "run": max(_run(claim.order, order) for order in orders) / max(1, len(claim.order)),
            # Without a vector the words have to say what it would: where most are there, it is high.
            "cosine": (inside + 0.7 * beside) / total,
            "missing": min(strong, 2) / 2,
            "missing_name": unnamed,
            "missing_weak": min(weak, 2) / 2,
            "missing_first": first,
            "lonely": lonely,
            "verbatim": verbatim,
            "missing_any": float(strong > 0),
            "rival_number": _hinge(rivals.number, 0.05, 0.3),
            "rival_number_verbatim": verbatim * _hinge(rivals.number, 0.05, 0.3),
            "rival_name_verbatim": verbatim * _hinge(rivals.name, 0.1, 0.5),
            "rival_weak_verbatim": verbatim * _hinge(rivals.weak, 0.1, 0.6),
            "exchanged": _hinge(rivals.exchanged, 0.1, 0.4),
            "displaced_number_verbatim": verbatim * _hinge(rivals.displaced_number, 0.1, 0.5),
            "displaced_name_verbatim": verbatim * _hinge(rivals.displaced_name, 0.1, 0.6),
            "apart_number_verbatim": verbatim * rivals.apart_number,
            "apart_name": rivals.apart_name,
            "apart_name_verbatim": verbatim * rivals.apart_name,
            "missing_first_verbatim": verbatim * first,
            "negation": 1.0 if denied else 0.0,
            "short": 1.0 / max(1, len(claim.terms)),
        }, tuple(dict.fromkeys([*wrong, *rivals.about]))

    def _unnamed(self, fact: Fact, windows: Sequence[Window], known: Known) -> float:
        """How much of a name is nowhere, 0 to 1; what the whole folder is about is said of everything in it."""
        parts = fact.value.split()
        absent = absent_words([one.passage.whole for one in windows], fact)
        share = max(1, len(absent)) / len(parts)
        if known.cited and not missing([fact], known.cited):
            share *= _OF_OTHERS
        if self._rarity is None or not absent:
            return share
        stems = [token for word in absent for token in tokens(word)[:1]]
        rare = self._rarity(stems)
        return share * min(1.0, max((rare.get(token, 1.0) for token in stems), default=1.0) / _RARE)

    def _cosine(self, texts: Sequence[str]) -> float | None:
        with self._lock:
            vectors = [self._vectors.get(text) for text in texts]
        own = vectors[0] if vectors else None
        if own is None:
            return None
        others = [vector for vector in vectors[1:] if vector is not None]
        return max((float(own @ other) for other in others), default=None)


_NUMBER_SHARE: Final = 0.15

WITHOUT_FACT: Final = 0.3
"""What is left of a score where the lines lack a number, name or identifier of the sentence."""

UNNAMED: Final = 0.5
"""How much of a rare name may be nowhere."""

_RARE: Final = 0.5
"""Rarity from which a name is not what the whole folder is about: some words of every twentieth passage are."""


_OF_OTHERS: Final = 0.45
"""What a name weighs that the lines lack and another cited passage has: by itself it decides nothing."""

_COMPANY: Final = 0.12
"""Share of what else a sentence says that has to stand beside its number."""

_TELLING_DIGITS: Final = 4
"""Digits from which a number is hardly there by chance."""


def _score(claim: Claim, windows: Sequence[Window], values: Mapping[str, float]) -> float:
    if claim.chinese != windows[0].passage.chinese:
        score = _foreign(values)
    else:
        score = probability(values, "han" if claim.chinese else "latin")
    return score * WITHOUT_FACT if values["missing"] or values["missing_name"] >= UNNAMED else score


def _lacking(found: Sequence[Fact], windows: Sequence[Window], known: Known) -> tuple[list[Fact], list[Fact]]:
    """Facts that the lines lack, and those of them that only stand elsewhere in the passages.

    A name may stand elsewhere, where the lines speak of “it”, or in the question.
    """
    lacking = missing(found, [one.ground for one in windows])
    if not lacking:
        return [], []
    whole = [one.passage.whole for one in windows]
    nowhere = [fact for fact in lacking if fact.kind == "number" or missing([fact], whole)]
    elsewhere = [fact for fact in lacking if fact.kind in ("identifier", "quote") and fact not in nowhere]
    if known.question is None:
        return nowhere, elsewhere
    return [fact for fact in nowhere if fact.kind != "name" or missing([fact], [known.question])], elsewhere


def _lonely(
    claim: Claim, windows: Sequence[Window], weights: Mapping[str, float], lacking: Sequence[Fact]
) -> tuple[float, list[Fact]]:
    """How much of what a sentence says is missing where its numbers stand, 0 to 1; the numbers that stand for others.

    A number is there by its value and what it counts, or by its value among the sentence's other words.
    """
    other = {term: weights.get(term, 1.0) for term in claim.terms if not any(map(str.isdigit, term))}
    total = sum(other.values())
    worst = 0.0
    alone = []
    for fact in claim.facts:
        if fact.kind != "number" or fact.start < 0 or fact in lacking:
            continue
        telling = len(fact.value.replace(".", "")) >= _TELLING_DIGITS
        places = [(unit, beside) for one in windows for unit, beside in _beside(one) if fact.value in unit.counted]
        if not places:
            # A number of a date, a version or a title stands in no line as a number, and counts nothing there.
            if fact.measure and not telling and not any(fact.value in one.passage.around_terms for one in windows):
                alone.append(fact)
            continue
        fitting = [
            beside for unit, beside in places if not fact.measure or unit.counted[fact.value] & {"", fact.measure}
        ]
        shares = [
            sum(weight for term, weight in other.items() if any(term in near.terms for near in beside))
            for beside in fitting
        ]
        company = max(shares, default=0.0) / total if total else float(bool(fitting))
        counted = fact.measure != "" and any(fact.measure in unit.counted[fact.value] for unit, _ in places)
        if not (counted or company >= _COMPANY or (telling and fitting)):
            alone.append(fact)
        if not fact.weak:
            worst = max(worst, 1.0 - company)
    return worst, alone


def _beside(window: Window) -> list[tuple[Unit, Sequence[Unit]]]:
    """The units of a window, each with those right before and after it."""
    units = window.passage.units
    return [(units[at], units[max(0, at - 1) : at + 2]) for at in range(window.first, window.last + 1)]


def probability(values: Mapping[str, float], script: str) -> float:
    """The model of one script (``latin`` or ``han``) applied to features."""
    result = 1.0
    for head, names in HEADS.items():
        model = coefficients()[script][head]
        total = model["intercept"] + sum(model[name] * values[name] for name in names)
        result /= 1.0 + math.exp(-max(min(total, 30.0), -30.0))
    return result


@cache
def coefficients() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """The fitted coefficients by script and head."""
    text = files("kbtui.reasoning.checking").joinpath("support.toml").read_text(encoding="utf-8")
    return {
        script: {head: {key: float(value) for key, value in table.items()} for head, table in heads.items()}
        for script, heads in tomllib.loads(text).items()
    }


def _hinge(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _comparable(claim: Claim, *, foreign: bool) -> list[Fact]:
    """The facts that must stand in the lines even in another language: a name is translated, a number is not."""
    if not foreign:
        return list(claim.facts)
    return [
        fact
        for fact in claim.facts
        if fact.kind in ("number", "identifier") or (fact.kind == "name" and (claim.chinese or fact.text.isupper()))
    ]


def _foreign(values: Mapping[str, float]) -> float:
    """Across languages words say nothing: facts that are there are all there is to go by."""
    return 0.6 - 0.5 * values["missing"] - 0.1 * values["missing_weak"] + 0.3 * min(1.0, 3 * values["coverage"])


def _shape(term: str) -> float:
    """What a term says by its looks: single Chinese characters little, numbers more."""
    if term.startswith("#"):
        return 1.3
    return 0.3 if len(term) == 1 and not term.isascii() else 1.0


def _run(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest run of tokens that both have."""
    places: dict[str, list[int]] = {}
    for at, token in enumerate(second):
        places.setdefault(token, []).append(at)
    best = 0
    before: dict[int, int] = {}
    for token in first:
        now = {at: before.get(at - 1, 0) + 1 for at in places.get(token, ())}
        best = max(best, max(now.values(), default=0))
        before = now
    return best
