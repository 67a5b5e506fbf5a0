"""Figures that no column holds: the difference, product, sum or ratio of two columns, as one mention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from kbtui.data.nl2sql.linking import Linked, Mention
from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.query import Operation, Ref
from kbtui.text.inflection import lemma, root
from kbtui.text.word_lists import rows_in

_THE: Final = r"(?:(?:the|their|its|of|T\d+|'s) )*"
_WRITTEN: Final[tuple[tuple[str, Operation], ...]] = (
    (rf"\b(?:the )?(?:difference|gap) (?:between|of|in) {_THE}(C\d+) (?:and|to|from) {_THE}(C\d+)", "-"),
    (rf"\b(C\d+) (?:minus|less|after deducting) {_THE}(C\d+)", "-"),
    (rf"\b(C\d+) (?:times|multiplied by) {_THE}(C\d+)", "*"),
    (rf"\b(?:the )?product of {_THE}(C\d+) and {_THE}(C\d+)", "*"),
    (rf"\b(C\d+) plus {_THE}(C\d+)", "+"),
    (rf"\b(?:the )?ratio (?:of|between) {_THE}(C\d+) (?:to|and|over) {_THE}(C\d+)", "/"),
    (rf"\b(C\d+) divided by {_THE}(C\d+)", "/"),
)
_SHAPES: Final = tuple((re.compile(pattern), operator) for pattern, operator in _WRITTEN)


_MONEY: Final = ("amount", "revenue")
"""These and their synonyms are what a column called Total is a total of."""
_TOTAL: Final = re.compile(
    r"(?<!\ba )(?<!\ban )(?<!average )(?<!highest )(?<!lowest )(?<!largest )(?<!smallest )(?<!maximum )(?<!minimum )"
    r"\btotal((?: [A-Za-z]+){1,2}?)?(?= (?:by|per|for (?:each|every|all)|of (?:each|every)|in (?:each|every))\b)"
    r"|\btotal((?: [A-Za-z]+){1,2}?)(?= (?:in|during|since|from|between|before|after)\b|\s*[?.!]*$)",
    re.IGNORECASE,
)


def with_computed(linked: Linked, model: SchemaModel) -> Linked:
    """The question with each computation of two columns as one mention; the columns it needs are no mentions then."""
    for pattern, operator in _SHAPES:
        while match := pattern.search(linked.line):
            first, second = (linked.mentions[int(name[1:])] for name in match.groups())
            columns = [
                ((one + other) / 2 - 0.2 * (ref.table != with_.table), ref.computed(operator, with_))
                for one, ref in first.columns[:4]
                for other, with_ in second.columns[:4]
                if ref != with_ and _computes(model, ref, operator) and _computes(model, with_, operator)
            ]
            columns.sort(key=lambda item: -item[0])
            made = Mention(first.start, second.end, f"{first.text} {operator} {second.text}", columns=columns[:6])
            if not columns:
                return linked
            linked = _joined(linked, match, made)
    return linked


def _computes(model: SchemaModel, ref: Ref, operator: Operation) -> bool:
    return model.is_number(ref) or (operator == "-" and model.is_date(ref))


def _joined(linked: Linked, match: re.Match[str], made: Mention) -> Linked:
    """The line with one mention in the place of two, the others numbered as they now are."""
    kept, gone = (int(name[1:]) for name in match.groups())
    inside = {int(name[1:]) for name in re.findall(r"T\d+", match.group())} | {gone}
    mentions = [m for n, m in enumerate(linked.mentions) if n not in inside]
    mentions[mentions.index(linked.mentions[kept])] = made

    def numbered(name: re.Match[str]) -> str:
        old = int(name[2])
        return f"{name[1]}{old - sum(other < old for other in inside)}"

    line = re.sub(
        r"\b([CTVNQ])(\d+)\b", numbered, linked.line[: match.start()] + f"C{kept}" + linked.line[match.end() :]
    )
    words = set(re.findall(r"[a-z]+", match.group()))
    unlinked = [word for word in linked.unlinked if word.lower() not in words]
    measures = {numbered(found) for name in linked.measures if (found := re.fullmatch(r"([A-Z])(\d+)", name))}
    return replace(linked, line=line, mentions=mentions, unlinked=unlinked, measures=frozenset(measures))


def with_formulas(question: str, model: SchemaModel) -> str:
    """The question with words such as "profit" written out, where no name says them and two columns give them."""
    said = {"-": "difference between {} and {}", "*": "{} times {}", "+": "{} plus {}", "/": "ratio of {} to {}"}

    def written(word: str) -> str | None:
        if root(word) in model.by_root:
            return None
        for first, operator, second in _formulas().get(lemma(word), ()):
            if root(first) in model.by_root and root(second) in model.by_root:
                return said[operator].format(first, second)
        return None

    if "report" not in model.by_root and "manager" in {word for role in model.roles for word in role.split("_")}:
        question = re.sub(r"\breport(?:s|ed|ing)? (?:directly )?to\b", "with manager", question)
    return re.sub(r"[A-Za-z]+", lambda word: written(word[0]) or word[0], question)


def with_totals(question: str, model: SchemaModel, synonyms: Mapping[str, Sequence[tuple[str, ...]]]) -> str:
    """The question with "total" as a sum, in a source that has a column of that name as well.

    "Total sales by country" and "total amount in 2010" are sums of such a column, "total quantity by kind" is one of
    another, and "total orders by country" is a count. "Orders with a total above 20" is about the column, as before.
    """
    holders = {ref.table for ref, named in model.columns.items() if named.words == ("total",) and model.is_number(ref)}
    if not holders:
        return question
    money = {other for word in _MONEY for other in (word, *(one[0] for one in synonyms.get(word, ()) if len(one) == 1))}
    own = frozenset().union(*(model.tables[table].roots for table in holders))

    def meant(match: re.Match[str]) -> str:
        words = (match[1] or match[2] or "").split()
        named = [one for word in words for one in model.by_root.get(root(word), ()) if one.words != ("total",)]
        if any(model.is_number(one.ref) for one in named):
            return f"sum of {' '.join(words)}"
        if words and words[-1] != lemma(words[-1]) and any(one.ref.column == "*" for one in named):
            return f"number of {' '.join(words)}"
        rest = [word for word in words if root(word) not in own and lemma(word) not in money]
        return match[0] if rest else "sum of total"

    return _TOTAL.sub(meant, question)


@lru_cache(maxsize=1)
def _formulas() -> dict[str, list[tuple[str, str, str]]]:
    found: dict[str, list[tuple[str, str, str]]] = {}
    for word, first, operator, second in rows_in(__package__, "formulas.tsv"):
        found.setdefault(lemma(word), []).append((first, operator, second))
    return found
