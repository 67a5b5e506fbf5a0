"""What lines say of a statement beyond their words: records that refute or show it, numbers worked out of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

from kbtui.reasoning.checking import foreign
from kbtui.reasoning.checking.cells import borne, confirmed, labels_of, refuted
from kbtui.reasoning.checking.facts import Fact, holds
from kbtui.reasoning.checking.numerals import measure, normal, numbers
from kbtui.reasoning.checking.passages import Passage, Unit, Window
from kbtui.reasoning.checking.polarity import other_days, turned, turned_abroad
from kbtui.reasoning.checking.reckoning import reckoned, without
from kbtui.reasoning.checking.records import tables
from kbtui.reasoning.checking.standing import Claim, Known
from kbtui.text.dictionary import words_for
from kbtui.text.tokenise import tokens

_SHOWN: Final = 2.0
"""Log-odds for lines that give a number of the statement though no line holds it, or say its relation in a field."""

_ALIKE: Final = 0.8
"""Share of the words of a statement that a line has which differs from it in one word."""

_SHORT: Final = 9
"""Words up to which one other word makes another statement."""

_WORDS: Final = 3
"""Words beside the things of a relation, for the relation and what the things are."""

_MORE: Final = 0.4
"""How much more of it that line has than any that has the word itself."""

_LONG: Final = 3
_NUMBERED: Final = 0.15
"""What it adds across languages that all numbers are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What is known of a statement.

    Attributes:
        claim: It without the numbers that were worked out, where there are any.
        refuted: The lines say something else in the place of what it says.
        sure: A record says all of it.
        odds: What speaks for it, in log-odds.
        abroad: Share of it that lines in another language say, 0 to 1; None where they are in its own.
    """

    claim: Claim | None = None
    refuted: bool = False
    sure: bool = False
    odds: float = 0.0
    abroad: float | None = None


UNWEIGHED: Final = Weighed()


def weighed(claim: Claim, windows: Sequence[Window], known: Known) -> Weighed:
    """What the passages of some lines say of a statement."""
    cited = list({id(one.passage): one.passage for one in windows}.values())
    shown = list({id(one): one for one in (*cited, *known.shown)}.values())
    worked_out = reckoned(claim, cited)
    is_abroad = claim.chinese != windows[0].passage.chinese
    related = confirmed(claim, cited)
    numbered = {number for _, number in related}
    # A statement that is a relation and nothing more is what the header says, whatever else stands there.
    is_relation = (
        bool(related) and len({term for term in claim.terms if not term.endswith(tuple(map(str, numbered)))}) <= _WORDS
    )
    is_refuted = not is_relation and (bool(worked_out.wrong) or refuted(claim, cited, shown))
    if not is_refuted and not is_relation:
        is_refuted = (
            _is_wrong_abroad(claim, windows, known)
            if is_abroad
            else _is_exchanged(claim, windows)
            or any(_is_renamed(fact, cited) for fact in claim.facts if fact.kind == "name")
            or (not worked_out.right and turned(claim.text, [unit.text for one in cited for unit in one.units]))
            or other_days(claim.text, [one.text for one in windows])
        )
    settled = [*worked_out.right, *(fact for fact in claim.facts if related.intersection(labels_of(fact.text)))]
    known_by = [*settled, *_called(claim, cited)]
    return Weighed(
        claim=without(claim, known_by) if known_by else None,
        refuted=is_refuted,
        sure=is_relation or (not is_refuted and borne(claim, cited)),
        odds=_SHOWN if settled and not is_refuted and any(tables(one.excerpt.text) for one in cited) else 0.0,
        abroad=_abroad(claim, windows) if is_abroad else None,
    )


def _called(claim: Claim, cited: Sequence[Passage]) -> list[Fact]:
    """The numbers by which the documents of all lines are called: PEP 572 is what ``pep-0572.rst`` is about."""
    called = [set(labels_of(PurePosixPath(one.label).stem)) for one in cited]
    own = {
        number
        for series, number in labels_of(normal(claim.text))
        if series and all((series, number) in x for x in called)
    }
    return [fact for fact in claim.facts if fact.kind == "number" and fact.value in map(str, own)]


# Across languages -----------------------------------------------------------------------------------------------------


def _abroad(claim: Claim, windows: Sequence[Window]) -> float:
    text = "\n".join(one.text for one in windows)
    own = {fact.value for fact in claim.facts if fact.kind == "number"}
    added = _NUMBERED if own and own <= {number.value for number in numbers(normal(text))} else 0.0
    return min(1.0, foreign.share(claim.text, text, is_chinese=claim.chinese) + added)


def _is_wrong_abroad(claim: Claim, windows: Sequence[Window], known: Known) -> bool:
    """A number that counts something of which the lines have another number, another day, a denial, another person."""
    text = "\n".join(one.text for one in windows)
    counted = _counts(text)
    measures = {unit for _, unit in counted if unit}
    if any(unit in measures and (value, unit) not in counted for value, unit in _counts(claim.text)):
        return True
    if other_days(claim.text, [text]) or turned_abroad(claim.text, text):
        return True
    people = [
        fact
        for fact in claim.facts
        if fact.kind == "name"
        and len(fact.value.split()) == _NAMES
        and not (known.question and holds(known.question, fact))
    ]
    return not claim.chinese and any(
        not any(holds(one.passage.whole, fact) for one in windows)
        and foreign.share(fact.text, windows[0].passage.excerpt.text, is_chinese=False) == 0.0
        for fact in people
    )


_NAMES: Final = 2


def _counts(text: str) -> set[tuple[str, str]]:
    plain = normal(text)
    return {(number.value, measure(plain, number.start, number.end)) for number in numbers(plain)}


# One word for another -------------------------------------------------------------------------------------------------


def _is_renamed(fact: Fact, cited: Sequence[Passage]) -> bool:
    """A person of the lines with another first name."""
    parts = fact.text.split()
    if len(parts) != _NAMES or any(holds(one.whole, fact) for one in cited):
        return False
    first, last = parts
    # A prefecture or a dam of another name is another thing.
    if words_for(last):
        return False
    others = [
        match[1]
        for one in cited
        for match in re.finditer(rf"\b([A-Z][\w'’-]+\.?) {re.escape(last)}\b", one.excerpt.text)
    ]
    return bool(others) and not any(
        other[0] == first[0] and (len(other.rstrip(".")) == 1 or len(first.rstrip(".")) == 1) for other in others
    )


def _is_exchanged(claim: Claim, windows: Sequence[Window]) -> bool:
    """A line says the same of another thing of its kind (a hard restart), and the lines know both."""
    if len(claim.terms) > _SHORT:
        return False
    # Names are compared each by itself (`standing`).
    named = {token for fact in claim.facts if fact.kind == "name" and not fact.weak for token in tokens(fact.value)}
    for one in {id(window.passage): window.passage for window in windows}.values():
        pairs = [(unit, set(pairwise(unit.order))) for unit in one.units]
        for pair in pairwise(claim.order):
            if named.intersection(pair) or any(len(word) < _LONG or not word.isalpha() for word in pair):
                continue
            own = [unit for unit, there in pairs if pair in there]
            if own and any(_fits_better(claim, unit, own, pair) for unit in _with_other(pair, pairs, claim)):
                return True
    return False


def _with_other(
    pair: tuple[str, str], pairs: Sequence[tuple[Unit, set[tuple[str, str]]]], claim: Claim
) -> Iterator[Unit]:
    """Units that have the second word of a pair behind another first word, which the claim lacks."""
    for unit, there in pairs:
        if pair[0] not in unit.terms and any(
            right == pair[1] and left.isalpha() and len(left) >= _LONG and left not in claim.terms
            for left, right in there
        ):
            yield unit


def _fits_better(claim: Claim, unit: Unit, own: Sequence[Unit], pair: tuple[str, str]) -> bool:
    rest = claim.terms - {pair[0]}
    if not rest:
        return False
    best = len(rest & unit.terms) / len(rest)
    return best >= _ALIKE and all(best >= len(rest & other.terms) / len(rest) + _MORE for other in own)
