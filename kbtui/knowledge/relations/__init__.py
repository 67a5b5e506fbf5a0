"""What one document states about others, taken once when it is indexed.

One extractor a file, in a tuple: another kind of statement is another file and another line here. Extractors only read
the document; which file a name belongs to is decided by `kbtui.records.links`, which sees all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations import called, fields, imports, links, listed, listings, mentions, series, templates
from kbtui.knowledge.relations.labels import file_labels, label_key

__all__ = ["extract_relations", "file_labels"]

EXTRACTORS: tuple[Callable[[Document], Iterator[Relation]], ...] = (
    fields.extract,
    mentions.extract_statements,
    links.extract,
    imports.extract,
    mentions.extract,
)

OF_SECTIONS: tuple[Callable[[Document], Iterator[Relation]], ...] = (
    series.extract,
    listed.extract,
    templates.extract,
    listings.extract,
    called.extract,
)
"""Those that tell what sections and lists of a document state."""

MOST_RELATIONS: Final = 10_000
"""Relations of one document; what states more is a listing."""


def extract_relations(document: Document) -> list[Relation]:
    """The relations the document states, in file order, once for each (relation, target): the first line counts.

    Before them stand the entries of its series of sections and its lists, with all that each states.
    """
    first: dict[tuple[str, str], Relation] = {}
    for extract in EXTRACTORS:
        for relation in extract(document):
            key = (relation.relation, label_key(relation.target))
            known = first.get(key)
            if known is None or relation.line < known.line:
                first[key] = relation
    named = sorted(first.values(), key=lambda relation: relation.line)
    # What each entry states counts for itself, however often the document says the same.
    of_sections = (relation for extract in OF_SECTIONS for relation in extract(document))
    return [*of_sections, *named[:MOST_RELATIONS]]
