"""Claims of a sentence about the order of rows: extremes, ranks, comparisons, trends, and how many pass a bound."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from kbtui.reasoning.checking.row_figures import ReadRows, rows_of_all
from kbtui.reasoning.checking.row_sentences import Figure
from kbtui.reasoning.checking.rows import HEAD, RE, Label

_NEAR: Final = 60
"""Most characters between the words of a claim and what it is said of."""

Direction = Literal[1, -1, 0]
"""1: more than others; -1: less; 0: one of the two."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of a sentence and what one result says of it.

    Attributes:
        start: Where its words stand.
        text: Its words.
        holds: None if the result says nothing of it.
    """

    start: int
    text: str
    holds: bool | None


def claims_of_order(read: ReadRows) -> Iterator[Finding]:
    """Every claim about order, with what the rows say of it."""
    yield from _extremes(read)
    yield from _ranks(read)
    yield from _sequences(read)
    yield from _comparisons(read)
    yield from _trends(read)


def _finding(match: re.Match[str], holds: bool | None) -> Finding:
    return Finding(match.start(), match[0], holds)


# What is spoken of ----------------------------------------------------------------------------------------------------


def _subject(read: ReadRows, start: int, end: int) -> list[Label]:
    """The names that a claim is about: nearest to its words, with those that are joined to them."""
    text = read.sentence.text
    first, last = read.sentence.segment_at(start)
    near = [label for label in read.labels_in(first, last) if _gap(label, start, end) <= _NEAR]
    if not near:
        return []
    nearest = min(near, key=lambda label: (_gap(label, start, end), label.start > end))
    chain = [label for label in near if label.start == nearest.start]
    for label in sorted(near, key=lambda label: abs(label.start - nearest.start)):
        is_joined = any(
            RE.joined.match(text[min(label.end, other.end) : max(label.start, other.start)])
            for other in chain
            if label.column == other.column and label.start != other.start
        )
        # Names that stand together, such as a store and a year, name one row.
        if label not in chain and (is_joined or label.column not in {other.column for other in chain}):
            chain.append(label)
    return chain


def _gap(label: Label, start: int, end: int) -> int:
    return max(label.start - end, start - label.end, 0)


def _rows_of(labels: Sequence[Label], read: ReadRows) -> frozenset[int]:
    """The rows that names stand for: of names of several columns those that have all of them."""
    by_column: dict[int, set[int]] = {}
    for label in labels:
        by_column.setdefault(label.column, set()).update(label.rows)
    common = frozenset(range(len(read.rows.rows))).intersection(*by_column.values()) if by_column else frozenset()
    return common or (rows_of_all(labels, len(read.rows.rows)) if len(by_column) > 1 else common)


def _columns(read: ReadRows, start: int, rows: Collection[int]) -> list[int]:
    """The columns of a claim: those of figures in its segment that are of its rows, that are named, else all."""
    first, last = read.sentence.segment_at(start)
    own = [cell for at, cells in read.cells.items() if first <= at < last for cell in cells]
    columns = {at for row, at in own if row in rows} & set(read.rows.amounts)
    heads = {at for label in read.labels_in(first, last, read.labels) if label.column == HEAD for at in label.rows}
    return sorted(_changed_columns(read) or columns or heads & set(read.rows.amounts) or read.rows.amounts)


def _is_extreme(rows: Collection[int], read: ReadRows, columns: Sequence[int], direction: Direction) -> bool:
    """Whether rows are the first ones from the top, or from the bottom, of a column."""
    for at in columns:
        values = read.rows.values(at)
        own = sorted((values[row] for row in rows if row in values), reverse=True)
        ordered = sorted(values.values(), reverse=True)
        if not own or (ordered[0] == ordered[-1] and len(ordered) > len(own)):
            continue
        is_known = not (read.rows.is_limited and len(ordered) > 1)
        if direction >= 0 and own == ordered[: len(own)] and (is_known or next(iter(values.values())) == ordered[0]):
            return True
        if direction <= 0 and own == ordered[-len(own) :] and (is_known or next(iter(values.values())) == ordered[-1]):
            return True
    return False


# Extremes and ranks ---------------------------------------------------------------------------------------------------


def _extremes(read: ReadRows) -> Iterator[Finding]:
    patterns: tuple[tuple[re.Pattern[str], Direction], ...] = ((RE.most, 1), (RE.least, -1), (RE.extreme, 0))
    for pattern, direction in patterns:
        for match in pattern.finditer(read.sentence.text):
            if _is_ranked(match, read) or _is_bounding(match, read) or RE.since.search(read.sentence.text, match.end()):
                continue
            yield _finding(match, _extreme(match, direction, read))
    known = [match.start() for pattern, _ in patterns for match in pattern.finditer(read.sentence.text)]
    for match in RE.other_extreme.finditer(read.sentence.text):
        if match.start() not in known:
            yield _finding(match, None)


def _extreme(match: re.Match[str], direction: Direction, read: ReadRows) -> bool | None:
    if read.rows.is_limited and not read.rows.rows:
        return None
    first, last = read.sentence.segment_at(match.start())
    subject = _subject(read, match.start(), match.end())
    rows = _rows_of(subject, read)
    cells = [(start, own) for start, own in read.cells.items() if first <= start < last]
    if not rows and not subject and cells:
        rows = frozenset(row for row, _ in min(cells, key=lambda one: abs(one[0] - match.start()))[1])
        return any(_is_extreme([row], read, _columns(read, match.start(), rows), direction) for row in rows)
    rows = rows or _rows_of(read.said_of(match.start())[-1:], read)
    if not rows:
        return None
    if not read.rows.amounts:
        return _is_commonest(subject, direction, read)
    columns = _columns(read, match.start(), rows)
    if period := RE.of_period.match(read.sentence.text, match.end()):
        return any(_is_extreme_of_period(row, period, read, columns, direction) for row in rows)
    if _is_extreme(rows, read, columns, direction):
        return True
    names = {label.text for label in subject}
    return len(names) == 1 and len(rows) > 1 and any(_is_extreme([row], read, columns, direction) for row in rows)


def _is_extreme_of_period(
    row: int, period: re.Match[str], read: ReadRows, columns: Sequence[int], direction: Direction
) -> bool:
    """Whether a row is the extreme of the quarter, or of the year, that it is of."""
    pick = min if direction < 0 else max
    for periods in read.rows.periods.values():
        parts = [_order_of(own) for own in periods]
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
        subject = _subject(read, figure.start, figure.end) or read.said_of(figure.start)[-1:]
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
        rows = _rows_of(subject, read)
        columns = _columns(read, figure.start, rows)
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
        rows = {_rows_of([before[-1]], read), _rows_of([after[0]], read)}
        if len(rows) < 2 or any(len(own) != 1 for own in rows):
            continue
        one, other = next(iter(before[-1].rows)), next(iter(after[0].rows))
        columns = _columns(read, match.start(), {one, other})
        yield _finding(match, any(_is_next(read.rows.values(at), one, other) for at in columns))


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
                yield _finding(match, _compares(match.start(), match.end(), sign, read))
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
        yield _finding(match, _are_same(match, read))
    for match in RE.compared.finditer(text):
        if not any(match.start() <= place <= match.end() + 2 for place in seen) and not re.search(
            r"^[^.;]{0,40}\b(?:than|of)\b", text[match.end() :]
        ):
            yield _finding(match, None)


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
    before = read.before(start, read.labels)
    if RE.all_others.match(text[end:].lstrip()) and not after:
        rows = _rows_of(before, read)
        return _is_extreme(rows, read, _columns(read, start, rows), 1 if sign > 0 else -1) if rows else None
    if not after:
        # “February used more litres than any, March less than that”: the next segment may name it.
        return None
    alike = [label for label in before if (label.column == HEAD) == (after[0].column == HEAD)]
    alike = [label for label in alike if label.column == after[0].column] or alike
    alike = [label for label in alike if label.text != after[0].text]
    if not alike:
        return None
    objects = [label for label in after if label.column == after[0].column]
    if not RE.every.search(text, end, after[0].start):
        objects = objects[:1]
    subjects = alike if RE.together.search(text, first, start) else alike[-1:]
    rows = _rows_of([*subjects, *objects], read)
    columns = [HEAD] if after[0].column == HEAD else _columns(read, start, rows)
    left = read.values_of(subjects)
    return _agree([_higher(left, read.values_of([other]), sign, columns) for other in objects])


def _higher(left: object, right: object, sign: int, columns: Sequence[int]) -> bool | None:
    assert isinstance(left, dict)
    assert isinstance(right, dict)
    shared = [at for at in columns if at in left and at in right]
    return any(sign * (left[at] - right[at]) > 0 for at in shared) if shared else None


def _agree(verdicts: Sequence[bool | None]) -> bool | None:
    known = [verdict for verdict in verdicts if verdict is not None]
    return all(known) if known else None


def _are_same(match: re.Match[str], read: ReadRows) -> bool | None:
    first, last = read.sentence.segment_at(match.start())
    names = read.labels_in(first, last) or read.said_of(match.start())
    before = [label for label in names if label.start < match.start()]
    after = [label for label in names if label.start >= match.start()]
    things = [before, after] if RE.together.search(match.string) and after else [[label] for label in names]
    values = [read.values_of(own) for own in things if own]
    shared = set(read.rows.amounts).intersection(*(own.keys() for own in values)) if len(values) > 1 else set()
    return any(len({own[at] for own in values}) == 1 for at in shared) if shared else None


# Trends ---------------------------------------------------------------------------------------------------------------


def _changed_columns(read: ReadRows) -> list[int]:
    """The columns whose sign says which way something went, where the sentence speaks of a change."""
    if not (RE.rose.search(read.sentence.text) or RE.fell.search(read.sentence.text)):
        return []
    return [at for at in read.rows.amounts if RE.change.search(read.rows.columns[at].replace("_", " "))]


def _trends(read: ReadRows) -> Iterator[Finding]:
    for pattern, sign in ((RE.rose, 1), (RE.fell, -1)):
        for match in pattern.finditer(read.sentence.text):
            yield _finding(match, _went(match, sign, read))


def _went(match: re.Match[str], sign: int, read: ReadRows) -> bool | None:
    """Whether values went the way that is said."""
    first, last = read.sentence.segment_at(match.start())
    named = read.labels_in(first, last, read.labels) or read.labels
    is_steady = RE.steady.search(read.sentence.text, first, last) is not None
    if changes := _changed_columns(read):
        return _changed(match, sign, read, changes, is_every=is_steady)
    dated = [at for at in read.rows.periods if len(set(read.rows.periods[at])) > 1]
    for at in dated:
        own = {label.rows: label for label in named if label.column == at}
        rows = sorted(min(rows) for rows in own)
        if len(rows) > 1 and not is_steady and not RE.range.search(read.sentence.text, first, last):
            rows = rows[:1]
        if len(rows) == 1 and not is_steady:
            wide = max((len(rows) for rows in own), default=1)
            rows = [rows[0] - 1, rows[0]] if wide == 1 else sorted(next(iter(own)))
        elif len(rows) < 2:
            rows = sorted(next(iter(own))) if own and len(next(iter(own))) > 1 else list(range(len(read.rows.rows)))
        return _moved(rows, sign, read, is_steady=is_steady) if min(rows) >= 0 else None
    heads = sorted(read.rows.period_heads, key=lambda at: _order_of(read.rows.period_heads[at]))
    if len(heads) > 1:
        own_rows = rows_of_all([label for label in read.names if first <= label.start < last], len(read.rows.rows))
        pairs = [(read.rows.rows[row][heads[0]].value, read.rows.rows[row][heads[-1]].value) for row in own_rows]
        return _agree([sign * (b - a) > 0 for a, b in pairs if a is not None and b is not None])
    return _figures_went(sign, read)


def _figures_went(sign: int, read: ReadRows) -> bool | None:
    """Of two figures of the rows, “from 5 to 7”, the second one is higher."""
    own = [figure for figure in read.figures if figure.kind == "amount" and figure.start in read.cells]
    return any(sign * (b.value - a.value) > 0 for a, b in pairwise(own)) if len(own) > 1 else None


def _moved(rows: Sequence[int], sign: int, read: ReadRows, *, is_steady: bool) -> bool | None:
    """Whether a column went up, or down, from the first to the last of some rows in order of time; steadily: always."""
    at = next(iter(read.rows.periods))
    order = sorted(range(len(read.rows.rows)), key=lambda row: _order_of(read.rows.periods[at][row]))
    places = sorted(order.index(row) for row in rows)
    verdicts = []
    for column in read.rows.amounts:
        values = read.rows.values(column)
        span = [values[row] for row in order[places[0] : places[-1] + 1] if row in values]
        steps = list(pairwise(span)) if is_steady else [(span[0], span[-1])] if len(span) > 1 else []
        verdicts.append(all(sign * (b - a) > 0 for a, b in steps) if steps else None)
    known = [verdict for verdict in verdicts if verdict is not None]
    return any(known) if known else None


def _changed(match: re.Match[str], sign: int, read: ReadRows, changes: Sequence[int], *, is_every: bool) -> bool | None:
    subject = _subject(read, match.start(), match.end())
    rows = _rows_of(subject, read)
    first, last = read.sentence.segment_at(match.start())
    if not rows and (is_every or RE.every.search(match.string, first, last)):
        rows = frozenset(range(len(read.rows.rows)))
    if not rows:
        rows = frozenset(row for at, own in read.cells.items() if first <= at < last for row, _ in own)
    signs = [sign * value > 0 for at in changes for row, value in read.rows.values(at).items() if row in rows and value]
    return all(signs) if signs else None


def _order_of(period: object) -> tuple[int, int, int]:
    assert period is None or isinstance(period, tuple)
    year, months, day = period or (None, None, None)
    return year or 0, min(months or [0]), day or 0


# How many rows pass a bound -------------------------------------------------------------------------------------------


def passes(figure: Figure, read: ReadRows) -> Finding | None:
    """What a sentence says of the rows that pass a bound: none, only some, all, or how many; None if nothing of it."""
    if figure.bound not in ("above", "least", "below", "most") or figure.kind == "times" or not read.rows.amounts:
        return None
    text = read.sentence.text
    first, last = read.sentence.segment_at(figure.start)
    is_share = figure.kind == "share" and not any(RE.share.search(name) for name in read.rows.columns)
    if RE.spread.search(text, first, last) or (is_share and any(abs(total) > 1 for total in read.totals.values())):
        return None
    named = read.labels_in(first, last)
    only, none = RE.only.search(text, first, last), RE.none.search(text, first, last)
    every = RE.every.search(text, first, last)
    counts = [
        other
        for other in read.figures
        if other is not figure and other.kind == "amount" and first <= other.start < last and not other.value % 1
        if not other.bound and other.value <= len(read.rows.rows) and other.start not in {figure.start}
    ]
    chosen = frozenset().union(*(label.rows for label in named)) if named else frozenset()
    verdicts = []
    for at in _columns(read, figure.start, chosen):
        values = read.rows.values(at)
        passing = {row for row, value in values.items() if figure.fits(value) or _fits_ratio(figure, value)}
        if none:
            rest = passing - chosen if RE.others.search(text, first, last) else passing
            verdicts.append(not rest)
        elif only and chosen:
            verdicts.append(passing == chosen)
        elif every and (len(chosen) != 1):
            scope = _range_rows(named, read) or set(values)
            verdicts.append(scope <= passing)
        elif counts:
            verdicts.append(any(len(passing) == other.value for other in counts))
        else:
            return None
    return Finding(figure.start, figure.text, any(verdicts)) if verdicts else None


def _fits_ratio(figure: Figure, value: float) -> bool:
    return figure.kind == "share" and abs(value) <= 1 and figure.fits(100 * value)


def _range_rows(labels: Sequence[Label], read: ReadRows) -> set[int]:
    dated = [label for label in labels if label.column in read.rows.periods]
    rows = {row for label in labels for row in label.rows}
    if len(dated) == 2 and RE.range.search(read.sentence.text):
        return set(range(min(rows), max(rows) + 1))
    return rows
