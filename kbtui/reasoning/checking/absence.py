"""Statements that something is not in the passages, which are checked by searching the passages for it."""

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
_MIN_TRANSLATED_SHARE: Final = 0.99
_MIN_CHARACTERS: Final = 2


def split_gap(text: str) -> tuple[str, str]:
    """Split a sentence into its claim and what it says is missing: “It is 5, but the passages do not say why”."""
    if not is_gap(text):
        return text, ""
    clauses = _RE.joint.split(text)
    rest = [clause for clause in clauses if not is_gap(clause)]
    # If no clause by itself states the gap, the whole sentence does.
    if not rest or len(rest) == len(clauses):
        return "", text
    return ", ".join(rest).strip(), ", ".join(clause for clause in clauses if is_gap(clause)).strip()


def is_mentioned(gap: str, passages: Sequence[Passage]) -> bool:
    """Whether passages mention what a sentence says they do not mention.

    An open question (“how”, “who”) is never found: passages may contain its words without answering it.
    """
    if not passages or _RE.asks.search(gap):
        return False
    topic = _RE.frame.sub(" ", normal(gap))
    return any(_is_mentioned(part, passage) for part in _RE.alternative.split(topic) for passage in passages)


def _is_mentioned(topic: str, passage: Passage) -> bool:
    labels = labels_of(topic)
    if not all(_has_label(label, passage) for label in labels):
        return False
    chinese = has_cjk(topic)
    if chinese != passage.chinese:
        return not labels and any(
            foreign.share(topic, unit.text, is_chinese=chinese) >= _MIN_TRANSLATED_SHARE for unit in passage.units
        )
    if chinese:
        runs = [run for run in re.findall(r"[\u4e00-\u9fff]+", topic) if len(run) >= _MIN_CHARACTERS]
        return bool(runs) and any(all(run in unit.text for run in runs) for unit in passage.units)
    plain = " ".join(part for part in re.split(r"\s+", topic) if not labels_of(part))
    terms = {term for term in terms_of(plain) if term not in STOP_WORDS}
    if not terms:
        return len(labels) > 1
    return any(terms <= unit.terms | passage.around_terms for unit in passage.units)


def _has_label(label: Label, passage: Passage) -> bool:
    return any(label == other for other in labels_of(f"{passage.excerpt.text}\n{passage.around}\n{passage.label}"))
