"""A statement that a question may mean, with the parts of the question that it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Query

Role = Literal["shown", "measure", "group", "filter", "order", "having", "limit", "subject", "operator"]
"""The role of a mention in a statement; a ``subject`` is the table whose rows are listed or counted."""


class Use(NamedTuple):
    """A mention with its role in a statement."""

    mention: Mention
    role: Role


class Candidate(Struct, frozen=True, kw_only=True):
    """One reading of a question.

    Attributes:
        uses: The mentions it reads, in the order of the question; their spans do not overlap.
        unread: Indexes of the content tokens that it should read and does not.
        light: Indexes of the content tokens that it need not read (see `kbtui.nl2sql.redundant_words`).
        prior: Score by rules, higher is better, without a unit.
        traits: Facts about its composition by name, which are features for the ranker: defaults that were needed, cues
            without effect, the distance of a cue from what it applies to.
    """

    query: Query
    uses: tuple[Use, ...]
    unread: tuple[int, ...] = ()
    light: tuple[int, ...] = ()
    prior: float = 0.0
    traits: Mapping[str, float] = field(default_factory=dict)
