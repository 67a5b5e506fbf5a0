# ruff: noqa: E501 (patterns read best on one line)
"""The grammar of questions over data: clauses are recognised one after the other, and what is left is what is asked for.

A question comes as a line of words and mentions (``how many T0 have C1 over N2``). Phrases that mean the same become
one token (GT, MAXS, EACH…), then each clause is taken out of the line, so an unknown turn of phrase spoils only itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from kbtui.data.nl2sql.query import Over

_ID: Final = r"([CTVNQ]\d+)"
_C: Final = r"([CT]\d+)"
_N: Final = r"(N\d+)"
_VAL: Final = r"([VQN]\d+)"
_BE: Final = r"(?:(?:is|are|was|were|be|has|have|had|of|the|a|an|in|value|values|equal|equals|to|with|named|called|as|=|:|from|on|at|for|that|by|labeled|titled|entitled|known) )*"

Agg = Literal["", "count", "sum", "avg", "min", "max"]
_AGGS: Final[dict[str, Agg]] = {
    "COUNT": "count", "SUM": "sum", "AVG": "avg", "MAXM": "max", "MINM": "min", "MAXS": "max", "MINS": "min",
}  # fmt: skip
_OPS: Final = {"GT": ">", "LT": "<", "GE": ">=", "LE": "<=", "NE": "!="}


@dataclass(slots=True)
class Item:
    """Something asked for: a mention, aggregated or not; no mention: rows are counted."""

    mention: str = ""
    agg: Agg = ""
    distinct: bool = False
    spread: Agg = ""
    """How what stands right before it is aggregated: "the average price and score"."""


@dataclass(slots=True)
class Filter:
    """A condition: ``mention`` may be empty where only the value is named."""

    mention: str
    op: str
    right: str
    high: str = ""
    agg: Agg = ""
    hint: str = ""
    negated: bool = False
    joined: str = "and"
    inside: list[str] = field(default_factory=list)
    """Mentions of conditions on what is compared with."""


@dataclass(slots=True)
class Sketch:
    """What was recognised, in terms of mentions."""

    select: list[Item] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    order: list[tuple[Item, bool]] = field(default_factory=list)
    limit: int | None = None
    limit_mention: str = ""
    superlative: tuple[str, str, bool] | None = None
    """Hint or mention or ``COUNT`` by which the first is taken, the mention counted, and whether the highest."""
    super_agg: Agg = ""
    lacks: list[tuple[str, list[str]]] = field(default_factory=list)
    deeper: list[Filter] = field(default_factory=list)
    """Conditions on what is lacking."""
    distinct: bool = False
    tables: list[str] = field(default_factory=list)
    both: bool = False
    rest: str = ""
    context: list[str] = field(default_factory=list)
    whole: bool = False
    """All columns are asked for."""
    bucket: str = ""
    over: Over = ""
    """A figure of each group beside the others."""
    by: str = ""
    """The column in "orders by kind": it groups them or orders them."""
    union: list[str] = field(default_factory=list)
    """Tables of which the same is asked."""
    picture: bool = False
    """A chart is asked for: one figure alone would be none."""


Fits = Callable[[str, str], bool]


def parse(line: str, fits: Fits = lambda _column, _value: True) -> Sketch:
    """The clauses of a canonical line; ``fits`` says whether a column may hold a value, both by mention."""
    return _Parser(line, fits).sketch


def _numbers(one: Filter) -> list[int]:
    """Where the mentions of a condition stand in the question."""
    names = [one.mention, one.right, one.high, *one.inside]
    return [int(name[1:]) for name in names if re.fullmatch(r"[CTVQN]\d+", name)]


class _Parser:
    def __init__(self, line: str, fits: Fits) -> None:
        self._fits = fits
        self.sketch = Sketch()
        self.line = self._whole = f" {line} "
        self._buckets()
        self._order()
        self._superlative()
        self._having()
        self._comparisons()
        self._lacking()
        self._values()
        self._alternatives(line)
        self._groups()
        self._select()

    def _take(self, pattern: str, mark: str = " | ") -> re.Match[str] | None:
        match = re.search(pattern, self.line)
        if match:
            self.line = self.line[: match.start()] + mark + self.line[match.end() :]
        return match

    def _take_fitting(self, pattern: str, value: int = 3) -> re.Match[str] | None:
        for match in re.finditer(pattern, self.line):
            if self._fits(match[2], match[value]):
                self.line = self.line[: match.start()] + " | " + self.line[match.end() :]
                return match
        return None

    def _buckets(self) -> None:
        if match := self._take(r"(?: EACH | by (?:the )?| per )(year|quarter|month|day)\b(?! [CT])", " "):
            self.sketch.bucket = match[1]
            self._beside_bucket(match)
        elif match := self._take(
            r" (?:which|what|the) (year|quarter|month|day)\b(?= (?:[a-z]+ ){0,3}the (?:MAXS|MINS)| with)", " which "
        ):
            self.sketch.bucket = match[1]
        elif match := self._take(r" (yearly|quarterly|monthly|daily|annually) ", " "):
            names = {"yearly": "year", "annually": "year", "quarterly": "quarter", "monthly": "month", "daily": "day"}
            self.sketch.bucket = names[match[1]]

    def _beside_bucket(self, after: re.Match[str]) -> None:
        """What stands beside a bucket groups as well: "by month and kind"."""
        if also := re.match(r"\s*(?:and|,)(?: by| EACH)?(?: the)? (C\d+)\b", self.line[after.start() :]):
            self.sketch.groups.append(also[1])
            at = after.start()
            self.line = f"{self.line[:at]} | each{also[1]} | {self.line[at + also.end() :]}"

    def _order(self) -> None:
        lead = r"(?: and| ,| then| when)*(?: order| ordered| sort| sorted| rank| ranked| arrange| arranged| list| listed| show| display| give| organized| ordering| sorting)?(?: the| them| it| your| all| results?| names?| lists?| in| these| and| output| by)*"
        by = r"(?: by| of| according to| based on| on| with respect to| in order of)"
        item = (
            r"(?: the| their| its| all| of| each| EACH)*((?: COUNT| SUM| AVG| DISTINCT)*)(?: the| of)*(?: T\d+(?= C))? "
            + _C
        )
        for pattern in (
            rf"{lead} (ASC|DESC)(?:{by}|){item}",
            rf"{lead}{by}{item}(?: of(?: the)? T\d+)?[ ,]*(?:and )?(?:in |from )?(ASC|DESC)",
            r" (?:ordered|order|sorted|sort|ranked|arranged)(?: the| them| results?| result| lists?| all| records?| names?)*"
            + by
            + item,
            r" in (?:the )?order of" + item,
        ):
            if match := self._take(pattern):
                groups = [group for group in match.groups() if group is not None]
                direction = next((g for g in groups if g in ("ASC", "DESC")), "ASC")
                mention = next(g for g in reversed(groups) if re.fullmatch(r"[CT]\d+", g))
                agg: Agg = next((_AGGS[w] for g in groups for w in g.split() if w in _AGGS), "")
                if agg == "" and mention[0] == "T":
                    # "Sort the names of all authors": what is shown is ordered.
                    self.line = self.line.replace(" | ", f" of {mention} | ", 1)
                    shown = re.search(rf"\bof (?:the |all |each )*{mention}\b", match[0])
                    self.sketch.order.append((Item("?" if shown else mention), direction == "DESC"))
                    return
                self.sketch.order.append((Item(mention, agg), direction == "DESC"))
                return
        if match := self._take(
            r"(?: and| ,| sorted| ordered| listed)*(?:(?: in the order of| in order of| by| of| on)(?: the| their| its| all)*)?((?: C\d+)?)(?: ,)? OBY_([a-z]+)_(MAXS|MINS)"
        ):
            # "By year, from the most recent to the oldest": a named column is ordered by, else the one that is meant.
            hint = match[1].strip() if re.search(r"\b(?:by|of|on|to)\b", match[0]) else ""
            if match[1] and not hint:
                self.line = self.line.replace(" | ", f"{match[1]} | ", 1)
            self.sketch.order.append((Item(hint or f"HINT_{match[2]}"), match[3] == "MAXS"))
            return
        if match := self._take(
            r"(?: and| ,)*(?: sort| order| list| sorted| ordered| listed| rank)*(?: the| them| results?| all| by)* (ASC|DESC)"
        ):
            self.sketch.order.append((Item("?"), match[1] == "DESC"))

    def _superlative(self) -> None:
        s = self.sketch
        if match := self._take(r" (?:the )?top " + _N):
            s.limit_mention = match[1]
            self.line, top = self.line[: match.start()], self.line[match.start() :]
            behind = r" (?:by|in terms of|with the|with|based on|ranked by) (?:the )?(?:MAXS )?((?:COUNT |SUM |AVG )?)"
            by = re.search(behind + _C, top)
            self.line += top[: by.start()] + " | " + top[by.end() :] if by else top
            if by:
                s.superlative = (by[2] if by[2][0] == "C" and "COUNT" not in by[1] else "COUNT", by[2], True)
                s.super_agg = _AGGS.get(by[1].strip(), "")
            elif by := self._take(r" (HINT_\w+) (MAXS|MINS)"):
                s.superlative = (by[1], "", by[2] == "MAXS")
            elif by := self._take(r" MAXS " + _C):
                s.superlative = (by[1], by[1], True)
            else:
                s.superlative = ("?", "", True)
            return
        limit = r"(?:" + _N + r" )?"
        if match := self._take(r" (?:the )?" + limit + r"(COMMON|RARE)(?: (?:number of|type of|of))? " + _C):
            s.limit_mention = match[1] or ""
            s.superlative = ("COMMON", match[3], match[2] == "COMMON")
            self.line = self.line.replace(" | ", f" {match[3]} ", 1)
            return
        if match := self._take(r" (MAXS|MINS) times\b"):
            s.superlative = ("COMMON", "", match[1] == "MAXS")
            return
        if match := self._take(r" (COMMON|RARE)\b"):
            s.superlative = ("COMMON", "", match[1] == "COMMON")
            return
        have = r"((?: (?:with|have|has|had|having|whose|that|which|who|by|of|is|are|was|were|in|made|for|to|made|did|got))*(?: (?!MAXS|MINS|MAXM|MINM|N\d)[a-z]+)??(?: the| a| an)*)"
        pattern = (
            rf"{have} {limit}((?:HINT_\w+ )?)(MAXS|MINS|MAXM|MINM)((?: COUNT| SUM| AVG| of| the| DISTINCT| number| amount)*) "
            + _C
        )
        if few := re.match(r" ((?:[a-z]+ ){0,4})(N\d+) (T\d+)\b(?=.* (?:MAXS|MINS)\b)", self.line):
            # "The two products with the highest price".
            s.limit_mention = few[2]
            self.line = f" {few[1]}{few[3]}{self.line[few.end() :]}"
        match = re.search(pattern, self.line)
        if match and re.search(r"(?:GT|LT|GE|LE|NE)(?: the| a)*$", self.line[: match.start(4)].rstrip()):
            # What something is compared with.
            match = None
        if match:
            lead, many, hint, kind, aggs, mention = match.groups()
            strong = bool(re.search(r"\b(?:with|have|has|had|having|whose|by|made|got)\b", lead or ""))
            head = not re.search(r"[CT]\d", self.line[: match.start()])
            as_agg = kind in ("MAXM", "MINM", "MAXS", "MINS") and not strong and head and mention[0] == "C" and not many
            if hint and not re.search(r"[CT]\d", self.line[match.end() :]) and head:
                as_agg = False
            if as_agg or (kind[-1] == "M" and not strong):
                return
            desc = kind.startswith("MAX")
            self.line = self.line[: match.start()] + (" | " if not hint else f" {mention} ") + self.line[match.end() :]
            s.limit_mention = many or s.limit_mention
            words = aggs.split()
            agg: Agg = next((_AGGS[w] for w in words if w in _AGGS), "")
            if hint:
                s.superlative = (hint.strip(), mention, desc)
            elif mention[0] == "T" and (
                by := self._take(
                    r" (?:in terms of|based on|according to|measured by|ranked by|by)(?: the| their| its)* (C\d+)"
                )
            ):
                s.superlative = (by[1], by[1], desc)
                self.line = self.line.replace(" | ", f" {mention} | ", 1)
            elif mention[0] == "T" or agg == "count" or "number" in words:
                s.superlative = ("COUNT", mention, desc)
            else:
                s.superlative, s.super_agg = (mention, mention, desc), agg
            return
        if match := self._take(r" (C\d+)(?: the)? (MAXS|MINS)(?= *(?:[|.?!,]|$))"):
            # "The employees who earn the most".
            s.superlative = (match[1], match[1], match[2] == "MAXS")
            return
        if match := re.search(r"(T\d+)(?: (?!T\d)\S+){0,4} (?:the )?(MAXS|MINS) [a-z]+(?= *(?:[|.?!,]|$))", self.line):
            # "Who hosted the most events": what is counted has no name here, so rows are.
            s.superlative = ("COUNT", match[1], match[2] == "MAXS")
            at = self.line.index(match[2], match.start())
            self.line = self.line[:at].removesuffix("the ") + "| " + self.line[match.end() :]
            return
        if match := self._take(rf" {limit}((?:HINT_\w+)) (MAXS|MINS)"):
            s.limit_mention = match[1] or ""
            s.superlative = (match[2], "", match[3] == "MAXS")

    def _having(self) -> None:
        s = self.sketch
        while match := self._take(
            r" (?:the |a )*(?:COUNT|AVG|SUM)((?: of| the)*) "
            + _C
            + r" (?:(?:is|are|was|were|being|to|of|be|in|T\d+) )*(GT|LT|GE|LE) "
            + _N
        ):
            word = match[0].split()
            agg = next(_AGGS[w] for w in word if w in _AGGS)
            s.having.append(Filter(match[2], _OPS[match[3]], match[4], agg=agg))
        pattern = (
            r"(?: (?:with|have|has|had|having|that|which|who|by|in|contain|are|is|were|was|a))*(?: exactly| only)?(?: (GT|LT|GE|LE))? "
            + _N
            + r"(?: different| distinct| DISTINCT| of)* (times|[CT]\d+|HAS|records?|entries)\b"
        )
        while match := re.search(pattern, self.line):
            if (
                match[1] is None
                and not re.search(r"\b(?:have|has|had|with|having|exactly|only|contain)\b", match[0])
                and match[3] != "times"
            ):
                break
            if match[3][0] == "C" and (match[1] is None or self._fits(match[3], match[2])):
                break
            self.line = self.line[: match.start()] + " | " + self.line[match.end() :]
            target = match[3] if match[3][0] in "CT" else ""
            s.having.append(Filter(target, _OPS.get(match[1] or "", "="), match[2], agg="count"))
        while match := self._take(r" (?:with|have|has|had|having)(?: a| the)* (T\d+) (GT|LT|GE|LE) " + _N):
            s.having.append(Filter(match[1], _OPS[match[2]], match[3], agg="count"))
        if match := self._take(r" (?:(?:GT|MAXS) )?(?:more than once|GT once)"):
            s.having.append(Filter("", ">", "1", agg="count"))

    def _comparisons(self) -> None:
        s = self.sketch
        skip = r"(?:(?:is|are|was|were|be|being|of|a|an|the|that|which|has|have|in|to|value|values|,|with|its|their|whose|by|T\d+|made) )*"
        op = r"((?:HINT_\w+ )?)(GT|LT|GE|LE|NE)"
        whole = r"(AVG|MAXM|MINM|MAXS|MINS|all|any)(?: (?:of|the|all|for|value|among))*((?: [CT]\d+)?)"
        # What is compared with may have conditions of its own: "the lowest price of any wine made in 2006".
        own = r"((?: (?!and\b|or\b|but\b|who\b)(?:[a-z]+|[CT]\d+)){0,8} [VQN]\d+)?"
        for lead in (rf" {_C} {skip}", " "):
            while match := self._take(rf"{lead}{op} {skip}(?:(?:C\d+) of )?(?=(?:AVG|MAX|MIN|all|any)){whole}{own}"):
                *named, hint, sign, agg, of, inside = match.groups()
                found = re.findall(r"[CTVQN]\d+", inside or "")
                kind: Agg = _AGGS.get(agg, "max" if sign in ("GT", "GE") else "min")
                if agg in ("all", "any") and not found:
                    continue
                s.filters.append(
                    Filter(
                        named[0] if named else "",
                        _OPS[sign],
                        "AGG",
                        of.strip(),
                        agg=kind,
                        hint=hint.strip(),
                        inside=found,
                    )
                )
        while match := self._take(rf" {_C} {skip}BETWEEN {_ID} {_ID}") or self._take(rf"( )BETWEEN {_ID} {_ID}"):
            s.filters.append(Filter(match[1].strip(), "between", match[2], match[3]))
        while match := self._take(rf" (C\d+) {skip}{op} {skip}([NQV]\d+) or {skip}{op} {skip}([NQV]\d+)"):
            s.filters.append(Filter(match[1], _OPS[match[3]], match[4]))
            s.filters.append(Filter(match[1], _OPS[match[6]], match[7], joined="or"))
        while match := self._take_fitting(
            rf" (or )?(?:(?:a|the|their|whose|with) )*(C\d+) {skip}{op} {skip}([NQV]\d+)", 5
        ):
            s.filters.append(Filter(match[2], _OPS[match[4]], match[5], joined="or" if match[1] else "and"))
        while match := self._take(
            rf" (C\d+) {skip}{op} {skip}(?:that (?:of|in) |the one in )?(?:the )?(C\d+)(?! (?:of )?[NVQ]\d)(?= *(?:[|.?!,]|and\b|or\b|of\b|in\b|for\b|$))"
        ):
            # Two columns of one row.
            s.filters.append(Filter(match[1], _OPS[match[3]], match[4]))
        be = r"(?:(?:is|are|was|were|of|by) )*"
        while match := self._take(
            rf" (C\d+) {be}{op} (?:(?:that|those|the one) of )?(?:(?:their|the|his|her|its) )*(T\d+)(?= *(?:[|.?!,]|$))"
        ):
            # "More than their manager": the same column of somebody else.
            s.filters.append(Filter(match[1], _OPS[match[3]], match[4]))
        while match := self._take(rf" {op} {skip}(C\d+) (?:of )?(N\d+)"):
            s.filters.append(Filter(match[3], _OPS[match[2]], match[4]))
        while match := self._take(
            rf" (or )?{op} {skip}([NQ]\d+)(?: (?!and|or|in|of)[a-z]+)?(?: in| of| on)?((?: C\d+)?)"
        ):
            s.filters.append(
                Filter(
                    match[5].strip(),
                    _OPS[match[3]],
                    match[4],
                    hint=match[2].strip(),
                    joined="or" if match[1] else "and",
                )
            )
        for word, shape in (("HAS", "%{}%"), ("STARTS", "{}%"), ("ENDS", "%{}")):
            while match := self._take(
                rf" {_C} (?:(?!C\d|T\d|V\d|Q\d|N\d|and )\S+ )*?(NOT )?{word} (?:(?:the|a|in|its|with|of|word|letter) )*([QVCN]\d+)"
            ) or self._take(
                rf" ((?:[CT]\d+)?) ?(NOT )?{word} (?:(?:the|a|with|letter) )*([QV]\d+)(?: in (?:the |their |its )*[CT]\d+)?"
            ):
                inside = re.search(r"in (?:the |their |its )*([CT]\d+)$", match[0])
                s.filters.append(
                    Filter(inside[1] if inside else match[1], "like", match[3], shape, negated=bool(match[2]))
                )
            if word not in self.line:
                continue

    def _lacking(self) -> None:
        s = self.sketch
        scope = r"((?: (?!\||[.?!;]|and (?:who|also|has|have|with)|, (?:and|but)|but)\S+){0,9})"
        while match := self._take(r" (?:(?:who|that|which|are|is|have|has|were|was) )*(NOT|WITHOUT)\b" + scope):
            inside = re.findall(r"[CTVQ]\d+", match[2])
            values = [m for m in inside if m[0] in "VQ"]
            names = [m for m in inside if m[0] in "TC"]
            if not inside:
                continue
            if re.search(r"NOT (?:null|empty)", match[0]):
                continue
            if values and match[1] == "NOT" and not any(m[0] == "T" for m in names):
                for value in values:
                    s.filters.append(Filter(names[0] if names else "", "!=", value, negated=True))
            else:
                s.lacks.append(
                    (
                        names[-1]
                        if match[1] == "WITHOUT" and len(names) == 1
                        else next((n for n in names if n[0] == "T"), names[0] if names else ""),
                        inside,
                    )
                )
                self._deeper(max(int(name[1:]) for name in inside))
        while match := self._take(rf" NE (?:the )?{_VAL}"):
            s.filters.append(Filter("", "!=", match[1], negated=True))

    def _deeper(self, last: int) -> None:
        """Conditions right behind what is lacking belong to it: "no mill built before 1850"."""
        for one in list(self.sketch.filters):
            first = min(_numbers(one), default=-1)
            between = re.search(rf"\b[CTVQN]{last}\b(.*?)\b[CTVQN]{first}\b", self._whole) if first > last else None
            if between and not re.search(r"\b(?:and|but|or|who|whose|that)\b|[,.?!;]", between[1]):
                self.sketch.filters.remove(one)
                self.sketch.deeper.append(one)

    def _values(self) -> None:
        s = self.sketch
        while match := self._take(r" (T\d+) (?:(?:number|id|is|=|whose) )*(N\d+)\b", mark=r" "):
            self.line = self.line.replace("  ", f" {match[1]} | ", 1)
            s.filters.append(Filter(match[1], "key", match[2]))
        if re.search(r"\bboth\b", self.line) or re.search(r"\band also\b|\bas well as\b", self.line):
            s.both = True
        while match := self._take_fitting(
            rf"(?<!COUNT)(?<!SUM)(?<!AVG)(?<!MAXM)(?<!MINM) (or )?(?:whose |with |the )*(C\d+) {_BE}{_VAL}(?: (?:T\d+ )?(or|and|,) {_BE}{_VAL})?(?: (or|and) {_BE}{_VAL})?"
        ):
            joined = "or" if match[1] else "and"
            s.filters.append(Filter(match[2], "=", match[3], joined=joined))
            more = [(match[4], match[5]), (match[6], match[7])]
            link = "or" if "or" in (match[4], match[6]) else "and"
            s.filters += [Filter(match[2], "=", value, joined=link) for word, value in more if word and value]
        while match := self._take(
            rf" (or )?(?:(?:from|in|of|on|at|for|by|named|called|is|are|the|a|=|with|to|as|during|than) )*{_VAL}"
        ):
            s.filters.append(Filter("", "=", match[2], joined="or" if match[1] else "and"))

    def _alternatives(self, line: str) -> None:
        """Two conditions with "or" between them are alternatives, whatever each is about."""

        placed = sorted(((_numbers(one), one) for one in self.sketch.filters if _numbers(one)), key=lambda p: min(p[0]))
        for (before, _), (here, one) in pairwise(placed):
            if max(before) >= max(here):
                continue
            between = re.search(rf"\b[CTVQN]{max(before)}\b(.*?)\b[CTVQN]{max(here)}\b", line)
            if between and re.search(r"\bor\b", between[1]) and not re.search(r"\band\b", between[1]):
                one.joined = "or"
        if any(one.joined == "or" for _, one in placed):
            rest = [one for one in self.sketch.filters if not _numbers(one)]
            self.sketch.filters = [one for _, one in placed] + rest

    def _groups(self) -> None:
        s = self.sketch
        if not s.groups and (
            match := re.match(
                r"^ (?:(?:list|show|find|give|the|all|of|draw|plot) )*(T\d+) by (?:the )?(C\d+) *[|.?!]? *$", self.line
            )
        ):
            s.by = match[2]
        while match := self._take(r" EACH (?:the |of |T\d+ 's )*" + _C, " EACHX "):
            s.groups.append(match[1])
            self.line = self.line.replace(" EACHX ", f" | each{match[1]} | ", 1)
        # "The number of orders by city": nothing is ordered or done by what stands there, so it groups.
        by = r"(?: by (?:the )?(?=C)|(?<=\d) by (?:the )?(?=T))([CT]\d+)(?= *(?:[|,.?!;]|and\b|$))"
        if (
            not s.groups
            and re.search(r" (?:COUNT|SUM|AVG|MAXM|MINM) ", self.line)
            and (match := self._take(by, " EACHX "))
        ):
            s.groups.append(match[1])
            self.line = self.line.replace(" EACHX ", f" | each{match[1]} | ", 1)

    def _select(self) -> None:
        s = self.sketch
        s.distinct = " DISTINCT " in self.line.replace("COUNT DISTINCT", "")
        s.rest = self.line
        sentences = [part for part in re.split(r" [.?!;] ", self.line) if re.search(r"[CT]\d|COUNT", part)]
        text = self.line
        asks = r"^[ |]*(?:list|show|give|return|find|report|tell|what|include|sort|provide)"
        last = sentences[-1].strip(" |") if len(sentences) > 1 else ""
        if re.match(asks, last) and re.search(r"C\d|COUNT|AVG", last):
            # "Which customers …? Give me their names.": the last sentence says what to show.
            text = sentences[-1]
            s.tables += re.findall(r"\bT\d+", " ".join(sentences[:-1]))
        if match := re.search(
            r" (C\d+) (?:of|for) (?:all |the |both )*(T\d+) (?:and|or) (?:all |the )*(T\d+) *[|.?!]? *$", text
        ):
            s.union = [match[1], match[2], match[3]]
        # "Candidate names" are the names of candidates.
        text = re.sub(r"(?<!COUNT)(?<!DISTINCT) (T\d+)((?: \|)*) (C\d+)\b", r" \3 of \1\2", text)
        head = re.split(
            r" (?:who|whose|that|which|where|having|when)(?= )", re.sub(r"^[ |]*(?:for |in )?which ", " ", text)
        )
        body = head[0] if re.search(r"[CT]\d|COUNT", head[0]) else text
        tail = text[len(body) :] if text.startswith(body) else " ".join(head[1:])
        token = re.compile(
            r"(COUNT|SUM|AVG|MAXM|MINM|MAXS|MINS)|(DISTINCT)|each([CT]\d+)|([CT]\d+)|(,|\band\b|\|)|(\bof\b|\bin\b|\bfor\b|\bby\b|\bfrom\b)"
        )
        aggs: list[Agg] = []
        distinct = False
        fresh = True
        for match in token.finditer(body):
            agg, unique, each, mention, comma, _ = match.groups()
            if agg:
                aggs.append(_AGGS[agg])
            elif unique:
                distinct = True
            elif each:
                fresh = not s.select
                s.select.append(Item(f"each{each}"))
            elif mention:
                if aggs:
                    several = [one for one in aggs if one != "count"] if len(aggs) > 1 and mention[0] == "C" else aggs
                    s.select += [Item(mention, one, distinct and one == "count") for one in several or aggs]
                    aggs, distinct = [], False
                elif s.select and not fresh:
                    s.context.append(mention)
                else:
                    before = s.select[-1] if s.select else Item()
                    s.select.append(Item(mention, spread=(before.agg or before.spread) if mention[0] == "C" else ""))
                fresh = False
            elif comma and match[0] != "|":
                if aggs == ["count"] and not distinct:
                    # "The number and average age of …": rows are counted.
                    s.select.append(Item("", "count"))
                    aggs = []
                fresh = True
            elif comma and not (len(s.select) == 1 and s.select[0].mention.startswith("each")):
                fresh = False
        if aggs:
            s.select += [Item("", one) for one in aggs if one == "count"]
        s.tables += [name for name in s.context if name[0] == "T"]
        s.tables += re.findall(r"\b(T\d+)", tail)
        s.whole = "ALLCOLS" in body
