"""Links codes that no list of values has to the columns of codes of the same shape: INV-0042 for INV-0001."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Ref
from kbtui.question.model import Question, TokenSpan

_SHAPE: Final = 0.62


def shaped_mentions(
    question: Question, mentions: Sequence[Mention], catalogue: Catalogue, shapes: ShapeIndex
) -> Iterator[Mention]:
    """Mentions of unlisted codes that have the shape of a column: INV-0042 for INV-0001, INV-0002 and so on."""
    value_spans = {mention.span for mention in mentions if mention.kind == "value" and mention.how in ("exact", "stem")}
    for at, token in enumerate(question.tokens):
        span = TokenSpan(at, at + 1)
        if span in value_spans or not any(c.isdigit() for c in token.text) or not any(c.isalpha() for c in token.text):
            continue
        for ref in shapes.get(shape_of(token.text), ()):
            column = catalogue.column(ref)
            sample = str(column.values[0][0]) if column is not None and column.values else ""
            text = token.text.upper() if sample.isupper() else token.text
            yield Mention(span=span, kind="value", score=_SHAPE, how="quoted", ref=ref, values=(text,))


ShapeIndex = Mapping[str, Sequence[Ref]]
"""Columns of codes by the shape of their values."""


def shape_of(text: str) -> str:
    """The shape of a code: ``a`` for letters, ``9`` for digits, other characters unchanged."""
    return re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "a", text))


def shape_index(catalogue: Catalogue) -> ShapeIndex:
    """Columns of incompletely listed values that share one shape of letters and digits."""
    index: dict[str, list[Ref]] = defaultdict(list)
    for table in catalogue.tables.values():
        for column in table.columns:
            shapes = {shape_of(str(value)) for value, _ in column.values[:20]}
            if not column.complete and len(shapes) == 1 and "a" in (shape := shapes.pop()) and "9" in shape:
                index[shape].append(column.ref)
    return index
