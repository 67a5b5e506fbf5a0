"""Selects the mentions of a question that are kept: distinct ones, and the best of each span and kind."""

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
"""Mentions of one kind per span, at most."""
MOST: Final = 150
"""Mentions of a question beside its numbers, periods and cues, at most."""

_MAX_LINKS: Final = 48
_MENTIONED: Final = 0.2
_JOINED: Final = 0.08


class Selection(Struct, frozen=True):
    """Prefers mentions of tables that the question mentions, then of those that they join.

    Attributes:
        near: Bonus for the scores of mentions, by table.
    """

    catalogue: Catalogue
    bonus: dict[str, float]

    @classmethod
    def of(cls, catalogue: Catalogue, tables: frozenset[str]) -> Selection:
        """The selection for a question that mentions ``tables``."""
        bonus = dict.fromkeys(tables, _MENTIONED)
        for edge in catalogue.edges:
            for table, neighbour in ((edge.left.table, edge.right.table), (edge.right.table, edge.left.table)):
                if table in tables:
                    bonus.setdefault(neighbour, _JOINED)
        return cls(catalogue, bonus)

    def links(self, links: Iterable[Link]) -> list[Link]:
        """The best links of each span, before they are merged."""
        by_span: dict[TokenSpan, list[Link]] = defaultdict(list)
        for link in links:
            by_span[link.span].append(link)
        selected: list[Link] = []
        for group in by_span.values():
            selected += group if len(group) <= _MAX_LINKS else nsmallest(_MAX_LINKS, group, key=self._link_cost)
        return selected

    def of_spans(self, mentions: Iterable[Mention], most: int) -> list[Mention]:
        """The best mentions of each span and kind, at most ``most``, with the number of equally good ones."""
        groups: dict[tuple[TokenSpan, str], list[Mention]] = defaultdict(list)
        for mention in distinct(mentions):
            groups[mention.span, mention.kind].append(mention)
        selected: list[Mention] = []
        for group in groups.values():
            count_by_score = Counter(round(mention.score, 2) for mention in group)
            for mention in nsmallest(most, group, key=self.cost):
                shared = count_by_score[round(mention.score, 2)] - 1
                selected.append(mention if mention.shared == shared else replace(mention, shared=shared))
        return selected

    def cost(self, mention: Mention) -> tuple[float, ...]:
        """Sort key: best mentions first; of equal ones, those of larger tables first and roles last."""
        ref = mention.ref or Ref("", "")
        info = self.catalogue.tables.get(ref.table)
        if info is None:
            return (-mention.score,)
        return (-mention.score - self.bonus.get(ref.table, 0.0), bool(info.role_of), -info.rows)

    def _link_cost(self, link: Link) -> float:
        entry = link.posting.entry
        return -(link.score * link.posting.share + self.bonus.get(entry.ref.table, 0.0))


def distinct(mentions: Iterable[Mention]) -> Sequence[Mention]:
    """Of mentions with the same meaning of the same span, the best one."""
    best: dict[tuple[object, ...], Mention] = {}
    for mention in mentions:
        key = (
            mention.span, mention.kind, mention.ref, mention.order, mention.comparative,
            mention.values if mention.how == "quoted" else None, str(mention.cond) if mention.cond else None,
        )  # fmt: skip
        best_known = best.get(key)
        if best_known is None or mention.score > best_known.score:
            best[key] = mention
    return list(best.values())


def in_order(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Mentions sorted by first token, then longest first, then best first."""
    return tuple(sorted(mentions, key=lambda m: (m.span.first, -m.span.last, -m.score, m.kind)))
