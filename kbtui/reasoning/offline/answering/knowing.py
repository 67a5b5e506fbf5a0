"""Whether what was chosen answers a question at all: answered, near but not stated, or not found.

Whether the folder is about what is asked is for `subject` to say. Whether it is stated there, a logistic model says by
what can be seen of the question and of what was chosen for it; its weights and threshold stand in ``weights.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from kbtui.question.normalise import has_han
from kbtui.question.terms import Rarity, Term, question_terms
from kbtui.reasoning.offline.answering.candidates import Candidate, Found, own_names
from kbtui.reasoning.offline.answering.features import ROOT, Asked
from kbtui.reasoning.offline.answering.scorer import Scored, weights
from kbtui.reasoning.offline.answering.slots import Slot, fills, slot_of
from kbtui.reasoning.offline.answering.subject import chance, log_odds
from kbtui.text.tokenise import tokens

Verdict = Literal["answered", "near", "none"]

STATED: Final = ("grade", "near", "unread", "across", "foreign", "unreached", "unmet", "unnamed")
"""Signs that tell whether it is stated there."""

MISSING: Final = ("unmodelled", "unindexed")
"""Signs that others are missing: no model could be loaded, or what answers stands in no index."""

_LOOKED_AT: Final = 12
"""Candidates that may hold what is asked for, the best ones."""

_FIRST: Final = 3
"""Candidates that are to name what is asked about."""

_BEST: Final = 5
"""Candidates whose cosines count."""


def signs(asked: Asked, best: Scored, documents: Sequence[Found], rarity: Rarity | None) -> dict[str, float]:
    """What tells whether the answer is stated, by name.

    ``grade`` (the best of a passage, as log-odds) and ``near`` (the highest nearness of a candidate by the vectors of
    the index) tell of the subject;
    ``unread``, 1 where the English model reads no text; ``across``, the highest cosine across languages, and
    ``foreign``, 1 where there is one; ``unmodelled``, 1 where no model reads anything; ``unindexed``, 1 where the
    text stands in no index (a first look, a web page) and has no nearness. Of a question that asks for a slot:
    ``unreached``, the share of what is asked of the thing that none of the candidates says which fill it. Of others:
    ``unmet``, the same share of the best candidate, and ``unnamed``, the share of the heaviest term that none of the
    `_FIRST` best says, nor its heading, nor the name of its document.

    Args:
        best: The scored candidates, at least one.
        rarity: How rare tokens are in the folder.
    """
    chosen = best.candidates[:_LOOKED_AT]
    # A line of code in a Chinese text is not.
    is_han = any(has_han(one.unit.text) for one in chosen[:_BEST])
    is_unread = is_han or bool(best.features["no_cosine"].any())
    # A few Chinese sentences further down say nothing about English ones.
    is_foreign = (is_han or has_han(asked.part.semantic_intent)) and not best.features["no_across"].any()
    is_indexed = any(item.hit.signals.get("coverage") for document in documents for _, item in document.passages)
    is_unmodelled = is_unread and not is_foreign
    is_unindexed = bool(best.features["no_near"].any()) and not is_indexed and not is_unmodelled
    slot = slot_of(asked.part.semantic_intent)
    terms = _about(question_terms(asked.part, is_han, rarity).terms, slot)
    found = {
        "grade": log_odds(max(document.grade for document in documents)),
        "near": float(best.features["near"].max()),
        "unread": float(is_unread),
        "across": float(best.features["across"][:_BEST].max()) if is_foreign else 0.0,
        "foreign": float(is_foreign),
        "unmodelled": float(is_unmodelled),
        "unindexed": float(is_unindexed),
        "unreached": 0.0,
        "unmet": 0.0,
        "unnamed": 0.0,
    }
    if slot is not None:
        filled = (_reach(terms, one, documents[one.document]) for one in chosen if fills(slot, one.unit.text))
        return found | {"unreached": 1.0 - max(filled, default=0.0)}
    said = _roots(word for one in chosen[:_FIRST] for word in (*_said(one), *own_names(documents[one.document])))
    missing = max((term.weight for term in terms if said.isdisjoint(_roots(term.forms))), default=0.0)
    total = sum(term.weight for term in terms) or 1.0
    met = _reach(terms, chosen[0], documents[chosen[0].document])
    return found | {"unmet": 1.0 - met, "unnamed": missing / total}


def _about(terms: Sequence[Term], slot: Slot | None) -> Sequence[Term]:
    """The terms of a question but for those that only ask for its slot."""
    return [term for term in terms if slot is None or not term.forms <= slot.words] or terms


def _said(one: Candidate) -> tuple[str, ...]:
    """The tokens of a candidate and of its heading."""
    return (*one.tokens, *tokens(one.unit.heading))


def _reach(terms: Sequence[Term], one: Candidate, document: Found) -> float:
    """The share of what is asked of a thing that a candidate says, itself or by its heading.

    The words that its document is named by tell of which thing it is asked. Words of one root say the same: what weighs
    has a weight.
    """
    names = own_names(document)
    asked = [term for term in terms if term.forms.isdisjoint(names)]
    said = _roots(_said(one))
    held = sum(term.weight for term in asked if not said.isdisjoint(_roots(term.forms)))
    return held / sum(term.weight for term in asked) if asked else 1.0


def _roots(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:ROOT] for word in words)


def verdict(found: Mapping[str, float], *, is_about: bool) -> Verdict:
    """What is said of an answer with these `signs`.

    Args:
        is_about: Whether the folder is about what is asked.
    """
    if not is_about:
        return "none"
    return "answered" if chance(weights()["stated"], found) >= weights()["thresholds"]["stated"] else "near"
