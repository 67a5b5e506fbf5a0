"""Claims of a sentence about the rows that pass a bound: none, only some, all, or how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbtui.reasoning.checking.row_figures import ReadRows
from kbtui.reasoning.checking.row_sentences import Figure
from kbtui.reasoning.checking.row_subjects import Finding, columns_of, rows_of_labels
from kbtui.reasoning.checking.rows import RE, Label


def passes(figure: Figure, read: ReadRows) -> Finding | None:
    """What a sentence says of the rows that pass a bound: none, only some, all, or how many; None if nothing of it."""
    if figure.bound not in ("above", "least", "below", "most") or figure.kind == "times" or not read.rows.amounts:
        return None
    text = read.sentence.text
    first, last = read.sentence.segment_at(figure.start)
    is_share = figure.kind == "share" and not any(RE.share.search(name) for name in read.rows.columns)
    if RE.spread.search(text, first, last) or (is_share and any(abs(total) > 1 for total in read.totals.values())):
        return None
    named = read.labels_in(first, last) or read.said_of(figure.start) or read.names
    chosen = frozenset(_range_rows(named, read))
    columns = columns_of(read, figure.start, chosen)
    cells = {read.rows.rows[row][at].value for row in chosen for at in read.rows.amounts}
    if figure.bound == "least" and figure.value in cells:
        # “Over 66 flights” may say of how many.
        return Finding(figure.start, figure.text, True)
    if figure.kind == "share":
        columns = [at for at in columns if RE.share.search(read.rows.columns[at])] or columns
    verdicts = [_passes(figure, read, at, chosen, (first, last)) for at in columns]
    known = [verdict for verdict in verdicts if verdict is not None]
    return Finding(figure.start, figure.text, any(known)) if known else None


def _passes(figure: Figure, read: ReadRows, at: int, chosen: frozenset[int], segment: tuple[int, int]) -> bool | None:
    text, values = read.sentence.text, read.rows.values(at)
    passing = {row for row, value in values.items() if figure.fits(value) or _fits_ratio(figure, value)}
    counts = [
        other.value
        for other in read.figures
        if other.kind == "amount" and not other.bound and segment[0] <= other.start < segment[1]
        if not other.value % 1 and other.value <= len(read.rows.rows)
    ]
    if RE.none.search(text, *segment):
        return not (passing - chosen if RE.others.search(text, *segment) else passing)
    if chosen and RE.every.search(text, *segment) and RE.but.search(text, *segment):
        return passing == values.keys() - chosen
    if chosen and RE.only.search(text, *segment):
        return passing == chosen
    if RE.every.search(text, *segment) and len(chosen) != 1:
        return (chosen or values.keys()) <= passing
    if counts:
        return any(len(passing) == count for count in counts)
    is_other = RE.difference.search(text, figure.end, segment[1]) or RE.average.search(text, *segment)
    if not chosen or is_other or (len(chosen) > 1 and RE.together.search(text, *segment)):
        return None
    return chosen & values.keys() <= passing or len(chosen) == 0


def all_are(read: ReadRows) -> Iterator[Finding]:
    """“All of them were cable faults”: whether all rows, or those that are named, have the value."""
    for match in RE.all_are.finditer(read.sentence.text):
        last = read.sentence.segment_at(match.start())[1]
        labels = [label for label in read.labels_in(match.end(), last) if _is_kind(label, read)]
        if len({label.text for label in labels}) == 1:
            others = [label for label in read.names if label.column != labels[0].column]
            rows = rows_of_labels(others, read) or frozenset(range(len(read.rows.rows)))
            yield Finding(match.start(), match[0], rows <= labels[0].rows)


def _is_kind(label: Label, read: ReadRows) -> bool:
    """Whether a value is one that rows share, and not their name."""
    texts = [row[label.column].text for row in read.rows.rows]
    return len(set(texts)) < len(texts)


def _fits_ratio(figure: Figure, value: float) -> bool:
    return figure.kind == "share" and abs(value) <= 1 and figure.fits(100 * value)


def _range_rows(labels: Sequence[Label], read: ReadRows) -> set[int]:
    """The rows of names; of two times “from … to”, with those between them."""
    dated = [label for label in labels if label.column in read.rows.periods]
    rows = set(rows_of_labels(labels, read))
    if len(dated) == 2 and RE.range.search(read.sentence.text):
        return set(range(min(rows), max(rows) + 1))
    return rows
