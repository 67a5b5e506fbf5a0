"""How each number and name of a sentence stands in the lines: is it there, in whose company, and who else would fit.

One record a fact. Which of them is wrong is decided for each by itself (`support`), not for the sentence as a whole: a
sentence in quite other words than the lines keeps its names, and a copied one with one name exchanged does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kbtui.reasoning.checking.facts import Fact, Ground, absent_words, holds
from kbtui.reasoning.checking.neighbours import Neighbourhood, beside_it, neighbourhoods, shape_of
from kbtui.reasoning.checking.numerals import MONTH
from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.text.tokenise import stem, tokens

TELLING_DIGITS: Final = 4
"""Digits from which a number is hardly there by chance."""

RARE: Final = 0.5
"""Rarity from which a name is not what the whole folder is about: some words of every twentieth passage are."""

_NEXT: Final = 0.6
"""What a word is worth that stands in the line before or after."""

_STYLE: Final = 0.3
_OF_STYLE: Final = (
    "company_far", "better_company", "misfit", "misfit_verbatim", "displaced_verbatim", "apart",
    "apart_verbatim",
)  # fmt: skip
"""What says little against a number in words, and how little."""

_OF_PLACE: Final = (*_OF_STYLE, "outside")
"""What is said of the place of a fact."""

_BESIDE: Final = 12
"""Characters up to which two numbers are of one date or score."""

_MOST_PLACES: Final = 3
_MOST_DATES: Final = 8
_INITIALS: Final = 2
"""Letters up to which a word of a name may be initials, which are of many."""
_PARTLY_KNOWN: Final = 0.7
"""What it is worth that a part of a name was said before: who was “Ana Sousa” is “Sousa” from then on."""
_OFTEN: Final = 6.0


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
        columns: Of a row, the cells of the row that heads its table.
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
        """Whose coefficients count."""
        return "han" if self.chinese else "latin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What may be named in an answer though the lines of a sentence do not name it.

    Attributes:
        question: The question: whoever answers it takes its names up.
        before: What the answer says before the sentence: a name of it may stand here where the lines say “he”.
        cited: The other passages that the answer cites: a name of theirs is no invention, but may be in a wrong place.
        shown: All passages that the model was given: what a value of theirs is said of shows where it is a wrong one.
        values: Stems of values of the data that are asked.
    """

    question: Ground | None = None
    before: tuple[Ground, ...] = ()
    cited: tuple[Ground, ...] = ()
    shown: tuple[Passage, ...] = ()
    values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One fact and its features, each 0 to 1.

    Attributes:
        fact: A number or a name.
        kind: What a fact is, as `support.toml` has it: ``first`` is a word that begins a sentence and may be a name.
        values: By name, those of its kind.
    """

    fact: Fact
    kind: str
    values: Mapping[str, float] = field(default_factory=dict)


def standings(
    claim: Claim,
    windows: Sequence[Window],
    weights: Mapping[str, float],
    known: Known,
    verbatim: float,
    rarity: Callable[[Sequence[str]], Mapping[str, float]] | None = None,
) -> list[Standing]:
    """How the numbers and names of a sentence stand.

    Args:
        claim: The sentence.
        windows: The lines it rests on.
        weights: What each of its terms is worth.
        known: What may be named though the lines do not.
        verbatim: How nearly the sentence is one of the lines, 0 to 1.
        rarity: How rare words are in the folder.
    """
    looked_at = [fact for fact in claim.facts if fact.kind in ("number", "name")]
    if not looked_at:
        return []
    passages = list({id(one.passage): one.passage for one in windows}.values())
    around = frozenset().union(*(one.around_terms for one in passages))
    chosen = {(id(one.passage), at): one.passage.units[at] for one in windows for at in range(one.first, one.last + 1)}
    places = {id(fact): _places(fact, passages) for fact in looked_at}
    company = _Company(claim.terms, weights)
    near: dict[int, list[float]] = {}
    for fact in looked_at:
        own = _terms_of(fact)
        ranked = sorted(((company.at(one, at, own), one, at) for one, at in places[id(fact)]), key=lambda one: -one[0])
        near[id(fact)] = [share for share, _, _ in ranked]
        for _, one, at in ranked[:_MOST_PLACES]:
            chosen.setdefault((id(one), at), one.units[at])
    fits = neighbourhoods(claim.marked, [unit.text for unit in chosen.values()], around, weights)
    result = []
    for fact in looked_at:
        own = _terms_of(fact)
        where = {(id(one), at) for one, at in places[id(fact)]}
        best = max(near[id(fact)], default=0.0)
        rivals = max(
            (
                company.at(one.passage, at, own)
                for one in windows
                for at in range(one.first, one.last + 1)
                if not where & {(id(one.passage), beside) for beside in (at - 1, at, at + 1)}
            ),
            default=0.0,
        )
        shared = {
            "company": best,
            "company_far": 1.0 - hinge(best, 0.0, 0.15),
            "better_company": max(0.0, rivals - best),
            "verbatim": verbatim,
            **_placed(fits.get(fact.start, Neighbourhood()), verbatim),
        }
        if fact.kind == "number":
            kind, values = "number", shared | _of_number(fact, windows, places[id(fact)], looked_at, known)
            if fact.weak:
                # “The two fields” counts what nobody has counted: what else stands in its place decides.
                values |= {name: _STYLE * values[name] for name in _OF_STYLE}
        else:
            kind = "first" if fact.weak else "name"
            values = shared | _of_name(fact, windows, passages, around, known, places[id(fact)], rarity)
            if values["known"] == 1.0 and not places[id(fact)]:
                # The lines call it something else, so that nothing can be said of where it stands.
                values |= dict.fromkeys(_OF_PLACE, 0.0)
            if fact.weak:
                # What is probably no name at all cannot be a wrong one.
                values = {name: fact.likely * value for name, value in values.items()}
                values |= {"likely": fact.likely, "absent_verbatim": values["absent"] * verbatim}
        result.append(Standing(fact=fact, kind=kind, values=values))
    return result


class _Company:
    """What else of a sentence stands where."""

    def __init__(self, terms: frozenset[str], weights: Mapping[str, float]) -> None:
        self._worth = {term: weights.get(term, 1.0) for term in terms}
        self._total = sum(self._worth.values())
        self._held: dict[tuple[int, int], Mapping[str, float]] = {}

    def at(self, one: Passage, at: int, own: frozenset[str]) -> float:
        """Share of what the sentence says beside a fact that stands at a unit and, worth less, right around it."""
        held = self._held.get((id(one), at))
        if held is None:
            inside = self._worth.keys() & one.units[at].terms
            near = frozenset().union(*(unit.terms for unit in one.units[max(0, at - 1) : at + 2]))
            held = {
                term: weight * (1.0 if term in inside else _NEXT)
                for term, weight in self._worth.items()
                if term in near
            }
            self._held[id(one), at] = held
        total = self._total - sum(self._worth[term] for term in own & self._worth.keys())
        return sum(weight for term, weight in held.items() if term not in own) / total if total > 0 else 1.0


def _placed(one: Neighbourhood, verbatim: float) -> dict[str, float]:
    """What stands around a fact; where little is said around it, that says little."""
    sure = hinge(one.told, 0.4, 1.5)
    misfit = sure * (1.0 - one.fit)
    rival = sure * max(0.0, one.rival - one.fit)
    return {
        "misfit": misfit,
        "misfit_verbatim": verbatim * misfit,
        "rival": hinge(rival, 0.05, 0.5),
        "rival_verbatim": verbatim * hinge(rival, 0.05, 0.5),
        "displaced_verbatim": verbatim * sure * hinge(max(0.0, one.anywhere - one.fit), 0.1, 0.6),
        "apart": one.apart,
        "apart_verbatim": verbatim * one.apart,
    }


def _of_number(
    fact: Fact,
    windows: Sequence[Window],
    places: Sequence[tuple[Passage, int]],
    others: Sequence[Fact],
    known: Known,
) -> dict[str, float]:
    inside = _is_inside(fact, windows, places)
    whole = inside or bool(places) or any(holds(one.passage.whole, fact) for one in windows)
    partners = [
        other
        for other in others
        if other.kind == "number" and other is not fact and 0 < abs(other.start - fact.start) <= _BESIDE
    ]
    together, redated = _dated(fact, partners, windows)
    counted = [one.units[at].counted.get(fact.value, frozenset()) for one, at in places]
    said = not whole and any(holds(one, fact) for one in _said(known))
    return {
        "absent": float(not whole and not said and not fact.weak),
        "absent_word": float(not whole and not said and fact.weak),
        "absent_known": float(said),
        "outside": float(whole and not inside),
        "weak": float(fact.weak),
        "telling": float(len(fact.value.replace(".", "")) >= TELLING_DIGITS),
        "together": float(together),
        "parted": float(bool(partners) and not together),
        "redated": float(redated),
        "measure": float(bool(fact.measure and any(counted) and not any({"", fact.measure} & one for one in counted))),
    }


def _dated(fact: Fact, partners: Sequence[Fact], windows: Sequence[Window]) -> tuple[bool, bool]:
    """Whether a number right beside it stands beside it there too; and whether one stands there beside another of its
    shape instead: another year of the month, another day. Another month of a year says nothing, for it has twelve."""
    shape = shape_of(fact)
    redated = False
    for one in {id(window.passage): window.passage for window in windows}.values():
        for partner in partners:
            for at in one.where.get(f"#{partner.value}", ())[:_MOST_DATES]:
                beside = beside_it(one.units[at].text, partner)
                if any(other.value == fact.value for other in beside):
                    return True, False
                redated = redated or (shape != MONTH and any(shape_of(other) == shape for other in beside))
    return False, redated


def _of_name(
    fact: Fact,
    windows: Sequence[Window],
    passages: Sequence[Passage],
    around: frozenset[str],
    known: Known,
    places: Sequence[tuple[Passage, int]],
    rarity: Callable[[Sequence[str]], Mapping[str, float]] | None,
) -> dict[str, float]:
    wholes = [one.whole for one in passages]
    inside = _is_inside(fact, windows, places)
    share = 0.0 if inside else _absent(fact, wholes, rarity)
    taken_up = known.question is not None and holds(known.question, fact)
    said = taken_up or any(holds(one, fact) for one in known.before)
    named = said or (share > 0 and any(holds(one, fact) for one in known.cited))
    units = sum(len(one.units) for one in passages)
    often = len(places) / max(1.0, min(_OFTEN, units))
    missing = share if not taken_up else 0.0
    whole = missing >= UNNAMED
    return {
        "absent": missing * (not named) * whole,
        "absent_known": missing * named,
        "partly_absent": missing * (not named) * (not whole),
        "outside": float(not inside and not missing),
        "known": 1.0 if said else _PARTLY_KNOWN * _is_partly_known(fact, known),
        "titled": float(bool(_terms_of(fact) & around)),
        "often": min(1.0, often),
    }


def _is_inside(fact: Fact, windows: Sequence[Window], places: Sequence[tuple[Passage, int]]) -> bool:
    """The lines hold it: word for word, which is cheap to tell, or in another form."""
    wanted = _terms_of(fact)
    return any(
        one is window.passage and window.first <= at <= window.last and wanted <= one.units[at].terms
        for one, at in places
        for window in windows
    ) or any(holds(window.ground, fact) for window in windows)


def _is_partly_known(fact: Fact, known: Known) -> bool:
    """The question or what was said before has the last word of the name."""
    parts = fact.value.split()
    last = replace(fact, value=parts[-1])
    return len(parts) > 1 and len(last.value) > _INITIALS and any(holds(one, last) for one in _said(known))


def _said(known: Known) -> list[Ground]:
    return [*known.before, *((known.question,) if known.question is not None else ())]


UNNAMED: Final = 0.5
"""How much of a rare name may be nowhere."""


def _absent(
    fact: Fact, wholes: Sequence[Ground], rarity: Callable[[Sequence[str]], Mapping[str, float]] | None
) -> float:
    """How much of a name is nowhere; what the whole folder is about is said of everything in it."""
    if any(holds(one, fact) for one in wholes):
        return 0.0
    parts = fact.value.split()
    absent = absent_words(wholes, fact)
    share = max(1, len(absent)) / len(parts)
    if rarity is None or not absent:
        return share
    stems = [token for word in absent for token in tokens(word)[:1]]
    rare = rarity(stems)
    return share * min(1.0, max((rare.get(token, 1.0) for token in stems), default=1.0) / RARE)


def _places(fact: Fact, passages: Iterable[Passage]) -> list[tuple[Passage, int]]:
    """The units that hold a number, or most of a name."""
    found: list[tuple[Passage, int]] = []
    if fact.kind == "number":
        return [(one, at) for one in passages for at in one.where.get(f"#{fact.value}", ())]
    wanted = _terms_of(fact)
    most = 0
    for one in passages:
        counts: dict[int, int] = {}
        for term in wanted:
            for at in one.where.get(term, ()):
                counts[at] = counts.get(at, 0) + 1
        for at, count in counts.items():
            if count > most:
                most, found = count, []
            if count == most:
                found.append((one, at))
    return found


def _terms_of(fact: Fact) -> frozenset[str]:
    if fact.kind == "number":
        return frozenset([f"#{fact.value}"])
    return frozenset(tokens(fact.value)) or frozenset([stem(fact.value)])


def hinge(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on."""
    return min(1.0, max(0.0, (value - low) / (high - low)))
