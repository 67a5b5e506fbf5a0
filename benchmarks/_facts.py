"""Whether an answer states facts: the verdicts of `whole_answers.py`, and what `fit_answers.py` learns from.

A fact is a list of short strings of which one has to stand in the answer. Before they are compared quotes and dashes
are made plain, emphasis is taken off, white space is made one space, and case is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_PLAIN = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"),
    **{ord("\u2018"): "'", ord("\u2019"): "'", ord("\u201c"): '"', ord("\u201d"): '"'},
    **{ord("\uff5e"): "~", ord("\u00a0"): " "},
}
_EMPHASIS = re.compile(r"[*`]+|\\(?=[_~*\-])")
_FOOTER = re.compile(r"\n-{3,}\s*\n(?:\s*\[\d+\][^\n]*\n?)+\s*$")
_HAN = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """``text`` as it is compared."""
    return re.sub(r"\s+", " ", _EMPHASIS.sub("", text.translate(_PLAIN))).strip().lower()


@lru_cache(maxsize=4096)
def _pattern(piece: str) -> re.Pattern[str] | None:
    wanted = plain(piece)
    if not wanted:
        return None
    pattern = re.escape(wanted)
    if wanted[0].isdigit():
        pattern = r"(?<!\d)(?<!\d[.,])" + pattern
    if wanted[-1].isdigit():
        pattern += r"(?!\d)(?![.,]\d)"
    if re.fullmatch(r"[a-z]{1,4}", wanted):
        pattern = r"(?<![a-z])" + pattern + r"(?:s|es)?(?![a-z])"
    return re.compile(pattern)


def states(text: str, piece: str) -> bool:
    """True when ``piece`` stands in ``text``.

    A digit at its edge must not go on into more of the number, nor a word of up to four letters into more of a word.
    """
    pattern = _pattern(piece)
    return pattern is not None and pattern.search(plain(text)) is not None


def facts_stated(text: str, facts: Sequence[Sequence[str]]) -> list[bool]:
    """For each fact whether one of its wordings stands in ``text``."""
    return [any(states(text, wording) for wording in fact) for fact in facts]


def without_footer(markdown: str) -> str:
    """The answer without its list of sources: a path there states nothing."""
    return _FOOTER.sub("\n", markdown)


def word_count(text: str) -> int:
    """Words of an answer without its marks; a Chinese character counts as one."""
    unmarked = re.sub(r"\[\d+\]", " ", text)
    return len(_HAN.findall(unmarked)) + len(re.findall(r"\w+", _HAN.sub(" ", unmarked)))
