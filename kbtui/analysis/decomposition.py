"""Takes a request of several steps apart, into questions that one statement can answer.

Rules over the wording alone, English and Chinese; what fits none of them stays one question. A later part may speak of
what an earlier one finds ("those customers", "其订单"): a mark (`values_of`) stands there until that one is done.
"""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns

MOST_PARTS: Final = 5

_RE: Final = Patterns(__package__, "decomposition.toml")


def values_of(part: int, *, top: bool = False) -> str:
    """What stands in a question for the values that a part finds, or for the first of them.

    Args:
        part: Counted from 1. Its step is called by one more: a plan looks at the structure first.
    """
    return f"‹d{part + 1}{'.top' if top else ''}›"


def decompose(query: str) -> tuple[str, ...]:
    """The questions of a request, at most `MOST_PARTS`, in the order they are to be asked."""
    query = _RE.mark.sub("", query).strip()
    chinese = has_cjk(query)
    segments = _sequence_zh(query) if chinese else _sequence_en(query)
    parts = list(segments[:1])
    for number, segment in enumerate(segments[1:MOST_PARTS], 1):
        parts.append(_referring_zh(segment, number, parts[-1]) if chinese else _referring_en(segment, number))
    return tuple(parts)


# One after the other.


def _sequence_en(query: str) -> tuple[str, ...]:
    query = _RE.first_en.sub("", query.rstrip(" .?!"))
    return _filled(_RE.then_en.split(query))


def _sequence_zh(query: str) -> tuple[str, ...]:
    query = query.rstrip("。？?！! ")
    opened = _RE.first_zh.sub("", query)
    segments = _filled(_RE.then_zh.split(opened))
    if len(segments) == 1 and opened != query and (again := _RE.again_zh.search(opened, 2)):
        # 先…再… needs no comma between the two.
        segments = _filled([opened[: again.start()], opened[again.end() :]])
    found: list[str] = []
    for segment in segments:
        clauses = _filled(_RE.comma_zh.split(segment))
        found += clauses if len(clauses) > 1 and all(_RE.asks_zh.search(clause) for clause in clauses) else (segment,)
    return tuple(_RE.look_zh.sub("", part) if n else part for n, part in enumerate(found))


def _filled(segments: list[str]) -> tuple[str, ...]:
    cleaned = (segment.strip(" ,;.，；。、") for segment in segments if segment)
    return tuple(segment for segment in cleaned if segment)


# What was found before.


def _referring_en(question: str, part: int) -> str:
    every, top = values_of(part), values_of(part, top=True)
    question = _RE.those_en.sub(lambda m: f"{m[1]} {every}", question)
    question = _RE.that_en.sub(lambda m: f"{m[1]} {m[2]} {top}", question)
    question = _RE.one_en.sub(top, question)
    question = _RE.there_en.sub(f"in {top}", question)
    question = _RE.of_them_en.sub(lambda m: f"{m[1]} of {every}", question)
    question = _RE.they_en.sub(lambda m: f"{m[1]} {every}", question)
    question = _RE.she_en.sub(lambda m: f"{m[1]} {top}", question)
    question = _RE.them_en.sub(lambda m: f"{m[1]} {every}", question)
    question = _RE.it_en.sub(lambda m: f"{m[1]} {top}", question)
    return _RE.their_en.sub(
        lambda m: f"{m[2].strip()} of {every if m[1].lower() == 'their' else top} ", question
    ).strip()


def _referring_zh(question: str, part: int, said: str) -> str:
    every, top = values_of(part), values_of(part, top=True)
    if _RE.among_zh.match(question) and _RE.counts_zh.search(said) and not re.search("哪|最|各|每", said):
        # 一共多少订单，其中没付款的有多少: among those that were counted, not among the number.
        return _RE.among_zh.sub(f"{_RE.how_many_zh.sub('', said)}中", question)
    question = _RE.these_zh.sub(lambda m: f"{m[1]}{every}", question)
    question = _RE.there_zh.sub(f"在{top}", question)
    question = _RE.this_zh.sub(lambda m: f"{m[1]}{top}", question)
    question = _RE.among_zh.sub(f"{every}中", question)
    question = _RE.they_zh.sub(lambda m: every if m.string[m.end() :][:1] in ("各", "分") else f"{every}的", question)
    question = _RE.what_they_zh.sub(top, question)
    return _RE.its_zh.sub(lambda m: f"{every}的" if len(m[0]) > 1 or m[0] == "其" else every, question)
