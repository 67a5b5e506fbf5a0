"""Recomputes numbers that a sentence derives from its lines: sums, differences, products, counts and conversions.

A number that occurs in no line is right if it can be computed from rows or lines that the sentence mentions, and the
sentence says that it was computed. A count in words is wrong if the counted rows are known and give another number.
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
from kbtui.reasoning.checking.records import Cell, tables
from kbtui.reasoning.checking.row_figures import ReadRows, is_count, is_worked_out
from kbtui.reasoning.checking.row_sentences import Sentence
from kbtui.reasoning.checking.rows import Rows
from kbtui.reasoning.checking.standing import Claim
from kbtui.text.patterns import Patterns
from kbtui.text.units import Unit, units

_RE: Final = Patterns(__package__, "reckoning.toml")
_MAX_PAIRS: Final = 400
_MAX_COUNT: Final = 200
_MINUTES: Final = 60
_EXACT: Final = 1e-9
_CLOSE: Final = 0.002
"""Relative tolerance of a converted number."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The result of recomputing the numbers of a claim.

    Attributes:
        right: Numbers that occur in no line, but can be computed from the lines.
        wrong: Counts that the rows refute.
    """

    right: tuple[Fact, ...] = ()
    wrong: tuple[Fact, ...] = ()


def recompute(claim: Claim, passages: Sequence[Passage]) -> Recomputed:
    """Recompute the numbers of a claim that do not occur in its passages."""
    results = _tables_of(claim, passages)
    plain_numbers = [fact for fact in claim.facts if fact.kind == "number" and _is_plain(fact.value)]
    text = normal(claim.text)
    missing_numbers = [fact for fact in plain_numbers if not any(holds(passage.whole, fact) for passage in passages)]
    if not missing_numbers and not _RE.expression.search(text):
        return Recomputed(wrong=tuple(_wrong_counts(plain_numbers, results, passages)))
    right = [fact for fact in missing_numbers if _is_converted(text, fact, passages)]
    computed = _compute_values(text, passages)
    expression_spans = [match.span() for match in _RE.expression.finditer(text)]
    right += [
        fact
        for fact in plain_numbers
        if float(fact.value) <= _SMALL_FACTOR and any(start <= fact.start < end for start, end in expression_spans)
    ]
    right += [fact for fact in missing_numbers if fact not in right and _is_among(fact, computed)]
    right += [
        fact for fact in missing_numbers if fact not in right and any(_is_of_rows(fact, read) for read in results)
    ]
    others = [fact for fact in plain_numbers if fact not in right]
    return Recomputed(right=tuple(right), wrong=tuple(_wrong_counts(others, results, passages)))


def _tables_of(claim: Claim, passages: Sequence[Passage]) -> list[ReadRows]:
    """The claim before each table of its passages; a list in the field of a header is a table of its items."""
    sentence = Sentence(normal(claim.marked))
    found = []
    for table in (table for passage in passages for table in tables(passage.excerpt.text)):
        if not table.is_header:
            found.append(Rows(columns=table.columns, rows=table.rows))
            continue
        fields = zip(table.columns, table.rows[0], strict=True)
        found += [Rows(columns=(name,), rows=tuple((Cell(item),) for item in cell.items)) for name, cell in fields
                  if re.search(rf"\b{re.escape(name[:5])}", sentence.text.lower())]  # fmt: skip
    return [ReadRows(sentence, rows) for rows in found]


def _is_of_rows(fact: Fact, read: ReadRows) -> bool:
    figure = next((figure for figure in read.figures if figure.start == fact.start), None)
    return figure is not None and (is_worked_out(figure, read) is True or is_count(figure, read))


def _wrong_counts(facts: Sequence[Fact], results: Sequence[ReadRows], passages: Sequence[Passage]) -> Iterator[Fact]:
    """Counts in words that no count of the rows gives."""
    for fact in facts:
        if not (fact.weak and float(fact.value) < _MAX_COUNT) or any(
            fact.text.lower() in passage.whole.easy.split() or fact.value in passage.whole.numbers
            for passage in passages
        ):
            continue
        for read in results:
            if (read.names or len(read.rows.columns) == 1) and not _is_of_rows(fact, read):
                yield fact


def _is_plain(value: str) -> bool:
    return re.fullmatch(r"\d+(?:\.\d+)?", value) is not None


def _is_among(fact: Fact, computed: Iterable[float]) -> bool:
    number = float(fact.value)
    tolerance = max(fact.tolerance, _EXACT * max(1.0, number))
    return any(abs(abs(value) - number) <= tolerance for value in computed)


def _compute_values(text: str, passages: Sequence[Passage]) -> list[float]:
    """Results of sums, differences, products and counts over the lines, of the operations the sentence mentions."""
    results = list(_expressions(text, passages))
    is_sum, is_difference, is_product = (
        pattern.search(text) is not None for pattern in (_RE.sum, _RE.difference, _RE.product)
    )
    if is_difference or is_sum or is_product:
        results += _pair_values(text, passages, is_difference, is_sum, is_product)
    # The sentence may count the items it lists itself.
    results += [float(len(re.findall(r"(?:[A-Z]{1,10}-?\d+|`[^`]+`)", text)))]
    return results


def _expressions(text: str, passages: Sequence[Passage]) -> Iterator[float]:
    """Results of the expressions in the sentence whose operands occur in the lines."""
    for match in _RE.expression.finditer(text):
        operands = list({number.start: number for number in numbers(match[0]) if _is_plain(number.value)}.values())
        operators = _RE.operator.findall(match[0])
        if len(operands) != len(operators) + 1:
            continue
        # A small factor needs no source: two tickets.
        large_operands = [number for number in operands if float(number.value) > _SMALL_FACTOR]
        if all(any(number.value in passage.whole.numbers for passage in passages) for number in large_operands):
            yield _evaluate([float(number.value) for number in operands], operators)


_SMALL_FACTOR: Final = 12
"""Largest factor that needs no source: two tickets."""


def _evaluate(values: Sequence[float], operators: Sequence[str]) -> float:
    terms = [values[0]]
    for operator, value in zip(operators, values[1:], strict=True):
        if operator in "×*x":
            terms[-1] *= value
        elif operator in "/÷":
            terms[-1] /= value or 1.0
        else:
            terms.append(value if operator == "+" else -value)
    return sum(terms)


def _pair_values(
    text: str, passages: Sequence[Passage], is_difference: bool, is_sum: bool, is_product: bool
) -> Iterator[float]:
    """Results for two numbers of one line or with one unit."""
    amounts: list[tuple[int, float, str]] = []
    times: list[float] = []
    for n, passage in enumerate(passages):
        for at, unit in enumerate(passage.units):
            plain = normal(unit.text)
            times += [_minutes(time) for _, _, time in clock_times(plain)]
            amounts += [
                (n * 1000 + at, float(number.value), measure(plain, number.start, number.end))
                for number in numbers(plain)
                if _is_plain(number.value)
            ]
    if is_difference and _RE.lasting.search(text):
        for early, late in combinations(times[: _MAX_PAIRS // 20], 2):
            yield from (abs(late - early), abs(late - early) / _MINUTES)
    claimed_values = {number.value for number in numbers(text)}
    for (at, left, measure_name), (other, right, other_measure) in combinations(amounts[: _MAX_PAIRS // 4], 2):
        are_claimed = f"{left:.12g}" in claimed_values, f"{right:.12g}" in claimed_values
        if (
            is_difference
            and measure_name == other_measure
            and (all(are_claimed) or (at == other and (measure_name or any(are_claimed))))
        ):
            yield left - right
        if is_sum and measure_name == other_measure and at == other and (measure_name or all(are_claimed)):
            yield left + right
        if is_product and all(are_claimed):
            yield left * right


def _minutes(time: str) -> float:
    hour, _, minute = time.partition(":")
    return int(hour) * _MINUTES + float(minute)


def _is_converted(text: str, fact: Fact, passages: Sequence[Passage]) -> bool:
    """Whether the lines have the same amount in another unit: 1500 ms and 1.5 seconds, 1.2 km and 1,200 metres."""
    amount = _amount(text, fact.start, fact.start + len(fact.text), fact.value)
    if amount is None:
        return False
    for text_of_passage in (passage.whole.stated for passage in passages):
        for number in numbers(text_of_passage):
            line_amount = _amount(text_of_passage, number.start, number.end, number.value)
            if (
                line_amount is None
                or line_amount[0].dimension != amount[0].dimension
                or line_amount[0].symbol == amount[0].symbol
            ):
                continue
            if abs(line_amount[1] - amount[1]) <= _CLOSE * amount[1]:
                return True
    return False


_AFTER: Final = re.compile(r"[ -]?(°?[A-Za-zµ]+(?:/[a-z])?|[一-鿿]{1,3})")
_LETTERS: Final = {"m": "meter", "s": "second"}
_MAX_KEY: Final = 40
_KEY_SUFFIX: Final = re.compile(r"_([a-z]{1,3})[\"']?\s*[:=]\s*\Z")


def _amount(text: str, start: int, end: int, value: str) -> tuple[Unit, float] | None:
    """The unit of a number and its amount in the base unit; the unit may be a suffix of its key (``timeout_ms``)."""
    key_suffix = _KEY_SUFFIX.search(text, max(0, start - _MAX_KEY), start)
    following = _AFTER.match(text, end)
    name = key_suffix[1] if key_suffix else following[1].lower() if following else ""
    unit = units().get(_LETTERS.get(name, name)) or (units().get(name[:2]) if not name.isascii() else None)
    is_year = unit is not None and unit.symbol == "yr" and len(value) == len("2024")
    if unit is None or is_year or unit.dimension == "temperature" or not _is_plain(value):
        return None
    return unit, float(value) * float(unit.size)


def remove_facts(claim: Claim, facts: Sequence[Fact]) -> Claim:
    """The claim without the given facts and without words for computing them."""
    removed_terms = {f"#{fact.value}" for fact in facts}
    return replace(
        claim,
        facts=tuple(fact for fact in claim.facts if fact not in facts),
        terms=frozenset(term for term in claim.terms if term not in removed_terms and not _RE.words.match(term))
        or claim.terms,
    )
