"""Numbers that a sentence works out from its lines: sums, differences, products and counts, worked out again.

A number that no line holds is right where the rows or lines that the sentence speaks of give it, and the sentence says
that it was worked out. A count in words is wrong where the rows that it counts are there and are as many as it does not
say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from kbtui.reasoning.checking.facts import Fact, holds
from kbtui.reasoning.checking.numerals import clock_times, measure, normal, numbers
from kbtui.reasoning.checking.passages import Passage
from kbtui.reasoning.checking.records import Cell, Table, tables
from kbtui.reasoning.checking.standing import Claim
from kbtui.text.patterns import Patterns
from kbtui.text.units import Unit, units

_RE: Final = Patterns(__package__, "reckoning.toml")
_MOST_PAIRS: Final = 400
_MOST_COUNTED: Final = 200
_MINUTES: Final = 60
_EXACT: Final = 1e-9
_CLOSE: Final = 0.002
"""How far a converted or divided number may be off, as a share."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What was worked out.

    Attributes:
        right: Facts that the lines give though no line holds them.
        wrong: Counts that the rows refute.
    """

    right: tuple[Fact, ...] = ()
    wrong: tuple[Fact, ...] = ()


def reckoned(claim: Claim, passages: Sequence[Passage]) -> Reckoned:
    """The numbers of a claim that its lines do not hold, worked out from them."""
    absent = [fact for fact in claim.facts if fact.kind == "number" and _is_plain(fact.value)]
    text = normal(claim.text)
    lacking = [fact for fact in absent if not any(holds(one.whole, fact) for one in passages)]
    if not lacking and not _RE.expression.search(text):
        return Reckoned(wrong=tuple(_miscounted(text, absent, passages)))
    right = [fact for fact in lacking if _is_converted(text, fact, passages)]
    given = _given(text, passages)
    written_out = [match.span() for match in _RE.expression.finditer(text)]
    right += [
        fact
        for fact in absent
        if float(fact.value) <= _SMALL_FACTOR and any(start <= fact.start < end for start, end in written_out)
    ]
    right += [fact for fact in lacking if fact not in right and _fits(fact, given)]
    left = [fact for fact in absent if fact not in right]
    return Reckoned(right=tuple(right), wrong=tuple(_miscounted(text, left, passages)))


def _is_plain(value: str) -> bool:
    return re.fullmatch(r"\d+(?:\.\d+)?", value) is not None


def _fits(fact: Fact, given: Iterable[float]) -> bool:
    wanted = float(fact.value)
    least = max(fact.nearly, _EXACT * max(1.0, wanted))
    return any(abs(abs(value) - wanted) <= least for value in given)


def _given(text: str, passages: Sequence[Passage]) -> list[float]:
    """What sums, differences, products and counts of the lines give, of those that the sentence speaks of."""
    found = list(_expressions(text, passages))
    is_sum, is_difference, is_product = (
        pattern.search(text) is not None for pattern in (_RE.sum, _RE.difference, _RE.product)
    )
    for one in (table for passage in passages for table in tables(passage.excerpt.text)):
        if is_sum or is_difference:
            found += _of_columns(text, one, is_difference)
        found += [float(count) for count in _counts(text, one)]
        found += _of_rows(text, one)
    if is_difference or is_sum or is_product:
        found += _of_lines(text, passages, is_difference, is_sum, is_product)
    # What the sentence itself lists, it may count.
    found += [float(len(re.findall(r"(?:[A-Z]{1,10}-?\d+|`[^`]+`)", text)))]
    return found


def _expressions(text: str, passages: Sequence[Passage]) -> Iterator[float]:
    """The results of what is written out, where the lines hold what goes into it."""
    for match in _RE.expression.finditer(text):
        operands = list({number.start: number for number in numbers(match[0]) if _is_plain(number.value)}.values())
        operators = _RE.operator.findall(match[0])
        if len(operands) != len(operators) + 1:
            continue
        # Two tickets: a small factor needs no source.
        large = [number for number in operands if float(number.value) > _SMALL_FACTOR]
        if all(any(number.value in one.whole.numbers for one in passages) for number in large):
            yield _computed([float(number.value) for number in operands], operators)


_SMALL_FACTOR: Final = 12
"""A factor up to which needs no source: two tickets."""


def _computed(values: Sequence[float], operators: Sequence[str]) -> float:
    terms = [values[0]]
    for operator, value in zip(operators, values[1:], strict=True):
        if operator in "×*x":
            terms[-1] *= value
        elif operator in "/÷":
            terms[-1] /= value or 1.0
        else:
            terms.append(value if operator == "+" else -value)
    return sum(terms)


def _named(text: str, cell: Cell) -> bool:
    if len(cell.text) < 2 or cell.value is not None:
        return False
    edge = r"[\w-]" if cell.text.isascii() else r"(?!)."
    return re.search(rf"(?<!{edge}){re.escape(cell.text)}(?!{edge})", text.lower().replace("–", "-")) is not None


def _groups(text: str, one: Table) -> Iterator[Sequence[tuple[Cell, ...]]]:
    """All rows, those that the sentence names, and those of each value that it names."""
    yield one.rows
    named = [row for row in one.rows if _named(text, row[0])]
    if named:
        yield named
    for at in range(1, len(one.columns)):
        for cell in dict.fromkeys(row[at] for row in one.rows):
            if _named(text, cell):
                yield [row for row in one.rows if row[at] == cell]


def _of_columns(text: str, one: Table, is_difference: bool) -> Iterator[float]:
    """Sums of columns over groups of rows, and how far two of them, or two rows that are named, lie apart."""
    for rows in _groups(text, one):
        sums = [
            sum(row[at].value or 0.0 for row in rows)
            for at in range(len(one.columns))
            if all(row[at].value is not None for row in rows)
        ]
        yield from sums
        if is_difference:
            yield from (left - right for left, right in combinations(sums, 2))
    named = [row for row in one.rows if _named(text, row[0])]
    if is_difference:
        for left, right in combinations(named, 2):
            for a, b in zip(left, right, strict=True):
                if a.value is not None and b.value is not None:
                    yield a.value - b.value


def _of_rows(text: str, one: Table) -> Iterator[float]:
    """Sums and differences of two cells of a row that is named."""
    for row in one.rows:
        if _named(text, row[0]):
            values = [cell.value for cell in row[1:] if cell.value is not None]
            for left, right in combinations(values, 2):
                yield from (left - right, left + right)


def _of_lines(
    text: str, passages: Sequence[Passage], is_difference: bool, is_sum: bool, is_product: bool
) -> Iterator[float]:
    """The same of two numbers that stand near each other or count the same."""
    amounts: list[tuple[int, float, str]] = []
    times: list[float] = []
    for n, one in enumerate(passages):
        for at, unit in enumerate(one.units):
            plain = normal(unit.text)
            times += [_minutes(time) for _, _, time in clock_times(plain)]
            amounts += [
                (n * 1000 + at, float(number.value), measure(plain, number.start, number.end))
                for number in numbers(plain)
                if _is_plain(number.value)
            ]
    if is_difference and _RE.lasting.search(text):
        for early, late in combinations(times[: _MOST_PAIRS // 20], 2):
            yield from (abs(late - early), abs(late - early) / _MINUTES)
    said = {number.value for number in numbers(text)}
    for (at, left, kind), (other, right, counted) in combinations(amounts[: _MOST_PAIRS // 4], 2):
        both = f"{left:.12g}" in said, f"{right:.12g}" in said
        if is_difference and kind == counted and (all(both) or (at == other and (kind or any(both)))):
            yield left - right
        if is_sum and kind == counted and at == other and (kind or all(both)):
            yield left + right
        if is_product and all(both):
            yield left * right


_TIMES: Final = {
    "minute": (1, "(?i)minutes?|分钟"),
    "hour": (60, "(?i)hours?|小时"),
    "day": (1440, "(?i)days?|天"),
    "week": (10080, "(?i)weeks?|周"),
}
"""Units of time in minutes, and how they are named."""


def sums(text: str) -> bool:
    """The sentence says that a number is a sum."""
    return _RE.sum.search(text) is not None


def differs(text: str) -> bool:
    """The sentence says that a number is how far two others lie apart."""
    return _RE.difference.search(text) is not None


def measured_otherwise(measure: str, known: str, values: Sequence[float]) -> Iterator[float]:
    """Amounts of time in the unit of a number, where what is known of them names another unit."""
    if measure in _TIMES:
        sizes = [size for name, (size, named) in _TIMES.items() if name != measure and re.search(named, known)]
        yield from (value * size / _TIMES[measure][0] for size in sizes for value in values)


def _minutes(time: str) -> float:
    hour, _, minute = time.partition(":")
    return int(hour) * _MINUTES + float(minute)


def _counts(text: str, one: Table) -> list[int]:
    """How many rows there are, and how many have a value, or two values, that the sentence names."""
    if one.is_header:
        return [
            len(cell.items)
            for column, cell in zip(one.columns, one.rows[0], strict=True)
            if re.search(rf"\b{re.escape(column[:5])}", text.lower()) and len(cell.items) > 0
        ]
    found = [len(one.rows)]
    named = _filters(text, one)
    found += [sum(cell in row for row in one.rows) for cell in named]
    found += [sum(left in row and right in row for row in one.rows) for left, right in combinations(named, 2)]
    # “Two depend on postgres”: a value may be one of a list.
    for at in range(1, len(one.columns)):
        items = dict.fromkeys(item for row in one.rows for item in row[at].items)
        found += [sum(item in row[at].items for row in one.rows) for item in items if _named(text, Cell(item))]
    return found


def _filters(text: str, one: Table) -> list[Cell]:
    return [cell for cell in dict.fromkeys(cell for row in one.rows for cell in row[1:]) if _named(text, cell)]


def _miscounted(text: str, facts: Sequence[Fact], passages: Sequence[Passage]) -> Iterator[Fact]:
    """Counts in words, or of few, that no count of the rows gives."""
    for fact in facts:
        value = float(fact.value)
        if not (fact.weak and value < _MOST_COUNTED) or any(
            fact.text.lower() in one.whole.easy.split() or fact.value in one.whole.numbers for one in passages
        ):
            continue
        for one in passages:
            for table in tables(one.excerpt.text):
                counts = _counts(text, table)
                if counts and (table.is_header or _filters(text, table)) and value not in counts:
                    yield fact


def _is_converted(text: str, fact: Fact, passages: Sequence[Passage]) -> bool:
    """The lines have the same amount in another unit: 1500 ms and 1.5 seconds, 1.2 km and 1,200 metres."""
    own = _amount(text, fact.start, fact.start + len(fact.text), fact.value)
    if own is None:
        return False
    for stretch in (one.whole.stated for one in passages):
        for number in numbers(stretch):
            there = _amount(stretch, number.start, number.end, number.value)
            if there is None or there[0].dimension != own[0].dimension or there[0].symbol == own[0].symbol:
                continue
            if abs(there[1] - own[1]) <= _CLOSE * own[1]:
                return True
    return False


_AFTER: Final = re.compile(r"[ -]?(°?[A-Za-zµ]+(?:/[a-z])?|[一-鿿]{1,3})")
_LETTERS: Final = {"m": "meter", "s": "second"}
_LONGEST_KEY: Final = 40
_KEYED: Final = re.compile(r"_([a-z]{1,3})[\"']?\s*[:=]\s*\Z")


def _amount(text: str, start: int, end: int, value: str) -> tuple[Unit, float] | None:
    """In which unit a number is, and how much of the base unit; the unit may end the key before it (``timeout_ms``)."""
    keyed = _KEYED.search(text, max(0, start - _LONGEST_KEY), start)
    after = _AFTER.match(text, end)
    name = keyed[1] if keyed else after[1].lower() if after else ""
    unit = units().get(_LETTERS.get(name, name)) or (units().get(name[:2]) if not name.isascii() else None)
    is_year = unit is not None and unit.symbol == "yr" and len(value) == len("2024")
    if unit is None or is_year or unit.dimension == "temperature" or not _is_plain(value):
        return None
    return unit, float(value) * float(unit.size)


def without(claim: Claim, facts: Sequence[Fact]) -> Claim:
    """The claim without numbers that were worked out, and without the words of working out."""
    gone = {f"#{fact.value}" for fact in facts}
    return replace(
        claim,
        facts=tuple(fact for fact in claim.facts if fact not in facts),
        terms=frozenset(term for term in claim.terms if term not in gone and not _RE.words.match(term)) or claim.terms,
    )
