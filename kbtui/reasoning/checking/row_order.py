"""Claims of a sentence about the order of rows: extremes, ranks, lists in order, comparisons."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, Literal

from kbtui.reasoning.checking.row_bounds import all_are
from kbtui.reasoning.checking.row_figures import ReadRows
from kbtui.reasoning.checking.row_sentences import Figure
from kbtui.reasoning.checking.row_subjects import (
    Finding,
    agreed,
    changed_columns,
    columns_of,
    finding,
    order_of,
    rows_of_labels,
    subject_of,
)
from kbtui.reasoning.checking.row_trends import trends
from kbtui.reasoning.checking.rows import HEAD, RE, Label
from kbtui.text.language import has_cjk

_NEARLY: Final = 0.12
"""Relative distance of two values of which one is nearly the other."""

Direction = Literal[1, -1, 0]
"""1: more than others; -1: less; 0: one of the two."""


def claims_of_order(read: ReadRows) -> Iterator[Finding]:
    """Every claim about order, with what the rows say of it."""
    yield from _extremes(read)
    yield from _ranks(read)
    yield from _sequences(read)
    yield from _comparisons(read)
    yield from trends(read)
    yield from all_are(read)


# Extremes and ranks ---------------------------------------------------------------------------------------------------


def _is_extreme(rows: Collection[int], read: ReadRows, columns: Sequence[int], direction: Direction) -> bool:
    """Whether rows are the first ones from the top, or from the bottom, of a column."""
    sorted_by = read.rows.sorted_by if read.rows.is_limited else None
    for at in columns:
        if sorted_by is not None and (at != sorted_by[0] or direction == sorted_by[1]):
            # The rows that a limit left are extreme in what they were sorted by, and in nothing else.
            continue
        values = read.rows.values(at)
        own = sorted((values[row] for row in rows if row in values), reverse=True)
        ordered = sorted((value for row, value in values.items() if row not in read.rows.unnamed), reverse=True)
        if not own or not ordered or (ordered[0] == ordered[-1] and len(ordered) > len(own)):
            continue
        is_known = not (read.rows.is_limited and len(ordered) > 1)
        if direction >= 0 and own == ordered[: len(own)] and (is_known or next(iter(values.values())) == ordered[0]):
            return True
        if direction <= 0 and own == ordered[-len(own) :] and (is_known or next(iter(values.values())) == ordered[-1]):
            return True
    return False


def _extremes(read: ReadRows) -> Iterator[Finding]:
    patterns: tuple[tuple[re.Pattern[str], Direction], ...] = ((RE.most, 1), (RE.least, -1), (RE.extreme, 0))
    for pattern, direction in patterns:
        for match in pattern.finditer(read.sentence.text):
            if _is_ranked(match, read) or _is_bounding(match, read) or RE.since.search(read.sentence.text, match.end()):
                continue
            yield finding(match, _extreme(match, direction, read))
    known = [match.start() for match in RE.earliest.finditer(read.sentence.text)] if read.rows.periods else []
    known += [match.start() for pattern, _ in patterns for match in pattern.finditer(read.sentence.text)]
    for match in RE.other_extreme.finditer(read.sentence.text):
        if match.start() not in known:
            yield finding(match, None)


def _extreme(match: re.Match[str], direction: Direction, read: ReadRows) -> bool | None:
    if read.rows.is_limited and not read.rows.rows:
        return None
    first, last = read.sentence.segment_at(match.start())
    subject = subject_of(read, match.start(), match.end())
    rows = rows_of_labels(subject, read)
    cells = [(start, own) for start, own in read.cells.items() if first <= start < last]
    if not read.names and read.rows.is_chinese and not has_cjk(read.sentence.text):
        # Names in another script are not read; the figure beside the claim tells the row.
        cells = list(read.cells.items())
    if not rows and not subject and cells:
        rows = frozenset(row for row, _ in min(cells, key=lambda one: abs(one[0] - match.start()))[1])
        return any(_is_extreme([row], read, columns_of(read, match.start(), rows), direction) for row in rows)
    rows = rows or rows_of_labels(read.said_of(match.start())[-1:], read)
    if not rows:
        return None
    if not read.rows.amounts:
        return _is_commonest(subject, direction, read)
    columns = columns_of(read, match.start(), rows)
    if _is_of_other_measure(read, columns, first, last):
        return None
    if set(columns) <= set(changed_columns(read, first, last)):
        # What fell most has the lowest change.
        direction = 0 if not RE.rose.search(read.sentence.text, first, last) else direction
    if period := RE.of_period.match(read.sentence.text, match.end()):
        return any(_is_extreme_of_period(row, period, read, columns, direction) for row in rows)
    if _is_extreme(rows, read, columns, direction):
        return True
    names = {label.text for label in subject}
    return len(names) == 1 and len(rows) > 1 and any(_is_extreme([row], read, columns, direction) for row in rows)


def _is_of_other_measure(read: ReadRows, columns: Sequence[int], first: int, last: int) -> bool:
    """Whether an order is one of shares, or of means, and the columns hold amounts; a stated share tells by itself."""
    text, heads = read.sentence.text, [read.rows.columns[at] for at in columns]
    if RE.share_named.search(text, first, last) and not any(figure.kind == "share" for figure in read.figures):
        return not any(RE.share.search(head) or RE.mean_column.search(head) for head in heads)
    is_mean = RE.mean.search(text, first, last) is not None
    return is_mean and not RE.mean_behind.search(read.rows.behind) and not any(map(RE.mean_column.search, heads))


def _is_extreme_of_period(
    row: int, period: re.Match[str], read: ReadRows, columns: Sequence[int], direction: Direction
) -> bool:
    """Whether a row is the extreme of the quarter, or of the year, that it is of."""
    pick = min if direction < 0 else max
    for periods in read.rows.periods.values():
        parts = [order_of(own) for own in periods]
        units = [(year, (month - 1) // 3 if period["quarter"] else 0) for year, month, _ in parts]
        for at in columns:
            values = {number: value for number, value in read.rows.values(at).items() if units[number] == units[row]}
            if row in values and values[row] == pick(values.values()):
                return True
    return False


def _is_commonest(labels: Sequence[Label], direction: Direction, read: ReadRows) -> bool | None:
    """Without numbers, what most rows have."""
    for label in labels:
        counts: dict[str, int] = {}
        for row in read.rows.rows:
            counts[row[label.column].text] = counts.get(row[label.column].text, 0) + 1
        if len(counts) < len(read.rows.rows):
            return len(label.rows) == (max if direction >= 0 else min)(counts.values())
    return None


def _is_ranked(match: re.Match[str], read: ReadRows) -> bool:
    """A superlative behind an ordinal is part of a rank: the second highest."""
    return any(figure.kind == "rank" and 0 <= match.start() - figure.end <= 1 for figure in read.sentence.figures)


def _is_bounding(match: re.Match[str], read: ReadRows) -> bool:
    """最多1.6 is a bound and no extreme."""
    return any(figure.start == match.end() and figure.bound == "most" for figure in read.sentence.figures)


def _ranks(read: ReadRows) -> Iterator[Finding]:
    text = read.sentence.text
    ranks = [figure for figure in read.figures if figure.kind == "rank"]
    for figure in ranks:
        behind = text[figure.end : figure.end + 14]
        is_dated = bool(read.rows.periods) and not any(label.column not in read.rows.periods for label in read.names)
        subject = subject_of(read, figure.start, figure.end) or read.said_of(figure.start)[-1:]
        if is_dated or not subject:
            # “In the fourth” may be a quarter; without a subject it is nothing about a row that is named.
            if figure.value > 1 and not is_dated and RE.ranked.search(text, max(0, figure.start - 12), figure.end):
                yield Finding(figure.start, figure.text, None)
            continue
        if len(ranks) > 1 and len(subject) >= len(ranks):
            subject = [sorted(subject, key=lambda label: label.start)[ranks.index(figure)]]
        direction: Direction = -1 if RE.least_ordered.match(behind.strip()) else 1
        if not (RE.most_ordered.match(behind.strip()) or direction < 0):
            direction = 0 if not RE.most.search(text) else 1
        rows = rows_of_labels(subject, read)
        columns = columns_of(read, figure.start, rows)
        yield Finding(figure.start, figure.text, any(_has_rank(figure, row, read, columns, direction) for row in rows))


def _has_rank(figure: Figure, row: int, read: ReadRows, columns: Sequence[int], direction: Direction) -> bool:
    for at in columns:
        values = read.rows.values(at)
        if row in values:
            above = sum(value > values[row] for value in values.values()) + 1
            below = sum(value < values[row] for value in values.values()) + 1
            level = sum(value == values[row] for value in values.values()) - 1
            places = ([above] if direction >= 0 else []) + ([below] if direction < 0 else [])
            if any(place <= figure.value <= place + level for place in places):
                return True
    return False


def _sequences(read: ReadRows) -> Iterator[Finding]:
    """Lists in order: “followed by B, then C”: each is the next one in a column, downwards or upwards."""
    text = read.sentence.text
    for match in RE.sequence.finditer(text):
        before = [label for label in read.names if label.end <= match.start()]
        after = [label for label in read.names if label.start >= match.end()]
        if not before or not after or not read.rows.amounts or before[-1].text == after[0].text:
            continue
        rows = {rows_of_labels([before[-1]], read), rows_of_labels([after[0]], read)}
        if len(rows) < 2 or any(len(own) != 1 for own in rows):
            continue
        one, other = next(iter(before[-1].rows)), next(iter(after[0].rows))
        columns = columns_of(read, match.start(), {one, other})
        yield finding(match, any(_is_next(read.rows.values(at), one, other) for at in columns))


def _is_next(values: dict[int, float], one: int, other: int) -> bool:
    if one not in values or other not in values:
        return False
    low, high = sorted((values[one], values[other]))
    return not any(low < value < high for value in values.values())


# Comparisons ----------------------------------------------------------------------------------------------------------


def _comparisons(read: ReadRows) -> Iterator[Finding]:
    text = read.sentence.text
    seen: list[int] = []
    for pattern, sign in ((RE.more_than, 1), (RE.less_than, -1)):
        for match in pattern.finditer(text):
            if not _is_bound(match, read):
                seen.append(match.start())
                yield finding(match, _compares(match.start(), match.end(), sign, read))
    for match in RE.than.finditer(text):
        objects = [label for label in read.labels if match.end() <= label.start <= match.end() + 2]
        end = objects[0].end if objects else match.end()
        for pattern, sign in ((RE.than_more, 1), (RE.than_less, -1)):
            if way := pattern.match(text, end):
                yield Finding(
                    match.start(), f"{match[0]}…{way[0][-1]}", _compares(match.start(), match.end(), sign, read)
                )
                break
    for match in RE.same.finditer(text):
        if not any(
            figure.kind in ("times", "share") and 0 <= match.start() - figure.end <= 1 for figure in read.figures
        ):
            yield finding(match, _are_same(match, read))
    for match in RE.compared.finditer(text):
        if not any(match.start() <= place <= match.end() + 2 for place in seen) and not re.search(
            r"^[^.;]{0,40}\b(?:than|of)\b", text[match.end() :]
        ):
            yield finding(match, None)


def _is_bound(match: re.Match[str], read: ReadRows) -> bool:
    """“More than 200” and “above half” are bounds of a figure."""
    return any(0 <= figure.start - match.end() <= 12 and not read.labels_in(match.end(), figure.start, read.labels)
               for figure in read.sentence.figures if figure.kind != "rank") and not any(
        label.start >= match.end() and label.start - match.end() <= 6 for label in read.labels
    )  # fmt: skip


def _compares(start: int, end: int, sign: int, read: ReadRows) -> bool | None:
    """Whether what is named before a comparison has more, or less, than what is named behind it."""
    text = read.sentence.text
    first, last = read.sentence.segment_at(start)
    after = read.labels_in(end, last, read.labels)
    alike = [label for label in read.labels if not after or (label.column == HEAD) == (after[0].column == HEAD)]
    before = read.before(start, alike) or read.labels_in(start, end, alike)
    if RE.all_others.match(text[end:].lstrip()) and not after:
        rows = rows_of_labels(before, read)
        return _is_extreme(rows, read, columns_of(read, start, rows), 1 if sign > 0 else -1) if rows else None
    if not after:
        # “February used more litres than any, March less than that”: the next segment may name it.
        return None
    alike = [label for label in before if label.column == after[0].column] or before
    alike = [label for label in alike if label.text != after[0].text]
    if not alike:
        return None
    objects = [label for label in after if label.column == after[0].column]
    if not RE.every.search(text, end, after[0].start):
        objects = objects[:1]
    subjects = alike if RE.together.search(text, first, start) else alike[-1:]
    rows = rows_of_labels([*subjects, *objects], read)
    if after[0].column == HEAD and len(read.named_rows) > 1:
        # “Elm and Oak sold more in May than in June”: each of them did.
        each = [replace(read, rows=replace(read.rows, rows=(read.rows.rows[row],))) for row in read.named_rows]
        return agreed([_higher(one.values_of(subjects), one.values_of(objects[:1]), sign, [HEAD]) for one in each])
    columns = [HEAD] if after[0].column == HEAD else columns_of(read, start, rows)
    left = read.values_of(subjects)
    if len(subjects) > 1 and len(alike_objects := _joined(read, after)) > 1:
        return _higher(left, read.values_of(alike_objects), sign, columns)
    return agreed([_higher(left, read.values_of([other]), sign, columns) for other in objects])


def _joined(read: ReadRows, labels: Sequence[Label]) -> list[Label]:
    """The first of some names with those that are joined to it."""
    chain = list(labels[:1])
    for label in labels[1:]:
        if label.column != chain[0].column or not RE.joined.match(read.sentence.text[chain[-1].end : label.start]):
            break
        chain.append(label)
    return chain


def _higher(left: object, right: object, sign: int, columns: Sequence[int]) -> bool | None:
    assert isinstance(left, dict)
    assert isinstance(right, dict)
    shared = [at for at in columns if at in left and at in right]
    return any(sign * (left[at] - right[at]) > 0 for at in shared) if shared else None


def _are_same(match: re.Match[str], read: ReadRows) -> bool | None:
    first, last = read.sentence.segment_at(match.start())
    names = read.labels_in(first, last) or read.said_of(match.start())
    before = [label for label in names if label.start < match.start()]
    after = [label for label in names if label.start >= match.start()]
    things = [before, after] if RE.together.search(match.string) and after else [[label] for label in names]
    if RE.order.search(match.string, first, last) and len(read.rows.amounts) > 1:
        orders = [_order(read.rows.values(at)) for at in read.rows.amounts]
        return any(one == other for one, other in combinations(orders, 2))
    values = [read.values_of(own) for own in things if own]
    shared = set(read.rows.amounts).intersection(*(own.keys() for own in values)) if len(values) > 1 else set()
    if not shared:
        cells = [own for start, own in read.cells.items() if first <= start < last]
        return any(len({row for row, _ in own}) > 1 for own in cells) if cells else None
    near = _NEARLY if RE.bound_just_below.search(match.string, max(0, match.start() - 12), match.start()) else 0.0
    return any(
        max(own[at] for own in values) - min(own[at] for own in values) <= near * max(own[at] for own in values)
        for at in shared
    )


def _order(values: Mapping[int, float]) -> list[int]:
    """Rows from the highest value to the lowest."""
    return sorted(values, key=lambda row: (-values[row], row))
