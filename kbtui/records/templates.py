"""Which shapes that files share are fields: short sections under one heading, small files of one name in folders."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from kbtui.domain.document import FileRecord, Relation
from kbtui.knowledge.relations.described import Described
from kbtui.knowledge.relations.fields import MAX_ITEM
from kbtui.knowledge.relations.templates import CANDIDATES, CONTENT, SECTION
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.text.stop_words import STOP_WORDS

_FEWEST: Final = 3
_SHARE: Final = 0.4
"""Share of the documents beside one another that must have a short section, from which its heading is a field."""
_KNOWN: Final = 0.6
"""Share of the words of all values of a file that must come several times, from which each word is a value."""

_WORD = re.compile(r"[\w.+-]+")
_NAME = re.compile(r"\w")


def fields_of_templates(
    files: Sequence[FileRecord], relations: Sequence[Relation], described: Sequence[Described]
) -> Iterator[Relation]:
    """Relations under the name of the field for the candidates that many documents have; the others are left out."""
    parts = {path for one in described for path in one.parts}
    by_name: dict[str, list[Relation]] = defaultdict(list)
    sections: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    folders = {one.folder for one in described}
    for one in relations:
        if not one.relation.startswith(CANDIDATES):
            continue
        if one.relation == CONTENT and one.source_path in parts:
            by_name[posixpath.splitext(posixpath.basename(one.source_path))[0]].append(one)
        elif one.relation != CONTENT and (name := relation_name(one.relation.partition(":")[2])):
            sections[_place(one.source_path, folders), name].append(one)
    beside = frozenset(posixpath.basename(folder).casefold() for folder in folders)
    for name, values in by_name.items():
        yield from _of_files(relation_name(name), values, beside)
    members = Counter(_place(record.path, folders) for record in files)
    stated = {(one.source_path, one.relation) for one in relations}
    for (place, name), values in sections.items():
        having = len({one.source_path for one in values if one.relation.startswith(SECTION)})
        if having >= max(_FEWEST, _SHARE * members[place]):
            # A header states it better, where there is one.
            yield from (replace(one, relation=name) for one in values if (one.source_path, name) not in stated)


def _place(path: str, described: Collection[str]) -> str:
    """What documents of one template have in common: their folder, or their name in folders that are things."""
    folder, name = posixpath.split(path)
    if folder in described:
        return f"{posixpath.dirname(folder)}/*/{name}"
    return f"{folder}/*{posixpath.splitext(name)[1]}"


def _of_files(name: str, values: Sequence[Relation], beside: frozenset[str]) -> Iterator[Relation]:
    """The values of files of one name: each word is one where some name folders beside theirs and most come again."""
    words = Counter(word.casefold() for one in values for word in one.target.split() if _WORD.fullmatch(word))
    known = sum(count for word, count in words.items() if (count > 1 and word not in STOP_WORDS) or word in beside)
    if len(words.keys() & beside) < _FEWEST or known < _KNOWN * words.total():
        yield from (replace(one, relation=name) for one in values if len(one.target) <= MAX_ITEM)
        return
    for one in values:
        for word in dict.fromkeys(filter(_NAME.search, one.target.split())):
            yield replace(one, relation=name, target=word)
