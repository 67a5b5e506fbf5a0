"""From clauses over mentions to whole queries: which columns are meant, which tables that joins, what is grouped."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from kbtui.data.nl2sql.conditions import _HINTS, Assigned, Conditions
from kbtui.data.nl2sql.grammar import Filter, Item
from kbtui.data.nl2sql.query import Bucket, Cond, Expr, Query, Ref
from kbtui.text.inflection import root

_BEAM: Final = 10
_MOST_ROWS: Final = 2**31 - 1
_COMPARING: Final = ("=", ">", ">=", "<", "<=", "like")
_OPEN: Final = ("by_name", "other", "placed", "unique", "loose", "once")
"""Choices of a reading that the words do not settle."""


@dataclass(slots=True)
class Candidate:
    """A query with what speaks for and against it."""

    query: Query
    features: dict[str, float] = field(default_factory=dict)
    family: int = 0
    """The same number for candidates that only settle differently what the words leave open."""


class Resolver(Conditions):
    """Makes queries of a sketch.

    Args:
        model: The schema.
        linked: The question.
        sketch: Its clauses.
    """

    def candidates(self) -> Iterator[Candidate]:
        """Queries, in no order."""
        for rank, (score, assigned) in enumerate(self._assignments()):
            for query, features in self._queries(assigned):
                tables = query.used_tables()
                edges = self._model.tree(tables) if tables else None
                if edges is None:
                    continue
                features |= {"fit": score, "rank": float(min(rank, 4)), "joins": float(len(edges))}
                features["bridges"] = float(max(0, len(edges) + 1 - len(tables)))
                yield Candidate(query, features, rank)

    def _choices(self, name: str) -> list[tuple[float, Ref, Any]]:
        mention = self._mention(name)
        if name[0] in "VQ":
            found = [(score, ref, value) for score, ref, value in mention.values[:6]]
            return found or [(0.3, Ref("", ""), mention.literal)]
        away = 0.15 if name[0] == "T" else 0.0
        # Of many that fit equally well those of the tables that are spoken of come first.
        told = sorted(mention.columns, key=lambda item: -item[0] - 0.1 * (item[1].table in self._named))
        choices = [(score - away, ref, None) for score, ref in told[:6]]
        for score, table in mention.tables[:2]:
            choices.append((score - (0.0 if away else 0.06), Ref(table, "*"), None))
        return sorted(choices, key=lambda item: -item[0])[:6]

    def _assignments(self) -> list[tuple[float, Assigned]]:
        """The likeliest ways to take every mention for one column or table, good ones first."""
        names = [f"{m.letter}{i}" for i, m in enumerate(self._linked.mentions) if m.letter != "N"]
        columns_of = {f.right: f.mention for f in self._sketch.filters if f.mention and f.right[:1] in ("V", "Q")}
        beam: list[tuple[float, Assigned, frozenset[str]]] = [(0.0, {}, frozenset())]
        near, beside_of = self._neighbours(), self._listed()
        names.sort(key=lambda name: (len(self._choices(name)) > 2, name[0] in "VQ", int(name[1:])))
        for name in names:
            grown = []
            for total, assigned, tables in beam:
                for score, ref, value in self._choices(name):
                    worth = score * 1.5
                    if ref.table:
                        if ref.table in tables:
                            worth += 0.25
                        elif tables:
                            worth -= 0.15
                        if ref.table in self._named:
                            worth += 0.12
                        if near.get(name) == ref.table:
                            worth += 0.3
                        beside = beside_of.get(name)
                        if beside in assigned and assigned[beside][0].table == ref.table:
                            worth += 0.15
                        if name in columns_of and columns_of[name] in assigned:
                            worth += 0.6 if assigned[columns_of[name]][0] == ref else 0.0
                        if self._model.is_key(ref) and value is None and "id" not in self._mention(name).text:
                            worth -= 0.08
                    grown.append((total + worth, {**assigned, name: (ref, value)}, tables | ({ref.table} - {""})))
            grown.sort(key=lambda item: -item[0])
            beam = grown[:_BEAM]
        scored = []
        for total, assigned, tables in beam:
            edges = self._model.tree(sorted(tables)) if tables else ()
            cost = 2.0 if edges is None else 0.2 * len(edges)
            scored.append(((total - cost) / max(1, len(names)), assigned))
        scored.sort(key=lambda item: -item[0])
        return scored[:5]

    def _listed(self) -> dict[str, str]:
        """For a column the one it is listed with."""
        found = {}
        for position, (first, second) in enumerate(itertools.pairwise(self._linked.mentions)):
            between = {word.lower() for word in self._linked.tokens[first.end : second.start]}
            if first.letter == second.letter == "C" and between and between <= {"and", ",", "the", "their", "its"}:
                found[f"C{position + 1}"] = f"C{position}"
        return found

    def _neighbours(self) -> dict[str, str]:
        """For a column the table that stands right beside it."""
        near: dict[str, str] = {}
        mentions = self._linked.mentions
        for position, mention in enumerate(mentions):
            for other in (position + 1, position - 1):
                if not 0 <= other < len(mentions) or mentions[other].letter != "T" or mention.letter == "T":
                    continue
                gap = mentions[other].start - mention.end if other > position else mention.start - mentions[other].end
                if gap <= (3 if other > position else 1):
                    near.setdefault(f"{mention.letter}{position}", mentions[other].tables[0][1])
        # "the id and name of the stadium": what is listed together belongs together.
        for position in range(len(mentions) - 2, -1, -1):
            first, second = mentions[position], mentions[position + 1]
            between = {word.lower() for word in self._linked.tokens[first.end : second.start]}
            follows = near.get(f"{second.letter}{position + 1}")
            if first.letter == second.letter == "C" and follows and between and between <= {"and", ",", "the", "or"}:
                near.setdefault(f"C{position}", follows)
        return near

    def _queries(self, assigned: Assigned) -> Iterator[tuple[Query, dict[str, float]]]:
        # Only what is open in a reading is tried the other way as well.
        waiting: list[frozenset[str]] = [frozenset()]
        seen = set(waiting)
        while waiting:
            chosen = waiting.pop()
            choice = dict.fromkeys(_OPEN, False)
            built = self._query(assigned, chosen, choice)
            for name in _OPEN:
                other = chosen ^ {name}
                if choice[name] and other not in seen:
                    seen.add(other)
                    waiting.append(other)
            if built is not None and all(choice[name] for name in chosen):
                yield built

    def _is_row_of(self, name: str, assigned: Assigned, table: str) -> bool:
        return self._ref(name, assigned) == Ref(table, "*")

    def _shown(self, name: str, assigned: Assigned) -> Ref | None:
        ref = self._ref(name, assigned)
        return self._model.display(ref.table) if ref is not None and ref.column == "*" else ref

    def _query(
        self, assigned: Assigned, chosen: frozenset[str], open_choice: dict[str, bool]
    ) -> tuple[Query, dict[str, float]] | None:
        """One reading: ``by_name`` groups by what is shown, ``other`` takes the second choice where there is one,
        ``placed`` puts what is grouped by behind what is counted, ``unique`` leaves out what is there twice,
        ``loose`` joins only tables that something is taken from, ``once`` counts things and not the rows joined to
        them. What could be chosen otherwise is marked in ``open_choice``."""
        s, model = self._sketch, self._model
        feats: dict[str, float] = {}
        by_name, other, placed, loose = (name in chosen for name in ("by_name", "other", "placed", "loose"))
        select: list[Expr] = []
        group: list[Expr] = []
        order: list[tuple[Expr, bool]] = []
        tables: list[str] = []
        grouped = {f"each{name}" for name in s.groups}
        for item in s.select:
            if item.mention in grouped or item.mention.startswith("each"):
                continue
            expr = self._item(item, assigned, other, open_choice)
            if expr is None:
                continue
            if expr.ref.column == "*" and expr.ref.table:
                tables.append(expr.ref.table)
            if expr not in select:
                select.append(expr)
        for name in s.groups:
            ref = self._ref(name, assigned)
            if ref is None:
                continue
            shown = model.display(ref.table) if ref.column == "*" else ref
            if not any(item.ref == shown and not item.agg for item in select):
                entity_shown = any(
                    item.ref.table == ref.table and not item.agg and item.ref.column != "*" and not item.ref.operator
                    for item in select
                )
                if not entity_shown:
                    open_choice["placed"] = True
                    select = [*select, Expr(shown)] if placed else [Expr(shown), *select]
        figure = (
            select[0] if s.picture and len([e for e in select if e.agg]) == len(select) - len(s.groups) == 1 else None
        )
        figure = next((e for e in select if e.agg), None) if figure is not None else None
        mine = figure is not None and all(self._is_row_of(name, assigned, figure.ref.table) for name in s.groups)
        if figure is not None and mine and figure.agg == "count" and figure.ref.column != "*":
            # How often each value is there.
            select = [Expr(figure.ref), Expr(figure.ref, "count")]
        if s.bucket:
            if s.superlative is not None and not tables and not select:
                # "Which month had the highest sales": nothing else is named than what is the highest.
                measured = self._ref(s.superlative[1], assigned) if s.superlative[1] else None
                tables += [measured.table] if measured is not None else []
            dates = self._dates(assigned, tables, select)
            if not dates:
                return None
            bucketed = Expr(dates[0], bucket=_bucket(s.bucket))
            group.append(bucketed)
            figures = [self._per_bucket(item) for item in select if item.ref != dates[0] or item.agg]
            if s.superlative is not None:
                figures = [item for item in figures if item.agg]
            select = [bucketed, *dict.fromkeys(figures)]
            group += [item for item in dict.fromkeys(figures) if not item.agg]
        if s.by and not s.order and s.superlative is None and (ref := self._ref(s.by, assigned)) is not None:
            listed = re.match(r"(?:list|show|find|give)\b", self._linked.line) is not None
            if ref.column != "*" and not model.is_number(ref) and (s.picture or not listed):
                select = [Expr(ref), Expr(Ref(self._named[0], "*"), "count")]
                group = [Expr(ref)]
            elif ref.column != "*":
                order.append((Expr(ref), False))
        if s.whole and self._named and not group:
            select = [Expr(Ref(self._named[0], "*"))]
        if not select and (s.superlative or s.having or s.filters or s.lacks) and self._named:
            select.append(Expr(model.display(self._named[0])))
            feats["assumed"] = 1.0
        if not select:
            return None
        plain = [item for item in select if not item.agg]
        entity = self._entity(plain) or next((item.ref.table for item in select if item.ref.table), "")
        where, weak = self._where(assigned, entity, select, other, open_choice)
        if where is None:
            return None
        having: list[Cond] = []
        limit = self._limit()
        key = model.key(entity)
        for one in s.having:
            counted = self._counting(one.mention, entity) if one.agg == "count" and one.mention else None
            if counted is not None:
                open_choice["other"] = True
                if not other:
                    where.append(Cond(Expr(counted), one.op, self._number(one.right)))  # type: ignore[arg-type]
                    continue
            left = self._having_expr(one, assigned, tables)
            having.append(Cond(left, one.op, self._number(one.right)))  # type: ignore[arg-type]
        needs_group = bool(having)
        if s.superlative is not None:
            done = self._superlative(assigned, entity, select, tables, other, open_choice)
            if done is None:
                return None
            expr, desc, own_group = done
            expr = self._per_bucket(expr) if s.bucket and self._model.is_number(expr.ref) else expr
            figured = bool(select) and all(item.agg for item in select)
            if figured and not expr.agg and not s.groups and not s.bucket and (limit or 1) == 1:
                # "The average age of those in the largest dorm": what is largest is chosen before the average is taken.
                extreme = Query(select=(Expr(expr.ref, "max" if desc else "min"),))
                where.append(Cond(expr, "=", extreme))
            else:
                order.append((expr, desc))
                limit = limit or 1
            needs_group = needs_group or bool(expr.agg)
            if own_group is not None and own_group not in group:
                group.append(own_group)
        for item, desc in s.order:
            expr2 = self._order_item(item, assigned, select, tables)
            if expr2 is not None:
                order.append((expr2, desc != self._runs_back(item, expr2.ref)))
        if s.bucket and not order:
            order.append((group[0], False))
        if any(item.agg for item in select) and plain:
            needs_group = True
        if any(expr.agg for expr, _ in order) and plain:
            needs_group = True
        if needs_group and not group:
            for name in () if s.picture and plain and any(item.agg for item in select) else s.groups:
                ref = self._ref(name, assigned)
                if ref is not None:
                    group.append(Expr(ref if ref.column != "*" else (model.key(ref.table) or model.display(ref.table))))
            away = [t for t in tables if t != entity]
            if not group and key is not None and away:
                open_choice["by_name"] = True
                group = [item for item in select if not item.agg] if by_name else [Expr(key)]
            elif not group:
                group = [item for item in select if not item.agg]
        if needs_group and not group and not all(item.agg for item in select):
            return None
        needed = {
            e.ref.table
            for e in (*select, *group, *(c.left for c in where), *(e for e, _ in order), *(c.left for c in having))
        }
        for name in s.tables:
            ref = self._ref(name, assigned)
            if ref is not None and ref.table not in tables and ref.table not in needed:
                # A table that is only spoken of may be there to be joined, or to say what things are.
                open_choice["loose"] = True
                if not loose:
                    tables.append(ref.table)
        plainly = not any(item.agg for item in select) and not group and not order
        distinct = (s.distinct and not any(item.agg for item in select)) or ("unique" in chosen and plainly)
        open_choice["unique"] = plainly and not s.distinct
        feats |= {name: float(name in chosen) for name in _OPEN}
        if len(select) == 1 and select[0].agg == "count" and select[0].ref.column == "*" and not select[0].distinct:
            counted = model.key(select[0].ref.table)
            if counted is not None and len({t for t in (*needed, *tables) if t}) > 1:
                # Rows of a join may say the same thing of one thing several times.
                open_choice["once"] = True
                if "once" in chosen:
                    select = [Expr(counted, "count", True)]
        query = Query(
            select=tuple(select), where=tuple(where), group=tuple(group), having=tuple(having), order=tuple(order),
            limit=limit, distinct=distinct, tables=tuple(dict.fromkeys(t for t in tables if t)),
        )  # fmt: skip
        used = {t for t in query.used_tables() if t}
        query = replace(query, tables=tuple(t for t in query.tables if t in used))
        feats["weak"] = float(weak)
        if s.groups and self._linked.line.find(f" {s.groups[0]}") >= 0:
            at = self._linked.line.find(f" {s.groups[0]}")
            counts = re.search(r"how many|number of|average|total|maximum|minimum|sum", self._linked.line)
            feats["placed_first"] = float(placed and counts is not None and counts.start() < at)
            feats["placed_many"] = float(placed and self._linked.line.startswith("how many"))
            feats["placed_each"] = float(placed and re.match(r"(?:for|in|of) each", self._linked.line) is not None)
            feats["placed_sum"] = float(placed and any(item.agg not in ("", "count") for item in select))
        said = {
            e.ref.table
            for e in (*select, *group, *(c.left for c in where), *(e for e, _ in order))
            if e.ref.column != "*"
        }
        feats |= {
            "by_name_top": float(by_name and s.superlative is not None),
            "by_name_having": float(by_name and bool(having)),
            "unique_joined": float("unique" in chosen and len(used) > 1),
            "unique_several": float("unique" in chosen and len(select) > 1),
            "unique_where": float("unique" in chosen and bool(where)),
            "unique_key": float("unique" in chosen and any(model.is_key(item.ref) for item in select)),
            "once_where": float("once" in chosen and bool(where)),
            "once_other": float("once" in chosen and not where),
            "idle": float(len(used - said)),
            "key_shown": float(sum(model.is_key(item.ref) for item in select)),
        }
        query = self._sets(query, feats)
        return query, feats

    def _per_bucket(self, item: Expr) -> Expr:
        """ "Revenue per month" is that of the whole month, and "orders per month" is how many there are."""
        if item.agg:
            return item
        if self._model.is_number(item.ref):
            return replace(item, agg="sum")
        rows = item.ref.table in self._named and item.ref == self._model.display(item.ref.table)
        return Expr(Ref(item.ref.table, "*"), "count") if rows else item

    def _item(self, item: Item, assigned: Assigned, other: bool, choice: dict[str, bool]) -> Expr | None:
        model = self._model
        if not item.mention:
            told = [*self._named, *(ref.table for ref, _ in assigned.values() if ref.table)]
            return Expr(Ref(told[0], "*"), "count") if told else None
        ref = self._ref(item.mention, assigned)
        if ref is None:
            return None
        if item.agg == "count":
            if ref.column == "*":
                if item.distinct:
                    choice["other"] = True
                    return Expr(model.display(ref.table), "count", True) if other else Expr(ref, "count")
                return Expr(ref, "count")
            if model.is_number(ref) and not item.distinct:
                choice["other"] = True
                return Expr(Ref(ref.table, "*"), "count") if other else Expr(ref)
            choice["other"] = True
            return Expr(Ref(ref.table, "*"), "count") if other != item.distinct else Expr(ref, "count", True)
        if ref.column == "*":
            if item.agg:
                number = next(
                    (
                        Ref(ref.table, c.name)
                        for c in model.table(ref.table).columns
                        if model.is_number(Ref(ref.table, c.name))
                    ),
                    None,
                )
                if item.agg in ("sum",):
                    return Expr(ref, "count")
                return Expr(number, item.agg) if number else None
            return Expr(model.display(ref.table))
        spread = item.spread if item.spread != "count" and model.is_number(ref) else ""
        return Expr(ref, item.agg or spread)

    @staticmethod
    def _entity(plain: Sequence[Expr]) -> str:
        if plain:
            return plain[0].ref.table
        return ""

    def _limit(self) -> int | None:
        name = self._sketch.limit_mention
        # No engine takes more, and no answer holds as many.
        return min(max(1, int(self._mention(name).number or 1)), _MOST_ROWS) if name else self._sketch.limit

    def _counting(self, name: str, entity: str) -> Ref | None:
        """A column that already holds how many of something a row has: ``no_of_loans``."""
        asked = {root(word) for word in self._mention(name).text.split()}
        for table in dict.fromkeys([entity, *self._named]):
            for column in self._model.table(table).columns if table else ():
                named = self._model.columns[Ref(table, column.name)]
                if self._model.is_number(named.ref) and "number" in named.words and asked & named.roots:
                    return named.ref
        return None

    def _having_expr(self, one: Filter, assigned: Assigned, tables: list[str]) -> Expr:
        ref = self._ref(one.mention, assigned) if one.mention else None
        if ref is not None:
            tables.append(ref.table)
            if one.agg != "count" and ref.column != "*":
                return Expr(ref, one.agg)
            return Expr(Ref(ref.table, "*"), "count")
        # "at least two times": what happens is in the other table that is spoken of.
        for name in self._sketch.tables:
            other = self._ref(name, assigned)
            if other is not None:
                tables.append(other.table)
        return Expr(Ref(tables[-1] if tables else (self._named[-1] if self._named else ""), "*"), "count")

    def _runs_back(self, item: Item, ref: Ref) -> bool:
        """Whether an adjective runs against its column: the oldest was born first."""
        words = _HINTS.get(item.mention.removeprefix("HINT_"), ((), ()))[1]
        return any(word in self._model.columns[ref].words for word in words) if ref in self._model.columns else False

    def _superlative(
        self,
        assigned: Assigned,
        entity: str,
        select: list[Expr],
        tables: list[str],
        other: bool,
        choice: dict[str, bool],
    ) -> tuple[Expr, bool, Expr | None] | None:
        s = self._sketch
        assert s.superlative is not None
        by, mention, desc = s.superlative
        ref = self._ref(mention, assigned) if mention else None
        if by.startswith("HINT_"):
            if ref is not None and ref.column != "*" and (self._model.is_number(ref) or self._model.is_date(ref)):
                return Expr(ref), desc, None
            pool = [t for t in ([ref.table] if ref else []) if t] + [entity, *self._named]
            found = self._hinted(by, pool)
            if found is None:
                return None
            return Expr(found[0]), desc != found[1], None
        if by == "COMMON":
            target = ref
            if target is None:
                target = next((item.ref for item in select if not item.agg), None)
            if target is None:
                return None
            shown = Expr(self._model.display(target.table) if target.column == "*" else target)
            others = [self._ref(name, assigned) for name in s.tables]
            tables += [o.table for o in others if o is not None]
            return Expr(Ref(target.table, "*"), "count"), desc, shown
        if by == "?":
            figure = next((item for item in select if item.agg), None)
            if figure is not None:
                # "How many orders for each city, top 5".
                return figure, desc, None
            for table in (entity, *self._named):
                for column in self._model.table(table).columns if table else ():
                    if self._model.is_number(Ref(table, column.name)):
                        return Expr(Ref(table, column.name)), desc, None
            return None
        if ref is None:
            return None
        numeric = ref.column != "*" and (self._model.is_number(ref) or self._model.is_date(ref))
        held = self._counting(mention, entity) if by == "COUNT" else None
        if held is not None and not other:
            choice["other"] = True
            return Expr(held), desc, None
        choice["other"] = choice["other"] or held is not None
        if by != "COUNT" and not numeric and ref.column != "*":
            choice["other"] = True
            if other:
                return Expr(ref), desc, None
        if by == "COUNT" or not numeric:
            tables.append(ref.table)
            if ref.column != "*" and numeric:
                choice["other"] = True
                return (Expr(Ref(ref.table, "*"), "count") if other else Expr(ref)), desc, None
            return Expr(Ref(ref.table, "*"), "count"), desc, None
        tables.append(ref.table)
        if s.super_agg:
            return Expr(ref, s.super_agg), desc, None
        return Expr(ref), desc, None

    def _order_item(self, item: Item, assigned: Assigned, select: Sequence[Expr], tables: list[str]) -> Expr | None:
        if item.mention == "?":
            return select[0] if select else None
        if item.mention.startswith("@"):
            return select[0 if item.mention == "@x" else -1] if select else None
        if item.mention.startswith("HINT_"):
            hinted = self._hinted(item.mention, [*(one.ref.table for one in select), *self._named])
            return Expr(hinted[0]) if hinted else None
        ref = self._ref(item.mention, assigned)
        if ref is None:
            return None
        if item.agg == "count" and (ref.column == "*" or not self._model.is_number(ref)):
            tables.append(ref.table)
            return Expr(Ref(ref.table, "*"), "count")
        if ref.column == "*":
            return Expr(self._model.display(ref.table))
        return Expr(ref, item.agg if item.agg != "count" else "")

    def _united(self, query: Query) -> Query:
        """The same of two tables: their names, or the column that is called so in both."""
        name, *asked = self._sketch.union
        held = [ref for _, ref in self._mention(name).columns]
        parts = []
        for table in (self._mention(one).tables[0][1] for one in asked if self._mention(one).tables):
            refs = [ref for ref in held if ref.table == table]
            if not refs:
                return query
            parts.append(replace(query, select=(Expr(refs[0]),), tables=()))
        if len(parts) < 2 or parts[0] == parts[1]:
            return query
        return replace(parts[0], set_op="union", other=parts[1])

    def _sets(self, query: Query, feats: dict[str, float]) -> Query:
        """Both of two values: rows of the one that are also rows of the other."""
        if self._sketch.union and len(query.select) == 1 and not query.where and not query.order:
            return self._united(query)
        if not self._sketch.both or query.group or query.order:
            return query
        plain = [cond for cond in query.where if cond.op in _COMPARING and not isinstance(cond.right, Query)]
        for first, second in itertools.combinations(plain, 2):
            if first.left.ref == second.left.ref:
                feats["set"] = 1.0
                rest = [cond for cond in query.where if cond not in (first, second)]
                one = replace(query, where=(*rest, replace(first, joined="and")))
                two = replace(query, where=(*rest, replace(second, joined="and")))
                return replace(one, set_op="intersect", other=two)
        return query


def _bucket(name: str) -> Bucket:
    buckets: dict[str, Bucket] = {"year": "year", "quarter": "quarter", "month": "month", "day": "day"}
    return buckets[name]
