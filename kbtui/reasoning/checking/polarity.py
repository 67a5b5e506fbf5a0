"""Whether a statement affirms what its lines deny, or the other way round.

Words in common say nothing of it: “needs a certificate” has all words of “needs no certificate”. What counts is which
words a denial stands in front of, and whether the lines say these words anywhere without one.
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
_REACH: Final = 3
"""Content words that a denial reaches."""

_LEAST_SHARED: Final = 2
_CLOSE: Final = 0.75
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’]*")
_HAN: Final = re.compile(f"[{CJK}]+")
_CLAUSE: Final = re.compile(r"[.,;:!?，。；：！？()（）]|\b(?:and|but|or|so|which|that|because|since|when|while|if)\b")


def turned(sentence: str, lines: Sequence[str]) -> bool:
    """Whether a sentence and lines of its language contradict each other by a denial that one of them has.

    Args:
        sentence: Plain.
        lines: The units of its passages.
    """
    if has_cjk(sentence):
        return _is_turned_han(sentence, lines)
    own = _content(sentence)
    if _RE.hedged.search(sentence):
        return _is_denied_alone(sentence, own, lines)
    return any(
        word in _denied(line) and _is_close(own, _content(line)) for word in _only_denied(lines) & own for line in lines
    ) or any(switched <= own for line in lines for switched in _switched_off(line))


def _is_close(own: frozenset[str], there: frozenset[str]) -> bool:
    shared = len(own & there)
    return shared >= _LEAST_SHARED and shared >= _CLOSE * min(len(own), len(there))


def turned_abroad(sentence: str, lines: str) -> bool:
    """The same across languages, where only the presence of a denial can be compared, clause by clause."""
    if has_cjk(sentence):
        return _RE.han_denies.search(sentence) is None and len(_RE.denial.findall(lines)) > 0
    clauses = [clause for clause in re.split(r"[，。；,;\n]", lines) if has_cjk(clause)]
    best = max(clauses, key=lambda clause: share(sentence, clause, is_chinese=False), default="")
    return _RE.han_denies.search(best) is not None and _RE.hedged.search(sentence) is None


def _is_denied_alone(sentence: str, own: frozenset[str], lines: Sequence[str]) -> bool:
    """The sentence denies in nearly the words in which its line affirms."""
    denied = _denied(sentence)
    for line in lines:
        there = _content(line)
        if denied & there and len(own & there) >= _ALIKE * len(own) and not _RE.hedged.search(line):
            return len(_RE.denial.findall(sentence)) == 1
    return False


_ALIKE: Final = 0.8


def other_days(sentence: str, lines: Iterable[str]) -> bool:
    """The sentence names days of the week, and its lines name only others."""
    own = _days(sentence)
    there = frozenset().union(*(_days(line) for line in lines))
    return bool(own and there) and not own & there


def _days(text: str) -> frozenset[int]:
    found = {
        ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(match[0][:3].lower())
        for match in _RE.day.finditer(text)
    }
    return frozenset(
        found | {"一二三四五六日".index(match[1].replace("天", "日")) for match in _RE.han_day.finditer(text)}
    )


@lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    return frozenset(
        stem(word.lower()) for word in _WORD.findall(normal(text)) if word.lower() not in ENGLISH and len(word) > 1
    )


@lru_cache(maxsize=4096)
def _denied(text: str) -> frozenset[str]:
    """Stems of the words that a denial of the text reaches."""
    plain = normal(text)
    found: set[str] = set()
    for match in _RE.denial.finditer(plain):
        rest = _CLAUSE.split(plain[match.end() : match.end() + 80], maxsplit=1)[0]
        words = [word.lower() for word in _WORD.findall(rest)]
        found |= set([stem(word) for word in words if word not in ENGLISH and len(word) > 1][:_REACH])
    return frozenset(found)


def _switched_off(text: str) -> list[frozenset[str]]:
    """Stems of the settings that a line of settings says no to."""
    return [
        frozenset(stem(part) for part in re.split(r"[_.-]", match[1].lower()) if len(part) > 1)
        for match in _RE.switched_off.finditer(text)
    ]


def _only_denied(lines: Sequence[str]) -> frozenset[str]:
    """The words that the lines never say without a denial."""
    denied = frozenset().union(*(_denied(line) for line in lines))
    affirmed = frozenset().union(*(_content(line) - _denied(line) for line in lines))
    return denied - affirmed


def _is_turned_han(sentence: str, lines: Sequence[str]) -> bool:
    own = _pairs(sentence)
    line = max(lines, key=lambda line: len(own & _pairs(line)), default="")
    there = _pairs(line)
    if len(own & there) < _ALIKE_HAN * max(1, len(own)):
        return False
    denied, denied_there = _denied_han(sentence), _denied_han(line)
    return bool((denied & there) - denied_there) or bool((own - denied) & denied_there - _affirmed_han(line))


def _affirmed_han(text: str) -> frozenset[str]:
    """Pairs of characters that stand somewhere without a denial."""
    return _pairs(_RE.han_denial.sub("\n", text))


_ALIKE_HAN: Final = 0.5


@lru_cache(maxsize=4096)
def _pairs(text: str) -> frozenset[str]:
    return frozenset(run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1))


@lru_cache(maxsize=4096)
def _denied_han(text: str) -> frozenset[str]:
    """Pairs of characters right behind a denial."""
    return frozenset(match[1] for match in _RE.han_denial.finditer(text))
