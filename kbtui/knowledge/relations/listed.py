"""Records that a file of data lists: each is a thing with fields of its own, called by what names it.

``- name: Bell`` in ``_data/parts.yml``, ``[[package]]`` in a lock file, ``services:`` with one mapping a name. A list
is a relation ``list:`` that names it, a record ``item:`` with its name, its values ``item:FIELD`` until the next.
Whether such records are things or details of their files is known only where all files are (`kbtui.records.series`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.fields import values_of
from kbtui.knowledge.relations.labels import file_labels
from kbtui.knowledge.relations.series import END, ITEM, LISTED
from kbtui.knowledge.relations.stated import relation_on
from kbtui.knowledge.relations.structure import Node, structure_of
from kbtui.knowledge.relations.trees import fields_of_tree, name_of, shared_keys

_DEEPEST: Final = 3
"""Keys below which a list is one of details."""
_MOST_ITEMS: Final = 2_000
_NAMED: Final = 0.8
"""Share of the records of a list that must be called something."""


class _Record(NamedTuple):
    line: int
    name: str
    node: Node


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each list of records, for each record and for each of its values, in file order."""
    tree = structure_of(document)
    if tree is None:
        return
    raw = document.text.split("\n")
    own = file_labels(document)
    for key, node, records in _lists(tree, PurePosixPath(document.path).stem):
        yield relation_on(document, raw, LISTED, key, min(node.line, len(raw)))
        for record in records[:_MOST_ITEMS]:
            yield relation_on(document, raw, ITEM, record.name, record.line)
            for field in fields_of_tree(record.node):
                for relation, line, value in values_of(field, document.path, own):
                    at = max(0, raw[line - 1].find(value))
                    yield relation_on(document, raw, f"{ITEM}{relation}", value, line, at)
        yield relation_on(document, raw, END, "", min(max(node.last, records[-1].node.last), len(raw)))


def _lists(node: Node, key: str, depth: int = 0) -> Iterator[tuple[str, Node, list[_Record]]]:
    """Lists of records with what they are called, the outermost of each place."""
    if shared_keys(node) and len(records := _records(node)) >= _NAMED * len(node.maps):
        yield key, node, records
    elif node.entries is not None and depth < _DEEPEST:
        for inner, value in node.entries.items():
            yield from _lists(value, inner, depth + 1)


def _records(node: Node) -> list[_Record]:
    """The records of a list that say more than what they are called."""
    if node.entries is not None:
        return [_Record(one.line, name, one) for name, one in node.entries.items()]
    called = [(one, name_of(one.entries or {})) for one in node.maps if len(one.entries or {}) > 1]
    return [_Record(one.line, name[1], one) for one, name in called if name is not None]
