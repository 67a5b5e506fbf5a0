"""A statement that a question may mean, and what of the question it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Query

Role = Literal["shown", "measure", "group", "filter", "order", "having", "limit", "subject", "operator"]
"""What a mention does in a statement: a ``subject`` is the table whose rows are listed or counted."""


class Use(NamedTuple):
    """A mention in its role."""

    mention: Mention
    role: Role


class Candidate(Struct, frozen=True, kw_only=True):
    """One reading of a question.

    Attributes:
        uses: The mentions it reads, in the order of the question; their spans do not overlap.
        unread: Indexes of the content tokens that it does not read and that need an account.
        light: Indexes of those that it does not read and need not (see `kbtui.nl2sql.redundant_words`).
        prior: What speaks for it by rule, higher is better, in no unit.
        traits: Named facts of how it was composed, features for the ranker: a default that was needed, a cue that was
            left without effect, the distance of a cue from what it governs.
    """

    query: Query
    uses: tuple[Use, ...]
    unread: tuple[int, ...] = ()
    light: tuple[int, ...] = ()
    prior: float = 0.0
    traits: Mapping[str, float] = field(default_factory=dict)
