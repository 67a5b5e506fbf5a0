"""Sentences that say what the passages do not say: looked for in the passages instead of being borne out by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.reasoning.checking import foreign
from kbtui.reasoning.checking.cells import Label, labels_of
from kbtui.reasoning.checking.claims import is_gap
from kbtui.reasoning.checking.numerals import normal
from kbtui.reasoning.checking.passages import Passage, terms_of
from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import STOP_WORDS

_RE: Final = Patterns(__package__, "absence.toml")
_ALL_ABROAD: Final = 0.99
_LEAST_HAN: Final = 2


def parted(text: str) -> tuple[str, str]:
    """What a sentence claims and what it says to be missing: “It is 5, but the passages do not say why”."""
    if not is_gap(text):
        return text, ""
    clauses = _RE.joint.split(text)
    rest = [clause for clause in clauses if not is_gap(clause)]
    # Without its clause a gap is the whole sentence.
    if not rest or len(rest) == len(clauses):
        return "", text
    return ", ".join(rest).strip(), ", ".join(clause for clause in clauses if is_gap(clause)).strip()


def is_there(gap: str, passages: Sequence[Passage]) -> bool:
    """Whether passages speak of what a sentence says they do not mention.

    A question that they are said to leave open (“how”, “who”) may stay open though its words stand there.
    """
    if not passages or _RE.asks.search(gap):
        return False
    topic = _RE.frame.sub(" ", normal(gap))
    return any(_is_named(part, one) for part in _RE.alternative.split(topic) for one in passages)


def _is_named(topic: str, one: Passage) -> bool:
    labels = labels_of(topic)
    if not all(_has(label, one) for label in labels):
        return False
    chinese = has_cjk(topic)
    if chinese != one.chinese:
        return not labels and any(
            foreign.share(topic, unit.text, is_chinese=chinese) >= _ALL_ABROAD for unit in one.units
        )
    if chinese:
        runs = [run for run in re.findall(r"[\u4e00-\u9fff]+", topic) if len(run) >= _LEAST_HAN]
        return bool(runs) and any(all(run in unit.text for run in runs) for unit in one.units)
    plain = " ".join(part for part in re.split(r"\s+", topic) if not labels_of(part))
    wanted = {term for term in terms_of(plain) if term not in STOP_WORDS}
    if not wanted:
        return len(labels) > 1
    return any(wanted <= unit.terms | one.around_terms for unit in one.units)


def _has(label: Label, one: Passage) -> bool:
    return any(label == other for other in labels_of(f"{one.excerpt.text}\n{one.around}\n{one.label}"))
