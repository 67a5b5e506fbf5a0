"""Turns patterns that files share into fields: short sections with one heading, sentences that differ only in a value,
and small files with one name in several folders."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from kbtui.domain.document import FileRecord, Relation
from kbtui.knowledge.relations.fields import MAX_ITEM, MAX_ITEMS
from kbtui.knowledge.relations.folder_descriptions import FolderDescription
from kbtui.knowledge.relations.opening_sentences import MAX_LINES, SENTENCE
from kbtui.knowledge.relations.templates import CANDIDATES, CONTENT, LABEL, LONG_SECTION, SECTION
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.records.kinds import suffix_of
from kbtui.records.sentence_forms import fields_of_sentences
from kbtui.text.stop_words import STOP_WORDS
from kbtui.text.tokenise import stem

_MIN_DOCUMENTS: Final = 3
_MIN_SHARE: Final = 0.4
"""Share of the documents of a folder with a short section from which its heading is a field."""
_REPEATED_SHARE: Final = 0.6
"""Share of repeated words in the values of a file name from which each word is a value of its own."""

_SHARED_WORDS: Final = 3
"""Number of words at the beginning that similar paragraphs share."""
_NEARLY_ALL: Final = 0.9
"""Share of similar paragraphs with the same next word from which it belongs to the pattern, not to the value."""
_MAX_VALUE_WORDS: Final = 4
_MAX_NAME_WORDS: Final = 2

_MIN_LABELLED: Final = 4
_MIN_LABELLED_SHARE: Final = 0.05
"""Number and share of the documents of a folder with a label from which it is a field."""
_REFERENCE_SHARE: Final = 0.8
_REFERENCE_WORDS: Final = 4
"""Words of an item of a section within which it names a document."""

_NAME_IN_TEXT = re.compile(r"[\w.+-]*\w")
_QUOTED = re.compile(r"`([^`\s](?:[^`]*[^`\s])?)`")
_WORD = re.compile(r"[\w.+-]+")
_NAME = re.compile(r"\w")


def fields_of_templates(
    files: Sequence[FileRecord], relations: Sequence[Relation], described: Sequence[FolderDescription]
) -> Iterator[Relation]:
    """Relations for the candidates that enough documents have, under the name of their field."""
    parts = {path for thing in described for path in thing.parts}
    by_name: dict[str, list[Relation]] = defaultdict(list)
    sections: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    sentences: dict[str, list[Relation]] = defaultdict(list)
    folders = {thing.folder for thing in described}
    paths = {relation.source_path for relation in relations} | {record.path for record in files}
    template_keys = {path: _template_key(path, folders) for path in paths}
    for relation in relations:
        if not relation.relation.startswith(CANDIDATES):
            continue
        if relation.relation == SENTENCE:
            sentences[template_keys[relation.source_path]].append(relation)
        elif relation.relation == CONTENT and relation.source_path in parts:
            by_name[_file_name(relation.source_path)].append(relation)
        elif relation.relation != CONTENT and (name := relation_name(relation.relation.partition(":")[2])):
            sections[template_keys[relation.source_path], name].append(relation)
    folder_names = frozenset(posixpath.basename(folder).casefold() for folder in folders)
    for name, values in by_name.items():
        yield from _fields_of_files(relation_name(name), values, folder_names)
    file_counts = Counter(template_keys[record.path] for record in files)
    names: dict[str, set[str]] = defaultdict(set)
    for record in files:
        names[template_keys[record.path]].add(_file_name(record.path).casefold())
    stated_fields = {(relation.source_path, relation.relation) for relation in relations}
    section_lines: set[tuple[str, int]] = set()
    for (place, name), values in sections.items():
        for field, stating in _fields_of_heading(name, values, file_counts[place], names[place]):
            section_lines.update((relation.source_path, relation.line) for relation in stating)
            # The same field in a header takes precedence.
            yield from (
                replace(relation, relation=field)
                for relation in stating
                if (relation.source_path, field) not in stated_fields
            )
    for place, candidates in sentences.items():
        # What a section states under its heading is no field of another name.
        others = [each for each in candidates if section_lines.isdisjoint(_lines_of(each))]
        for relation in fields_of_sentences(others, file_counts[place]):
            if (relation.source_path, relation.relation) not in stated_fields:
                yield relation


def _fields_of_heading(
    name: str, values: Sequence[Relation], file_count: int, documents: Collection[str]
) -> list[tuple[str, list[Relation]]]:
    """Fields of what stands behind one label, or below one heading, in the documents of a folder."""
    labelled = [relation for relation in values if relation.relation.startswith(LABEL)]
    if _document_count(labelled) >= max(_MIN_LABELLED, _MIN_LABELLED_SHARE * file_count):
        return [(name, labelled)]
    short = [relation for relation in values if relation.relation.startswith(SECTION)]
    least = max(_MIN_DOCUMENTS, _MIN_SHARE * file_count)
    if _document_count(short) >= least:
        return [(name, list(values))]
    long = [relation for relation in values if relation.relation.startswith(LONG_SECTION)]
    if references := _references([*short, *long], name, documents):
        return [(name, references)]
    return variable_parts(long, name, least)


def variable_parts(paragraphs: Sequence[Relation], heading: str, least: float) -> list[tuple[str, list[Relation]]]:
    """Fields of paragraphs that begin with the same words: ``available since version `1.5.0`.``

    Each name in code quotes is a value; without any, the rest of the sentence is one if it has few words.

    Args:
        heading: Name of the section that the paragraphs are from.
        least: Fewest documents with such a paragraph.
    """
    by_beginning: dict[tuple[str, ...], list[tuple[Relation, list[str]]]] = defaultdict(list)
    for paragraph in paragraphs:
        words = paragraph.target.split()
        if len(words) > _SHARED_WORDS:
            by_beginning[tuple(words[:_SHARED_WORDS])].append((paragraph, words))
    fields: dict[str, list[Relation]] = {}
    for members in by_beginning.values():
        if _document_count([paragraph for paragraph, _ in members]) < least:
            continue
        length = _SHARED_WORDS
        while True:
            following = Counter(words[length].rstrip("s:") for _, words in members if len(words) > length + 1)
            if not following or following.most_common(1)[0][1] < _NEARLY_ALL * len(members):
                break
            length += 1
        values_by_paragraph = [
            (paragraph, _values_after_pattern(" ".join(words[length:]))) for paragraph, words in members
        ]
        # If nearly all paragraphs quote one name, further quoted names are details of it.
        max_values = (
            1
            if sum(len(values) > 1 for _, values in values_by_paragraph) <= (1 - _NEARLY_ALL) * len(values_by_paragraph)
            else MAX_ITEMS
        )
        stating = [
            replace(paragraph, target=value)
            for paragraph, values in values_by_paragraph
            for value in values[:max_values]
        ]
        if _document_count(stating) < least or len({paragraph.target for paragraph in stating}) < _MIN_DOCUMENTS:
            continue
        field = _name_of(members[0][1][_SHARED_WORDS:length], heading)
        fields.setdefault(field, stating)
        if field == heading:
            # A document with other words in this section has the field, too.
            paths_with_field = {paragraph.source_path for paragraph in stating}
            others = {
                paragraph.source_path: paragraph
                for paragraph in reversed(paragraphs)
                if paragraph.source_path not in paths_with_field
            }
            stating += [replace(paragraph, target=_value_of(paragraph.target)) for paragraph in others.values()]
    return list(fields.items())


def _lines_of(sentence: Relation) -> list[tuple[str, int]]:
    """The lines that a sentence at the beginning of a paragraph may stand on."""
    return [(sentence.source_path, sentence.line + offset) for offset in range(MAX_LINES)]


def _references(items: Sequence[Relation], name: str, documents: Collection[str]) -> list[Relation]:
    """The documents of a folder that the items of a section name in their first words: *the dirs command to print …*.

    Empty unless nearly all items name one, and those of several documents.
    """
    stating = []
    for item in items:
        words = (word.casefold() for word in _NAME_IN_TEXT.findall(item.target)[:_REFERENCE_WORDS])
        own = _file_name(item.source_path).casefold()
        target = next((word for word in words if word in documents and word != own and word not in STOP_WORDS), "")
        if target:
            stating.append(replace(item, relation=name, target=target))
    enough = len(stating) >= _REFERENCE_SHARE * len(items) and _document_count(stating) >= _MIN_DOCUMENTS
    return stating if enough else []


def _value_of(text: str) -> str:
    """The first name in code quotes, else the beginning of the text."""
    quoted = _QUOTED.search(text)
    return quoted[1] if quoted is not None else text[:MAX_ITEM]


def _values_after_pattern(text: str) -> list[str]:
    """The values in the text after the words that all paragraphs share."""
    bare = re.split(r"[.。!！](?:\s|$)", text, maxsplit=1)[0].strip(" ,;:'\"")
    values = _QUOTED.findall(text) or ([bare] if len(bare.split()) <= _MAX_VALUE_WORDS else [])
    return [value for value in dict.fromkeys(values) if value and len(value) <= MAX_ITEM]


def _name_of(words: Sequence[str], heading: str) -> str:
    """The last one or two words if they are nouns that the heading does not contain; else the heading."""
    bare = [word.strip(":,`'\"").lower() for word in words]
    nouns = list(takewhile(lambda word: word.isalpha() and word not in STOP_WORDS, reversed(bare)))[:_MAX_NAME_WORDS]
    if not nouns or not {stem(noun) for noun in nouns}.isdisjoint(map(stem, re.split(r"\W+", heading))):
        return heading
    return relation_name(" ".join(reversed(nouns))) or heading


def _document_count(relations: Sequence[Relation]) -> int:
    """Number of documents that state the relations."""
    return len({relation.source_path for relation in relations})


def _file_name(path: str) -> str:
    """The name of a file without its suffix."""
    return posixpath.splitext(posixpath.basename(path))[0]


def _template_key(path: str, described: Collection[str]) -> str:
    """Key of documents that may share a template: their folder and suffix, or their name in folders that are things."""
    folder, name = posixpath.split(path)
    if folder in described:
        return f"{posixpath.dirname(folder)}/*/{name}"
    return f"{folder}/*{suffix_of(name)}"


def _fields_of_files(name: str, values: Sequence[Relation], folder_names: frozenset[str]) -> Iterator[Relation]:
    """Relations from the contents of files with one name; each word is a value if most words repeat or name folders."""
    words = Counter(word.casefold() for value in values for word in value.target.split() if _WORD.fullmatch(word))
    known_count = sum(
        count for word, count in words.items() if (count > 1 and word not in STOP_WORDS) or word in folder_names
    )
    if len(words.keys() & folder_names) < _MIN_DOCUMENTS or known_count < _REPEATED_SHARE * words.total():
        yield from (replace(value, relation=name) for value in values if len(value.target) <= MAX_ITEM)
        return
    for value in values:
        for word in dict.fromkeys(filter(_NAME.search, value.target.split())):
            yield replace(value, relation=name, target=word)
