"""Describes a `Query` in words: one line that says what is calculated, over which rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.calculated import expanded
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.joins import Unjoinable, joins_of
from kbtui.nl2sql.listing import row_columns
from kbtui.nl2sql.phrases import UNITS, Phrases
from kbtui.nl2sql.query import INNER, Agg, Arith, Col, Expr, Order, Over, Part, Query, Ref, aggregates, percent, refs_of
from kbtui.nl2sql.words import Words, counted_rows, listed, spaced
from kbtui.text.language import Language
from kbtui.text.plurals import plural
from kbtui.text.terminal import one_line

_MAX_LENGTH: Final = 800
_COMPARED: Final = 2
"""Number of figures before the expressions that compare them."""
_MIN_DETAILS: Final = 3
"""Number of usual columns from which they are described as details."""
_SETS: Final = {
    **{"union": ("either: {}; or: {}", "{}；或者：{}"), "intersect": ("both: {}; and: {}", "{}；并且同时：{}")},
    "except": ("{}; but not: {}", "{}；但除去：{}"),
}
_DIRECTIONS: Final = {
    "figure": (("highest first", "lowest first"), ("从高到低", "从低到高")),
    "text": (("in reverse order", "in order"), ("倒序", "顺序")),
    "time": (("latest first", "earliest first"), ("从晚到早", "从早到晚")),
}


def says(query: Query, catalogue: Catalogue, language: Language) -> str:
    """One line about ``query``; queries that may have different rows have different descriptions."""
    zh = int(language == "zh")
    text = _description(expanded(query, catalogue), catalogue, zh)
    return one_line(spaced(text) if zh else text[:1].upper() + text[1:], _MAX_LENGTH)


def _description(query: Query, catalogue: Catalogue, zh: int) -> str:
    if query.set_op and query.other is not None:
        parts = (_description(part, catalogue, zh) for part in (replace(query, set_op="", other=None), query.other))
        return _SETS[query.set_op][zh].format(*parts)
    counted = counted_rows(query, catalogue)
    if counted and query.inner is not None:
        return _Select(query.inner, catalogue, zh, counted).describe()
    return _Select(query, catalogue, zh).describe()


class _Select:
    """Describes one SELECT.

    Args:
        counted: The table whose rows are the groups, if only their number is shown; else empty.
    """

    def __init__(self, query: Query, catalogue: Catalogue, zh: int, counted: str = "") -> None:
        self._query = query
        self._counted = counted
        self._catalogue = catalogue
        self._zh = zh
        self._words = Words(catalogue, zh)
        self._subject = _subject_of(query)
        unit = next((item.unit for item in query.group if isinstance(item, Part)), None)
        self._phrases = Phrases(
            catalogue,
            zh,
            lambda inner: _description(inner, catalogue, zh),
            inner=query.inner,
            subject=self._subject,
            unit=UNITS[unit][0] if unit is not None else "period",
        )
        # Group keys are described with the rows, not again with the figures.
        figures = [item for item in query.select if aggregates(item)]
        shown = [item for item in query.select if not (figures and item in query.group)]
        self._figures = figures
        self._items: Sequence[Expr] = shown or query.select

    def describe(self) -> str:
        """The whole description."""
        query, zh = self._query, self._zh
        parts = self._rows_zh() if zh else self._rows_en()
        text = ("，" if zh else ", ").join(part for part in (*parts, *self._having(), *self._order()) if part)
        if query.inner is None:
            return text
        inner = _description(query.inner, self._catalogue, zh)
        if query.truth and query.inner.having:
            return f"是否有{inner}" if zh else f"whether there is any {inner}"
        return f"{text}，基于：（{inner}）" if zh else f"{text}, over: ({inner})"

    def _rows_en(self) -> list[str]:
        query = self._query
        whose, periods, related = self._phrases.filters(query.where)
        text = self._head()
        if whose:
            text += f" whose {listed(whose, 0)}"
        text += "".join(f" {item}" for item in related)
        if query.truth:
            text = f"whether there {'is a' if self._figures and not query.group else 'are any'} {text}"
        groups = self._groups()
        groups_text = f"for each {listed(groups, 0)}" if groups else ""
        outer = f"{groups_text} (0 where there are none)" if query.outer else groups_text
        return [text, outer, *periods, *self._joined(), *self._roles()]

    def _rows_zh(self) -> list[str]:
        query = self._query
        whose, periods, related = self._phrases.filters(query.where)
        groups = self._groups()
        which = "且".join([*whose, *related])
        text = f"{which}的{self._head()}" if which else self._head()
        text = f"是否有{text}" if query.truth else text
        groups_text = f"各{'、'.join(groups)}" if groups else ""
        groups_text += "（没有的记为0）" if query.outer else ""
        return ["、".join(periods), groups_text, text, *self._joined(), *self._roles()]

    def _is_key_of_named(self, item: Expr) -> bool:
        """Whether an expression is the key of things that are also grouped by identifying names."""
        table = self._catalogue.tables.get(item.ref.table) if isinstance(item, Col) else None
        if table is None or not isinstance(item, Col) or item.ref != table.key or item.ref in table.naming:
            return False
        names = [column for column in table.columns if column.ref in table.naming]
        is_unique = any(column.distinct >= table.rows for column in names)
        return is_unique and all(Col(column.ref) in self._query.group for column in names)

    def _groups(self) -> list[str]:
        if self._counted:
            return []
        return [self._group(item) for item in self._query.group if not self._is_key_of_named(item)]

    def _group(self, item: Expr) -> str:
        """The description of a group key; a name that identifies things is described as the thing."""
        name = self._phrases.expr(item)
        if isinstance(item, Col):
            info = self._catalogue.tables.get(item.ref.table)
            thing = self._words.table(item.ref.table, many=False)
            column = self._catalogue.column(item.ref)
            is_identifying = (
                info is not None
                and column is not None
                and [ref.column for ref in info.naming] == [item.ref.column]
                and info.is_identified_by(column)
            )
            name = thing if is_identifying and not item.fold and not self._words.names_column(thing) else name
        if item in self._query.select or self._query.truth or not self._figures:
            return name
        return f"{name}（不显示）" if self._zh else f"{name} (not shown)"

    def _joined(self) -> list[str]:
        """That every row of the join counts, or which tables must have a row too."""
        query, zh = self._query, self._zh
        tables = query.used_tables()
        if query.flat and len(tables) > 1:
            names = listed([self._words.table(name) for name in tables], zh)
            return [f"{names}连接后的每一行都计入" if zh else f"every row of {names} joined counts"]
        read = {ref.table for ref in query.refs()}
        other_tables = [self._words.table(name) for name in query.tables if name not in read]
        if not other_tables:
            return []
        return [f"且有{listed(other_tables, 1)}" if zh else f"with their {listed(other_tables, 0)}"]

    def _roles(self) -> list[str]:
        """The references that rows are joined by, if there are several: agents by who was assigned or closed."""
        tables, used = self._catalogue.tables, self._query.used_tables()
        try:
            edges = joins_of(self._catalogue).tree(used) if len(used) > 1 else ()
        except Unjoinable:
            return []
        descriptions = []
        for first, second in edges:
            left, right = (first, second) if (first, second) in self._catalogue.edges else (second, first)
            edges_left = self._catalogue.leaving(left.table)
            role_edges = [edge for edge in edges_left if tables[edge.right.table].role_of == right.table]
            if left.table != right.table and not tables[right.table].role_of and role_edges:
                thing, by = self._words.table(right.table), self._words.column(left)
                descriptions.append(f"{thing}按{by}" if self._zh else f"{thing} by {by}")
        return descriptions

    # ---- what is shown ----

    def _head(self) -> str:
        query, zh = self._query, self._zh
        if self._counted:
            return self._phrases.expr(Agg("count", Col(Ref(self._counted, "*"))))
        if query.truth and not query.group and not self._figures and query.inner is None:
            return self._words.table(self._subject)
        if rows := self._rows_by_name():
            return rows
        per = query.per if query.limit is None else ()
        comparison, comparison_count = self._comparison()
        items = self._items[:-comparison_count] if comparison_count else self._items
        names = self._with_details(items) or [self._share(item) or self._phrases.expr(item, per=per) for item in items]
        text = listed(names, zh)
        if query.distinct:
            text = f"不同的{text}" if zh else f"different {listed([plural(name) for name in names], 0)}"
        if any(isinstance(item, Over) for item in self._items):
            return text
        tables = dict.fromkeys(ref.table for item in self._items for ref in _value_refs(item) if ref.table != INNER)
        table_names = [name for name in map(self._words.table, tables) if name not in text]
        if table_names:
            text = f"{listed(table_names, zh)}的{text}" if zh else f"{text} of {listed(table_names, zh)}"
        return (f"{text}，以及{comparison}" if zh else f"{text}, and {comparison}") if comparison else text

    def _rows_by_name(self) -> str:
        """Rows that are shown with all of their columns, or with identifying columns only; empty for others."""
        query, zh = self._query, self._zh
        refs = tuple(item.ref for item in self._items if isinstance(item, Col))
        if len(refs) != len(self._items) or not refs:
            return ""
        table = refs[0].table
        rows = self._words.table(table)
        if refs == (Ref(table, "*"),):
            text = f"{rows}（全部列）" if zh else f"{rows} (all columns)"
            return (f"不同的{text}" if zh else f"different {text}") if query.distinct else text
        info = self._catalogue.tables.get(table)
        if info is None or query.distinct or query.group:
            return ""
        return rows if info.naming and refs == tuple(Ref(table, ref.column) for ref in info.naming) else ""

    def _with_details(self, items: Sequence[Expr]) -> list[str]:
        """Descriptions of the items, if the usual columns of a table are among them as details; else empty."""
        for index, item in enumerate(items):
            info = self._catalogue.tables.get(item.ref.table) if isinstance(item, Col) else None
            if info is None:
                continue
            usual_columns = [Col(ref) for ref in row_columns(self._catalogue, info)]
            details_block = [column for column in usual_columns if column not in items[:index]]
            if len(details_block) >= _MIN_DETAILS and list(items[index : index + len(details_block)]) == details_block:
                name = self._words.table(info.name)
                details = f"{name}的明细" if self._zh else f"details of {name}"
                others = [self._phrases.expr(other) for other in (*items[:index], *items[index + len(details_block) :])]
                if self._zh and others:
                    return [f"{details}（含{listed(others, 1)}）"]
                return [*others, details]
        return []

    def _share(self, item: Expr) -> str:
        """The description of a figure divided by its total; empty for other expressions."""
        if isinstance(item, Arith) and item.op == "*" and item.right == 100:
            item = item.left
        if not isinstance(item, Arith) or item.op != "/":
            return ""
        part, total, zh = item.left, item.right, self._zh
        if not isinstance(part, Agg) or not isinstance(total, Agg) or not part.where or part.distinct:
            return ""
        if replace(part, where=()) != total:
            return ""
        condition = self._phrases.which(part.where)
        rows = self._words.table(next(refs_of(total.arg)).table)
        if total.fn == "count" and isinstance(total.arg, Col) and total.arg.ref.column == "*":
            return f"{rows}中{condition}的占比" if zh else f"share of {rows} {condition}"
        name = self._phrases.expr(total)
        return f"{name}中{condition}的占比" if zh else f"share of the {name} that comes from {rows} {condition}"

    def _comparison(self) -> tuple[str, int]:
        """The description of expressions that compare the first two figures, and their number."""
        names = [self._difference(item) for item in self._figures[_COMPARED:]]
        if not names or not all(names) or list(self._items[-len(self._figures) :]) != self._figures:
            return "", 0
        return listed(names, self._zh), len(names)

    def _difference(self, item: Expr) -> str:
        """The description of an expression that compares the first two figures; empty for other expressions."""
        if len(self._figures) <= _COMPARED:
            return ""
        first, second = self._figures[:_COMPARED]
        descriptions = {
            Arith("-", first, second): ("the difference of the two", "两者之差"),
            Arith("-", second, first): ("the change from the first to the second", "变化"),
            percent(Arith("/", Arith("-", second, first), first)): ("the change in percent", "变化率"),
        }
        return descriptions[item][self._zh] if isinstance(item, Arith) and item in descriptions else ""

    # ---- groups that are kept, order, limit ----

    def _having(self) -> list[str]:
        zh = self._zh
        if not self._query.having:
            return []
        conds = [self._phrases.condition(item) for item in self._query.having]
        text = listed(conds, zh, last="且" if zh else "and")
        return [f"仅限{text}的" if zh else f"only where {text}"]

    def _order(self) -> list[str]:
        query, zh = self._query, self._zh
        parts = [self._sorted(item) for item in query.order]
        phrases = ["，再".join(parts) if zh else ", then ".join(parts)] if parts else []
        if query.limit is None:
            return phrases
        keys = listed([self._phrases.expr(item) for item in query.per], zh)
        if zh:
            return [*phrases, f"每个{keys}的前{query.limit}个" if keys else f"前{query.limit}个"]
        limit = "only the first" if query.limit == 1 else f"the first {query.limit}"
        return [*phrases, f"{limit} of each {keys}" if keys else limit]

    def _sorted(self, item: Order) -> str:
        direction = self._direction(item)
        alone = self._figures or list(self._query.select)
        if [item.expr] == alone:
            return direction
        name = self._difference(item.expr) or self._phrases.expr(item.expr)
        return f"按{name}{direction}" if self._zh else f"by {name}, {direction}"

    def _direction(self, item: Order) -> str:
        kind = "time" if isinstance(item.expr, Part) or self._words.is_date(item.expr) else "figure"
        info = self._catalogue.column(item.expr.ref) if isinstance(item.expr, Col) else None
        if info is not None and info.kind in ("name", "category", "text", "code"):
            kind = "text"
        return _DIRECTIONS[kind][self._zh][not item.desc]


def _value_refs(item: Expr) -> Iterator[Ref]:
    """The columns of an expression, without those of conditions of aggregates."""
    match item:
        case Agg(arg=arg):
            yield from refs_of(arg)
        case Arith(left=left, right=right):
            yield from _value_refs(left)
            if not isinstance(right, int | float):
                yield from _value_refs(right)
        case _:
            yield from refs_of(item)


def _subject_of(query: Query) -> str:
    """The table whose rows the query is about: that of its figures, else of what it shows."""
    items = [*query.select, *(item.expr for item in query.order), *(cond.left for cond in query.conditions())]
    for item in sorted(items, key=lambda item: not aggregates(item)):
        for ref in refs_of(item):
            if ref.table != INNER:
                return ref.table
    return next(iter(query.used_tables()), "")
