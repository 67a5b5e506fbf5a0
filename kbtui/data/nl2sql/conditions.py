# ruff: noqa: E501 (lists of words read best in long lines)
"""From recognised conditions to those of a query: which column a number, a name or a date is compared with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from kbtui.data.nl2sql.grammar import Filter, Sketch
from kbtui.data.nl2sql.linking import Linked, Mention
from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.query import Cond, Expr, Query, Ref

_HINTS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "age": (("age",), ("birth", "birthday", "birthdate", "founded", "founding", "built", "year", "opened", "established")),
    "length": (("length", "duration", "minute", "milliseconds", "time", "long", "distance", "runtime", "hour", "second", "height"), ()),
    "height": (("height", "tall", "elevation"), ()),
    "weight": (("weight",), ()),
    "price": (("price", "cost", "fee", "amount", "rate"), ()),
    "date": (("date", "year", "time", "day", "timestamp", "month"), ()),
}  # fmt: skip

Assigned = dict[str, tuple[Ref, Any]]
"""For each mention the column it is taken for, and the stored value where it is one."""


class Conditions:
    """Makes conditions of a sketch; what selects and groups is built on it (`Resolver`).

    Args:
        model: The schema.
        linked: The question.
        sketch: Its clauses.
    """

    def __init__(self, model: SchemaModel, linked: Linked, sketch: Sketch) -> None:
        self._model = model
        self._linked = linked
        self._sketch = sketch
        self._named = [m.tables[0][1] for m in linked.mentions if m.letter == "T"]

    def _mention(self, name: str) -> Mention:
        return self._linked.mentions[int(name[1:])]

    def _ref(self, name: str, assigned: Assigned) -> Ref | None:
        if name not in assigned:
            return None
        ref = assigned[name][0]
        return ref if ref.table else None

    def _dates(self, assigned: Assigned, tables: Sequence[str], select: Sequence[Expr]) -> list[Ref]:
        refs = [ref for ref, _ in assigned.values() if ref.table and self._model.is_date(ref)]
        if refs:
            return refs
        wanted = dict.fromkeys([*tables, *(item.ref.table for item in select), *self._named])
        return [
            Ref(table, column.name)
            for table in wanted
            if table
            for column in self._model.table(table).columns
            if column.kind in ("date", "datetime")
        ]

    def _number(self, name: str) -> Any:
        if name.isdigit():
            return int(name)
        mention = self._mention(name)
        return mention.number if mention.number is not None else mention.literal or mention.text

    def _hinted(self, hint: str, tables: Sequence[str]) -> tuple[Ref, bool] | None:
        """A column that an adjective is about, and whether it runs the other way (the oldest was born first)."""
        for reverse, words in enumerate(_HINTS.get(hint.removeprefix("HINT_"), ((), ()))):
            near = [edge.right.table for table in tables if table for edge in self._model.around.get(table, ())]
            for pool, word in [(p, w) for p in (tables, near) for w in words]:
                for table in dict.fromkeys(pool):
                    for column in self._model.table(table).columns if table else ():
                        named = self._model.columns[Ref(table, column.name)]
                        if word in named.words and not (column.kind == "text" and word in ("time", "rate", "cost")):
                            return named.ref, bool(reverse)
        return None

    def _where(
        self,
        assigned: Assigned,
        entity: str,
        select: Sequence[Expr],
        other: bool,
        choice: dict[str, bool],
    ) -> tuple[list[Cond] | None, int]:
        conds: list[Cond] = []
        weak = 0
        for one in self._sketch.filters:
            cond, doubt = self._cond(one, assigned, entity, select)
            weak += doubt
            if cond is not None:
                conds.append(cond)
            else:
                weak += 1
        for target, inside in self._sketch.lacks:
            lacking = self._lacking(target, inside, assigned, entity, select, other, choice)
            if lacking is None:
                weak += 1
            else:
                conds.append(lacking)
        # Two values of one column cannot both hold in one row: as a rule either is meant.
        if not self._sketch.both:
            seen: set[Ref] = set()
            for position, cond in enumerate(conds):
                if (
                    cond.op == "="
                    and cond.left.ref in seen
                    and position
                    and conds[position - 1].left.ref == cond.left.ref
                ):
                    conds[position] = replace(cond, joined="or")
                if cond.op == "=":
                    seen.add(cond.left.ref)
        return conds, weak

    def _cond(self, one: Filter, assigned: Assigned, entity: str, select: Sequence[Expr]) -> tuple[Cond | None, int]:
        model = self._model
        pool = [entity, *(item.ref.table for item in select), *self._named]
        pool = [t for t in dict.fromkeys(pool) if t]
        ref = self._ref(one.mention, assigned) if one.mention else None
        joined: Any = one.joined
        if one.op == "key":
            key = model.key(ref.table) if ref is not None else None
            return (Cond(Expr(key), "=", self._number(one.right), joined), 0) if key else (None, 1)
        if one.right == "AGG":
            target = self._ref(one.high, assigned) if one.high else None
            column = ref if ref is not None and ref.column != "*" else target
            if column is None or column.column == "*":
                hinted = self._hinted(one.hint, pool) if one.hint else None
                column = hinted[0] if hinted else None
            if column is None or not (model.is_number(column) or model.is_date(column) or self._figures(column)):
                return None, 1
            right = target if target is not None and target.column != "*" else column
            own = self._inside(one.inside, assigned, right)
            if own is None:
                return None, 1
            return Cond(Expr(column), one.op, Query(select=(Expr(right, one.agg),), where=own), joined), 0  # type: ignore[arg-type]
        if one.right[0] in "CT":
            against = self._ref(one.right, assigned)
            if one.right[0] == "T" and ref is not None and against is not None:
                against = Ref(against.table, ref.column)
                if against not in model.columns:
                    return None, 1
            if ref is None or against is None or "*" in (ref.column, against.column) or ref == against:
                return None, 1
            return Cond(Expr(ref), one.op, against, joined), 0  # type: ignore[arg-type]
        if one.right[0] == "N" and not (one.right in assigned and assigned[one.right][1] is not None):
            value = self._number(one.right)
            if one.op == "between":
                low, high = value, self._number(one.high)
                ref = ref or self._numeric(low, pool)
                if ref is None:
                    return None, 1
                if model.is_date(ref) and isinstance(low, int) and isinstance(high, int) and low > 1000:
                    return Cond(Expr(ref), "between", (f"{low}-01-01", f"{high}-12-31 23:59:59"), joined), 0
                return Cond(Expr(ref), "between", (low, high), joined), 0
            doubt = 0
            if ref is None and one.hint:
                hinted = self._hinted(one.hint, pool)
                ref = hinted[0] if hinted else None
            if ref is not None and ref.column == "*":
                ref = self._named_number(ref.table) or self._numeric(value, pool)
            if ref is None:
                ref, doubt = self._numeric(value, pool), 1
            if ref is None:
                return None, 1
            if one.op in (">", ">=", "<", "<=") and not (
                model.is_number(ref) or model.is_date(ref) or model.is_key(ref) or self._figures(ref)
            ):
                return None, 1
            if one.op == "like":
                return Cond(Expr(ref), "like", (one.high or "%{}%").format(value), joined), 0
            return self._dated(ref, one.op, value, joined), doubt
        found, value = assigned.get(one.right, (Ref("", ""), None))
        mention = self._mention(one.right)
        text = value if value is not None else mention.literal if mention.literal is not None else mention.text
        doubt = 0
        if one.op == "like":
            column_ref = ref or next((i.ref for i in select if not i.agg), None)
            if column_ref is None or column_ref.column == "*":
                column_ref = model.display((column_ref.table if column_ref else "") or entity)
            typed = mention.literal or mention.text
            return Cond(Expr(column_ref), "not like" if one.negated else "like", one.high.format(typed), joined), 0
        if ref is not None and ref.column != "*" and ref != found:
            held = next((v for _, r, v in mention.values if r == ref), None)
            if held is not None or not mention.values:
                found, text = ref, held if held is not None else text
        elif ref is not None and ref.column == "*" and not mention.values:
            found = model.display(ref.table)
        if re.match(r"\d{4}-\d\d-\d\d\.\.", str(text)):
            dates = [ref] if ref is not None and model.is_date(ref) else self._dates(assigned, pool, select)
            if not dates:
                return None, 1
            first, last = str(text).split("..")
            return Cond(Expr(dates[0]), "between", (first, f"{last} 23:59:59"), joined), 0
        if not found.table:
            hinted_dates = self._dates(assigned, [], select) if re.match(r"\d{4}-\d\d", str(text)) else []
            found = hinted_dates[0] if hinted_dates else model.display(self._nearest_table(mention) or entity)
            doubt = 1
        if one.negated and found.table and entity and found.table != entity and value is not None:
            away = self._lacking("", [one.right], assigned, entity, select, False, {})
            if away is not None:
                return away, doubt
        op: Any = "!=" if one.negated else "=" if one.op == "between" else one.op
        if one.op == "between":
            return Cond(Expr(found), "between", (text, self._number(one.high)), joined), 0
        return Cond(Expr(found), op, text, joined), doubt

    def _figures(self, ref: Ref) -> bool:
        """Whether figures are held as text, or nothing is known of what is held."""
        column = self._model.column(ref)
        return column is not None and (
            not column.samples or any(re.match(r"[\d.,$€£-]+", str(s)) for s in column.samples)
        )

    def _inside(self, names: Sequence[str], assigned: Assigned, about: Ref) -> tuple[Cond, ...] | None:
        """Conditions on what something is compared with; None where one of them fits nothing."""
        conds = []
        column = ""
        for name in names:
            if name[0] in "CT":
                column = name
                continue
            one = Filter(column, "=", name)
            cond, _ = self._cond(one, assigned, about.table, [Expr(about)])
            if cond is None:
                return None
            conds.append(cond)
            column = ""
        return tuple(conds)

    def _nearest_table(self, mention: Mention) -> str:
        tables = [m for m in self._linked.mentions if m.letter == "T"]
        best = min(tables, key=lambda m: abs(m.start - mention.start), default=None)
        return best.tables[0][1] if best else ""

    def _named_number(self, table: str) -> Ref | None:
        """A number column that is called as its table."""
        own = self._model.tables[table].roots
        for column in self._model.table(table).columns:
            named = self._model.columns[Ref(table, column.name)]
            if named.roots & own and self._model.is_number(named.ref):
                return named.ref
        return None

    def _numeric(self, value: Any, pool: Sequence[str]) -> Ref | None:
        """The column a bare number may be about: a year for what looks like one."""
        if isinstance(value, int) and 1500 <= value <= 2100:
            for table in pool:
                for column in self._model.table(table).columns:
                    ref = Ref(table, column.name)
                    if "year" in self._model.columns[ref].words or self._model.is_date(ref):
                        return ref
        for table in pool:
            for column in self._model.table(table).columns:
                if value in column.samples and not self._model.is_key(Ref(table, column.name)):
                    return Ref(table, column.name)
        return None

    def _dated(self, ref: Ref, op: str, value: Any, joined: Any) -> Cond:
        if self._model.is_date(ref) and isinstance(value, int) and 1000 < value < 3000:
            match op:
                case "=":
                    return Cond(Expr(ref), "between", (f"{value}-01-01", f"{value}-12-31 23:59:59"), joined)
                case ">" | "<=":
                    return Cond(Expr(ref), ">=" if op == ">" else "<", f"{value + 1}-01-01", joined)
                case _:
                    return Cond(Expr(ref), op, f"{value}-01-01", joined)  # type: ignore[arg-type]
        column = self._model.column(ref)
        if column is not None and column.kind == "text" and op in ("=", "!="):
            return Cond(Expr(ref), op, str(value), joined)  # type: ignore[arg-type]
        return Cond(Expr(ref), op, value, joined)  # type: ignore[arg-type]

    def _lacking(
        self,
        target: str,
        inside: Sequence[str],
        assigned: Assigned,
        entity: str,
        select: Sequence[Expr],
        other: bool,
        choice: dict[str, bool],
    ) -> Cond | None:
        ref = self._ref(target, assigned) if target else None
        inner_values = [self._value_cond(name, assigned) for name in inside if name[0] in "VQ"]
        inner = tuple(cond for cond in inner_values if cond is not None)
        wanted = [ref.table] if ref is not None else []
        wanted += [cond.left.ref.table for cond in inner]
        for one in self._sketch.deeper:
            deeper, _ = self._cond(one, assigned, (wanted or [entity])[0], ())
            inner += (deeper,) if deeper is not None else ()
            wanted += [deeper.left.ref.table] if deeper is not None else []
        away = [table for table in dict.fromkeys(wanted) if table != entity]
        if not away:
            if inner:
                plain = [item for item in select if not item.agg and item.ref.table == entity]
                if plain and not self._model.is_key(plain[0].ref):
                    choice["other"] = True
                    if other:
                        return Cond(Expr(plain[0].ref), "not in", Query(select=(Expr(plain[0].ref),), where=inner))
                return replace(inner[0], op="!=")
            if ref is not None and ref.column != "*":
                return Cond(Expr(ref), "null")
            return None
        edges = self._model.tree([entity, *away])
        if not edges:
            return None
        first = edges[0] if edges[0].left.table == entity else None
        if first is None:
            return None
        sub = Query(select=(Expr(first.right),), where=inner, tables=tuple(away))
        return Cond(Expr(first.left), "not in", sub)

    def _value_cond(self, name: str, assigned: Assigned) -> Cond | None:
        ref, value = assigned.get(name, (Ref("", ""), None))
        return Cond(Expr(ref), "=", value) if ref.table and value is not None else None
