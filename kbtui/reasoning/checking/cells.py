"""Checks statements against table records: confirmed by the cells of a row, or refuted by another value there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kbtui.reasoning.checking.draft import cells as cells_of
from kbtui.reasoning.checking.facts import folded
from kbtui.reasoning.checking.numerals import normal, numbers
from kbtui.reasoning.checking.passages import Passage
from kbtui.reasoning.checking.records import Cell, Table, cell_of, tables
from kbtui.reasoning.checking.standing import Claim
from kbtui.text.language import has_cjk
from kbtui.text.word_lists import toml_in

_LABEL: Final = re.compile(
    r"(?<![\w-])(?:(?P<series>[A-Za-z][A-Za-z]{1,11})[- ]?#?0{0,5})?(?P<number>[1-9]\d{0,6})(?![\w%/]|\.\d)"
)
_IDENTIFYING_COLUMNS: Final = frozenset(
    {"id", "number", "proposal", "title", "rfc", "pep", "adr", "key", "ticket", "name", "编号", "标题"}
)
_PRONOUN: Final = re.compile(r"(?:it|its|she|he|they|their|this|that|these|those)\b|它|该|其|这|此")
_MIN_TEXT: Final = 3
_MIN_NUMBER: Final = 10
_PARTS_OF_DATE: Final = 3

Label = tuple[str, int]
"""Series in lower case (may be empty) and number: ``("abc", 15)``."""


@dataclass(frozen=True, slots=True)
class _Relation:
    keys: frozenset[str]
    says: re.Pattern[str]
    passive: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _PreparedClaim:
    """A claim prepared for comparison with cells: folded text, values of its numbers, and labels."""

    text: str
    values: frozenset[str]
    labels: frozenset[Label]

    def names(self, cell: Cell) -> bool:
        """Whether the claim contains the value of a cell."""
        if cell.value is not None:
            return f"{abs(cell.value):.12g}" in self.values and (abs(cell.value) >= _MIN_NUMBER)
        parts = {number.value for number in numbers(cell.text)}
        if len(parts) >= _PARTS_OF_DATE and re.match(r"[\d-]+$|\d+-\w{3}-\d+$", cell.text):
            return parts <= self.values
        if len(cell.text) < _MIN_TEXT:
            return len(cell.text) > 1 and re.search(rf"(?<!\w){re.escape(cell.text)}(?!\w)", self.text) is not None
        if has_cjk(cell.text):
            return cell.text in self.text
        return re.search(rf"(?<![\w-]){re.escape(cell.text)}(?![\w-])", self.text) is not None


def is_refuted_by_tables(claim: Claim, cited: Sequence[Passage], shown: Sequence[Passage]) -> bool:
    """Whether a record has another value than the statement in the same place.

    Args:
        cited: The passages that the statement cites; their tables are compared.
        shown: All passages that the model was given; their headers are compared, because an author of one document
            is a wrong value for another.
    """
    prepared = _prepare(claim.text)
    row = cells_of(claim.marked) if claim.columns else ()
    headers = [table for passage in shown for table in tables(passage.excerpt.text) if table.is_header]
    cited_tables = [table for passage in cited for table in tables(passage.excerpt.text) if not table.is_header]
    joined_headers = [] if _PRONOUN.match(prepared.text) else _join_headers(headers)
    return any(
        _is_rival(prepared, table) or _is_misplaced(row, claim.columns, table)
        for table in (*cited_tables, *joined_headers)
    ) or any(not verdict for _, verdict in _relations(claim.text, headers))


def is_confirmed_row(claim: Claim, cited: Sequence[Passage]) -> bool:
    """Whether a record has a row with the same first cell that contains all other cells of a claimed row."""
    row = [folded(cell) for cell in cells_of(claim.marked)] if claim.columns else []
    if len(row) < 2 or not all(row):
        return False
    prepared = _prepare(claim.text)
    cited_tables = [table for passage in cited for table in tables(passage.excerpt.text)]
    return any(
        all(any(_is_same(cell_of(claimed), cell) for cell in record_row) for claimed in row[1:])
        for table in (
            *(table for table in cited_tables if not table.is_header),
            *_join_headers([table for table in cited_tables if table.is_header]),
        )
        for record_row in _mentioned_rows(prepared, table)
    )


def _is_same(claimed: Cell, cell: Cell) -> bool:
    if claimed.value is not None and cell.value is not None:
        return claimed.value == cell.value
    return claimed.text == cell.text or claimed.text in cell.items


def confirmed_labels(claim: Claim, cited: Sequence[Passage]) -> frozenset[Label]:
    """Labels of things that the statement relates like a header does; empty if any header contradicts it."""
    headers = [table for passage in cited for table in tables(passage.excerpt.text) if table.is_header]
    verdicts = list(_relations(claim.text, headers))
    return (
        frozenset(label for pair, _ in verdicts for label in pair)
        if all(verdict for _, verdict in verdicts)
        else frozenset()
    )


@lru_cache(maxsize=512)
def _prepare(text: str) -> _PreparedClaim:
    plain = normal(text)
    return _PreparedClaim(
        folded(plain), frozenset(number.value for number in numbers(plain)), frozenset(labels_of(plain))
    )


def labels_of(text: str) -> list[Label]:
    return [((match["series"] or "").lower(), int(match["number"])) for match in _LABEL.finditer(text)]


def _join_headers(headers: Sequence[Table]) -> list[Table]:
    """The headers of several documents as one table, with the labels of each document in the first column."""
    if not headers:
        return []
    relation_columns = frozenset().union(*(header.keys for header in _relation_types().values()))
    columns = [
        column
        for column in dict.fromkeys(c for header in headers for c in header.columns)
        if column not in relation_columns
    ]
    rows = []
    for header in headers:
        fields = dict(zip(header.columns, header.rows[0], strict=True))
        rows.append(
            (
                Cell("\n".join(map(_label_text, _labels_of_header(header)))),
                *(fields.get(column, Cell("")) for column in columns),
            )
        )
    return [Table(("", *columns), tuple(rows))]


def _labels_of_header(header: Table) -> list[Label]:
    """Labels of the document of a header."""
    labels: list[Label] = []
    series = ""
    for column, cell in zip(header.columns, header.rows[0], strict=True):
        if column in _IDENTIFYING_COLUMNS:
            cell_labels = labels_of(cell.text.split(":")[0])
            series = series or (column if len(cell_labels) == 1 and not cell_labels[0][0] else "")
            labels += cell_labels[:1]
    return [(name or "", number) for name, number in dict.fromkeys(labels)]


def _label_text(label: Label) -> str:
    return "-".join(filter(None, (label[0], str(label[1]))))


def _is_same_label(label: Label, other: Label) -> bool:
    return label[1] == other[1] and (not label[0] or not other[0] or label[0] == other[0])


def _mentioned_rows(prepared: _PreparedClaim, table: Table) -> list[tuple[Cell, ...]]:
    """The rows of a table whose first cell the claim contains."""
    rows = []
    for row in table.rows:
        keys = row[0].text.split("\n")
        labels = [label for key in keys for label in labels_of(key)[:1] if _label_text(label) == key]
        if labels and (not table.columns[0] or labels[0][0]):
            is_mentioned = any(
                _is_same_label(label, other) for label in labels for other in prepared.labels if other[0]
            )
        else:
            is_mentioned = len(row[0].text) > 1 and row[0].value is None and prepared.names(row[0])
        if is_mentioned:
            rows.append(row)
    return rows


def _is_rival(prepared: _PreparedClaim, table: Table) -> bool:
    """Whether the claim contains a value of another row, but not that of the row it mentions."""
    rows = _mentioned_rows(prepared, table)
    if rows and _gives_status_of_others(prepared, table, rows):
        return True
    if not rows or len(rows) == len(table.rows):
        return False
    own_texts = {cell.text for row in rows for cell in row}
    own_values = {cell.value for row in rows for cell in row if cell.value is not None}
    for column in range(1, len(table.columns)):
        if any(prepared.names(row[column]) or _gives_status(prepared, row[column]) for row in rows):
            continue
        if all(not row[column].text for row in rows):
            continue
        others = {row[column] for row in table.rows} - {row[column] for row in rows}
        for other in others:
            if not other.text or other.text in own_texts or (other.value is not None and other.value in own_values):
                continue
            if prepared.names(other) and not any(other.text in text for text in own_texts):
                return True
            items = [item for item in other.items if not any(item in text for text in own_texts)]
            if len(other.items) > 1 and any(prepared.names(Cell(item)) for item in items):
                return True
    return False


def _gives_status_of_others(prepared: _PreparedClaim, table: Table, rows: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether the claim gives a status that none of the rows it mentions has."""
    return any(
        _gives_other_status(prepared, [row[column] for row in rows])
        for column, name in enumerate(table.columns)
        if name in _STATUS_COLUMNS and not any(_gives_status(prepared, row[column]) for row in rows)
    )


_STATUS_COLUMNS: Final = frozenset({"status", "state", "状态"})


def _gives_status(prepared: _PreparedClaim, cell: Cell) -> bool:
    group = _statuses().get(cell.text)
    return group is not None and any(_status_pattern(word).search(prepared.text) for word in _words_of(group))


def _gives_other_status(prepared: _PreparedClaim, cells: Sequence[Cell]) -> bool:
    """Whether the claim gives the thing a status that it does not have."""
    groups = {_statuses().get(cell.text) for cell in cells}
    if None in groups:
        return False
    return any(
        _status_pattern(word).search(prepared.text) for word, group in _statuses().items() if group not in groups
    )


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


def _is_misplaced(row: Sequence[str], columns: Sequence[str], table: Table) -> bool:
    """Whether a claimed row has another value than the table in the same row and column."""
    if len(row) < 2 or len(row) != len(columns):
        return False
    headings = [folded(column) for column in columns]
    label = cell_of(row[0])
    for index in range(1, len(row)):
        claimed = cell_of(row[index])
        if not claimed.text:
            continue
        for key, column in ((label.text, headings[index]), (headings[index], label.text)):
            rows = [record_row for record_row in table.rows if key and record_row[0].text == key]
            place = _column(column, table)
            if len(rows) == 1 and place is not None and _contradicts(claimed, rows[0][place], table, place):
                return True
    return False


def _column(heading: str, table: Table) -> int | None:
    words = set(re.findall(r"\w+", heading))
    matches = [
        index
        for index, column in enumerate(table.columns)
        if index
        and words
        and (
            column == heading
            or words <= set(re.findall(r"\w+", column))
            or (column and set(re.findall(r"\w+", column)) <= words)
        )
    ]
    return matches[0] if len(matches) == 1 else None


def _contradicts(claimed: Cell, recorded: Cell, table: Table, column: int) -> bool:
    if claimed.value is not None and recorded.value is not None:
        return claimed.value != recorded.value
    # A paraphrase is no contradiction; another value of the same column is.
    return claimed.text != recorded.text and claimed.text in {row[column].text for row in table.rows}


def _relations(text: str, headers: Sequence[Table]) -> Iterator[tuple[tuple[Label, Label], bool]]:
    """Pairs of labels that the text relates; True if a header confirms the relation, False if it contradicts it."""
    plain = normal(text)
    for name, relation in _relation_types().items():
        for is_passive, match in ((False, relation.says.search(plain)), (True, relation.passive.search(plain))):
            if match is None:
                continue
            before = [label for label in labels_of(plain[: match.start()]) if label[0]]
            series = before[-1][0] if before else ""
            after = [label for label in labels_of(_until_next(plain[match.end() :])) if label[0] or series]
            if not after or not before:
                continue
            pairs = [(other, before[-1]) for other in after] if is_passive else [(before[-1], other) for other in after]
            yield from ((pair, verdict) for pair in pairs for verdict in _verdict(name, pair, headers))


def _until_next(text: str) -> str:
    """The text up to the next relation verb."""
    stops = [match.start() for relation in _relation_types().values() for match in relation.says.finditer(text)]
    return text[: min(stops, default=len(text))]


def _verdict(name: str, pair: tuple[Label, Label], headers: Sequence[Table]) -> Iterator[bool]:
    subject, value = pair
    keys = _relation_types()[name].keys
    for header in headers:
        own_labels = _labels_of_header(header)
        fields = dict(zip(header.columns, header.rows[0], strict=True))
        stated_labels = [
            label for key in keys & fields.keys() for item in fields[key].items for label in labels_of(item)
        ]
        if any(_is_same_label(subject, label) for label in own_labels) and stated_labels:
            yield any(_is_same_label(value, label) for label in stated_labels)
        elif any(_is_same_label(value, label) for label in own_labels) and any(
            _is_same_label(subject, label) for label in stated_labels
        ):
            # The header states the inverse relation.
            yield False


@cache
def _relation_types() -> Mapping[str, _Relation]:
    return {
        name: _Relation(frozenset(row["keys"].split()), re.compile(row["says"], re.I), re.compile(row["passive"], re.I))
        for name, row in toml_in(__package__, "records.toml")["relations"].items()
    }
