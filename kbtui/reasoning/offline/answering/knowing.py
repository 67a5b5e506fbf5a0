"""Whether what was chosen answers a question at all: answered, near but not stated, or not found.

Two logistic models over what can be seen of the question and of what was chosen for it: whether the folder is about
what is asked, and whether it is stated there. Weights and thresholds stand in ``weights.toml``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from kbtui.question.normalise import has_han
from kbtui.question.terms import Rarity, Term, question_terms
from kbtui.reasoning.offline.answering.candidates import Candidate, Found, own_names
from kbtui.reasoning.offline.answering.features import Asked
from kbtui.reasoning.offline.answering.scorer import Scored, weights
from kbtui.reasoning.offline.answering.slots import Slot, fills, slot_of
from kbtui.text.tokenise import content_words, tokens

Verdict = Literal["answered", "near", "none"]

SUBJECT: Final = ("grade", "search", "run", "cosine", "unread", "across", "foreign", "guessed")
"""Signs that tell whether the folder is about what is asked."""

STATED: Final = ("grade", "coverage", "near", "unread", "across", "foreign", "unfilled", "unreached")
"""Signs that tell whether it is stated there."""

MISSING: Final = ("unmodelled", "unsearched", "unindexed")
"""Signs that others are missing: no model could be loaded, what answers was not searched for or stands in no index."""

_LOOKED_AT: Final = 12
"""Candidates that may hold what is asked for, the best ones."""

_BEST: Final = 5
"""Candidates whose cosines count; the first three of them should hold it."""

_FIRST: Final = 3


def signs(
    asked: Asked, best: Scored, every: Sequence[Candidate], documents: Sequence[Found], rarity: Rarity | None
) -> dict[str, float]:
    """What tells whether the question is answered, by name.

    ``grade`` (the best of a passage, as log-odds), ``search`` (score of the best document; ``unsearched``, 1 where it
    has none), ``coverage`` (the largest share of the question's words that a passage holds), ``run`` (the longest run
    of its words in a candidate), ``near`` (the highest nearness of a candidate by the vectors of the index) and
    ``cosine`` (the highest of the first candidates with their headings) tell of the subject; ``unread``, 1 where the
    English model reads no text, and the cosine is 0; ``across``, the highest cosine across languages, and
    ``foreign``, 1 where there is one; ``unmodelled``, 1 where no model reads anything; ``unindexed``, 1 where the
    text stands in no index (a first look, a web page) and has neither coverage nor nearness; ``guessed``, 1 where the
    text is Chinese, the question is not, and no word of it stands there untranslated, that a translation was all
    there was. Of a question that asks for a slot: ``unfilled``, 1 where none of the first candidates fills it;
    ``unreached``, the share of the question's words that no candidate which fills it is read with.

    Args:
        best: The scored candidates, at least one.
        every: All candidates, by document and line.
        rarity: How rare tokens are in the folder.
    """
    chosen = best.candidates[:_LOOKED_AT]
    # A line of code in a Chinese text is not.
    is_han = any(has_han(one.unit.text) for one in chosen[:_BEST])
    is_unread = is_han or bool(best.features["no_cosine"].any())
    # A few Chinese sentences further down say nothing about English ones.
    is_foreign = (is_han or has_han(asked.part.semantic_intent)) and not best.features["no_across"].any()
    signals = [item.hit.signals for document in documents for _, item in document.passages]
    coverage = max(one.get("coverage", 0.0) for one in signals)
    is_unmodelled = is_unread and not is_foreign
    is_unindexed = bool(best.features["no_near"].any()) and not coverage and not is_unmodelled
    slot = slot_of(asked.part.semantic_intent)
    found = {
        "grade": _log_odds(max(document.grade for document in documents)),
        "search": documents[0].score,
        "unsearched": float(not documents[0].score),
        "coverage": coverage,
        "run": float(best.features["run"].max()),
        "near": float(best.features["near"].max()),
        "cosine": 0.0 if is_unread else float(best.features["cosine"][:_BEST].max()),
        "unread": float(is_unread),
        "across": float(best.features["across"][:_BEST].max()) if is_foreign else 0.0,
        "foreign": float(is_foreign),
        "unmodelled": float(is_unmodelled),
        "unindexed": float(is_unindexed),
        "guessed": float(is_han and not has_han(asked.part.semantic_intent) and not _untranslated(asked, chosen)),
        "unfilled": 0.0,
        "unreached": 0.0,
    }
    if slot is not None:
        terms = _about(question_terms(asked.part, is_han, rarity).terms, slot)
        reach = [_share(terms, words) for words in _scopes(chosen, every, documents)]
        filled = [fills(slot, one.unit.text) for one in chosen]
        found["unfilled"] = float(not any(filled[:_FIRST]))
        found["unreached"] = 1.0 - max(holds * share for holds, share in zip(filled, reach, strict=True))
    return found


def _untranslated(asked: Asked, chosen: Sequence[Candidate]) -> bool:
    """True when a word of the question stands in one of the best candidates as it is."""
    words = {token for word in content_words(asked.part.semantic_intent) for token in tokens(word)}
    return any(not words.isdisjoint(one.tokens) for one in chosen[:_BEST])


def _about(terms: Sequence[Term], slot: Slot) -> Sequence[Term]:
    """The terms of a question but for those that only ask for its slot."""
    return [term for term in terms if not term.forms <= slot.words] or terms


def _share(terms: Sequence[Term], words: frozenset[str]) -> float:
    """The weight of the terms that are among ``words``."""
    held = sum(term.weight for term in terms if not term.forms.isdisjoint(words))
    return held / (sum(term.weight for term in terms) or 1.0)


def _scopes(
    chosen: Sequence[Candidate], every: Sequence[Candidate], documents: Sequence[Found]
) -> list[frozenset[str]]:
    """For each candidate the words that it is read with."""
    places = {(one.document, one.unit.start_line, one.unit.text): at for at, one in enumerate(every)}
    found = []
    for one in chosen:
        at = places[one.document, one.unit.start_line, one.unit.text]
        words = {*one.tokens, *tokens(one.unit.heading), *own_names(documents[one.document])}
        if at and (every[at - 1].document, every[at - 1].section) == (one.document, one.section):
            words.update(every[at - 1].tokens)
        found.append(frozenset(words))
    return found


def _log_odds(share: float) -> float:
    kept = min(max(share, 0.002), 0.998)
    return math.log(kept / (1 - kept))


def subject_chance(found: Mapping[str, float]) -> float:
    """The chance that the folder is about what is asked."""
    return chance(weights()["subject"], found)


def verdict(found: Mapping[str, float]) -> Verdict:
    """What is said of an answer with these `signs`."""
    least = weights()["thresholds"]
    if subject_chance(found) < least["subject"]:
        return "none"
    return "answered" if chance(weights()["stated"], found) >= least["stated"] else "near"


def chance(model: Mapping[str, float], found: Mapping[str, float]) -> float:
    """What a logistic model makes of `signs`."""
    total = model["intercept"] + sum(weight * found[name] for name, weight in model.items() if name != "intercept")
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))
