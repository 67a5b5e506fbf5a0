"""Small changes to a question before it is read over tables, and to the statement after."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from sqlglot import exp, parse_one

from kbtui.records.collection import WORDS

_TAILS: Final = "tails"
_BINDING: Final = "binding"
_IDLE: Final = "idle"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["asking"][name]).replace("\n  ", ""))


def asks(question: str) -> bool:
    """Whether it has a word that asks for a set of things, a figure or a value."""
    return _pattern("pattern").search(question) is not None


def plain(question: str) -> str:
    """The question without what every answer gives anyway (*and which ones*) and without words that only bind."""
    shorter = _pattern(_TAILS).sub("", question.strip())
    shorter = _pattern(_IDLE).sub(" ", _pattern(_BINDING).sub(" with ", shorter))
    return re.sub(r"\s{2,}", " ", shorter).strip() or question


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
