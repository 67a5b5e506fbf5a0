"""Which sentences of the documents that were found answer a question, and whether they do: see the README."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.question.answer_kinds import answer_kind_scores
from kbtui.question.comparisons import compared_sides
from kbtui.question.reader import read
from kbtui.question.terms import Rarity, question_terms
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.answering.candidates import candidates_of, documents_of, saying_more
from kbtui.reasoning.offline.answering.composing import asks_for_list, beginning, composed, opening, spoken_of
from kbtui.reasoning.offline.answering.features import Asked
from kbtui.reasoning.offline.answering.knowing import Verdict, signs, verdict
from kbtui.reasoning.offline.answering.nearness import Near
from kbtui.reasoning.offline.answering.scorer import scored
from kbtui.reasoning.offline.answering.subject import is_about, subject_chance, subject_signs
from kbtui.reasoning.offline.grader import Encodes
from kbtui.reasoning.offline.quotable import Run

__all__ = ["Near", "Selection", "Verdict", "opening_runs", "selected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What answers one part of a question.

    Attributes:
        verdict: Whether it does, or merely comes near.
        runs: In reading order; empty when there is nothing to show.
        opening: How the document that is named begins; empty where none is.
        unsaid: Sides of a comparison of which nothing was found, where something was of another.
        chance: That the folder is about what is asked.
    """

    verdict: Verdict
    runs: tuple[Run, ...]
    opening: tuple[Run, ...] = ()
    unsaid: tuple[str, ...] = ()
    chance: float = 0.0


def asked_of(part: SubQuestion, whole: str) -> Asked:
    """One part of a question, read."""
    # Periods of a question are no part of how its answer looks, so the day it is asked on does not matter.
    return Asked(part=part, whole=whole, kinds=answer_kind_scores(read(part.semantic_intent, today=date.min)))


def selected(
    part: SubQuestion,
    whole: str,
    evidence: Sequence[Evidence],
    citations: Citations,
    embedder: Callable[[], Encodes | None],
    rarity: Rarity | None,
    cancel: CancelToken,
    near: Near | None = None,
    background: float | None = None,
) -> Selection:
    """The selection for one part of the question ``whole``.

    Args:
        evidence: All that was found for the part, best first; it tells which documents are read.
        near: How near the places of these documents are to a question.
        background: What search makes of questions that the folder does not answer (`subject`).
    """
    asked = asked_of(part, whole)
    documents = documents_of(evidence)
    every = candidates_of(documents, citations, cancel, outlines=asks_for_list(asked.kinds))
    candidates = saying_more(every, part.semantic_intent)
    best = scored(asked, candidates, documents, rarity, embedder, near)
    if not best.scores:
        return Selection(verdict="none", runs=())
    terms = question_terms(part, False)
    sides = compared_sides(part.semantic_intent)
    known = spoken_of(sides, [one.unit for one in best.candidates]) if sides else []
    likely = subject_chance(subject_signs(part, evidence, background))
    return Selection(
        verdict=verdict(signs(asked, best, documents, rarity), is_about=is_about(likely)),
        # An item of a list may say no more than the question, and is none to be left out of its list.
        runs=tuple(composed(best, every, asked.kinds, terms.terms, sides)),
        opening=tuple(opening(documents, candidates, terms.named)),
        unsaid=tuple(side for side in sides if known and side not in known),
        chance=likely,
    )


def opening_runs(subject: Evidence, citations: Citations, cancel: CancelToken) -> list[Run]:
    """How the document of a piece of evidence begins."""
    return beginning(candidates_of(documents_of([subject]), citations, cancel))
