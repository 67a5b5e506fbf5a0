"""How likely it is that lines bear a sentence out: small logistic regressions over what both have in common.

One asks whether the lines speak of the same, a stricter one the same of lines that the answer does not cite. The others
ask of each number and name by itself whether it is a wrong one (`standing`): a sentence in other words than the lines
keeps its facts, and a copied one with one exchanged does not.

The coefficients are fitted by ``benchmarks/fit_support.py`` and stand in ``support.toml``.
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
from kbtui.reasoning.checking.facts import Fact, Ground, facts, missing, negations
from kbtui.reasoning.checking.numerals import normal
from kbtui.reasoning.checking.passages import Passage, Window, best_windows, terms_of
from kbtui.reasoning.checking.standing import Claim, Known, Standing, hinge, standings
from kbtui.reasoning.checking.weighing import UNWEIGHED, Weighed, weighed
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
"""Score from which lines bear a sentence out."""

_CLEAR: Final = 0.6
"""Score from which nothing is encoded: the cosine would not take it below `SUPPORTED`."""

MOST_WINDOWS: Final = 3
ENCODED_CHARS: Final = 400
MOST_CHARS: Final = 2000
"""Of a sentence; what is longer is none, and is judged by its beginning."""

_MOST_ENCODED: Final = 2
_REMEMBERED: Final = 2048
_CHINESE_FROM: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What lines say for a claim.

    Attributes:
        windows: The lines, the best first.
        values: The features; the cosine is what the words would have it until something is encoded.
        missing: Hard facts of the sentence that they lack, as written.
        head: Which model of words judges.
        facts: How each number and name stands.
        wrong: The log-odds that the worst of them is wrong.
        lacks: The passages lack an identifier or a quotation.
        weighed: What else the lines say of it.
        texts: What to encode to know the cosine: the claim, then lines; empty where it cannot be or decides nothing.
        score: 0 to 1; from `SUPPORTED` on they bear it out. 0 before it is judged.
    """

    claim: Claim
    windows: tuple[Window, ...]
    values: Mapping[str, float]
    missing: tuple[str, ...]
    head: Head = "words"
    facts: tuple[Standing, ...] = ()
    wrong: float = 0.0
    lacks: bool = False
    weighed: Weighed = UNWEIGHED
    texts: tuple[str, ...] = ()
    score: float = 0.0


def claim_of(text: str, marked: str, columns: tuple[str, ...] = ()) -> Claim:
    """A sentence prepared.

    Args:
        text: Plain.
        marked: As Markdown, without marks.
        columns: Of a row, the cells of the row that heads its table.
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

    def windows(
        self, claim: Claim, passages: Sequence[Passage], weights: Mapping[str, float], most: int = MOST_WINDOWS
    ) -> list[Window]:
        """The lines of ``passages`` that say most of a claim, at most ``most`` runs of them."""
        native = [one for one in passages if one.chinese == claim.chinese]
        if not native:
            return foreign.windows(claim.text, passages, is_chinese=claim.chinese)
        own = {term: weights.get(term, 1.0) for term in claim.terms}
        # A number alone is worth a window of its own: without it the sentence cannot stand.
        least = _NUMBER_SHARE * sum(own.values())
        own = {term: max(weight, least) if term[0] == "#" else weight for term, weight in own.items()}
        return best_windows(own, native, most)

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
        head: Head = "words",
        always: bool = False,
    ) -> Support:
        """All that can be said of a claim without a model.

        Args:
            head: ``uncited`` where the answer does not cite the lines.
            always: The cosine is wanted even where it cannot change on which side of the threshold the score lies.
        """
        if not windows:
            return Support(claim=claim, windows=(), values={}, missing=tuple(fact.text for fact in claim.facts))
        given = claim
        weighing = weighed(claim, windows, known)
        claim = weighing.claim or claim
        values, lacking = self._features(claim, windows, weights)
        if head == "uncited":
            lacking += _not_entailed(claim, windows)
        is_abroad = weighing.abroad is not None
        # Where the lines do not speak of the same in any case, nobody asks how the facts stand.
        least, most = _cosines(values["coverage"])
        hopeless = is_abroad or (
            not always and log_odds({**values, "cosine": most}, claim.script, head) + weighing.odds < 0
        )
        verbatim = hinge(values["single"], 0.3, 0.9)
        stand = [] if hopeless else standings(claim, windows, weights, known, verbatim, self._rarity)
        odds = [log_odds(one.values, claim.script, one.kind) for one in stand]
        ready = Support(
            claim=given,
            weighed=weighing,
            windows=tuple(windows),
            values=values,
            head=head,
            lacks=bool(lacking),
            missing=tuple(
                dict.fromkeys([*lacking, *(one.fact.text for one, odd in zip(stand, odds, strict=True) if odd >= 0)])
            ),
            facts=tuple(stand),
            wrong=0.0 if hopeless else max(odds, default=-_SURE),
        )
        texts: tuple[str, ...] = ()
        if always or _score(ready, {**values, "cosine": least}) < _CLEAR:
            readable = self._readable(claim, windows)
            if readable and (always or _score(ready, {**values, "cosine": most}) >= SUPPORTED):
                texts = tuple(readable)
        return replace(ready, texts=texts)

    def judged(self, one: Support) -> Support:
        """How well the lines bear the claim out; what was encoded (`encode`) counts."""
        if not one.windows:
            return one
        cosine = self._cosine(one.texts)
        values = one.values
        if cosine is None and one.texts and one.head == "uncited":
            # No citation is made on a likeness that could not be measured.
            cosine, _ = _cosines(values["coverage"])
        if cosine is not None:
            values = {**values, "cosine": max(0.0, cosine)}
        return replace(one, values=values, score=_score(one, values))

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
        self, claim: Claim, windows: Sequence[Window], weights: Mapping[str, float]
    ) -> tuple[dict[str, float], list[str]]:
        """The features of the words, and what identifiers and quotations are missing, as written."""
        present = frozenset().union(
            *(unit.terms for one in windows for unit in one.passage.units[one.first : one.last + 1])
        )
        around = frozenset().union(*(one.passage.around_terms for one in windows))
        total = sum(weights.get(term, 1.0) for term in claim.terms) or 1.0
        inside = sum(weights.get(term, 1.0) for term in claim.terms & present)
        beside = sum(weights.get(term, 1.0) for term in (claim.terms - present) & around)
        best = windows[0].passage.units[windows[0].first : windows[0].last + 1]
        single = max(sum(weights.get(term, 1.0) for term in claim.terms & unit.terms) for unit in best)
        orders = [unit.order for one in windows for unit in one.passage.units[one.first : one.last + 1]]
        pairs = set(pairwise(claim.order))
        there = {pair for order in orders for pair in pairwise(order)}
        is_abroad = claim.chinese != windows[0].passage.chinese
        # Across languages a fact has no neighbours to be known by: it is there, or it is not.
        whole = [
            fact
            for fact in _comparable(claim, is_abroad=is_abroad)
            if is_abroad or fact.kind in ("identifier", "quote")
        ]
        lacking = [fact.text for fact in missing(whole, _wholes(windows)) if not fact.weak]
        denied = negations(claim.text) % 2 != negations(max(best, key=lambda u: len(u.terms & claim.terms)).text) % 2
        values = {
            "coverage": (inside + 0.7 * beside) / total,
            "single": single / total,
            "pairs": len(pairs & there) / len(pairs) if pairs else 0.0,
            "run": max(longest_run(claim.order, order) for order in orders) / max(1, len(claim.order)),
            # Without a vector the words have to say what it would: where most are there, it is high.
            "cosine": (inside + 0.7 * beside) / total,
            "missing": min(len(lacking), 2) / 2,
            "negation": 1.0 if denied else 0.0,
            "short": 1.0 / max(1, len(claim.terms)),
        }
        return values, lacking

    def _cosine(self, texts: Sequence[str]) -> float | None:
        with self._lock:
            vectors = [self._vectors.get(text) for text in texts]
        own = vectors[0] if vectors else None
        if own is None:
            return None
        others = [vector for vector in vectors[1:] if vector is not None]
        return max((float(own @ other) for other in others), default=None)


_NUMBER_SHARE: Final = 0.15

_SURE: Final = 6.0
"""Log-odds from which on a fact is simply right."""

_FACTS: Final = 0.7
"""What the log-odds of the worst fact are worth beside those of the words, where lines are compared with each other."""


def _score(one: Support, values: Mapping[str, float]) -> float:
    """Whether the lines bear a claim out (the half from `SUPPORTED` on), and within each half how well.

    Two things are asked, and each can say no by itself: do the lines speak of the same, and is no fact a wrong one?
    """
    if (abroad := one.weighed.abroad) is not None:
        # What a dictionary finds is a reason to believe a citation, not to make one.
        holds = abroad >= _ABROAD and not one.lacks and not one.weighed.refuted and one.head != "uncited"
        return SUPPORTED * abroad + (SUPPORTED if holds else 0.0) - (0.0 if holds else _LESS * abroad)
    if one.weighed.sure:
        return 1.0
    words = log_odds(values, one.claim.script, one.head) + one.weighed.odds
    holds = not one.lacks and not one.weighed.refuted and _chance(words) * _chance(-one.wrong) >= _HOLDS
    better = _chance((words - _FACTS * max(one.wrong, -_SURE)) / 2)
    return SUPPORTED * better + (SUPPORTED if holds else 0.0)


def _not_entailed(claim: Claim, windows: Sequence[Window]) -> list[str]:
    """What keeps a sentence from being given lines: numbers that count something else in them, no word of its own.

    No citation is made on a number alone: “22 %” does not rest on the 22nd of August.
    """
    units = [unit for one in windows for unit in one.passage.units[one.first : one.last + 1]]
    lacking = []
    for fact in claim.facts:
        measures = frozenset().union(*(unit.counted.get(fact.value, frozenset()) for unit in units))
        if fact.measure == "percent" and measures and fact.measure not in measures:
            lacking.append(fact.text)
    there = frozenset().union(*(unit.terms for unit in units))
    return lacking if any(term[0] != "#" for term in claim.terms & there) else [*lacking, claim.text]


_ABROAD: Final = 0.3
"""Share of a sentence that lines in another language have to say."""

_LESS: Final = 0.2

_HOLDS: Final = 0.5


def _cosines(coverage: float) -> tuple[float, float]:
    """Between what the cosine nearly always lies where lines hold so much of a sentence (measured on the sets)."""
    return 0.6 * coverage, 0.5 + 0.5 * coverage


def _wholes(windows: Sequence[Window]) -> list[Ground]:
    return [one.whole for one in {id(window.passage): window.passage for window in windows}.values()]


def log_odds(values: Mapping[str, float], script: str, head: str) -> float:
    """One model of one script (``latin`` or ``han``) applied to features: for ``words`` and ``uncited`` that the lines
    speak of the same, for a kind of fact that it is a wrong one."""
    model = coefficients()[script][head]
    return model["intercept"] + sum(model[name] * values[name] for name in model if name != "intercept")


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(odds, 30.0), -30.0)))


def features_of(head: str) -> tuple[str, ...]:
    """The features of one model, in order; each lies between 0 and 1."""
    return tuple(name for name in coefficients()["latin"][head] if name != "intercept")


@cache
def coefficients() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """The fitted coefficients by script and head."""
    return {
        script: {head: {key: float(value) for key, value in table.items()} for head, table in heads.items()}
        for script, heads in toml_in(__package__, "support.toml").items()
    }


def _comparable(claim: Claim, *, is_abroad: bool) -> list[Fact]:
    """The facts that must stand in the lines even in another language: a name is translated, a number is not."""
    if not is_abroad:
        return list(claim.facts)
    return [
        fact
        for fact in claim.facts
        if fact.kind in ("number", "identifier") or (fact.kind == "name" and (claim.chinese or fact.text.isupper()))
    ]


def _shape(term: str) -> float:
    """What a term says by its looks: single Chinese characters little, numbers more."""
    if term.startswith("#"):
        return 1.3
    return 0.3 if len(term) == 1 and not term.isascii() else 1.0
