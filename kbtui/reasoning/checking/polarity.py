"""Counts negations, compares them across languages, and finds days of the week; `contrast` compares one language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kbtui.reasoning.checking.foreign import share
from kbtui.reasoning.checking.numerals import normal
from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "polarity.toml")


def negations(text: str) -> int:
    """Number of negating words in a text."""
    return sum(1 for _ in _RE.negation.finditer(normal(text)))


def is_negation_mismatch_across_languages(sentence: str, lines: str) -> bool:
    """Whether a sentence and lines of another language differ in the presence of a negation, by clause."""
    if has_cjk(sentence):
        return _RE.han_denies.search(sentence) is None and len(_RE.denial.findall(lines)) > 0
    clauses = [clause for clause in re.split(r"[，。；,;\n]", lines) if has_cjk(clause)]
    best = max(clauses, key=lambda clause: share(sentence, clause, is_chinese=False), default="")
    return _RE.han_denies.search(best) is not None and _RE.hedged.search(sentence) is None


def names_other_days(sentence: str, lines: Iterable[str]) -> bool:
    """Whether a sentence names days of the week and its lines name only others."""
    days = _days(sentence)
    days_of_lines = frozenset().union(*(_days(line) for line in lines))
    return bool(days and days_of_lines) and not days & days_of_lines


def _days(text: str) -> frozenset[int]:
    days = {
        ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(match[0][:3].lower())
        for match in _RE.day.finditer(text)
    }
    return frozenset(
        days | {"一二三四五六日".index(match[1].replace("天", "日")) for match in _RE.han_day.finditer(text)}
    )
