"""What kind of statement a question will need, from its words: the expectation that a plan states (spec 004, 6.3)."""

from __future__ import annotations

import re
from typing import Final

from kbtui.domain.analysis import QueryKind

_CUES: Final[tuple[tuple[QueryKind, re.Pattern[str]], ...]] = (
    (
        "nested",
        re.compile(
            r"\b(?:above|below|more than|less than|over|under|higher than|lower than) (?:the )?average\b|"
            r"\bwithout any\b|\bnever\b|\bwho have no\b|\bthat have no\b|[高低多少大小]于平均|从未|从来没|没有任何",
            re.I,
        ),
    ),
    ("set", re.compile(r"\bboth\b.+\band\b|\bbut not\b|\beither\b.+\bor\b|既.+又|但(?:没有|不)|同时.+和", re.I)),
    (
        "top_n",
        re.compile(
            r"\b(?:top|bottom|best|worst|biggest|largest|smallest|highest|lowest|most|least|fewest|oldest|newest|youngest|"
            r"latest|earliest|longest|shortest|cheapest)\b|[最]|前\s*[\d一二三四五六七八九十百]+\s*[名个位条项家]?",
            re.I,
        ),
    ),
    (
        "group",
        re.compile(
            r"\b(?:per|each|every|by|group(?:ed)? by|for each|breakdown)\b|每[个家名位月年天日周季]?|各|按", re.I
        ),
    ),
    (
        "aggregation",
        re.compile(
            r"\bhow (?:many|much)\b|\b(?:number|count|total|sum|average|avg|mean|minimum|maximum|min|max)\b|"
            r"多少|几[个名家次]|总|合计|平均|数量|求和|计数",
            re.I,
        ),
    ),
    (
        "filter",
        re.compile(
            r"\b(?:where|whose|with|in|from|since|before|after|between|over|under|more than|less than|at least|named)\b"
            r"|\d|[\"“「]|大于|小于|超过|低于|至少|的.+(?:是|为)",
            re.I,
        ),
    ),
)


def expected_kind(question: str, tables_named: int = 1) -> QueryKind:
    """The kind that the wording suggests.

    Args:
        tables_named: How many tables of the source the question names; two that are only listed are a join.
    """
    found = next((kind for kind, cue in _CUES if cue.search(question)), None)
    if tables_named > 1 and found in (None, "filter"):
        return "join"
    return found or "detail"
