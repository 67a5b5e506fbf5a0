"""Whether a folder is about what is asked: by how far what was found stands out from what chance brings there.

A logistic model; its weights and the least chance stand in ``subject.toml``, made by ``benchmarks/fit_subject.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from kbtui.domain.evidence import Evidence
from kbtui.domain.routing import SubQuestion
from kbtui.question.normalise import has_han
from kbtui.reasoning.offline.features import longest_run, prepared
from kbtui.text.tokenise import content_words, tokens
from kbtui.text.word_lists import toml_once

model = partial(toml_once, __package__, "subject.toml")
"""The weights of signs by their names, and the least chance."""

SUBJECT: Final = ("grade", "search", "run", "guessed")
"""Signs of the model."""

UNSEARCHED: Final = "unsearched"
"""The sign that what answers was not searched for (a web page), so that ``search`` says nothing."""

USUAL: Final = 0.2
"""The background of a folder of some hundred passages: for one that was not measured."""

_BEST: Final = 5
"""Passages whose words count."""

_LONGEST: Final = 6
"""Words of a run; a longer one says no more."""


def subject_signs(part: SubQuestion, evidence: Sequence[Evidence], background: float | None) -> dict[str, float]:
    """What tells whether the folder is about a part of a question, by name.

    ``grade``, the best of a passage, as log-odds; ``search``, how far the best score stands above the background
    (``unsearched``, 1 where there is no score); ``run``, the longest run of the question's words in a passage, up to 1;
    ``guessed``, 1 where the text is Chinese, the question is not, and no word of it stands there untranslated, so that
    a translation was all there was.

    Args:
        evidence: All that was found for the part, best first, at least one.
        background: What search makes of questions that the folder does not answer; None where it was not measured.
    """
    # Other tools have scales of their own.
    searched = max((item.hit.score for item in evidence if item.hit.tool == "hybrid_search"), default=0.0)
    passages = [prepared(item.hit) for item in evidence[:_BEST]]
    asked = tokens(part.semantic_intent)
    is_han = any(passage.is_han for passage in passages)
    words = {token for word in content_words(part.semantic_intent) for token in tokens(word)}
    is_said = any(not words.isdisjoint(passage.body) for passage in passages)
    return {
        "grade": log_odds(max(item.score for item in evidence)),
        "search": searched - (USUAL if background is None else background) if searched else 0.0,
        UNSEARCHED: float(not searched),
        "run": max(min(longest_run(asked, passage.body), _LONGEST) for passage in passages) / _LONGEST,
        "guessed": float(is_han and not has_han(part.semantic_intent) and not is_said),
    }


def subject_chance(found: Mapping[str, float]) -> float:
    """The chance that the folder is about what is asked, by its `subject_signs`."""
    return chance(model()["subject"], found)


def is_about(likely: float) -> bool:
    """Whether such a chance is enough for an answer."""
    return likely >= float(model()["thresholds"]["subject"])


def chance(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    """What a logistic model makes of signs."""
    total = weights["intercept"] + sum(weight * found[name] for name, weight in weights.items() if name != "intercept")
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def log_odds(share: float) -> float:
    """The log-odds of a probability, kept within ±6.2."""
    kept = min(max(share, 0.002), 0.998)
    return math.log(kept / (1 - kept))
