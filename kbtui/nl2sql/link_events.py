"""Mentions of events that a column counts: 旷工 for the rows in which 旷工天数 is more than nothing, ``reopened``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Col, Cond
from kbtui.question.model import Question
from kbtui.text.inflection import root

_COUNTED_EVENT: Final = re.compile(r"总?(?:次数|天数|时长|人数|件数|数量|分钟数?|小时数?|数)$")
_COUNTED: Final = 0.68
"""Score of an event for the rows whose column counts it."""
_SPARSE: Final = 0.3
"""Share of rows without a value from which a column counts what seldom happens."""


def happened(question: Question, mention: Mention, column: ColumnInfo) -> Mention | None:
    """The state of rows with an event that a mostly empty column counts: 旷工 for a column 旷工天数."""
    name = column.words[-1] if len(column.words) == 1 else ""
    event = _COUNTED_EVENT.sub("", name)
    if name[-2:] in question.text:
        return None  # “How many times late” asks for the count itself.
    is_sparse = column.kind == "measure" and (column.nulls >= _SPARSE or column.low == 0)
    if not is_sparse or event in ("", name) or mention.how == "negated" or question.words(mention.span) != event:
        return None
    return replace(mention, kind="state", cond=Cond(Col(column.ref), ">", 0), score=_COUNTED)


def event_mentions(question: Question, mentions: Sequence[Mention], catalogue: Catalogue) -> Iterator[Mention]:
    """States of rows that something happened to, by the participle of a count: ``reopened`` has some ``Reopens``."""
    ranked = {cue.span.last for cue in question.cues if cue.op in ("most", "top", "compare")}
    for mention in mentions:
        column = catalogue.column(mention.ref) if mention.ref is not None else None
        if mention.kind != "column" or column is None or column.kind != "measure" or column.low != 0:
            continue
        if mention.span.first in ranked:
            continue  # The most commented are ranked by their comments.
        first, last = mention.span
        word = question.tokens[first].norm
        is_named = root(word) == root(column.words[-1]) and word not in column.ref.column.lower()
        if last - first == 1 and word.endswith("ed") and is_named:
            yield replace(mention, kind="state", cond=Cond(Col(column.ref), ">", 0))
