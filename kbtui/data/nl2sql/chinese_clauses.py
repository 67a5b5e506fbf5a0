# ruff: noqa: E501 (patterns read best on one line)
"""What the words of a Chinese question do to each other, as the clauses that a query is made of.

The question comes as a line of codes (``EACH C0 DE T1 TALLY``). As in `grammar`, each clause is recognised and taken out
of the line, the narrowing ones first, and what is left is what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from kbtui.data.nl2sql.chinese_asked import AGGREGATES, Asked
from kbtui.data.nl2sql.chinese_line import Coded, added
from kbtui.data.nl2sql.grammar import Agg, Filter, Item, Sketch
from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.query import Over, Query
from kbtui.data.nl2sql.resolve import Candidate

_X: Final = r"([CT]\d+)"
_N: Final = r"(N\d+)"
_V: Final = r"([VQ]\d+)"
_OP: Final = r"(GT|GE|LT|LE)"
_OPS: Final = {"GT": ">", "GE": ">=", "LT": "<", "LE": "<="}
_AGG: Final = r"((?:SUM |AVG )?)"
_LINK: Final = r"(?: (?:DE|IS|HAVE|BETWEEN))*"


def clauses(coded: Coded, model: SchemaModel) -> Sketch:
    """The clauses of a line."""
    return _Reader(coded, model).sketch


def fitting(candidates: Iterable[Candidate], over: Over, model: SchemaModel) -> list[Candidate]:
    """Candidates that leave out no condition that another one says, and put the right rows together.

    Args:
        candidates: Of the question without the figure that compares its groups.
        over: That figure, which every candidate gets beside the one it is computed from.
        model: The schema.
    """
    if over:
        candidates = [
            replace(c, query=wide) for c in candidates if (wide := _compared_groups(c.query, over)) is not None
        ]
    good = [c for c in candidates if _grouped_well(c.query, bool(c.features.get("by_name")), model)]
    most = max((_conditions(c.query) for c in good), default=0)
    return [c for c in good if _conditions(c.query) == most or c.query.set_op]


def _compared_groups(query: Query, over: Over) -> Query | None:
    """The query with a column more; None where there are no groups to compare."""
    figure = next((item for item in reversed(query.select) if item.agg), None)
    if figure is None or not query.group or (over == "change" and not _in_order(query)):
        return None
    return replace(query, select=(*query.select, replace(figure, over=over)))


def _in_order(query: Query) -> bool:
    first = query.group[0]
    return bool(first.bucket) or "year" in first.ref.column.lower() or "month" in first.ref.column.lower()


def _conditions(query: Query) -> int:
    return len(query.where) + len(query.having)


def _grouped_well(query: Query, by_name: bool, model: SchemaModel) -> bool:
    """Whether rows are put together by who or what they are: two customers of one name are two, but a city is one."""
    if len(query.group) != 1 or any(item.bucket for item in query.group):
        return True
    group = query.group[0].ref
    plain = [item.ref for item in query.select if not item.agg and item.ref in model.columns]
    named = [
        ref
        for ref in plain
        if ref == model.display(ref.table) or {"first", "last", "name"} & set(model.columns[ref].words)
    ]
    if by_name:
        return group not in named or model.key(group.table) is None
    return group in plain or bool(named) or group not in [model.key(ref.table) for ref in plain]


class _Reader(Asked):
    def __init__(self, coded: Coded, model: SchemaModel) -> None:
        super().__init__(coded, model)
        self._beside_others()
        self._periods()
        self._sorting()
        self._superlatives()
        self._comparisons()
        self._lacking()
        self._patterns()
        self._shared_out()
        self._groups()
        self._values()
        self._asked()

    def _take(self, pattern: str, mark: str = " ") -> re.Match[str] | None:
        match = re.search(pattern, self.line)
        if match:
            self.line = f"{self.line[: match.start()]}{mark}{self.line[match.end() :]}"
            self.line = f" {' '.join(self.line.split())} "
        return match

    def _sub(self, pattern: str, to: str) -> None:
        self.line = f" {' '.join(re.sub(pattern, to, self.line).split())} "

    def _beside_others(self) -> None:
        """占比 and 环比 are figures of a group beside the others."""
        if match := self._take(r" (?:DE )?(SHARE|CHANGE_previous)"):
            self.sketch.over = "share" if match[1] == "SHARE" else "change"
        elif not re.search(r" PER_(?!year)", self.line) and self._take(r" (?:DE )?CHANGE_year"):
            # From one year to the next is from one period to the next; by months it would need the year before.
            self.sketch.over = "change"
            if " PER_" not in self.line and not re.search(r" (?:EACH|BY) ", self.line):
                self.line = f" PER_year{self.line}"
        if self.sketch.over == "change" and " PER_" not in self.line and not re.search(r" (?:EACH|BY) ", self.line):
            self.line = f" PER_month{self.line}"

    def _periods(self) -> None:
        if match := self._take(r" (?:WHICH )?PER_(year|quarter|month|day)\b(?: DE)?"):
            held = self._calendar(match[1])
            if held:
                self.sketch.groups.append(held)
            else:
                self.sketch.bucket = match[1]
        self._sub(r"(N\d+)((?: TIMES)?) ORMORE", r" GE \1\2 ")
        self._sub(r"(N\d+)((?: TIMES)?) ORLESS", r" LE \1\2 ")
        self._sub(r"([NQ]\d+) AFTER", r" GT \1 ")
        self._sub(r"([NQ]\d+) BEFORE", r" LT \1 ")

    def _sorting(self) -> None:
        s = self.sketch
        if match := self._take(
            rf" BY {_AGG}(?:[CT]\d+ (?:DE )?)*?{_X}((?: TALLY)?)(?: DE)?(?: SORT)? (DESC|ASC)(?: SORT)?"
        ) or self._take(rf" BY {_AGG}(?:[CT]\d+ (?:DE )?)*?{_X}((?: TALLY)?) SORT( )?"):
            counted = bool(match[3]) or match[2][0] == "T"
            agg: Agg = "count" if counted else AGGREGATES.get(match[1].strip(), "")
            s.order.append((Item(match[2], agg), match[4] != "ASC"))
        elif match := self._take(r" (?:SORT )?(DESC|ASC)(?: SORT)?"):
            s.order.append((Item("@y"), match[1] == "DESC"))
        self._sub(r" SORT ", " ")

    def _superlatives(self) -> None:
        s = self.sketch
        self._sub(r" (GT|GE|LT|LE) (?:HAVE|IS)(?= )", r" \1 ")
        self._several()
        if match := self._take(rf" (?:BY )?{_AGG}{_X}((?: (?:TALLY|SUM))?)(?: DE)? (TOP|BOTTOM) {_N}(?: DE)?", " DE "):
            s.limit_mention = match[5]
            self._first(match[2], match[1] + match[3], match[4] == "TOP")
        elif match := self._take(rf" (TOP|BOTTOM) {_N}(?: DE)?"):
            s.limit_mention = match[2]
            if by := self._take(rf" BY {_AGG}{_X}((?: (?:TALLY|SUM))?)(?= )"):
                self._first(by[2], by[1] + by[3], match[1] == "TOP")
        if s.superlative is None:
            self._extreme()
        if s.superlative is None and s.limit_mention and not s.order:
            s.superlative = ("?", "", True)

    def _several(self) -> None:
        """最大、最小和平均金额; 金额的最大值和最小值."""
        kinds = "MAX|MIN|MAXM|MINM|AVG|SUM"
        if match := self._take(
            rf"((?: (?:{kinds}|AND))+ (?:{kinds})(?: DE)?)((?: T\d+)*(?: DE)?) (C\d+)(?! (?:DE )?[CT]\d)", " DONE "
        ):
            self._items(match[1], match[3], match[2])
            return
        if match := self._take(
            rf"((?: T\d+(?: DE)?)?) (C\d+)(?: DE)?((?: (?:{kinds}|AND))*(?: (?:MAXM|MINM))(?: (?:{kinds}|AND))*)",
            " DONE ",
        ):
            self._items(match[3], match[2], match[1])
            return
        while match := re.search(r" (MAX|MIN) (?:DE )?(C\d+)(?! (?:DE )?[CT]\d)", self.line):
            if not self._numeric(match[2]):
                break
            if re.search(r" WHICH T\d+", self.line[: match.start()]):
                break
            self.line = self.line.replace(match[0], f" {match[1]}M {match[2]}", 1)

    def _items(self, kinds: str, measure: str, owner: str) -> None:
        if not self._numeric(measure) and not self._dated(measure):
            return
        self.sketch.select += [Item(measure, AGGREGATES[kind]) for kind in kinds.split() if kind in AGGREGATES]
        self.sketch.tables += owner.split()[:1]

    def _extreme(self) -> None:
        s = self.sketch
        number = rf"(?:(?:DE )?{_N} )?"
        if match := re.search(
            rf" {_AGG}{_X}((?: (?:TALLY|SUM))?)(?: (?:IS|HAVE))* {number}(?:HINT_\w+ )?(MAX|MIN|MOST|LEAST|BEST|WORST)(?: DE)?(?: {_N})?(?= )",
            self.line,
        ):
            aggs, by, tally, before, kind, after = match.groups()
            hint = re.search(r"HINT_\w+", match[0])
            rest = self.line[match.end() :]
            named = by[0] == "T" and not tally and hint is not None
            about = kind in ("MAX", "MIN") and hint is not None and by[0] == "C"
            if not named and not (about and not self._numeric(by) and not self._dated(by)):
                self.line = f"{self.line[: match.start()]} DE {rest}"
                s.limit_mention = s.limit_mention or before or after or ""
                self._first(by, aggs + tally, kind in ("MAX", "MOST", "BEST"), high=kind in ("MAX", "MIN"))
                return
        if match := re.search(rf" (HINT_\w+) (MAX|MIN)(?: DE)?(?: {_N})?(?: DE)?(?: {_X})?", self.line):
            hint_word, kind, number_code, by = match.groups()
            s.limit_mention = s.limit_mention or number_code or ""
            keep = f" {by} " if by else " "
            if (
                by
                and by[0] == "C"
                and (self._numeric(by) or self._dated(by))
                and not re.search(r"[CT]\d", self.line[match.end() :])
            ):
                self.line = f"{self.line[: match.start()]} {kind}M{keep}{self.line[match.end() :]}"
                return
            target = by or next(iter(re.findall(r"[CT]\d+", self.line)), "")
            found = self._about(hint_word.removeprefix("HINT_"), self._table(target) if target else "")
            if found is not None:
                column = added(self._linked, found[0], "")
                s.superlative = (column, column, (kind == "MAX") != found[1])
            else:
                s.superlative = (hint_word, target, kind == "MAX")
            self.line = f"{self.line[: match.start()]}{keep}{self.line[match.end() :]}"
            return
        if match := re.search(
            rf" (?:HAVE )?(MAX|MIN|MOST|LEAST|BEST|WORST)(?: DE)? {_X}((?: TALLY)?)(?: DE)?(?= )", self.line
        ):
            kind, by, tally = match.groups()
            others = re.search(r"[CT]\d", self.line[: match.start()] + self.line[match.end() :])
            self.line = f"{self.line[: match.start()]} DE {self.line[match.end() :] if others else f' {by} '}"
            self._first(by, tally, kind in ("MAX", "MOST", "BEST"), high=kind in ("MAX", "MIN"))

    def _first(self, by: str, how: str, desc: bool, high: bool = False) -> None:
        """Take the first by a measure: of one row, of its sum or mean, or by how many rows there are.

        Where something is ``high`` (评分最高), it is no table's rows that are many, but its measure.
        """
        s = self.sketch
        if high and by[0] == "T" and "TALLY" not in how and (measure := self._measure_of(by)):
            by = measure
        if "TALLY" in how or by[0] == "T" or not (self._numeric(by) or self._dated(by)):
            s.superlative = ("COUNT", by, desc)
            return
        s.superlative = (by, by, desc)
        s.super_agg = next((AGGREGATES[word] for word in how.split() if word in AGGREGATES), "")
        if s.super_agg or self._dated(by):
            return
        shown = re.findall(r"[CT]\d+", self.line)
        entity = next((code for code in shown if code[0] == "T"), "") if not shown or shown[-1][0] != "C" else shown[-1]
        if s.bucket or (entity and self._grouped(entity, by)):
            s.super_agg = self._of_many(by)

    def _comparisons(self) -> None:
        s = self.sketch
        while (
            match := self._take(rf" {_AGG}(?:([CT]\d+)((?: TALLY)?){_LINK} )?(?:BETWEEN )?{_N} (?:TO) {_N}(?: MIDST)?")
            or self._take(rf" {_AGG}(?:([CT]\d+)((?: TALLY)?){_LINK} )?BETWEEN {_N} (?:AND) {_N}(?: MIDST)?")
            or self._take(rf" {_AGG}(?:([CT]\d+)((?: TALLY)?){_LINK} )?{_N} AND {_N} MIDST")
        ):
            _, by, _, low, high = match.groups()
            self._between(by or "", low, high)
        while match := self._take(
            rf" {_AGG}{_X}{_LINK} {_OP}{_LINK}(?: T\d+)?(?: DE)? AVG(?: [CT]\d+)?(?: DE)?(?: [C]\d+)?"
        ):
            s.filters.append(Filter(match[2], _OPS[match[3]], "AGG", match[2], agg="avg"))
        while match := self._take(
            rf" {_AGG}{_X}((?: (?:TALLY|SUM))?){_LINK}(?: IS)? {_OP} {_N}((?: TIMES)?)(?! [CT]\d+ (?:DE|AND))(?! T\d+ $)"
        ):
            aggs, by, tally, op, number, times = match.groups()
            self._compared(by, aggs + tally, op, number, bool(times))
        while match := self._take(rf"(?: HAVE)? {_OP} {_N}(?: TIMES)? {_X}((?: TALLY)?)"):
            op, number, by, _ = match.groups()
            self._compared(by, "", op, number, False)
        while match := self._take(rf"(?: HAVE)? {_OP} {_N} TIMES"):
            s.having.append(Filter("", _OPS[match[1]], match[2], agg="count"))
        while match := self._take(rf"(?: (C\d+))?{_LINK} {_OP} (Q\d+)"):
            mention = self._mention(match[3])
            if mention.literal and ".." in mention.literal:
                # After a month is after its last day, before it is before its first.
                mention.literal = mention.literal.split("..")[match[2] in ("GT", "LE")]
            s.filters.append(Filter(match[1] or "", _OPS[match[2]], match[3]))
        while match := self._take(rf" {_OP} {_N}"):
            self._bare(match[1], match[2])
        while match := self._take(rf" (?:HAVE )?{_N} TIMES(?! TALLY)"):
            s.having.append(Filter("", "=", match[1], agg="count"))
        while match := self._take(rf" HAVE {_N} (T\d+)"):
            s.having.append(Filter(match[2], "=", match[1], agg="count"))

    def _compared(self, by: str, how: str, op: str, number: str, times: bool) -> None:
        s = self.sketch
        aggs = [word for word in how.split() if word in AGGREGATES]
        if "TALLY" in how or times or (by[0] == "T" and not aggs):
            s.having.append(Filter(by, _OPS[op], number, agg="count"))
        elif aggs:
            s.having.append(Filter(by, _OPS[op], number, agg=AGGREGATES[aggs[0]]))
        else:
            self._converted(by, number)
            s.filters.append(Filter(by, _OPS[op], number))

    def _between(self, by: str, low: str, high: str) -> None:
        by = by or self._column_for(self._coded.units.get(high, ""))
        if by:
            self._coded.units.setdefault(low, self._coded.units.get(high, ""))
            self._converted(by, low)
            self._converted(by, high)
        self.sketch.filters.append(Filter(by, "between", low, high))

    def _bare(self, op: str, number: str) -> None:
        by = self._column_for(self._coded.units.get(number, ""))
        if by:
            self._converted(by, number)
        self.sketch.filters.append(Filter(by, _OPS[op], number))

    def _lacking(self) -> None:
        s = self.sketch
        if match := self._take(rf" {_X} EMPTY"):
            s.lacks.append((match[1], [match[1]]))
        while match := self._take(r" WITHOUT(?: (?:HAVE|IS))*((?: (?:[CTVQ]\d+|AND|OR))+)(?: EMPTY)?"):
            inside = re.findall(r"[CTVQ]\d+", match[1])
            names = [code for code in inside if code[0] in "CT"]
            target = next((code for code in names if code[0] == "T"), names[0] if names else "")
            entity = next(iter(re.findall(r"T\d+", self.line)), "")
            if len(names) > 1 and names[0][0] == "C" and not entity:
                # 没有取件日期的包裹 without 的: what is asked for stands last.
                target = names[0]
                self.line = f"{self.line.rstrip()} {names[-1]} "
                inside = [code for code in inside if code != names[-1]]
            elif len(names) == 2 and not re.search(r"[CT]\d", self.line):
                target, inside = names[0], [code for code in inside if code != names[-1]]
                self.line = f"{self.line.rstrip()} {names[-1]} "
            s.lacks.append((target, inside))
        while match := self._take(rf"(?: {_X})?(?: IS)? NOT(?: IS)?(?: [C]\d+)? {_V}"):
            s.filters.append(Filter(match[1] if match[1] and match[1][0] == "C" else "", "!=", match[2], negated=True))
            if match[1] and match[1][0] == "T":
                self.line = f" {match[1]}{self.line}"

    def _patterns(self) -> None:
        s = self.sketch
        for word, shape in (("HAS", "%{}%"), ("STARTS", "{}%"), ("ENDS", "%{}")):
            lead = r"(?: (?:WITH|IS|DE))*"
            pattern = rf"(?: {_X})?{lead} HAS {_V}" if word == "HAS" else rf"(?: {_X})?{lead} {_V} (?:DE )?{word}"
            while match := self._take(pattern):
                s.filters.append(Filter(match[1] or "", "like", match[2], shape))

    def _shared_out(self) -> None:
        """S和M各多少: one row for each of the values named."""
        if not re.search(r" (?:RESP|EACH)(?= (?:COUNT|HAVE|DE|TALLY|IS|$|[CT]\d+ TALLY))| RESP ", self.line):
            return
        several = re.search(rf" {_V}(?: [CT]\d+)? (?:AND|OR) {_V}", self.line)
        self._sub(r" RESP ", " ")
        if several:
            self.sketch.groups.append(several[1])

    def _groups(self) -> None:
        s = self.sketch
        self._sub(rf" AVG EACH {_X}(?: DE)?", r" AVG ")
        self._sub(rf" DISTINCT (?:DE )?{_X} DE", r" EACH \1 DE")
        while match := re.search(
            r" (?:EACH|BY)(?: DISTINCT)?(?: DE)?((?: [CT]\d+)+)((?: AND [CT]\d+)*)( DE)?", self.line
        ):
            names = match[1].split()
            chosen = names[-1] if match[3] and len(names) > 1 and not self._numeric(names[-1]) else names[0]
            if (
                chosen == names[0]
                and len(names) > 1
                and names[0][0] == "T"
                and names[1][0] == "C"
                and not self._numeric(names[1])
                and match[3]
            ):
                chosen = names[1]
            rest = names[names.index(chosen) + 1 :]
            more = re.findall(r"[CT]\d+", match[2]) if "BY" in match[0] else []
            s.groups += [chosen, *more]
            s.tables += [name for name in names[: names.index(chosen)] if name[0] == "T"]
            listed = match[2] if not more else ""
            self.line = f"{self.line[: match.start()]} BREAK {' '.join(rest)}{listed} {self.line[match.end() :]}"
        self._sub(r" (?:EACH|BY|RESP) ", " ")

    def _values(self) -> None:
        s = self.sketch
        while match := self._take(rf" (C\d+)(?: (?:IS|DE))* {_V}((?: (?:AND|OR) (?:IS )?[VQ]\d+)*)"):
            values = [match[2], *re.findall(r"[VQ]\d+", match[3])]
            fits = self._holds(match[1], match[2])
            s.filters += [
                Filter(match[1] if fits else "", "=", v, joined="or" if n else "and") for n, v in enumerate(values)
            ]
            if not fits:
                self.line = f" {match[1]}{self.line}"
        while (match := re.search(r" ([NQ]\d+) (C\d+)(?= (?:DE|HAVE|AND|$))", self.line)) and self._dated(match[2]):
            # 2017年入职: a time stands before what happened then.
            self.line = self.line.replace(match[0], "", 1)
            s.filters.append(Filter(match[2], "=", match[1]))
        while match := self._take(rf" (T\d+) {_N}(?= (?:DE|$))"):
            s.filters.append(Filter(match[1], "key", match[2]))
        while match := self._take(rf" (C\d+)(?: (?:IS|DE))* {_N}(?! [CT])"):
            self._converted(match[1], match[2])
            s.filters.append(Filter(match[1], "=", match[2]))
        either = False
        while match := self._take(rf"((?: OR)?)(?: IS)? {_V}(?: (?:C\d+))?(?=(?: (?:AND|OR) [VQ]\d+)?)", " FOR "):
            behind = re.search(r"C\d+", match[0])
            same = behind is not None and self._holds(behind[0], match[2])
            if behind is not None and not same:
                self.line = self.line.replace(" FOR ", f" {behind[0]} ", 1)
            s.filters.append(
                Filter(
                    behind[0] if same and behind is not None else "",
                    "=",
                    match[2],
                    joined="or" if match[1] or either else "and",
                )
            )
            either = False
        while match := self._take(rf" (?:IS )?{_N}(?= )"):
            number = self._mention(match[1]).number
            if number == 1:
                continue
            by = self._column_for(self._coded.units.get(match[1], ""))
            if by:
                self._converted(by, match[1])
            s.filters.append(Filter(by, "=", match[1]))
        self._sub(r" FOR (?:AND FOR |OR FOR )*", " ")
