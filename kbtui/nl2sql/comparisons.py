"""Comparisons of a draft: columns with numbers, with times of day, with one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import lexicon
from kbtui.nl2sql.number_literals import literal, measured, measures_of
from kbtui.nl2sql.query import Arith, Col, Cond, Expr, Operator, Ref
from kbtui.nl2sql.time_conditions import moment_conds, since_number

_NUMERIC: Final = ("measure", "rate")
_OF_THEIR_OWN: Final = frozenset(("age", "price", "height", "weight", "temperature", "speed", "distance"))
"""Concepts of adjectives that no other column can be meant by."""
_REACH: Final = 3
"""Tokens between an operator and its number."""
_MOST_UNNAMED: Final = 3
_COLUMNS: Final = 0.1
"""Worth of two columns that are compared."""


def compared_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Comparisons with numbers as conditions of rows; what is left of them is for groups (see `groups`)."""
    grown, rest = draft, list[int]()
    for index in draft.free(scene.cues("compare")):
        comparison = row_comparison(scene, grown, index)
        if comparison is None:
            rest.append(index)
            continue
        cond, used = comparison
        grown = grown.filtered(cond).using("filter", *used).using("operator", index)
    for index in draft.free(scene.columns):
        mention = scene[index]
        if mention.comparative and (numbers := _numbers(scene, grown, index)):
            grown = grown.filtered(_comparative(scene, mention, numbers[0])).using("filter", index, numbers[0])
    grown = _equal_numbers(scene, grown)
    yield grown
    for index in rest[:1]:
        yield from _unnamed_compared(scene, grown, index)
        yield from _columns_compared(scene, grown, index)
    yield from _unnamed_equal(scene, grown)
    if grown is not draft and not rest:
        # A comparison may be one of groups: customers with sales over 1,000.
        yield draft.trait("comparison_left")


def _comparative(scene: Scene, mention: Mention, number: int) -> Cond:
    """``cheaper than 20``, ``older than 40``: the column of an adjective with a number."""
    assert mention.ref is not None
    info = scene.info(mention.ref)
    if info is not None and info.kind == "date":
        cond = since_number(scene, number, mention.ref, longer=mention.order == "asc")
        if cond is not None:
            return cond
    op: Operator = ">" if mention.order == "desc" else "<"
    return Cond(Col(mention.ref), op, literal(scene, number, mention.ref))


def row_comparison(scene: Scene, draft: Draft, index: int) -> tuple[Cond, list[int]] | None:
    """The condition of a comparing operator with its number and its column, and the mentions it takes."""
    numbers = _numbers(scene, draft, index)
    if not numbers:
        return None
    targets = [i for i in draft.free(scene.columns) if _comparable(scene[i], scene)]
    target = nearest(scene.cover, index, targets, most=5, behind=0.0)
    if target is None:
        return None
    ref = scene[target].ref
    assert ref is not None
    compared = _comparison(scene, index, numbers, Col(ref))
    return None if compared is None else (compared[0], [target, *compared[1]])


def _comparison(scene: Scene, index: int, numbers: list[int], left: Expr) -> tuple[Cond, list[int]] | None:
    cue = scene[index].cue
    assert cue is not None
    op = cue.args.get("op", ">")
    if op != "between":
        return Cond(left, op, measured(scene, numbers[0], left)), numbers[:1]
    if len(numbers) < 2:
        return None
    ends = tuple(sorted(measured(scene, number, left) for number in numbers[:2]))
    return Cond(left, "between", ends), numbers[:2]


def _unnamed_compared(scene: Scene, draft: Draft, index: int) -> Iterator[Draft]:
    """``dogs over 30 kg``, ``stays of more than a week``: the unit and the size of a number tell what it measures."""
    numbers = _numbers(scene, draft, index)
    if not numbers:
        return
    compared = [
        (made, worth)
        for expr, worth in measures_of(scene, numbers[0])
        if _may_mean(scene, index, expr) and (made := _comparison(scene, index, numbers, expr)) is not None
    ]
    op = _operator(scene, index)
    told = numbers[: 2 if op == "between" else 1]
    if op != "between" or len(told) > 1:
        compared += [((cond, told), worth) for cond, worth in moment_conds(scene, told, op)]
    compared.sort(key=lambda item: -item[1])
    for (cond, used), worth in compared[:_MOST_UNNAMED]:
        grown = draft.filtered(cond).using("filter", *used).using("operator", index)
        yield grown.trait("unnamed_measure", 1.0, worth=worth)


def _may_mean(scene: Scene, index: int, expr: Expr) -> bool:
    """Whether a comparing adjective can be about a column: nobody older than 60 has a fee over 60."""
    operator = scene.operator(index)
    concept = "" if operator is None else str(operator.args.get("concept", ""))
    if isinstance(expr, Arith):
        return concept != "age"  # A ticket older than 3 days was opened before, whenever it was closed.
    column = scene.info(expr.ref) if isinstance(expr, Col) else None
    if concept not in _OF_THEIR_OWN or column is None or not column.concepts:
        return True
    return not column.concepts.isdisjoint((concept, *lexicon().near.get(concept, ())))


def _operator(scene: Scene, index: int) -> Operator:
    cue = scene[index].cue
    op: Operator = ">" if cue is None else cue.args.get("op", ">")
    return op


def _columns_compared(scene: Scene, draft: Draft, index: int) -> Iterator[Draft]:
    """``stock below its minimum``, ``delivered after the due date``: two columns against each other."""
    operator = scene.operator(index)
    if operator is None or _numbers(scene, draft, index):
        return
    free = [i for i in draft.free(scene.columns) if (info := scene.column(i)) is not None and not scene[i].order]
    before = [i for i in free if i < index and gap(scene.cover, i, index) <= _REACH]
    behind = [i for i in free if i > index and gap(scene.cover, i, index) <= _REACH]
    op: Operator = operator.args.get("op", ">")
    if op == "between" or not behind:
        return
    right = scene.column(behind[0])
    assert right is not None
    lefts = [(info, i) for i in before[-1:] if (info := scene.column(i)) is not None]
    others: list[tuple[ColumnInfo, int | None]] = list(lefts) or [
        (info, None) for info in scene.table(right.ref.table).columns if info.ref != right.ref
    ]
    likely = [(info, i) for info, i in others if info.ref != right.ref and _alike(info, right)]
    for rank, (left, at) in enumerate(likely[:_MOST_UNNAMED]):
        grown = draft.filtered(Cond(Col(left.ref), op, Col(right.ref))).using("filter", at, behind[0])
        worth = _COLUMNS if at is not None else -_COLUMNS - 0.1 * rank
        yield grown.using("operator", index).trait("columns_compared", 1.0, worth=worth)


def _alike(left: ColumnInfo, right: ColumnInfo) -> bool:
    """Whether two columns hold things of one kind."""
    dates = {left.kind == "date", right.kind == "date"}
    if dates == {True}:
        return True
    numbers = all(info.kind in _NUMERIC or info.encoding == "number" for info in (left, right))
    return numbers and (left.unit == right.unit or not left.unit or not right.unit)


def _unnamed_equal(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``got 20 percent off``: a number whose unit alone tells its column."""
    if scene.cue("top", "compare", "share") is not None:
        return
    for index in draft.free(scene.cover.indexes("number")):
        number = scene[index].number
        if number is None or not (number.kind == "percent" or number.unit):
            continue
        if number.unit == "clock":
            yield from _at_times(scene, draft)
            return
        for expr, worth in sorted(measures_of(scene, index), key=lambda item: -item[1])[:1]:
            if worth >= 0 and isinstance(expr, Col):
                grown = draft.filtered(Cond(expr, "=", literal(scene, index, expr.ref))).using("filter", index)
                yield grown.trait("unnamed_measure", 1.0, worth=worth - 0.1)
        return


def _at_times(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``at 2pm``, ``2pm vs 10pm``: hours of the day that no operator compares."""
    times = [i for i in draft.free(scene.cover.indexes("number")) if (n := scene[i].number) and n.unit == "clock"]
    for cond, worth in islice(moment_conds(scene, times, "="), 2):
        yield draft.filtered(cond).using("filter", *times, worth=worth)


def _comparable(mention: Mention, scene: Scene) -> bool:
    info = scene.info(mention.ref) if mention.ref is not None else None
    if info is None:
        return False
    return info.kind in _NUMERIC or info.encoding == "number" or isinstance(info.low, (int, float))


def _numbers(scene: Scene, draft: Draft, index: int) -> list[int]:
    """Numbers near an operator, the nearest first, those behind it before those in front of it."""
    numbers = [i for i in draft.free(scene.cover.indexes("number")) if gap(scene.cover, index, i) <= _REACH]
    return sorted(numbers, key=lambda i: (gap(scene.cover, index, i) + 0.5 * (i < index), i))


def _equal_numbers(scene: Scene, draft: Draft) -> Draft:
    """``floor 3``, ``aged either 36 or 37``: numbers beside a column that no operator compares."""
    if scene.cue("top", "compare") is not None:
        return draft
    by_column: dict[int, list[int]] = {}
    for index in draft.free(scene.cover.indexes("number")):
        if (number := scene[index].number) is not None and number.unit == "clock":
            continue
        targets = [i for i in draft.free(scene.columns) if _comparable(scene[i], scene) and not scene[i].order]
        column = nearest(scene.cover, index, targets, most=2, behind=0.0)
        if column is not None:
            by_column.setdefault(column, []).append(index)
    for column, numbers in by_column.items():
        ref = scene[column].ref
        assert ref is not None
        values = tuple(dict.fromkeys(literal(scene, number, ref) for number in numbers))
        draft = draft.filtered(value_cond(ref, values)).using("filter", column, *numbers)
        draft = draft.using("operator", *scene.cues("or"))
    return draft


def value_cond(ref: Ref, values: tuple[Any, ...]) -> Cond:
    """The condition that a column has one of these values."""
    if len(values) == 1:
        return Cond(Col(ref), "=", values[0])
    return Cond(Col(ref), "in", values)
