"""Detects statements that affirm what their lines negate, or the other way round.

Shared words do not show it: “needs a certificate” has all words of “needs no certificate”. What counts are the words in
the scope of a negation, and whether the lines have these words anywhere outside of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from kbtui.reasoning.checking.foreign import share
from kbtui.reasoning.checking.numerals import normal
from kbtui.text.language import CJK, has_cjk
from kbtui.text.patterns import Patterns
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import stem

_RE: Final = Patterns(__package__, "polarity.toml")
_SCOPE: Final = 3
"""Most content words in the scope of a negation."""

_MIN_SHARED: Final = 2
_CLOSE: Final = 0.75
_SHORT: Final = 3
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’]*")
_HAN: Final = re.compile(f"[{CJK}]+")
_CLAUSE: Final = re.compile(r"[.,;:!?，。；：！？()（）]|\b(?:and|but|or|so|which|that|because|since|when|while|if)\b")


def negations(text: str) -> int:
    """Number of negating words in a text."""
    return sum(1 for _ in _RE.negation.finditer(normal(text)))


def is_negation_mismatch(sentence: str, lines: Sequence[str]) -> bool:
    """Whether a sentence and lines of its language contradict each other by a negation in one of them.

    Args:
        sentence: Plain text.
        lines: Texts of the units of its passages.
    """
    if has_cjk(sentence):
        return _is_mismatch_han(sentence, lines)
    stems = _content_stems(sentence)
    if _RE.hedged.search(sentence):
        return _negates_line(sentence, stems, lines)
    return any(
        word in _negated_stems(line) and _is_close(stems, _content_stems(line))
        for word in _always_negated(lines) & stems
        for line in lines
    ) or any(disabled <= stems for line in lines for disabled in _disabled_settings(line))


def _is_close(stems: frozenset[str], line_stems: frozenset[str]) -> bool:
    """Whether a line has most words of a sentence, or is short and the sentence has all of its words."""
    shared = len(stems & line_stems)
    is_contained = shared == len(line_stems) <= _SHORT
    return shared >= _MIN_SHARED and (is_contained or shared >= _CLOSE * len(stems))


def is_negation_mismatch_across_languages(sentence: str, lines: str) -> bool:
    """Like `is_negation_mismatch` across languages, where only the presence of a negation is compared, by clause."""
    if has_cjk(sentence):
        return _RE.han_denies.search(sentence) is None and len(_RE.denial.findall(lines)) > 0
    clauses = [clause for clause in re.split(r"[，。；,;\n]", lines) if has_cjk(clause)]
    best = max(clauses, key=lambda clause: share(sentence, clause, is_chinese=False), default="")
    return _RE.han_denies.search(best) is not None and _RE.hedged.search(sentence) is None


def _negates_line(sentence: str, stems: frozenset[str], lines: Sequence[str]) -> bool:
    """Whether a sentence negates nearly the same words that a line affirms."""
    negated = _negated_stems(sentence)
    if any(stems <= _content_stems(line) and negated == _negated_stems(line) for line in lines):
        return False
    for line in lines:
        line_stems = _content_stems(line)
        if (
            negated & line_stems
            and len(stems & line_stems) >= _MIN_OVERLAP * len(stems)
            and not _RE.hedged.search(line)
        ):
            return len(_RE.denial.findall(sentence)) == 1
    return False


_MIN_OVERLAP: Final = 0.8


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


@lru_cache(maxsize=4096)
def _content_stems(text: str) -> frozenset[str]:
    return frozenset(
        stem(word.lower()) for word in _WORD.findall(normal(text)) if word.lower() not in ENGLISH and len(word) > 1
    )


@lru_cache(maxsize=4096)
def _negated_stems(text: str) -> frozenset[str]:
    """Stems of the words in the scope of a negation."""
    plain = normal(text)
    stems: set[str] = set()
    for match in _RE.denial.finditer(plain):
        rest = _CLAUSE.split(plain[match.end() : match.end() + 80], maxsplit=1)[0]
        words = [word.lower() for word in _WORD.findall(rest)]
        stems |= set([stem(word) for word in words if word not in ENGLISH and len(word) > 1][:_SCOPE])
    return frozenset(stems)


def _disabled_settings(text: str) -> list[frozenset[str]]:
    """Stems of the settings that a line disables."""
    return [
        frozenset(stem(part) for part in re.split(r"[_.-]", match[1].lower()) if len(part) > 1)
        for match in _RE.switched_off.finditer(text)
    ]


def _always_negated(lines: Sequence[str]) -> frozenset[str]:
    """Stems that the lines have only in the scope of a negation."""
    negated = frozenset().union(*(_negated_stems(line) for line in lines))
    affirmed = frozenset().union(*(_content_stems(line) - _negated_stems(line) for line in lines))
    return negated - affirmed


def _is_mismatch_han(sentence: str, lines: Sequence[str]) -> bool:
    bigrams = _bigrams(sentence)
    line = max(lines, key=lambda line: len(bigrams & _bigrams(line)), default="")
    line_bigrams = _bigrams(line)
    if len(bigrams & line_bigrams) < _MIN_OVERLAP_HAN * max(1, len(bigrams)):
        return False
    negated, negated_in_line = _negated_bigrams(sentence), _negated_bigrams(line)
    return bool((negated & line_bigrams) - negated_in_line) or bool(
        (bigrams - negated) & negated_in_line - _affirmed_bigrams(line)
    )


def _affirmed_bigrams(text: str) -> frozenset[str]:
    """Bigrams of characters outside the scope of a negation."""
    return _bigrams(_RE.han_denial.sub("\n", text))


_MIN_OVERLAP_HAN: Final = 0.5


@lru_cache(maxsize=4096)
def _bigrams(text: str) -> frozenset[str]:
    return frozenset(run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1))


@lru_cache(maxsize=4096)
def _negated_bigrams(text: str) -> frozenset[str]:
    """Bigrams of characters directly after a negation."""
    return frozenset(match[1] for match in _RE.han_denial.finditer(text))
