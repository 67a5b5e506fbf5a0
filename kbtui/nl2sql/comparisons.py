"""Comparisons of a draft: columns with numbers, with times of day, with other columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import lexicon
from kbtui.nl2sql.number_literals import literal, measures_of, number_for
from kbtui.nl2sql.query import Arith, Col, Cond, Expr, Operator, equals
from kbtui.nl2sql.time_conditions import age_cond, time_conds

_NUMERIC: Final = ("measure", "rate")
_DISTINCTIVE: Final = frozenset(("age", "price", "height", "weight", "temperature", "speed", "distance"))
"""Concepts of adjectives that apply to columns of the same concept only."""
_REACH: Final = 3
"""Tokens between an operator and its number, at most."""
_MAX_UNNAMED: Final = 3
_COLUMNS: Final = 0.1
"""Worth of a comparison of two columns."""


def compared_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Drafts with number comparisons as row conditions; the remaining operators are left for groups (see `groups`)."""
    new_draft, remaining = draft, list[int]()
    for index in draft.free(scene.cues("compare")):
        comparison = row_comparison(scene, new_draft, index)
        if comparison is None:
            remaining.append(index)
            continue
        condition, mentions = comparison
        new_draft = new_draft.filtered(condition).using("filter", *mentions).using("operator", index)
    for index in draft.free(scene.columns):
        mention = scene[index]
        if mention.comparative and (numbers := _numbers(scene, new_draft, index)):
            new_draft = new_draft.filtered(_comparative_cond(scene, mention, numbers[0])).using(
                "filter", index, numbers[0]
            )
    new_draft = _with_equalities(scene, new_draft)
    yield new_draft
    for index in remaining[:1]:
        yield from _implied_comparisons(scene, new_draft, index)
        yield from _column_comparisons(scene, new_draft, index)
    yield from _implied_equalities(scene, new_draft)
    if new_draft is not draft and not remaining:
        # A comparison may be one of groups: customers with sales over 1,000.
        yield draft.trait("comparison_left")


def _comparative_cond(scene: Scene, mention: Mention, number: int) -> Cond:
    """The condition of a comparative with a number: ``cheaper than 20``, ``older than 40``."""
    assert mention.ref is not None
    info = scene.info(mention.ref)
    if info is not None and info.kind == "date":
        cond = age_cond(scene, number, mention.ref, longer=mention.order == "asc")
        if cond is not None:
            return cond
    op: Operator = ">" if mention.order == "desc" else "<"
    return Cond(Col(mention.ref), op, literal(scene, number, mention.ref))


def row_comparison(scene: Scene, draft: Draft, index: int) -> tuple[Cond, list[int]] | None:
    """The condition of a comparing operator and the mentions it uses; None without a number or a column near it."""
    numbers = _numbers(scene, draft, index)
    if not numbers:
        return None
    targets = [i for i in draft.free(scene.columns) if _is_numeric(scene[i], scene)]
    target = nearest(scene.cover, index, targets, most=5, behind=0.0)
    if target is None:
        return None
    ref = scene[target].ref
    assert ref is not None
    comparison = _comparison(scene, index, numbers, Col(ref))
    return None if comparison is None else (comparison[0], [target, *comparison[1]])


def _comparison(scene: Scene, index: int, numbers: list[int], left: Expr) -> tuple[Cond, list[int]] | None:
    cue = scene[index].cue
    assert cue is not None
    op = cue.args.get("op", ">")
    if op != "between":
        return Cond(left, op, number_for(scene, numbers[0], left)), numbers[:1]
    if len(numbers) < 2:
        return None
    ends = tuple(sorted(number_for(scene, number, left) for number in numbers[:2]))
    return Cond(left, "between", ends), numbers[:2]


def _implied_comparisons(scene: Scene, draft: Draft, index: int) -> Iterator[Draft]:
    """Comparisons whose unit and size imply a column: ``dogs over 30 kg``, ``stays of more than a week``."""
    numbers = _numbers(scene, draft, index)
    if not numbers:
        return
    comparisons = [
        (comparison, worth)
        for expr, worth in measures_of(scene, numbers[0])
        if _may_apply_to(scene, index, expr) and (comparison := _comparison(scene, index, numbers, expr)) is not None
    ]
    op = _operator(scene, index)
    ends = numbers[: 2 if op == "between" else 1]
    if op != "between" or len(ends) > 1:
        comparisons += [((cond, ends), worth) for cond, worth in time_conds(scene, ends, op)]
    comparisons.sort(key=lambda item: -item[1])
    for (cond, mentions), worth in comparisons[:_MAX_UNNAMED]:
        new_draft = draft.filtered(cond).using("filter", *mentions).using("operator", index)
        yield new_draft.trait("unnamed_measure", 1.0, worth=worth)


def _may_apply_to(scene: Scene, index: int, expr: Expr) -> bool:
    """Whether an adjective can apply to an expression: nobody older than 60 has a fee over 60."""
    operator = scene.operator(index)
    concept = "" if operator is None else str(operator.args.get("concept", ""))
    if isinstance(expr, Arith):
        return concept != "age"  # A ticket older than 3 days was opened before, no matter when it was closed.
    column = scene.info(expr.ref) if isinstance(expr, Col) else None
    if concept not in _DISTINCTIVE or column is None or not column.concepts:
        return True
    return not column.concepts.isdisjoint((concept, *lexicon().near.get(concept, ())))


def _operator(scene: Scene, index: int) -> Operator:
    cue = scene[index].cue
    op: Operator = ">" if cue is None else cue.args.get("op", ">")
    return op


def _column_comparisons(scene: Scene, draft: Draft, index: int) -> Iterator[Draft]:
    """Comparisons of two columns: ``stock below its minimum``, ``delivered after the due date``."""
    operator = scene.operator(index)
    if operator is None or _numbers(scene, draft, index):
        return
    columns = [i for i in draft.free(scene.columns) if (info := scene.column(i)) is not None and not scene[i].order]
    before = [i for i in columns if i < index and gap(scene.cover, i, index) <= _REACH]
    after = [i for i in columns if i > index and gap(scene.cover, i, index) <= _REACH]
    op: Operator = operator.args.get("op", ">")
    if op == "between" or not after:
        return
    right = scene.column(after[0])
    assert right is not None
    mentioned = [(info, i) for i in before[-1:] if (info := scene.column(i)) is not None]
    candidates: list[tuple[ColumnInfo, int | None]] = list(mentioned) or [
        (info, None) for info in scene.table(right.ref.table).columns if info.ref != right.ref
    ]
    comparable = [(info, i) for info, i in candidates if info.ref != right.ref and _are_comparable(info, right)]
    for rank, (left, index_of_left) in enumerate(comparable[:_MAX_UNNAMED]):
        new_draft = draft.filtered(Cond(Col(left.ref), op, Col(right.ref))).using("filter", index_of_left, after[0])
        worth = _COLUMNS if index_of_left is not None else -_COLUMNS - 0.1 * rank
        yield new_draft.using("operator", index).trait("columns_compared", 1.0, worth=worth)


def _are_comparable(left: ColumnInfo, right: ColumnInfo) -> bool:
    """Whether two columns can be compared: both dates, or both numbers without different units."""
    dates = {left.kind == "date", right.kind == "date"}
    if dates == {True}:
        return True
    numbers = all(info.kind in _NUMERIC or info.encoding == "number" for info in (left, right))
    return numbers and (left.unit == right.unit or not left.unit or not right.unit)


def _implied_equalities(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Equalities whose unit implies a column: ``got 20 percent off``."""
    if scene.cue("top", "compare", "share") is not None:
        return
    for index in draft.free(scene.cover.indexes("number")):
        number = scene[index].number
        if number is None or not (number.kind == "percent" or number.unit):
            continue
        if number.unit == "clock":
            yield from _clock_conditions(scene, draft)
            return
        for expr, worth in sorted(measures_of(scene, index), key=lambda item: -item[1])[:1]:
            if worth >= 0 and isinstance(expr, Col):
                new_draft = draft.filtered(Cond(expr, "=", literal(scene, index, expr.ref))).using("filter", index)
                yield new_draft.trait("unnamed_measure", 1.0, worth=worth - 0.1)
        return


def _clock_conditions(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Hours of the day without a comparing operator: ``at 2pm``, ``2pm vs 10pm``."""
    times = [i for i in draft.free(scene.cover.indexes("number")) if (n := scene[i].number) and n.unit == "clock"]
    for cond, worth in islice(time_conds(scene, times, "="), 2):
        yield draft.filtered(cond).using("filter", *times, worth=worth)


def _is_numeric(mention: Mention, scene: Scene) -> bool:
    info = scene.info(mention.ref) if mention.ref is not None else None
    if info is None:
        return False
    return info.kind in _NUMERIC or info.encoding == "number" or isinstance(info.low, (int, float))


def _numbers(scene: Scene, draft: Draft, index: int) -> list[int]:
    """Free numbers near an operator, nearest first, those after it before those ahead of it."""
    numbers = [i for i in draft.free(scene.cover.indexes("number")) if gap(scene.cover, index, i) <= _REACH]
    return sorted(numbers, key=lambda i: (gap(scene.cover, index, i) + 0.5 * (i < index), i))


def _with_equalities(scene: Scene, draft: Draft) -> Draft:
    """Equalities of a column and numbers near it: ``floor 3``, ``aged either 36 or 37``."""
    if scene.cue("top", "compare") is not None:
        return draft
    by_column: dict[int, list[int]] = {}
    previous: tuple[int, int] | None = None
    for index in draft.free(scene.cover.indexes("number")):
        if (number := scene[index].number) is not None and number.unit == "clock":
            continue
        targets = [i for i in draft.free(scene.columns) if _is_numeric(scene[i], scene) and not scene[i].order]
        column = nearest(scene.cover, index, targets, most=2, behind=0.0)
        if column is None and previous is not None and gap(scene.cover, previous[0], index) <= 1:
            column = previous[1]  # “Aged 24 or 25” has two ages.
        if column is not None:
            by_column.setdefault(column, []).append(index)
            previous = index, column
    for column, numbers in by_column.items():
        ref = scene[column].ref
        assert ref is not None
        values = tuple(dict.fromkeys(literal(scene, number, ref) for number in numbers))
        draft = draft.filtered(equals(ref, values)).using("filter", column, *numbers)
        draft = draft.using("operator", *scene.cues("or"))
    return draft
