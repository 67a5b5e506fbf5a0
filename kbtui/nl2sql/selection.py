"""Which mentions of a question are kept: each once, the best of a span and kind, and so many in all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.link_names import Link
from kbtui.nl2sql.query import Ref
from kbtui.question.model import TokenSpan

MOST_OF_A_KIND: Final = 8
"""Mentions of one kind over one span."""
MOST: Final = 150
"""Mentions of a question beside its numbers, periods and cues."""

_MOST_LINKS: Final = 48
_MENTIONED: Final = 0.2
_JOINED: Final = 0.08


class Selection(Struct, frozen=True):
    """Prefers mentions of tables that the question speaks of, then of those that join them.

    Attributes:
        near: Worth of tables beside the score of a mention.
    """

    catalogue: Catalogue
    near: dict[str, float]

    @classmethod
    def of(cls, catalogue: Catalogue, tables: frozenset[str]) -> Selection:
        """For a question that mentions ``tables``."""
        near = dict.fromkeys(tables, _MENTIONED)
        for edge in catalogue.edges:
            for table, other in ((edge.left.table, edge.right.table), (edge.right.table, edge.left.table)):
                if table in tables:
                    near.setdefault(other, _JOINED)
        return cls(catalogue, near)

    def links(self, links: Iterable[Link]) -> list[Link]:
        """The best links of each span, before they are composed."""
        by_span: dict[TokenSpan, list[Link]] = defaultdict(list)
        for link in links:
            by_span[link.span].append(link)
        kept: list[Link] = []
        for group in by_span.values():
            kept += group if len(group) <= _MOST_LINKS else nsmallest(_MOST_LINKS, group, key=self._link_cost)
        return kept

    def of_spans(self, mentions: Iterable[Mention], most: int) -> list[Mention]:
        """The best of each span and kind, counted how many others are as good."""
        groups: dict[tuple[TokenSpan, str], list[Mention]] = defaultdict(list)
        for mention in distinct(mentions):
            groups[mention.span, mention.kind].append(mention)
        kept: list[Mention] = []
        for group in groups.values():
            equal = Counter(round(mention.score, 2) for mention in group)
            for mention in nsmallest(most, group, key=self.cost):
                shared = equal[round(mention.score, 2)] - 1
                kept.append(mention if mention.shared == shared else replace(mention, shared=shared))
        return kept

    def cost(self, mention: Mention) -> tuple[float, ...]:
        """Sorts the best mentions first; of equal ones those of tables with more rows, roles last."""
        ref = mention.ref or Ref("", "")
        info = self.catalogue.tables.get(ref.table)
        if info is None:
            return (-mention.score,)
        return (-mention.score - self.near.get(ref.table, 0.0), bool(info.role_of), -info.rows)

    def _link_cost(self, link: Link) -> float:
        entry = link.posting.entry
        return -(link.score * link.posting.share + self.near.get(entry.ref.table, 0.0))


def distinct(mentions: Iterable[Mention]) -> Sequence[Mention]:
    """The best of the mentions that say the same of the same span."""
    best: dict[tuple[object, ...], Mention] = {}
    for mention in mentions:
        key = (
            mention.span, mention.kind, mention.ref, mention.order, mention.comparative,
            mention.values if mention.how == "quoted" else None, str(mention.cond) if mention.cond else None,
        )  # fmt: skip
        known = best.get(key)
        if known is None or mention.score > known.score:
            best[key] = mention
    return list(best.values())


def in_order(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """By first token, then the longest, then the best."""
    return tuple(sorted(mentions, key=lambda m: (m.span.first, -m.span.last, -m.score, m.kind)))
