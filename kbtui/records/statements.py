"""Small changes to a statement, after it was read and before it runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sqlglot import exp, parse_one


def with_exact_values(sql: str, question: str) -> str:
    """A condition on several values keeps those alone that the question names word for word, where it names any."""
    tree = parse_one(sql, dialect="sqlite")
    folded = _words(question)
    changed = False
    for node in list(tree.find_all(exp.In)):
        values = node.expressions
        if len(values) < 2 or not all(isinstance(value, exp.Literal) and value.is_string for value in values):
            continue
        named = [value for value in values if _is_named(str(value.this), folded)]
        if named and len(named) < len(values):
            changed = True
            if len(named) == 1:
                node.replace(exp.EQ(this=node.this.copy(), expression=named[0].copy()))
            else:
                node.set("expressions", named)
    return tree.sql(dialect="sqlite") if changed else sql


def guesses(sql: str, free: Iterable[str]) -> bool:
    """Whether a condition takes each value with a word of the question: over free text that is a search.

    Args:
        free: Columns whose values are nearly all different.
    """
    tree = parse_one(sql, dialect="sqlite")
    columns = frozenset(free)
    if tree.find(exp.Like) is not None:
        return True
    return any(
        len(node.expressions) > 1 and isinstance(node.this, exp.Column) and node.this.name in columns
        for node in tree.find_all(exp.In)
    )


def _is_named(value: str, folded: str) -> bool:
    words = _words(value)
    return bool(words.strip()) and words in folded


def _words(text: str) -> str:
    """The words of a text between single spaces, for looking one text up in another."""
    return " ".join(("", *re.findall(r"[\w-]+", text.casefold()), ""))


def with_ties(sql: str) -> str:
    """A statement for the first groups of an order, for every group that shares their place."""
    tree = parse_one(sql, dialect="sqlite")
    limit, order = tree.args.get("limit"), tree.args.get("order")
    if not isinstance(tree, exp.Select) or limit is None or order is None or tree.args.get("group") is None:
        return sql
    first = order.expressions[0].this
    inner = tree.copy()
    inner.select(first.copy(), append=False, copy=False)
    tree.set("limit", None)
    share = exp.In(this=first.copy(), query=inner.subquery())
    return tree.having(share).sql(dialect="sqlite")


def narrowed(sql: str, table: str, key: str, values: Sequence[str | int]) -> str:
    """A statement over a table alone, for these of its rows; empty where it is over more."""
    tree = parse_one(sql, dialect="sqlite")
    sources = list(tree.find_all(exp.Table))
    if (
        not isinstance(tree, exp.Select)
        or tree.find(exp.Subquery) is not None
        or table not in {s.name for s in sources}
    ):
        return ""
    owner = next(source for source in sources if source.name == table).alias_or_name
    column = exp.column(key, table=owner, quoted=True)
    condition = exp.In(this=column, expressions=[exp.convert(value) for value in values])
    return tree.where(condition).sql(dialect="sqlite")
