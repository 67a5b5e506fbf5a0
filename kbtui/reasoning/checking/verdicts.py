"""The verdict on one piece of an answer, and what the trust in its model makes of the verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kbtui.reasoning.checking.closeness import is_close
from kbtui.reasoning.checking.marks import Target
from kbtui.reasoning.checking.passages import Window
from kbtui.reasoning.checking.support import RELATED, Support
from kbtui.reasoning.checking.trust import Trust


@dataclass(slots=True)
class Verdict:
    """The result for one piece: the lines behind each target of its marks, and whether they support it.

    Attributes:
        by_target: Lines by target.
        added: Lines that it does not cite.
        is_claim: It states something that lines could support.
        is_supported: They do, or it states nothing.
        must_mark: Lines refute it, or it was not checked: it is marked however reliable its model is.
        support: What it rests on; None if it rests on nothing.
        label: What is written behind a supported piece.
    """

    by_target: dict[Target, list[Window]] = field(default_factory=dict)
    added: list[Window] = field(default_factory=list)
    is_claim: bool = False
    is_supported: bool = True
    must_mark: bool = False
    support: Support | None = None
    label: str = ""


def apply_trust(trust: Trust, verdicts: Iterable[tuple[Verdict, bool]], question: str) -> None:
    """Take marks from the doubtful sentences of a reliable model; add them to loose sentences of an unreliable one.

    Args:
        verdicts: Verdicts, each with whether its piece is an item or a row.
        question: What was asked.
    """
    for verdict, is_item in verdicts:
        if trust == "reliable" and not verdict.must_mark:
            verdict.is_supported = True
        elif trust == "unreliable" and verdict.is_claim and verdict.support is not None and not verdict.label:
            verdict.is_supported &= is_close(verdict.support, question, is_item=is_item)


def may_stay(own: Support) -> bool:
    """Whether a citation of the model stays beside a better one: its lines do not contradict the sentence."""
    lacks_no_fact = bool(own.values) and not own.missing
    return bool(own.windows) and not own.evidence.is_refuted and (own.score >= RELATED or lacks_no_fact)


def numbers_of(support: Support) -> str:
    """The marks of the sources of a support."""
    return "".join(f"[{n}]" for n in dict.fromkeys(window.passage.n for window in support.windows))
