"""How sure a reading is: readings of one question compete with each other, and with none of them being meant.

A conditional logit (McFadden, 1974) over what speaks for and against each reading, fitted by benchmarks/fit_nl2sql.py.
Readings that bring the same rows are one answer, so their probabilities are added.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from kbtui.data.nl2sql.grammar import Sketch
from kbtui.data.nl2sql.linking import Linked
from kbtui.data.nl2sql.query import Query

_GRAMMAR: Final = ("COUNT", "DISTINCT", "EACH")
_NONE: Final = "none"
"""The weight of "none of these is meant"."""


def measured(features: Mapping[str, float], rows: Sequence[Sequence[Any]]) -> dict[str, float]:
    """The features with what a look at the result says: what finds nothing is seldom what was meant."""
    nothing = not rows or all(value is None for row in rows[:2] for value in row)
    zero = len(rows) == 1 and len(rows[0]) == 1 and rows[0][0] == 0
    return {**features, "empty": float(nothing), "zero": float(zero)}


def score(features: Mapping[str, float]) -> float:
    """What speaks for a reading less what speaks against it, in no unit."""
    weights = _weights()
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def probabilities(scores: Sequence[float]) -> list[float]:
    """How probably each of the readings of one question is what was meant."""
    against = _weights().get(_NONE, 0.0)
    most = max([against, *scores])
    parts = [math.exp(one - most) for one in scores]
    whole = sum(parts) + math.exp(against - most)
    return [part / whole for part in parts]


def answer_of(rows: Sequence[Sequence[Any]], ordered: bool) -> int:
    """The same number for the same rows, in whatever order where none was asked for."""
    said = [repr(tuple(row)) for row in rows]
    return hash((ordered, tuple(said if ordered else sorted(said))))


def shared(linked: Linked, sketch: Sketch, query: Query) -> dict[str, float]:
    """Features of a candidate that do not depend on how its columns were chosen."""
    tables = {m.tables[0][1] for m in linked.mentions if m.letter == "T"}
    used = set(query.used_tables())
    inner = {t for c in query.where if isinstance(c.right, Query) for t in c.right.used_tables()}
    named = [m for m in linked.mentions if m.letter in "CV"]
    refs = {e.ref for e in query.expressions()}
    refs |= {c.left.ref for x in query.where if isinstance(x.right, Query) for c in x.right.where}
    missed = sum(
        1 for m in named if not ({r for _, r in m.columns} | {r for _, r, _ in m.values}) & refs and not m.tables
    )
    words = max(1, linked.content)
    return {
        "unlinked": min(4.0, float(len(linked.unlinked))),
        "unlinked_share": len(linked.unlinked) / words,
        "missed": float(missed),
        "numbers_missed": float(
            sum(m.letter == "N" for m in linked.mentions)
            - len([c for c in (*query.where, *query.having) if isinstance(c.right, (int, float, tuple))])
            - (query.limit is not None and query.limit > 1)
        ),
        "tables_missed": float(len(tables - used - inner)),
        "tables_unasked": float(len(used - tables)),
        "words": min(40, len(linked.tokens)) / 10,
        "mentions": len(linked.mentions) / 5,
        "select": float(len(query.select)),
        "where": float(len(query.where)),
        "group": float(bool(query.group)),
        "having": float(bool(query.having)),
        "order": float(bool(query.order)),
        "count_order": float(any(e.agg for e, _ in query.order)),
        "limit": float(query.limit is not None),
        "agg": float(any(e.agg for e in query.select)),
        "nested": float(bool(inner)),
        "distinct": float(query.distinct),
        "set": float(bool(query.set_op)),
        "weakest": min([m.columns[0][0] if m.columns else 1.0 for m in linked.mentions], default=1.0),
        "star_only": float(all(e.ref.column == "*" for e in query.select)),
        "literals": float(sum(m.letter == "Q" for m in linked.mentions)),
        "left_over": float(sum(w.isupper() and w.isalpha() and w not in _GRAMMAR for w in sketch.rest.split())),
        "negation": float(" not " in f" {linked.line} "),
    }  # fmt: skip


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    return {str(key): float(value) for key, value in json.loads(text).items()}
