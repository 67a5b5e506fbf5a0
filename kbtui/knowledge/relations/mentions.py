"""Relations in the text of a document: labels and tickets that it mentions, and relations that lines state."""

from __future__ import annotations

from collections.abc import Iterator

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.labels import (
    digit_lines,
    file_labels,
    file_number,
    find_labels,
    find_numbered_paths,
    find_pulls,
    label_key,
    pull_series,
    series_of,
)
from kbtui.knowledge.relations.links import blank_code, line_at, line_starts
from kbtui.knowledge.relations.statement_text import statement_excerpt
from kbtui.knowledge.relations.vocabulary import statement_at

RELATION = "mentions"
_TEXTS = ("markdown", "rst", "text", "html")


def extract(document: Document) -> Iterator[Relation]:
    """A relation ``mentions`` for each other document that the text names, without duplicates."""
    if document.kind == "csv":
        return
    raw = document.text.split("\n")
    starts = line_starts(raw)
    own_labels = file_labels(document)
    own_keys = {label_key(label) for label in own_labels}
    in_fields = field_lines(document)
    first: dict[str, tuple[bool, int, str]] = {}
    for offset, label in _labels_in(document, own_labels):
        key = label_key(label)
        # A line of text is preferred to a header field, which has a relation of its own already.
        candidate = (line_at(starts, offset) in in_fields, offset, label)
        if key not in own_keys and (key not in first or candidate[:2] < first[key][:2]):
            first[key] = candidate
    for _, offset, label in sorted(first.values()):
        line = line_at(starts, offset)
        text = statement_excerpt(raw[line - 1], offset - starts[line - 1])
        yield Relation(source_path=document.path, relation=RELATION, target=label, line=line, text=text)


def extract_statements(document: Document) -> Iterator[Relation]:
    """The relations at the beginning of lines of the body: ``Blocked by: PROJ-12``, ``Superseded by [ADR 9](…)``."""
    if document.kind not in _TEXTS:
        return
    own_labels = file_labels(document)
    raw = document.text.split("\n")
    starts = line_starts(raw)
    in_fields = field_lines(document)
    # Blanking keeps the length, so offsets stay valid; every label contains a digit, so only such lines are searched.
    prose = blank_code(document.text) if document.kind == "markdown" else document.text
    for begin, end in digit_lines(prose):
        statement = statement_at(prose[begin:end])
        if statement is None or (number := line_at(starts, begin)) in in_fields:
            continue
        rest = raw[number - 1][statement.end :]
        for offset, label in sorted(find_labels(rest, own_labels)):
            if statement.explicit or offset <= 3 or "," in rest[:offset] or " and " in rest[:offset]:
                yield Relation(
                    source_path=document.path,
                    relation=statement.relation,
                    target=label,
                    line=number,
                    text=statement_excerpt(raw[number - 1], statement.end + offset),
                )


def field_lines(document: Document) -> set[int]:
    """The line numbers of header fields."""
    return {line for field in document.fields for line in range(field.start_line, field.end_line + 1)}


def _labels_in(document: Document, own_labels: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    text = document.text
    yield from find_labels(text, own_labels)
    repository, series = pull_series(document)
    if repository:
        yield from find_pulls(text, repository, series)
    if file_number(document.path) is not None:
        for label in own_labels[:1]:
            if own_series := series_of(label):
                yield from find_numbered_paths(text, own_series)
