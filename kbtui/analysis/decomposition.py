"""Decomposes a request of several steps into questions that single statements can answer.

By patterns of the wording, English and Chinese; other requests stay one question. A later part may refer to the values
that an earlier one finds ("those customers", "其订单"): a marker (`step_marker`) stands for them.
"""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns

MAX_PARTS: Final = 5

_RE: Final = Patterns(__package__, "decomposition.toml")


def step_marker(part: int, *, top: bool = False) -> str:
    """The marker in a question for the values that a part finds, or for the first of them.

    Args:
        part: Counted from 1. The number of its step is one more, because a plan reads the structure first.
    """
    return f"‹d{part + 1}{'.top' if top else ''}›"


def decompose(query: str) -> tuple[str, ...]:
    """The questions of a request, at most `MAX_PARTS`, in the order they are to be asked."""
    query = _RE.mark.sub("", query).strip()
    chinese = has_cjk(query)
    segments = _sequence_zh(query) if chinese else _sequence_en(query)
    parts = list(segments[:1])
    for number, segment in enumerate(segments[1:MAX_PARTS], 1):
        parts.append(_with_markers_zh(segment, number, parts[-1]) if chinese else _with_markers_en(segment, number))
    return tuple(parts)


# Sequences.


def _sequence_en(query: str) -> tuple[str, ...]:
    query = _RE.first_en.sub("", query.rstrip(" .?!"))
    return _non_empty(_RE.then_en.split(query))


def _sequence_zh(query: str) -> tuple[str, ...]:
    query = query.rstrip("。？?！! ")
    opened = _RE.first_zh.sub("", query)
    segments = _non_empty(_RE.then_zh.split(opened))
    if len(segments) == 1 and opened != query and (again := _RE.again_zh.search(opened, 2)):
        # 先…再… has no comma between the parts.
        segments = _non_empty([opened[: again.start()], opened[again.end() :]])
    parts: list[str] = []
    for segment in segments:
        clauses = _non_empty(_RE.comma_zh.split(segment))
        parts += clauses if len(clauses) > 1 and all(_RE.asks_zh.search(clause) for clause in clauses) else (segment,)
    return tuple(_RE.look_zh.sub("", part) if n else part for n, part in enumerate(parts))


def _non_empty(segments: list[str]) -> tuple[str, ...]:
    cleaned = (segment.strip(" ,;.，；。、") for segment in segments if segment)
    return tuple(segment for segment in cleaned if segment)


# References to earlier parts.


def _with_markers_en(question: str, part: int) -> str:
    every, top = step_marker(part), step_marker(part, top=True)
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


def _with_markers_zh(question: str, part: int, previous: str) -> str:
    every, top = step_marker(part), step_marker(part, top=True)
    if _RE.among_zh.match(question) and _RE.counts_zh.search(previous) and not re.search("哪|最|各|每", previous):
        # 一共多少订单，其中没付款的有多少: refers to the counted rows, not to their number.
        return _RE.among_zh.sub(f"{_RE.how_many_zh.sub('', previous)}中", question)
    question = _RE.these_zh.sub(lambda m: f"{m[1]}{every}", question)
    question = _RE.there_zh.sub(f"在{top}", question)
    question = _RE.this_zh.sub(lambda m: f"{m[1]}{top}", question)
    question = _RE.among_zh.sub(f"{every}中", question)
    question = _RE.they_zh.sub(lambda m: every if m.string[m.end() :][:1] in ("各", "分") else f"{every}的", question)
    question = _RE.what_they_zh.sub(top, question)
    return _RE.its_zh.sub(lambda m: f"{every}的" if len(m[0]) > 1 or m[0] == "其" else every, question)
