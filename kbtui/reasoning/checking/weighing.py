"""Evidence about a claim beyond shared words: records that confirm or refute it, recomputed numbers, negations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

from kbtui.reasoning.checking import foreign
from kbtui.reasoning.checking.cells import confirmed_labels, is_confirmed_row, is_refuted_by_tables, labels_of
from kbtui.reasoning.checking.contrast import beyond, contradiction, is_role_stated
from kbtui.reasoning.checking.facts import Fact, holds
from kbtui.reasoning.checking.numerals import measure, normal, numbers
from kbtui.reasoning.checking.passages import Passage, Unit, Window
from kbtui.reasoning.checking.polarity import (
    is_negation_mismatch_across_languages,
    names_other_days,
)
from kbtui.reasoning.checking.reckoning import recompute, remove_facts
from kbtui.reasoning.checking.records import tables
from kbtui.reasoning.checking.standing import Claim, KnownTexts
from kbtui.text.dictionary import words_for
from kbtui.text.tokenise import tokens

_RECORD_ODDS: Final = 2.0
"""Log-odds added if a number can be computed from records, or a header states the relation."""

_MIN_OVERLAP: Final = 0.8
"""Share of the words of a claim in a line that differs from it by one word."""

_MAX_WORDS: Final = 9
"""Most words of a claim that one exchanged word makes another claim."""

_MAX_RELATION_WORDS: Final = 3
"""Most words of a relation claim besides its labels."""

_MARGIN: Final = 0.4
"""Margin in that share over every line with the original word."""

_MIN_LETTERS: Final = 3
_NUMBERS_BONUS: Final = 0.15
"""Share added across languages if all numbers occur."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence about a claim beyond shared words.

    Attributes:
        claim: The claim without its settled facts; None if no fact is settled.
        is_refuted: The lines contradict the claim.
        by_words: They do so by their words alone (an opposite, another order, another word in its place), which a free
            wording may look like.
        is_certain: A record confirms all of the claim.
        odds: Log-odds in its favour.
        cross_language_share: Share of the claim in lines of another language, 0 to 1; None for its own language.
        beyond: The part of the claim that needs words of its own in the lines and has none there (`contrast.beyond`).
    """

    claim: Claim | None = None
    is_refuted: bool = False
    by_words: bool = False
    is_certain: bool = False
    odds: float = 0.0
    cross_language_share: float | None = None
    beyond: str = ""


NO_EVIDENCE: Final = Evidence()


def collect_evidence(claim: Claim, windows: Sequence[Window], known: KnownTexts) -> Evidence:
    """Collect the evidence about a claim from the passages of its windows."""
    cited = list({id(window.passage): window.passage for window in windows}.values())
    shown = list({id(passage): passage for passage in (*cited, *known.shown)}.values())
    recomputed = recompute(claim, cited)
    is_cross_language = claim.chinese != windows[0].passage.chinese
    related_labels = confirmed_labels(claim, cited)
    related_numbers = {number for _, number in related_labels}
    # A claim that is only a relation is settled by the header, whatever else the lines contain.
    is_relation = (
        bool(related_labels)
        and len({term for term in claim.terms if not term.endswith(tuple(map(str, related_numbers)))})
        <= _MAX_RELATION_WORDS
    )
    is_refuted = not is_relation and (bool(recomputed.wrong) or is_refuted_by_tables(claim, cited, shown))
    by_words = False
    if not is_refuted and not is_relation:
        by_words = (
            is_negation_mismatch_across_languages(claim.text, "\n".join(window.text for window in windows))
            if is_cross_language
            else (not recomputed.right and bool(contradiction(claim, cited))) or _is_exchanged(claim, windows)
        )
        is_refuted = (
            _is_refuted_across_languages(claim, windows, known)
            if is_cross_language
            else any(_is_renamed(fact, cited) for fact in claim.facts if fact.kind == "name")
            or names_other_days(claim.text, [window.text for window in windows])
        )
    by_words, is_refuted = by_words and not is_refuted, is_refuted or by_words
    settled_facts = [
        *recomputed.right,
        *(fact for fact in claim.facts if related_labels.intersection(labels_of(fact.text))),
    ]
    known_facts = [*settled_facts, *_document_numbers(claim, cited)]
    return Evidence(
        claim=remove_facts(claim, known_facts) if known_facts else None,
        is_refuted=is_refuted,
        by_words=by_words,
        is_certain=is_relation or (not is_refuted and is_confirmed_row(claim, cited)),
        odds=_RECORD_ODDS
        if not is_refuted
        and ((settled_facts and any(tables(passage.excerpt.text) for passage in cited)) or is_role_stated(claim, cited))
        else 0.0,
        cross_language_share=_cross_language_share(claim, windows) if is_cross_language else None,
        beyond="" if is_cross_language or is_relation else beyond(claim, cited),
    )


def _document_numbers(claim: Claim, cited: Sequence[Passage]) -> list[Fact]:
    """The numbers in the names of all cited documents: a claim about PEP 572 may cite ``pep-0572.rst``."""
    document_labels = [set(labels_of(PurePosixPath(passage.label).stem)) for passage in cited]
    document_numbers = {
        number
        for series, number in labels_of(normal(claim.text))
        if series and all({(series, number), ("", number)} & labels for labels in document_labels)
    }
    return [fact for fact in claim.facts if fact.kind == "number" and fact.value in map(str, document_numbers)]


def not_entailed(claim: Claim, windows: Sequence[Window]) -> list[str]:
    """The parts of a claim that forbid citing lines it does not cite: percentages that measure something else there.

    A claim that shares only numbers with the lines is returned whole: “22 %” is not supported by the 22nd of August.
    """
    units = [unit for window in windows for unit in window.passage.units[window.first : window.last + 1]]
    not_entailed = []
    for fact in claim.facts:
        measures = frozenset().union(*(unit.counted.get(fact.value, frozenset()) for unit in units))
        if fact.measure == "percent" and measures and fact.measure not in measures:
            not_entailed.append(fact.text)
    unit_terms = frozenset().union(*(unit.terms for unit in units))
    return not_entailed if any(term[0] != "#" for term in claim.terms & unit_terms) else [*not_entailed, claim.text]


# Across languages -----------------------------------------------------------------------------------------------------


def _cross_language_share(claim: Claim, windows: Sequence[Window]) -> float:
    text = "\n".join(window.text for window in windows)
    claim_numbers = {fact.value for fact in claim.facts if fact.kind == "number"}
    bonus = (
        _NUMBERS_BONUS if claim_numbers and claim_numbers <= {number.value for number in numbers(normal(text))} else 0.0
    )
    return min(1.0, foreign.share(claim.text, text, is_chinese=claim.chinese) + bonus)


def _is_refuted_across_languages(claim: Claim, windows: Sequence[Window], known: KnownTexts) -> bool:
    """Whether lines in another language contradict a claim by a number, a day or a missing person."""
    text = "\n".join(window.text for window in windows)
    line_counts = _counts(text)
    measures = {unit for _, unit in line_counts if unit}
    if any(unit in measures and (value, unit) not in line_counts for value, unit in _counts(claim.text)):
        return True
    if names_other_days(claim.text, [text]):
        return True
    people = [
        fact
        for fact in claim.facts
        if fact.kind == "name"
        and len(fact.value.split()) == _NAME_WORDS
        and not (known.question and holds(known.question, fact))
    ]
    return not claim.chinese and any(
        not any(holds(window.passage.whole, fact) for window in windows)
        and foreign.share(fact.text, windows[0].passage.excerpt.text, is_chinese=False) == 0.0
        for fact in people
    )


_NAME_WORDS: Final = 2


def _counts(text: str) -> set[tuple[str, str]]:
    plain = normal(text)
    return {(number.value, measure(plain, number.start, number.end)) for number in numbers(plain)}


# One word for another -------------------------------------------------------------------------------------------------


def _is_renamed(fact: Fact, cited: Sequence[Passage]) -> bool:
    """Whether the lines have this last name only with other first names."""
    parts = fact.text.split()
    if len(parts) != _NAME_WORDS or any(holds(passage.whole, fact) for passage in cited):
        return False
    first, last = parts
    # If the last word is a common noun (dam, prefecture), another first word is another thing.
    if words_for(last):
        return False
    first_names = [
        match[1]
        for passage in cited
        for match in re.finditer(rf"\b([A-Z][\w'’-]+\.?) {re.escape(last)}\b", passage.excerpt.text)
    ]
    return bool(first_names) and not any(
        first_name[0] == first[0] and (len(first_name.rstrip(".")) == 1 or len(first.rstrip(".")) == 1)
        for first_name in first_names
    )


def _is_exchanged(claim: Claim, windows: Sequence[Window]) -> bool:
    """Whether a line says the same of another thing of its type (*a hard restart*), and the lines mention both."""
    if len(claim.terms) > _MAX_WORDS:
        return False
    # Names are compared one by one (`standing`).
    name_tokens = {
        token for fact in claim.facts if fact.kind == "name" and not fact.weak for token in tokens(fact.value)
    }
    for passage in {id(window.passage): window.passage for window in windows}.values():
        pairs = [(unit, set(pairwise(unit.order))) for unit in passage.units]
        for pair in pairwise(claim.order):
            if name_tokens.intersection(pair) or any(len(word) < _MIN_LETTERS or not word.isalpha() for word in pair):
                continue
            units_with_pair = [unit for unit, unit_pairs in pairs if pair in unit_pairs]
            if units_with_pair and any(
                _fits_better(claim, unit, units_with_pair, pair)
                for unit in _units_with_other_first_word(pair, pairs, claim)
            ):
                return True
    return False


def _units_with_other_first_word(
    pair: tuple[str, str], pairs: Sequence[tuple[Unit, set[tuple[str, str]]]], claim: Claim
) -> Iterator[Unit]:
    """Units with the second word of a pair after another first word, which the claim does not have."""
    for unit, unit_pairs in pairs:
        if pair[0] not in unit.terms and any(
            right == pair[1] and left.isalpha() and len(left) >= _MIN_LETTERS and left not in claim.terms
            for left, right in unit_pairs
        ):
            yield unit


def _fits_better(claim: Claim, unit: Unit, units_with_pair: Sequence[Unit], pair: tuple[str, str]) -> bool:
    """Whether a unit covers the rest of the claim better than every unit with the pair does."""
    rest = claim.terms - {pair[0]}
    if not rest:
        return False
    share = len(rest & unit.terms) / len(rest)
    return share >= _MIN_OVERLAP and all(
        share >= len(rest & other.terms) / len(rest) + _MARGIN for other in units_with_pair
    )
