"""Claims of a sentence about time: what rose, what fell, and whether it always did."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from kbtui.reasoning.checking.row_figures import ReadRows, rows_of_all
from kbtui.reasoning.checking.row_subjects import (
    Finding,
    agreed,
    changed_columns,
    finding,
    gap,
    order_of,
    rows_of_labels,
    subject_of,
)
from kbtui.reasoning.checking.rows import RE


def trends(read: ReadRows) -> Iterator[Finding]:
    for pattern, sign in ((RE.rose, 1), (RE.fell, -1)):
        for match in pattern.finditer(read.sentence.text):
            yield finding(match, _went(match, sign, read))
    for pattern, pick in ((RE.earliest, min), (RE.latest, max)):
        for match in pattern.finditer(read.sentence.text) if read.rows.periods else ():
            yield finding(match, _is_end(match, pick, read))


def _is_end(match: re.Match[str], pick: Callable[..., tuple[int, int, int]], read: ReadRows) -> bool | None:
    """Whether what is nearest to “earliest” or “latest” is so among the rows."""
    rows = rows_of_labels(subject_of(read, *match.span()) or read.said_of(match.start()), read)
    if not rows:
        return None
    orders = [[order_of(period) for period in periods if period] for periods in read.rows.periods.values()]
    own = [[order_of(periods[row]) for row in rows if periods[row]] for periods in read.rows.periods.values()]
    return any(pick(there) in here for there, here in zip(orders, own, strict=True) if there)


def _went(match: re.Match[str], sign: int, read: ReadRows) -> bool | None:
    """Whether values went the way that is said."""
    first, last = read.sentence.segment_at(match.start())
    named = read.labels_in(first, last, read.labels)
    if not named:
        named, first, last = read.labels, 0, len(read.sentence.text)
    is_steady = RE.steady.search(read.sentence.text, first, last) is not None
    if changes := changed_columns(read, *match.span()):
        return _changed(match, sign, read, changes, is_every=is_steady)
    dated = [at for at in read.rows.periods if len(set(read.rows.periods[at])) > 1]
    for at in dated:
        own = {label.rows: label for label in named if label.column == at}
        rows = sorted(min(rows) for rows in own)
        if len(rows) > 1 and not is_steady and not RE.range.search(read.sentence.text, first, last):
            nearest = min(own.values(), key=lambda label: (label.start < match.start(), gap(label, *match.span())))
            rows = [min(nearest.rows)]
        if len(rows) == 1 and not is_steady:
            wide = max((len(rows) for rows in own), default=1)
            rows = [rows[0] - 1, rows[0]] if wide == 1 else sorted(next(iter(own)))
        elif len(rows) < 2:
            rows = sorted(next(iter(own))) if own and len(next(iter(own))) > 1 else list(range(len(read.rows.rows)))
        return _moved(rows, sign, read, is_steady=is_steady) if min(rows) >= 0 else None
    heads = sorted(read.rows.period_heads, key=lambda at: order_of(read.rows.period_heads[at]))
    if len(heads) > 1:
        own_rows = rows_of_all([label for label in read.names if first <= label.start < last], len(read.rows.rows))
        pairs = [(read.rows.rows[row][heads[0]].value, read.rows.rows[row][heads[-1]].value) for row in own_rows]
        return agreed([sign * (b - a) > 0 for a, b in pairs if a is not None and b is not None])
    return _figures_went(sign, read)


def _figures_went(sign: int, read: ReadRows) -> bool | None:
    """Of two figures of the rows, “from 5 to 7”, the second one is higher."""
    own = [figure for figure in read.figures if figure.kind == "amount" and figure.start in read.cells]
    return any(sign * (b.value - a.value) > 0 for a, b in pairwise(own)) if len(own) > 1 else None


def _moved(rows: Sequence[int], sign: int, read: ReadRows, *, is_steady: bool) -> bool | None:
    """Whether a column went up, or down, from the first to the last of some rows in order of time; steadily: always."""
    at = next(iter(read.rows.periods))
    order = sorted(range(len(read.rows.rows)), key=lambda row: order_of(read.rows.periods[at][row]))
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
    subject = subject_of(read, match.start(), match.end())
    rows = rows_of_labels(subject, read)
    first, last = read.sentence.segment_at(match.start())
    if not rows and (is_every or RE.every.search(match.string, first, last)):
        rows = frozenset(range(len(read.rows.rows)))
    if not rows:
        rows = frozenset(row for at, own in read.cells.items() if first <= at < last for row, _ in own)
    signs = [sign * value > 0 for at in changes for row, value in read.rows.values(at).items() if row in rows and value]
    if signs and rows and RE.only.search(match.string, first, match.start()):
        # “Only X grew”: no other row did.
        return any(
            all((sign * value > 0) == (row in rows) for row, value in read.rows.values(at).items()) for at in changes
        )
    return all(signs) if signs else None
