"""How far a sentence is from the words of what it rests on, in log-odds that it says something else.

What a model adds to lines is built of their own words more often than not, so that this alone proves little; `trust`
adds what is known of the model.
"""

from __future__ import annotations

from typing import Final

from kbtui.reasoning.checking.numerals import normal
from kbtui.reasoning.checking.numerals import numbers as numbers_in
from kbtui.reasoning.checking.passages import Passage
from kbtui.reasoning.checking.row_sentences import Sentence
from kbtui.reasoning.checking.statements import names_of
from kbtui.reasoning.checking.support import Support
from kbtui.reasoning.checking.trust import figures
from kbtui.text.numbers import read_numbers
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "trust.toml")
_MAX_NEW: Final = 3
_MAX_TURNS: Final = 2


def distance(support: Support, question: str, *, is_item: bool) -> float:
    """Log-odds that a supported sentence says something else than its lines, or its rows.

    Args:
        support: What it rests on.
        question: What was asked; its words and numbers add nothing.
        is_item: The sentence is an item or a row: a list copies more often than it adds.
    """
    weights = figures()["lines" if support.values else "rows"]
    values = features(support, question, is_item)
    return float(weights["intercept"] + sum(weights[name] * value for name, value in values.items()))


def features(support: Support, question: str, is_item: bool) -> dict[str, float]:
    """The features of the distance of a sentence from its lines or rows, each 0 to 1."""
    return _of_lines(support, question, is_item) if support.values else _of_rows(support, question)


def _of_lines(support: Support, question: str, is_item: bool) -> dict[str, float]:
    if (translated := support.evidence.cross_language_share) is not None:
        # Lines in another language: what the dictionary finds is what their words are.
        of_words = {"one_line": translated, "of_line": translated}
        return {**dict.fromkeys(("new", "firm", "dropped", "number"), 0.0), **of_words, "item": float(is_item)}
    claim = support.claim
    own = names_of(claim.text)
    texts = [unit.text for window in support.windows for unit in window.passage.units[window.first : window.last + 1]]
    best = max(texts, key=lambda text: len(own & names_of(text)), default="")
    known = names_of(question).union(*map(names_of, texts))
    for passage in _passages(support):
        known |= names_of(passage.excerpt.text) | names_of(passage.around)
    shared = own & names_of(best)
    numbers = {number.value for number in numbers_in(normal(claim.text))}
    return {
        "new": min(len(own - known), _MAX_NEW) / _MAX_NEW,
        "firm": min(len(_turns(claim.text) - _turns(best)), _MAX_TURNS) / _MAX_TURNS,
        "one_line": len(shared) / max(1, len(own)),
        "of_line": len(shared) / max(1, len(names_of(best))),
        "dropped": min(len(_limits(best) - _limits(claim.text)), _MAX_TURNS) / _MAX_TURNS,
        "number": float(bool(numbers - {number.value for number in numbers_in(normal(best))})),
        "item": float(is_item),
    }


def _of_rows(support: Support, question: str) -> dict[str, float]:
    text = normal(support.claim.marked)
    known = names_of(question)
    values = {abs(float(span.value)) for span in read_numbers(normal(question))}
    for passage in _passages(support):
        known |= names_of(passage.excerpt.text)
        values |= {abs(float(span.value)) for span in read_numbers(normal(passage.excerpt.text))}
    stated = Sentence(text).figures
    asked = {match[0].lower() for match in _RE.drawn.finditer(question)}
    drawn = {match[0].lower() for match in _RE.drawn.finditer(support.claim.text)} - asked
    return {
        "new": min(len(names_of(support.claim.text) - known), _MAX_NEW) / _MAX_NEW,
        "drawn": min(len(drawn), _MAX_TURNS) / _MAX_TURNS,
        "read_off": sum(any(map(figure.fits, values)) for figure in stated) / max(1, len(stated)),
        "bound": float(any(figure.kind != "amount" or figure.bound not in ("", "about") for figure in stated)),
    }


def _turns(text: str) -> set[str]:
    """The words of a text that turn or bound what it says."""
    return {match[0].lower() for match in _RE.firm.finditer(text)}


def _limits(text: str) -> set[str]:
    """The words of a text that limit what it says."""
    return {match[0].lower() for match in _RE.limit.finditer(text)}


def _passages(support: Support) -> list[Passage]:
    return list({id(window.passage): window.passage for window in support.windows}.values())
