"""What records say of a statement: borne out, or refuted by what stands in the place of its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kbtui.reasoning.checking.draft import cells as cells_of
from kbtui.reasoning.checking.facts import folded
from kbtui.reasoning.checking.numerals import measure, normal, numbers
from kbtui.reasoning.checking.passages import Passage
from kbtui.reasoning.checking.records import Cell, Table, cell_of, tables
from kbtui.reasoning.checking.standing import Claim
from kbtui.text.language import has_cjk
from kbtui.text.word_lists import toml_in

_LABEL: Final = re.compile(
    r"(?<![\w-])(?:(?P<series>[A-Za-z][A-Za-z]{1,11})[- ]?#?0{0,5})?(?P<number>[1-9]\d{0,6})(?![\w%/]|\.\d)"
)
_OWN: Final = frozenset(
    {"id", "number", "proposal", "title", "rfc", "pep", "adr", "key", "ticket", "name", "编号", "标题"}
)
_CLAUSE: Final = re.compile(r"[,，;；、]\s*|\band\b|\s和\s")
_PRONOUN: Final = re.compile(r"(?:it|its|she|he|they|their|this|that|these|those)\b|它|该|其|这|此")
_LEAST_TEXT: Final = 3
_LEAST_NUMBER: Final = 10
_PARTS_OF_DATE: Final = 3

Label = tuple[str, int]
"""Series in lower case (may be empty) and number: ``("abc", 15)``."""


@dataclass(frozen=True, slots=True)
class _Relation:
    keys: frozenset[str]
    says: re.Pattern[str]
    passive: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Said:
    """The claim as it is compared with cells: folded, its number values, those of its labels."""

    text: str
    values: frozenset[str]
    labels: frozenset[Label]

    def names(self, cell: Cell) -> bool:
        """Whether the value of a cell stands in the claim."""
        if cell.value is not None:
            return f"{abs(cell.value):.12g}" in self.values and (abs(cell.value) >= _LEAST_NUMBER)
        parts = {number.value for number in numbers(cell.text)}
        if len(parts) >= _PARTS_OF_DATE and re.match(r"[\d-]+$|\d+-\w{3}-\d+$", cell.text):
            return parts <= self.values
        if len(cell.text) < _LEAST_TEXT:
            return len(cell.text) > 1 and re.search(rf"(?<!\w){re.escape(cell.text)}(?!\w)", self.text) is not None
        if has_cjk(cell.text):
            return cell.text in self.text
        return re.search(rf"(?<![\w-]){re.escape(cell.text)}(?![\w-])", self.text) is not None


def refuted(claim: Claim, cited: Sequence[Passage], shown: Sequence[Passage]) -> bool:
    """Whether a record holds another value where the statement has its own.

    Args:
        cited: The passages it rests on, whose tables count.
        shown: All that the model was given, whose headers count: the author of one of them did not write another.
    """
    said = _said(claim.text)
    row = cells_of(claim.marked) if claim.columns else ()
    headers = [one for passage in shown for one in tables(passage.excerpt.text) if one.is_header]
    found = [one for passage in cited for one in tables(passage.excerpt.text) if not one.is_header]
    joined = [] if _PRONOUN.match(said.text) else _joined(headers)
    return (
        any(_is_rival(said, one) or _is_misplaced(row, claim.columns, one) for one in (*found, *joined))
        or any(not verdict for _, verdict in _relations(claim.text, headers))
        or _is_beside(row, cited)
    )


def borne(claim: Claim, cited: Sequence[Passage]) -> bool:
    """Whether every cell of a row stands in one row of a record that its first cell names."""
    row = [folded(cell) for cell in cells_of(claim.marked)] if claim.columns else []
    if len(row) < 2 or not all(row):
        return False
    said = _said(claim.text)
    found = [one for passage in cited for one in tables(passage.excerpt.text)]
    return any(
        all(any(_is_same(cell_of(mine), cell) for cell in other) for mine in row[1:])
        for one in (*(one for one in found if not one.is_header), *_joined([one for one in found if one.is_header]))
        for other in _named_rows(said, one)
    )


def _is_same(mine: Cell, cell: Cell) -> bool:
    if mine.value is not None and cell.value is not None:
        return mine.value == cell.value
    return mine.text == cell.text or mine.text in cell.items


def confirmed(claim: Claim, cited: Sequence[Passage]) -> frozenset[Label]:
    """The things that the statement relates to each other as a header does, where no header says otherwise."""
    headers = [one for passage in cited for one in tables(passage.excerpt.text) if one.is_header]
    found = list(_relations(claim.text, headers))
    return (
        frozenset(label for pair, _ in found for label in pair) if all(verdict for _, verdict in found) else frozenset()
    )


@lru_cache(maxsize=512)
def _said(text: str) -> _Said:
    plain = normal(text)
    return _Said(folded(plain), frozenset(number.value for number in numbers(plain)), frozenset(labels_of(plain)))


def labels_of(text: str) -> list[Label]:
    return [((match["series"] or "").lower(), int(match["number"])) for match in _LABEL.finditer(text)]


def _joined(headers: Sequence[Table]) -> list[Table]:
    """The headers of several documents as one table, its first column being what each is called by."""
    if not headers:
        return []
    related = frozenset().union(*(one.keys for one in _related().values()))
    columns = [column for column in dict.fromkeys(c for one in headers for c in one.columns) if column not in related]
    rows = []
    for one in headers:
        own = dict(zip(one.columns, one.rows[0], strict=True))
        rows.append(
            (Cell("\n".join(map(_written, _own_labels(one)))), *(own.get(column, Cell("")) for column in columns))
        )
    return [Table(("", *columns), tuple(rows))]


def _own_labels(header: Table) -> list[Label]:
    """What the document of a header is called by."""
    found: list[Label] = []
    series = ""
    for column, cell in zip(header.columns, header.rows[0], strict=True):
        if column in _OWN:
            here = labels_of(cell.text.split(":")[0])
            series = series or (column if len(here) == 1 and not here[0][0] else "")
            found += here[:1]
    return [(name or "", number) for name, number in dict.fromkeys(found)]


def _written(label: Label) -> str:
    return "-".join(filter(None, (label[0], str(label[1]))))


def _is_one(label: Label, other: Label) -> bool:
    return label[1] == other[1] and (not label[0] or not other[0] or label[0] == other[0])


def _named_rows(said: _Said, one: Table) -> list[tuple[Cell, ...]]:
    """The rows whose first cell, or another that tells rows apart, stands in the claim."""
    found = []
    for row in one.rows:
        keys = row[0].text.split("\n")
        labels = [label for key in keys for label in labels_of(key)[:1] if _written(label) == key]
        if labels and (not one.columns[0] or labels[0][0]):
            is_named = any(_is_one(label, other) for label in labels for other in said.labels if other[0])
        else:
            is_named = len(row[0].text) > 1 and row[0].value is None and said.names(row[0])
        if is_named:
            found.append(row)
    return found


def _is_rival(said: _Said, one: Table) -> bool:
    """A value of another row stands in the claim, and the one of the row that is named does not."""
    rows = _named_rows(said, one)
    if not rows or len(rows) == len(one.rows):
        return False
    own = {cell.text for row in rows for cell in row}
    own_values = {cell.value for row in rows for cell in row if cell.value is not None}
    for at in range(1, len(one.columns)):
        if any(said.names(row[at]) or _has_status(said, row[at]) for row in rows):
            continue
        if all(not row[at].text for row in rows):
            continue
        others = {row[at] for row in one.rows} - {row[at] for row in rows}
        for other in others:
            if not other.text or other.text in own or (other.value is not None and other.value in own_values):
                continue
            if said.names(other) and not any(other.text in text for text in own):
                return True
        if one.columns[at] in ("status", "state", "状态") and _other_status(said, [row[at] for row in rows]):
            return True
    return False


def _has_status(said: _Said, cell: Cell) -> bool:
    group = _statuses().get(cell.text)
    return group is not None and any(_status_pattern(word).search(said.text) for word in _words_of(group))


def _other_status(said: _Said, own: Sequence[Cell]) -> bool:
    """The claim calls the thing by a status that it has not."""
    groups = {_statuses().get(cell.text) for cell in own}
    if None in groups:
        return False
    return any(_status_pattern(word).search(said.text) for word, group in _statuses().items() if group not in groups)


@cache
def _status_pattern(word: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:\b(?:is|was|are|been|remains|still|now|status)\b\W+(?:(?:still|now|already|a|an|been|as)\W+){{0,2}}|状态\S{{0,3}})"
        rf"{re.escape(word)}\b(?! by)|(?<=\| ){re.escape(word)}(?= \||$)"
    )


@cache
def _statuses() -> Mapping[str, str]:
    rows = toml_in(__package__, "records.toml")["statuses"]
    return {word: name for name, words in rows.items() for word in words}


def _words_of(group: str) -> tuple[str, ...]:
    return tuple(word for word, name in _statuses().items() if name == group)


def _is_misplaced(row: Sequence[str], columns: Sequence[str], one: Table) -> bool:
    """A cell of a row says something else than the table does in the same column of the same row."""
    if len(row) < 2 or len(row) != len(columns):
        return False
    heads = [folded(column) for column in columns]
    label = cell_of(row[0])
    for at in range(1, len(row)):
        mine = cell_of(row[at])
        if not mine.text:
            continue
        for key, column in ((label.text, heads[at]), (heads[at], label.text)):
            rows = [other for other in one.rows if key and other[0].text == key]
            where = _column(column, one)
            if len(rows) == 1 and where is not None and _differs(mine, rows[0][where], one, where):
                return True
    return False


def _column(head: str, one: Table) -> int | None:
    words = set(re.findall(r"\w+", head))
    fits = [
        at
        for at, column in enumerate(one.columns)
        if at
        and words
        and (
            column == head
            or words <= set(re.findall(r"\w+", column))
            or (column and set(re.findall(r"\w+", column)) <= words)
        )
    ]
    return fits[0] if len(fits) == 1 else None


def _differs(mine: Cell, other: Cell, one: Table, where: int) -> bool:
    if mine.value is not None and other.value is not None:
        return mine.value != other.value
    # Words may say the same in other words; a word of the same column may not.
    return mine.text != other.text and mine.text in {row[where].text for row in one.rows}


def _is_beside(row: Sequence[str], passages: Sequence[Passage]) -> bool:
    """The number of a cell stands beside other things than the first cell names, which has another number."""
    if len(row) < 2 or not row[0]:
        return False
    key = folded(re.sub(r"\([^)]*\)|（[^）]*）", "", row[0])).strip()
    if len(key) < 2:
        return False
    clauses = [clause for one in passages for unit in one.units for clause in _CLAUSE.split(normal(unit.text))]
    own = [
        _counts(clause)
        for clause in clauses
        if re.search(rf"(?<!\w){re.escape(key)}", folded(clause)) or (has_cjk(key) and key in clause)
    ]
    own = [counts for counts in own if counts]
    if not own:
        return False
    for cell in row[1:]:
        for value, unit in _counts(normal(cell)):
            elsewhere = any((value, unit) in _counts(clause) for clause in clauses)
            alike = [counts for counts in own if any(other == unit and unit for _, other in counts)]
            if elsewhere and alike and len(alike) == len(own) and not any((value, unit) in counts for counts in own):
                return True
    return False


def _counts(text: str) -> list[tuple[str, str]]:
    return [(number.value, measure(text, number.start, number.end)) for number in numbers(text)]


def _relations(text: str, headers: Sequence[Table]) -> Iterator[tuple[tuple[Label, Label], bool]]:
    """Of each relation between labelled things that the text states: whether a header says so, or otherwise."""
    plain = normal(text)
    for name, relation in _related().items():
        for is_turned, match in ((False, relation.says.search(plain)), (True, relation.passive.search(plain))):
            if match is None:
                continue
            before = [label for label in labels_of(plain[: match.start()]) if label[0]]
            series = before[-1][0] if before else ""
            after = [label for label in labels_of(_until_next(plain[match.end() :])) if label[0] or series]
            if not after or not before:
                continue
            pairs = [(other, before[-1]) for other in after] if is_turned else [(before[-1], other) for other in after]
            yield from ((pair, verdict) for pair in pairs for verdict in _verdict(name, pair, headers))


def _until_next(text: str) -> str:
    """Up to where another relation is stated."""
    stops = [match.start() for one in _related().values() for match in one.says.finditer(text)]
    return text[: min(stops, default=len(text))]


def _verdict(name: str, pair: tuple[Label, Label], headers: Sequence[Table]) -> Iterator[bool]:
    subject, value = pair
    keys = _related()[name].keys
    for header in headers:
        own = _own_labels(header)
        fields = dict(zip(header.columns, header.rows[0], strict=True))
        stated = [label for key in keys & fields.keys() for item in fields[key].items for label in labels_of(item)]
        if any(_is_one(subject, label) for label in own) and stated:
            yield any(_is_one(value, label) for label in stated)
        elif any(_is_one(value, label) for label in own) and any(_is_one(subject, label) for label in stated):
            # It is said the other way round.
            yield False


@cache
def _related() -> Mapping[str, _Relation]:
    return {
        name: _Relation(frozenset(row["keys"].split()), re.compile(row["says"], re.I), re.compile(row["passive"], re.I))
        for name, row in toml_in(__package__, "records.toml")["relations"].items()
    }
