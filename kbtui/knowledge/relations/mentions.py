"""What the text says about other documents: numbers and tickets it mentions, relations it states line by line."""

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
from kbtui.knowledge.relations.stated import stating_part
from kbtui.knowledge.relations.vocabulary import statement_at

RELATION = "mentions"
_TEXTS = ("markdown", "rst", "text", "html")


def extract(document: Document) -> Iterator[Relation]:
    """``mentions`` for each other document named anywhere, once; not for the document itself."""
    if document.kind == "csv":
        return
    raw = document.text.split("\n")
    starts = line_starts(raw)
    own = file_labels(document)
    own_keys = {label_key(label) for label in own}
    in_fields = field_lines(document)
    first: dict[str, tuple[bool, int, str]] = {}
    for offset, label in _named(document, own):
        key = label_key(label)
        # A line of text says more than a header field, which is a relation of its own already.
        found = (line_at(starts, offset) in in_fields, offset, label)
        if key not in own_keys and (key not in first or found[:2] < first[key][:2]):
            first[key] = found
    for _, offset, label in sorted(first.values()):
        line = line_at(starts, offset)
        text = stating_part(raw[line - 1], offset - starts[line - 1])
        yield Relation(source_path=document.path, relation=RELATION, target=label, line=line, text=text)


def extract_statements(document: Document) -> Iterator[Relation]:
    """Lines of the body that begin with a relation: ``Blocked by: PROJ-12``, ``Superseded by [ADR 9](…)``."""
    if document.kind not in _TEXTS:
        return
    own = file_labels(document)
    raw = document.text.split("\n")
    starts = line_starts(raw)
    in_fields = field_lines(document)
    # As long as the text, so the offsets of lines are the same; every label holds a digit.
    prose = blank_code(document.text) if document.kind == "markdown" else document.text
    for begin, end in digit_lines(prose):
        stated = statement_at(prose[begin:end])
        if stated is None or (number := line_at(starts, begin)) in in_fields:
            continue
        rest = raw[number - 1][stated.end :]
        for offset, label in sorted(find_labels(rest, own)):
            if stated.explicit or offset <= 3 or "," in rest[:offset] or " and " in rest[:offset]:
                yield Relation(
                    source_path=document.path,
                    relation=stated.relation,
                    target=label,
                    line=number,
                    text=stating_part(raw[number - 1], stated.end + offset),
                )


def field_lines(document: Document) -> set[int]:
    """The lines that header fields stand on."""
    return {line for field in document.fields for line in range(field.start_line, field.end_line + 1)}


def _named(document: Document, own: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    text = document.text
    yield from find_labels(text, own)
    repository, series = pull_series(document)
    if repository:
        yield from find_pulls(text, repository, series)
    if file_number(document.path) is not None:
        for label in own[:1]:
            if own_series := series_of(label):
                yield from find_numbered_paths(text, own_series)
