"""Whether a sentence is close to the words of what it rests on, so that it adds little of its own.

Asked of models that are known to invent (`trust`).
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
_MAX_FIRM: Final = 2


def is_close(support: Support, question: str, *, is_item: bool) -> bool:
    """Whether a supported sentence is so close to the words of its lines, or the cells of its rows, as to add little.

    Args:
        support: What it rests on.
        question: What was asked; its words add nothing.
        is_item: The sentence is an item or a row: a list copies more often than it adds.
    """
    if not support.values:
        return _is_read_off(support)
    weights, values = figures()["lines"], features(support, question, is_item)
    return bool(weights["intercept"] + sum(weights[name] * value for name, value in values.items()) < 0)


def features(support: Support, question: str, is_item: bool) -> dict[str, float]:
    """The features of the distance of a sentence from its lines, each 0 to 1."""
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
        "firm": min(len(_firm(claim.text) - _firm(best)), _MAX_FIRM) / _MAX_FIRM,
        "one_line": len(shared) / max(1, len(own)),
        "of_line": len(shared) / max(1, len(names_of(best))),
        "number": float(bool(numbers - {number.value for number in numbers_in(normal(best))})),
        "item": float(is_item),
    }


def _firm(text: str) -> set[str]:
    """The words of a text that turn or bound what it says."""
    return {match[0].lower() for match in _RE.firm.finditer(text)}


def _is_read_off(support: Support) -> bool:
    """Whether a sentence about rows gives their figures as they are, and draws nothing from them."""
    stated = Sentence(normal(support.claim.marked)).figures
    if not stated or _RE.drawn.search(support.claim.text):
        return False
    cells = [float(span.value) for passage in _passages(support) for span in read_numbers(normal(passage.excerpt.text))]
    return all(
        figure.kind in ("amount", "share") and not figure.bound and any(map(figure.fits, cells)) for figure in stated
    )


def _passages(support: Support) -> list[Passage]:
    return list({id(window.passage): window.passage for window in support.windows}.values())
