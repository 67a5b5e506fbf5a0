"""Whether rows bear a sentence out: its numbers are theirs, or worked out of them, and stand beside the right names.

A sentence may speak of several rows, of all, and of several results; whatever it counts, sums or compares is worked out
again. Words of the question and of the statement are known: rows that answer “open issues” need not say “open” again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kbtui.reasoning.checking.facts import Fact, Ground, ground, holds
from kbtui.reasoning.checking.numerals import MONTH, normal
from kbtui.reasoning.checking.row_order import is_out_of_order
from kbtui.reasoning.checking.row_sums import ReadRows, cells_of, is_shown, results
from kbtui.reasoning.checking.rows import HEAD, RE, Date, Label, Rows, dates_in
from kbtui.reasoning.checking.standing import Claim
from kbtui.text.language import has_cjk
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import tokens

_UNKNOWN: Final = (0.5, 0.3)
"""Share of its words that nothing else has: of a sentence with numbers of the rows, and of one without."""

_UNKNOWN_HAN: Final = 0.5

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
"""Of the numbers of a statement, those of its days say nothing."""

_FEW: Final = 2


@dataclass(frozen=True, slots=True)
class Heard:
    """What rows say of a sentence.

    Attributes:
        wrong: What they lack or have otherwise, a few words each; none where they bear it out.
        rows: The rows it speaks of, by result.
    """

    wrong: tuple[str, ...] = ()
    rows: tuple[tuple[int, int], ...] = ()


def heard(
    claim: Claim,
    results: Sequence[Rows],
    question: Ground | None = None,
    beside: Sequence[Ground] = (),
    values: frozenset[str] = frozenset(),
    *,
    is_cited: bool = True,
) -> Heard:
    """Compare a sentence with rows.

    Args:
        claim: The sentence.
        results: Results that it may rest on, of several statements.
        question: What was asked; its words are known.
        beside: Passages that it cites besides; their numbers are known too.
        values: Stems of values of the data: one that the statement lacks is a filter that it has not.
        is_cited: The sentence cites them; else they have to say all of it.
    """
    text = normal(claim.marked)
    dates = dates_in(claim.facts, text)
    numbers = [fact for fact in claim.facts if fact.kind == "number" and _is_amount(fact, dates)]
    asked = question.plain if question is not None else ""
    read = [_read(text, numbers, dates, rows, asked) for rows in results]
    asked_for = [ground(_DAY.sub(" ", one.behind)) for one in results] + ([question] if question is not None else [])
    grounds = [*(one.ground for one in results), *beside, *([question] if question is not None else [])]
    wrong = [
        fact.text
        for fact in numbers
        if not any(fact.start in one.cells or fact.start in one.reckoned for one in read)
        and not _is_known(fact, [*asked_for, *beside])
        and not any(holds(one, fact) for one in beside)
    ]
    named = {start for one in read for label in one.labels for start in range(label.start, label.end)}
    wrong += [text[start:end] for start, end, said in dates if start not in named and not _has_date(said, grounds)]
    spoken = [fact for fact in numbers if any(fact.start in one.cells for one in read)]
    if not wrong:
        wrong += _misplaced(text, numbers, read) or _unpaired(text, read)
    if not wrong and (order := next(filter(None, (_order(text, numbers, one) for one in read)), "")):
        wrong.append(order)
    if not wrong:
        is_abroad = claim.chinese != any(one.is_chinese for one in results)
        is_answered = bool(spoken) or any(one.reckoned for one in read)
        wrong += _unknown(
            claim, text, named, grounds, values=values, is_abroad=is_abroad, is_answered=is_answered, is_cited=is_cited
        )
        if not is_cited and not is_answered and not wrong:
            # Words alone are in a statement by chance: “Sold On” says of no store that it was sold.
            wrong.append(claim.text)
    rows = [(at, row) for at, one in enumerate(read) for row in _spoken_of(one)]
    return Heard(tuple(dict.fromkeys(wrong)), tuple(dict.fromkeys(rows)))


def _is_amount(fact: Fact, dates: Sequence[tuple[int, int, object]]) -> bool:
    return not fact.value.startswith(MONTH) and not any(start <= fact.start < end for start, end, _ in dates)


def _read(
    text: str, numbers: Sequence[Fact], dates: Sequence[tuple[int, int, Date]], rows: Rows, asked: str
) -> ReadRows:
    one = ReadRows(rows, rows.labels(text, dates))
    inside = [fact for fact in numbers if any(x.start <= fact.start < x.end for x in one.labels)]
    one.reckoned |= {fact.start for fact in inside}
    for fact in numbers:
        found = list(cells_of(fact, rows))
        if found:
            one.cells[fact.start] = found
    lacking = [fact for fact in numbers if fact.start not in one.cells and fact.start not in one.reckoned]
    one.reckoned |= {
        fact.start
        for fact in lacking
        if any(is_shown(fact, value) for value in results(text, fact, one, numbers, asked))
    }
    return one


# Beside the right names -----------------------------------------------------------------------------------------------


def _misplaced(text: str, numbers: Sequence[Fact], read: Sequence[ReadRows]) -> list[str]:
    """The numbers that stand beside names of other rows than theirs, in every result that has them."""
    wrong: dict[int, str] = {}
    right: set[int] = set()
    for one in read:
        own = [fact for fact in numbers if fact.start in one.cells and fact.start not in one.reckoned]
        if not own:
            continue
        if _is_aligned(text, own, one):
            right |= {fact.start for fact in own}
        else:
            wrong |= {fact.start: fact.text for fact in own}
    return [said for start, said in wrong.items() if start not in right]


def _unpaired(text: str, read: Sequence[ReadRows]) -> list[str]:
    """Two names of which the second stands in brackets behind the first, and which no row has both."""
    wrong = []
    for one in read:
        names = [label for label in one.labels if label.column != HEAD]
        for first, second in pairwise(names):
            between = text[first.end : second.start]
            if between.strip() in ("(", "（") and first.column != second.column and not first.rows & second.rows:
                wrong.append(text[second.start : second.end])
    return wrong


def _is_aligned(text: str, numbers: Sequence[Fact], one: ReadRows) -> bool:
    if _fits(numbers, one.labels, one):
        return True
    parts = _clauses(text, numbers, one.labels)
    return len(parts) > 1 and all(
        _fits(own, labels, one) if labels else is_open or _are_of_named(own, one) for own, labels, is_open in parts
    )


def _clauses(text: str, numbers: Sequence[Fact], labels: Sequence[Label]) -> list[tuple[list[Fact], list[Label], bool]]:
    """The numbers of each clause, the names in it, and whether it speaks of others without naming them.

    Names without a number go with the clause after them.
    """
    ends = [match.start() for match in RE.clause.finditer(text)]
    ends = [end for end in ends if not any(label.start <= end < label.end for label in labels)]
    parts: list[tuple[list[Fact], list[Label], bool]] = []
    begin, held = 0, list[Label]()
    for end in (*ends, len(text)):
        own = [fact for fact in numbers if begin <= fact.start < end]
        held += [label for label in labels if begin <= label.start < end]
        if own:
            parts.append((own, held, RE.others.search(text, begin, end) is not None))
            held = []
        begin = end
    if held and parts:
        parts[-1][1].extend(held)
    return parts


def _are_of_named(numbers: Sequence[Fact], one: ReadRows) -> bool:
    named = {row for label in one.labels if label.column != HEAD for row in label.rows}
    return not named or all(any(row in named for row, _ in one.cells[fact.start]) for fact in numbers)


def _fits(numbers: Sequence[Fact], labels: Sequence[Label], one: ReadRows) -> bool:
    """Whether each number is of the row, and of the column, that is named for it."""
    names = [label for label in labels if label.column != HEAD]
    heads = [label for label in labels if label.column == HEAD]
    if not _fit_heads(numbers, heads, one):
        return False
    everywhere = _rows_of_all(names, len(one.rows.rows))
    if all(any(row in everywhere for row, _ in one.cells[fact.start]) for fact in numbers):
        # One row has all that is named.
        return True
    by_column: dict[int, list[Label]] = {}
    for label in names:
        by_column.setdefault(label.column, []).append(label)
    allowed = {fact.start: frozenset(range(len(one.rows.rows))) for fact in numbers}
    for own in by_column.values():
        ways = _ways(numbers, own)
        fitting = next(
            (
                way
                for way in ways
                if all(_has(one, fact, allowed[fact.start] & way[fact.start].rows) for fact in numbers)
            ),
            None,
        )
        if fitting is None:
            return False
        allowed = {fact.start: allowed[fact.start] & fitting[fact.start].rows for fact in numbers}
    return True


def _rows_of_all(names: Sequence[Label], count: int) -> frozenset[int]:
    """The rows that have all that is named, in the order of the columns where a row has it in that order.

    A name may stand in several columns: an airport as origin and as destination.
    """
    places = [[label for label in names if label.start == start] for start in sorted({one.start for one in names})]
    found = frozenset(range(count))
    for own in places:
        found &= frozenset().union(*(label.rows for label in own))

    def in_order(row: int) -> bool:
        last = HEAD
        for own in places:
            later = [label.column for label in own if row in label.rows and label.column > last]
            if not later:
                return False
            last = min(later)
        return True

    return frozenset(filter(in_order, found)) or found


def _has(one: ReadRows, fact: Fact, rows: frozenset[int]) -> bool:
    return any(row in rows for row, _ in one.cells[fact.start])


def _fit_heads(numbers: Sequence[Fact], heads: Sequence[Label], one: ReadRows) -> bool:
    """Numbers are of the period, or of several columns that are named of the column, that is named for them."""
    periods = [label for label in heads if label.rows & one.rows.periods.keys()]
    others = [label for label in heads if label not in periods and label.rows & set(one.rows.amounts)]
    dated = [fact for fact in numbers if any(at in one.rows.periods for _, at in one.cells[fact.start])]
    is_of_one = len({label.text for label in others}) < _FEW or len(numbers) < _FEW
    return (not periods or not dated or _are_of_columns(dated, periods, one)) and (
        is_of_one or _are_of_columns(numbers, others, one)
    )


def _are_of_columns(numbers: Sequence[Fact], heads: Sequence[Label], one: ReadRows) -> bool:
    return any(
        all(any(at in way[fact.start].rows for _, at in one.cells[fact.start]) for fact in numbers)
        for way in _ways(numbers, heads)
    )


def _ways(numbers: Sequence[Fact], labels: Sequence[Label]) -> Iterator[dict[int, Label]]:
    """How names may go with numbers: all with one name, each with the one before or after it, or in order."""
    if len({label.text for label in labels}) == 1:
        rows = frozenset().union(*(label.rows for label in labels))
        yield {fact.start: Label(0, 0, labels[0].column, rows, labels[0].text) for fact in numbers}
        return
    before = {fact.start: [label for label in labels if label.end <= fact.start][-1:] for fact in numbers}
    after = {fact.start: [label for label in labels if label.start > fact.start][:1] for fact in numbers}
    for way in (before, after):
        if all(way.values()):
            yield {start: own[0] for start, own in way.items()}
    if len(labels) == len(numbers):
        yield {fact.start: label for fact, label in zip(numbers, labels, strict=True)}


# Words ----------------------------------------------------------------------------------------------------------------


def _order(text: str, numbers: Sequence[Fact], one: ReadRows) -> str:
    cells = [(fact.start, one.cells[fact.start]) for fact in numbers if fact.start in one.cells]
    return is_out_of_order(text, cells, one.labels, one.rows)


def _unknown(
    claim: Claim,
    text: str,
    named: set[int],
    grounds: Sequence[Ground],
    *,
    values: frozenset[str],
    is_abroad: bool,
    is_answered: bool,
    is_cited: bool,
) -> list[str]:
    """The words that neither rows nor statement nor question have, where they are too many or are names."""
    names = [
        fact.text
        for fact in claim.facts
        if fact.kind != "number" and not fact.weak and not any(holds(one, fact) for one in grounds)
    ]
    if names and not (is_abroad and is_answered):
        return names
    rest = "".join(" " if at in named else char for at, char in enumerate(text))
    known = frozenset().union(*(one.words for one in grounds))
    words = [word for word in dict.fromkeys(tokens(rest)) if _is_word(word, chinese=claim.chinese)]
    unknown = [word for word in words if word not in known and not RE.idle.search(word)]
    share = len(unknown) / len(words) if words else 0.0
    if RE.cause.search(text) and unknown:
        return unknown
    if filters := [word for word in unknown if word in values]:
        return filters
    if is_cited and (is_answered or (is_abroad and named)):
        return unknown if share > _UNKNOWN[0] and len(unknown) > _FEW and not (is_abroad or claim.chinese) else []
    most = _UNKNOWN_HAN if claim.chinese else _UNKNOWN[1]
    return unknown or [claim.text] if share > most or (not words and not named) else []


def _is_word(word: str, *, chinese: bool) -> bool:
    if chinese:
        return len(word) == 1 and has_cjk(word)
    return word.isalpha() and len(word) > _FEW and word not in ENGLISH


def _is_known(fact: Fact, grounds: Sequence[Ground]) -> bool:
    """A number of the question or of the statement, such as a limit or a year."""
    return "." not in fact.value and fact.measure != "percent" and any(fact.value in one.numbers for one in grounds)


def _has_date(said: Date, grounds: Sequence[Ground]) -> bool:
    values = [str(said[0])] if said[0] else []
    values += [f"{MONTH} {said[1]}"] if said[1] else []
    return any(set(values) <= one.numbers for one in grounds)


def _spoken_of(one: ReadRows) -> Iterator[int]:
    named = {row for label in one.labels if label.column != HEAD for row in label.rows}
    for cells in one.cells.values():
        yield from (row for row, _ in cells if not named or row in named)
    yield from sorted(named)
