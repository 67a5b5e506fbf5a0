"""What a Chinese question asks for: what is left of its line when all that narrows it down is taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.data.nl2sql.chinese_names import Names
from kbtui.data.nl2sql.grammar import Agg, Item

AGGREGATES: Final[dict[str, Agg]] = {
    "SUM": "sum",
    "AVG": "avg",
    "MAXM": "max",
    "MINM": "min",
    "MAX": "max",
    "MIN": "min",
}

_READ: Final = (
    r"[CTVQN]\d+|DE|AND|IS|HAVE|WHICH|COUNT|TALLY|AVG|SUM|MAXM|MINM|MONEY|DISTINCT|BREAK|TIMES|STOP|DONE|WITH|FOR|MIDST"
)
"""Codes that are read here or say nothing by themselves."""


class Asked(Names):
    """Reads what is asked for."""

    def _asked(self) -> None:
        s = self.sketch
        wanted: list[Item] = []
        context: list[str] = []
        aggs: list[Agg] = []
        counting = fresh = False
        distinct = " DISTINCT " in self.line
        codes = self.line.split()
        for position, code in enumerate(codes):
            if re.fullmatch(r"[CT]\d+", code):
                if not fresh and wanted and not wanted[-1].agg:
                    context.append(wanted.pop().mention)
                if aggs:
                    wanted += [Item(code, agg) for agg in aggs]
                elif counting:
                    wanted.append(self._count(code, distinct))
                else:
                    wanted.append(Item(code))
                aggs, counting, fresh = [], False, False
            elif code == "MONEY" and s.superlative is not None:
                continue
            elif code in ("AVG", "SUM", "MAXM", "MINM", "MONEY"):
                last = wanted[-1] if wanted else None
                if (
                    last is not None
                    and not last.agg
                    and self._numeric(last.mention)
                    and not re.match(r"[CT]\d", (codes[position + 1 :] or [""])[0])
                ):
                    # 收入和支出总计: each of those listed.
                    listed = [n for n, one in enumerate(wanted) if not one.agg and self._numeric(one.mention)]
                    for n in listed if code == "SUM" else listed[-1:]:
                        wanted[n] = Item(wanted[n].mention, AGGREGATES.get(code, "sum"))
                else:
                    aggs.append(AGGREGATES.get(code, "sum"))
            elif code in ("TALLY", "COUNT"):
                ahead = re.match(r"(?:DISTINCT |DE |TIMES |HAVE )*[CT]\d", " ".join(codes[position + 1 :]))
                if code == "COUNT" and ahead:
                    counting = True
                elif wanted and not wanted[-1].agg:
                    wanted[-1] = self._count(wanted[-1].mention, distinct)
                elif not wanted or code == "TALLY":
                    wanted.append(Item("", "count"))
            elif code in ("AND", "BREAK"):
                fresh = True
            elif code == "DE":
                fresh = False
        if aggs and not wanted:
            wanted = [Item("", "count")]
        self._shaped(wanted, context)
        s.distinct = s.distinct or (distinct and not any(item.agg for item in s.select))
        s.tables += [code for code in context if code[0] == "T"]
        # What no clause took is left over, and makes the reading doubtful.
        left = [code for code in codes if not re.fullmatch(_READ, code)]
        s.rest = " ".join(left)
        self._linked.unlinked += [said for code in left if (said := self._coded.sources.get(code))]

    def _count(self, code: str, distinct: bool) -> Item:
        if code[0] == "T":
            return Item(code, "count")
        if self._numeric(code):
            return Item(code)
        # 客户来自多少个国家: there are as many as there are different ones.
        return Item(code, "count", distinct or bool(self._told))

    def _shaped(self, wanted: list[Item], context: Sequence[str]) -> None:
        s = self.sketch
        grouped = bool(s.groups or s.bucket)
        own = [item for item in wanted if item.mention[:1] == "C"]
        shaped: list[Item] = []
        for item in wanted:
            code = item.mention
            if item.agg or not code:
                shaped.append(item)
            elif code in s.groups:
                continue
            elif grouped and s.superlative is None and code[0] == "T":
                if not own or not any(self._table(other.mention) == self._table(code) for other in own):
                    shaped.append(Item(code, "count"))
                else:
                    s.tables.append(code)
            elif grouped and self._numeric(code) and not self._of_group(code):
                shaped.append(Item(code, self._of_many(code)))
            elif code[0] == "T" and any(not o.agg and self._table(o.mention) == self._table(code) for o in own):
                s.tables.append(code)
            elif len(wanted) == 1 and self._summed(code) and s.superlative is None and self._whole_of(context):
                shaped.append(Item(code, "sum"))
            else:
                shaped += [Item(name) for name in self._person(code, context)]
        if not shaped and not s.select and grouped and s.superlative is None:
            tables = [code for code in context if code[0] == "T"]
            shaped.append(Item(tables[-1] if tables else "", "count"))
        if (
            s.groups
            and s.superlative is None
            and s.groups[0][0] == "T"
            and len(who := self._person(s.groups[0], ())) > 1
        ):
            # Whose rows are counted is shown by both names.
            shaped = [*[Item(name) for name in who], *shaped]
        s.select += [item for item in shaped if item not in s.select]
        if " WHICH " in self.line and len(s.select) == 1 and s.superlative is None and not s.tables:
            # 有哪些国家: each only once.
            one = s.select[0]
            s.distinct = s.distinct or (one.mention[:1] == "C" and not one.agg and not self._naming(one.mention))

    def _of_group(self, code: str) -> bool:
        """Whether each group has one such number: the price of each product."""
        ref = self._ref(code)
        return (
            ref is not None
            and not self.sketch.bucket
            and all(
                group[0] == "T" and any(r.table == self._table(group) for _, r in self._mention(code).columns)
                for group in self.sketch.groups
            )
        )

    def _whole_of(self, context: Sequence[str]) -> bool:
        """Whether a measure is asked of all rows, not of one that is named."""
        s = self.sketch
        if " WHICH " in self.line or s.lacks or s.having:
            return False
        for one in s.filters:
            if one.right[:1] == "V":
                refs = [ref for _, ref, _ in self._mention(one.right).values]
                if refs and all(ref == self._model.display(ref.table) for ref in refs) and not self._told:
                    return True
                if refs and any(self._model.display(table) in refs for table in self._told):
                    return False
        return not any(code[0] == "C" for code in context)
