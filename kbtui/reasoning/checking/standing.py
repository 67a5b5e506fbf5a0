"""Features of each number and name of a sentence: is it in the lines, in which context, and would another fit better.

`support` decides for each fact by itself whether it is wrong, not for the sentence as a whole: a paraphrase keeps its
names, and a copied sentence with one name exchanged does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kbtui.reasoning.checking.facts import Fact, Ground, absent_words, holds
from kbtui.reasoning.checking.neighbours import Neighbourhood, adjacent_numbers, neighbourhoods, shape_of
from kbtui.reasoning.checking.numerals import MONTH
from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.text.tokenise import stem, tokens

TELLING_DIGITS: Final = 4
"""Digits from which a number hardly occurs by chance."""

RARE: Final = 0.5
"""Rarity from which a name counts in full; words of every twentieth passage are topics of the whole folder."""

_ADJACENT_WEIGHT: Final = 0.6
"""Weight of a word in an adjacent line."""

_STYLE: Final = 0.3
_STYLE_FEATURES: Final = (
    "company_far", "better_company", "misfit", "misfit_verbatim", "displaced_verbatim", "apart",
    "apart_verbatim",
)  # fmt: skip
"""Features that count little, by the factor `_STYLE`, against a number in words."""

_PLACE_FEATURES: Final = (*_STYLE_FEATURES, "outside")
"""Features of the place of a fact."""

_MAX_DISTANCE: Final = 12
"""Most characters between two numbers of one date or score."""

_MAX_PLACES: Final = 3
_MAX_DATES: Final = 8
_MAX_INITIALS: Final = 2
"""Most letters of a word that may be initials, which many names share."""
_PARTLY_KNOWN: Final = 0.7
"""Value of the feature ``known`` if part of a name was mentioned before: “Ana Sousa”, later “Sousa”."""
_FREQUENT: Final = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A parsed sentence of an answer.

    Attributes:
        text: Plain text.
        marked: Markdown without marks.
        facts: Its hard facts.
        terms: Its tokens, and its numbers as ``#value``.
        order: Its tokens in order.
        chinese: It is Chinese.
        columns: For a table row, the cells of the header row.
    """

    text: str
    marked: str
    facts: tuple[Fact, ...]
    terms: frozenset[str]
    order: tuple[str, ...]
    chinese: bool
    columns: tuple[str, ...] = ()

    @property
    def script(self) -> str:
        """The script whose coefficients apply: ``han`` or ``latin``."""
        return "han" if self.chinese else "latin"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTexts:
    """Further texts whose names a sentence may repeat, though its own lines do not contain them.

    Attributes:
        question: The question; None if unknown.
        before: Preceding pieces of the answer: the lines may refer to one of their names by a pronoun.
        cited: All passages that the answer cites: their names are not invented, but may be in the wrong place.
        shown: All passages that the model was given; their records show which thing a value belongs to.
    """

    question: Ground | None = None
    before: tuple[Ground, ...] = ()
    cited: tuple[Ground, ...] = ()
    shown: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFeatures:
    """One fact with its features, each 0 to 1.

    Attributes:
        fact: A number or a name.
        kind: Its model in `support.toml`: ``number``, ``name``, or ``first`` for a sentence-initial word.
        values: Features by name.
    """

    fact: Fact
    kind: str
    values: Mapping[str, float] = field(default_factory=dict)


def fact_features(
    claim: Claim,
    windows: Sequence[Window],
    weights: Mapping[str, float],
    known: KnownTexts,
    verbatim: float,
    rarity: Callable[[Sequence[str]], Mapping[str, float]] | None = None,
) -> list[FactFeatures]:
    """Compute the features of each number and name of a sentence.

    Args:
        claim: The sentence.
        windows: The lines to compare with.
        weights: Weight of each term.
        known: Further texts whose names the sentence may repeat.
        verbatim: Similarity of the sentence to a single line, 0 to 1.
        rarity: Returns the rarity of words in the folder.
    """
    compared_facts = [fact for fact in claim.facts if fact.kind in ("number", "name")]
    if not compared_facts:
        return []
    passages = list({id(window.passage): window.passage for window in windows}.values())
    around = frozenset().union(*(passage.around_terms for passage in passages))
    units = {
        (id(window.passage), index): window.passage.units[index]
        for window in windows
        for index in range(window.first, window.last + 1)
    }
    places = {id(fact): _places(fact, passages) for fact in compared_facts}
    company = _Company(claim.terms, weights)
    shares: dict[int, list[float]] = {}
    for fact in compared_facts:
        fact_terms = _terms_of(fact)
        ranked = sorted(
            ((company.at(passage, index, fact_terms), passage, index) for passage, index in places[id(fact)]),
            key=lambda place: -place[0],
        )
        shares[id(fact)] = [share for share, _, _ in ranked]
        for _, passage, index in ranked[:_MAX_PLACES]:
            units.setdefault((id(passage), index), passage.units[index])
    fits = neighbourhoods(claim.marked, [unit.text for unit in units.values()], around, weights)
    result = []
    for fact in compared_facts:
        fact_terms = _terms_of(fact)
        fact_places = {(id(passage), index) for passage, index in places[id(fact)]}
        best_share = max(shares[id(fact)], default=0.0)
        best_share_elsewhere = max(
            (
                company.at(window.passage, index, fact_terms)
                for window in windows
                for index in range(window.first, window.last + 1)
                if not fact_places & {(id(window.passage), adjacent) for adjacent in (index - 1, index, index + 1)}
            ),
            default=0.0,
        )
        common_features = {
            "company": best_share,
            "company_far": 1.0 - hinge(best_share, 0.0, 0.15),
            "better_company": max(0.0, best_share_elsewhere - best_share),
            "verbatim": verbatim,
            **_neighbourhood_features(fits.get(fact.start, Neighbourhood()), verbatim),
        }
        if fact.kind == "number":
            kind, values = (
                "number",
                common_features | _number_features(fact, windows, places[id(fact)], compared_facts, known),
            )
            if fact.weak:
                # “The two fields” is a count by the writer that no line has; only a rival speaks against it.
                values |= {name: _STYLE * values[name] for name in _STYLE_FEATURES}
        else:
            kind = "first" if fact.weak else "name"
            values = common_features | _name_features(fact, windows, passages, around, known, places[id(fact)], rarity)
            if values["known"] == 1.0 and not places[id(fact)]:
                # The lines use another name for it, so its place cannot be compared.
                values |= dict.fromkeys(_PLACE_FEATURES, 0.0)
            if fact.weak:
                # A word that is probably not a name cannot be a wrong name.
                values = {name: fact.likely * value for name, value in values.items()}
                values |= {"likely": fact.likely, "absent_verbatim": values["absent"] * verbatim}
        result.append(FactFeatures(fact=fact, kind=kind, values=values))
    return result


class _Company:
    """Computes how much of the rest of a sentence occurs at a unit."""

    def __init__(self, terms: frozenset[str], weights: Mapping[str, float]) -> None:
        self._worth = {term: weights.get(term, 1.0) for term in terms}
        self._total = sum(self._worth.values())
        self._held: dict[tuple[int, int], Mapping[str, float]] = {}

    def at(self, passage: Passage, at: int, fact_terms: frozenset[str]) -> float:
        """Weight share of the other terms of the sentence in a unit and, with less weight, in adjacent units."""
        weight_by_term = self._held.get((id(passage), at))
        if weight_by_term is None:
            inside = self._worth.keys() & passage.units[at].terms
            near = frozenset().union(*(unit.terms for unit in passage.units[max(0, at - 1) : at + 2]))
            weight_by_term = {
                term: weight * (1.0 if term in inside else _ADJACENT_WEIGHT)
                for term, weight in self._worth.items()
                if term in near
            }
            self._held[id(passage), at] = weight_by_term
        total = self._total - sum(self._worth[term] for term in fact_terms & self._worth.keys())
        return (
            sum(weight for term, weight in weight_by_term.items() if term not in fact_terms) / total
            if total > 0
            else 1.0
        )


def _neighbourhood_features(neighbourhood: Neighbourhood, verbatim: float) -> dict[str, float]:
    """Features from the neighbourhood of a fact, damped if its context has little weight."""
    certainty = hinge(neighbourhood.weight, 0.4, 1.5)
    misfit = certainty * (1.0 - neighbourhood.fit)
    rival = certainty * max(0.0, neighbourhood.rival - neighbourhood.fit)
    return {
        "misfit": misfit,
        "misfit_verbatim": verbatim * misfit,
        "rival": hinge(rival, 0.05, 0.5),
        "rival_verbatim": verbatim * hinge(rival, 0.05, 0.5),
        "displaced_verbatim": verbatim
        * certainty
        * hinge(max(0.0, neighbourhood.anywhere - neighbourhood.fit), 0.1, 0.6),
        "apart": neighbourhood.apart,
        "apart_verbatim": verbatim * neighbourhood.apart,
    }


def _number_features(
    fact: Fact,
    windows: Sequence[Window],
    places: Sequence[tuple[Passage, int]],
    others: Sequence[Fact],
    known: KnownTexts,
) -> dict[str, float]:
    inside = _is_inside(fact, windows, places)
    in_passages = inside or bool(places) or any(holds(window.passage.whole, fact) for window in windows)
    partners = [
        other
        for other in others
        if other.kind == "number" and other is not fact and 0 < abs(other.start - fact.start) <= _MAX_DISTANCE
    ]
    together, redated = _compare_dates(fact, partners, windows)
    measures = [passage.units[at].counted.get(fact.value, frozenset()) for passage, at in places]
    is_known = not in_passages and any(holds(text, fact) for text in _known_texts(known))
    return {
        "absent": float(not in_passages and not is_known and not fact.weak),
        "absent_word": float(not in_passages and not is_known and fact.weak),
        "absent_known": float(is_known),
        "outside": float(in_passages and not inside),
        "weak": float(fact.weak),
        "telling": float(len(fact.value.replace(".", "")) >= TELLING_DIGITS),
        "together": float(together),
        "parted": float(bool(partners) and not together),
        "redated": float(redated),
        "measure": float(
            bool(fact.measure and any(measures) and not any({"", fact.measure} & units for units in measures))
        ),
    }


def _compare_dates(fact: Fact, partners: Sequence[Fact], windows: Sequence[Window]) -> tuple[bool, bool]:
    """Whether a partner number is adjacent in the lines too, and whether it has another neighbour of this shape.

    The second is a wrong date: another year of the month, another day. Another month of a year says nothing.
    """
    shape = shape_of(fact)
    redated = False
    for passage in {id(window.passage): window.passage for window in windows}.values():
        for partner in partners:
            for at in passage.where.get(f"#{partner.value}", ())[:_MAX_DATES]:
                adjacent = adjacent_numbers(passage.units[at].text, partner)
                if any(other.value == fact.value for other in adjacent):
                    return True, False
                redated = redated or (shape != MONTH and any(shape_of(other) == shape for other in adjacent))
    return False, redated


def _name_features(
    fact: Fact,
    windows: Sequence[Window],
    passages: Sequence[Passage],
    around: frozenset[str],
    known: KnownTexts,
    places: Sequence[tuple[Passage, int]],
    rarity: Callable[[Sequence[str]], Mapping[str, float]] | None,
) -> dict[str, float]:
    wholes = [passage.whole for passage in passages]
    inside = _is_inside(fact, windows, places)
    share = 0.0 if inside else _missing_share(fact, wholes, rarity)
    in_question = known.question is not None and holds(known.question, fact)
    is_known = in_question or any(holds(text, fact) for text in known.before)
    is_cited = is_known or (share > 0 and any(holds(text, fact) for text in known.cited))
    units = sum(len(passage.units) for passage in passages)
    often = len(places) / max(1.0, min(_FREQUENT, units))
    missing = share if not in_question else 0.0
    is_mostly_missing = missing >= MIN_MISSING_SHARE
    return {
        "absent": missing * (not is_cited) * is_mostly_missing,
        "absent_known": missing * is_cited,
        "partly_absent": missing * (not is_cited) * (not is_mostly_missing),
        "outside": float(not inside and not missing),
        "known": 1.0 if is_known else _PARTLY_KNOWN * _is_partly_known(fact, known),
        "titled": float(bool(_terms_of(fact) & around)),
        "often": min(1.0, often),
    }


def _is_inside(fact: Fact, windows: Sequence[Window], places: Sequence[tuple[Passage, int]]) -> bool:
    """Whether the windows contain a fact: literally, which is cheap to test, or in another form."""
    terms = _terms_of(fact)
    return any(
        passage is window.passage and window.first <= at <= window.last and terms <= passage.units[at].terms
        for passage, at in places
        for window in windows
    ) or any(holds(window.ground, fact) for window in windows)


def _is_partly_known(fact: Fact, known: KnownTexts) -> bool:
    """Whether the question or a preceding piece contains the last word of the name."""
    parts = fact.value.split()
    last = replace(fact, value=parts[-1])
    return len(parts) > 1 and len(last.value) > _MAX_INITIALS and any(holds(text, last) for text in _known_texts(known))


def _known_texts(known: KnownTexts) -> list[Ground]:
    return [*known.before, *((known.question,) if known.question is not None else ())]


MIN_MISSING_SHARE: Final = 0.5
"""Missing share of a name from which it counts as absent."""


def _missing_share(
    fact: Fact, wholes: Sequence[Ground], rarity: Callable[[Sequence[str]], Mapping[str, float]] | None
) -> float:
    """Share of a name that the passages lack, less for words that are frequent in the whole folder."""
    if any(holds(passage, fact) for passage in wholes):
        return 0.0
    parts = fact.value.split()
    missing_words = absent_words(wholes, fact)
    share = max(1, len(missing_words)) / len(parts)
    if rarity is None or not missing_words:
        return share
    stems = [token for word in missing_words for token in tokens(word)[:1]]
    rarities = rarity(stems)
    return share * min(1.0, max((rarities.get(token, 1.0) for token in stems), default=1.0) / RARE)


def _places(fact: Fact, passages: Iterable[Passage]) -> list[tuple[Passage, int]]:
    """Passage and unit index of each unit with a number, or with the most words of a name."""
    places: list[tuple[Passage, int]] = []
    if fact.kind == "number":
        return [(passage, at) for passage in passages for at in passage.where.get(f"#{fact.value}", ())]
    terms = _terms_of(fact)
    max_count = 0
    for passage in passages:
        counts: dict[int, int] = {}
        for term in terms:
            for at in passage.where.get(term, ()):
                counts[at] = counts.get(at, 0) + 1
        for at, count in counts.items():
            if count > max_count:
                max_count, places = count, []
            if count == max_count:
                places.append((passage, at))
    return places


def _terms_of(fact: Fact) -> frozenset[str]:
    if fact.kind == "number":
        return frozenset([f"#{fact.value}"])
    return frozenset(tokens(fact.value)) or frozenset([stem(fact.value)])


def hinge(value: float, low: float, high: float) -> float:
    """Linear from 0 at ``low`` to 1 at ``high``, constant outside."""
    return min(1.0, max(0.0, (value - low) / (high - low)))
