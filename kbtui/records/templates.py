"""Which shapes that files share are fields: short sections under one heading, sentences of sections that differ in a
value alone, small files of one name in folders."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from kbtui.domain.document import FileRecord, Relation
from kbtui.knowledge.relations.fields import MAX_ITEM, MAX_ITEMS
from kbtui.knowledge.relations.folder_descriptions import FolderDescription
from kbtui.knowledge.relations.templates import CANDIDATES, CONTENT, SECTION
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.records.kinds import suffix_of
from kbtui.text.stop_words import STOP_WORDS
from kbtui.text.tokenise import stem

_FEWEST: Final = 3
_SHARE: Final = 0.4
"""Share of the documents beside one another that must have a short section, from which its heading is a field."""
_KNOWN: Final = 0.6
"""Share of the words of all values of a file that must come several times, from which each word is a value."""

_BEGINNING: Final = 3
"""Words that paragraphs begin with that are alike."""
_NEARLY: Final = 0.9
"""Share of those that go on with the same word, up to which a word is no part of the value."""
_MOST_WORDS: Final = 4
_MOST_NOUNS: Final = 2

_QUOTED = re.compile(r"`([^`\s](?:[^`]*[^`\s])?)`")
_WORD = re.compile(r"[\w.+-]+")
_NAME = re.compile(r"\w")


def fields_of_templates(
    files: Sequence[FileRecord], relations: Sequence[Relation], described: Sequence[FolderDescription]
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
        short = [one for one in values if one.relation.startswith(SECTION)]
        long = [one for one in values if not one.relation.startswith(SECTION)]
        least = max(_FEWEST, _SHARE * members[place])
        found = [(name, values)] if _spread(short) >= least else variable_parts(long, name, least)
        for field, stating in found:
            # A header states it better, where there is one.
            yield from (replace(one, relation=field) for one in stating if (one.source_path, field) not in stated)


def variable_parts(paragraphs: Sequence[Relation], heading: str, least: float) -> list[tuple[str, list[Relation]]]:
    """Fields of paragraphs that begin with the same words: ``available since version `1.5.0`.``

    Names in code quotes are a value each; without them the rest of the sentence is one, where it is a few words.

    Args:
        heading: Name of the section that all of them are from.
        least: Documents that must have such a paragraph.
    """
    alike: dict[tuple[str, ...], list[tuple[Relation, list[str]]]] = defaultdict(list)
    for one in paragraphs:
        words = one.target.split()
        if len(words) > _BEGINNING:
            alike[tuple(words[:_BEGINNING])].append((one, words))
    fields: dict[str, list[Relation]] = {}
    for members in alike.values():
        if _spread([one for one, _ in members]) < least:
            continue
        length = _BEGINNING
        while True:
            following = Counter(words[length].rstrip("s:") for _, words in members if len(words) > length + 1)
            if not following or following.most_common(1)[0][1] < _NEARLY * len(members):
                break
            length += 1
        found = [(one, _rest(" ".join(words[length:]))) for one, words in members]
        # Where nearly all say one thing, what else is quoted there is said of it.
        most = 1 if sum(len(values) > 1 for _, values in found) <= (1 - _NEARLY) * len(found) else MAX_ITEMS
        stating = [replace(one, target=value) for one, values in found for value in values[:most]]
        if _spread(stating) < least or len({one.target for one in stating}) < _FEWEST:
            continue
        field = _name_of(members[0][1][_BEGINNING:length], heading)
        fields.setdefault(field, stating)
        if field == heading:
            # A document that says it in other words has the field nevertheless.
            having = {one.source_path for one in stating}
            others = {one.source_path: one for one in reversed(paragraphs) if one.source_path not in having}
            stating += [replace(one, target=_said(one.target)) for one in others.values()]
    return list(fields.items())


def _said(text: str) -> str:
    """The first name in code quotes, else how the text begins."""
    quoted = _QUOTED.search(text)
    return quoted[1] if quoted is not None else text[:MAX_ITEM]


def _rest(text: str) -> list[str]:
    """Values in what follows the words that all paragraphs have."""
    bare = re.split(r"[.。!！](?:\s|$)", text, maxsplit=1)[0].strip(" ,;:'\"")
    values = _QUOTED.findall(text) or ([bare] if len(bare.split()) <= _MOST_WORDS else [])
    return [value for value in dict.fromkeys(values) if value and len(value) <= MAX_ITEM]


def _name_of(words: Sequence[str], heading: str) -> str:
    """The last one or two words, where they have content and the heading says something else; else the heading."""
    bare = [word.strip(":,`'\"").lower() for word in words]
    nouns = list(takewhile(lambda word: word.isalpha() and word not in STOP_WORDS, reversed(bare)))[:_MOST_NOUNS]
    if not nouns or not {stem(noun) for noun in nouns}.isdisjoint(map(stem, re.split(r"\W+", heading))):
        return heading
    return relation_name(" ".join(reversed(nouns))) or heading


def _spread(relations: Sequence[Relation]) -> int:
    """How many documents state them."""
    return len({one.source_path for one in relations})


def _place(path: str, described: Collection[str]) -> str:
    """What documents of one template have in common: their folder, or their name in folders that are things."""
    folder, name = posixpath.split(path)
    if folder in described:
        return f"{posixpath.dirname(folder)}/*/{name}"
    return f"{folder}/*{suffix_of(name)}"


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
