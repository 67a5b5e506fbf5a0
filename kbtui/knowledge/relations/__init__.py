"""Extracts the relations that a document states, when it is indexed.

Each kind of statement has a module with an extractor, listed in a tuple here. Extractors only read the document;
`kbtui.records.links`, which sees all documents, resolves names to files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations import (
    block_rows,
    chats,
    data_lists,
    fields,
    imports,
    item_rows,
    kind_words,
    links,
    mentions,
    opening_sentences,
    series,
    table_rows,
    tags,
    templates,
    text_lists,
)
from kbtui.knowledge.relations.labels import file_labels, label_key

__all__ = ["extract_relations", "file_labels"]

EXTRACTORS: tuple[Callable[[Document], Iterator[Relation]], ...] = (
    fields.extract,
    tags.extract,
    mentions.extract_statements,
    links.extract,
    imports.extract,
    mentions.extract,
)

SECTION_EXTRACTORS: tuple[Callable[[Document], Iterator[Relation]], ...] = (
    series.extract,
    data_lists.extract,
    text_lists.extract,
    item_rows.extract,
    block_rows.extract,
    table_rows.extract,
    chats.extract,
    templates.extract,
    opening_sentences.extract,
    kind_words.extract,
)
"""Extractors of what sections and lists of a document state."""

MAX_RELATIONS: Final = 10_000
"""Relations of one document; a document that states more is a listing."""


def extract_relations(document: Document) -> list[Relation]:
    """The relations that a document states, in file order, with the first line of each (relation, target).

    They follow the entries of its series of sections and of its lists, each with everything that it states.
    """
    first: dict[tuple[str, str], Relation] = {}
    for extract in EXTRACTORS:
        for relation in extract(document):
            key = (relation.relation, label_key(relation.target))
            earlier = first.get(key)
            if earlier is None or relation.line < earlier.line:
                first[key] = relation
    in_order = sorted(first.values(), key=lambda relation: relation.line)
    # Relations of entries are kept for each entry, even where the document repeats them.
    section_relations = (relation for extract in SECTION_EXTRACTORS for relation in extract(document))
    return [*section_relations, *in_order[:MAX_RELATIONS]]
