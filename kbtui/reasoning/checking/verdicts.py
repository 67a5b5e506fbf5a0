"""The verdict on one piece of an answer, and what the trust in its model makes of the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kbtui.reasoning.checking.checked import Doubt
from kbtui.reasoning.checking.claims import is_claim, is_lead_in
from kbtui.reasoning.checking.closeness import distance
from kbtui.reasoning.checking.draft import Piece
from kbtui.reasoning.checking.marks import Target
from kbtui.reasoning.checking.passages import Passage, Window, terms_of
from kbtui.reasoning.checking.places import SourcesByTarget, numbers_cited
from kbtui.reasoning.checking.standing import Claim
from kbtui.reasoning.checking.support import RELATED, Support
from kbtui.reasoning.checking.trust import CONTRARY, LOOSE, MARKED, Outcome, chance_of, figures
from kbtui.text.terminal import one_line


@dataclass(slots=True)
class Verdict:
    """The result for one piece: the lines behind each target of its marks, and whether they support it.

    Attributes:
        by_target: Lines by target.
        added: Lines that it does not cite.
        is_claim: It states something that lines could support.
        is_supported: They do, or it states nothing.
        must_mark: Lines refute it, or it was not checked: it is marked however reliable its model is.
        is_contrary: The words of its lines are against it, which a free wording may look like.
        support: What it rests on; None if it rests on nothing.
        doubt: Why it is not supported.
        label: What is written behind a supported piece.
    """

    by_target: dict[Target, list[Window]] = field(default_factory=dict)
    added: list[Window] = field(default_factory=list)
    is_claim: bool = False
    is_supported: bool = True
    must_mark: bool = False
    is_contrary: bool = False
    support: Support | None = None
    doubt: Doubt | None = None
    label: str = ""


def doubt_of(
    text: str, cited: SourcesByTarget, lacking: Sequence[str] = (), *, is_refuted: bool = False, is_loose: bool = False
) -> Doubt:
    """The doubt about a sentence (`Doubt`)."""
    return Doubt(
        text=one_line(text),
        cited=tuple(numbers_cited(cited)),
        lacking=tuple(lacking),
        is_refuted=is_refuted,
        is_loose=is_loose,
    )


def chances(verdicts: Sequence[Verdict], is_item: Sequence[bool], question: str) -> list[float]:
    """The chance that each piece is false if its model invents; 0 for pieces that state nothing.

    Args:
        is_item: Whether each piece is an item or a row.
        question: What was asked.
    """
    return [
        chance_of(figures()["doubts"]["intercept"])
        if not verdict.is_supported
        else chance_of(distance(verdict.support, question, is_item=item))
        if verdict.is_claim and verdict.support is not None
        else 0.0
        for verdict, item in zip(verdicts, is_item, strict=True)
    ]


def outcome_of(verdicts: Sequence[Verdict], chances_of_false: Sequence[float]) -> Outcome | None:
    """What the verdicts on a draft show of its model; None if it states nothing."""
    if not all(verdict.is_supported for verdict in verdicts):
        return "doubted"
    if not any(verdict.is_claim for verdict in verdicts):
        return None
    return "loose" if max(chances_of_false) > LOOSE else "close"


def apply_trust(chance: float, verdicts: Sequence[Verdict], chances_of_false: Sequence[float]) -> None:
    """Mark what is likely to be false, and take the marks from all else that is not refuted.

    A marked sentence keeps no citation that its model did not give.

    Args:
        chance: That the model invents.
        chances_of_false: Of each piece, if the model does.
    """
    for verdict, chance_of_false in zip(verdicts, chances_of_false, strict=True):
        if not (verdict.must_mark or verdict.label):
            verdict.is_supported = chance * chance_of_false < (CONTRARY if verdict.is_contrary else MARKED)
        if not verdict.is_supported:
            verdict.added = []


def is_listed(claim: Claim, cited: Iterable[Passage]) -> bool:
    """Whether all words of an item are those of looked-up lines that it cites, with what is said of their documents.

    A line such as ``status: open`` does not hold the name of its document, which the item is about. Such an item says
    nothing that is not listed, so it is as close to its lines as can be.
    """
    passages = list(cited)
    if not passages or any("\n" in one.excerpt.text.strip() for one in passages):
        return False
    return claim.terms <= frozenset().union(*(terms_of(f"{one.excerpt.text} {one.around}") for one in passages))


def may_stay(own: Support) -> bool:
    """Whether a citation of the model stays beside a better one: its lines do not contradict the sentence."""
    lacks_no_fact = bool(own.values) and not own.missing
    return bool(own.windows) and not own.evidence.is_refuted and (own.score >= RELATED or lacks_no_fact)


def states_claim(piece: Piece) -> bool:
    """Whether a piece states something that lines could support."""
    if piece.kind == "code":
        return len(piece.text.strip()) > 3
    is_cited = bool(piece.targets) and piece.kind == "sentence"
    return piece.kind != "heading" and is_claim(piece.text, is_cited=is_cited) and not is_lead_in(piece.text)
