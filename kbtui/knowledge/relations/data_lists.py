"""Lists of records in data files: each record has a name and fields of its own.

``- name: Bell`` in ``_data/parts.yml``, ``[[package]]`` in a lock file, ``services:`` with one mapping for each name. A
list is a relation ``list:`` with its name, a record a relation ``item:`` with its name, followed by its values as
``item:FIELD``. Whether records are things or details of their files is decided over all files (`kbtui.records.series`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from kbtui.domain.document import Document, Relation
from kbtui.domain.tree import Node
from kbtui.knowledge.relations.chats import slack_messages
from kbtui.knowledge.relations.fields import values_of
from kbtui.knowledge.relations.labels import file_labels
from kbtui.knowledge.relations.series import END, ITEM, LISTED
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.knowledge.relations.structure import structure_of
from kbtui.knowledge.relations.trees import fields_of_tree, name_of, shared_keys

_MAX_DEPTH: Final = 3
"""Depth of keys below which a list contains details."""
_MAX_ITEMS: Final = 2_000
_MIN_NAMED_SHARE: Final = 0.8
"""Least share of the records of a list that have a name."""


class _Record(NamedTuple):
    line: int
    name: str
    node: Node


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each list of records, for each record and for each of its values, in file order."""
    tree = structure_of(document)
    # The records of a chat are made of its messages.
    if tree is None or slack_messages(document):
        return
    raw = document.text.split("\n")
    own_labels = file_labels(document)
    for key, node, records in _lists(tree, PurePosixPath(document.path).stem):
        yield relation_on(document, raw, LISTED, key, min(node.line, len(raw)))
        for record in records[:_MAX_ITEMS]:
            yield relation_on(document, raw, ITEM, record.name, record.line)
            for field in fields_of_tree(record.node):
                for relation, line, value in values_of(field, document.path, own_labels):
                    offset = max(0, raw[line - 1].find(value))
                    yield relation_on(document, raw, f"{ITEM}{relation}", value, line, offset)
        yield relation_on(document, raw, END, "", min(max(node.last, records[-1].node.last), len(raw)))


def _lists(node: Node, key: str, depth: int = 0) -> Iterator[tuple[str, Node, list[_Record]]]:
    """Name, node and records of each list of records; lists within records are left out."""
    if shared_keys(node) and len(records := _records(node)) >= _MIN_NAMED_SHARE * len(node.maps):
        yield key, node, records
    elif node.entries is not None and depth < _MAX_DEPTH:
        for inner_key, value in node.entries.items():
            yield from _lists(value, inner_key, depth + 1)


def _records(node: Node) -> list[_Record]:
    """The records of a list that have a name and further fields; none where two begin on one line, by which they are
    told apart."""
    if node.entries is not None:
        records = [_Record(entry.line, name, entry) for name, entry in node.entries.items()]
    else:
        names = [(item, name_of(item.entries or {})) for item in node.maps if len(item.entries or {}) > 1]
        records = [_Record(item.line, name[1], item) for item, name in names if name is not None]
    return records if len({record.line for record in records}) == len(records) else []
